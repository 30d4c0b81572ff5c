package config

import (
	"lbsim/models"
	"lbsim/models/resolvers"
	"lbsim/policies"
	"lbsim/sim"
)

// Companion is a policy with a clock and surroundings of its own, in which each run with it has to
// take place, wherever it stands in other policies.
type Companion interface {
	policies.Policy
	// Accompany makes the surroundings of one run and calls run in them, with the clock that shall
	// go along with the time of the run. An error says that the policy, or what it has left behind,
	// broke the run.
	Accompany(run func(clock sim.Follower)) error
	// Warning says what such runs are worth, for those who read their results.
	Warning() string
}

// CompanionOf returns a companion that runs with a configuration may have: its policy, one inside
// that, or one of the service configs that the resolver may bring. There is nil where none is.
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

// CompanionIn returns a policy, or the first one inside it, that is a companion; nil: none is.
func CompanionIn(p policies.Policy) (found Companion) {
	WalkPolicies(p, func(inner policies.Policy) {
		if c, is := inner.(Companion); is && found == nil {
			found = c
		}
	})
	return found
}
