package config

import (
	"strings"
	"testing"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/models/failures"
	"lbsim/models/resolvers"
	"lbsim/options"
	"lbsim/policies"
)

func TestKindsThatClashAreRefused(t *testing.T) {
	for _, test := range []struct {
		kinds Kinds
		want  string
	}{
		{Kinds{Policies: options.Catalog[policies.Policy]{"random": policies.Random{}}},
			`policies: there is a kind "random" already`},
		{Kinds{Policies: options.Catalog[policies.Policy]{"service_config": policies.Random{}}},
			`policies: there is a kind "service_config" already`},
		{Kinds{Policies: options.Catalog[policies.Policy]{"mine": &policies.Random{}}},
			`policies: kind "mine" must be a struct (is *policies.Random)`},
		{Kinds{Policies: options.Catalog[policies.Policy]{"mine": nil}},
			`policies: kind "mine" must be a struct (is <nil>)`},
		{Kinds{Failures: options.Catalog[models.Failure]{"crash": failures.Crash{}}},
			`failures: there is a kind "crash" already`},
		{Kinds{Resolvers: options.Catalog[models.Resolver]{"dns": resolvers.DNS{}}},
			`resolvers: there is a kind "dns" already`},
		{Kinds{Distributions: options.Catalog[dist.Kind]{"exp": {}}},
			`distributions: there is a kind "exp" already`},
		{Kinds{Distributions: options.Catalog[dist.Kind]{"mine": {Aliases: []string{"gamma"}}}},
			`distributions: there is a kind "gamma" already`},
		{Kinds{Distributions: options.Catalog[dist.Kind]{"mine": {}}},
			`distributions: kind "mine" has no Parse`},
	} {
		if _, err := test.kinds.WithShipped(); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
		_, err := Read(File{Name: "x.toml"}, Options{Kinds: test.kinds})
		if err == nil || err.Error() != test.want {
			t.Errorf("Read: error %v, want %s", err, test.want)
		}
	}
}

// mine is a policy of another module.
type mine struct {
	policies.Random
	Every int `toml:"every" json:"every"`
}

// hiccup is a failure of another module.
type hiccup struct {
	failures.Crash
	Backends []string `toml:"backends"`
}

func (h hiccup) Check(c *models.Config) error { return failures.CheckWindow(c, h.Backends, 0, 0) }

// Kinds of another module stand inside shipped ones, in service configs and in what is resolved.
func TestFurtherKinds(t *testing.T) {
	kinds := Kinds{
		Policies: options.Catalog[policies.Policy]{"mine": mine{Every: 3}},
		Failures: options.Catalog[models.Failure]{"hiccup": hiccup{}},
		Distributions: options.Catalog[dist.Kind]{"fixed": {
			Forms: []string{"fixed(at=1ms)"},
			Parse: func(c dist.Call) (dist.Distribution, error) {
				a, err := c.Args()
				if err != nil {
					return nil, err
				}
				return fixed{dist.Constant(a.Duration("at")), a.String()}, a.Err()
			},
		}},
	}
	const text = `duration = "2s"
service_config = '{"loadBalancingConfig": [{"mine": {"every": 7}}]}'
[clients.c]
rate = "10/s"
[backends.b]
service = "fixed(at=3ms)"
[failures.hiccup]
backends = ["b"]
[policies.configured]
kind = "service_config"
[policies.inside]
kind = "priority"
priorities = ["p"]
children.p = { child = { kind = "mine", every = 5 } }
`
	e, err := Read(File{Name: "x.toml", Text: []byte(text)}, Options{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.base.servicePolicy(); got != (mine{Every: 7}) {
		t.Errorf("the service config has %#v", got)
	}
	resolved := e.Resolved()
	for _, want := range []string{
		`child = { kind = "mine", every = 5 }`, `kind = "hiccup"`, `"fixed(at=3ms)"`,
	} {
		if !strings.Contains(resolved, want) {
			t.Errorf("%s is not in what is resolved:\n%s", want, resolved)
		}
	}
	again, err := Read(File{Name: "x.toml", Text: []byte(resolved)}, Options{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	if again.Resolved() != resolved {
		t.Errorf("resolved again:\n%s\nwant\n%s", again.Resolved(), resolved)
	}
	_, err = Read(File{Name: "x.toml", Text: []byte(text)}, Options{})
	if err == nil || !strings.Contains(err.Error(), `unknown distribution "fixed"`) {
		t.Errorf("without the kinds: error %v", err)
	}
}

// fixed is a distribution of another module.
type fixed struct {
	dist.Constant
	text string
}

func (f fixed) String() string { return f.text }
