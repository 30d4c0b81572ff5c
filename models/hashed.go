package models

import "lbsim/sim"

// Policies that hash see texts: of addresses and of keys. In production those of each deployment
// are others, and so is what falls where. A seed stands for a deployment: it draws the numbers of
// hosts and of keys, under all policies the same.

// renumbering gives each number another one, no two of them the same.
type renumbering struct{ stride, offset uint64 } // the stride is odd

func (r renumbering) of(n uint64) uint64 { return n*r.stride + r.offset }

// hosts are the numbers of backends' and L4 balancers' hosts in their addresses: up to mostHosts,
// of which the bits are drawn. As fixed ones they begin with 1.
func (c *Config) hosts() renumbering {
	if c.Texts == FixedTexts {
		return renumbering{1, 1}
	}
	return drawn(c.Seed, saltHosts)
}

// keys are the numbers in the texts of keys.
func (c *Config) keys() renumbering {
	if c.Texts == FixedTexts {
		return renumbering{1, 0}
	}
	return drawn(c.Seed, saltKeys)
}

func drawn(seed, salt uint64) renumbering {
	word := sim.Mix(seed, salt)
	return renumbering{stride: word | 1, offset: sim.Mix(word, salt)}
}

// mostHosts is how many hosts the addresses of one family and network tell apart.
const mostHosts = 1 << 20

const (
	saltHosts = 0x686f737473 // any constants would do
	saltKeys  = 0x6b657973
)
