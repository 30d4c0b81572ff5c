package models

import (
	"fmt"

	"lbsim/policies"
)

// Transports adds up what the known transports of a world have: streams that clients have open,
// requests that backends have or will get, both without those that watch health or load, and RPCs
// that wait for a stream. None may be less than nothing.
func (w *World) Transports() (streams, pending, waiting int) {
	w.countThrough()
	for _, cn := range w.conns.all {
		if cn == nil {
			continue
		}
		if cn.streams < 0 || cn.pending < 0 || cn.messages < 0 || cn.endedWaiting < 0 {
			panic(fmt.Sprintf("transport %d of client %d to backend %v: %d streams, %d pending, "+
				"%d messages, %d left", cn.number, cn.c.number, cn.b.id, cn.streams, cn.pending,
				cn.messages, cn.endedWaiting))
		}
		if !cn.closed {
			streams += cn.streams
		}
		pending += cn.pending
		if cn.health.open {
			streams--
			pending--
		}
		if cn.load != nil && cn.load.open {
			streams--
			pending--
		}
		waiting += cn.waiting.len() - cn.endedWaiting
	}
	return streams, pending, waiting
}

// countThrough panics where a backend counts other connections through its L4 balancer than the
// SubConns have.
func (w *World) countThrough() {
	through := make([]int, len(w.backends))
	for _, c := range w.clients {
		for _, s := range c.channel.subConns {
			if s.l4 != 0 && (s.state == policies.Ready ||
				s.state == policies.Connecting && s.connNumber != unaccepted) {
				through[s.backend]++
			}
		}
	}
	for i, b := range w.backends {
		if b.l4Conns != through[i] {
			panic(fmt.Sprintf("backend %d has %d connections through its balancer, counts %d",
				i, through[i], b.l4Conns))
		}
	}
}
