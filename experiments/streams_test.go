package experiments_test

import "testing"

// With one stream a connection, of which the watches of health and of load take one each, no RPC
// gets one, and each waits until its deadline: when the watch of the load ends, for the backend
// reports none, the other still has the only stream. Nothing is ever sent.
func TestWatchesLeaveNoStreamToRPCs(t *testing.T) {
	m := measured(t, `
duration = "5s"
service_config = '''{"healthCheckConfig": {"serviceName": "s"}}'''
[clients.c]
count   = 20
rate    = "1000/s"
timeout = "300ms"
[backends.b]
service = "1ms"
max_concurrent_streams = 1
max_connection_age = "300ms"
load_report = "per_call"
[network]
delay = "uniform(min=1ms, max=50ms)"
[policies.weighted_round_robin]
enable_oob_load_report = true
`)[0]
	if m.Codes["OK"] > 0 || m.Codes["DEADLINE_EXCEEDED"] == 0 || m.Backends[0].Attempts > 0 {
		t.Errorf("codes %v, %d attempts; want deadlines and nothing sent", m.Codes,
			m.Backends[0].Attempts)
	}
	for _, w := range m.Warnings {
		if w.Kind == "bug" {
			t.Error(w.Text)
		}
	}
}
