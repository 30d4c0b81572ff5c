package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// synsAgain is how often Linux repeats a SYN without answer (tcp_syn_retries): after 1 s, 2 s more,
// 4 s more and so on. 64 s after the last one it gives up. Repeated SYNs have the delay of the
// first.
const synsAgain = 6

// synAfter returns how long after the first SYN, number 0, SYN n is sent: 0, 1, 3, 7, 15, 31, 63 s.
func synAfter(n int) time.Duration { return (1<<n - 1) * time.Second }

// heardAfter returns how long after the beginning of the attempt its SYN reached the backend.
func (s *subConn) heardAfter(legs [3]time.Duration) time.Duration {
	return sim.Plus(synAfter(int(s.heardSYN)-1), legs[0])
}

// syn handles the arrival of SYN n of an attempt at the backend, which accepts or refuses it. An L4
// balancer forwards all SYNs of one attempt to the same backend.
func (c *channel) syn(sc policies.SubConn, n int) {
	s := &c.subConns[sc]
	legs := c.w.net.legs(s.luck)
	elapsed := sim.Plus(synAfter(n), legs[0])
	if s.backend < 0 && !c.forward(s) {
		c.inTime(sc, elapsed, legs[1], channelRefused)
		return
	}
	b, p := &c.w.backends[s.backend], &c.w.paths[s.address]
	refused := b.down() || p.refuses > 0
	switch {
	case p.cut > 0 && n == synsAgain:
		c.inTime(sc, elapsed, max(0, synAfter(n+1)-elapsed), channelTimedOut)
		return
	case p.cut > 0:
		c.inTime(sc, elapsed, synAfter(n+1)-synAfter(n), channelSYNAgain+sim.Kind(n))
		return
	}
	s.heardSYN = uint8(n + 1)
	switch {
	case refused:
		c.inTime(sc, elapsed, legs[1], channelRefused)
	case b.mutes > 0:
		c.inTime(sc, elapsed, time.Duration(sim.Never), channelTimedOut)
	default:
		c.accept(s, b)
		b.setUp(s.luck, s.connNumber)
		c.inTime(sc, elapsed, sim.Plus(legs[1], legs[2]), channelConnected)
	}
}
