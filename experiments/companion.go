package experiments

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

// companionOf returns a companion that runs with a configuration may have: its policy, one inside
// that, or one of the service configs that the resolver may bring. There is nil where none is.
func companionOf(c *models.Config) (found Companion) {
	found = companionIn(reflect.ValueOf(&c.Policy).Elem())
	d, is := c.Resolver.(resolvers.DNS)
	if _, follows := c.Policy.(policies.FromServiceConfig); !is || !follows {
		return found
	}
	for _, record := range d.TXT {
		choices, _ := record.Choices()
		for _, c := range choices {
			if found == nil && c.Config != nil {
				found = companionIn(reflect.ValueOf(&c.Config.Policy).Elem())
			}
		}
	}
	return found
}

// companionIn finds one in a value: a policy or a part of its options.
func companionIn(v reflect.Value) Companion {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if c, is := v.Interface().(Companion); is {
			return c
		}
		return companionIn(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if c := companionIn(v.Field(i)); c != nil {
					return c
				}
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if c := companionIn(v.MapIndex(key)); c != nil {
				return c
			}
		}
	}
	return nil
}
