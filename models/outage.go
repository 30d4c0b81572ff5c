package models

import (
	"slices"

	"lbsim/sim"
)

// Crash ends a backend's process: its connections are reset, its work is lost, and attempts to
// connect are refused until Restart was called as often as Crash and Stop. Resets do not get
// through a black hole; clients learn of them when it ends.
func (w *World) Crash(backend int32) {
	b := &w.backends[backend]
	old := b.lostBefore
	b.crash()
	w.measureCapacity(backend)
	w.registry.update(backend, false)
	for _, a := range w.addresses(backend) {
		if p := &w.paths[a]; p.cut == 0 {
			w.resetFrom(b, p, old)
		}
	}
	for _, cn := range w.conns.all {
		switch {
		case cn == nil || cn.b != b:
		case cn.closed:
			cn.forget() // its requests are lost
		case old <= cn.number:
			cn.serverGone()
		}
	}
}

// resetFrom sends a reset along the connections to an address that broke in a crash, from
// connection number first on.
func (w *World) resetFrom(b *backend, p *path, first uint32) {
	for _, c := range w.clients {
		c.channel.resetFrom(b, p, first)
	}
	for _, cn := range w.conns.along(p) {
		if first <= cn.number && cn.number < b.lostBefore {
			cn.send(connLost)
		}
	}
}

// Stop ends a backend's process gracefully (grpc-go's GracefulStop): attempts to connect are
// refused, connections get a GOAWAY, and requests that were sent are served, however long that
// takes. The backend is up again when Restart was called as often as Crash and Stop.
func (w *World) Stop(backend int32) {
	b := &w.backends[backend]
	b.downs++
	b.goAwayBefore = w.accepted + 1
	w.measureCapacity(backend)
	w.registry.update(backend, true)
	for _, c := range w.clients {
		c.channel.goAwayFrom(b)
	}
}

// Restart takes back one Crash or Stop.
func (w *World) Restart(backend int32) {
	b := &w.backends[backend]
	b.restart()
	w.measureCapacity(backend)
	w.registry.update(backend, false)
}

// Blackhole drops everything between an address, by its number, and all clients, until Unblackhole
// was called as often.
func (w *World) Blackhole(address int32) {
	p := &w.paths[address]
	p.cut++
	if p.cut == 1 {
		w.net.cuts++
		p.cutFrom, p.cutTo = w.k.Now(), sim.Never
		p.lostBeforeCut = w.backends[p.backend].lostBefore
		w.measureCapacity(p.backend)
		w.registry.update(p.backend, false)
	}
}

// Unblackhole takes back one Blackhole.
func (w *World) Unblackhole(address int32) {
	p := &w.paths[address]
	p.cut--
	if p.cut > 0 {
		return
	}
	w.net.cuts--
	w.measureCapacity(p.backend)
	p.cutTo = w.k.Now()
	for _, cn := range w.conns.along(p) {
		cn.pathRestored()
	}
	// After a crash in the meantime a client would get a reset when it sends something. It gets one
	// at once.
	w.resetFrom(&w.backends[p.backend], p, p.lostBeforeCut)
	w.registry.update(p.backend, false)
}

// Refuse refuses attempts to connect to an address, by its number, until Unrefuse was called as
// often. Connections that exist go on.
func (w *World) Refuse(address int32) { w.refuse(address, 1) }

// Unrefuse takes back one Refuse.
func (w *World) Unrefuse(address int32) { w.refuse(address, -1) }

// refuse adds to the number of failures by which an address refuses connections: several may
// overlap.
func (w *World) refuse(address int32, by int) {
	p := &w.paths[address]
	p.refuses += by
	w.registry.update(p.backend, false)
}

// Mute makes a backend accept connections without sending SETTINGS, until Unmute was called as
// often. It serves on the connections that it has.
func (w *World) Mute(backend int32) { w.mute(backend, 1) }

// Unmute takes back one Mute.
func (w *World) Unmute(backend int32) { w.mute(backend, -1) }

// mute adds to the number of failures by which a backend is mute: several may overlap.
func (w *World) mute(backend, by int32) {
	w.backends[backend].mutes += by
	w.registry.update(backend, false)
}

// of returns the transports to a backend that are not closed.
func (cs *conns) of(b *backend) []*conn {
	var list []*conn
	for _, cn := range cs.all {
		if cn != nil && cn.b == b && !cn.closed {
			list = append(list, cn)
		}
	}
	return list
}

// along returns the transports on a path that are not closed.
func (cs *conns) along(p *path) []*conn {
	other := func(cn *conn) bool { return cn.path != p }
	return slices.DeleteFunc(cs.of(&cs.w.backends[p.backend]), other)
}

// serverGone ends the server's end of a transport in a crash.
func (cn *conn) serverGone() {
	cn.cancel(&cn.server.age)
	cn.cancel(&cn.server.idle)
	cn.dropWaiting()
	cn.dropHeldIn(toClient)
}

// lostBy reports whether a connection, by its number, had been lost in a crash by a moment, at most
// one network delay ago.
func (b *backend) lostBy(at sim.Time, number uint32) bool {
	return number < b.lostBefore && b.crashed <= at
}

// crash loses all requests. Records of requests in service are released by their workDone events.
func (b *backend) crash() {
	b.lostBefore, b.crashed = b.w.accepted+1, b.w.k.Now()
	b.downs++
	b.load.Add(b.w.k.Now(), -int64(int(b.busy)+b.waiting()))
	b.occupy(-b.busy)
	b.dropped = 0
	if b.scheduler != nil {
		b.scheduled = 0
		for _, h := range b.scheduler.clear() {
			b.w.rpcs.release(h)
		}
	}
	for b.queue.n > 0 {
		b.w.rpcs.release(b.w.rpcs.shift(&b.queue))
	}
}

// down reports whether the process does not run, or takes no connections since a graceful stop.
func (b *backend) down() bool { return b.downs > 0 }

// restart takes back one crash or stop. With the last one a new process starts.
func (b *backend) restart() {
	b.downs--
	if !b.down() && b.meter != nil {
		b.meter.begin(b.w.k.Now())
	}
}
