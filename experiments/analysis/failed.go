package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"lbsim/models/record"
	"lbsim/policies"
)

// Failed is one way in which RPCs failed after the warm-up.
type Failed struct {
	Code string `json:"code"`
	// Reason is the reason, such as "connection refused"; see [policies.Reason].
	Reason string `json:"reason"`
	Count  uint64 `json:"count"`
}

// String returns the code and the reason, such as "UNAVAILABLE connection refused".
func (f *Failed) String() string { return f.Code + " " + f.Reason }

// failuresOf returns the failures that a run has counted, with the names of their codes and
// reasons.
func failuresOf(counted []record.Failure) []Failed {
	list := []Failed{}
	for _, f := range counted {
		code, reason := policies.Code(f.Code), policies.Reason(f.Reason)
		list = append(list, Failed{code.String(), reason.String(), f.Count})
	}
	return list
}

// FailureTotals returns the sum of the failures of several runs, most frequent first, and the
// number of RPCs that ended.
func FailureTotals(of []*Measures) (list []Failed, ended uint64) {
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

// FailedRun is a run without results.
type FailedRun struct {
	Policy string            `json:"policy"`
	Seed   uint64            `json:"seed"`
	Point  map[string]string `json:"point"`
	Reason string            `json:"reason"`
	// Stack is the stack of a panic in lbsim, the innermost function first; empty without a panic.
	Stack []string `json:"stack"`
}

// String returns the run and the reason as a line.
func (f FailedRun) String() string {
	return fmt.Sprintf("%s: %s", RunLabel(f.Policy, f.Seed, f.Point), f.Reason)
}

// RunLabel names a run.
func RunLabel(policy string, seed uint64, point map[string]string) string {
	at := ""
	for _, key := range slices.Sorted(maps.Keys(point)) {
		at += fmt.Sprintf(", %s = %s", key, point[key])
	}
	return fmt.Sprintf("%s, seed %d%s", policy, seed, at)
}

// FailedMeasures returns the measures of a run that failed: the reason, and the stack of a panic in
// lbsim.
func FailedMeasures(
	policy string, seed uint64, point map[string]string, why error, stack []string,
) *Measures {
	return &Measures{
		Policy: policy, Seed: seed, Point: point, failure: why,
		stack: append([]string{}, stack...),
	}
}
