package experiments_test

import (
	"strings"
	"testing"

	"lbsim/experiments"
)

func TestWrongLoadReports(t *testing.T) {
	for _, row := range []struct{ old, new, want string }{
		{`count   = 2
service`, `load_report = "percall"
service`, `my.toml:12: backends.fast.load_report: ` +
			`unknown load report "percall"; did you mean per_call?`},
		{`count   = 2
service`, `load_report = true
service`, `my.toml:12: backends.fast.load_report: unknown load report "true"`},
		{`count   = 2
service`, `load_report = "both"
load_window = "0s"
service`, `my.toml:13: backends.fast.load_window: must be at least 1ms (is 0s)`},
		{`count   = 2
service`, `load_report = "both"
min_reporting_interval = "10us"
service`, `my.toml:13: backends.fast.min_reporting_interval: must be at least 1ms (is 10us)`},
		{`"least_request"
choice_count = 2`, `"weighted_round_robin"
error_utilization_penalty = -1`, `my.toml:28: policies.p2c.error_utilization_penalty: ` +
			`must be non-negative (is -1)`},
		{`"least_request"
choice_count = 2`, `"weighted_round_robin"
blackout_period = 10`, `my.toml:28: policies.p2c.blackout_period: missing unit in "10"`},
		{`"least_request"
choice_count = 2`, `"weighted_round_robin"
blackout_period = "-1s"`, `my.toml:28: policies.p2c.blackout_period: must not be negative`},
	} {
		if !strings.Contains(good, row.old) {
			t.Fatalf("%q is not in the file", row.old)
		}
		file := write(t, map[string]string{"my.toml": strings.Replace(good, row.old, row.new, 1)})
		_, err := experiments.Load(file, experiments.Options{})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", row.new, err, row.want)
		}
	}
}
