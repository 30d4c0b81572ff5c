package resolvers

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lbsim/models"
	"lbsim/models/dist"
	"lbsim/sim"
)

// DNS asks a name server when the channel leaves idle, and again only when there was trouble with a
// connection: while all is well it never learns of new backends.
//
// Source: grpc-go v1.85.0, internal/resolver/dns. Left out: SRV records, errors of TXT lookups,
// addresses in place of names.
type DNS struct {
	// Records holds, by the moment from which they are so, the backends that the name stands for.
	// An empty list is a name that does not exist (NXDOMAIN), as it is before the first moment.
	// All backends, from the beginning, if nothing is said.
	Records map[string][]string `toml:"records"`
	// TXT holds, by the moment from which it is so, the record with the service config. Each client
	// draws anew, each time that it looks, in which share of the clients it is.
	TXT map[string]models.TXT `toml:"txt"`
	// Errors holds, by the moment from which lookups fail, the moment until which they do.
	Errors map[string]time.Duration `toml:"errors"`
	// Lookup is the time that a lookup takes; it finds the records of the moment at which it began.
	// One that takes longer than 30s fails then.
	Lookup dist.Distribution `toml:"lookup"`
	// MinResolutionInterval is the time from the end of a resolution that succeeded to the next.
	MinResolutionInterval time.Duration `toml:"min_resolution_interval"`
	// ReResolve makes the client give a hint each time it has passed, which grpc-go never does; 0
	// for never. The interval above holds all the same.
	ReResolve time.Duration `toml:"re_resolve"`
}

// resolvingTimeout is the time that a lookup gets.
const resolvingTimeout = 30 * time.Second

// Doc says what the resolver does.
func (DNS) Doc() string {
	return "looks a name up at the start and after trouble, not more often than each 30s"
}

// Check refuses unknown backends, moments that are none or stand twice, windows without length.
func (d DNS) Check(c *models.Config) error {
	if err := checkLists("records", d.Records, c); err != nil {
		return err
	}
	if _, err := steps("txt", d.TXT); err != nil {
		return err
	}
	windows, err := steps("errors", d.Errors)
	if err != nil {
		return err
	}
	for _, w := range windows {
		if sim.Time(w.what) <= w.at {
			return fmt.Errorf("errors: from %v to %v: must end later than it begins",
				time.Duration(w.at), w.what)
		}
	}
	if d.Lookup == nil {
		return errors.New(`lookup: needs a time, such as "5ms"`)
	}
	return nil
}

// Start begins the first lookup.
func (d DNS) Start(to models.ResolverConn) models.Resolution {
	r := &dnsResolution{
		DNS: d, to: to, failures: 1,
		records: lists(to, mustSteps("records", d.Records)),
		txt:     mustSteps("txt", d.TXT),
		errors:  mustSteps("errors", d.Errors),
		single: !slices.ContainsFunc(to.Backends(nil), func(b int32) bool {
			return len(to.Addresses(b)) > 1
		}),
	}
	r.lookUp()
	if d.ReResolve > 0 {
		r.tick()
	}
	return r
}

// dnsResolution is the watcher of one channel. It looks up, then it sleeps: after a success until
// somebody asks for more and the interval is over; after a failure for a backoff.
type dnsResolution struct {
	DNS
	to       models.ResolverConn
	single   bool // each backend has one address
	records  []step[[]int32]
	txt      []step[models.TXT]
	errors   []step[time.Duration]
	asleep   bool     // after a success, with no hint so far
	earliest sim.Time // when it may look up next, while asleep
	hint     bool     // one has come while it was not asleep; more than one count as one
	failures uint8    // index of the next backoff, from 1 on, up to 255
}

func (r *dnsResolution) ResolveNow() {
	if !r.asleep {
		r.hint = true
		return
	}
	r.asleep = false
	r.to.AfterFunc(max(0, r.earliest.Sub(r.to.Now())), r.lookUp)
}

func (r *dnsResolution) tick() {
	r.to.AfterFunc(r.ReResolve, func() {
		r.ResolveNow()
		r.tick()
	})
}

func (r *dnsResolution) lookUp() {
	asked := r.to.Now()
	takes := r.Lookup.Quantile(r.to.Rand().Unit())
	r.to.AfterFunc(min(takes, resolvingTimeout), func() {
		switch {
		case takes > resolvingTimeout || r.failing(asked):
			r.to.ReportError("dns: A record lookup error: the name server did not answer")
			r.failed()
		case r.tell(asked) != nil:
			r.failed()
		default:
			r.succeeded()
		}
	})
}

func (r *dnsResolution) failing(now sim.Time) bool {
	for _, w := range r.errors {
		if w.at <= now && now < sim.Time(w.what) {
			return true
		}
	}
	return false
}

// found is the list that stands in the records; nil for all backends.
func (r *dnsResolution) found(now sim.Time) []int32 {
	if len(r.records) == 0 {
		return nil
	}
	return at(r.records, now, []int32{})
}

// tell brings what stood in the records at a moment: the service config and a list of backends.
// Each A and AAAA record is an endpoint of its own, whomever it leads to: first those of the
// addresses that stand first with their backends, then the second ones, as a system's resolver puts
// one family before the other (RFC 6724).
func (r *dnsResolution) tell(asked sim.Time) error {
	r.to.UpdateServiceConfig(at(r.txt, asked, models.TXT{}).Choose(func() int {
		return 1 + r.to.Rand().IntN(100)
	}))
	backends := r.found(asked)
	if r.single {
		return r.to.UpdateState(backends)
	}
	if backends == nil {
		backends = r.to.Backends(nil)
	}
	var records [][]int32
	for k, more := 0, true; more; k++ {
		more = false
		for _, b := range backends {
			if all := r.to.Addresses(b); k < len(all) {
				records = append(records, all[k:k+1])
				more = more || k+1 < len(all)
			}
		}
	}
	return r.to.UpdateEndpoints(records)
}

// succeeded waits for a hint. One that came before, even while the last resolution was waited for,
// is answered as soon as the interval is over, though the list has been seen since.
func (r *dnsResolution) succeeded() {
	r.failures = 1
	r.earliest = r.to.Now().Add(r.MinResolutionInterval)
	r.asleep = true
	if r.hint {
		r.hint = false
		r.ResolveNow()
	}
}

// failed waits without a hint, each time longer: 1.6 s, 2.56 s and so on, up to 120 s, all ±20 %.
func (r *dnsResolution) failed() {
	r.to.AfterFunc(models.ResolverBackoff(r.failures, r.to.Rand().Float64()), r.lookUp)
	if r.failures < 255 {
		r.failures++
	}
}
