package grpcgo

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/base"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// broken is a balancer with a fault that shows when the second picker is built.
type broken struct {
	name string
	// build is called when it is; pick at each pick.
	build, pick func()
}

func (b broken) Build(info base.PickerBuildInfo) balancer.Picker {
	if len(info.ReadySCs) == 2 {
		b.build()
	}
	for sc := range info.ReadySCs {
		return brokenPicker{b, sc}
	}
	return base.NewErrPicker(balancer.ErrNoSubConnAvailable)
}

type brokenPicker struct {
	broken
	sc balancer.SubConn
}

func (p brokenPicker) Pick(balancer.PickInfo) (balancer.PickResult, error) {
	p.pick()
	return balancer.PickResult{SubConn: p.sc}, nil
}

// noPicture says that no file is a plot.
func noPicture(string) bool { return false }

// A balancer that breaks its run breaks no other: what there is of the experiment comes out, and
// says which run failed and why.
func TestABrokenBalancerBreaksItsRunAlone(t *testing.T) {
	text := "duration = \"3s\"\n" + slowNode
	nothing := func() {}
	balancers := []Balancer{{Name: "round_robin"}}
	wants := map[string]string{"sound": ""}
	for _, c := range []struct {
		broken
		want string
	}{
		{broken{"panics", nothing, func() { panic("no idea") }},
			"panic: no idea (broken_test.go:"},
		{broken{"hangs", func() { <-make(chan int) }, nothing}, "it waits for ever"},
		{broken{"leaves", func() { go func() { <-make(chan int) }() }, nothing}, "still there"},
	} {
		balancer.Register(base.NewBalancerBuilder(c.name, c.broken, base.Config{}))
		balancers = append(balancers, Balancer{Name: c.name})
		text += "[policies." + c.name + "]\nkind = \"grpc:" + c.name + "\"\n"
		wants[c.name] = c.want
	}
	e := load(t, text+"[policies.sound]\nkind = \"grpc:round_robin\"\n", balancers...)
	s := summary(t, e, 2)
	for _, f := range s.Failed {
		if want := wants[f.Policy]; want == "" || !strings.Contains(f.Reason, want) {
			t.Errorf("%v; want a reason with %q", f, want)
		}
		delete(wants, f.Policy)
	}
	if runs := s.Runs; len(wants) != 1 || len(runs) != 1 || runs[0].Policy != "sound" {
		t.Errorf("%d runs, and these have not failed: %v; want the sound one", len(runs), wants)
	}
}

// late is a balancer whose connections wait for a timer of its own.
type late struct{ balancer.Builder }

const lateness = 7 * time.Second / 10

func (late) Name() string { return "late" }

func (l late) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	return l.Builder.Build(&lateConn{cc}, o)
}

type lateConn struct{ balancer.ClientConn }

func (l *lateConn) UpdateState(s balancer.State) {
	time.AfterFunc(lateness, func() { l.ClientConn.UpdateState(s) })
}

// What a timer of a balancer brings about happens at its moment, between those of the simulation.
func TestTimersAreExact(t *testing.T) {
	balancer.Register(late{balancer.Get("pick_first")})
	e := load(t, `
duration = "10s"
[clients.c]
rate     = "0.2/s"
arrivals = "even"
[backends.b]
service = "5ms"
[network]
delay = "10ms"
[policies.late]
kind = "grpc:late"
`, Balancer{Name: "late"})
	err := runner.NewPlan(e).Run(t.Context(), 1, func(_ int, m *experiments.Measures) {
		// READY 30 ms after the first RPC, whose picker comes late; there and back, and the work.
		if got, want := *m.LatencyAll.Max, 30.+700+25; got != want {
			t.Errorf("the first RPC took %v ms, want %v", got, want)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// weighted_round_robin has a goroutine with a ticker until it is closed, which the end of the run
// does: else it would break it.
func TestBalancersAreClosedAtTheEnd(t *testing.T) {
	e := load(t, "duration = \"3s\"\n"+slowNode+`
[policies.wrr]
kind   = "grpc:weighted_round_robin"
config = '{"weightUpdatePeriod": "0.5s"}'
`, Balancer{Name: "weighted_round_robin"})
	s := summary(t, e, 1)
	if len(s.Failed) > 0 {
		t.Errorf("failed: %v", s.Failed)
	}
	// Of 400 RPCs a backend, each of 20 clients gives it one more or less: 0.4 % is a standard
	// deviation, and 3 % some eight of them. The draws are Go's own, so no seed is fixed.
	if len(s.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(s.Runs))
	}
	var most, sum uint64
	for _, b := range s.Runs[0].Backends {
		most, sum = max(most, b.Attempts), sum+b.Attempts
	}
	if mean := float64(sum) / 10; float64(most) > 1.03*mean {
		t.Errorf("%d RPCs at one backend, %v at the mean one; want even for want of reports",
			most, mean)
	}
}
