package dist_test

import (
	"fmt"
	"maps"
	"math"
	"time"

	"lbsim/models/dist"
)

func ExampleParse() {
	d, err := dist.Parse("lognormal(p99=40ms, p50=5ms)", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	fmt.Println(d.Quantile(0.5), d.Quantile(0.99))
	fmt.Printf("mean %.3f s\n", d.Mean())
	// Output:
	// lognormal(p50=5ms, p99=40ms)
	// 5ms 40ms
	// mean 0.007 s
}

func ExampleParse_error() {
	_, err := dist.Parse("lognormal(p50=5ms, p99=3ms)", nil)
	fmt.Println(err)
	_, err = dist.Parse("exponential(mean=10)", nil)
	fmt.Println(err)
	// Output:
	// lognormal: p99 (3ms) must be greater than p50 (5ms)
	// exponential: mean: missing unit in "10" (write for instance 10ms)
}

// A file is read by whoever calls, from wherever the name leads.
func ExampleParse_file() {
	open := func(name string) ([]byte, error) {
		return []byte("# measured on a quiet day\n2.9ms\n3ms\n3.4ms\n80ms\n"), nil
	}
	d, err := dist.Parse("file(latencies.csv)", open)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Quantile(0.5), d.Quantile(0.99))
	// Output:
	// 3ms 80ms
}

func ExampleKind() {
	for _, name := range []string{"gamma", "pareto"} {
		kind := dist.Catalog[name]
		fmt.Println(name, "-", kind.Doc)
		for _, form := range kind.Forms {
			fmt.Println("    " + form)
		}
	}
	// Output:
	// gamma - between erlang's: steadier than exponential for shape > 1, wilder below
	//     gamma(shape=2, mean=10ms)
	//     gamma(shape=0.5, scale=5ms)
	// pareto - a power law: no finite variance for alpha <= 2, no mean for alpha <= 1
	//     pareto(alpha=1.5, min=1ms)
	//     pareto(alpha=2.5, mean=10ms)
	//     pareto(p50=5ms, p99=40ms)
}

// Triangular rises linearly from min to mode and falls to max.
type Triangular struct {
	min, mode, max float64 // ns
	text           string
}

func (t Triangular) Quantile(u float64) time.Duration {
	width := t.max - t.min
	if left := (t.mode - t.min) / width; u < left {
		return dist.Round(t.min + math.Sqrt(u*width*(t.mode-t.min)))
	}
	return dist.Round(t.max - math.Sqrt((1-u)*width*(t.max-t.mode)))
}

func (t Triangular) Mean() float64 { return (t.min + t.mode + t.max) / 3e9 }

func (t Triangular) Variance() float64 {
	a, b := t.max-t.min, t.mode-t.min
	return (float64(a*a) - float64(a*b) + float64(b*b)) / 18e18
}

func (t Triangular) String() string { return t.text }

func parseTriangular(c dist.Call) (dist.Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	t := Triangular{min: a.Duration("min"), mode: a.Duration("mode"), max: a.Duration("max")}
	a.Rising("min", "mode")
	a.Rising("mode", "max")
	t.text = a.String()
	return t, a.Err()
}

// A kind of one's own stands beside those of the catalog.
func ExampleParser() {
	kinds := maps.Clone(dist.Catalog)
	kinds["triangular"] = dist.Kind{
		Doc:   "from min to max, most often near mode",
		Forms: []string{"triangular(min=1ms, mode=2ms, max=9ms)"},
		Parse: parseTriangular,
	}
	p := dist.Parser{Kinds: kinds}
	d, err := p.Parse("mix(0.9 triangular(max=9ms, mode=2ms, min=1ms), 0.1 80ms)")
	fmt.Println(d, err)
	_, err = p.Parse("triangular(min=3ms, mode=2ms, max=9ms)")
	fmt.Println(err)
	// Output:
	// mixture(0.9 triangular(min=1ms, mode=2ms, max=9ms), 0.1 constant(80ms)) <nil>
	// triangular: mode (2ms) must be greater than min (3ms)
}
