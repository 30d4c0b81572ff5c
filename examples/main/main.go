// The program is lbsim with kinds of its own: a policy and a failure of other modules, a
// distribution and a plot.
package main

import (
	"example.com/failure"
	"example.com/policy"

	"lbsim/command"
	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/plots"
	"lbsim/policies"
)

func main() {
	command.Main(command.Kinds{
		Policies:      map[string]policies.Policy{"fastest": policy.Default},
		Failures:      map[string]models.Failure{"crash_loop": failure.Default},
		Distributions: map[string]dist.Kind{"triangular": triangularKind},
		Plots:         map[string]plots.Kind{"rate-over-time": rateOverTime},
	})
}

var rateOverTime = plots.Kind{
	Doc:     "RPCs that end per second over time, one line a policy",
	Metrics: map[string]plots.X{"rate_rps": plots.Seconds},
	Draw: func(p *plots.Point) *plots.Figure {
		return p.OverTime("RPCs that end per second", "RPC/s", "rate_rps", "time")
	},
}
