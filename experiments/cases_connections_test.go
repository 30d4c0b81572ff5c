package experiments_test

import (
	"testing"
	"time"

	"lbsim/experiments/runner"
	"lbsim/models"
	"lbsim/policies"
	"lbsim/sim"
)

// Cases from the world, with what was seen there as pass conditions: those about connections.

// traced runs a variant and returns what happened.
func traced(v runner.Variant) []models.TraceEntry {
	trace := &models.Trace{}
	v.Config.Trace = trace
	runOf(v)
	return trace.Entries
}

// near reports a value that is not within a tolerance of what is wanted.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(want-tolerance <= got && got <= want+tolerance) {
		t.Errorf("%s: %v, want %v ± %v", what, got, want, tolerance)
	}
}

// streamTimes returns how long each RPC waited at the client, how long it took from then on, and
// how many ended in each second.
func streamTimes(v runner.Variant) (waits, serving map[[2]uint64]float64, ended []float64) {
	began, sent := make(map[[2]uint64]sim.Time), make(map[[2]uint64]sim.Time)
	waits, serving = make(map[[2]uint64]float64), make(map[[2]uint64]float64)
	ended = make([]float64, int(v.Config.Duration.Seconds()))
	for _, e := range traced(v) {
		id := [2]uint64{uint64(e.Client), e.RPC}
		switch e.What {
		case models.Began:
			began[id] = e.At
		case models.Sent:
			sent[id] = e.At
			waits[id] = e.At.Sub(began[id]).Seconds()
		case models.Ended:
			serving[id] = e.At.Sub(sent[id]).Seconds()
			ended[int(time.Duration(e.At).Seconds())]++
		}
	}
	return waits, serving, ended
}

func TestC26StreamLimitIsAHiddenQueue(t *testing.T) {
	for _, row := range []struct {
		set  []string
		last [2]uint64 // RPC of the minute
		rate float64   // at which RPCs end
		wait float64   // of the last
	}{
		{nil, [2]uint64{0, 17999}, 250, 12},
		{[]string{"clients.web.count=2", "clients.web.requests=9000"},
			[2]uint64{1, 8999}, 300, 0},
	} {
		waits, serving, ended := streamTimes(variants(t, "c26-stream-limit", row.set...)[0])
		near(t, "seconds that the last RPC of a minute waits", waits[row.last], row.wait, 0.2)
		near(t, "RPCs that end in second 30", ended[30], row.rate, 1)
		for id, d := range serving {
			if d < 1 || d > 1.001 {
				t.Errorf("RPC %v took %v s once it was sent, want 1", id, d)
			}
		}
	}
}

func TestC26TheDeadlineRunsInTheQueue(t *testing.T) {
	first := sim.Never
	for _, r := range rpcsOf(variants(t, "c26-stream-limit", "clients.web.timeout=5s")[0]) {
		if r.code == policies.OK {
			continue
		}
		first = min(first, r.start)
		if r.code != policies.DeadlineExceeded || r.end.Sub(r.start) != 5*time.Second {
			t.Errorf("RPC of %v: %v after %v, want DEADLINE_EXCEEDED after 5s",
				r.start, r.code, r.end.Sub(r.start))
		}
	}
	// The wait grows by 0.2 s a second; where it is 4 s the service is not over in time.
	near(t, "start of the first RPC that fails", time.Duration(first).Seconds(), 20, 0.5)
}

func TestC26LongStreamsBeginInThirds(t *testing.T) {
	var began [4]int
	for _, e := range traced(variants(t, "c26-long-streams")[0]) {
		if e.What == models.Sent {
			began[int(time.Duration(e.At)/(15*time.Minute))]++
		}
	}
	if began != [4]int{100, 100, 100, 0} {
		t.Errorf("streams that begin in each quarter of an hour: %v, want 100 in each of three",
			began)
	}
}

// lifetimes returns how long each connection of a run was READY until it was lost, in seconds.
func lifetimes(v runner.Variant) (list []float64) {
	ready := sim.Never
	for _, e := range traced(v) {
		switch {
		case e.What != models.SubConnChanged:
		case e.State == policies.Ready:
			ready = e.At
		case ready != sim.Never:
			list = append(list, e.At.Sub(ready).Seconds())
			ready = sim.Never
		}
	}
	return list
}

func TestC07PingsTooFast(t *testing.T) {
	// Of four pings the first is free and two are forgiven.
	want := []float64{40, 80, 160, 320, 640}
	got := lifetimes(variants(t, "c07-pings-too-fast")[0])
	if len(got) != len(want) {
		t.Fatalf("connections lasted %v s, want %v and one for ever", got, want)
	}
	for i := range want {
		near(t, "seconds until too_many_pings", got[i], want[i], 0.1)
	}
}

func TestC07PingsThatAreTolerated(t *testing.T) {
	for name, set := range map[string][]string{
		"server wants 10 s": {"backends.pod.ping_min_time=10s"},
		"steady traffic":    {"clients.web.requests=0", "clients.web.timeout=1s"},
	} {
		if got := lifetimes(variants(t, "c07-pings-too-fast", set...)[0]); len(got) > 0 {
			t.Errorf("%s: connections ended after %v s, want none to end", name, got)
		}
	}
}

func TestC07RPCsInFlightFail(t *testing.T) {
	all := rpcsOf(variants(t, "c07-pings-too-fast",
		"clients.web.timeout=0s", "backends.pod.service=30m")[0])
	if len(all) != 1 || all[0].code != policies.Unavailable {
		t.Fatalf("RPCs that ended: %v, want one with UNAVAILABLE", all)
	}
	// A second after the GOAWAY the server closes.
	near(t, "seconds until it failed", all[0].end.Sub(all[0].start).Seconds(), 41, 0.1)
}

func TestC06DeadNode(t *testing.T) {
	keepalive := []string{"clients.web.keepalive_time=30s", "clients.web.keepalive_timeout=15s"}
	for _, row := range []struct {
		name        string
		set         []string
		policy      int     // of the file
		least, most float64 // seconds for which RPCs fail
		share       float64 // of the RPCs that begin meanwhile
	}{
		{"no keepalive", nil, 0, 0.95 * 924, 1.05 * 924, 1},
		{"no keepalive, round_robin", nil, 1, 0.95 * 924, 1.05 * 924, 1. / 3},
		{"keepalive", keepalive, 0, 30, 50, 1},
	} {
		first, last, failed, during := sim.Never, sim.Time(0), 0., 0.
		all := rpcsOf(variants(t, "c06-dead-node", row.set...)[row.policy])
		for _, r := range all {
			if r.code != policies.OK {
				first, last = min(first, r.start), max(last, r.end)
				failed++
			}
		}
		for _, r := range all {
			if first <= r.start && r.end <= last {
				during++
			}
		}
		if d := last.Sub(first).Seconds(); d < row.least || d > row.most {
			t.Errorf("%s: RPCs failed for %v s, want %v to %v", row.name, d, row.least, row.most)
		}
		near(t, row.name+": share of RPCs that failed", failed/during, row.share, 0.02)
	}
}
