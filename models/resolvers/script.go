package resolvers

import (
	"errors"

	"lbsim/models"
)

// Script brings one list of backends after the other, all clients at the same moment.
type Script struct {
	// At holds, by the moment from which it is good ("0s", "10s"), the list of backends: "slow",
	// "fast/2" or "fast/2-4". Before the first of these moments RPCs wait for a list.
	At map[string][]string `toml:"at"`
}

// Doc says what the resolver does.
func (Script) Doc() string {
	return "one list of backends after the other, each from its moment on"
}

// Check refuses a script without a step, moments that are none or stand twice, unknown backends.
func (s Script) Check(c *models.Config) error {
	if err := checkLists("at", s.At, c); err != nil {
		return err
	}
	if len(s.At) == 0 {
		return errors.New(`at: must name at least one moment, such as "0s" = ["fast"]`)
	}
	return nil
}

// Start brings the list of the moment and schedules those to come.
func (s Script) Start(to models.ResolverConn) models.Resolution {
	all := lists(to, mustSteps("at", s.At))
	tell := func() { _ = to.UpdateState(at(all, to.Now(), nil)) }
	atEach(to, all, tell)
	if all[0].at <= to.Now() {
		tell()
	}
	return nil
}
