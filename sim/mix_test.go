package sim

import (
	"math"
	"math/bits"
	"testing"
)

// The first words of SplitMix64 from two states, as published with it.
func TestMixKeepsItsValues(t *testing.T) {
	for _, c := range []struct{ word, salt, want uint64 }{
		{0, 0, 0xe220a8397b1dcdaf},
		{0, 1, 0x6e789e6aa1b965f4},
		{0, 2, 0x06c45d188009454f},
		{1234567, 0, 6457827717110365317},
		{1234567, 1, 3203168211198807973},
		{1234567, 4, 16408922859458223821},
	} {
		if got := Mix(c.word, c.salt); got != c.want {
			t.Errorf("Mix(%d, %d) = %#x, want %#x", c.word, c.salt, got, c.want)
		}
	}
}

// With these words all results would change, so no change may alter them.
func TestStreamsKeepTheirValues(t *testing.T) {
	for _, c := range []struct {
		seed uint64
		name string
		want [2]uint64
	}{
		{1, "client/3/arrivals", [2]uint64{0x154717e8ee069dd9, 0x06cd48b98e63054b}},
		{0, "", [2]uint64{0xe5989090e4298918, 0x4d724c03d250a845}},
	} {
		r := NewRand(c.seed, c.name)
		if got := [2]uint64{r.Uint64(), r.Uint64()}; got != c.want {
			t.Errorf("stream %q of seed %d begins with %#x, want %#x", c.name, c.seed, got, c.want)
		}
	}
}

// Turning one bit of the word, or of the salt, turns each bit of the result in half of the cases.
// Each of the 2·64·64 shares is of 4096 words, so its standard deviation is 1/128; the greatest of
// 8192 exceeds six of them with a chance of 2e-5.
func TestMixAvalanche(t *testing.T) {
	const words = 4096
	bound := 6.0 / 128
	r := NewRand(1, "avalanche")
	var turned [2][64][64]int
	for range words {
		word, salt := r.Uint64(), uint64(r.IntN(1000))
		base := Mix(word, salt)
		for in := range 64 {
			for d := base ^ Mix(word^1<<in, salt); d != 0; d &= d - 1 {
				turned[0][in][bits.TrailingZeros64(d)]++
			}
			for d := base ^ Mix(word, salt^1<<in); d != 0; d &= d - 1 {
				turned[1][in][bits.TrailingZeros64(d)]++
			}
		}
	}
	for side, what := range []string{"word", "salt"} {
		for in := range 64 {
			for out := range 64 {
				share := float64(turned[side][in][out]) / words
				if math.Abs(share-0.5) > bound {
					t.Errorf("seed 1: bit %d of the %s turns bit %d: share %.3f, want 0.5 ± %.3f",
						in, what, out, share, bound)
				}
			}
		}
	}
}

// For one word, different salts never meet, since each step is a bijection. Over different words
// they may, but 10⁶ draws from 2⁶⁴ hold a pair with a chance of 3e-8.
func TestMixDoesNotCollide(t *testing.T) {
	const n = 1_000_000
	for _, c := range []struct {
		name string
		mix  func(i uint64) uint64
	}{
		{"10^6 salts of one word", func(i uint64) uint64 { return Mix(42, i) }},
		{"10^3 salts of 10^3 words", func(i uint64) uint64 { return Mix(Mix(42, i/1000), i%1000) }},
		{"10^6 words that count up", func(i uint64) uint64 { return Mix(i, 42) }},
	} {
		seen := make(map[uint64]uint64, n)
		for i := range uint64(n) {
			z := c.mix(i)
			if j, ok := seen[z]; ok {
				t.Fatalf("%s: numbers %d and %d both give %#x", c.name, j, i, z)
			}
			seen[z] = i
		}
	}
}

// What different salts make of one word looks drawn independently: the pairs of the two fill a grid
// of 16 × 16 evenly.
func TestSaltsAreIndependent(t *testing.T) {
	const draws = 100_000
	for _, salts := range [][2]uint64{{0, 1}, {1, 2}, {3, 19}, {0, 1 << 32}} {
		counts := make([]int, 256)
		for i := range uint64(draws) {
			luck := Mix(7, i) // as of request i
			a, b := Unit(Mix(luck, salts[0])), Unit(Mix(luck, salts[1]))
			counts[int(a*16)*16+int(b*16)]++
		}
		if got, bound := chiSquare(counts, draws), chiSquareBound(255); got > bound {
			t.Errorf("salts %d: chi-square of %d pairs = %.1f, want at most %.1f",
				salts, draws, got, bound)
		}
	}
}
