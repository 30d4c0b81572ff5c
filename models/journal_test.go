package models

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lbsim/policies"
	"lbsim/sim"
)

// Journal watches a world from outside, one event at a time, and writes down what has changed. No
// part of the world knows of it.
type Journal struct {
	Calls   []Call   // in the order in which they began
	Changes []Change // of SubConns
	Lines   []string // what happened, since the last Take

	w        *World
	notes    []string // of the present event
	open     []int    // of Calls
	luck     []uint64 // of the RPC at each place of the slab
	subConns [][]policies.Connectivity
	backends []string
	codes    []uint64
}

// Call is what became of an RPC.
type Call struct {
	Client     int32
	Number     int // among the RPCs of its client, from 0
	Start, End sim.Time
	Sent       sim.Time
	Backend    int32 // the one that it was sent to, -1 for none
	Ended      bool
	Code       policies.Code

	at   handle
	luck uint64
}

// Change is a SubConn that has another state than before.
type Change struct {
	Client, Backend int32
	To              policies.Connectivity
	At              sim.Time
}

// NewJournal opens the journal of a new world. It must not have a warm-up: codes are read from what
// the world records.
func NewJournal(cfg *Config) *Journal {
	w := New(cfg)
	j := &Journal{w: w, subConns: make([][]policies.Connectivity, len(w.clients))}
	j.backends = make([]string, len(w.backends))
	j.codes = make([]uint64, policies.Codes)
	j.look()
	j.Take()
	return j
}

// Run goes on up to and including moment until.
func (j *Journal) Run(until sim.Time) {
	for !j.w.k.Run(until, 1) {
		j.look()
	}
}

// RunCalls goes on until n RPCs have ended, or to the end of the run.
func (j *Journal) RunCalls(n uint64) {
	for j.w.rec.Ended() < n && !j.w.k.Run(sim.Time(j.w.cfg.Duration), 1) {
		j.look()
	}
}

// Take returns the lines and begins anew.
func (j *Journal) Take() []string {
	lines := j.Lines
	j.Lines = nil
	return lines
}

func (j *Journal) note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// look compares what there is with what there was before an event, which begins or ends at most one
// RPC. What is noted first has caused what comes after.
func (j *Journal) look() {
	j.notes = j.notes[:0]
	j.lookForNew()
	j.lookForEnds()
	for i, c := range j.w.clients {
		j.lookAtSubConns(i, c.channel)
	}
	j.lookForSent()
	j.lookAtBackends()
	if len(j.notes) > 0 {
		line := fmt.Sprintf("%-13v %s", j.w.k.Now(), strings.Join(j.notes, "; "))
		j.Lines = append(j.Lines, line)
	}
}

func (j *Journal) lookForNew() {
	for h := range j.w.rpcs.rpcs {
		r := &j.w.rpcs.rpcs[h]
		if h == len(j.luck) {
			j.luck = append(j.luck, 0)
		}
		if r.luck == j.luck[h] {
			continue
		}
		j.luck[h] = r.luck
		if r.holders > 0 && r.client != noClient {
			if i := j.moved(r); i >= 0 {
				c := &j.Calls[i]
				c.at, c.Backend = handle(h), -1
				j.note("rpc %d again", i+1)
				continue
			}
			number := int(j.w.clients[r.client].begun) - 1
			j.Calls = append(j.Calls, Call{Client: r.client, Number: number, Start: r.start,
				Backend: -1, at: handle(h), luck: r.luck})
			j.open = append(j.open, len(j.Calls)-1)
			j.note("rpc %d begins", len(j.Calls))
		}
	}
}

// moved returns the call that has got this record in place of another, -1 for none.
func (j *Journal) moved(r *rpc) int {
	for _, i := range j.open {
		if j.Calls[i].luck == r.luck {
			return i
		}
	}
	return -1
}

func (j *Journal) lookForEnds() {
	still := j.open[:0]
	for _, i := range j.open {
		c := &j.Calls[i]
		r := j.w.rpcs.at(c.at)
		if r.luck == c.luck && r.state != rpcEnded {
			still = append(still, i)
			continue
		}
		c.End, c.Ended, c.Code = j.w.k.Now(), true, j.newCode()
		j.note("rpc %d %v after %v", i+1, c.Code, c.End.Sub(c.Start))
	}
	j.open = still
}

// newCode is the status code of which the record has one more than before.
func (j *Journal) newCode() policies.Code {
	counts := reflect.ValueOf(j.w.rec).Elem().FieldByName("run").FieldByName("Codes")
	for i := range j.codes {
		if n := counts.Index(i).Uint(); n != j.codes[i] {
			j.codes[i] = n
			return policies.Code(i)
		}
	}
	panic("an RPC has ended, but the record has no more than before")
}

func (j *Journal) lookAtSubConns(client int, c *channel) {
	of := make([]int, len(j.w.paths)) // SubConns of each address, so far
	for i := range c.subConns {
		s := &c.subConns[i]
		at, name := j.addressOf(s)
		of[at]++
		if i == len(j.subConns[client]) {
			j.subConns[client] = append(j.subConns[client], policies.Idle)
		}
		if s.state == j.subConns[client][i] {
			continue
		}
		j.subConns[client][i] = s.state
		j.Changes = append(j.Changes, Change{int32(client), s.backend, s.state, j.w.k.Now()})
		if n := of[at]; n > 1 {
			name += fmt.Sprintf("#%d", n)
		}
		if len(j.w.clients) > 1 {
			name = fmt.Sprintf("client %d: %s", client, name)
		}
		if s.l4 != 0 && s.state == policies.Ready {
			name += " to " + j.w.cfg.backendName(int(s.backend))
		}
		j.note("%s %v", name, s.state)
	}
}

func (j *Journal) lookForSent() {
	for _, i := range j.open {
		c := &j.Calls[i]
		if r := j.w.rpcs.at(c.at); c.Backend < 0 && r.state == rpcSent &&
			r.place != awaitsStream {
			c.Backend, c.Sent = j.backendOf(r), j.w.k.Now()
			j.note("rpc %d goes to %s", i+1, j.w.cfg.backendName(int(c.Backend)))
		}
	}
}

func (j *Journal) lookAtBackends() {
	for i := range j.w.backends {
		b := &j.w.backends[i]
		now := fmt.Sprintf("%d in service", b.busy)
		if n := b.waiting(); n > 0 {
			now += fmt.Sprintf(", %d queued", n)
		}
		if b.timePerWork != 1 {
			now += fmt.Sprintf(", slowed by %g", b.timePerWork)
		}
		if b.down() {
			now += ", down"
		}
		cut := func(p path) bool { return p.backend == int32(i) && p.cut > 0 }
		if slices.ContainsFunc(j.w.paths, cut) {
			now += ", cut off"
		}
		if b.mutes > 0 {
			now += ", mute"
		}
		if now != j.backends[i] {
			j.backends[i] = now
			j.note("%s: %s", j.w.cfg.backendName(i), now)
		}
	}
}

// backendOf returns the backend that an RPC was sent to.
func (j *Journal) backendOf(r *rpc) int32 { return int32(j.w.backendOf(r).number) }

// addressOf returns the number and the name of what a SubConn connects to.
func (j *Journal) addressOf(s *subConn) (int, string) {
	if s.l4 != 0 {
		return int(j.w.l4[s.l4-1].address.ID), j.w.cfg.L4[s.l4-1].Name
	}
	name := j.w.cfg.backendName(int(s.backend))
	if len(j.w.addresses(s.backend)) > 1 {
		name += " " + j.w.paths[s.address].label.String()
	}
	return int(s.address), name
}
