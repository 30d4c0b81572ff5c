package models

import "lbsim/policies"

// doneTexts are, by reason, the texts of grpc-go in the status of an attempt that failed after it
// was sent (v1.85.0, internal/transport), without addresses.
var doneTexts = [policies.Reasons]string{
	policies.BackendError:       "the backend answered with an error",
	policies.BackendFull:        "the queue of the backend is full",
	policies.ConnectionReset:    "error reading from server: EOF",
	policies.TCPTimeout:         "error reading from server: connection timed out",
	policies.KeepaliveTimeout:   "keepalive ping failed to receive ACK within timeout",
	policies.ClosedAfterGoAway:  closedAfter + "NO_ERROR",
	policies.ClosedTooManyPings: closedAfter + `ENHANCE_YOUR_CALM, debug data: "too_many_pings"`,
	policies.Unprocessed:        "the stream is rejected because server is draining the connection",
	policies.InFlight:           "context deadline exceeded",
}

const closedAfter = `closing transport due to: connection error: desc = ` +
	`"error reading from server: EOF", received prior goaway: code: `

// statusDraining is the status of an RPC that waited for a stream of a connection that drains now.
var statusDraining = policies.Status{
	Code: policies.Unavailable, Text: "the connection is draining", Reason: policies.Unprocessed,
}

// statusOf returns the status of an attempt that was sent and failed, valid until the next call.
func (w *World) statusOf(r *rpc, e ending) *policies.Status {
	s := &w.status
	*s = policies.Status{Code: e.code, Text: doneTexts[e.reason], Reason: e.reason}
	switch {
	case e.reason == policies.BackendFull:
		s.Pushback = w.backendOf(r).group.Pushback.toStatus()
	case e.code == policies.Canceled && e.reason == policies.InFlight:
		s.Text = "context canceled"
	}
	return s
}
