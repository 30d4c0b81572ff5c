package experiments_test

import (
	"fmt"
	"testing"

	"lbsim/experiments"
	"lbsim/experiments/runner"
	"lbsim/policies"
)

// One of three backends is in trouble from 10s on, for longer than any registry needs. As long as
// the clients list it 100 RPCs a second go to it, evenly, so those lost say how long that was.
const silent = `# When does a registry notice?
seeds    = 3
duration = "90s"
[clients.web]
count    = 3
rate     = "300/s"
arrivals = "even"
timeout  = "1s"
[backends.b]
count   = 3
workers = 10
service = "10ms"
[resolver]
%s
[failures.trouble]
kind     = %q
backends = ["b/1"]
from     = "10s"
to       = "80s"
[policies.round_robin]
`

func TestRegistriesNoticeABlackHole(t *testing.T) {
	for _, row := range []struct {
		resolver    string
		least, most int // seconds that the backend is listed while nothing gets through
	}{
		// The lease is renewed each 2s and runs out within 5s and, as etcd looks for it, 0.5s.
		{"kind = \"etcd\"", 3, 6},
		{"kind = \"etcd\"\nlease = \"30s\"", 19, 31}, // renewed each 10.5s
		// Beats each 5s, good for 30s, and looks each 5s.
		{"kind = \"nacos\"", 25, 35},
		{"kind = \"nacos\"\nhealthy_only = true", 10, 20},
		// A check each 10s, and its timeout.
		{"kind = \"consul\"\ncheck_timeout = \"1s\"", 1, 11},
		{"kind = \"consul\"\ncheck = \"tcp\"", 10, 20},
		{"kind = \"consul\"\ncheck = \"ttl\"", 10, 20}, // two intervals from the last report
		// Signs of a node each 10s, good for 50s, and looks each 5s.
		{"kind = \"push\"", 40, 55},
		{"kind = \"push\"\nnode_grace = \"20s\"\ndelay = \"2s\"", 12, 27},
		// Nobody looks: what was sent waits for TCP's next retransmission, after the end as well.
		{"kind = \"push\"\nsource = \"none\"", 70, 80},
		{"kind = \"static\"", 70, 80},
	} {
		e, err := experiments.Parse("x.toml", []byte(fmt.Sprintf(silent, row.resolver,
			"blackhole")), experiments.Options{})
		if err != nil {
			t.Fatalf("%s: %v", row.resolver, err)
		}
		plan := runner.NewPlan(e)
		for i := range plan.Runs() {
			v := *plan.Variant(i)
			lost := 0
			for _, r := range rpcsOf(v) {
				switch r.code {
				case policies.OK:
				case policies.DeadlineExceeded:
					lost++
				default:
					t.Fatalf("%s: an RPC ends %v", row.resolver, r.code)
				}
			}
			// Of what is on its way at 10s and at the end of the listing some is lost too.
			if lost < 100*row.least-10 || lost > 100*row.most+10 {
				t.Errorf("%s, seed %d: %d RPCs are lost, want %d to %d s of 100 each",
					row.resolver, v.Config.Seed, lost, row.least, row.most)
			}
		}
	}
}
