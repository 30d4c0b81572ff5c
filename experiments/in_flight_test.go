package experiments_test

import "testing"

// Callers that hang on a black-holed backend are in flight there, though it has heard of none of
// them: the backend that looks idle would be the one that holds everybody up. Of 200 callers each
// waits for one RPC, so over all backends 200 are in flight.
func TestInFlightCountsWhereClientsWait(t *testing.T) {
	e := load(t, `
duration = "30s"
[clients.web]
callers = 200
timeout = "3s"
[backends.b]
count   = 4
workers = 100
service = "10ms"
[failures.gone]
kind     = "blackhole"
backends = ["b/1"]
from     = "5s"
[policies.least_request]
choice_count = 3
`)
	rows := tableOf(t, results(t, e, 1)["table.csv"], 0)[runName{"least_request", "1", ""}]
	for _, at := range []string{"3", "20", "29"} {
		hanging := rows[[3]string{"inflight_count", "backend:b/1", at}]
		total := 0.0
		for row, n := range rows {
			if row[0] == "inflight_count" && row[2] == at {
				total += n
			}
		}
		if total < 199.9 || total > 200.1 {
			t.Errorf("at %s s %v are in flight in all, want 200", at, total)
		}
		if at != "3" && hanging < 100 || at == "3" && hanging > 60 {
			t.Errorf("at %s s %v of 200 callers hang on b/1", at, hanging)
		}
	}
	whole := rows[[3]string{"inflight_mean_count", "backend:b/1", ""}]
	if whole < 100 {
		t.Errorf("%v in flight at b/1 on the mean, want most of the 200 callers", whole)
	}
}
