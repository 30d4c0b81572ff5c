package sim

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// std returns a generator of math/rand/v2 in the state of r.
func std(r *Rand) *rand.Rand {
	pcg := r.pcg
	return rand.New(&pcg)
}

// A policy ported from Go must draw what the original would, so all methods are drawn from in turn.
// 3/4 of the largest int is a number for which one word in four must be drawn again.
func TestRandDrawsWhatMathRandDraws(t *testing.T) {
	ns := []int{1, 2, 3, 7, 8, 10, 1 << 16, 1<<16 + 1, 1<<31 - 1, 1 << 30, math.MaxInt,
		math.MaxInt/2 + 1, math.MaxInt / 4 * 3}
	for seed := range uint64(20) {
		r := NewRand(seed, "policy")
		s := std(r)
		for i := range 2000 {
			n := ns[i%len(ns)]
			if got, want := r.IntN(n), s.IntN(n); got != want {
				t.Fatalf("seed %d, round %d: IntN(%d) = %d, want %d", seed, i, n, got, want)
			}
			if got, want := r.Uint64(), s.Uint64(); got != want {
				t.Fatalf("seed %d, round %d: Uint64() = %d, want %d", seed, i, got, want)
			}
			if got, want := r.Float64(), s.Float64(); got != want {
				t.Fatalf("seed %d, round %d: Float64() = %v, want %v", seed, i, got, want)
			}
			if got, want := r.Uint32(), s.Uint32(); got != want {
				t.Fatalf("seed %d, round %d: Uint32() = %d, want %d", seed, i, got, want)
			}
		}
	}
}

func TestIntNRefusesWhatIsNotPositive(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("IntN(%d) returned, want a panic", n)
				}
			}()
			NewRand(1, "x").IntN(n)
		}()
	}
}

// chiSquareBound is five and a half standard deviations above the mean of a chi-square of df
// degrees of freedom, plus a little for its skew where df is small: a good generator exceeds it
// with a chance below 1e-6, and the fixed seeds make the answer the same each time.
func chiSquareBound(df int) float64 { return float64(df) + 5.5*math.Sqrt(2*float64(df)) + 15 }

func chiSquare(counts []int, total int) float64 {
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, c := range counts {
		d := float64(c) - expected
		sum += float64(d * d / expected)
	}
	return sum
}

func TestIntNIsUniform(t *testing.T) {
	const draws = 300_000
	for _, n := range []int{2, 3, 7, 10, 64, 100, 1000} {
		r := NewRand(1, "uniform")
		counts := make([]int, n)
		for range draws {
			counts[r.IntN(n)]++
		}
		if got, bound := chiSquare(counts, draws), chiSquareBound(n-1); got > bound {
			t.Errorf("seed 1: chi-square of %d draws of IntN(%d) = %.1f, want at most %.1f",
				draws, n, got, bound)
		}
	}
}

func TestStreamsDifferByNameAndSeed(t *testing.T) {
	first := make(map[[2]uint64]string)
	for seed := range uint64(100) {
		for _, name := range []string{"", "a", "b", "ab", "ba", "aa", "\x00", "\x00\x00"} {
			addStream(t, first, seed, name)
		}
		for i := range 100 {
			addStream(t, first, seed, fmt.Sprintf("client/%d/arrivals", i))
		}
	}
}

func addStream(t *testing.T, first map[[2]uint64]string, seed uint64, name string) {
	t.Helper()
	r := NewRand(seed, name)
	words, here := [2]uint64{r.Uint64(), r.Uint64()}, fmt.Sprintf("seed %d, %q", seed, name)
	if other, ok := first[words]; ok {
		t.Errorf("streams of %s and of %s both begin with %x", here, other, words)
	}
	first[words] = here
}

// Streams whose names or seeds are neighbours share half of their bits, as unrelated words do. The
// bits that 1000 words of two streams share have mean 32000 and a standard deviation of 126.5.
func TestStreamsOfNeighboursAreUnrelated(t *testing.T) {
	const words, bound = 1000, 6 * 126.5 // a chance of 2e-9 each
	base := func() *Rand { return NewRand(1, "client/1/arrivals") }
	for name, other := range map[string]*Rand{
		"the next client": NewRand(1, "client/2/arrivals"),
		"the next seed":   NewRand(2, "client/1/arrivals"),
		"another use":     NewRand(1, "client/1/picks"),
		"a seed bit":      NewRand(1|1<<63, "client/1/arrivals"),
	} {
		r, same := base(), 0
		for range words {
			same += bits.OnesCount64(^(r.Uint64() ^ other.Uint64()))
		}
		if got := math.Abs(float64(same - 32*words)); got > bound {
			t.Errorf("%s: %d bits of %d shared, want %d ± %v",
				name, same, 64*words, 32*words, bound)
		}
	}
}

func TestKernelStreamsBeginAnewEachTime(t *testing.T) {
	k := New(5)
	a, b := k.Rand("x"), NewRand(5, "x")
	a.Uint64()
	if got, want := k.Rand("x").Uint64(), b.Uint64(); got != want {
		t.Errorf("first word of stream %q of seed 5: got %x, want %x", "x", got, want)
	}
}

func TestUnitLiesStrictlyInside(t *testing.T) {
	for _, word := range []uint64{0, 1, 1<<12 - 1, 1 << 12, 1 << 63, 1<<63 - 1, 1<<64 - 1} {
		if u := Unit(word); u <= 0 || u >= 1 {
			t.Errorf("Unit(%#x) = %v, want a number inside (0, 1)", word, u)
		}
	}
	if got, want := Unit(0), math.Ldexp(1, -53); got != want {
		t.Errorf("Unit(0) = %v, want 2^-53 = %v", got, want)
	}
	if got, want := Unit(1<<64-1), 1-math.Ldexp(1, -53); got != want {
		t.Errorf("Unit(2^64-1) = %v, want 1 - 2^-53 = %v", got, want)
	}
}

// Unit is symmetric: the complement of a word lies as far from 1 as the word from 0. So a quantile
// function meets both tails alike.
func TestUnitIsSymmetric(t *testing.T) {
	r := NewRand(1, "unit")
	for range 10_000 {
		word := r.Uint64()
		if got, want := Unit(^word), 1-Unit(word); got != want {
			t.Errorf("Unit(^%#x) = %v, want 1 - Unit of it = %v", word, got, want)
		}
	}
}

func TestRandUnitIsUnitOfTheNextWord(t *testing.T) {
	a, b := NewRand(1, "unit"), NewRand(1, "unit")
	for range 100 {
		if got, want := a.Unit(), Unit(b.Uint64()); got != want {
			t.Fatalf("Rand.Unit() = %v, want %v", got, want)
		}
	}
}

func BenchmarkRand(b *testing.B) {
	r := NewRand(1, "bench")
	b.Run("Uint64", func(b *testing.B) {
		for b.Loop() {
			r.Uint64()
		}
	})
	b.Run("IntN", func(b *testing.B) {
		for b.Loop() {
			r.IntN(1000)
		}
	})
	b.Run("Float64", func(b *testing.B) {
		for b.Loop() {
			r.Float64()
		}
	})
	b.Run("NewRand", func(b *testing.B) {
		for b.Loop() {
			NewRand(1, "client/3/arrivals")
		}
	})
}

func BenchmarkMix(b *testing.B) {
	word := uint64(1)
	for b.Loop() {
		word = Mix(word, 3)
	}
}
