package conformance

import (
	"regexp"

	"google.golang.org/grpc/status"

	"lbsim/policies"
)

// The texts that grpc-go gives the statuses of failed calls, by what they begin with, and the
// reasons of lbsim that stand for them. Where several have one text, the first stands for all.
var texts = []struct {
	begins  *regexp.Regexp
	reasons []policies.Reason
}{
	{words("busy"), reasons(policies.BackendFull)},
	{words(`connection error: desc = "transport: Error while dialing: .*connection refused`),
		reasons(policies.ConnectionRefused)},
	{words(`connection error: desc = "transport: Error while dialing: context deadline exceeded`),
		reasons(policies.DialTimeout)},
	{words(`connection error: desc = "error reading server preface: use of closed`),
		reasons(policies.HandshakeTimeout)},
	{words(`connection error: desc = "error reading server preface: connection reset`),
		reasons(policies.HandshakeBroken)},
	{words("pickfirst: health check failure: "), reasons(policies.HealthCheckFailed)},
	{words("(name resolver error: )?produced zero addresses"), reasons(policies.ZeroAddresses)},
	{words("no children to pick from"), reasons(policies.NoChildren)},
	{words("ringhash: expected xDS config selector to set the request hash"),
		reasons(policies.FailedByPolicy)},
	{words("error parsing service config: "), reasons(policies.BadServiceConfig)},
	{words("(name resolver error: )?no answer"), reasons(policies.ResolverFailed)},
	{words("error reading from server: (connection reset|EOF)"), reasons(policies.ConnectionReset)},
	{words("keepalive ping failed to receive ACK"), reasons(policies.KeepaliveTimeout)},
	{words("closing transport due to: .* received prior goaway: code: ENHANCE_YOUR_CALM"),
		reasons(policies.ClosedTooManyPings)},
	{words("closing transport due to: .* received prior goaway: code: NO_ERROR"),
		reasons(policies.ClosedAfterGoAway)},
	{words("the stream is rejected because server is draining the connection"),
		reasons(policies.Unprocessed)},
	{words("context deadline exceeded while waiting for connections to become ready"),
		reasons(policies.ForConnection)},
	{words("context deadline exceeded"), reasons(policies.InFlight, policies.ForStream,
		policies.InBackoff, policies.ForNames)},
}

func words(begins string) *regexp.Regexp { return regexp.MustCompile("^" + begins) }

func reasons(all ...policies.Reason) []policies.Reason { return all }

// Texts that are put before others.
var (
	exhausted = words(`max retries exhausted: failed after \d+ attempts: ` +
		`rpc error: code = \w+ desc = `)
	latest = words("latest balancer error: ")
)

// realReason is the reason that a text of grpc-go stands for; the text itself where there is none.
func realReason(message string) string {
	more := policies.NoReason
	if begin := exhausted.FindString(message); begin != "" {
		message, more = message[len(begin):], policies.Exhausted
	}
	begin := latest.FindString(message)
	for _, t := range texts {
		if t.begins.MatchString(message[len(begin):]) {
			return begin + (t.reasons[0] | more).String()
		}
	}
	return message
}

// ourReason is a reason of lbsim, or the one that stands for it. With a deadline that of a picker
// is the latest that the call had.
func ourReason(code policies.Code, r policies.Reason) string {
	if code == policies.DeadlineExceeded && r < policies.InFlight {
		return "latest balancer error: " + r.String()
	}
	for _, t := range texts {
		for _, same := range t.reasons {
			if same == r&^policies.Exhausted {
				return (t.reasons[0] | r&policies.Exhausted).String()
			}
		}
	}
	return r.String()
}

// errorText is the text of a status, with what was put before it in the end.
func errorText(err error) string {
	if s, ok := err.(interface{ GRPCStatus() *status.Status }); ok {
		return s.GRPCStatus().Message()
	}
	return err.Error()
}
