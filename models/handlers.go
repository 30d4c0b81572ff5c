package models

// A server runs no more handlers for one connection than it allows streams on it. A handler that
// works on when its client has given up keeps its place, though the stream is free for another
// request: that one waits, and so does all that comes after it, PINGs too, for the server reads no
// further.
//
// Source: grpc-go v1.85.0, Server.serveStreams and its handler quota.
type handlers struct {
	running int  // on this connection
	waiting ring // requests that wait for one to end
	pings   int  // PINGs that came after them
}

// admitted says whether a request that has arrived may be handled now. Else it waits.
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
	case cn.closed: // nobody reads it any more
		cn.requestDone()
		b.w.rpcs.release(h)
	default:
		hs.waiting.push(h)
	}
	return false
}

// handled takes note that a request is answered or dropped that was being handled. Who waits comes
// to know when what ended its handler is over.
func (cn *conn) handlerDone() {
	if cn.b.group.MaxStreams > 0 && !cn.closed {
		cn.messages++
		cn.c.k.After(0, cn.c.w.conns.id, connHandlerDone, cn.slot)
	}
	cn.requestDone()
}

// readOn is when a handler has ended: the next request gets its place, unless its client has given
// up. In grpc-go it is then a matter of chance whether there is a handler for a moment.
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

// dropLine lets go of the requests that wait, which nobody will handle.
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
