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

// DNS looks the name up when the channel exits idle, and again only after a hint: when an attempt
// to connect failed or a connection was lost. Without failures it never learns of new backends.
//
// Source: grpc-go v1.85.0, internal/resolver/dns. Left out: SRV records, errors of TXT lookups,
// addresses in place of names.
type DNS struct {
	// Records holds the backends of the name, by the moment from which they are in the records. An
	// empty list is a name that does not exist (NXDOMAIN), as before the first moment. Without
	// Records the name has all backends from the beginning.
	Records map[string][]string `toml:"records"`
	// TXT holds the record with the service config, by the moment from which it is there. Each
	// client draws its percentage anew at each lookup.
	TXT map[string]models.TXT `toml:"txt"`
	// Errors holds intervals in which lookups fail: from the key to the value.
	Errors map[string]time.Duration `toml:"errors"`
	// Lookup is the time that a lookup takes. It finds the records of the moment at which it began.
	// A lookup that takes longer than 30s fails after 30s.
	Lookup dist.Distribution `toml:"lookup"`
	// MinResolutionInterval is the least time from the end of a successful resolution to the next.
	MinResolutionInterval time.Duration `toml:"min_resolution_interval"`
	// ReResolve is the interval of hints by the client itself, which grpc-go does not give; 0 for
	// never. MinResolutionInterval holds for these too.
	ReResolve time.Duration `toml:"re_resolve"`
}

// resolvingTimeout is how long a lookup may take.
const resolvingTimeout = 30 * time.Second

// Doc implements [models.Resolver].
func (DNS) Doc() string {
	return "looks a name up at the start and after trouble, not more often than each 30s"
}

// Check refuses unknown backends, invalid or duplicate moments, and empty intervals.
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

// Start implements [models.Resolver].
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

// dnsResolution is the resolution of one channel. After a lookup it sleeps: after a success until
// there is a hint and the interval is over; after a failure for a backoff.
type dnsResolution struct {
	DNS
	to       models.ResolverConn
	single   bool // each backend has one address
	records  []step[[]int32]
	txt      []step[models.TXT]
	errors   []step[time.Duration]
	asleep   bool     // after a success, with no hint so far
	earliest sim.Time // when it may look up next, while asleep
	hint     bool     // hints came while it was not asleep
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

// found returns the backends in the records; nil for all.
func (r *dnsResolution) found(now sim.Time) []int32 {
	if len(r.records) == 0 {
		return nil
	}
	return at(r.records, now, []int32{})
}

// tell reports the records of a moment: the service config and a list of endpoints. Each A and AAAA
// record is an endpoint of its own: first the first addresses of all backends, then their second
// ones, as the resolver of a system sorts one family before the other (RFC 6724).
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

// succeeded waits for a hint. A hint that came earlier, even during the lookup, causes a lookup as
// soon as the interval is over.
func (r *dnsResolution) succeeded() {
	r.failures = 1
	r.earliest = r.to.Now().Add(r.MinResolutionInterval)
	r.asleep = true
	if r.hint {
		r.hint = false
		r.ResolveNow()
	}
}

// failed waits for a backoff, which needs no hint: 1.6 s, 2.56 s and so on, up to 120 s, all ±20 %.
func (r *dnsResolution) failed() {
	r.to.AfterFunc(models.ResolverBackoff(r.failures, r.to.Rand().Float64()), r.lookUp)
	if r.failures < 255 {
		r.failures++
	}
}
