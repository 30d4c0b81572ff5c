// Bench compares lbsim with programs that are written by hand for one workload each, in the
// folder byhand: no policy, no record but a histogram, no deadline, nothing general. It needs g++.
//
//	go run ./bench -pairs 7 -n 10,100,1000 w w2-bare w2
//
// Both run in turn, as processes of their own, and what counts is the CPU's time, so that a machine
// that is busy or changes its pace does little harm. Of each what a run of few RPCs takes, that is
// to start and to connect, is told apart.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// program is a command that takes the number of backends and of RPCs.
type program func(n string, rpcs int) *exec.Cmd

func main() {
	pairs := flag.Int("pairs", 7, "how many `pairs` of runs for each ratio")
	sizes := flag.String("n", "10,100,1000", "numbers of `backends`, with commas")
	rpcs := flag.Int("rpcs", 2_000_000, "how many RPCs in a run")
	flag.Parse()
	if err := compare(flag.Args(), *pairs, strings.Split(*sizes, ","), *rpcs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// compare runs these workloads, or all.
func compare(only []string, pairs int, sizes []string, rpcs int) error {
	if pairs < 1 || rpcs <= few {
		return fmt.Errorf("-pairs must be at least 1 and -rpcs more than %d (are %d and %d)",
			few, pairs, rpcs)
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	built := func(name string) string { return filepath.Join(dir, name) }
	for _, build := range [][]string{
		{"go", "build", "-o", built("lbsim"), "./cmd/lbsim"},
		{"g++", "-std=c++17", "-O3", "-march=native", "-o", built("w"), "bench/byhand/w.cpp"},
		{"g++", "-std=c++17", "-O3", "-march=native", "-o", built("w2"), "bench/byhand/w2.cpp"},
	} {
		cmd := exec.Command(build[0], build[1:]...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(build, " "), err)
		}
	}
	fmt.Println("CPU ns an RPC, medians; ratio: median of the pairs, least and greatest")
	fmt.Println("workload       N   lbsim     C++  ratio               start ms, lbsim and C++")
	for _, w := range []struct{ ours, theirs string }{
		{"w", "w"}, {"w2-bare", "w2"}, {"w2", "w2"},
	} {
		if len(only) > 0 && !slices.Contains(only, w.ours) {
			continue
		}
		ours := func(n string, rpcs int) *exec.Cmd {
			return exec.Command(built("lbsim"), "bench", "-n", n, "-rpcs", strconv.Itoa(rpcs),
				w.ours)
		}
		theirs := func(n string, rpcs int) *exec.Cmd {
			return exec.Command(built(w.theirs), n, strconv.Itoa(rpcs), "1")
		}
		for _, n := range sizes {
			p := pairing{ours: ours, theirs: theirs, n: n}
			if err := p.run(pairs, rpcs); err != nil {
				return err
			}
			fmt.Printf("%-8s %7s %s\n", w.ours, n, p.row(rpcs))
		}
	}
	return nil
}

// few is a number of RPCs that take next to no time.
const few = 1000

// pairing is two programs at one workload, and how many seconds each run took of the CPU.
type pairing struct {
	ours, theirs program
	n            string

	start, whole [2][]float64 // of ours and of theirs
}

func (p *pairing) run(pairs, rpcs int) error {
	for range pairs {
		for i, do := range []program{p.ours, p.theirs} {
			for _, r := range []struct {
				rpcs int
				took *[]float64
			}{{few, &p.start[i]}, {rpcs, &p.whole[i]}} {
				cmd := do(p.n, r.rpcs)
				if out, err := cmd.CombinedOutput(); err != nil {
					return fmt.Errorf("%v: %w\n%s", cmd, err, out)
				}
				s := cmd.ProcessState
				*r.took = append(*r.took, (s.UserTime() + s.SystemTime()).Seconds())
			}
		}
	}
	return nil
}

func (p *pairing) row(rpcs int) string {
	start := [2]float64{median(p.start[0]), median(p.start[1])}
	var each [2][]float64 // ns an RPC
	for i, took := range p.whole {
		for _, s := range took {
			each[i] = append(each[i], (s-start[i])*1e9/float64(rpcs))
		}
	}
	var ratios []float64
	for k, ours := range each[0] {
		ratios = append(ratios, ours/each[1][k])
	}
	return fmt.Sprintf("%7.0f %7.0f  %5.2f (%.2f to %.2f)  %8.0f %.0f", median(each[0]),
		median(each[1]), median(ratios), slices.Min(ratios), slices.Max(ratios),
		1000*start[0], 1000*start[1])
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
