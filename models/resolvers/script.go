package resolvers

import (
	"errors"

	"lbsim/models"
)

// Script gives all clients one list of backends after the other, at the same moments.
type Script struct {
	// At holds lists of backends ("slow", "fast/2" or "fast/2-4") by the moment from which they are
	// valid ("0s", "10s"). Before the first of these moments RPCs wait for a list.
	At map[string][]string `toml:"at"`
}

// Doc implements [models.Resolver].
func (Script) Doc() string {
	return "one list of backends after the other, each from its moment on"
}

// Check refuses a script without a step, invalid or duplicate moments, and unknown backends.
func (s Script) Check(c *models.Config) error {
	if err := checkLists("at", s.At, c); err != nil {
		return err
	}
	if len(s.At) == 0 {
		return errors.New(`at: must name at least one moment, such as "0s" = ["fast"]`)
	}
	return nil
}

// Start implements [models.Resolver].
func (s Script) Start(to models.ResolverConn) models.Resolution {
	all := lists(to, mustSteps("at", s.At))
	tell := func() { _ = to.UpdateState(at(all, to.Now(), nil)) }
	atEach(to, all, tell)
	if all[0].at <= to.Now() {
		tell()
	}
	return nil
}
