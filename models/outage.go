package models

import (
	"lbsim/policies"
	"lbsim/sim"
)

// Crash ends a backend's process: its connections are reset, its work is lost, and attempts to
// connect are refused until it has been restarted as often as it has crashed and stopped. In a
// black hole nobody hears of it before that has closed.
func (w *World) Crash(backend int32) {
	b := w.backends[backend]
	old := b.epoch
	b.crash()
	w.registry.left(backend, false)
	if b.cut == 0 {
		w.resetFrom(b, old)
	}
	for _, cn := range w.conns.all {
		switch {
		case cn == nil || cn.b != b:
		case cn.closed:
			cn.forget() // nobody is at work for it any more
		case old <= cn.number:
			cn.serverGone()
		}
	}
}

// resetFrom sends the news of a crash along the connections that broke in it: those from number
// first on.
func (w *World) resetFrom(b *backend, first uint32) {
	for _, c := range w.clients {
		c.channel.resetFrom(b, first)
	}
	for _, cn := range w.conns.of(b) {
		if first <= cn.number && cn.number < b.epoch {
			cn.post(connLost)
		}
	}
}

// Stop ends a backend's process gracefully (grpc-go's GracefulStop): attempts to connect are
// refused, clients are told to go away, and what they have sent is served, however long that takes.
// As often as it has crashed and stopped it must be restarted.
func (w *World) Stop(backend int32) {
	b := w.backends[backend]
	b.downs++
	b.told = b.accepted + 1
	w.registry.left(backend, true)
	for _, c := range w.clients {
		c.channel.leaveFrom(b)
	}
}

// Restart brings back a backend that has crashed or stopped.
func (w *World) Restart(backend int32) {
	b := w.backends[backend]
	b.restart()
	if !b.down() {
		w.registry.joined(backend)
	}
}

// Blackhole lets nothing pass between a backend and any client, until as many Unblackhole.
func (w *World) Blackhole(backend int32) {
	b := w.backends[backend]
	b.cut++
	if b.cut == 1 {
		b.cutFrom, b.cutTo = w.k.Now(), sim.Never
		b.reported = b.epoch
	}
}

// Unblackhole takes back a Blackhole.
func (w *World) Unblackhole(backend int32) {
	b := w.backends[backend]
	b.cut--
	if b.cut > 0 {
		return
	}
	b.cutTo = w.k.Now()
	for _, cn := range w.conns.of(b) {
		cn.reopened()
	}
	// Of a crash in the meantime clients would hear when they send something. They hear at once.
	w.resetFrom(b, b.reported)
}

// Mute makes a backend accept connections but send no SETTINGS, until as many Unmute. It serves
// those that it has.
func (w *World) Mute(backend int32) { w.backends[backend].mutes++ }

// Unmute takes back a Mute.
func (w *World) Unmute(backend int32) { w.backends[backend].mutes-- }

// of returns the transports to a backend that are known.
func (cs *conns) of(b *backend) []*conn {
	var list []*conn
	for _, cn := range cs.all {
		if cn != nil && cn.b == b && !cn.closed {
			list = append(list, cn)
		}
	}
	return list
}

// serverGone is the end of the process at the server's end.
func (cn *conn) serverGone() {
	cn.cancel(&cn.server.age)
	cn.cancel(&cn.server.idle)
	cn.dropHeldIn(toClient)
}

// leaveFrom sends a GOAWAY along each connection to a backend.
func (c *channel) leaveFrom(b *backend) {
	for i := range c.subConns {
		s := &c.subConns[i]
		if s.state == policies.Ready && c.w.backends[s.backend] == b && s.epoch >= b.epoch {
			c.transport(policies.SubConn(i)).leave(connGoAway)
		}
	}
}

// sent says whether the backend sent SETTINGS along a connection at a moment not long ago: it had
// not crashed by then, and there was no black hole.
func (b *backend) sent(at sim.Time, epoch uint32) bool {
	crashed := epoch < b.epoch && b.crashed <= at
	swallowed := b.cutFrom <= at && at < b.cutTo
	return !crashed && !swallowed
}
