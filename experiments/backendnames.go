package experiments

import (
	"fmt"
	"net/netip"

	"lbsim/policies"
)

// checkNames refuses backends that a policy, or one inside it, names and the experiment does not
// have.
func (p *point) checkNames(key []string, pol policies.Policy) (err error) {
	walk(pol, func(inner policies.Policy) {
		n, is := inner.(policies.BackendNamer)
		if !is || err != nil {
			return
		}
		option, names := n.BackendNames()
		for _, name := range names {
			if why := p.unknownBackend(name); why != nil {
				err = &keyError{sub(key, option), why}
				return
			}
		}
	})
	return err
}

// unknownBackend says why a text names no backend; nil where it does.
func (p *point) unknownBackend(name string) error {
	if _, err := netip.ParseAddrPort(name); err == nil {
		example := p.config.BackendNames()[0]
		return fmt.Errorf("%q: name a backend, such as %q, for backends have no fixed addresses",
			name, example)
	}
	_, err := p.config.Select([]string{name})
	return err
}
