package policytest_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lbsim/policies"
	"lbsim/policies/policytest"
)

// faulty is a policy that is random, but for a fault.
type faulty struct {
	doc  string
	leaf func() policies.Leaf
	wrap func(b policies.Balancer) policies.Balancer
}

func (f faulty) Doc() string { return f.doc }

func (f faulty) Build(h policies.Host) policies.Balancer {
	b := policies.Random{}.Build(h)
	if f.leaf != nil {
		b = policies.NewEndpointSharding(h, f.leaf())
	}
	if f.wrap != nil {
		b = f.wrap(b)
	}
	return b
}

// stuck keeps to the first endpoint that it ever had.
type stuck struct{ first *policies.ReadyEndpoint }

func (s *stuck) Update(ready []policies.ReadyEndpoint) {
	if s.first == nil {
		first := ready[0]
		s.first = &first
	}
}

func (s *stuck) Pick(policies.Call) policies.Pick     { return policies.Send(s.first.SubConn) }
func (s *stuck) Done(policies.Pick, policies.Outcome) {}

// wild draws from a source that no seed sets.
type wild struct{ ready []policies.ReadyEndpoint }

func (w *wild) Update(ready []policies.ReadyEndpoint) { w.ready = ready }
func (w *wild) Done(policies.Pick, policies.Outcome)  {}
func (w *wild) Pick(policies.Call) policies.Pick {
	return policies.Send(w.ready[rand.IntN(len(w.ready))].SubConn)
}

// wasteful allocates.
type wasteful struct {
	wild
	picks []*policies.Pick
}

func (w *wasteful) Pick(policies.Call) policies.Pick {
	p := policies.Send(w.ready[0].SubConn)
	w.picks = append(w.picks[:0], &p)
	return p
}

// open does not close.
type open struct{ policies.Balancer }

func (open) Close() {}

// A kind without a story, and a story of no kind, are errors.
func TestStoriesAreOfKinds(t *testing.T) {
	if dir := os.Getenv("LBSIM_STORIES"); dir != "" {
		policytest.RunStories(t, dir, catalog)
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "other.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestStoriesAreOfKinds$")
	cmd.Env = append(os.Environ(), "LBSIM_STORIES="+dir)
	out, err := cmd.CombinedOutput()
	for _, want := range []string{
		"policy fastest is in the catalog but has no story",
		"other.txt tells of other, which is not in the catalog",
	} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v; want a failure with %q, got\n%s", err, want, out)
		}
	}
}

var faults = []struct {
	name   string
	policy faulty
	except policytest.Exceptions
	want   string
}{
	{"doc", faulty{doc: "It is random."}, policytest.Exceptions{}, "without a full stop"},
	{"stuck", faulty{doc: "stuck", leaf: func() policies.Leaf {
		return new(stuck)
	}}, policytest.Exceptions{}, "channel READY sends to"},
	{"wild", faulty{doc: "wild", leaf: func() policies.Leaf {
		return new(wild)
	}}, policytest.Exceptions{}, "two runs with one seed"},
	{"wasteful", faulty{doc: "wasteful", leaf: func() policies.Leaf {
		return new(wasteful)
	}}, policytest.Exceptions{}, "1 allocations a pick in READY, want 0"},
	{"open", faulty{doc: "open", wrap: func(b policies.Balancer) policies.Balancer {
		return open{b}
	}}, policytest.Exceptions{}, "a is CONNECTING"},
	{"count", faulty{doc: "count"}, policytest.Exceptions{
		AtRest: func(policies.Picker) string { return "a counter is 1" },
	}, "no RPC is in flight: a counter is 1"},
}

// The battery finds each of these faults. It is run in a process of its own, where it fails.
func TestBatteryFindsFaults(t *testing.T) {
	const which = "LBSIM_FAULT"
	for _, f := range faults {
		if os.Getenv(which) == f.name {
			policytest.Battery(t, f.policy, f.except)
			return
		}
	}
	for _, f := range faults {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBatteryFindsFaults$", "-rapid.nofailfile")
		cmd.Env = append(os.Environ(), which+"="+f.name)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), f.want) {
			t.Errorf("%s: %v; want a failure with %q, got\n%s", f.name, err, f.want, out)
		}
	}
}
