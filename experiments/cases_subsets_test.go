package experiments_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
	"lbsim/sim"
)

// Cases from the world, with what was seen there as pass conditions: those about who gets which
// part of the keys or of the backends.

// spread returns the most RPCs of a listed backend over the mean, and what the run is warned of.
func spread(v runner.Variant, nodes int) (ratio float64, warning string) {
	run := runOf(v)
	var most, sum float64
	for _, b := range run.Backends {
		most, sum = max(most, float64(b.Attempts)), sum+float64(b.Attempts)
	}
	for _, w := range v.RunInfo().Measure(run).Warnings {
		warning += w.Text + "; "
	}
	return most / (sum / float64(nodes)), warning
}

func TestC16TooFewRingPoints(t *testing.T) {
	for _, row := range []struct {
		nodes, points int // in all
		warning       string
		want          float64 // median of the most RPCs of a node over the mean
	}{
		{2, 6, "ring of 6 points, 3 to 3 an endpoint", 1.29},
		{3, 9, "ring of 9 points, 3 to 3 an endpoint", 1.45},
		{10, 30, "ring of 30 points, 3 to 3 an endpoint", 1.96},
		{2, 66, "ring of 66 points, 33 to 33 an endpoint", 1.08},
		{3, 99, "ring of 99 points, 33 to 33 an endpoint", 1.13},
		{10, 1024, "ring of 1024 points, 102 to 103 an endpoint", 1.14},
		{10, 10000, "ring of 10000 points, 1000 to 1000 an endpoint", 1.05},
	} {
		rings := 200
		if row.points <= 30 {
			rings = 600 // they differ most: the median of 200 would be off by 0.03
		}
		names := sim.NewRand(1, fmt.Sprint("names/", row.nodes, row.points))
		var ratios []float64
		for range rings {
			var list []string
			for len(list) < row.nodes {
				name := fmt.Sprintf(`"node/%d"`, names.IntN(300))
				if !slices.Contains(list, name) {
					list = append(list, name)
				}
			}
			// Other addresses, another ring: those of a few of many.
			v := variants(t, "c16-too-few-ring-points", "backends.node.count=300",
				`resolver={kind="script",at={"0s"=[`+strings.Join(list, ",")+`]}}`,
				fmt.Sprint("policies.ring.min_ring_size=", row.points),
				fmt.Sprint("policies.ring.max_ring_size=", row.points))[0]
			ratio, warning := spread(v, row.nodes)
			ratios = append(ratios, ratio)
			if !strings.HasPrefix(warning, row.warning) {
				t.Fatalf("warned of %q, want %q", warning, row.warning)
			}
		}
		slices.Sort(ratios)
		what := fmt.Sprintf("%d nodes, %d points: median of max/mean", row.nodes, row.points)
		near(t, what, ratios[rings/2], row.want, 0.05)
	}
}

// clientsOf returns how many clients have had a connection to each backend, in rising order.
func clientsOf(v runner.Variant) []int {
	count := make([]int, len(v.Config.BackendNames()))
	for _, e := range traced(v) {
		if e.What == models.SubConnChanged && e.State == policies.Ready {
			count[e.Backend]++
		}
	}
	slices.Sort(count)
	return count
}

func TestC18RandomSubsets(t *testing.T) {
	const seeds = 20
	var least, most [2][]float64
	for _, v := range variants(t, "c18-random-subsets", fmt.Sprint("seeds=", seeds),
		"clients.task.rate=300/s", "duration=1s") {
		count, i := clientsOf(v), 0
		if v.Policy == "ten" {
			i = 1
		}
		least[i] = append(least[i], float64(count[0]))
		most[i] = append(most[i], float64(count[len(count)-1]))
	}
	for i, row := range []struct{ least, leastOff, most, mostOff float64 }{
		{68, 3, 113, 3}, // every one of 200 lay in [58, 76] and [104, 123]
		{2.5, 1, 20, 2},
	} {
		slices.Sort(least[i])
		slices.Sort(most[i])
		near(t, "median of the fewest clients", least[i][seeds/2], row.least, row.leastOff)
		near(t, "median of the most clients", most[i][seeds/2], row.most, row.mostOff)
	}
	if least[0][0] < 58 || least[0][seeds-1] > 76 || most[0][0] < 104 || most[0][seeds-1] > 123 {
		t.Errorf("fewest clients %v, want 58 to 76; most %v, want 104 to 123", least[0], most[0])
	}
}

// A backend with twice the clients has twice the load.
func TestC18LoadFollowsConnections(t *testing.T) {
	for _, v := range variants(t, "c18-random-subsets", "duration=3s", "warmup=1s") {
		clients := make([]float64, 300)
		v.Config.Trace = new(models.Trace)
		run := runOf(v)
		for _, e := range v.Config.Trace.Entries {
			if e.What == models.SubConnChanged && e.State == policies.Ready {
				clients[e.Backend]++
			}
		}
		perClient := 27000. * 2 / 300 / map[string]float64{"ninety": 90, "ten": 10}[v.Policy]
		for b, got := range run.Backends {
			want := perClient * clients[b]
			near(t, fmt.Sprintf("%s: RPCs of server/%d", v.Policy, b), float64(got.Attempts), want,
				0.05*want+1)
		}
	}
}
