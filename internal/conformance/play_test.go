package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lbsim/policies"
)

// play runs a scenario on both sides and compares. Where the policy draws, grpc-go's run must be
// one of those that lbsim can have: the test looks for a seed that gives it.
func play(t *testing.T, s *scenario) {
	t.Helper()
	real := playReal(t, s)
	if s.switches {
		real = belowTheSwitch(real)
	}
	real = s.rounded(real)
	seeds := uint64(1)
	if s.policy != (policies.PickFirst{}) || s.switches {
		seeds = manySeeds
	}
	for seed := range seeds {
		if slices.Equal(real, s.rounded(playOurs(s, seed))) {
			t.Logf("equal: %s", tally(real))
			return
		}
	}
	best := diff(real, s.rounded(playOurs(s, 0)))
	for seed := range min(seeds, 100) {
		if d := diff(real, s.rounded(playOurs(s, seed))); differing(d) < differing(best) {
			best = d
		}
	}
	t.Errorf("the sides differ (- grpc-go alone, + lbsim alone), with any of %d seeds:\n%s",
		seeds, best)
}

// rounded makes the times of a coarse scenario coarse.
func (s *scenario) rounded(lines []line) []line {
	if s.coarse {
		for i := range lines {
			lines[i].at = lines[i].at.Truncate(time.Millisecond)
		}
	}
	return ordered(lines)
}

// manySeeds is enough for every scenario here. What grpc-go did has, of lbsim, a probability that
// is least with weighted_round_robin, whose turn begins anew with each picker: of 400 plays of one
// such scenario one found no seed among 100,000, which a probability of 1/17,000 would explain.
// With four times as many the chance of that is 1/400 to the fourth.
const manySeeds = 400_000

func differing(diff string) int {
	return strings.Count("\n"+diff, "\n- ") + strings.Count("\n"+diff, "\n+ ")
}

// tally counts the lines of each kind.
func tally(lines []line) string {
	counts := make(map[string]int)
	for _, l := range lines {
		_, who, _ := strings.Cut(l.who, ": ")
		kind, _, _ := strings.Cut(who, " ")
		counts[kind]++
	}
	return text(counts)
}
