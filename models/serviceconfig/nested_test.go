package serviceconfig

import (
	"strings"
	"testing"
	"time"

	"lbsim/policies"
)

// Parts that are absent are off; those that are there have defaults of their own, each time anew.
func TestOutlierDetection(t *testing.T) {
	const path = "loadBalancingConfig[0].outlier_detection_experimental"
	defaults := policies.OutlierDetection{
		Interval: 10 * time.Second, BaseEjectionTime: 30 * time.Second,
		MaxEjectionTime: 300 * time.Second, MaxEjectionPercent: 10,
		Child: policies.PickFirst{},
	}
	rate := &policies.SuccessRateEjection{StdevFactor: 1900, EnforcementPercentage: 100,
		MinimumHosts: 5, RequestVolume: 100}
	failures := &policies.FailurePercentageEjection{Threshold: 85, MinimumHosts: 5,
		RequestVolume: 50}
	for _, row := range []struct {
		options string
		want    func(p *policies.OutlierDetection)
		refused string
	}{
		{``, func(*policies.OutlierDetection) {}, ""},
		{`"interval":"1.5s","baseEjectionTime":"0s","maxEjectionPercent":0`,
			func(p *policies.OutlierDetection) {
				p.Interval, p.BaseEjectionTime, p.MaxEjectionPercent = 1500*ms, 0, 0
			}, ""},
		{`"successRateEjection":{}`,
			func(p *policies.OutlierDetection) { p.SuccessRateEjection = rate }, ""},
		{`"successRateEjection":null,"failurePercentageEjection":{}`,
			func(p *policies.OutlierDetection) { p.FailurePercentageEjection = failures }, ""},
		{`"successRateEjection":{"requestVolume":5},"successRateEjection":{"stdevFactor":1900}`,
			func(p *policies.OutlierDetection) { p.SuccessRateEjection = rate }, ""},
		{`"failurePercentageEjection":{"threshold":0,"minimumHosts":0,"requestVolume":0}`,
			func(p *policies.OutlierDetection) {
				p.FailurePercentageEjection = new(policies.FailurePercentageEjection)
			}, ""},
		{`"successRateEjection":{"enforcementPercentage":101}`, nil,
			".successRateEjection.enforcementPercentage: must be <= 100 (is 101)"},
		{`"interval":"-1s"`, nil, ".interval: must be >= 0 (is -1s)"},
		{`"maxEjectionTime":null`, nil,
			`.maxEjectionTime: must be seconds as text, such as "1.5s" (is null)`},
		{`"childPolicy":null`, nil, ".childPolicy: must be a policy; grpc-go takes it"},
	} {
		text := `{"loadBalancingConfig":[{"outlier_detection_experimental":{` +
			`"childPolicy":[{"pick_first":{}}]`
		if row.options != "" {
			text += "," + row.options
		}
		c, err := Parse([]byte(text+`}}]}`), catalog)
		if row.want == nil {
			if err == nil || !strings.HasPrefix(err.Error(), path+row.refused) {
				t.Errorf("%s:\ngot  %v\nwant %s", row.options, err, row.refused)
			}
			continue
		}
		want := defaults
		row.want(&want)
		if err != nil || !equal(c.Policy, want) {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", row.options, show(c.Policy), err, show(want))
		}
	}
}

// Drops and the limit are not for a service config to say.
func TestClusterImpl(t *testing.T) {
	c := mustParse(t, `{"loadBalancingConfig":[{"xds_cluster_impl_experimental":{"cluster":"c",
		"drops":5,"maxRequests":5,"max_requests":5,"childPolicy":[{"pick_first":{}}]}}]}`)
	want := policies.ClusterImpl{Cluster: "c", MaxRequests: 1024, Child: policies.PickFirst{}}
	if !equal(c.Policy, want) {
		t.Errorf("got %s, want %s", show(c.Policy), show(want))
	}
}

func TestGRPCLB(t *testing.T) {
	c := mustParse(t, `{"loadBalancingConfig":[{"grpclb":{"childPolicy":[{"fancy":{}},
		{"pick_first":5}],"serviceName":"s","balancer":5}}]}`)
	want := policies.GRPCLB{PickFirst: true, ServiceName: "s"}
	if !equal(c.Policy, want) {
		t.Errorf("got %s, want %s", show(c.Policy), show(want))
	}
}

// A config without a policy inside is good for grpc-go, until it runs.
func TestOutlierDetectionNeedsAChild(t *testing.T) {
	for _, text := range []string{
		`{"loadBalancingConfig":[{"outlier_detection_experimental":{}}]}`,
		`{"loadBalancingConfig":[{"outlier_detection_experimental":null}]}`,
		`{"loadBalancingPolicy":"outlier_detection_experimental"}`,
		`{"loadBalancingConfig":[{"xds_cluster_impl_experimental":{"cluster":"c"}}]}`,
	} {
		_, err := Parse([]byte(text), catalog)
		bad, ok := err.(*Error)
		if !ok || !bad.Valid || !strings.Contains(err.Error(), "panics or hangs") {
			t.Errorf("%s: %v, want an error about the panic", text, err)
		}
	}
}
