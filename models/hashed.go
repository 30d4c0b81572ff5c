package models

import "lbsim/sim"

// Policies that hash read the texts of addresses and keys. In production these differ from one
// deployment to the next, and with them which key falls to which backend. A seed stands for a
// deployment: it draws the numbers of hosts and keys, the same under all policies.

// renumbering is a bijection of the 64-bit numbers.
type renumbering struct{ stride, offset uint64 } // the stride is odd

func (r renumbering) of(n uint64) uint64 { return n*r.stride + r.offset }

// hosts maps the number of a backend or L4 balancer to its host number in addresses. With
// FixedTexts host numbers count from 1.
func (c *Config) hosts() renumbering {
	if c.Texts == FixedTexts {
		return renumbering{1, 1}
	}
	return drawn(c.Seed, saltHosts)
}

// keys maps the number of a key to the number in its text.
func (c *Config) keys() renumbering {
	if c.Texts == FixedTexts {
		return renumbering{1, 0}
	}
	return drawn(c.Seed, saltKeys)
}

// drawn returns a bijection that derives from the seed.
func drawn(seed, salt uint64) renumbering {
	word := sim.Mix(seed, salt)
	return renumbering{stride: word | 1, offset: sim.Mix(word, salt)}
}

// mostHosts is how many host numbers differ in the addresses of one family and network.
const mostHosts = 1 << 20

const (
	saltHosts = 0x686f737473 // any constants would do
	saltKeys  = 0x6b657973
)
