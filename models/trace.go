package models

import (
	"lbsim/policies"
	"lbsim/sim"
)

// Trace is a log of a run, in order, if its Config has one: more detail than the record, at the
// price of memory for each entry. A trace does not change the run.
type Trace struct {
	Entries []TraceEntry

	number []uint64 // by handle: the number of the RPC among those of its client
}

// TraceEntry is one event of a trace. A field has a value for the kinds that it names.
type TraceEntry struct {
	At     sim.Time
	What   TraceKind
	Client int32
	// RPC numbers the RPCs of the client from 0: for Began, Sent and Ended.
	RPC uint64
	// Backend is where the RPC was sent, or what the SubConn connects to: for Sent, Dialled and
	// SubConnChanged, as are SubConn and Address. It is -1 while an L4 balancer has not chosen.
	// Addresses are numbered through the backends, then through the L4 balancers.
	Backend int32
	Address int32
	SubConn policies.SubConn
	// State is the new state: for SubConnChanged and ChannelChanged.
	State policies.Connectivity
	// Code and Reason are the result of the RPC: for Ended.
	Code   policies.Code
	Reason policies.Reason
}

// TraceKind is the kind of a trace entry.
type TraceKind uint8

// The kinds of entries.
const (
	Began TraceKind = iota
	Sent
	Ended
	Dialled // an attempt to connect was made
	SubConnChanged
	ChannelChanged
)

// String returns the kind as a word.
func (k TraceKind) String() string {
	return [...]string{"began", "sent", "ended", "dialled", "subconn", "channel"}[k]
}

func (t *Trace) add(e TraceEntry) { t.Entries = append(t.Entries, e) }

// numberOf returns the number of the RPC with a handle; 0 without a trace.
func (t *Trace) numberOf(h handle) uint64 {
	if t == nil {
		return 0
	}
	return t.number[h]
}

// numbered records the number of the RPC to which a handle belongs.
func (t *Trace) numbered(h handle, number uint64) {
	for int(h) >= len(t.number) {
		t.number = append(t.number, 0)
	}
	t.number[h] = number
}
