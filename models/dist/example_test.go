package dist_test

import (
	"fmt"

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
	// exponential: mean: missing unit in "10" (write e.g. 10ms)
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

func ExampleCatalog() {
	for _, e := range dist.Catalog() {
		if e.Name == "gamma" || e.Name == "pareto" {
			fmt.Println(e.Name, "-", e.Doc)
			for _, form := range e.Forms {
				fmt.Println("    " + form)
			}
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
