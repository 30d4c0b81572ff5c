package config

import (
	"reflect"

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
	found = CompanionIn(reflect.ValueOf(&c.Policy).Elem())
	d, is := c.Resolver.(resolvers.DNS)
	if _, follows := c.Policy.(policies.FromServiceConfig); !is || !follows {
		return found
	}
	for _, record := range d.TXT {
		choices, _ := record.Choices()
		for _, c := range choices {
			if found == nil && c.Config != nil {
				found = CompanionIn(reflect.ValueOf(&c.Config.Policy).Elem())
			}
		}
	}
	return found
}

// CompanionIn finds one in a value: a policy or a part of its options.
func CompanionIn(v reflect.Value) Companion {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if c, is := v.Interface().(Companion); is {
			return c
		}
		return CompanionIn(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if c := CompanionIn(v.Field(i)); c != nil {
					return c
				}
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if c := CompanionIn(v.MapIndex(key)); c != nil {
				return c
			}
		}
	}
	return nil
}
