package resolvers

import "lbsim/models"

// Static lists the same backends for ever.
type Static struct {
	// Backends are the listed backends, in order: "slow", "fast/2" or "fast/2-4". Empty for all.
	Backends []string `toml:"backends"`
}

// Doc implements [models.Resolver].
func (Static) Doc() string {
	return "the backends from the beginning, never anything new"
}

// Check refuses unknown backends.
func (s Static) Check(c *models.Config) error { return checkBackends(s.Backends, c) }

// Start implements [models.Resolver].
func (s Static) Start(to models.ResolverConn) models.Resolution {
	if len(s.Backends) == 0 {
		_ = to.UpdateState(nil) // nil: all channels share one list
	} else {
		_ = to.UpdateState(to.Backends(s.Backends))
	}
	return nil
}
