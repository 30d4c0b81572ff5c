package serviceconfig

import (
	"fmt"
	"testing"
	"time"

	"lbsim/policies"
)

// Below policies of which grpc-go writes the child's config anew, what is 0 becomes the default,
// however deep it stands; but not where the parser has made something else of a 0, nor below
// others.
func TestZerosBelowPoliciesThatWriteConfigsAnew(t *testing.T) {
	const zeros = `{"weighted_round_robin":{"enableOobLoadReport":true,"oobReportingPeriod":"0s",
		"blackoutPeriod":"0s","weightExpirationPeriod":"0s","weightUpdatePeriod":"0s",
		"errorUtilizationPenalty":0.0}}`
	const outliers = `{"outlier_detection_experimental":{"interval":"0s","baseEjectionTime":"0s",
		"maxEjectionTime":"0s","maxEjectionPercent":0,
		"successRateEjection":{"stdevFactor":0,"enforcementPercentage":0,"minimumHosts":0,
			"requestVolume":0},
		"failurePercentageEjection":{"threshold":0,"enforcementPercentage":0,"minimumHosts":0,
			"requestVolume":0},"childPolicy":[%s]}}`
	const s = time.Second
	kept := policies.WeightedRoundRobin{EnableOOB: true}
	defaults := policies.WeightedRoundRobin{EnableOOB: true, OOBPeriod: 10 * s,
		BlackoutPeriod: 10 * s, ExpirationPeriod: 180 * s, ErrorPenalty: 1}
	detection := policies.OutlierDetection{Interval: 10 * s, BaseEjectionTime: 30 * s,
		MaxEjectionTime: 300 * s, MaxEjectionPercent: 10,
		SuccessRateEjection: &policies.SuccessRateEjection{StdevFactor: 1900,
			EnforcementPercentage: 100, MinimumHosts: 5, RequestVolume: 100},
		FailurePercentageEjection: &policies.FailurePercentageEjection{Threshold: 85,
			MinimumHosts: 5, RequestVolume: 50},
		Child: defaults}
	allZero := policies.OutlierDetection{
		SuccessRateEjection:       new(policies.SuccessRateEjection),
		FailurePercentageEjection: new(policies.FailurePercentageEjection), Child: kept}
	nested := fmt.Sprintf(outliers, zeros)
	for _, row := range []struct {
		policy string
		want   policies.Policy
	}{
		{`{"random_subsetting_experimental":{"subsetSize":3,"childPolicy":[` + zeros + `]}}`,
			policies.RandomSubsetting{SubsetSize: 3, Child: defaults}},
		{`{"xds_wrr_locality_experimental":{"childPolicy":[` + zeros + `]}}`,
			policies.WRRLocality{Child: defaults}},
		{`{"xds_cluster_impl_experimental":{"cluster":"c","childPolicy":[` + zeros + `]}}`,
			policies.ClusterImpl{Cluster: "c", MaxRequests: 1024, Child: defaults}},
		{`{"random_subsetting_experimental":{"subsetSize":3,"childPolicy":[` + nested + `]}}`,
			policies.RandomSubsetting{SubsetSize: 3, Child: detection}},
		{nested, allZero},
		{`{"weighted_target_experimental":{"targets":{
			"a":{"weight":1,"childPolicy":[` + zeros + `]},
			"b":{"childPolicy":[{"xds_cluster_impl_experimental":{"childPolicy":[` + zeros + `]}}]}
			}}}`,
			policies.WeightedTarget{Targets: map[string]policies.Target{
				"a": {Weight: 1, Child: kept},
				"b": {Child: policies.ClusterImpl{MaxRequests: 1024, Child: defaults}}}}},
	} {
		c := mustParse(t, `{"loadBalancingConfig":[`+row.policy+`]}`)
		if !equal(c.Policy, row.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", row.policy, show(c.Policy), show(row.want))
		}
	}
}

func TestFieldsSayWhatBecomesOfZeros(t *testing.T) {
	c := mustParse(t, `{"loadBalancingConfig":[{"random_subsetting_experimental":{"subsetSize":3,
		"childPolicy":[{"weighted_round_robin":{"blackoutPeriod":"0s"}}]}}]}`)
	const at = "loadBalancingConfig[0].random_subsetting_experimental.childPolicy[0]." +
		"weighted_round_robin.blackoutPeriod"
	want := Field{at, Simulated, "becomes the default, 10s: grpc-go's " +
		"random_subsetting_experimental writes the config of its child anew and leaves zeros out"}
	for _, f := range c.Fields {
		if f == want {
			return
		}
	}
	t.Errorf("got %v, want among them %v", c.Fields, want)
}
