package resolvers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/options"
	"lbsim/sim"
)

// step is a value that is valid from a moment on.
type step[T any] struct {
	at   sim.Time
	what T
}

// steps returns the values of a table by moment, such as "10s", in the order of the moments. Errors
// begin with the name of the table.
func steps[T any](key string, table map[string]T) ([]step[T], error) {
	var all []step[T]
	for _, text := range slices.Sorted(maps.Keys(table)) {
		at, err := options.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		all = append(all, step[T]{sim.Time(at), table[text]})
	}
	slices.SortStableFunc(all, func(a, b step[T]) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(all); i++ {
		if all[i].at == all[i-1].at {
			return nil, fmt.Errorf("%s: %v stands there twice", key, time.Duration(all[i].at))
		}
	}
	return all, nil
}

// mustSteps is steps for a table that has been checked.
func mustSteps[T any](key string, table map[string]T) []step[T] {
	all, err := steps(key, table)
	if err != nil {
		panic("resolvers: " + err.Error())
	}
	return all
}

// checkLists refuses invalid or duplicate moments and unknown backends.
func checkLists(key string, table map[string][]string, c *models.Config) error {
	all, err := steps(key, table)
	if err != nil {
		return err
	}
	for _, s := range all {
		if _, err := c.Select(s.what); err != nil {
			return fmt.Errorf("%s: %v: %w", key, time.Duration(s.at), err)
		}
	}
	return nil
}

// lists returns the numbers of the backends of each step. None of the lists is nil.
func lists(to models.ResolverConn, all []step[[]string]) []step[[]int32] {
	var numbers []step[[]int32]
	for _, s := range all {
		list := []int32{}
		if len(s.what) > 0 {
			list = to.Backends(s.what)
		}
		numbers = append(numbers, step[[]int32]{s.at, list})
	}
	return numbers
}

// at returns the value at a moment, or otherwise before the first step.
func at[T any](all []step[T], now sim.Time, otherwise T) T {
	for _, s := range all {
		if s.at > now {
			break
		}
		otherwise = s.what
	}
	return otherwise
}

// atEach calls f at each future moment.
func atEach[T any](to models.ResolverConn, all []step[T], f func()) {
	for _, s := range all {
		if s.at > to.Now() {
			to.AfterFunc(s.at.Sub(to.Now()), f)
		}
	}
}

// checkBackends refuses unknown backends.
func checkBackends(names []string, c *models.Config) error {
	if _, err := c.Select(names); err != nil {
		return fmt.Errorf("backends: %w", err)
	}
	return nil
}
