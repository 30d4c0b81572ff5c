package grpcgo

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/grpc/balancer"
	"pgregory.net/rapid"

	"lbsim/models/serviceconfig"
	"lbsim/sim"
)

// played writes policies with options that can be played in lockstep: with nothing left to a chance
// that cannot be taken over. Names are those of grpc-go, with tapped_ or child_ before them where
// a policy inside another is to be listened to.
type played struct {
	drawn
	outliers bool // there is an outlier_detection
}

var playedLeaves = map[string]map[string][]string{
	"pick_first":                 {"shuffleAddressList": {"false", "true"}},
	"round_robin":                {},
	"least_request_experimental": {"choiceCount": {"2", "3", "11"}},
	"weighted_round_robin": {
		"enableOobLoadReport": {"false", "true"}, "oobReportingPeriod": {`"0s"`, `"1s"`},
		"blackoutPeriod": {`"0s"`, `"0s"`, `"2s"`}, "weightExpirationPeriod": {`"0s"`, `"20s"`},
		"weightUpdatePeriod":      {`"0s"`, `"0.7s"`, `"3s"`},
		"errorUtilizationPenalty": {"0", "0.3"},
	},
}

// leaf is a policy without a child, of a name that begins so.
func (p *played) leaf(begin string) string {
	name := rapid.SampledFrom(sorted(playedLeaves)).Draw(p.T, "leaf")
	options := p.options(playedLeaves[name])
	if name == "pick_first" && begin == "tapped_" {
		begin = ""
	}
	return fmt.Sprintf("{%q:%s}", begin+name, options)
}

// subsetting is a random_subsetting over others.
func (p *played) subsetting(begin string, levels int) string {
	child := ""
	switch n := rapid.IntRange(0, 2).Draw(p.T, "below"); {
	case n == 0 && levels > 0:
		child = p.subsetting("", levels-1)
	case n == 1 && !p.outliers && begin == "":
		child = p.outlier(true)
	default:
		child = p.leaf("tapped_")
	}
	size := rapid.IntRange(1, 9).Draw(p.T, "size")
	return fmt.Sprintf(`{"%srandom_subsetting_experimental":{"subsetSize":%d,"childPolicy":[%s]}}`,
		begin, size, child)
}

// outlier is an outlier_detection. A factor of 0, which is the mean, is one by which rounding
// decides; it is drawn where it becomes the default.
func (p *played) outlier(rewritten bool) string {
	p.outliers = true
	factors := []string{"510", "100"}
	if rewritten {
		factors = append([]string{"0"}, factors...)
	}
	return `{"outlier_detection_experimental":` + p.options(map[string][]string{
		"baseEjectionTime": {`"0s"`, `"3s"`}, "maxEjectionTime": {`"0s"`, `"9s"`},
		"maxEjectionPercent": {"0", "40", "100"},
	},
		fmt.Sprintf(`"interval":%q`, rapid.SampledFrom([]string{"2s", "3s"}).Draw(p.T, "interval")),
		`"successRateEjection":`+p.options(map[string][]string{"stdevFactor": factors,
			"enforcementPercentage": {"0", "100"}, "minimumHosts": {"0", "1"},
			"requestVolume": {"0", "1"}}),
		`"failurePercentageEjection":`+p.options(map[string][]string{"threshold": {"0", "50"},
			"enforcementPercentage": {"0", "100"}, "minimumHosts": {"0", "1"},
			"requestVolume": {"0", "1"}}),
		`"childPolicy":[`+p.leaf("tapped_")+`]`) + `}`
}

// placed is a child of a policy that divides endpoints.
func (p *played) placed() string {
	if p.chance(40, "subset") {
		return p.subsetting("child_", 1)
	}
	return p.leaf("child_")
}

// any is a policy and the name of the outermost one.
func (p *played) any() (name, policy string) {
	switch rapid.IntRange(0, 3).Draw(p.T, "outermost") {
	case 0:
		return "outlier_detection_experimental", p.outlier(false)
	case 1:
		return "xds_wrr_locality_experimental",
			`{"xds_wrr_locality_experimental":{"childPolicy":[` + p.placed() + `]}}`
	case 2:
		var targets []string
		for _, name := range []string{"a", "b"} {
			targets = append(targets, fmt.Sprintf(`%q:{"weight":%d,"childPolicy":[%s]}`, name,
				rapid.IntRange(0, 5).Draw(p.T, "weight"), p.placed()))
		}
		return "weighted_target_experimental",
			`{"weighted_target_experimental":{"targets":{` + strings.Join(targets, ",") + `}}}`
	}
	return "random_subsetting_experimental", p.subsetting("", 2)
}

var listened = regexp.MustCompile(`"(tapped|child)_`)

// Random nested service configs, with explicit zeros, as lbsim reads them and as grpc-go does.
func TestRandomConfigsInLockstep(t *testing.T) {
	defer endOutliers()
	pool, addresses := spread("")
	for i := range pool {
		zone := zoneText(string(rune('a' + i%2)))
		pool[i].Locality, pool[i].LocalityWeight = zone, []uint32{3, 1}[i%2]
	}
	const n = 1000
	played := func(rt *rapid.T) {
		d := &played{drawn: drawn{T: rt}}
		name, policy := d.any()
		config, err := serviceconfig.Parse([]byte(`{"loadBalancingConfig":[`+
			listened.ReplaceAllString(policy, `"`)+`]}`), inCatalog)
		if err != nil {
			rt.Fatalf("%s: %v", policy, err)
		}
		for i := range pool {
			pool[i].Path = []string{[]string{"a", "b"}[i%2]}
			if name == "xds_wrr_locality_experimental" {
				pool[i].Path = []string{pool[i].Locality}
			}
		}
		options := policy[strings.Index(policy, ":")+1 : len(policy)-1]
		p := outlierPair(addresses, pairConfig{options, config.Policy})
		p.name, p.pool = name, pool
		begin := p.prepare
		composites(p)
		sort := p.prepare
		p.prepare = func(s balancer.State, r *sim.Rand) {
			begin(s, r)
			sort(s, r)
		}
		draw := scripts(len(addresses))
		if d.outliers {
			draw = busy(len(addresses))
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		if err := p.playAll(t, seed, draw.Draw(rt, "script")); err != nil {
			rt.Fatalf("%s:\n%v", policy, err)
		}
	}
	rapidly(t, n, played)
}
