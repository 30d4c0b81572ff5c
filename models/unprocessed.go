package models

import "lbsim/policies"

// A server that got too many PINGs takes no more streams. Streams that it does not know when it
// sends GOAWAY are above the last stream number in the GOAWAY; the server ignores them. So the
// client knows that they were not processed, and sends each RPC once more, at once and on another
// connection, whatever the retry policy: a transparent retry. Only a first attempt gets one.
//
// Source: grpc-go v1.85.0, http2Client.handleGoAway and csAttempt.shouldRetry (gRFC A6). Left out:
// REFUSED_STREAM, which no grpc-go server has a cause to send to a grpc-go client.

// dropUnprocessed drops a request that arrives after its server has stopped taking streams, and
// reports whether it does.
func (b *backend) dropUnprocessed(h handle, r *rpc) bool {
	if cn := b.w.connOf(r); cn == nil || !cn.server.stoppedWriting {
		return false
	}
	r.place = unprocessed
	b.requestDropped(r)
	b.w.rpcs.release(h)
	return true
}

// failUnprocessed sends the client an event for each of its streams that the server does not know.
func (cn *conn) failUnprocessed() {
	rpcs := &cn.c.w.rpcs
	for i := range rpcs.rpcs {
		r := &rpcs.rpcs[i]
		if r.state == rpcSent && r.client == cn.c.number && r.sc == cn.sc &&
			r.connNumber == cn.number && (r.place == onItsWay || r.place == unprocessed) {
			r.holders++
			cn.c.k.After(0, cn.c.client, brokenBy(policies.Unprocessed), uint32(i))
		}
	}
}

// unprocessed handles that event: a transparent retry, or the end of the attempt.
func (c *client) unprocessed(h handle) {
	r := c.w.rpcs.at(h)
	if r.state != rpcSent || r.status.has(laterAttempt) {
		c.sentEnded(h, ending{policies.Unavailable, policies.Unprocessed})
		return
	}
	c.channel.done(h, ending{policies.Unavailable, policies.Unprocessed})
	c.sendAgain(h)
	c.w.rpcs.release(h)
}

// sendAgain sends an RPC again under a new record, since the old request may still be on its way.
func (c *client) sendAgain(h handle) {
	again := c.w.rpcs.new()
	old, r := c.w.rpcs.at(h), c.w.rpcs.at(again)
	c.w.rpcs.extra[again].sentBefore = c.w.rpcs.sent(h)
	r.luck, r.start, r.client, r.call, r.holders = old.luck, old.start, old.client, old.call, 1
	r.status = laterAttempt | old.status&waitForReady
	if old.deadline != 0 {
		due := c.k.Due(old.deadline)
		c.k.Cancel(old.deadline)
		old.deadline = 0
		c.setDeadline(again, due)
	}
	if r.hasCall() {
		k := &c.calls[r.call-1]
		for n := range k.attempts[:k.running] {
			if k.attempts[n] == h {
				k.attempts[n] = again
			}
		}
	}
	if t := c.w.cfg.Trace; t != nil {
		t.numbered(again, t.number[h])
	}
	old.state = rpcEnded
	c.w.rpcs.release(h)
	c.channel.pick(again)
}
