package grpcgo

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/grpclog"
	"pgregory.net/rapid"

	"lbsim/policies"
	"lbsim/sim"
)

// sweeps reads in grpc-go's log in which order a sweep ejects endpoints and lets them back: that of
// a map. The port is to do the same.
type sweeps struct {
	mu    sync.Mutex
	found []int32 // IDs, oldest first; those of one algorithm in one sweep follow each other
	back  []int32 // once for each connection
	id    map[string]int32
	rand  *sim.Rand // of the duel
}

var inLog = regexp.MustCompile(
	`(detected outlier|Subchannel unejected): \[+(?:\{Addr: "([^"]*)")?`)

// Write takes a line of the log.
func (s *sweeps) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range bytes.Lines(text) {
		m := inLog.FindSubmatch(line)
		if m == nil {
			continue
		}
		id, ok := s.id[string(m[2])]
		switch {
		case !ok:
			id = -1
			fallthrough
		case m[1][0] == 'd':
			s.found = append(s.found, id)
		default:
			s.back = append(s.back, id)
		}
	}
	return len(text), nil
}

// begin forgets what is left of another duel.
func (s *sweeps) begin(_ balancer.State, r *sim.Rand) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rand != r {
		s.rand, s.found, s.back = r, nil, nil
	}
}

// arrange puts endpoints in a sweep of the port, given by their IDs, into order. One that the log
// does not name has no connection; of two such ones the order is unknown.
func (s *sweeps) arrange(ids []int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, place := len(ids), 0
	next := func(wanted int32) bool {
		for i := place; i < n; i++ {
			if ids[i] == wanted {
				ids[place], ids[i] = ids[i], ids[place]
				place++
				return true
			}
		}
		return false
	}
	if n > 0 && len(s.found) >= n {
		named := s.found[:n]
		s.found = s.found[n:]
		for _, f := range named {
			for i := place; f < 0 && i < n; i++ {
				if !slices.Contains(named, ids[i]) {
					f = ids[i]
				}
			}
			next(f)
		}
		return
	}
	for len(s.back) > 0 && place < n && next(s.back[0]) {
		done := s.back[0]
		for len(s.back) > 0 && s.back[0] == done {
			s.back = s.back[1:]
		}
	}
}

// outlierPair is a pair of outlier_detections over what is tapped.
func outlierPair(addresses [][]string, configs ...pairConfig) *pair {
	s := &sweeps{id: make(map[string]int32)}
	for i, list := range addresses {
		for _, a := range list {
			s.id[a] = int32(i)
		}
	}
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(s, io.Discard, io.Discard))
	return &pair{name: "outlier_detection_experimental", addresses: addresses, configs: configs,
		nested: true, health: true, sweeps: s, prepare: s.begin}
}

func endOutliers() {
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
}

// outlierConfig is a config in both languages.
func outlierConfig(
	interval, base, most time.Duration, percent uint32,
	s *policies.SuccessRateEjection, f *policies.FailurePercentageEjection,
	childJSON string, child policies.Policy,
) pairConfig {
	text := fmt.Sprintf(`{"interval": "%fs", "baseEjectionTime": "%fs", "maxEjectionTime": "%fs",
		"maxEjectionPercent": %d, "childPolicy": [%s]`, interval.Seconds(), base.Seconds(),
		most.Seconds(), percent, childJSON)
	if s != nil {
		text += fmt.Sprintf(`, "successRateEjection": {"stdevFactor": %d,
			"enforcementPercentage": %d, "minimumHosts": %d, "requestVolume": %d}`,
			s.StdevFactor, s.EnforcementPercentage, s.MinimumHosts, s.RequestVolume)
	}
	if f != nil {
		text += fmt.Sprintf(`, "failurePercentageEjection": {"threshold": %d,
			"enforcementPercentage": %d, "minimumHosts": %d, "requestVolume": %d}`,
			f.Threshold, f.EnforcementPercentage, f.MinimumHosts, f.RequestVolume)
	}
	return pairConfig{text + "}", policies.OutlierDetection{
		Interval: interval, BaseEjectionTime: base, MaxEjectionTime: most,
		MaxEjectionPercent: percent, SuccessRateEjection: s, FailurePercentageEjection: f,
		Child: child,
	}}
}

func rate(factor, enforcement, hosts, volume uint32) *policies.SuccessRateEjection {
	return &policies.SuccessRateEjection{StdevFactor: factor, EnforcementPercentage: enforcement,
		MinimumHosts: hosts, RequestVolume: volume}
}

func failures(threshold, enforcement, hosts, volume uint32) *policies.FailurePercentageEjection {
	return &policies.FailurePercentageEjection{Threshold: threshold,
		EnforcementPercentage: enforcement, MinimumHosts: hosts, RequestVolume: volume}
}

const tappedRoundRobin = `{"tapped_round_robin": {}}`

