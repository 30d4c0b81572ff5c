package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
	"lbsim/experiments/config/findings"
)

// brim is an experiment of 5,000 RPCs per second for machines that can do 8 × 50 ÷ 80 ms = 5,000.
const brim = `
duration = "70s"
warmup   = "10s"
[clients.front]
count = 20
rate  = "5000/s"
[backends.api]
count   = 8
workers = 50
service = "lognormal(mean=80ms, cv=1)"
[network]
delay = "200us"
[policies.round_robin]
`

const steady = "; there is no steady state: unless deadlines or full queues turn RPCs away, " +
	"latencies grow with the length of the run"

func TestOfferedLoadAgainstCapacity(t *testing.T) {
	for _, row := range []struct {
		set  []string
		want []string
	}{
		{nil, []string{"warning: offered 5000/s, capacity 5000/s: 100 %" + steady}},
		{[]string{"clients.front.rate=5025/s"},
			[]string{"warning: offered 5025/s, capacity 5000/s: 100.5 %" + steady}},
		{[]string{"clients.front.rate=2.5/s"},
			[]string{"offered 2.5/s, capacity 5000/s: 0.050 %"}},
		{[]string{"clients.front.rate=100000/s", "backends.api.workers=12"},
			[]string{"warning: offered 100000/s, capacity 1200/s: 8333 %" + steady}},
		{[]string{"backends.api.speed=2.0"}, []string{"offered 5000/s, capacity 10000/s: 50 %"}},
		{[]string{"clients={a={rate=\"1000/s\"}, b={callers=5, count=2}}"},
			[]string{"offered 1000/s, capacity 5000/s: 20 %; 10 callers in closed loops offer " +
				"what the backends make of it"}},
		{[]string{"clients={b={callers=5}}"}, []string{"capacity 5000/s; 5 callers in closed " +
			"loops offer what the backends make of it"}},
		{[]string{"clients.front.requests=10"},
			[]string{"nothing is offered at the end of the run, capacity 5000/s"}},
		{[]string{"clients.front.requests=100000"},
			[]string{"warning: offered 5000/s, capacity 5000/s: 100 %" + steady}},
		{[]string{"backends.api.service=0s"},
			[]string{"offered 5000/s, capacity without bound"}},
		{[]string{"backends.api.service=\"pareto(alpha=1, min=1ms)\""},
			[]string{"warning: offered 5000/s, capacity 0/s" + steady}},
		{[]string{`sweep={"backends.api.count"=[8, 10, 16]}`}, []string{
			"at backends.api.count = 16: offered 5000/s, capacity 10000/s: 50 %",
			"warning: at backends.api.count = 8: offered 5000/s, capacity 5000/s: 100 %" + steady}},
	} {
		e, err := experiments.Parse("x.toml", []byte(brim), experiments.Options{Set: row.set})
		if err != nil {
			t.Fatal(row.set, err)
		}
		if got := findings.Offered(e); !slices.Equal(got, row.want) {
			t.Errorf("%v:\ngot  %q\nwant %q", row.set, got, row.want)
		}
	}
}

// Full load is no steady state, however long the run and though no queue seems to grow without
// bound. Of a backend that is slowed to half a shorter line is always full: busy for all but
// (1-ρ)/(1-ρ²²) of the time at ρ = 1.6, less than 1/10,000. A closed loop of any number is stable.
func TestFullLoadIsWarnedOf(t *testing.T) {
	const halved = `failures={f={kind="slow", backends=["b"], factor=2.0}}`
	for _, row := range []struct {
		name, text string
		set        []string
		want       string
	}{
		{"70 s", brim, []string{"seeds=1"}, "offered 5000/s, capacity 5000/s: 100 %" + steady},
		{"300 s", brim, []string{"seeds=1", "duration=300s", "clients.front.rate=500/s",
			"backends.api.workers=5"}, "offered 500/s, capacity 500/s: 100 %" + steady},
		{"1000 s", brim, []string{"seeds=1", "duration=1000s", "clients.front.rate=500/s",
			"backends.api.workers=5"}, "offered 500/s, capacity 500/s: 100 %" + steady},
		{"95 %", lone, []string{"clients.c.rate=95/s", "seeds=20"}, ""},
		{"callers", lone, []string{"clients.c={callers=50}"}, ""},
		{"fewer are listed", lone, []string{"clients.c.rate=60/s", "backends.b.count=2",
			"backends.b.speed=0.5", `resolver={kind="static", backends=["b/0"]}`,
			"backends.b.queue=5"}, "offered 60/s, capacity 50/s: 120 %" + steady},
		{"slowed", lone, []string{"clients.c.rate=80/s", "backends.b.queue=20", halved},
			"all workers of b were busy for at least 100.0 % of 55s" + steady},
		{"all requests fail", lone, []string{"clients.c.rate=60/s",
			`failures={f={kind="errors", backends=["b"], ratio=1.0, code="INTERNAL"}}`}, ""},
		{"nobody is listed", lone, []string{"clients.c.rate=60/s",
			`resolver={kind="dns", records={"0s"=[]}}`}, ""},
		{"half of it is slowed", lone, []string{"clients.c.rate=160/s", "backends.b.queue=20",
			`backends.a={service="exp(mean=10ms)"}`, halved}, ""},
	} {
		for _, m := range measured(t, row.text, row.set...) {
			got := ""
			for _, w := range m.Warnings {
				if w.Kind == analysis.FullLoad || w.Kind == analysis.Unstable {
					got += w.Text
				}
			}
			if got != row.want && !strings.Contains(got, "grows without bound") {
				t.Errorf("%s, seed %d: warned %q, want %q", row.name, m.Seed, got, row.want)
			}
		}
	}
}
