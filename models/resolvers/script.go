package resolvers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/sim"
)

// Script brings one list of backends after the other, all clients at the same moment.
type Script struct {
	// At holds, by the moment from which it is good ("0s", "10s"), the list of backends: "slow",
	// "fast/2" or "fast/2-4". Before the first of these moments RPCs wait for a list.
	At map[string][]string `toml:"at"`
}

// step is a list and when it begins to be good.
type step struct {
	at       sim.Time
	backends []string
}

// steps returns the lists in the order of their moments.
func (s Script) steps() ([]step, error) {
	var steps []step
	for _, text := range slices.Sorted(maps.Keys(s.At)) {
		var at models.Duration
		if err := at.UnmarshalText([]byte(text)); err != nil {
			return nil, fmt.Errorf("at: %w", err)
		}
		// Not nil even where empty: an empty list is news.
		steps = append(steps, step{sim.Time(at), append([]string{}, s.At[text]...)})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	return steps, nil
}

// Doc says what the resolver does.
func (Script) Doc() string {
	return "one list of backends after the other, each from its moment on"
}

// Check refuses a script without a step, moments that are none or stand twice, unknown backends.
func (s Script) Check(c *models.Config) error {
	steps, err := s.steps()
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		return errors.New(`at: must name at least one moment, such as "0s" = ["fast"]`)
	}
	for i, st := range steps {
		if i > 0 && st.at == steps[i-1].at {
			return fmt.Errorf("at: %v stands there twice", time.Duration(st.at))
		}
		if _, err := c.Select(st.backends); err != nil {
			return fmt.Errorf("at: %v: %w", time.Duration(st.at), err)
		}
	}
	return nil
}

// Start brings the list of the moment and schedules those to come.
func (s Script) Start(to models.ResolverConn) {
	steps, err := s.steps()
	if err != nil {
		panic("resolvers: " + err.Error())
	}
	var now []string
	for _, st := range steps {
		if st.at <= to.Now() {
			now = st.backends
			continue
		}
		to.AfterFunc(st.at.Sub(to.Now()), func() { to.UpdateState(st.backends) })
	}
	if now != nil {
		to.UpdateState(now)
	}
}
