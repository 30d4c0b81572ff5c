package conformance

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/balancer"
	_ "google.golang.org/grpc/balancer/leastrequest"       // has its policy registered
	_ "google.golang.org/grpc/balancer/weightedroundrobin" // likewise
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/grpclog"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"lbsim/policies"
)

func TestMain(m *testing.M) {
	// That a server has had enough of pings is what a scenario wants, and no news on the terminal.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	for _, name := range []string{"pick_first", "round_robin", "least_request_experimental",
		"outlier_detection_experimental", "priority_experimental", "ring_hash_experimental",
		"weighted_round_robin", "weighted_target_experimental",
	} {
		balancer.Register(traced{balancer.Get(name)})
	}
	for _, name := range unread {
		balancer.Register(standIn{name: name})
	}
	os.Exit(m.Run())
}

// playReal plays a scenario with the grpc-go client and server, and returns what happened.
func playReal(t *testing.T, s *scenario) (lines []line) {
	synctest.Test(t, func(t *testing.T) {
		w := newRealWorld(s)
		ctx, cancel := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		for i := range s.clients {
			w.connect(t, s, i)
		}
		for i, c := range s.clients {
			for n, at := range c.at {
				calls.Go(func() { w.call(ctx, s, i, n, at) })
			}
		}
		for _, st := range s.steps {
			time.Sleep(st.at - time.Since(w.rec.start))
			w.step(s, st)
			w.look()
		}
		time.Sleep(s.until - time.Since(w.rec.start))
		lines = w.rec.stop()
		cancel()
		calls.Wait()
		w.close()
	})
	return lines
}

// realWorld is the servers, the network, the resolver and the clients of one play.
type realWorld struct {
	rec      *recorder
	net      *fakeNet
	names    *fakeNames
	servers  []*server
	channels []*grpc.ClientConn
}

func newRealWorld(s *scenario) *realWorld {
	w := &realWorld{rec: newRecorder(), net: newFakeNet(s.backends, s.labels, s.delay)}
	w.names = &fakeNames{net: w.net, ignoresHints: len(s.clients) > 1, paths: s.paths}
	if !s.noList {
		w.names.list(s.endpoints(s.list), s.config)
	}
	for _, a := range s.refused {
		w.net.hosts[a].refuse(true)
	}
	down := make([]bool, s.backends)
	for _, b := range s.down {
		down[b] = true
	}
	for b := range s.backends {
		sv := &server{scenario: s, service: s.service[b], factor: 1,
			notServing: slices.Contains(s.notServing, b)}
		for _, a := range s.addresses(b) {
			sv.hosts = append(sv.hosts, w.net.hosts[a])
		}
		if b < len(s.pushback) {
			sv.pushback = s.pushback[b]
		}
		w.servers = append(w.servers, sv)
		if !down[b] {
			sv.start()
		}
	}
	return w
}

func (w *realWorld) connect(t *testing.T, s *scenario, i int) {
	cc, err := grpc.NewClient(scheme+":///"+remember(w.rec, i),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithResolvers(w.names),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			w.rec.add(dialOf(i, number(address)), "is made")
			return w.net.dial(ctx, address)
		}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay: time.Second, Multiplier: 1.6, Jitter: s.jitter,
				MaxDelay: 120 * time.Second,
			},
			MinConnectTimeout: 20 * time.Second,
		}),
		grpc.WithDefaultServiceConfig(serviceConfig(s)),
		grpc.WithKeepaliveParams(s.keepalive),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(rawCodec{})),
		grpc.WithStatsHandler(sent{w.rec, i}),
		grpc.WithIdleTimeout(s.idle),
	)
	if err != nil {
		t.Fatal(err)
	}
	w.channels = append(w.channels, cc)
}

// callNumber is the key of a call's number in its context.
type callNumber struct{}

// call makes a call at its moment.
func (w *realWorld) call(ctx context.Context, s *scenario, i, n int, at time.Duration) {
	if pause(ctx, at) != nil {
		return
	}
	ctx = context.WithValue(ctx, callNumber{}, n)
	if s.keyed {
		ctx = metadata.AppendToOutgoingContext(ctx, "x-key", strconv.Itoa(i))
	}
	if c := s.clients[i]; c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	w.rec.add(callOf(i, n), "begins")
	var request, reply []byte
	var options []grpc.CallOption
	if c := s.clients[i]; !c.silent {
		options = append(options, grpc.WaitForReady(c.wait))
	}
	err := w.channels[i].Invoke(ctx, "/conformance/Call", &request, &reply, options...)
	how := "ends " + policies.Code(status.Code(err)).String()
	if err != nil {
		how += ": " + realReason(errorText(err))
	}
	w.rec.add(callOf(i, n), how)
}

func (w *realWorld) step(s *scenario, st step) {
	switch st.do {
	case kill:
		w.servers[st.backend].kill()
	case restart:
		w.servers[st.backend].start()
	case slow:
		w.servers[st.backend].slow(st.factor)
	case stop:
		w.servers[st.backend].stop()
	case hole, unhole:
		w.net.hosts[st.backend].setBlackhole(st.do == hole)
	case refuse, permit:
		w.net.hosts[st.backend].refuse(st.do == refuse)
	case mute, unmute:
		for _, h := range w.servers[st.backend].hosts {
			h.silence(st.do == mute)
		}
	case setNotServing, setServing:
		w.servers[st.backend].setNotServing(st.do == setNotServing)
	case resolve:
		if st.endpoints == nil {
			st.endpoints = s.endpoints(st.list)
		}
		w.names.list(st.endpoints, st.config)
	case resolverError:
		w.names.fail()
	}
}

// look takes down what state each channel is in when all has happened that this instant brings.
// Some states a channel has without its policy's doing.
func (w *realWorld) look() {
	synctest.Wait()
	for i, cc := range w.channels {
		w.rec.channelIs(i, stateText(cc.GetState()))
	}
}

// close ends everything; a goroutine that stayed behind would end the test binary.
func (w *realWorld) close() {
	for _, cc := range w.channels {
		cc.Close()
	}
	for _, sv := range w.servers {
		sv.close()
	}
}

// sent takes down when a call is sent on a connection, and to which address.
type sent struct {
	rec    *recorder
	client int
}

func (s sent) HandleRPC(ctx context.Context, what stats.RPCStats) {
	if h, ok := what.(*stats.OutHeader); ok {
		n := ctx.Value(callNumber{}).(int)
		s.rec.add(callOf(s.client, n), fmt.Sprintf("is sent to %d", number(h.RemoteAddr.String())))
	}
}

func (sent) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (sent) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (sent) HandleConn(context.Context, stats.ConnStats)                       {}

// stateText is a state as lbsim spells it.
func stateText(s connectivity.State) string { return policies.Connectivity(s).String() }
