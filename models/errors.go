package models

import (
	"errors"
	"fmt"
	"slices"

	"lbsim/internal/nearest"
	"lbsim/policies"
	"lbsim/sim"
)

// errorShare makes a backend answer a share of its requests at once with a status, without work.
type errorShare struct {
	ratio float64 // 0 to 1
	code  policies.Code
}

// Fail makes a backend answer a share of the requests that arrive, 0 to 1, with a status at once.
// Of several, the latest counts. A request that fails at some share fails at every larger share
// too.
func (w *World) Fail(backend int32, ratio float64, code policies.Code) {
	b := &w.backends[backend]
	b.failing = append(b.failing, errorShare{ratio, code})
	w.failing++
	w.measureCapacity(backend)
}

// Unfail takes back one Fail with the same share and status.
func (w *World) Unfail(backend int32, ratio float64, code policies.Code) {
	b := &w.backends[backend]
	i := slices.Index(b.failing, errorShare{ratio, code})
	b.failing = slices.Delete(b.failing, i, i+1)
	w.failing--
	w.measureCapacity(backend)
}

// fails reports whether a request belongs to the share.
func (b *backend) fails(r *rpc) bool {
	n := len(b.failing)
	return n > 0 && sim.Unit(sim.Mix(r.luck, saltError)) < b.failing[n-1].ratio
}

// ErrorCode returns the status of a name, as gRPC spells it. OK is refused.
func ErrorCode(name string) (policies.Code, error) {
	var names []string
	for code := range policies.Codes {
		switch {
		case code.String() != name:
			names = append(names, code.String())
		case code == policies.OK:
			return code, errors.New("must be an error (is OK)")
		default:
			return code, nil
		}
	}
	return 0, fmt.Errorf("unknown status %q%s", name, nearest.Hint(name, names[1:]))
}

// dialErrors are the statuses of failed attempts to connect to one backend or L4 balancer.
type dialErrors struct{ refused, timedOut, silent, reset *policies.Status }

const preface = "error reading server preface: " // the text of grpc-go

func newDialErrors(name string) dialErrors {
	failure := func(what string, why policies.Reason) *policies.Status {
		text := `connection error: desc = "` + what + `"`
		return &policies.Status{Code: policies.Unavailable, Text: text, Reason: why}
	}
	dial := "transport: Error while dialing: dial " + name + ": "
	return dialErrors{
		refused:  failure(dial+"connection refused", policies.ConnectionRefused),
		timedOut: failure(dial+"i/o timeout", policies.DialTimeout),
		silent: failure(preface+"use of closed network connection",
			policies.HandshakeTimeout),
		reset: failure(preface+"connection reset by peer", policies.HandshakeBroken),
	}
}
