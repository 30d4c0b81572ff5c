package resolvers

import (
	"errors"
	"fmt"

	"lbsim/models"
)

// Passthrough takes the target for an address as it is, as grpc-go does with what the deprecated
// Dial is given: one backend, and never another.
type Passthrough struct {
	// Backend is the one: "fast/2", or the name of a group of one.
	Backend string `toml:"backend"`
}

// Doc says what the resolver does.
func (Passthrough) Doc() string { return "one backend, whatever happens" }

// Check refuses all but one backend.
func (p Passthrough) Check(c *models.Config) error {
	if p.Backend == "" {
		return errors.New(`backend: must name one, such as "fast/0"`)
	}
	list, err := c.Select([]string{p.Backend})
	if err != nil {
		return fmt.Errorf("backend: %w", err)
	}
	if len(list) != 1 {
		return fmt.Errorf("backend: must be a single one, such as %q (%q is %d)",
			p.Backend+"/0", p.Backend, len(list))
	}
	if has := c.LabelsOf(list[0]); len(has) > 1 {
		return fmt.Errorf("backend: must have a single address (%q has %d, of which Go's dialer "+
			"would choose, not the channel)", p.Backend, len(has))
	}
	return nil
}

// Start brings it.
func (p Passthrough) Start(to models.ResolverConn) models.Resolution {
	_ = to.UpdateState(to.Backends([]string{p.Backend}))
	return nil
}
