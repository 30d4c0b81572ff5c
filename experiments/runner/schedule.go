package runner

import (
	"cmp"
	"slices"

	"lbsim/models"
)

// schedule returns the numbers of the runs from number from on in the order in which to make them:
// seed by seed, and within a seed the longest first (LPT), so that all cores are busy to the end.
func (p *Plan) schedule(from int) []int {
	var order []int
	work := make([]float64, p.Runs())
	at, here := -1, 0.0 // the latest point, and the expected work of a run there
	for i := from; i < len(work); i++ {
		if point, _, _ := p.Place(i); point != at {
			at, here = point, expectedWork(&p.Experiment.Point(point).Config)
		}
		order = append(order, i)
		work[i] = here
	}
	slices.SortStableFunc(order, func(a, b int) int {
		_, _, seedA := p.Place(a)
		_, _, seedB := p.Place(b)
		return cmp.Or(cmp.Compare(seedA, seedB), cmp.Compare(work[b], work[a]))
	})
	return order
}

// expectedWork estimates the work of a run, in RPCs. A connection counts as several RPCs.
func expectedWork(c *models.Config) (rpcs float64) {
	const perConnection = 5
	backends := 0
	cycle := 2 * c.Network.Delay.Mean() // time per RPC of a caller without think time, in seconds
	for i := range c.Backends {
		backends += c.Backends[i].Count
		cycle += c.Backends[i].Service.Mean() / float64(len(c.Backends))
	}
	for i := range c.Clients {
		g := &c.Clients[i]
		clients, seconds := float64(g.Count), (c.Duration - g.Start).Seconds()
		begun := clients * float64(len(g.At))
		switch {
		case g.Rate > 0:
			begun = float64(g.Rate) * seconds
		case g.Callers > 0:
			begun = clients * float64(g.Callers) * seconds / max(1e-6, cycle+g.Think.Mean())
		}
		if g.Requests > 0 {
			begun = min(begun, clients*float64(g.Requests))
		}
		connections := float64(clients * float64(perConnection*backends))
		rpcs += float64(begun) + connections
	}
	return rpcs
}
