package runner

import (
	"slices"
	"testing"

	"lbsim/experiments/config"
)

// Which of two runs takes longer is clear in each row; the others keep their order.
func TestLongestFirst(t *testing.T) {
	for _, row := range []struct {
		what, values string
		want         []int
	}{
		{"clients.web.rate", `["10/s", "30/s", "20/s", "30.0/s"]`, []int{1, 3, 2, 0}},
		{"duration", `["20s", "60s", "40s"]`, []int{1, 2, 0}},
		{"clients.web.count", `[1, 100]`, []int{1, 0}}, // for the connections: the rate is of all
		{"backends.b.service", `["1ms", "10ms"]`, []int{0, 1}},
		{"clients.batch.think", `["1s", "10ms", "100ms"]`, []int{1, 2, 0}},
		{"clients.batch.requests", `[10, 20]`, []int{1, 0}},
		{"policies.random.kind", `["random", "round_robin"]`, []int{0, 1}},
	} {
		e := read(t, `
duration = "20s"
warmup = "1s"
[clients.web]
rate = "10/s"
[clients.batch]
callers = 2
think = "10ms"
[backends.b]
count = 10
service = "5ms"
[policies.random]
[sweep]
"`+row.what+`" = `+row.values+"\n", config.Options{})
		if got := NewPlan(e).schedule(0); !slices.Equal(got, row.want) {
			t.Errorf("%s of %s: in the order %v, want %v", row.what, row.values, got, row.want)
		}
		want := slices.DeleteFunc(row.want, func(i int) bool { return i == 0 })
		if got := NewPlan(e).schedule(1); !slices.Equal(got, want) {
			t.Errorf("%s of %s: from 1 in the order %v, want %v", row.what, row.values, got, want)
		}
	}
}

// With every seed come all points and policies, the longest first, before the next seed.
func TestSeedBySeed(t *testing.T) {
	e := read(t, `
[clients.web]
rate = "400/s"
[backends.b]
service = "10ms"
[policies.random]
[policies.again]
kind = "random"
[policies.least_request]
[sweep]
duration = ["20s", "30s"]
`, config.Options{Set: []string{"seeds=2"}, Policies: []string{"random", "least_request"}})
	// By point, policy and seed, 20 s first: 0 to 3; so 30 s has 4 to 7.
	if got, want := NewPlan(e).schedule(0), []int{4, 6, 0, 2, 5, 7, 1, 3}; !slices.Equal(got,
		want) {
		t.Errorf("in the order %v, want %v", got, want)
	}
}

// read reads an experiment.
func read(t *testing.T, text string, opt config.Options) *config.Experiment {
	t.Helper()
	e, err := config.Read(config.File{Name: "x.toml", Text: []byte(text)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
