package grpcgo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	v3orcapb "github.com/cncf/xds/go/xds/data/orca/v3"
	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/base"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// witness is a balancer that writes down what it sees of each RPC.
type witness struct{ saw *[]string }

func (w witness) Build(info base.PickerBuildInfo) balancer.Picker {
	for sc := range info.ReadySCs {
		return witnessPicker{w, sc}
	}
	return base.NewErrPicker(balancer.ErrNoSubConnAvailable)
}

type witnessPicker struct {
	witness
	sc balancer.SubConn
}

func (w witness) write(format string, args ...any) {
	*w.saw = append(*w.saw, fmt.Sprintf(format, args...))
}

func (p witnessPicker) Pick(info balancer.PickInfo) (balancer.PickResult, error) {
	md, _ := metadata.FromOutgoingContext(info.Ctx)
	p.write("pick %s x-session %v", info.FullMethodName, md["x-session"])
	return balancer.PickResult{SubConn: p.sc, Done: func(d balancer.DoneInfo) {
		s := status.Convert(d.Err)
		p.write("done %v %q sent %t received %t", s.Code(), s.Message(), d.BytesSent,
			d.BytesReceived)
		if push := d.Trailer.Get("grpc-retry-pushback-ms"); push != nil {
			p.write("pushback %v", push)
		}
		if load := d.Trailer.Get("endpoint-load-metrics-bin"); load != nil {
			var inTrailer v3orcapb.OrcaLoadReport
			err := proto.Unmarshal([]byte(load[0]), &inTrailer)
			report, ok := d.ServerLoad.(*v3orcapb.OrcaLoadReport)
			p.write("load with queue %v, in the trailer too: %t",
				report.GetNamedMetrics()["queue"],
				err == nil && ok && proto.Equal(&inTrailer, report))
		}
	}}, nil
}

// A balancer sees of an RPC what it would see in a channel of grpc-go: what is called, what is in
// its headers, and how it ended, in the words of grpc-go.
func TestABalancerSeesWhatItSeesInGRPC(t *testing.T) {
	var saw []string
	balancer.Register(base.NewBalancerBuilder("witness", witness{&saw}, base.Config{}))
	const world = `
duration           = "3s"
addresses_and_keys = "fixed"
[network]
delay = "1ms"
[clients.web]
callers    = %d
requests   = %d
timeout    = "1s"
method     = "/shop.Orders/Get"
key        = "uniform(n=1)"
key_header = "x-session"
[backends.b]
%s
[policies.p]
kind = "grpc:witness"
`
	const pick = "pick /shop.Orders/Get x-session [0]"
	done := func(code, text string, bytes string) string {
		return fmt.Sprintf("done %s %q sent true received %s", code, text, bytes)
	}
	for _, c := range []struct {
		is       string
		callers  int
		backends string // and what comes after
		want     []string
	}{
		{"OK", 1, `service = "5ms"`, []string{pick, done("OK", "", "true")}},
		{"OK with a report", 1, "service = \"5ms\"\nload_report = \"per_call\"",
			[]string{pick, done("OK", "", "true"), "load with queue 0, in the trailer too: true"}},
		{"late", 1, `service = "10s"`, []string{pick,
			done("DeadlineExceeded", "context deadline exceeded", "false")}},
		{"queue full", 2, "service = \"5ms\"\nqueue = 0\npushback = \"250ms\"",
			[]string{pick, pick,
				done("ResourceExhausted", "the queue of the backend is full", "true"),
				"pushback [250]", done("OK", "", "true")}},
		{"queue full for good", 2, "service = \"5ms\"\nqueue = 0\npushback = \"never\"",
			[]string{pick, pick,
				done("ResourceExhausted", "the queue of the backend is full", "true"),
				"pushback [-1]", done("OK", "", "true")}},
		{"reset", 1, `service = "500ms"` + failure("crash", `from = "100ms"`), []string{pick,
			done("Unavailable", "error reading from server: EOF", "false")}},
		{"an error of the backend", 1, `service = "5ms"` +
			failure("errors", "ratio = 1.0\ncode = \"DATA_LOSS\""), []string{pick,
			done("DataLoss", "the backend answered with an error", "true")}},
		{"refused", 1, `service = "5ms"` + failure("crash", `from = "0s"`), nil},
	} {
		saw = nil
		e := load(t, fmt.Sprintf(world, c.callers, c.callers, c.backends),
			Balancer{Name: "witness"})
		err := runner.NewPlan(e).Run(t.Context(), 1, func(_ int, m *experiments.Measures) {
			if m.RPCs.Ended != uint64(c.callers) {
				t.Errorf("%s: %d RPCs ended, want %d", c.is, m.RPCs.Ended, c.callers)
			}
		})
		if err != nil || !slices.Equal(saw, c.want) {
			t.Errorf("%s: %v; the balancer saw\n%s\nwant\n%s", c.is, err,
				strings.Join(saw, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// failure is a failure of the backends.
func failure(kind, options string) string {
	return "\n[failures.f]\nkind = \"" + kind + "\"\nbackends = [\"b\"]\n" + options
}
