package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/config/cost"
	"lbsim/experiments/runner"
)

// What asks for too much is refused before anything is made, with the key that asks, and runs by
// force: the file is valid.
func TestWhatTakesTooMuchIsRefusedAtOnce(t *testing.T) {
	const ring = `policies.random={kind="ring_hash", ring_size_cap=8388608, ` +
		`max_ring_size=8388608, min_ring_size=8388608}`
	const memory, cpu = " of memory, more than the limit of 4 GB, most of it for ",
		" of CPU time, more than the limit of 10 h, most of it for "
	for _, row := range []struct {
		set  []string
		want string
	}{
		{[]string{"clients.c={callers=1000000, count=100}"},
			"clients.c.callers: would take about 25 GB" + memory + "100 million callers"},
		{[]string{"clients.c.count=10000", "clients.c.rate=10000/s", "backends.b.count=2000",
			"policies.random.kind=round_robin"},
			"clients.c.count=10000: would take about 4.5 GB" + memory + "10000 channels"},
		{[]string{ring, "clients.c.count=20"}, "policies.random.min_ring_size: " +
			"would take about 4 GB" + memory + "170 million entries of rings in a run"},
		{[]string{"backends.b.count=1000000", "seeds=10"},
			"backends.b.count=1000000: would take about 4.6 GB" + memory + "1 million backends"},
		{[]string{"clients.c.rate=1000000000/s", "duration=10m"}, "clients.c.rate=1000000000/s: " +
			"would take about 4.2 days" + cpu + "600 billion RPCs in a run"},
		{[]string{"duration=876000h", "clients.c.rate=1000/s"},
			"clients.c.rate=1000/s: would take about 22 days" + cpu + "3.2 trillion RPCs"},
		{[]string{"duration=600s", `resolver={kind="dns", re_resolve="1ns"}`},
			"resolver.re_resolve: would take about 2.1 days" + cpu + "600 billion times"},
		{[]string{"duration=10m", "clients.c.rate=1000/s", "clients.c.idle_timeout=1ns"},
			"idle_timeout=1ns: would take about 2.1 days" + cpu + "600 billion times"},
		{[]string{"duration=10m",
			`policies.random={kind="outlier_detection", interval="1ns", child="random"}`},
			"policies.random.interval: would take about 2.1 days" + cpu + "600 billion times"},
		{[]string{"bin=100us", "backends.b.count=1000", "seeds=100"}, "bin=100us: would take " +
			"about 46 GB of disk, more than the limit of 10 GB, most of it for 10 million samples"},
		{[]string{"seeds=100000", "duration=10s", "clients.c.rate=1000/s", "backends.b.count=100"},
			"seeds=100000: would take about "},
	} {
		opt := experiments.Options{Set: row.set}
		file := fileOf(t, small)
		_, err := loadWithin(t, file, opt, 2<<20, 1<<18)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", row.set, err, row.want)
		}
		opt.Force = true
		if err != nil && !strings.Contains(err.Error(), "-force lifts the limit") {
			t.Errorf("%s: %v does not say what lifts the limit", row.set, err)
		}
		if _, err := loadWithin(t, file, opt, 2<<20, 1<<18); err != nil {
			t.Errorf("%s: by force: %v", row.set, err)
		}
	}
}

// How many RPCs clients begin is known within a factor of 3 of all that ships with lbsim.
func TestEstimatedRPCsAreAboutThoseThatRun(t *testing.T) {
	for _, name := range kept() {
		e, err := experiments.Load(name, experiments.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := runner.NewPlan(e).Variant(0)
		var estimate cost.Estimate
		estimate.Add(&v.Config, "", e.Point(0).Policies[0].Value, 1, 0)
		run := runOf(*v)
		measured := (v.Config.Duration - v.Config.Warmup).Seconds() / v.Config.Duration.Seconds()
		if got, want := estimate.RPCs*measured, float64(run.In); got > 3*want || got < want/3 {
			t.Errorf("%s: estimated %.0f RPCs, %.0f run", name, got, want)
		} else {
			t.Logf("%s: estimated %.0f RPCs, %.0f run", name, got, want)
		}
	}
}
