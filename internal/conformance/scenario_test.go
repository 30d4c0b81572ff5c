package conformance

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/keepalive"

	"lbsim/internal/compared"
	"lbsim/models"
	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"
)

// scenario is a play for both sides. What it leaves out: one client, one backend that is up, a
// one-way delay of 10 ms, 20 ms of work for each request, pick_first. Backends and addresses are
// numbered; with one address each they have the same numbers.
type scenario struct {
	name       string // what one should see
	policy     policies.Policy
	delay      time.Duration
	service    []time.Duration // the work of a request, by backend
	down       []int           // backends that are down at the start
	notServing []int           // backends that are NOT_SERVING at the start
	list       []int           // what the resolver says at first; nil for all backends
	labels     []models.Label  // of the addresses of each backend; nil for ipv4
	refused    []int           // addresses that are refused at the start
	noList     bool            // the resolver says nothing at first
	config     string          // the service config with the first list, as JSON; "" for none
	switches   bool            // policies change: states of channels and SHUTDOWNs are not compared
	clients    []client
	steps      []step        // in order of time
	until      time.Duration // the end; 10 s after the last call or step
	backends   int
	paths      []string // by backend: the names of its path, with slashes

	// Options of every channel and of every backend, which are off at 0.
	retry     *serviceconfig.Retry
	throttle  *serviceconfig.Throttle
	keepalive keepalive.ClientParameters
	pings     keepalive.EnforcementPolicy
	age       keepalive.ServerParameters // without pings of the server's own
	streams   int                        // at a time on a connection
	stubborn  bool                       // handlers work on when their clients have given up
	idle      time.Duration              // without a call, after which the channel closes
	workers   int                        // of each backend; to more it says UNAVAILABLE
	pushback  []string                   // and with it, by backend, this; nothing where it is ""
	health    bool                       // the service config has a healthCheckConfig
	jitter    float64                    // of the backoff of connecting
	keyed     bool                       // calls have the number of their client as x-key
	loads     loads                      // how backends report their load

	// coarse compares times to the millisecond, for what draws that nobody can turn off.
	coarse bool
}

// client is a channel and its calls.
type client struct {
	at      []time.Duration // when each call begins
	timeout time.Duration   // of each; 0 for none
	wait    bool            // each waits for ready
	silent  bool            // or that is left to the service config
}

// step is something that happens to a backend or to the resolver.
type step struct {
	at        time.Duration
	do        action
	backend   int // or address, for hole, unhole, refuse and permit
	list      []int
	endpoints [][]int // of addresses, where the list is not of backends
	config    string  // the service config with the list, as JSON
	factor    float64
}

type action int

const (
	kill action = iota
	restart
	slow
	stop // gracefully
	hole
	unhole
	refuse // connections to come
	permit
	mute
	unmute
	setNotServing
	setServing
	resolve
	resolverError
	nothing // but the real side's channels are looked at
)

// ms is a length of time in milliseconds, good to the nanosecond.
func ms(n float64) time.Duration { return time.Duration(math.Round(n * 1e6)) }

// at makes moments of milliseconds.
func at(moments ...float64) []time.Duration {
	var all []time.Duration
	for _, m := range moments {
		all = append(all, ms(m))
	}
	return all
}

// every makes n moments from one on.
func every(n int, from, gap float64) []time.Duration {
	var all []time.Duration
	for i := range n {
		all = append(all, ms(from+float64(i)*gap))
	}
	return all
}

// calls is one client that begins a call at each moment, in milliseconds.
func calls(moments ...float64) []client { return []client{{at: at(moments...)}} }

// within gives each call of each client a timeout.
func within(timeout float64, clients []client) []client {
	for i := range clients {
		clients[i].timeout = ms(timeout)
	}
	return clients
}

// waitForReady makes all calls wait for ready.
func waitForReady(clients []client) []client {
	for i := range clients {
		clients[i].wait = true
	}
	return clients
}

func killed(at float64, backend int) step { return step{at: ms(at), do: kill, backend: backend} }
func restarted(at float64, backend int) step {
	return step{at: ms(at), do: restart,
		backend: backend}
}
func stopped(at float64, backend int) step { return step{at: ms(at), do: stop, backend: backend} }
func holed(at float64, backend int) step   { return step{at: ms(at), do: hole, backend: backend} }
func unholed(at float64, backend int) step {
	return step{at: ms(at), do: unhole,
		backend: backend}
}
func muted(at float64, backend int) step { return step{at: ms(at), do: mute, backend: backend} }
func unmuted(at float64, backend int) step {
	return step{at: ms(at), do: unmute,
		backend: backend}
}
func notServingAt(at float64, backend int) step {
	return step{at: ms(at), do: setNotServing,
		backend: backend}
}
func servingAt(at float64, backend int) step {
	return step{at: ms(at), do: setServing, backend: backend}
}
func slowed(at float64, backend int, factor float64) step {
	return step{at: ms(at), do: slow, backend: backend, factor: factor}
}

// looked is when a channel may have changed its state without its policy's doing.
func looked(at float64) step { return step{at: ms(at), do: nothing} }

// resolved is a new list of the resolver.
func resolved(at float64, list ...int) step {
	return step{at: ms(at), do: resolve, list: slices.Concat([]int{}, list)}
}

// configured is a new service config of the resolver, and a list.
func configured(at float64, config string, list ...int) step {
	return step{at: ms(at), do: resolve, list: slices.Concat([]int{}, list), config: config}
}

// addresses are the numbers of a backend's addresses: they are numbered through the backends.
func (s *scenario) addresses(backend int) []int {
	var all []int
	for i := range s.labels {
		all = append(all, backend*len(s.labels)+i)
	}
	return all
}

// endpoints makes an endpoint of the addresses of each backend of a list.
func (s *scenario) endpoints(list []int) [][]int {
	all := [][]int{}
	for _, b := range list {
		all = append(all, s.addresses(b))
	}
	return all
}

// withDefaults fills in what a scenario leaves out.
func (s scenario) withDefaults() *scenario {
	s.delay = cmp.Or(s.delay, ms(10))
	s.backends = cmp.Or(s.backends, max(1, len(s.service)))
	if s.labels == nil {
		s.labels = make([]models.Label, 1)
	}
	for len(s.service) < s.backends {
		s.service = append(s.service, ms(20))
	}
	if s.policy == nil {
		s.policy = policies.PickFirst{}
	}
	if s.list == nil && !s.noList {
		for b := range s.backends {
			s.list = append(s.list, b)
		}
	}
	if s.until == 0 {
		for _, c := range s.clients {
			for _, at := range c.at {
				s.until = max(s.until, at+ms(10000)+1)
			}
		}
		for _, st := range s.steps {
			s.until = max(s.until, st.at+ms(10000)+1)
		}
	}
	return &s
}

// note takes down that it is played on both sides. It is for the test around all plays.
func (s *scenario) note(t *testing.T) {
	t.Helper()
	catalog := options.Catalog[policies.Policy](policies.Catalog)
	compared.Note(t, catalog.KindOf(s.policy), 1, "plays")
}

func playAll(t *testing.T, scenarios []scenario) {
	t.Helper()
	for _, s := range scenarios {
		s.withDefaults().note(t)
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			play(t, s.withDefaults())
		})
	}
}
