package experiments_test

import (
	"math"
	"testing"
)

// A closed loop without think time, as of ghz, meets a server that is down from 5 s to 6 s.
const refused = `
duration = "10s"
[clients.ghz]
callers = 50
[backends.server]
workers = 100
service = "10ms"
[network]
delay = "0s"
[failures.restart]
kind     = "crash"
backends = ["server"]
from     = "5s"
to       = "6s"
[policies.pick_first]
`

// The calls that run at 5 s are reset, and the next attempt to connect is refused at once. The one
// after that comes when the backoff of 1 s ± 20 % is over: then, or, if that is too early, 1.6 s
// ± 20 % later, calls are served again, each for 10 ms. In between one call fails each 10 µs,
// whatever the number of callers.
func TestCallersOutliveARefusal(t *testing.T) {
	for _, callers := range []string{"50", "5"} {
		for _, seed := range []string{"1", "2", "3"} {
			set := []string{"seed=" + seed, "clients.ghz.callers=" + callers}
			m := measured(t, refused, set...)[0]
			failing := float64(m.Codes["UNAVAILABLE"]) / 100_000 // seconds
			served := float64(m.Codes["OK"]) / map[string]float64{"50": 5000, "5": 500}[callers]
			if failing < 1 || failing > 1.2+1.6*1.2 || math.Abs(failing+served-10) > 0.05 {
				t.Errorf("%v: failing for %v s and served for %v s of 10", set, failing, served)
			}
		}
	}
}

// A call without delay and work costs its client 10 µs. So each of two clients makes the first
// three at once, and from then on one each 10 µs.
func TestCallsThatTakeNoTime(t *testing.T) {
	m := measured(t, `
duration = "1s"
[clients.c]
count   = 2
callers = 3
[backends.b]
service = "0s"
[network]
delay = "0s"
[policies.random]
`)[0]
	const want = 2 * (3 + 99_999)
	if *m.Values["throughput_rps"] != want || len(m.Failed) > 0 || *m.LatencyOK.Max != 0 {
		t.Errorf("%v RPC/s, failed %v, latency up to %v ms; want %d, none, 0",
			*m.Values["throughput_rps"], m.Failed, *m.LatencyOK.Max, want)
	}
}
