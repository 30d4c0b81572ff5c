package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// handle is the index of an RPC's record in the slab.
type handle uint32

// rpc is the record of an RPC, or of one attempt of a [call]. It is one cache line of 64 bytes.
//
// State at the client, in rpc.state:
//
//	state       means                                next
//	rpcWaiting  it waits for a picker, or for one    rpcSent, rpcEnded
//	            that does not queue it
//	rpcSent     it is on a connection, or waits for  rpcEnded; rpcWaiting where the connection
//	            a stream of one                      drains before it got a stream
//	rpcEnded    the client has its result, or made   none
//	            another record for a transparent
//	            retry
//
// Place of the request, in rpc.place. It has a meaning from rpcSent on. The backend changes it,
// save where "client" stands:
//
//	place          means                             next
//	awaitsStream   no stream is free (client)        onItsWay
//	onItsWay       between client and backend, or    queued, inService, replied, dropped,
//	               waiting for a handler             unprocessed
//	queued         in the backend's queue            inService, dropped
//	inService      a worker has begun it             replied, dropped
//	replied        a reply is on its way             onItsWay while a black hole holds the reply,
//	                                                 dropped where the connection is closed
//	dropped        the backend does not work on it   none
//	unprocessed    the server took no more streams   none
//
// The two change apart from each other: a request may be inService while its RPC is rpcEnded, since
// a backend learns late, or never, that the client gave up.
//
// A record is reference-counted: the client, each list of RPCs and each message that names it are
// holders. The last holder frees it.
type rpc struct {
	luck   uint64          // random word from which the RPC's own draws derive; see the salts below
	start  sim.Time        // intended start
	note   uint64          // rpcSent: Pick.Note; rpcWaiting: Reason why it was not sent, or 0
	picker policies.Picker // that picked it; its Done is due while rpcSent

	deadline   sim.Timer        // at the client; 0 for none
	client     int32            // number of the client, or noClient
	sc         policies.SubConn // SubConn of the client's channel; valid from rpcSent on
	connNumber uint32           // number of the connection; valid from rpcSent on
	call       uint32           // 1 + index in client.calls; 0 for none; or noCallYet

	holders uint8
	state   rpcState
	place   rpcPlace
	status  rpcStatus
}

// rpcStatus is a status code and flags of an RPC, each in bits of its own.
//
// The code is OK until one of these sets it: the deadline, if it passes before a worker begins the
// request (DEADLINE_EXCEEDED, by which the backend knows that the request is overdue); the reply;
// or the channel, if it fails the RPC unsent.
type rpcStatus uint8

const (
	codeBits     rpcStatus = 1<<5 - 1
	waitForReady rpcStatus = 1 << 5 // the RPC waits while the channel is in TRANSIENT_FAILURE
	laterAttempt rpcStatus = 1 << 6 // the RPC was sent before; rpcExtra.sentBefore is valid
	queueFull    rpcStatus = 1 << 7 // the reply says that the backend's queue was full
)

const _ = codeBits - rpcStatus(policies.Codes-1) // each code has room

// code returns the status code without the flags.
func (s rpcStatus) code() policies.Code { return policies.Code(s & codeBits) }

// has reports whether a flag is set.
func (s rpcStatus) has(flag rpcStatus) bool { return s&flag != 0 }

// with returns the same flags with another code.
func (s rpcStatus) with(code policies.Code) rpcStatus { return s&^codeBits | rpcStatus(code) }

// rpcState is the state of an RPC at its client; see [rpc].
type rpcState uint8

const (
	rpcWaiting rpcState = iota
	rpcSent
	rpcEnded
)

// rpcPlace is where the request of an RPC is; see [rpc].
type rpcPlace uint8

const (
	onItsWay rpcPlace = iota
	queued
	inService
	replied
	dropped
	unprocessed
	awaitsStream rpcPlace = 255
)

// Salts that derive independent random words from the luck of an RPC.
const (
	saltService = iota
	saltRequest
	saltReply
	saltCancel
	saltError
	saltGoAway
	saltKey
)

// slab holds the records of all RPCs of a world. Freed records are used again.
type slab struct {
	rpcs  []rpc
	extra []rpcExtra // by handle
	free  []handle   // records without a holder
}

// rpcExtra is the less hot part of an RPC's record. drawn is filled before it is needed: then no
// branch has to wait for a draw.
type rpcExtra struct {
	drawn  time.Duration // queued: service time at speed 1; inService: delay of the reply
	picked sim.Time      // when the RPC became rpcSent
	next   handle        // the next in its rpcList
	// sentBefore is how often the RPC was sent under earlier records. Of an attempt of a call it
	// counts this attempt alone. It is valid with the flag laterAttempt.
	sentBefore uint8
}

// rpcList is a list of RPCs, linked by rpcExtra.next. An RPC is in one list at most.
type rpcList struct {
	first, last handle // valid where n > 0
	n           int32
}

// push appends an RPC to a list.
func (s *slab) push(l *rpcList, h handle) {
	if l.n == 0 {
		l.first = h
	} else {
		s.extra[l.last].next = h
	}
	l.last = h
	l.n++
}

// unshift puts an RPC in front of a list.
func (s *slab) unshift(l *rpcList, h handle) {
	if l.n == 0 {
		l.last = h
	}
	s.extra[h].next, l.first = l.first, h
	l.n++
}

// shift removes the first RPC of a list, which must not be empty.
func (s *slab) shift(l *rpcList) handle {
	h := l.first
	l.first = s.extra[h].next
	l.n--
	return h
}

// new returns a zero record. The caller sets its holders.
func (s *slab) new() handle {
	if n := len(s.free); n > 0 {
		h := s.free[n-1]
		s.free = s.free[:n-1]
		return h
	}
	s.rpcs, s.extra = append(s.rpcs, rpc{}), append(s.extra, rpcExtra{})
	return handle(len(s.rpcs) - 1)
}

// at returns a record, valid until the next call of new.
func (s *slab) at(h handle) *rpc { return &s.rpcs[h] }

// sent returns how often an RPC, or an attempt of a call, has been sent: under this record at most
// once, and under earlier ones.
func (s *slab) sent(h handle) (n uint8) {
	r := s.at(h)
	if r.status.has(laterAttempt) {
		n = s.extra[h].sentBefore
	}
	if r.state == rpcSent && r.place != awaitsStream {
		n++
	}
	return n
}

// release takes away one holder of a record, and frees it with the last one.
func (s *slab) release(h handle) {
	r := s.at(h)
	r.holders--
	if r.holders == 0 {
		*r = rpc{}
		s.free = append(s.free, h)
	}
}
