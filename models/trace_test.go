package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lbsim/models"
	"lbsim/models/failures"
	"lbsim/policies"
)

// traced runs a world with a trace and returns it as lines.
func traced(t *testing.T, cfg *models.Config) string {
	t.Helper()
	cfg.Trace = &models.Trace{}
	w := models.New(cfg)
	for !w.Run(1000) {
	}
	w.Finish()
	var b strings.Builder
	for _, e := range cfg.Trace.Entries {
		fmt.Fprintf(&b, "%v %v", e.At, e.What)
		switch e.What {
		case models.Began:
			fmt.Fprintf(&b, " %d", e.RPC)
		case models.Sent:
			fmt.Fprintf(&b, " %d to %d", e.RPC, e.Backend)
		case models.Ended:
			fmt.Fprintf(&b, " %d %v", e.RPC, e.Code)
		case models.Dialled:
			fmt.Fprintf(&b, " %d", e.Backend)
		case models.SubConnChanged:
			fmt.Fprintf(&b, " %d %v", e.Backend, e.State)
		case models.ChannelChanged:
			fmt.Fprintf(&b, " %v", e.State)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// One call, then the backend crashes; the second call finds the channel IDLE and fails, for the
// backend refuses.
func TestTraceTellsWhatHappens(t *testing.T) {
	cfg := oneCaller(t, policies.PickFirst{}, 1, 2)
	cfg.Duration = time.Second
	cfg.Backends[0].Count = 1
	cfg.Clients[0].Think = parse(t, "10ms")
	cfg.Failures = []models.Failure{
		failures.Crash{Backends: []string{"b"}, From: time.Millisecond},
	}
	want := `0s began 0
0s channel CONNECTING
0s subconn 0 CONNECTING
0s dialled 0
75µs subconn 0 READY
75µs channel READY
75µs sent 0 to 0
175µs ended 0 OK
1.025ms subconn 0 IDLE
1.025ms channel IDLE
10.175ms began 1
10.175ms channel CONNECTING
10.175ms subconn 0 CONNECTING
10.175ms dialled 0
10.225ms subconn 0 TRANSIENT_FAILURE
10.225ms channel TRANSIENT_FAILURE
10.225ms ended 1 UNAVAILABLE
`
	if got := traced(t, cfg); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTraceChangesNothing(t *testing.T) {
	digest := func(trace *models.Trace) uint64 {
		cfg := oneCaller(t, policies.LeastRequest{ChoiceCount: 2}, 1, 100)
		cfg.Trace = trace
		w := models.New(cfg)
		for !w.Run(1000) {
		}
		return w.Finish().Digest
	}
	if with, without := digest(&models.Trace{}), digest(nil); with != without {
		t.Errorf("digest %x with a trace, %x without", with, without)
	}
}
