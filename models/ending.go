package models

import (
	"lbsim/policies"
	"lbsim/sim"
)

// ending is the result of an RPC or of one of its attempts.
type ending struct {
	code   policies.Code
	reason policies.Reason
}

// endingOf returns the ending for a reply.
func endingOf(s rpcStatus) ending {
	switch code := s.code(); {
	case s.has(queueFull):
		return ending{code, policies.BackendFull}
	case code != policies.OK:
		return ending{code, policies.BackendError}
	}
	return ending{}
}

// dropCode returns the code that the client sees for a status of the control plane: codes that only
// a server should give become INTERNAL (gRFC A54).
func dropCode(code policies.Code) policies.Code {
	switch code {
	case policies.InvalidArgument, policies.NotFound, policies.AlreadyExists,
		policies.FailedPrecondition, policies.Aborted, policies.OutOfRange, policies.DataLoss:
		return policies.Internal
	}
	return code
}

// brokenBy returns the event of a client whose RPC was on a connection that broke.
func brokenBy(why policies.Reason) sim.Kind {
	if why == policies.ConnectionReset {
		return clientBroken
	}
	return clientBrokenBy + sim.Kind(why)
}

// expired returns the ending of an RPC or attempt whose deadline passes. The reason is where the
// deadline found it.
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
