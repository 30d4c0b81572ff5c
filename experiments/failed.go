package experiments

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"lbsim/models/record"
	"lbsim/policies"
)

// Failed is one way in which RPCs failed after the warm-up.
type Failed struct {
	Code string `json:"code"`
	// Reason is why, such as "connection refused": see [policies.Reason].
	Reason string `json:"reason"`
	Count  uint64 `json:"count"`
}

func (f *Failed) String() string { return f.Code + " " + f.Reason }

// failedBy names what a run has counted.
func failedBy(counted []record.Failure) []Failed {
	list := []Failed{}
	for _, f := range counted {
		code, reason := policies.Code(f.Code), policies.Reason(f.Reason)
		list = append(list, Failed{code.String(), reason.String(), f.Count})
	}
	return list
}

// total adds up the failures of several runs, most frequent first, and the RPCs that ended.
func total(of []*Measures) (list []Failed, ended uint64) {
	for _, m := range of {
		for _, n := range m.Codes {
			ended += n
		}
		for _, f := range m.Failed {
			i := slices.IndexFunc(list, func(g Failed) bool { return g.String() == f.String() })
			if i < 0 {
				list = append(list, f)
			} else {
				list[i].Count += f.Count
			}
		}
	}
	slices.SortFunc(list, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.String(), b.String()))
	})
	return list, ended
}

// writeFailed writes a row for each way in which RPCs failed under each policy, if there is any.
func writeFailed(w io.Writer, p *PointResults) {
	labels := []string{"policy"}
	for i := range p.Policies {
		labels = append(labels, p.Policies[i].Policy)
	}
	labels = padded(labels)
	tw := newColumns(w)
	some := false
	for i := range p.Policies {
		list, ended := total(p.Policies[i].runs)
		for _, f := range list {
			if !some {
				fmt.Fprintln(w)
				fmt.Fprintf(tw, "%s\tfailed\tof all\t\n", labels[0])
				some = true
			}
			share := 100 * float64(f.Count) / float64(ended)
			fmt.Fprintf(tw, "%s\t%d\t%s%%\t  %v\n", labels[i+1], f.Count,
				number(share, 3, shownDigits), &f)
		}
	}
	tw.Flush()
}
