package models

import (
	"time"

	"lbsim/models/dist"
	"lbsim/sim"
)

// Network is the network between all clients and all backends.
//
// Fields with a tag are the keys of [network] in an experiment, where they have the defaults of
// SetDefaults. Lengths of time are not negative.
type Network struct {
	// Delay is the one-way delay of each message; by default (nil or a constant 0) none. With a
	// constant delay messages stay in order; otherwise each message has a delay of its own.
	Delay dist.Distribution `toml:"delay"`
	// Connect is the time from SYN to READY; by default (nil) three delays: SYN, SYN-ACK and the
	// server's SETTINGS. A refusal takes two thirds of it.
	Connect dist.Distribution `toml:"connect"`
	// GiveUp is how long TCP retransmits data without an ACK before the connection is lost;
	// 15m24.6s by default, 0 for ever.
	GiveUp time.Duration `toml:"tcp_give_up"`
	// UserTimeout replaces that by the keepalive timeout of the client, on connections with
	// keepalive (TCP_USER_TIMEOUT, as grpc-go sets it on Linux); not by default.
	UserTimeout bool `toml:"tcp_user_timeout"`
}

// tcpGiveUp is how long Linux retransmits data: 15 times (tcp_retries2), first after 200 ms, then
// each time after twice as long, but at most 120 s. grpc-go does not change it.
const tcpGiveUp = 924600 * time.Millisecond

// SetDefaults sets the defaults of a file.
func (n *Network) SetDefaults() { *n = Network{Delay: dist.Constant(0), GiveUp: tcpGiveUp} }

// network delivers messages about RPCs after a delay.
type network struct {
	k       *sim.Kernel
	delay   dist.Distribution
	connect dist.Distribution // nil for three delays
	instant bool              // delay is 0
	cuts    int               // paths with a black hole
}

func newNetwork(k *sim.Kernel, cfg *Network) network {
	n := network{k: k, delay: orZero(cfg.Delay), connect: cfg.Connect}
	n.instant = n.delay == dist.Distribution(dist.Constant(0))
	return n
}

// send delivers a message about an RPC.
func (n *network) send(r *rpc, h handle, salt uint64, to sim.ID, kind sim.Kind) {
	n.k.After(n.draw(r, salt), to, kind, uint32(h))
}

// draw draws the delay of a message about an RPC, from the luck of the RPC.
func (n *network) draw(r *rpc, salt uint64) time.Duration {
	return n.delay.Quantile(sim.Unit(sim.Mix(r.luck, salt)))
}

// legs draws the three delays of a handshake (SYN, SYN-ACK, SETTINGS) from the luck of the attempt.
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

// orZero returns a distribution, or a constant 0 where there is none.
func orZero(d dist.Distribution) dist.Distribution {
	if d == nil {
		return dist.Constant(0)
	}
	return d
}
