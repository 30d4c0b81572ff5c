package models

import "lbsim/policies"

// The streams of a transport, and the RPCs that wait for one.

// openStream gives a stream to an RPC and reports whether one was free. Otherwise the RPC waits for
// a stream of this transport, even if others have free ones, and counts as picked meanwhile. This
// is the hidden queue of grpc-go behind MAX_CONCURRENT_STREAMS.
func (cn *conn) openStream(h handle, r *rpc) bool {
	if cn.full() {
		r.place = awaitsStream
		r.holders++
		cn.waiting.push(h)
		return false
	}
	cn.streams++
	cn.pending++
	cn.wake() // keepalive may have been dormant
	return true
}

// full reports whether no stream is free. Watches of health and load take a stream each; they open
// without asking, so streams may exceed MaxStreams.
func (cn *conn) full() bool {
	most := cn.b.group.MaxStreams
	return most > 0 && cn.streams >= most
}

// streamEnded records that an RPC has ended that had a stream or waited for one. A free stream goes
// to the next RPC that waits.
func (cn *conn) streamEnded(r *rpc) {
	if r.place == awaitsStream {
		cn.dropEndedWaiting() // this RPC is still rpcSent and stays in waiting
		cn.endedWaiting++
		return
	}
	cn.streams--
	if r.place == replied { // the end is the reply, not the deadline or a cancellation
		cn.heardReply()
	}
	if cn.draining {
		if cn.streams == 0 {
			cn.returnWaiting()
			cn.close()
		}
		return
	}
	cn.nextStream()
}

// nextStream gives a free stream to the next RPC that waits for one.
func (cn *conn) nextStream() {
	for cn.waiting.len() > 0 && !cn.full() {
		h := cn.waiting.pop()
		next := cn.c.w.rpcs.at(h)
		got := next.state == rpcSent // otherwise it ended while it waited
		if got {
			next.place = onItsWay
			cn.openStream(h, next)
			cn.c.sendRequest(h, next, int32(cn.b.number))
		} else {
			cn.endedWaiting--
		}
		cn.c.w.rpcs.release(h)
		if got {
			return
		}
	}
}

// streamEnded is conn.streamEnded for the transport of an RPC, if it has one.
func (c *channel) streamEnded(r *rpc) {
	if cn := c.conn(r.sc, r.connNumber); cn != nil && !cn.closed {
		cn.streamEnded(r)
	}
}

// dropEndedWaiting removes RPCs that ended while they waited, when these are at least 16 and half
// of waiting.
func (cn *conn) dropEndedWaiting() {
	n := cn.waiting.len()
	if cn.endedWaiting < 16 || cn.endedWaiting < n/2 {
		return
	}
	for range n {
		h := cn.waiting.pop()
		if cn.c.w.rpcs.at(h).state == rpcSent {
			cn.waiting.push(h)
		} else {
			cn.c.w.rpcs.release(h)
		}
	}
	cn.endedWaiting = 0
}

// drain makes the transport draining after a GOAWAY. RPCs that wait for a stream go back to the
// picker: they were never sent, so this is a transparent retry.
func (cn *conn) drain() {
	if cn.draining {
		return
	}
	cn.draining = true
	cn.endWatches()
	cn.returnWaiting()
	if cn.streams == 0 {
		cn.close()
	}
}

// retire makes the transport draining after its SubConn was shut down. As in grpc-go, RPCs that
// wait for a stream are not woken until the last stream has ended.
func (cn *conn) retire() {
	if cn.draining {
		return
	}
	cn.draining = true
	cn.endWatches()
	if cn.streams == 0 {
		cn.close()
	}
}

// returnWaiting returns the RPCs that wait for a stream to the channel, which picks again for them.
func (cn *conn) returnWaiting() {
	for cn.waiting.len() > 0 {
		h := cn.waiting.pop()
		r := cn.c.w.rpcs.at(h)
		if r.state != rpcSent {
			cn.c.w.rpcs.release(h)
			continue
		}
		cn.c.notInFlight(r)
		p := policies.Pick{Verdict: policies.Sent, SubConn: r.sc, Note: r.note}
		r.picker.Done(p, policies.Outcome{
			Latency: cn.c.k.Now().Sub(cn.c.w.rpcs.extra[h].picked), Status: &statusDraining,
		})
		r.state, r.place, r.connNumber, r.note = rpcWaiting, onItsWay, 0, 0
		if !r.status.has(laterAttempt) {
			r.status |= laterAttempt
			cn.c.w.rpcs.extra[h].sentBefore = 0
		}
		cn.c.repicks = append(cn.c.repicks, h)
	}
	cn.endedWaiting = 0
}
