package models

// handlers are the handlers of one connection at the server, at most MaxStreams of its group.
//
// A handler runs on after its client has cancelled the RPC, though its stream is free again. So a
// request can arrive when all handlers are busy. It waits, and so does everything behind it, PINGs
// too, since the server reads no further.
//
// Source: grpc-go v1.85.0, Server.serveStreams and its handler quota.
type handlers struct {
	running int  // without MaxStreams it counts only watches
	waiting ring // requests that wait for a handler; empty while running < MaxStreams
	pings   int  // PINGs that came behind waiting requests
}

// admitted reports whether a request that has arrived gets a handler now. If not it waits, or is
// dropped because the connection is closed.
func (b *backend) admitted(h handle, r *rpc) bool {
	cn := b.w.connOf(r)
	if cn == nil || b.group.MaxStreams == 0 {
		return true
	}
	hs := &cn.handlers
	switch {
	case hs.running < b.group.MaxStreams:
		hs.running++
		return true
	case cn.closed: // the server reads no more
		cn.requestDone()
		b.w.rpcs.release(h)
	default:
		hs.waiting.push(h)
	}
	return false
}

// handlerDone records that a handler has ended, by a reply or because its request was dropped. The
// next waiting request starts in an event of its own, after the current one.
func (cn *conn) handlerDone() {
	if cn.b.group.MaxStreams > 0 && !cn.closed {
		cn.messages++
		cn.c.k.After(0, cn.c.w.conns.id, connHandlerDone, cn.slot)
	}
	cn.requestDone()
}

// serveNext gives the place of a handler that has ended to waiting requests. Requests that the
// client has given up are dropped; in grpc-go it is a race whether such a request gets a handler.
func (cn *conn) serveNext() {
	hs := &cn.handlers
	hs.running--
	for hs.waiting.len() > 0 && hs.running < cn.b.group.MaxStreams {
		h := hs.waiting.pop()
		r := cn.c.w.rpcs.at(h)
		if r.state == rpcEnded || r.place == dropped {
			cn.requestDone()
			cn.c.w.rpcs.release(h)
			continue
		}
		hs.running++
		cn.b.handle(h, r)
	}
	for ; hs.waiting.len() == 0 && hs.pings > 0; hs.pings-- {
		cn.pinged()
	}
}

// dropWaiting drops the requests that wait for a handler.
func (cn *conn) dropWaiting() {
	for cn.handlers.waiting.len() > 0 {
		cn.c.w.rpcs.release(cn.handlers.waiting.pop())
		cn.pending--
	}
}

// requestDone records that a request that came by the transport was answered or dropped.
func (cn *conn) requestDone() {
	cn.pending--
	if cn.pending == 0 {
		cn.server.idleSince = cn.c.k.Now()
	}
	if cn.closed {
		cn.forget()
	}
}

// handlerDropped records that a request with a handler was dropped.
func (b *backend) handlerDropped(r *rpc) {
	if b.conns > 0 {
		if cn := b.w.connOf(r); cn != nil {
			cn.handlerDone()
		}
	}
}

// requestDropped records that a request without a handler was dropped.
func (b *backend) requestDropped(r *rpc) {
	if b.conns > 0 {
		if cn := b.w.connOf(r); cn != nil {
			cn.requestDone()
		}
	}
}
