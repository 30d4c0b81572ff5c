package conformance

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/health" // also makes clients able to watch it
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"lbsim/policies"
)

// server is the process on a machine: a grpc-go server that takes a while for each request.
type server struct {
	hosts    []*fakeHost // the addresses of the machine
	scenario *scenario
	service  time.Duration
	pushback string // with the status of a call that it has no worker for; "" for none

	mu         sync.Mutex
	factor     float64
	busy       int
	notServing bool
	health     *health.Server // of the process, while there is one
	grpc       *grpc.Server   // nil while the process is down
	load       *serverLoad    // of the process
	ended      []*grpc.Server
	all        sync.WaitGroup // of goroutines
}

func (s *server) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	options := []grpc.ServerOption{
		grpc.UnknownServiceHandler(s.serve), grpc.ForceServerCodec(rawCodec{}),
		grpc.KeepaliveEnforcementPolicy(s.scenario.pings),
		grpc.KeepaliveParams(s.scenario.age),
	}
	if n := s.scenario.streams; n > 0 {
		options = append(options, grpc.MaxConcurrentStreams(uint32(n)))
	}
	s.load = &serverLoad{began: time.Now(), workers: cmp.Or(s.scenario.workers, manyWorkers)}
	options = append(options, s.load.options(s.scenario)...)
	g := grpc.NewServer(options...)
	s.load.register(g, s.scenario)
	s.grpc, s.health = g, health.NewServer()
	s.setHealth()
	healthpb.RegisterHealthServer(g, s.health)
	for _, h := range s.hosts {
		l := h.listen()
		s.all.Go(func() { g.Serve(l) })
	}
}

// leave takes the process off its machine.
func (s *server) leave() *grpc.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.grpc
	if s.grpc = nil; g != nil {
		s.ended = append(s.ended, g)
	}
	return g
}

// kill ends the process, if there is one. Its connections are reset before grpc-go can say a last
// word on them.
func (s *server) kill() {
	if g := s.leave(); g != nil {
		for _, h := range s.hosts {
			h.kill()
		}
		g.Stop()
	}
}

// stop ends the process gracefully, which may take a while.
func (s *server) stop() {
	if g := s.leave(); g != nil {
		s.all.Go(g.GracefulStop)
	}
}

// close ends all processes that there ever were.
func (s *server) close() {
	s.leave()
	for _, g := range s.ended {
		g.Stop()
	}
	s.all.Wait()
}

// setNotServing sets the health of this process and of those after it.
func (s *server) setNotServing(notServing bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notServing = notServing
	s.setHealth()
}

func (s *server) setHealth() {
	now := healthpb.HealthCheckResponse_SERVING
	if s.notServing {
		now = healthpb.HealthCheckResponse_NOT_SERVING
	}
	s.health.SetServingStatus("", now)
}

func (s *server) slow(factor float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.factor *= factor
}

// serve handles every method.
func (s *server) serve(_ any, stream grpc.ServerStream) error {
	var message []byte
	if err := stream.RecvMsg(&message); err != nil {
		return err
	}
	s.mu.Lock()
	load := s.load
	load.reportWith(stream)
	if n := s.scenario.workers; n > 0 && s.busy == n {
		s.mu.Unlock()
		load.answer(false)
		if s.pushback != "" {
			stream.SetTrailer(metadata.Pairs("grpc-retry-pushback-ms", s.pushback))
		}
		return status.Error(codes.Unavailable, "busy")
	}
	s.busy++
	work := time.Duration(float64(s.service) * s.factor)
	s.mu.Unlock()
	ctx := stream.Context()
	if s.scenario.stubborn {
		ctx = context.WithoutCancel(ctx)
	}
	load.work(1)
	err := pause(ctx, work)
	load.work(-1)
	s.mu.Lock()
	s.busy--
	s.mu.Unlock()
	if err != nil {
		return err
	}
	load.answer(true)
	return stream.SendMsg(&message)
}

// rawCodec sends bytes as they are, and what else there is, of the health service, as it must be.
type rawCodec struct{}

func (rawCodec) Name() string { return "raw" }

func (rawCodec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(*[]byte); ok {
		return *raw, nil
	}
	parts, err := encoding.GetCodecV2("proto").Marshal(v)
	return parts.Materialize(), err
}

func (rawCodec) Unmarshal(b []byte, v any) error {
	if raw, ok := v.(*[]byte); ok {
		*raw = b
		return nil
	}
	return encoding.GetCodecV2("proto").Unmarshal(mem.BufferSlice{mem.SliceBuffer(b)}, v)
}

// serviceConfig chooses the traced version of a policy, and what else a service config tells.
func serviceConfig(s *scenario) string {
	fields := []string{`"loadBalancingConfig":[{"traced_` + policyText(s.policy)[1:] + `}]`}
	if r := s.retry; r != nil {
		var listed []string
		for code := range policies.Codes {
			if r.Codes.Has(code) {
				listed = append(listed, fmt.Sprintf("%d", code))
			}
		}
		fields = append(fields, fmt.Sprintf(`"methodConfig":[{"name":[{}],"retryPolicy":{
			"maxAttempts":%d,"initialBackoff":"%fs","maxBackoff":"%fs","backoffMultiplier":%v,
			"retryableStatusCodes":[%s]}}]`, r.MaxAttempts, r.InitialBackoff.Seconds(),
			r.MaxBackoff.Seconds(), r.Multiplier, strings.Join(listed, ",")))
	}
	if t := s.throttle; t != nil {
		fields = append(fields, fmt.Sprintf(`"retryThrottling":{"maxTokens":%v,"tokenRatio":%v}`,
			t.MaxTokens, t.TokenRatio))
	}
	if s.health {
		fields = append(fields, `"healthCheckConfig":{"serviceName":""}`)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// policyText is a policy in a service config, without the braces around it.
func policyText(p policies.Policy) string {
	switch p := p.(type) {
	case policies.PickFirst:
		return fmt.Sprintf(`"pick_first":{"shuffleAddressList":%v}`, p.ShuffleAddressList)
	case policies.RoundRobin:
		return `"round_robin":{}`
	case policies.LeastRequest:
		return fmt.Sprintf(`"least_request_experimental":{"choiceCount":%d}`, p.ChoiceCount)
	case policies.WeightedRoundRobin:
		return `"weighted_round_robin":` + weightedOptions(p)
	case policies.RingHash:
		return fmt.Sprintf(`"ring_hash_experimental":{"requestHashHeader":%q,"minRingSize":%d,
			"maxRingSize":%d}`, p.RequestHashHeader, p.MinRingSize, p.MaxRingSize)
	case policies.Priority:
		var children []string
		for name, c := range p.Children {
			children = append(children, fmt.Sprintf(`"%s":{"config":[{%s}]}`, name,
				policyText(c.Child)))
		}
		return fmt.Sprintf(`"priority_experimental":{"children":{%s},"priorities":["%s"]}`,
			strings.Join(children, ","), strings.Join(p.Priorities, `","`))
	case policies.OutlierDetection:
		return `"outlier_detection_experimental":` + outlierJSON(p)
	case policies.WeightedTarget:
		var targets []string
		for name, t := range p.Targets {
			targets = append(targets, fmt.Sprintf(`"%s":{"weight":%d,"childPolicy":[{%s}]}`, name,
				t.Weight, policyText(t.Child)))
		}
		return fmt.Sprintf(`"weighted_target_experimental":{"targets":{%s}}`,
			strings.Join(targets, ","))
	default:
		panic(fmt.Sprintf("policy %T: not known on the real side", p))
	}
}
