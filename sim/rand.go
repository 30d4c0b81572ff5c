package sim

import (
	"math/bits"
	"math/rand/v2"
)

// Rand is a stream of random numbers (PCG-DXSM, 128 bits of state). Its methods give the same
// numbers on every machine; IntN and Float64 use the words of the stream just as math/rand/v2
// does, so that a policy ported from Go draws what the original would.
type Rand struct {
	pcg rand.PCG
}

// NewRand returns the stream called name in the run with this seed. Streams of different names are
// independent, so a draw added to one shifts no other.
func NewRand(seed uint64, name string) *Rand {
	h := Mix(seed, saltStream)
	for i := range len(name) {
		h = Mix(h, uint64(name[i]))
	}
	r := new(Rand)
	r.pcg.Seed(h, Mix(h, saltStream))
	return r
}

const saltStream = 0x6c6273696d // any constant would do

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 { return r.pcg.Uint64() }

// Uint32 returns 32 random bits.
func (r *Rand) Uint32() uint32 { return uint32(r.pcg.Uint64() >> 32) }

// Float64 returns a number of [0, 1), a multiple of 2⁻⁵³.
func (r *Rand) Float64() float64 { return float64(r.pcg.Uint64()<<11>>11) / (1 << 53) }

// IntN returns a number of [0, n), each with the same chance. It panics where n is not positive.
func (r *Rand) IntN(n int) int { return int(r.Int64N(int64(n))) }

// Int64N is IntN of and for 64 bits.
func (r *Rand) Int64N(n int64) int64 {
	if n <= 0 {
		panic("sim: IntN of a number that is not positive")
	}
	un := uint64(n)
	if un&(un-1) == 0 {
		return int64(r.pcg.Uint64() & (un - 1))
	}
	// Lemire: the high word of word·n is the number. The few low words that would make some
	// numbers likelier than others are drawn again.
	hi, lo := bits.Mul64(r.pcg.Uint64(), un)
	if lo < un {
		for least := -un % un; lo < least; {
			hi, lo = bits.Mul64(r.pcg.Uint64(), un)
		}
	}
	return int64(hi)
}

// Unit returns a number of (0, 1), neither end included: what a quantile function takes.
func (r *Rand) Unit() float64 { return Unit(r.pcg.Uint64()) }

// Mix derives from a random word another one for the use named by salt. Words of different salts
// behave as if drawn independently. It is the output function of SplitMix64 (Steele, Lea and Flood,
// 2014) at the salt-th step from word.
func Mix(word, salt uint64) uint64 {
	z := word + (salt+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Unit turns a random word into a number of (0, 1), neither end included: an odd multiple of 2⁻⁵³.
func Unit(word uint64) float64 {
	return float64(word>>12<<1|1) / (1 << 53)
}
