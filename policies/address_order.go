package policies

import (
	"cmp"
	"net"
	"net/netip"
	"slices"

	"lbsim/sim"
)

// shuffled returns the endpoints in random order: each draws a key, and the greatest key comes
// first. With the key u^(1/weight) the chance of an endpoint to be first is its share of the
// weights (gRFC A113; Efraimidis and Spirakis, 2006).
func shuffled(endpoints []*Endpoint, r *sim.Rand) []*Endpoint {
	type keyed struct {
		*Endpoint
		key float64
	}
	ks := make([]keyed, len(endpoints))
	for i, e := range endpoints {
		ks[i] = keyed{e, r.Float64()}
		if e.Weight > 1 { // one of 0 counts as 1
			ks[i].key = sim.Pow(ks[i].key, 1/float64(e.Weight))
		}
	}
	slices.SortFunc(ks, func(a, b keyed) int { return cmp.Compare(b.key, a.key) })
	out := make([]*Endpoint, len(ks))
	for i, k := range ks {
		out[i] = k.Endpoint
	}
	return out
}

// interleaved puts the addresses of a list into space without repetitions, the families (IPv4,
// IPv6, neither) taking turns in the order in which they first appear (RFC 8305 §4, gRFC A61).
func interleaved(list []*Address, space []candidate) []candidate {
	if len(list) == 1 {
		return append(space, candidate{address: list[0], sc: noSubConn})
	}
	const families = 3
	var of [families][]*Address
	var order []int
	for i, a := range list {
		if slices.Contains(list[:i], a) {
			continue
		}
		f := family(a.Text)
		if len(of[f]) == 0 {
			order = append(order, f)
		}
		of[f] = append(of[f], a)
	}
	for k := 0; len(order) > 0; {
		k %= len(order)
		f := order[k]
		space = append(space, candidate{address: of[f][0], sc: noSubConn})
		if of[f] = of[f][1:]; len(of[f]) > 0 {
			k++
		} else {
			order = slices.Delete(order, k, k+1)
		}
	}
	return space
}

// family is 0 for an IPv4 address with a port (also one mapped into IPv6), 1 for IPv6, 2 for all
// else.
func family(text string) int {
	host, _, err := net.SplitHostPort(text)
	if err != nil {
		return 2
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		return 2
	case ip.Unmap().Is4():
		return 0
	}
	return 1
}
