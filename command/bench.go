package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"lbsim/experiments"
	"lbsim/experiments/runner"
	"lbsim/internal/nearest"
)

// workload is a shipped experiment by which speed is measured.
type workload struct {
	name, experiment string
	rate, clients    int      // offered load in RPC/s for each backend; number of clients
	set              []string // further changes of the experiment, as of -set
}

// workloads are, in this order, what lbsim bench runs by default.
var workloads = []workload{
	{"w", "bench-w", 90, 1, nil},
	{"w2-bare", "bench-w2", 720, 100, []string{`service_config=""`}},
	{"w2", "bench-w2", 720, 100, nil},
}

// workloadNames returns the names of the workloads in their order.
func workloadNames() (names []string) {
	for _, w := range workloads {
		names = append(names, w.name)
	}
	return names
}

// numbers is a flag of whole numbers, with commas between them.
type numbers []int

// String implements flag.Value.
func (n *numbers) String() string { return strings.Trim(fmt.Sprint(*n), "[]") }

// Set implements flag.Value. It replaces the numbers.
func (n *numbers) Set(text string) error {
	*n = nil
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 {
			return fmt.Errorf("must be whole numbers from 1 on, such as 10,100 (is %s)", text)
		}
		*n = append(*n, v)
	}
	return nil
}

// bench runs workloads as any experiment is run, one at a time, and prints how fast that was.
func (a *app) bench(ctx context.Context, args []string) error {
	sizes := numbers{10, 100, 1000}
	fs := flag.NewFlagSet("lbsim bench", flag.ContinueOnError)
	fs.Var(&sizes, "n", "how many `backends`; several numbers with commas")
	rpcs := fs.Int("rpcs", 1_000_000, "how many RPCs, at least 1000")
	chance := fs.Uint64("seed", 1, "the `seed`")
	profile := fs.String("cpuprofile", "", "write a profile of the CPU's time to a `file`")
	chosen, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if *rpcs < 1000 {
		return usagef("bench: -rpcs must be at least 1000 (is %d)", *rpcs)
	}
	if len(chosen) == 0 {
		chosen = workloadNames()
	}
	if *profile != "" {
		file, err := os.Create(*profile)
		if err != nil {
			return usagef("bench: -cpuprofile: %w", err)
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	tw := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "workload\tN\tRPCs\tmeanok ms\tp99 ms\tRPC/s\tevents/s\tns/event\t"+
		"allocs/RPC\tpeak MB\tdigest\t")
	for _, name := range chosen {
		w, err := findWorkload(name)
		if err != nil {
			return err
		}
		for _, n := range sizes {
			e, err := w.load(n, *rpcs, *chance)
			if err != nil {
				return err
			}
			s, err := timeRun(ctx, e)
			if err != nil {
				return err
			}
			if s.Buggy() {
				return fmt.Errorf("a bug of lbsim: %s with %d backends violated an "+
					"invariant: %s", name, n, s.Warnings)
			}
			s.print(tw, fmt.Sprintf("%s\t%d", name, n))
		}
	}
	return tw.Flush()
}

// findWorkload returns the workload with a name, or a usage error.
func findWorkload(name string) (*workload, error) {
	for i := range workloads {
		if workloads[i].name == name {
			return &workloads[i], nil
		}
	}
	return nil, usagef("bench: unknown workload %q%s", name, nearest.Hint(name, workloadNames()))
}

// load reads the workload with n backends. Clients stop after their part of the RPCs, which takes
// about as long as they take at the rate of all; the run ends when those in flight have ended too.
func (w *workload) load(n, rpcs int, seed uint64) (*experiments.Experiment, error) {
	all := time.Duration(float64(rpcs) / float64(w.rate*n) * 1e9)
	set := append([]string{
		fmt.Sprintf("backends.b.count=%d", n),
		fmt.Sprintf("clients.c.rate=%d/s", w.rate*n),
		fmt.Sprintf("clients.c.requests=%d", rpcs/w.clients),
		fmt.Sprintf("warmup=%v", all/10),
		fmt.Sprintf("duration=%v", all+all/10+2*time.Second),
	}, w.set...)
	return experiments.Load(w.experiment, experiments.Options{Set: set, Seed: &seed})
}

// speed is a run and what it took.
type speed struct {
	*experiments.Measures
	wall   time.Duration // of making the world and running it
	allocs uint64        // likewise
	peak   uint64        // bytes of memory that the whole process held at most
}

// timeRun makes the only run of an experiment.
func timeRun(ctx context.Context, e *experiments.Experiment) (*speed, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() { peak <- watchMemory(stop) }()
	s := &speed{}
	begin := time.Now()
	err := runner.NewPlan(e).Run(ctx, 1, func(_ int, m *experiments.Measures) { s.Measures = m })
	if err == nil {
		err = s.Failure()
	}
	s.wall = time.Since(begin)
	close(stop)
	s.peak = <-peak
	runtime.ReadMemStats(&after)
	s.allocs = after.Mallocs - before.Mallocs
	return s, err
}

// watchMemory looks now and then how much memory the process has of the system, until it is
// stopped, and returns the most.
func watchMemory(stop <-chan struct{}) (most uint64) {
	held := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		metrics.Read(held)
		most = max(most, held[0].Value.Uint64()-held[1].Value.Uint64())
		select {
		case <-stop:
			return most
		case <-tick.C:
		}
	}
}

// print writes a row of the table, behind the name of the workload and its size.
func (s *speed) print(w io.Writer, what string) {
	rpcs, events, seconds := float64(s.RPCs.Ended), float64(s.Events), s.wall.Seconds()
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.0f\t%.0f\t%.1f\t%.4f\t%.0f\t%s\t\n",
		what, s.RPCs.Ended, latencyText(s.LatencyOK.Mean), latencyText(s.LatencyAll.P99),
		rpcs/seconds, events/seconds, seconds*1e9/events, float64(s.allocs)/rpcs,
		float64(s.peak)/1e6, s.Digest)
}

// latencyText returns a latency in milliseconds as text. One of too few RPCs is a dash.
func latencyText(ms *float64) string {
	switch {
	case ms == nil:
		return "–"
	case math.IsInf(*ms, 1):
		return "never"
	}
	return fmt.Sprintf("%.2f", *ms)
}