// busy draws scripts in which many RPCs end in each interval and lists seldom change.
func busy(endpoints int) *rapid.Generator[[]op] {
	kinds := []opKind{
		opPick, opPick, opPick, opPick, opPick, opPick, opDone, opDone, opDone, opDone, opDone,
		opDone, opDone, opDone, opDone, opDone, opAdvance, opAdvance, opAdvance, opAdvance,
		opSubConn, opSubConn, opConnect, opConnect, opHealth, opHealth, opResolve,
	}
	return rapid.Custom(func(t *rapid.T) []op {
		var script []op
		for i := range rapid.IntRange(30, 150).Draw(t, "length") {
			o := op{kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
				a: rapid.IntRange(0, 99).Draw(t, "a"), b: rapid.IntRange(0, 99).Draw(t, "b")}
			switch {
			case i == 0:
				o.kind = opResolve
			case i == 1:
				o.kind = opConnect
			case o.kind == opAdvance:
				o.a = []int{5, 5, 5, 5, 6, 7}[o.a%6] // 1, 3 or 10 s
			case o.kind == opDone:
				o.b = []int{0, 0, 99}[o.b%3] // two of three fail
			}
			if o.kind == opResolve {
				gone := rapid.IntRange(0, 3*endpoints).Draw(t, "gone")
				for e := range endpoints {
					if e != gone || i == 0 {
						o.list = append(o.list, e)
					}
				}
			}
			script = append(script, o)
		}
		return script
	})
}

// outliersInLockstep plays a million picks, in 50 duels, and random scripts.
func (p *pair) outliersInLockstep(t *testing.T) {
	t.Helper()
	const duels, picks = 50, 20_000
	p.note(t, duels*picks, "picks")
	for seed := range uint64(duels) {
		synctest.Test(t, func(*testing.T) {
			d := p.newDuel(seed)
			defer d.close()
			script := sim.NewRand(seed, "script")
			if err := d.busyPicks(picks, script, len(p.addresses)); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		})
	}
	if !t.Failed() {
		p.randomScripts(t, 2000, busy(len(p.addresses)))
	}
}

// busyPicks makes both pick so often. RPCs of the first endpoint in use fail more than others, and
// a second passes every hundred picks.
func (d *duel) busyPicks(n int, script *sim.Rand, endpoints int) error {
	all := make([]int, endpoints)
	for i := range all {
		all[i] = i
	}
	if err := d.play(op{kind: opResolve, list: all}); err != nil {
		return err
	}
	for i := range n {
		if i%100 == 0 {
			o := op{kind: []opKind{opAdvance, opAdvance, opAdvance, opConnect, opSubConn,
				opHealth}[script.IntN(6)], a: script.IntN(100), b: script.IntN(100)}
			if o.kind == opAdvance {
				o.a = 5 // 1 s
			}
			if i%5000 == 0 {
				o = op{kind: opResolve, list: all, a: script.IntN(100)}
			}
			if err := d.play(o); err != nil {
				return fmt.Errorf("pick %d, %v: %w", i, o, err)
			}
		}
		c := d.realW.call(script.IntN(1000))
		if real, ours := d.real.pick(c), d.ours.pick(c); real != ours {
			return fmt.Errorf("pick %d: real %s, ours %s", i, real, ours)
		}
		if d.real.state == policies.Idle { // the pick wakes it
			d.real.settle()
			d.ours.settle()
		}
		if len(d.real.open) > 20 || script.IntN(2) == 0 && len(d.real.open) > 0 {
			k, code := script.IntN(len(d.real.open)), script.IntN(100)
			if d.real.open[k].SubConn%2 == 0 {
				code /= 4 // most fail
			}
			d.real.done(k, outcomeOf(code))
			d.ours.done(k, outcomeOf(code))
		}
	}
	return nil
}

func TestOutlierDetectionInLockstep(t *testing.T) {
	defer endOutliers()
	const s = time.Second
	rr := policies.RoundRobin{}
	// With one interval for all: where a shorter one is over at once grpc-go races with itself. And
	// with factors by which no endpoint has just the rate that it must have, as with 0 (the mean)
	// or 500 (if four of five always fail): grpc-go sums in the order of a map, so rounding decides
	// there.
	for _, addresses := range [][][]string{singles, {{"10.0.0.1:80", "10.0.1.1:80"},
		{"10.0.0.2:80"}, {"10.0.0.3:80"}}} {
		outlierPair(addresses,
			outlierConfig(2*s, 3*s, 9*s, 40, nil, failures(50, 100, 1, 1), tappedRoundRobin, rr),
			outlierConfig(2*s, 2*s, 5*s, 100, rate(510, 100, 2, 1), nil, tappedRoundRobin, rr),
			outlierConfig(2*s, 0, 300*s, 67, rate(100, 100, 1, 1), failures(20, 100, 2, 1),
				tappedRoundRobin, rr),
			outlierConfig(2*s, 30*s, 300*s, 50, rate(1, 100, 1, 0), failures(0, 0, 1, 2),
				tappedRoundRobin, rr),
		).outliersInLockstep(t)
	}
}

// With other policies inside. A switch from one to the other is not played: while both are at work
// they race with each other in grpc-go.
func TestOutlierDetectionOverOthersInLockstep(t *testing.T) {
	defer endOutliers()
	const s = time.Second
	for text, child := range map[string]policies.Policy{
		`{"pick_first": {}}`: policies.PickFirst{},
		`{"tapped_least_request_experimental": {"choiceCount": 3}}`: policies.LeastRequest{
			ChoiceCount: 3},
	} {
		outlierPair(singles, outlierConfig(s, 20*s, 300*s, 50, rate(100, 100, 1, 1),
			failures(10, 100, 1, 1), text, child)).outliersInLockstep(t)
	}
}
