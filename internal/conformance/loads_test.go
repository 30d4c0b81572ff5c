package conformance

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/orca"

	"lbsim/policies"
)

// loads is how backends report their load; 0 for not at all.
type loads int

const (
	withReplies loads = 1 << iota
	apart
)

const (
	// loadWindow is so long that loads are averages since the process began.
	loadWindow = time.Hour
	// loadInterval is the least that a grpc-go server has between two reports apart from any call.
	loadInterval = 30 * time.Second
	manyWorkers  = 1000
)

// serverLoad measures a process of the real side, which grpc-go leaves to the application.
type serverLoad struct {
	began   time.Time
	workers int

	mu               sync.Mutex
	now              time.Time     // up to which busy counts
	working          int           // workers
	busy             time.Duration // of all workers
	answered, failed int           // calls
}

func (l *serverLoad) work(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.upToNow()
	l.working += n
}

func (l *serverLoad) upToNow() {
	now := time.Now()
	l.busy += time.Duration(l.working) * now.Sub(l.now)
	l.now = now
}

func (l *serverLoad) answer(well bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered++
	if !well {
		l.failed++
	}
}

// ServerMetrics is the load as grpc-go's package orca asks for it.
func (l *serverLoad) ServerMetrics() *orca.ServerMetrics {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.upToNow()
	m := &orca.ServerMetrics{
		CPUUtilization: -1, MemUtilization: -1, AppUtilization: -1, QPS: -1, EPS: -1,
		Utilization: map[string]float64{}, RequestCost: map[string]float64{},
		NamedMetrics: map[string]float64{},
	}
	if ns := float64(l.now.Sub(l.began)); ns > 0 {
		m.CPUUtilization = float64(l.busy) / (ns * float64(l.workers))
		m.QPS = float64(l.answered) * 1e9 / ns
		m.EPS = float64(l.failed) * 1e9 / ns
	}
	return m
}

// options makes a server put the load into the trailers of calls that ask for it.
func (l *serverLoad) options(s *scenario) []grpc.ServerOption {
	if s.loads&withReplies == 0 {
		return nil
	}
	return []grpc.ServerOption{orca.CallMetricsServerOption(l)}
}

// reportWith makes a call ask for that.
func (l *serverLoad) reportWith(stream grpc.ServerStream) {
	orca.CallMetricsRecorderFromContext(stream.Context())
}

// register makes a server report the load apart from calls.
func (l *serverLoad) register(g *grpc.Server, s *scenario) {
	if s.loads&apart == 0 {
		return
	}
	if err := orca.Register(g, orca.ServiceOptions{ServerMetricsProvider: l}); err != nil {
		panic(err)
	}
}

// weightedOptions are the options of weighted_round_robin as JSON.
func weightedOptions(p policies.WeightedRoundRobin) string {
	seconds := func(d time.Duration) string { return fmt.Sprintf("%fs", d.Seconds()) }
	text, err := json.Marshal(map[string]any{
		"enableOobLoadReport":     p.EnableOOB,
		"oobReportingPeriod":      seconds(p.OOBPeriod),
		"blackoutPeriod":          seconds(p.BlackoutPeriod),
		"weightExpirationPeriod":  seconds(p.ExpirationPeriod),
		"weightUpdatePeriod":      seconds(p.UpdatePeriod),
		"errorUtilizationPenalty": p.ErrorPenalty,
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}
