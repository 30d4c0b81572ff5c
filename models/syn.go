package models

import (
	"time"

	"lbsim/policies"
	"lbsim/sim"
)

// synsAgain is how often Linux sends a SYN again that is not answered (tcp_syn_retries): after 1 s,
// 2 s later, 4 s later and so on, each as long under way as the first. After 64 s more it gives up.
const synsAgain = 6

// synAfter is how long after the first, number 0, a SYN is sent: 0, 1, 3, 7, 15, 31 and 63 s.
func synAfter(n int) time.Duration { return (1<<n - 1) * time.Second }

// syned is how long the attempt had gone on when the backend heard of it.
func (s *subConn) heardAfter(legs [3]time.Duration) time.Duration {
	return sim.Plus(synAfter(int(s.heardSYN)-1), legs[0])
}

// syn is the arrival of a SYN of the attempt at the backend, which accepts or refuses it. An L4
// balancer sends those of one attempt to the same backend.
func (c *channel) syn(sc policies.SubConn, n int) {
	s := &c.subConns[sc]
	legs := c.w.net.legs(s.luck)
	gone := sim.Plus(synAfter(n), legs[0])
	if s.backend < 0 && !c.forward(s) {
		c.inTime(sc, gone, legs[1], channelRefused)
		return
	}
	b, p := &c.w.backends[s.backend], &c.w.paths[s.address]
	refused := b.down() || p.refuses > 0
	switch {
	case p.cut > 0 && n == synsAgain:
		c.inTime(sc, gone, max(0, synAfter(n+1)-gone), channelTimedOut)
		return
	case p.cut > 0:
		c.inTime(sc, gone, synAfter(n+1)-synAfter(n), channelSYNAgain+sim.Kind(n))
		return
	}
	s.heardSYN = uint8(n + 1)
	switch {
	case refused:
		c.inTime(sc, gone, legs[1], channelRefused)
	case b.mutes > 0:
		c.inTime(sc, gone, time.Duration(sim.Never), channelTimedOut)
	default:
		c.accept(s, b)
		b.setUp(s.luck, s.connNumber)
		c.inTime(sc, gone, sim.Plus(legs[1], legs[2]), channelConnected)
	}
}
