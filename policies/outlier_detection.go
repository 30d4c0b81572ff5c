package policies

import (
	"fmt"
	"time"

	"lbsim/sim"
)

// OutlierDetection wraps a policy and ejects endpoints whose RPCs fail more than those of the
// others: for a while, which grows with each ejection, they look unhealthy to the child. Without
// either kind of ejection nothing is counted.
//
// Source: gRFC A50, by endpoint as in A61; grpc-go v1.85.0,
// internal/xds/balancer/outlierdetection.
//
// Reacts to: the codes of RPCs. Every code but OK is a failure, also one that the client makes
// itself.
//
// Traps: an ejected endpoint keeps its connection and only looks unhealthy, so a pick_first that is
// not below another policy does not react. An endpoint that is ejected again before it is back, by
// late RPCs or by both algorithms in one sweep, counts twice towards the limit and once when it is
// back. One that leaves the list while ejected counts for ever, so that in time nothing more can be
// ejected. The limit is tested before an ejection, so one more may be ejected than it allows. On an
// exact clock an ejection of 30 s ends with the fourth sweep of 10 s, because the third is not
// later than 30 s; real timers are late by a little. Left out: metrics.
type OutlierDetection struct {
	// Interval is the time between two sweeps, in which endpoints are ejected and let back; 0 or
	// more. Less than a millisecond counts as one.
	Interval time.Duration `toml:"interval" json:"interval"`
	// BaseEjectionTime times the number of its recent ejections is how long an endpoint is ejected;
	// 0 or more.
	BaseEjectionTime time.Duration `toml:"base_ejection_time" json:"baseEjectionTime"`
	// MaxEjectionTime is the longest ejection, unless BaseEjectionTime is longer; 0 or more.
	MaxEjectionTime time.Duration `toml:"max_ejection_time" json:"maxEjectionTime"`
	// MaxEjectionPercent is the share of endpoints that may be ejected, 0 to 100.
	MaxEjectionPercent uint32 `toml:"max_ejection_percent" json:"maxEjectionPercent"`
	// SuccessRateEjection ejects endpoints that are worse than the others; absent: none.
	SuccessRateEjection *SuccessRateEjection `toml:"success_rate_ejection"`
	// FailurePercentageEjection ejects endpoints that are bad; absent: none.
	FailurePercentageEjection *FailurePercentageEjection `toml:"failure_percentage_ejection"`
	// Child is the policy that picks.
	Child Policy `toml:"child" json:"childPolicy"`
}

// SuccessRateEjection ejects endpoints whose share of RPCs that end OK is below the mean of all by
// more than StdevFactor thousandths of the standard deviation.
type SuccessRateEjection struct {
	// StdevFactor is in thousandths, 0 or more.
	StdevFactor uint32 `toml:"stdev_factor" json:"stdevFactor"`
	// EnforcementPercentage is the chance that an endpoint which is found is ejected, 0 to 100.
	EnforcementPercentage uint32 `toml:"enforcement_percentage" json:"enforcementPercentage"`
	// MinimumHosts is the least number of endpoints with RequestVolume RPCs. With fewer, none is
	// ejected.
	MinimumHosts uint32 `toml:"minimum_hosts" json:"minimumHosts"`
	// RequestVolume is the least number of RPCs that end in the interval. An endpoint with fewer is
	// neither compared nor ejected.
	RequestVolume uint32 `toml:"request_volume" json:"requestVolume"`
}

// SetDefaults sets the defaults of gRFC A50.
func (s *SuccessRateEjection) SetDefaults() { *s = SuccessRateEjection{1900, 100, 5, 100} }

// FailurePercentageEjection ejects endpoints of whose RPCs more than Threshold percent fail.
type FailurePercentageEjection struct {
	// Threshold is in percent, 0 to 100.
	Threshold uint32 `toml:"threshold" json:"threshold"`
	// EnforcementPercentage is as in [SuccessRateEjection], but 0 by default.
	EnforcementPercentage uint32 `toml:"enforcement_percentage" json:"enforcementPercentage"`
	// MinimumHosts is as in [SuccessRateEjection].
	MinimumHosts uint32 `toml:"minimum_hosts" json:"minimumHosts"`
	// RequestVolume is as in [SuccessRateEjection].
	RequestVolume uint32 `toml:"request_volume" json:"requestVolume"`
}

// SetDefaults sets the defaults of gRFC A50.
func (f *FailurePercentageEjection) SetDefaults() { *f = FailurePercentageEjection{85, 0, 5, 50} }

// outlierDefaults are the options of an empty config.
var outlierDefaults = OutlierDetection{
	Interval: 10 * time.Second, BaseEjectionTime: 30 * time.Second,
	MaxEjectionTime: 300 * time.Second, MaxEjectionPercent: 10,
}

// Doc describes the policy in a line.
func (OutlierDetection) Doc() string {
	return "another policy, without the endpoints that fail more than others"
}

