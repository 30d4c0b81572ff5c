package policies

import (
	"encoding/binary"
	"math/bits"
)

// The primes of XXH64.
const (
	xxPrime1 uint64 = 0x9e3779b185ebca87
	xxPrime2 uint64 = 0xc2b2ae3d27d4eb4f
	xxPrime3 uint64 = 0x165667b19e3779f9
	xxPrime4 uint64 = 0x85ebca77c2b2ae63
	xxPrime5 uint64 = 0x27d4eb2f165667c5
)

// xxHash returns the XXH64 of data with a seed: the hash of gRPC's rings (gRFC A42) and subsets
// (A68). Source: the specification of XXH64, github.com/Cyan4973/xxHash, doc/xxhash_spec.md.
func xxHash(seed uint64, data []byte) uint64 {
	n, h := uint64(len(data)), seed+xxPrime5
	if n >= 32 {
		// Four lanes of 8 bytes each.
		a, b, c, d := seed+xxPrime1, seed, seed, seed
		a += xxPrime2
		b += xxPrime2
		d -= xxPrime1
		for ; len(data) >= 32; data = data[32:] {
			a = xxRound(a, binary.LittleEndian.Uint64(data))
			b = xxRound(b, binary.LittleEndian.Uint64(data[8:]))
			c = xxRound(c, binary.LittleEndian.Uint64(data[16:]))
			d = xxRound(d, binary.LittleEndian.Uint64(data[24:]))
		}
		h = bits.RotateLeft64(a, 1) + bits.RotateLeft64(b, 7) +
			bits.RotateLeft64(c, 12) + bits.RotateLeft64(d, 18)
		for _, lane := range [...]uint64{a, b, c, d} {
			h = (h^xxRound(0, lane))*xxPrime1 + xxPrime4
		}
	}
	h += n
	for ; len(data) >= 8; data = data[8:] {
		h ^= xxRound(0, binary.LittleEndian.Uint64(data))
		h = bits.RotateLeft64(h, 27)*xxPrime1 + xxPrime4
	}
	if len(data) >= 4 {
		h ^= uint64(binary.LittleEndian.Uint32(data)) * xxPrime1
		h = bits.RotateLeft64(h, 23)*xxPrime2 + xxPrime3
		data = data[4:]
	}
	for _, c := range data {
		h ^= uint64(c) * xxPrime5
		h = bits.RotateLeft64(h, 11) * xxPrime1
	}
	h = (h ^ h>>33) * xxPrime2
	h = (h ^ h>>29) * xxPrime3
	return h ^ h>>32
}

func xxRound(lane, word uint64) uint64 {
	return bits.RotateLeft64(lane+word*xxPrime2, 31) * xxPrime1
}
