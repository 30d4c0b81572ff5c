package resolvers

import (
	"errors"
	"fmt"

	"lbsim/models"
)

// Passthrough uses the target as an address without looking it up, as grpc-go does with the
// argument of the deprecated Dial: one backend for ever.
type Passthrough struct {
	// Backend is that backend: "fast/2", or the name of a group of one.
	Backend string `toml:"backend"`
}

// Doc implements [models.Resolver].
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

// Start implements [models.Resolver].
func (p Passthrough) Start(to models.ResolverConn) models.Resolution {
	_ = to.UpdateState(to.Backends([]string{p.Backend}))
	return nil
}
