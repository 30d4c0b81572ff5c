package models

import (
	"lbsim/policies"
	"lbsim/sim"
)

// ending is how an RPC ends, or one of its attempts.
type ending struct {
	code   policies.Code
	reason policies.Reason
}

// replied is the ending that a reply brings.
func endingOf(s rpcStatus) ending {
	switch code := s.code(); {
	case s.has(queueFull):
		return ending{code, policies.BackendFull}
	case code != policies.OK:
		return ending{code, policies.BackendError}
	}
	return ending{}
}

// dropCode is the code that the client sees of a status which the control plane made up: those that
// only a server should give become INTERNAL (gRFC A54).
func dropCode(code policies.Code) policies.Code {
	switch code {
	case policies.InvalidArgument, policies.NotFound, policies.AlreadyExists,
		policies.FailedPrecondition, policies.Aborted, policies.OutOfRange, policies.DataLoss:
		return policies.Internal
	}
	return code
}

// brokenBy is the event by which the client learns that a connection broke under an RPC.
func brokenBy(why policies.Reason) sim.Kind {
	if why == policies.ConnectionReset {
		return clientBroken
	}
	return clientBrokenBy + sim.Kind(why)
}

// expired is the ending of an RPC, or of an attempt, that its deadline has found where it is.
func (c *client) expired(h handle) ending {
	r := c.w.rpcs.at(h)
	reason := policies.InFlight
	switch {
	case r.state == rpcWaiting && r.note != 0:
		reason = policies.Reason(r.note)
	case r.state == rpcWaiting && c.channel.picker == nil:
		reason = policies.ForNames
	case r.state == rpcWaiting:
		reason = policies.ForConnection
	case r.place == awaitsStream:
		reason = policies.ForStream
	}
	return ending{policies.DeadlineExceeded, reason}
}