// Check refuses what grpc-go refuses, and a config without a child.
func (p OutlierDetection) Check() error {
	for _, d := range []struct {
		option string
		is     time.Duration
	}{
		{"interval", p.Interval}, {"base_ejection_time", p.BaseEjectionTime},
		{"max_ejection_time", p.MaxEjectionTime},
	} {
		if d.is < 0 {
			return fmt.Errorf("%s: must be >= 0 (is %v)", d.option, d.is)
		}
	}
	s, f := p.SuccessRateEjection, p.FailurePercentageEjection
	if s == nil {
		s = new(SuccessRateEjection)
	}
	if f == nil {
		f = new(FailurePercentageEjection)
	}
	for _, d := range []struct {
		option string
		is     uint32
	}{
		{"max_ejection_percent", p.MaxEjectionPercent},
		{"success_rate_ejection.enforcement_percentage", s.EnforcementPercentage},
		{"failure_percentage_ejection.threshold", f.Threshold},
		{"failure_percentage_ejection.enforcement_percentage", f.EnforcementPercentage},
	} {
		if d.is > 100 {
			return fmt.Errorf("%s: must be <= 100 (is %d)", d.option, d.is)
		}
	}
	if p.Child == nil {
		return Unworkable("child: must be a policy")
	}
	return nil
}

// counts reports whether RPCs are counted.
func (p *OutlierDetection) counts() bool {
	return p.SuccessRateEjection != nil || p.FailurePercentageEjection != nil
}

// Build makes the balancer of one channel.
func (p OutlierDetection) Build(h Host) Balancer {
	o := &outlierDetection{delegate: delegate{Host: h}, options: p, decider: deciderOf(h)}
	o.self, o.child = o, newGracefulSwitch(o)
	return o
}

// outlierDetection is the Host of its child: SubConns and reports pass through it.
type outlierDetection struct {
	delegate
	options   OutlierDetection
	endpoints []*outlierEndpoint // of the list, each once
	byAddress []*outlierEndpoint // by the ID of the address; of two with one address the first
	subConns  []outlierSubConn   // by number
	ejected   int                // ejections less returns; in time more than endpoints are ejected
	changes   []ejectionChange   // to be reported to the child when the sweep is over

	timer   *sim.Call
	running bool     // there are intervals
	began   sim.Time // when the present interval did

	counting bool // the picker that was reported last counts RPCs

	decider Decider // of ejections; nil for the list's order and draws from Rand
}

// outlierEndpoint is an endpoint of the list. One that leaves the list and comes back is a new one.
type outlierEndpoint struct {
	id         int32
	listed     bool         // by the Update that is running
	ejected    bool         // since the moment since
	since      sim.Time     // the moment of the sweep that ejected it last
	multiplier int64        // of the ejection time: +1 per ejection, -1 per sweep otherwise
	now, last  outlierCount // RPCs of this interval and of the one before
	subConns   []SubConn    // that are not shut down
}

// outlierCount counts RPCs that ended in an interval: OK, and with another code.
type outlierCount struct{ good, bad uint32 }

// outlierSubConn is a SubConn of the child.
type outlierSubConn struct {
	endpoint *outlierEndpoint // nil where the list does not have the address
	ejected  bool             // as the child knows; the endpoint may be ahead during a sweep
	health   Connectivity     // the last of the Host, whether the child has got it or not
	err      *Status          // with health
}

// Update takes the list and the options, and starts, goes on with or ends the intervals.
func (o *outlierDetection) Update(s State) error {
	if p, ok := s.Policy.(OutlierDetection); ok {
		o.options = p
	}
	o.held, o.changed = true, false
	o.list(s.Endpoints)
	o.stopTimer()
	counts := o.options.counts()
	if counts {
		o.nextInterval()
	} else {
		o.noIntervals()
	}
	err := o.child.Update(State{Endpoints: s.Endpoints, Policy: o.options.Child})
	if o.changed || o.picker != nil && o.counting != counts {
		o.publish()
	}
	o.held = false
	return err
}

// list takes the endpoints. Endpoints that are gone are forgotten, but remain in the count of
// ejected ones.
func (o *outlierDetection) list(list []*Endpoint) {
	var lastID, lastAddress int32 = -1, -1
	for _, e := range list {
		lastID = max(lastID, e.ID)
		for _, a := range e.Addresses {
			lastAddress = max(lastAddress, a.ID)
		}
	}
	for _, e := range o.endpoints {
		lastID = max(lastID, e.id)
	}
	byID := make([]*outlierEndpoint, lastID+1)
	for _, e := range o.endpoints {
		byID[e.id], e.listed = e, false
	}
	o.endpoints = make([]*outlierEndpoint, 0, len(list))
	o.byAddress = make([]*outlierEndpoint, lastAddress+1)
	for _, e := range list {
		known := byID[e.ID]
		if known == nil {
			known = &outlierEndpoint{id: e.ID}
			byID[e.ID] = known
		}
		if !known.listed {
			known.listed = true
			o.endpoints = append(o.endpoints, known)
		}
		for _, a := range e.Addresses {
			if o.byAddress[a.ID] == nil {
				o.byAddress[a.ID] = known
			}
		}
	}
}

// publish reports the child's state with a picker that counts RPCs, or does not, for good.
func (o *outlierDetection) publish() {
	o.counting = o.options.counts()
	o.Host.UpdateState(o.state, &outlierPicker{o, o.picker, o.counting})
}

// Close closes the child and ends the intervals.
func (o *outlierDetection) Close() {
	o.stopTimer()
	o.child.Close()
}

// outlierPicker is a picker of the child with a count of the RPCs.
type outlierPicker struct {
	o      *outlierDetection
	child  Picker
	counts bool
}

// Pick is the child's.
func (p *outlierPicker) Pick(c Call) Pick { return p.child.Pick(c) }

// Done counts in the interval in which the RPC ends.
func (p *outlierPicker) Done(pick Pick, o Outcome) {
	if e := p.o.subConns[pick.SubConn].endpoint; p.counts && e != nil {
		if o.Status == nil {
			e.now.good++
		} else {
			e.now.bad++
		}
	}
	p.child.Done(pick, o)
}
