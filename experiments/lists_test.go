package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
)

// measured runs an experiment and returns the measures of its runs.
func measured(t *testing.T, text string, set ...string) []*experiments.Measures {
	t.Helper()
	var all []*experiments.Measures
	e := load(t, text, set...)
	err := runner.NewPlan(e).Run(t.Context(), 2, func(_ int,
		m *experiments.Measures) {
		all = append(all, m)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// moving has RPCs that may be retried and wait for ready, and a list that changes after a second,
// while 5 ms of replies are on their way. Each backend is healthy: nothing fails.
const moving = `
duration = "2s"
service_config = '''{"methodConfig": [{"name": [{}], "waitForReady": true, "retryPolicy": {
	"maxAttempts": 3, "initialBackoff": "0.01s", "maxBackoff": "1s", "backoffMultiplier": 2,
	"retryableStatusCodes": ["UNAVAILABLE"]}}]}'''
[clients.w]
rate = "1000/s"
[backends.b]
count = 2
service = "1ms"
[network]
delay = "5ms"
[resolver]
kind = "script"
[policies.round_robin]
`

func TestListThatChangesMakesNoErrors(t *testing.T) {
	shrinks := `resolver.at={"0s"=["b"], "1s"=["b/0"]}`
	grows := `resolver.at={"0s"=["b/0"], "1s"=["b"]}`
	for _, set := range [][]string{
		{shrinks}, {shrinks, "warmup=1.5s"}, {grows, "clients.w.rate=200/s"},
	} {
		m := measured(t, moving, set...)[0]
		if len(m.Failed) > 0 || m.Codes["OK"] == 0 {
			t.Errorf("%v: codes %v, failed %v; want OK alone", set, m.Codes, m.Failed)
		}
		table := string(results(t, load(t, moving, set...), 1)["table.csv"])
		for _, row := range strings.Split(table, "\n") {
			if strings.Contains(row, ",errors_rps,") && !strings.HasSuffix(row, ",0") {
				t.Errorf("%v: want no errors in %s", set, row)
			}
		}
	}
}
