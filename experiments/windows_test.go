package experiments_test

import (
	"math"
	"testing"
)

// A caller has one RPC after the other, of a second each: they end at 1 s, 2 s and so on.
const everySecond = `
duration = "10s"
warmup   = "5s"
[clients.c]
callers = 1
[backends.b]
service = "1s"
[network]
delay = "0s"
[policies.pick_first]
`

// Stretches of time are half-open. Of [5 s, 10 s) are those that end at 5, 6, 7, 8 and 9 s, and
// those that are sent then; of the run those that end at 1 to 9 s, while one is open at its end.
func TestStretchesOfTimeAreHalfOpen(t *testing.T) {
	m := measured(t, everySecond)[0]
	b := m.Backends[0]
	if *m.Values["throughput_rps"] != 1 || m.Codes["OK"] != 5 || m.LatencyAll.Count != 5 ||
		b.Attempts != 5 ||
		b.Served != 5 || b.Utilization != 1 || b.InFlight != 1 ||
		*m.Values["attempts_per_rpc_ratio"] != 1 {
		t.Errorf("%v RPC/s, %d OK, %d latencies, %+v, %v attempts; want 5 in 5 s of all",
			*m.Values["throughput_rps"], m.Codes["OK"], m.LatencyAll.Count, b,
			*m.Values["attempts_per_rpc_ratio"])
	}
	if m.RPCs.Ended != 9 || m.RPCs.Open != 1 || m.Values["makespan_s"] != nil {
		t.Errorf("%+v, makespan %v; want 9 ended, 1 open, none", m.RPCs, m.Values["makespan_s"])
	}
	// A warm-up that ends between two of them moves no more than one.
	for warmup, want := range map[string]uint64{"4999999999ns": 5, "5000000001ns": 4, "6s": 4} {
		if m := measured(t, everySecond, "warmup="+warmup)[0]; m.Codes["OK"] != want {
			t.Errorf("warm-up of %s: %d RPCs, want %d", warmup, m.Codes["OK"], want)
		}
	}
}

// ghz with its defaults against a server that sleeps for a second: 200 calls of 50 callers are four
// rounds of 1016 ms after 80 ms in which it connects. ghz measured 4.17 s and 48.02 calls a second.
const ghz = `
duration = "10s"
[clients.ghz]
callers  = 50
requests = 200
[backends.greeter]
workers = 1000
service = "1014ms"
[network]
delay   = "1ms"
connect = "80ms"
[policies.pick_first]
`

func TestRatesAreOverTheTimeInWhichThereIsWork(t *testing.T) {
	const makespan = 4.144
	// Each call is in flight for 1016 ms, once the connection is there: on the average so many are.
	const inFlight = 200 * 1.016 / makespan
	for _, set := range [][]string{nil, {"duration=1h"}, {"clients.ghz.start=5s"}} {
		m := measured(t, ghz, set...)[0]
		got := []float64{*m.Values["throughput_rps"], *m.Values["makespan_s"],
			m.Backends[0].InFlight}
		for i, want := range []float64{200 / makespan, makespan, inFlight} {
			if math.Abs(got[i]-want) > 1e-9 {
				t.Errorf("%v: rate, makespan, in flight are %v; the one at %d should be %v",
					set, got, i, want)
			}
		}
		if off := *m.Values["throughput_rps"]/48.02 - 1; math.Abs(off) > 0.01 {
			t.Errorf("%v: %v RPC/s, but ghz measured 48.02", set, *m.Values["throughput_rps"])
		}
	}
	// Behind a warm-up of two rounds 100 calls end in the rest of the time.
	m := measured(t, ghz, "warmup=2.144s")[0]
	if math.Abs(*m.Values["throughput_rps"]-100/2.) > 1e-9 || *m.Values["makespan_s"] != makespan {
		t.Errorf("warm-up of two rounds: %v RPC/s in %v s, want 50 in %v",
			*m.Values["throughput_rps"], *m.Values["makespan_s"], makespan)
	}
	// Work that is over before there is anything to measure: nothing happens in the rest.
	if m := measured(t, ghz, "warmup=5s")[0]; *m.Values["throughput_rps"] != 0 ||
		*m.Values["makespan_s"] != makespan {
		t.Errorf("all in the warm-up: %v RPC/s in %v s, want 0 in %v",
			*m.Values["throughput_rps"], *m.Values["makespan_s"], makespan)
	}
	// Work that is not over has no end: two rounds are, of 50 calls each.
	m = measured(t, ghz, "duration=2.5s")[0]
	if m.Values["makespan_s"] != nil || *m.Values["throughput_rps"] != 100/2.5 {
		t.Errorf("cut off: %v RPC/s, makespan %v; want 40, none", *m.Values["throughput_rps"],
			m.Values["makespan_s"])
	}
}

// Attempts are counted for the RPCs that ended, whenever they were made, and not for open ones.
func TestAttemptsOfRPCsThatEnded(t *testing.T) {
	const hedged = `
duration = "20s"
service_config = '''{"methodConfig": [{"name": [{}],
	"hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "0s"}}]}'''
[clients.web]
rate     = "10/s"
arrivals = "even"
[backends.b]
workers = 1000
service = "4s"
[policies.pick_first]
`
	const overloaded = `
duration = "20s"
[clients.web]
rate = "200/s"
[backends.b]
service = "10ms"
[policies.pick_first]
`
	for _, row := range []struct {
		name, text string
		want       float64
	}{
		{"each is sent twice", hedged, 2}, {"twice the capacity, no retries", overloaded, 1},
	} {
		for _, warmup := range []string{"0s", "6s"} {
			m := measured(t, row.text, "warmup="+warmup)[0]
			if *m.Values["attempts_per_rpc_ratio"] != row.want {
				t.Errorf("%s, warm-up %s: %v attempts for an RPC, want %v",
					row.name, warmup, *m.Values["attempts_per_rpc_ratio"], row.want)
			}
		}
	}
}

// A thousand requests of 4 ms come in half a second, and their clients give up after 50 ms: behind
// a warm-up of a second all that the backend serves is for nobody.
func TestWasteIsOfWhatWasServed(t *testing.T) {
	m := measured(t, `
duration = "4s"
warmup = "1s"
[clients.w]
rate = "2000/s"
requests = 1000
timeout = "50ms"
[clients.late]
rate = "20/s"
timeout = "50ms"
[backends.b]
service = "4ms"
[policies.random]
`)[0]
	// One request is served each 4 ms, all the time.
	if b := m.Backends[0]; *m.Values["wasted_ratio"] != 1 || b.Wasted != b.Served ||
		b.Served != 3000/4 {
		t.Errorf("wasted %v, %d of %d served; want 1, all of 750",
			*m.Values["wasted_ratio"], b.Wasted, b.Served)
	}
}
