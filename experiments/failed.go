package experiments

import (
	"cmp"
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
