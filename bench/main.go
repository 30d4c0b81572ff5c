// Bench compares lbsim with programs that are written for one workload each, in the folder byhand.
//
//	go run ./bench -pairs 7 -n 10,100,1000 w w2-bare w2
//	go run ./bench simpy
//	go run ./bench ns3 ns3-fast
//
// Those in C++ have no policy, no record but a histogram, no deadline, nothing general. Those on
// other simulators, w2 on SimPy and w on ns-3, leave events and clock to it; they run only when
// asked for, as they need python3-simpy3 and libns3-dev (Debian's names). All but SimPy needs g++.
//
// Both run in turn, as processes of their own, and what counts is the CPU's time, so that a machine
// that is busy or changes its pace does little harm. What a run of a tenth of the RPCs takes is
// taken off: by then each has started and connected, and its queues are what they stay.
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

func main() {
	var b bench
	flag.IntVar(&b.pairs, "pairs", 7, "how many `pairs` of runs for each ratio")
	sizes := flag.String("n", "10,100,1000", "numbers of `backends`, with commas")
	flag.IntVar(&b.rpcs, "rpcs", 2_000_000, "how many RPCs in a run; SimPy gets a tenth of them")
	flag.StringVar(&b.python, "python", "python3", "a `python` that can import simpy")
	flag.Parse()
	b.sizes = strings.Split(*sizes, ",")
	if err := b.compare(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is what to measure, and with what.
type bench struct {
	pairs, rpcs int
	sizes       []string
	python, dir string // dir is for programs that are built
}

// rival is a program that does what a workload of lbsim does.
type rival struct {
	name     string   // of the comparison
	workload string   // of lbsim
	source   string   // in the folder byhand
	needs    string   // what must be installed
	build    []string // what g++ wants after the source
	args     []string // after those that all have
	slow     int      // how many times fewer RPCs will do
	asked    bool     // runs only when asked for
}

const (
	needsCompiler = "g++"
	needsNS3      = "g++ and libns3-dev"
	needsSimPy    = "python3-simpy3, or -python with a python that has simpy"
)

var rivals = []rival{
	{name: "w", workload: "w", source: "w.cpp", needs: needsCompiler, slow: 1},
	{name: "w2-bare", workload: "w2-bare", source: "w2.cpp", needs: needsCompiler, slow: 1},
	{name: "w2", workload: "w2", source: "w2.cpp", needs: needsCompiler, slow: 1},
	{name: "simpy", workload: "w2", source: "w2_simpy.py", needs: needsSimPy, slow: 10,
		asked: true},
	{name: "ns3", workload: "w", source: "w_ns3.cpp", needs: needsNS3, slow: 1, asked: true,
		build: []string{"-lns3-core"}, args: []string{"Map"}},
	{name: "ns3-fast", workload: "w", source: "w_ns3.cpp", needs: needsNS3, slow: 1, asked: true,
		build: []string{"-lns3-core"}, args: []string{"PriorityQueue"}},
}

// leastRPCs makes a tenth for the slowest rival, and of that a tenth, as many as lbsim bench takes.
const leastRPCs = 100_000

// compare measures these rivals, or all that need not be asked for.
func (b *bench) compare(names []string) error {
	if b.pairs < 1 || b.rpcs < leastRPCs {
		return fmt.Errorf("-pairs must be at least 1 and -rpcs %d (are %d and %d)",
			leastRPCs, b.pairs, b.rpcs)
	}
	var chosen []rival
	for _, r := range rivals {
		if len(names) == 0 && !r.asked || slices.Contains(names, r.name) {
			chosen = append(chosen, r)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(rivals, func(r rival) bool { return r.name == name }) {
			return fmt.Errorf("no %q to compare with: see the head of bench/main.go", name)
		}
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	lbsim := filepath.Join(b.dir, "lbsim")
	if err := loud("go", "build", "-o", lbsim, "./cmd/lbsim"); err != nil {
		return err
	}
	fmt.Println("CPU ns an RPC, medians; ratio: median of the pairs, least and greatest")
	fmt.Println("rival          N   lbsim   rival  ratio               start ms, lbsim and rival")
	for _, r := range chosen {
		command, err := b.ready(r)
		if err != nil {
			return err
		}
		for _, n := range b.sizes {
			p := pairing{{
				command: []string{lbsim, "bench", "-n", n, "-rpcs"},
				args:    []string{r.workload},
				rpcs:    b.rpcs,
			}, {
				command: append(command, n),
				args:    append([]string{"1"}, r.args...), // the seed comes first
				rpcs:    b.rpcs / r.slow,
			}}
			for range b.pairs {
				if err := p.run(); err != nil {
					return err
				}
			}
			fmt.Printf("%-8s %7s %s\n", r.name, n, p.row())
		}
	}
	return nil
}

// ready returns the command that runs a rival, without its arguments.
func (b *bench) ready(r rival) (command []string, err error) {
	source := filepath.Join("bench/byhand", r.source)
	if strings.HasSuffix(source, ".py") {
		command, err = []string{b.python, source}, loud(b.python, "-c", "import simpy")
	} else {
		built := filepath.Join(b.dir, r.name)
		args := []string{"-std=c++17", "-O3", "-march=native", "-o", built, source}
		command, err = []string{built}, loud("g++", append(args, r.build...)...)
	}
	if err != nil {
		err = fmt.Errorf("%s needs %s: %w", r.name, r.needs, err)
	}
	return slices.Clip(command), err
}

// loud runs a command that says nothing unless it fails.
func loud(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// side is a program at a workload, and how many seconds each run took of the CPU.
type side struct {
	command []string // up to the number of RPCs
	args    []string // from there on
	rpcs    int

	part, whole []float64 // of a tenth of the RPCs, and of all
}

func (s *side) run(rpcs int) (seconds float64, err error) {
	args := slices.Concat(s.command[1:], []string{strconv.Itoa(rpcs)}, s.args)
	cmd := exec.Command(s.command[0], args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// each returns how many ns each run took for an RPC, once it was under way.
func (s *side) each() (ns []float64) {
	for _, whole := range s.whole {
		ns = append(ns, (whole-median(s.part))*1e9/float64(s.rpcs-s.rpcs/10))
	}
	return ns
}

// start returns how many ms it took to get under way.
func (s *side) start() float64 {
	return 1e3*median(s.part) - median(s.each())*float64(s.rpcs/10)/1e6
}

// pairing is lbsim and a rival.
type pairing [2]side

func (p *pairing) run() error {
	for i := range p {
		s := &p[i]
		part, err := s.run(s.rpcs / 10)
		if err != nil {
			return err
		}
		whole, err := s.run(s.rpcs)
		if err != nil {
			return err
		}
		s.part, s.whole = append(s.part, part), append(s.whole, whole)
	}
	return nil
}

func (p *pairing) row() string {
	ours, theirs := p[0].each(), p[1].each()
	var ratios []float64
	for i := range ours {
		ratios = append(ratios, ours[i]/theirs[i])
	}
	return fmt.Sprintf("%7.0f %7.0f  %5.3f (%.3f to %.3f)  %8.0f %.0f", median(ours),
		median(theirs), median(ratios), slices.Min(ratios), slices.Max(ratios),
		p[0].start(), p[1].start())
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
