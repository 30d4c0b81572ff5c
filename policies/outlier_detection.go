package policies

import (
	"fmt"
	"time"

	"lbsim/sim"
)

// OutlierDetection wraps a policy and takes endpoints out of its sight whose RPCs fail more than
// those of the others, for a while that grows each time. Without either of the ejections it counts
// nothing.
//
// Source: gRFC A50, by endpoint as in A61; grpc-go v1.85.0,
// internal/xds/balancer/outlierdetection.
//
// Reacts to: the codes of RPCs. Every one but OK is a failure, those that the client makes itself
// included.
//
// Traps: an ejected endpoint keeps its connection and only looks ill, so a pick_first that is not
// below another policy does not notice. An endpoint that is ejected again before it is back, by its
// late RPCs or by both algorithms in one sweep, counts twice towards the limit and once when it is
// back, and one that leaves the list ejected counts for ever, so that in time nothing more may be
// ejected. The limit is tested before an ejection, so one more may be ejected than it says. On an
// exact clock 30 s are over after the fourth sweep of 10 s, because the third is not later; real
// timers are, by a little. Left out: metrics.
type OutlierDetection struct {
	// Interval lies between two sweeps, in which endpoints are ejected and let back; from 0 on,
	// where less than a millisecond counts as one.
	Interval time.Duration `toml:"interval" json:"interval"`
	// BaseEjectionTime, times how often it was ejected lately, is for how long an endpoint is
	// ejected; from 0 on.
	BaseEjectionTime time.Duration `toml:"base_ejection_time" json:"baseEjectionTime"`
	// MaxEjectionTime is the most of that, where BaseEjectionTime is not longer; from 0 on.
	MaxEjectionTime time.Duration `toml:"max_ejection_time" json:"maxEjectionTime"`
	// MaxEjectionPercent of the endpoints may be ejected, 0 to 100.
	MaxEjectionPercent uint32 `toml:"max_ejection_percent" json:"maxEjectionPercent"`
	// SuccessRateEjection ejects endpoints that are worse than the others; absent: none.
	SuccessRateEjection *SuccessRateEjection `toml:"success_rate_ejection"`
	// FailurePercentageEjection ejects endpoints that are bad; absent: none.
	FailurePercentageEjection *FailurePercentageEjection `toml:"failure_percentage_ejection"`
	// Child is the policy that picks.
	Child Policy `toml:"child" json:"childPolicy"`
}

// SuccessRateEjection ejects endpoints whose share of RPCs that succeed is further below the mean
// of all than StdevFactor thousandths of the standard deviation.
type SuccessRateEjection struct {
	// StdevFactor is in thousandths, from 0 on.
	StdevFactor uint32 `toml:"stdev_factor" json:"stdevFactor"`
	// EnforcementPercentage is how many of those found are ejected, drawn at random; 0 to 100.
	EnforcementPercentage uint32 `toml:"enforcement_percentage" json:"enforcementPercentage"`
	// MinimumHosts endpoints at least must have had RequestVolume RPCs, or nobody is ejected.
	MinimumHosts uint32 `toml:"minimum_hosts" json:"minimumHosts"`
	// RequestVolume RPCs at least must have ended in the interval; endpoints that had fewer are
	// neither compared nor ejected.
	RequestVolume uint32 `toml:"request_volume" json:"requestVolume"`
}

// SetDefaults sets what is not said.
func (s *SuccessRateEjection) SetDefaults() { *s = SuccessRateEjection{1900, 100, 5, 100} }

// FailurePercentageEjection ejects endpoints of whose RPCs more than Threshold percent fail.
type FailurePercentageEjection struct {
	// Threshold is in percent, 0 to 100.
	Threshold uint32 `toml:"threshold" json:"threshold"`
	// EnforcementPercentage is as in [SuccessRateEjection], but nobody is ejected by default.
	EnforcementPercentage uint32 `toml:"enforcement_percentage" json:"enforcementPercentage"`
	// MinimumHosts is as in [SuccessRateEjection].
	MinimumHosts uint32 `toml:"minimum_hosts" json:"minimumHosts"`
	// RequestVolume is as in [SuccessRateEjection].
	RequestVolume uint32 `toml:"request_volume" json:"requestVolume"`
}

// SetDefaults sets what is not said.
func (f *FailurePercentageEjection) SetDefaults() { *f = FailurePercentageEjection{85, 0, 5, 50} }

// outlierDefaults are the options of a config that says nothing.
var outlierDefaults = OutlierDetection{
	Interval: 10 * time.Second, BaseEjectionTime: 30 * time.Second,
	MaxEjectionTime: 300 * time.Second, MaxEjectionPercent: 10,
}

// Doc says what the policy does.
func (OutlierDetection) Doc() string {
	return "another policy, without the endpoints that fail more than others"
}

// Check refuses what grpc-go refuses, and to be without a child.
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

// counts says whether RPCs need be counted.
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
	ejected   int                // more than are, in time
	changes   []ejectionChange   // for the child, when a sweep is over

	timer   *sim.Call
	running bool     // intervals are
	began   sim.Time // the present interval

	counting bool // the picker that was reported counts

	decider Decider // of ejections; nil for the list's order and draws from Rand
}

// outlierEndpoint is what is known of an endpoint.
type outlierEndpoint struct {
	id         int32
	listed     bool     // by the Update that is going on
	ejected    bool     // and since when:
	since      sim.Time // the beginning of an interval
	multiplier int64    // of the ejection time
	now, last  outlierCount
	subConns   []SubConn
}

// outlierCount is of the RPCs that ended in an interval.
type outlierCount struct{ good, bad uint32 }

// outlierSubConn is a SubConn of the child.
type outlierSubConn struct {
	endpoint *outlierEndpoint // nil where its address is not in the list
	ejected  bool
	health   Connectivity // as last told, to the child or not
	err      *Status
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

// list takes the endpoints. What is known of those that are gone is forgotten, but they stay in the
// count of those ejected.
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

// publish reports the child's state, and a picker of the moment that remembers whether it counts.
func (o *outlierDetection) publish() {
	o.counting = o.options.counts()
	o.Host.UpdateState(o.state, &outlierPicker{o, o.picker, o.counting})
}

// Close ends the child and the intervals.
func (o *outlierDetection) Close() {
	o.stopTimer()
	o.child.Close()
}

// outlierPicker is the child's picker of some moment.
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
