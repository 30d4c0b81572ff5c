package experiments_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// small is an experiment whose sizes the tests change.
const small = `duration = "1s"
[clients.c]
rate = "10/s"
[backends.b]
service = "1ms"
[policies.random]
`

// loadWithin loads an experiment, of which it may allocate so many bytes in all, and keep so many.
func loadWithin(
	t *testing.T, file string, opt experiments.Options, all, kept uint64,
) (*experiments.Experiment, error) {
	t.Helper()
	var before, after, rest runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	e, err := experiments.Load(file, opt)
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&rest)
	if got := after.TotalAlloc - before.TotalAlloc; got > all {
		t.Errorf("%d bytes are allocated, at most %d are to be", got, all)
	}
	if got := int64(rest.HeapAlloc) - int64(before.HeapAlloc); got > int64(kept) {
		t.Errorf("%d bytes are kept, at most %d are to be", got, kept)
	}
	runtime.KeepAlive(e)
	return e, err
}

// Seeds are counted, never listed.
func TestABillionSeedsAreRefusedAtOnce(t *testing.T) {
	for _, set := range []string{"seeds=1000000000", "seeds=9223372036854775807"} {
		_, err := loadWithin(t, fileOf(t, small), experiments.Options{Set: []string{set}}, 1<<20,
			1<<18)
		if err == nil || !strings.Contains(err.Error(), "runs, which are too many") {
			t.Errorf("%s: got %v", set, err)
		}
	}
}

// What a point of a sweep takes does not grow with the number of points, and none is kept.
func TestPointsOfASweepAreMadeOneByOne(t *testing.T) {
	var rates strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&rates, "\"%d/s\", ", i+1)
	}
	file := fileOf(t, small+"[sweep]\n\"clients.c.rate\" = ["+rates.String()+"]\n")
	e, err := loadWithin(t, file, experiments.Options{}, 400<<20, 8<<20)
	if err != nil {
		t.Fatal(err)
	}
	plan := runner.NewPlan(e)
	if v := plan.Variant(4321); plan.Runs() != 10_000 || v.Point[0] != "4322/s" ||
		v.Config.Clients[0].Rate != 4322 {
		t.Errorf("run 4321 of %d has the rate %v, %q; want 4322 of 10000",
			plan.Runs(), v.Config.Clients[0].Rate, v.Point)
	}
}

// Points share what is made of texts that are the same: a table of a million keys, a file.
func TestPointsShareTables(t *testing.T) {
	var data strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&data, "%dus\n", i+1)
	}
	file := fileOf(t, strings.NewReplacer("rate = \"10/s\"",
		"rate = \"10/s\"\nkey_header = \"x\"\nkey = \"zipf(n=1000000, s=1)\"",
		"\"1ms\"", "\"file(data.csv)\"").Replace(small)+
		"[sweep]\n\"backends.b.count\" = [1"+manyCounts(1000)+"]\n")
	err := os.WriteFile(filepath.Join(filepath.Dir(file), "data.csv"), []byte(data.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	// One table of 8 MB, and the durations; a thousand of each were 10 GB.
	e, err := loadWithin(t, file, experiments.Options{}, 64<<20, 16<<20)
	if err != nil {
		t.Fatal(err)
	}
	plan := runner.NewPlan(e)
	a, b := plan.Variant(0).Config, plan.Variant(999).Config
	if a.Backends[0].Service != b.Backends[0].Service || b.Backends[0].Count != 1000 {
		t.Error("two points have durations of their own")
	}
}

// manyCounts lists the numbers from 2 on, each behind a comma.
func manyCounts(most int) string {
	var list strings.Builder
	for i := 2; i <= most; i++ {
		fmt.Fprintf(&list, ", %d", i)
	}
	return list.String()
}
