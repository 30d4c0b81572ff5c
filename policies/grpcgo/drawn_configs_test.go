package grpcgo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// drawn writes service configs at random. What is drawn of each field is often absent, often 0.
type drawn struct {
	*rapid.T
	wrong bool // now and then a value is one that is refused
}

func (d drawn) chance(percent int, what string) bool {
	return rapid.IntRange(0, 99).Draw(d.T, what) < percent
}

// options are an object of fields, each with the texts that its value may be, in which the zero
// comes first.
func (d drawn) options(fields map[string][]string, more ...string) string {
	members := more
	for _, name := range sorted(fields) {
		values := fields[name]
		switch n := rapid.IntRange(0, 99).Draw(d.T, name); {
		case n < 40:
		case n < 65:
			members = append(members, fmt.Sprintf("%q:%s", name, values[0]))
		case n < 68 && d.wrong:
			wrong := []string{"null", `"x"`, "-1", `"-1s"`, "101", "{}", "0.0", "1e3"}
			members = append(members, fmt.Sprintf("%q:%s", name,
				rapid.SampledFrom(wrong).Draw(d.T, "wrong")))
		default:
			members = append(members, fmt.Sprintf("%q:%s", name,
				rapid.SampledFrom(values).Draw(d.T, name)))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// leaves are the options of policies that have no child.
var leaves = map[string]map[string][]string{
	"pick_first":  {"shuffleAddressList": {"false", "true"}},
	"round_robin": {},
	"least_request_experimental": {
		"choiceCount": {"2", "3", "10", "11", "100"},
	},
	"ring_hash_experimental": {
		"minRingSize": {"0", "1", "100", "5000"}, "maxRingSize": {"0", "6000", "8388608"},
		"requestHashHeader": {`""`, `"x-key"`, `"X-KEY"`},
	},
	"weighted_round_robin": {
		"enableOobLoadReport": {"false", "true"}, "oobReportingPeriod": {`"0s"`, `"1s"`, `"0.5s"`},
		"blackoutPeriod":          {`"0s"`, `"0.000s"`, `"-0s"`, `"2s"`, `"-1s"`},
		"weightExpirationPeriod":  {`"0s"`, `"20s"`, `"0.000000001s"`},
		"weightUpdatePeriod":      {`"0s"`, `"0.05s"`, `"3s"`, `"9223372036.854775807s"`},
		"errorUtilizationPenalty": {"0", "0.0", "-0.0", "0.3", "1e-300"},
	},
}

var (
	outlierFields = map[string][]string{
		"interval": {`"0s"`, `"1s"`, `"7.5s"`}, "baseEjectionTime": {`"0s"`, `"2s"`},
		"maxEjectionTime": {`"0s"`, `"99s"`}, "maxEjectionPercent": {"0", "1", "100"},
	}
	rateFields = map[string][]string{
		"stdevFactor": {"0", "1", "4294967295"}, "enforcementPercentage": {"0", "7", "100"},
		"minimumHosts": {"0", "2"}, "requestVolume": {"0", "9"},
	}
	percentageFields = map[string][]string{
		"threshold": {"0", "50", "100"}, "enforcementPercentage": {"0", "100"},
		"minimumHosts": {"0", "2"}, "requestVolume": {"0", "9"},
	}
)

var composite = []string{"outlier_detection_experimental", "random_subsetting_experimental",
	"weighted_target_experimental", "priority_experimental", "xds_wrr_locality_experimental",
	"xds_cluster_impl_experimental"}

// policy is one with its options, and with children up to so many levels.
func (d drawn) policy(levels int) string {
	names := sorted(leaves)
	if levels > 0 {
		names = append(composite, composite...)
		names = append(names, sorted(leaves)...)
	}
	name := rapid.SampledFrom(names).Draw(d.T, "policy")
	var options string
	child := func(field string) string { return fmt.Sprintf("%q:%s", field, d.list(levels-1)) }
	switch name {
	case "outlier_detection_experimental":
		more := []string{child("childPolicy")}
		if d.chance(60, "rate") {
			more = append(more, `"successRateEjection":`+d.options(rateFields))
		}
		if d.chance(60, "percentage") {
			more = append(more, `"failurePercentageEjection":`+d.options(percentageFields))
		}
		options = d.options(outlierFields, more...)
	case "random_subsetting_experimental":
		options = d.options(map[string][]string{"subsetSize": {"1", "3", "0"}},
			child("childPolicy"), `"subsetSize":2`)
	case "weighted_target_experimental":
		var targets []string
		for _, name := range []string{"a", "b"} {
			if d.chance(70, "target") {
				targets = append(targets, fmt.Sprintf("%q:%s", name, d.options(
					map[string][]string{"weight": {"0", "1", "4000000000"}}, child("childPolicy"))))
			}
		}
		options = `{"targets":{` + strings.Join(targets, ",") + `}}`
	case "priority_experimental":
		options = `{"priorities":["p0"],"children":{"p0":` + d.options(map[string][]string{
			"ignoreReresolutionRequests": {"false", "true"}}, child("config")) + `}}`
	case "xds_wrr_locality_experimental":
		options = "{" + child("childPolicy") + "}"
	case "xds_cluster_impl_experimental":
		options = d.options(map[string][]string{"cluster": {`""`, `"c"`}}, child("childPolicy"))
	default:
		options = d.options(leaves[name])
	}
	return fmt.Sprintf("{%q:%s}", name, options)
}

// list is a list of policies of which one is known, mostly the first.
func (d drawn) list(levels int) string {
	list := d.policy(levels)
	if d.chance(10, "unknown") {
		list = `{"of_nobody":{"a":0}},` + list
	}
	if d.chance(10, "rest") {
		list += `,{"round_robin":{}}`
	}
	return "[" + list + "]"
}
