package command

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/plots"
	"lbsim/policies"
)

func draw(*plots.Point) *plots.Figure { return nil }

func TestKindsJoinTheShippedOnes(t *testing.T) {
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, further: Kinds{
		Policies:  map[string]policies.Policy{"mine": policies.Random{}},
		Failures:  map[string]models.Failure{"my_failure": failures.Crash{}},
		Resolvers: map[string]models.Resolver{"my_resolver": resolvers.Static{}},
		Distributions: map[string]dist.Kind{"my_dist": {
			Aliases: []string{"md"}, Parse: dist.Catalog["constant"].Parse,
		}},
		Plots: map[string]plots.Kind{"my-plot": {Doc: "what I see", Draw: draw}},
	}}
	if code := a.main(context.Background(), []string{"list"}); code != exitDone {
		t.Fatal(errs.String())
	}
	for _, want := range []string{"\n  mine ", "\n  round_robin ", "\n  my-plot ", "\n  latency ",
		"\n  my_failure ", "\n  my_resolver ", "\n  my_dist, md "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the list lacks %q:\n%s", want, &out)
		}
	}
}

// A name that is taken is refused whatever the command: an experiment could mean either kind.
func TestKindsThatClashAreRefused(t *testing.T) {
	for _, test := range []struct {
		kinds Kinds
		want  string
	}{
		{Kinds{Policies: map[string]policies.Policy{"random": policies.Random{}}},
			`lbsim: policies: there is a kind "random" already`},
		{Kinds{Distributions: map[string]dist.Kind{"exp": {}}},
			`lbsim: distributions: there is a kind "exp" already`},
		{Kinds{Plots: map[string]plots.Kind{"share": {Draw: draw}}},
			`lbsim: plots: there is a kind "share" already`},
	} {
		var out, errs bytes.Buffer
		a := &app{stdout: &out, stderr: &errs, further: test.kinds}
		code := a.main(context.Background(), []string{"version"})
		if code != exitFailed || errs.String() != test.want+"\n" {
			t.Errorf("exit code %d, stderr %q, want %q", code, &errs, test.want)
		}
	}
}
