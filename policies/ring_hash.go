package policies

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// RingHash sends RPCs with the same key to the same endpoint: keys and endpoints are on a ring, and
// an RPC goes to the endpoint of the next point. When an endpoint comes or goes, only the keys next
// to its points move. It connects to an endpoint when the first RPC is for that endpoint, and when
// other endpoints have failed.
//
// Source: grpc-go v1.85.0, balancer/ringhash (ring_hash_experimental; gRFC A42, A61, A76).
//
// Reacts to: the key of an RPC, the list and its weights, and connections that fail.
//
// Traps: an RPC waits for its endpoint while that is IDLE or CONNECTING, even if others are READY;
// only endpoints in TRANSIENT_FAILURE are passed over. An RPC without the header goes to the next
// READY endpoint after a random point. With two endpoints in TRANSIENT_FAILURE so is the channel,
// though RPCs may still be sent, or wait. The share of an endpoint with k points is off by about
// 1/√k of it.
//
// Left out: hash policies of xDS, so without RequestHashHeader all RPCs fail, as they do in grpc-go
// without xDS. An endpoint without addresses, on which grpc-go panics, has the name "". Weights are
// added up in 64 bits; if the sum needs more than 32, grpc-go may never come to an end.
type RingHash struct {
	// MinRingSize is the least number of points, 0 to 8388608; 0 is the default, and more than the
	// cap counts as the cap.
	MinRingSize uint64 `toml:"min_ring_size" json:"minRingSize"`
	// MaxRingSize is the greatest number of points, with the same bounds.
	MaxRingSize uint64 `toml:"max_ring_size" json:"maxRingSize"`
	// RequestHashHeader is the name of the header with the key of an RPC.
	RequestHashHeader string `toml:"request_hash_header" json:"requestHashHeader"`
	// RingSizeCap bounds both sizes, 0 to 8388608; 0 is the default, 4096. In grpc-go it is the
	// environment variable GRPC_RING_HASH_CAP.
	RingSizeCap uint64 `toml:"ring_size_cap" json:"-"`
}

const (
	defaultMinRing = 1024
	defaultMaxRing = 4096
	defaultRingCap = 4096
	mostRing       = 8 << 20
)

// Check refuses sizes that are too large, and what can be the name of no header.
func (r RingHash) Check() error {
	for _, o := range []struct {
		name string
		size uint64
	}{
		{"min_ring_size", r.MinRingSize}, {"max_ring_size", r.MaxRingSize},
		{"ring_size_cap", r.RingSizeCap},
	} {
		if o.size > mostRing {
			return fmt.Errorf("%s: must be at most %d (is %d)", o.name, mostRing, o.size)
		}
	}
	if least, most := r.asked(); least > most {
		return fmt.Errorf("min_ring_size: must not be greater than max_ring_size, %d (is %d)",
			most, least)
	}
	if r.RequestHashHeader == "" {
		return nil
	}
	if err := CheckHeader(r.RequestHashHeader); err != nil {
		return fmt.Errorf("request_hash_header: %w", err)
	}
	return nil
}

const headerLetters = "abcdefghijklmnopqrstuvwxyz0123456789.-_"

// CheckHeader returns why no header with a text can have a name, or nil.
func CheckHeader(name string) error {
	letters := strings.ToLower(name)
	switch {
	case name == "":
		return fmt.Errorf("must not be empty")
	case strings.HasSuffix(letters, "-bin"):
		return fmt.Errorf("must not end with -bin (is %q)", name)
	case letters[0] != ':' && strings.Trim(letters, headerLetters) != "":
		return fmt.Errorf("must be of a-z, 0-9, '-', '_' and '.' (is %q)", name)
	}
	return nil
}

// asked returns the configured sizes, without the cap.
func (r RingHash) asked() (least, most uint64) {
	least, most = r.MinRingSize, r.MaxRingSize
	if least == 0 {
		least = defaultMinRing
	}
	if most == 0 {
		most = defaultMaxRing
	}
	return least, most
}

// sizes returns the bounds of the ring.
func (r RingHash) sizes() (least, most uint64) {
	least, most = r.asked()
	limit := r.RingSizeCap
	if limit == 0 {
		limit = defaultRingCap
	}
	return min(least, limit), min(most, limit)
}

// Uses asks for the header.
func (r RingHash) Uses() []Use {
	uses := []Use{{What: Health}, {What: Weights}}
	if r.RequestHashHeader == "" {
		return append(uses, Use{
			Option: "request_hash_header", Fails: true,
			Without: "is not given, so all RPCs fail, as in grpc-go without xDS",
		})
	}
	uses = append(uses, Use{
		What: Header, Option: "request_hash_header", Name: strings.ToLower(r.RequestHashHeader),
		Without: "each RPC goes to a random endpoint",
	})
	if asked, _ := r.asked(); r.RingSizeCap != 0 && asked > r.RingSizeCap {
		uses = append(uses, Use{
			Option: "min_ring_size", Without: fmt.Sprintf(
				"%d counts as ring_size_cap, %d", asked, r.RingSizeCap),
		})
	}
	return uses
}

