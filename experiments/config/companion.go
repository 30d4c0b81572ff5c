package config

import (
	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/policies"
	"lbsim/sim"
)

// Companion is a policy that needs an environment with a clock of its own, such as a real balancer
// of grpc-go. Each run with it, or with a policy around it, takes place in that environment.
type Companion interface {
	policies.Policy
	// Accompany makes the environment of one run and calls run in it, with the clock that follows
	// the time of the run. An error means that the policy, or what it has left behind, broke the
	// run.
	Accompany(run func(clock sim.Follower)) error
	// Warning is the warning for the results of such runs.
	Warning() string
}

// CompanionOf returns the companion of runs with a configuration: its policy, one inside of it, or
// one of a service config from name resolution; nil if there is none.
func CompanionOf(c *models.Config) (found Companion) {
	found = CompanionIn(c.Policy)
	d, is := c.Resolver.(resolvers.DNS)
	if _, follows := c.Policy.(policies.FromServiceConfig); !is || !follows {
		return found
	}
	for _, record := range d.TXT {
		choices, _ := record.Choices()
		for _, c := range choices {
			if found == nil && c.Config != nil {
				found = CompanionIn(c.Config.Policy)
			}
		}
	}
	return found
}

// CompanionIn returns the first of a policy and those inside of it that is a companion, or nil.
func CompanionIn(p policies.Policy) (found Companion) {
	WalkPolicies(p, func(inner policies.Policy) {
		if c, is := inner.(Companion); is && found == nil {
			found = c
		}
	})
	return found
}
