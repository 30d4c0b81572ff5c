package dist

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbsim/internal/golden"
)

// The file was made on amd64; that it holds on every other CPU as well is a promise.
func TestGoldenQuantiles(t *testing.T) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		e := Catalog[name]
		for _, form := range e.Forms {
			d := mustParse(t, form)
			h := fnv.New64a()
			r := rand.New(rand.NewPCG(2, 2))
			for range 20_000 {
				add(h, uint64(d.Quantile(r.Float64())))
			}
			grid(10, func(u float64) { add(h, uint64(d.Quantile(u))) })
			add(h, math.Float64bits(d.Mean()))
			add(h, math.Float64bits(d.Variance()))
			fmt.Fprintf(&b, "%016x %s\n", h.Sum64(), form)
		}
	}
	want := golden.Kept(t, "testdata/quantiles.golden", []byte(b.String()))
	if b.String() != string(want) {
		t.Errorf("hashes of the quantiles:\n%swant (write them anew with -update):\n%s", &b, want)
	}
}

func add(h hash.Hash64, word uint64) {
	h.Write(binary.LittleEndian.AppendUint64(nil, word))
}

func BenchmarkQuantile(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	var us [1024]float64
	for i := range us {
		us[i] = r.Float64()
	}
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		e := Catalog[name]
		d := mustParse(b, e.Forms[0])
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Quantile(us[i&1023])
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	texts := []string{"10ms", "lognormal(p50=5ms, p99=40ms)", "gamma(shape=2, mean=10ms)"}
	for _, text := range texts {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				mustParse(b, text)
			}
		})
	}
}

// grid calls f with rising numbers of (0, 1): n in the middle of equal strips, and both tails as
// far as 53 bits reach.
func grid(n int, f func(u float64)) {
	least := 0.5 / float64(n)
	for e := -53; math.Ldexp(1, e) < least; e++ {
		f(math.Ldexp(1, e))
	}
	for i := range n {
		f((float64(i) + 0.5) / float64(n))
	}
	for e := -1; e >= -53; e-- {
		if tail := math.Ldexp(1, e); tail < least {
			f(1 - tail)
		}
	}
}
