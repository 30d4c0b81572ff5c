package resolvers

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
)

// Nacos subscribes to a service whose instances send heartbeats. An instance that stops gracefully
// is deleted at once. An instance that crashes or is cut off becomes unhealthy when its beats are
// missing, and is deleted later; Nacos looks for missing beats each 5s. The next beat registers the
// instance again. Instances that are mute, refuse connections or are NOT_SERVING send beats.
//
// The client leaves out instances that are disabled or have the weight 0. It ignores
// their health by default, and keeps its list when there is no instance at all. Policies that
// balance by weight get the weights in hundredths: 150 for one of 1.5.
//
// Source: Nacos 1.4, naming, ClientBeatCheckTask and PreservedMetadataKeys. Left out: Nacos 2,
// whose clients hold a connection in place of beats.
type Nacos struct {
	// Backends are the instances, in the order of the list; empty for all.
	Backends []string `toml:"backends"`
	// Weights holds weights of instances, >= 0, by the moment from which they are valid. Instances
	// that are not named keep theirs; at the beginning all are 1.
	Weights map[string]map[string]float64 `toml:"weights"`
	// Disabled holds the list of disabled instances, by the moment from which it is valid.
	Disabled map[string][]string `toml:"disabled"`
	// Lookup is the time until the channel has the list when it exits idle.
	Lookup dist.Distribution `toml:"lookup"`
	// Delay is the time from a change to the client, drawn for each.
	Delay dist.Distribution `toml:"delay"`
	// Beat is the time between two heartbeats of an instance, > 0.
	Beat time.Duration `toml:"beat"`
	// Unhealthy and Delete are the times since the last beat after which an instance is unhealthy,
	// and is deleted.
	Unhealthy time.Duration `toml:"unhealthy_after"`
	Delete    time.Duration `toml:"delete_after"`
	// HealthyOnly makes the client leave out instances that are unhealthy.
	HealthyOnly bool `toml:"healthy_only"`
}

// Doc implements [models.Resolver].
func (Nacos) Doc() string {
	return "instances with heartbeats, weights and switches; never an empty list for want of any"
}

// Check refuses unknown backends, invalid weights, and times that contradict each other.
func (n Nacos) Check(c *models.Config) error {
	weights, err := steps("weights", n.Weights)
	if err != nil {
		return err
	}
	for _, s := range weights {
		for _, name := range slices.Sorted(maps.Keys(s.what)) {
			if _, err := c.Select([]string{name}); err != nil {
				return fmt.Errorf("weights: %v: %w", time.Duration(s.at), err)
			}
			if w := s.what[name]; !(w >= 0 && w <= 1e6) {
				return fmt.Errorf("weights: %v: %s: must be from 0 to 1e6 (is %v)",
					time.Duration(s.at), name, w)
			}
		}
	}
	switch {
	case n.Beat <= 0:
		return errors.New("beat: must be longer than 0s")
	case n.Unhealthy <= n.Beat:
		return fmt.Errorf("unhealthy_after: must be longer than beat, %v (is %v)",
			n.Beat, n.Unhealthy)
	case n.Delete <= n.Unhealthy:
		return fmt.Errorf("delete_after: must be longer than unhealthy_after, %v (is %v)",
			n.Unhealthy, n.Delete)
	case n.Delete > longest:
		return tooLong("delete_after", n.Delete)
	}
	if err := checkLists("disabled", n.Disabled, c); err != nil {
		return err
	}
	return checkWatch(n.Backends, n.Lookup, n.Delay, c)
}

// Start implements [models.Resolver].
func (n Nacos) Start(to models.ResolverConn) models.Resolution {
	backends := to.Backends(n.Backends)
	weights := mustSteps("weights", n.Weights)
	disabled := lists(to, mustSteps("disabled", n.Disabled))
	const looks = 5 * time.Second // from one look of Nacos for missing beats to the next
	limit := n.Delete
	if n.HealthyOnly {
		limit = n.Unhealthy
	}
	w := &watch{to: to, lookup: n.Lookup, delay: n.Delay}
	w.probes = []probe{heartbeat(n.Beat, limit, looks)}
	w.content = func(listed func(int32) bool) ([]int32, bool) {
		instances := listedIn(backends, listed)
		off := slices.Concat(at(disabled, to.Now(), nil), weightless(weightsNow(to, weights)))
		slices.Sort(off)
		return listedIn(instances, func(b int32) bool {
			_, is := slices.BinarySearch(off, b)
			return !is
		}), len(instances) > 0
	}
	if len(weights) > 0 {
		w.weights = func() []uint32 { return hundredths(weightsNow(to, weights)) }
	}
	w.start(append(momentsOf(weights), momentsOf(disabled)...)...)
	return nil
}

// weightsNow returns the current weights, by number of the backend.
func weightsNow(to models.ResolverConn, weights []step[map[string]float64]) []float64 {
	now := slices.Repeat([]float64{1}, len(to.Backends(nil)))
	for _, s := range weights {
		if s.at > to.Now() {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(s.what)) {
			for _, b := range to.Backends([]string{name}) {
				now[b] = s.what[name]
			}
		}
	}
	return now
}

// weightless returns the backends whose weight is 0.
func weightless(weights []float64) (list []int32) {
	for b, w := range weights {
		if w == 0 {
			list = append(list, int32(b))
		}
	}
	return list
}

// hundredths returns weights as whole numbers, at least 1.
func hundredths(weights []float64) []uint32 {
	list := make([]uint32, len(weights))
	for b, w := range weights {
		list[b] = uint32(max(1, math.Round(w*100)))
	}
	return list
}
