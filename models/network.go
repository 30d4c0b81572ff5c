package models

import (
	"time"

	"lbsim/models/dist"
	"lbsim/sim"
)

// network is the post office: it delivers letters about RPCs after a delay.
type network struct {
	k       *sim.Kernel
	delay   dist.Distribution
	connect dist.Distribution // nil for three delays
	instant bool              // delay is 0
	cuts    int               // paths that are cut
}

func newNetwork(k *sim.Kernel, cfg *Network) network {
	none, constant := cfg.Delay.(dist.Constant)
	return network{
		k: k, delay: cfg.Delay, connect: cfg.Connect, instant: constant && none == 0,
	}
}

// send delivers a letter about an RPC.
func (n *network) send(r *rpc, h handle, salt uint64, to sim.ID, kind sim.Kind) {
	n.k.After(n.draw(r, salt), to, kind, uint32(h))
}

// draw is the delay of a letter about an RPC. It comes from the RPC's luck.
func (n *network) draw(r *rpc, salt uint64) time.Duration {
	return n.delay.Quantile(sim.Unit(sim.Mix(r.luck, salt)))
}

// legs draws the three delays of a handshake, SYN, SYN-ACK and SETTINGS, from the luck of the
// attempt.
func (n *network) legs(luck uint64) (legs [3]time.Duration) {
	if n.connect != nil {
		whole := n.connect.Quantile(sim.Unit(sim.Mix(luck, saltSYN)))
		third := whole / 3
		return [3]time.Duration{third, third, whole - 2*third}
	}
	for i := range legs {
		legs[i] = n.delay.Quantile(sim.Unit(sim.Mix(luck, saltSYN+uint64(i))))
	}
	return legs
}
