package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// handle names an RPC that is still known to somebody: its place in the slab.
type handle uint32

// rpc is the record of an RPC, or of one attempt of a [call]: one cache line. The client, the list
// of RPCs that wait for a picker and each letter about it hold it; the last to let go frees it. So
// a backend can work on a request whose client has long given up.
type rpc struct {
	luck   uint64   // the random word that all of its own chance derives from
	start  sim.Time // when it was meant to start
	note   uint64   // of the pick; while it waits, the reason why it was not sent
	picker policies.Picker

	deadline   sim.Timer // 0 where there is none
	client     int32
	sc         policies.SubConn // the one it was sent on
	connNumber uint32           // the backend's number of the connection
	call       uint32           // 1 + the place of its call; 0 for none; or unmade

	holders uint8
	state   rpcState
	place   rpcPlace
	status  rpcStatus
}

// rpcStatus is a status code and the marks of an RPC, each with bits of its own. The code is OK
// until the RPC gets another: DEADLINE_EXCEEDED when its deadline passes before a backend has begun
// its work, or the code of the reply, or the code with which the client gives up an RPC unsent.
type rpcStatus uint8

const (
	codeBits     rpcStatus = 1<<5 - 1
	waitForReady rpcStatus = 1 << 5 // the RPC waits while the channel is in TRANSIENT_FAILURE
	laterAttempt rpcStatus = 1 << 6 // the RPC is not a first attempt
	queueFull    rpcStatus = 1 << 7 // the reply comes from a queue that was full
)

const _ = codeBits - rpcStatus(policies.Codes-1) // each code has room

// code returns the status code without the marks.
func (s rpcStatus) code() policies.Code { return policies.Code(s & codeBits) }

// has says whether the RPC has a mark.
func (s rpcStatus) has(mark rpcStatus) bool { return s&mark != 0 }

// with returns the same marks with another code.
func (s rpcStatus) with(code policies.Code) rpcStatus { return s&^codeBits | rpcStatus(code) }

type rpcState uint8

const (
	rpcWaiting rpcState = iota // for a picker
	rpcSent
	rpcEnded
)

// rpcPlace is where the request of an RPC is, as its backend sees it.
type rpcPlace uint8

const (
	onItsWay rpcPlace = iota
	queued
	inService
	replied
	dropped     // the backend has learnt that the client gave up
	unprocessed // the server has not heard of it, and never will
)

// Salts for the luck of an RPC: each use has its own random word.
const (
	saltService = iota
	saltRequest
	saltReply
	saltCancel
	saltError
	saltGoAway
	saltKey
)

// slab holds the RPCs.
type slab struct {
	rpcs  []rpc
	extra []rpcExtra // of each
	free  []handle
}

// ahead is what an RPC will need. It is drawn some time before, since a time is compared with
// others as soon as it is used, in branches that no CPU can guess.
type rpcExtra struct {
	drawn  time.Duration // queued: of its work; in service: of the reply
	picked sim.Time      // since when it is rpcSent
	next   handle        // while it stands in a line, the next one there
	// sentBefore is how often the RPC was sent before it had this record; that of its last one, if it
	// has no call. It is good where there is the mark laterAttempt.
	sentBefore uint8
}

// line is a row of RPCs, each in one line at most. It needs no room of its own.
type rpcList struct {
	first, last handle
	n           int32
}

// push puts an RPC at the end of a line.
func (s *slab) push(l *rpcList, h handle) {
	if l.n == 0 {
		l.first = h
	} else {
		s.extra[l.last].next = h
	}
	l.last = h
	l.n++
}

// unshift puts an RPC at the head of a line.
func (s *slab) unshift(l *rpcList, h handle) {
	if l.n == 0 {
		l.last = h
	}
	s.extra[h].next, l.first = l.first, h
	l.n++
}

// shift takes the first RPC of a line that has some.
func (s *slab) shift(l *rpcList) handle {
	h := l.first
	l.first = s.extra[h].next
	l.n--
	return h
}

func (s *slab) new() handle {
	if n := len(s.free); n > 0 {
		h := s.free[n-1]
		s.free = s.free[:n-1]
		return h
	}
	s.rpcs, s.extra = append(s.rpcs, rpc{}), append(s.extra, rpcExtra{})
	return handle(len(s.rpcs) - 1)
}

func (s *slab) at(h handle) *rpc { return &s.rpcs[h] }

// sent is how often an RPC, or an attempt of a call, has been sent: no more than once with this
// record, and maybe before.
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

// release lets go of an RPC.
func (s *slab) release(h handle) {
	r := s.at(h)
	r.holders--
	if r.holders == 0 {
		*r = rpc{}
		s.free = append(s.free, h)
	}
}
