package models

import (
	"lbsim/policies"
	"lbsim/sim"
)

// Trace, where a Config has one, is filled with what happens in a run, in order: for those who want
// to see more than the record tells, at the price of memory for each entry. It changes nothing.
type Trace struct {
	Entries []TraceEntry

	number []uint64 // of the RPC at each place of the slab
}

// TraceEntry is one thing that happened.
type TraceEntry struct {
	At     sim.Time
	What   TraceKind
	Client int32
	// RPC numbers the RPCs of the client from 0: for Began, Sent and Ended.
	RPC uint64
	// Backend is where the RPC was sent to, or what the SubConn connects to: for Sent, Dialled and
	// SubConnChanged, as are SubConn and Address. While an L4 balancer has not chosen, Backend is
	// -1. Addresses are numbered through the backends, then through the L4 balancers.
	Backend int32
	Address int32
	SubConn policies.SubConn
	// State is the new state: for SubConnChanged and ChannelChanged.
	State policies.Connectivity
	// Code and Reason say how it ended: for Ended.
	Code   policies.Code
	Reason policies.Reason
}

// TraceKind says what happened.
type TraceKind uint8

// What can happen.
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

// numberOf is the number of the RPC at a place of the slab, 0 where nothing is traced.
func (t *Trace) numberOf(h handle) uint64 {
	if t == nil {
		return 0
	}
	return t.number[h]
}

// numbered notes the number of the RPC, or of one of its attempts, at a place of the slab.
func (t *Trace) numbered(h handle, number uint64) {
	for int(h) >= len(t.number) {
		t.number = append(t.number, 0)
	}
	t.number[h] = number
}
