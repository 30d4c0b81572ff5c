package models

import "lbsim/policies"

// The streams of a transport, and the RPCs that wait for one.

// open gives an RPC a stream and says whether it got one. Where there is none left it waits for one
// on this transport, though others may have some, and counts as picked all the while: grpc-go's
// hidden queue, which MAX_CONCURRENT_STREAMS makes.
func (cn *conn) openStream(h handle, r *rpc) bool {
	if cn.full() {
		r.place = awaitsStream
		r.holders++
		cn.waiting.push(h)
		return false
	}
	cn.streams++
	cn.pending++
	cn.wake()
	return true
}

// full says that no stream is left. Those that watch health or load take one each, also where that
// is one too many.
func (cn *conn) full() bool {
	most := cn.b.group.MaxStreams
	return most > 0 && cn.streams >= most
}

// streamEnded takes note that an RPC has ended. The next that waits gets its stream.
func (cn *conn) streamEnded(r *rpc) {
	if r.place == awaitsStream {
		cn.dropEndedWaiting() // this one has not quite ended
		cn.endedWaiting++
		return
	}
	cn.streams--
	if r.place == replied {
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

// nextStream gives a stream, if one is free, to the next RPC that waits for one.
func (cn *conn) nextStream() {
	for cn.waiting.len() > 0 && !cn.full() {
		h := cn.waiting.pop()
		next := cn.c.w.rpcs.at(h)
		got := next.state == rpcSent
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

// streamEnded takes note that an RPC has ended that was sent, or waited for a stream.
func (c *channel) streamEnded(r *rpc) {
	if cn := c.conn(r.sc, r.connNumber); cn != nil && !cn.closed {
		cn.streamEnded(r)
	}
}

// pickAgain asks the picker again for the RPCs that a transport could not send.
func (c *channel) pickAgain() {
	again := c.repicks
	c.repicks = nil
	for _, h := range again {
		if c.w.rpcs.at(h).state == rpcWaiting {
			c.pick(h)
		}
		c.w.rpcs.release(h)
	}
}

// purge now and then lets go of those that have ended while they waited.
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

// drain opens no more streams. RPCs that wait for one go back to the picker: a retry that nobody
// sees, for they were never sent.
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

// retire is drain for a transport whose SubConn the policy has shut down. Nothing wakes the RPCs
// that wait for a stream of it, in grpc-go either, until the last of the others has ended.
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

// giveBack hands the RPCs that wait for a stream to the channel, which picks for them anew.
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
