package resolvers

import "lbsim/models"

// Static knows the backends from the beginning and never learns anything new.
type Static struct {
	// Backends are those it names, in that order: "slow", "fast/2" or "fast/2-4". Empty for all.
	Backends []string `toml:"backends"`
}

// Doc says what the resolver does.
func (Static) Doc() string {
	return "the backends from the beginning, never anything new"
}

// Check refuses unknown backends.
func (s Static) Check(c *models.Config) error { return checkBackends(s.Backends, c) }

// Start brings the list.
func (s Static) Start(to models.ResolverConn) models.Resolution {
	if len(s.Backends) == 0 {
		_ = to.UpdateState(nil) // shared by all channels, not a list for each
	} else {
		_ = to.UpdateState(to.Backends(s.Backends))
	}
	return nil
}
