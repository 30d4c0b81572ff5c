package grpcgo

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/serviceconfig"

	"lbsim/experiments"
	"lbsim/experiments/analysis"
)

// team is a balancer of a team's own: the real round_robin, with a configuration that it must be
// given.
type team struct {
	balancer.Builder
	got *[]teamConfig
}

type teamConfig struct {
	serviceconfig.LoadBalancingConfig `json:"-"`

	Zone  string `json:"zone"`
	Spare int    `json:"spare,omitempty"`
}

func (team) Name() string { return "team_policy" }

func (team) ParseConfig(text json.RawMessage) (serviceconfig.LoadBalancingConfig, error) {
	c := teamConfig{Spare: 3}
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	if c.Zone == "" {
		return nil, errors.New("zone must be given")
	}
	return c, nil
}

func (b team) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	return teamBalancer{b.Builder.Build(cc, o), b.got}
}

type teamBalancer struct {
	balancer.Balancer
	got *[]teamConfig
}

func (b teamBalancer) UpdateClientConnState(s balancer.ClientConnState) error {
	*b.got = append(*b.got, s.BalancerConfig.(teamConfig))
	s.BalancerConfig = nil
	return b.Balancer.UpdateClientConnState(s)
}

// A service config that names a team's own balancer chooses that in a program which has it, and
// the next that is known in another, as with grpc-go. Inside random_subsetting it reads what is
// written of what it has read: so a 0 that is left out becomes its default.
func TestServiceConfigsNameBalancersOfOnesOwn(t *testing.T) {
	var got []teamConfig
	balancer.Register(team{balancer.Get("round_robin"), &got})
	ours := Balancer{Name: "team_policy"}
	text := func(policies, rest string) string {
		return fmt.Sprintf(`
duration = "1s"
service_config = '''{"loadBalancingConfig":[%s]}'''
[clients.web]
rate     = "100/s"
[backends.b]
count    = 3
service  = "1ms"
%s`, policies, rest)
	}
	const own, other = `{"team_policy":{"zone":"z","spare":0}}`, `{"round_robin":{}}`
	subset := func(child string) string {
		return `{"random_subsetting_experimental":{"subsetSize":2,"childPolicy":[` + child + `]}}`
	}
	txt := `[resolver]
kind = "dns"
txt  = { "0s" = '''[{"serviceConfig":{"loadBalancingConfig":[` + own + `]}}]''' }
[policies.p]
kind = "service_config"
`
	for _, c := range []struct {
		is   string
		text string
		has  []Balancer
		want []teamConfig
	}{
		{"a program that has it", text(own+","+other, ""), []Balancer{ours},
			[]teamConfig{{Zone: "z"}}},
		{"one that has it not", text(own+","+other, ""), nil, nil},
		{"inside another", text(subset(own+","+other), ""), []Balancer{ours},
			[]teamConfig{{Zone: "z", Spare: 3}}},
		{"inside another, not there", text(subset(own+","+other), ""), nil, nil},
		{"by name resolution", text(other, txt), []Balancer{ours}, []teamConfig{{Zone: "z"}}},
	} {
		got = nil
		runs := run(t, load(t, c.text, c.has...))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: its configs are %v, want %v", c.is, got, c.want)
		}
		marked := slices.ContainsFunc(runs[0].Warnings, func(w experiments.Warning) bool {
			return w.Kind == analysis.Unrepeatable
		})
		if ok := runs[0].Codes["OK"]; ok < 80 || marked != (c.want != nil) {
			t.Errorf("%s: %d RPCs OK; warned that runs differ: %t", c.is, ok, marked)
		}
	}
	_, err := tryLoad(t, text(`{"team_policy":{}},`+other, ""), ours)
	const want = "loadBalancingConfig[0].team_policy: zone must be given; grpc-go refuses"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a config that it refuses: %v, want %q", err, want)
	}
}