// Doc describes the policy in a line.
func (RingHash) Doc() string {
	return "by a key of the RPC, so that those of one key go to one endpoint"
}

// Build makes the balancer of one channel.
func (r RingHash) Build(h Host) Balancer {
	b := &ringHash{}
	b.endpointSharding = newEndpointSharding(h, nil)
	b.overseer = b
	b.configure(r)
	return b
}

type ringHash struct {
	*endpointSharding
	header      string // in small letters
	least, most uint64 // size of the ring
	nodes       []ringNode
	ring        ring
	built       [2]uint64     // least and most when the ring was built
	count       [Shutdown]int // endpoints by state, at the last report
	updating    bool          // Update is running: it reports at its end
}

func (r *ringHash) configure(o RingHash) {
	r.header = strings.ToLower(o.RequestHashHeader)
	r.least, r.most = o.sizes()
}

// Update takes a list. The ring is built anew only where that makes a difference.
func (r *ringHash) Update(s State) error {
	r.updating = true
	err := r.endpointSharding.Update(s)
	r.updating = false
	if o, ok := s.Policy.(RingHash); ok && err == nil {
		r.configure(o)
	}
	nodes, sizes := ringNodes(r.children), [2]uint64{r.least, r.most}
	if len(nodes) > 0 && (sizes != r.built || !slices.Equal(nodes, r.nodes)) {
		r.ring, r.built = newRing(nodes, r.least, r.most), sizes
	}
	r.nodes = nodes
	r.reportState()
	return err
}

// Remark describes how coarse the ring is.
func (r *ringHash) Remark() string {
	if len(r.nodes) == 0 {
		return ""
	}
	return r.ring.remark(len(r.nodes))
}

// ExitIdle has no effect: only picks and failures make an endpoint connect.
func (r *ringHash) ExitIdle() {}

// childrenChanged takes the states of the children and reports that of the whole.
func (r *ringHash) childrenChanged(count [Shutdown]int) {
	r.count = count
	if !r.updating {
		r.reportState()
	}
}

// reportState reports the state of the whole. The picker is always the ring.
func (r *ringHash) reportState() {
	state := r.aggregate()
	if state == Connecting || state == TransientFailure {
		r.keepConnecting()
	}
	if len(r.nodes) == 0 {
		r.UpdateState(state, fixed(Fail(errNoAddresses)))
		return
	}
	r.UpdateState(state, r)
}

// aggregate returns the state of the whole. One endpoint that fails does not count as long as there
// are others: a second one is tried before the channel fails.
func (r *ringHash) aggregate() Connectivity {
	failed := r.count[TransientFailure]
	switch {
	case r.count[Ready] > 0:
		return Ready
	case failed > 1:
		return TransientFailure
	case r.count[Connecting] > 0, failed == 1 && len(r.children) > 1:
		return Connecting
	case r.count[Idle] > 0:
		return Idle
	}
	return TransientFailure
}

// keepConnecting wakes the first IDLE endpoint in the order of keys if none is CONNECTING, for
// there may be no RPC that does.
func (r *ringHash) keepConnecting() {
	if r.count[Connecting] > 0 {
		return
	}
	for _, n := range r.nodes {
		if n.child.state == Idle {
			n.child.wake(r.endpointSharding)
			return
		}
	}
}

var errNoHash = &Status{
	Code:   Unavailable,
	Text:   "ringhash: expected xDS config selector to set the request hash",
	Reason: FailedByPolicy,
}

// Pick hashes the key of the RPC and goes round the ring from there.
func (r *ringHash) Pick(c Call) Pick {
	switch r.header {
	case "":
		return Fail(errNoHash)
	case c.Header:
		var digits [20]byte
		return r.pick(xxHash(0, strconv.AppendUint(digits[:0], c.Key, 10)))
	}
	return r.pickAny(r.Rand().Uint64())
}

// pick takes the first endpoint that is not in TRANSIENT_FAILURE.
func (r *ringHash) pick(hash uint64) Pick {
	first := r.ring.find(hash)
	for i := range r.ring.points {
		if c := r.at(first + i); c.state != TransientFailure {
			return c.pick(r.endpointSharding)
		}
	}
	return r.at(first).pick(r.endpointSharding)
}

// pickAny takes the first endpoint that is READY, and wakes one on the way there if none is
// CONNECTING (gRFC A76).
func (r *ringHash) pickAny(hash uint64) Pick {
	first, waking := r.ring.find(hash), r.count[Connecting] > 0
	for i := range r.ring.points {
		c := r.at(first + i)
		if c.state == Ready {
			return c.pick(r.endpointSharding)
		}
		if c.state == Idle && !waking {
			waking = true
			c.wake(r.endpointSharding)
		}
	}
	if waking {
		return Queue()
	}
	return r.at(first).pick(r.endpointSharding)
}

// at returns the endpoint of a point of the ring. The number may exceed that of the points, by less
// than that.
func (r *ringHash) at(point int) *endpointChild {
	if point >= len(r.ring.points) {
		point -= len(r.ring.points)
	}
	return r.nodes[r.ring.nodes[point]].child
}
