package policies

import "time"

// Picker chooses a SubConn for each RPC. It must not keep an RPC waiting: it answers [Queue], and
// the channel asks the next picker. Of the Host it may use Now, Rand and AfterFunc; what else it
// wants, such as to connect, it does in a call of AfterFunc.
type Picker interface {
	Pick(c Call) Pick
	// Done is called once for each Pick that sent an RPC, when that attempt has ended.
	Done(p Pick, o Outcome)
}

// Call is what a picker may know of an RPC.
type Call struct {
	// Luck is the random word that the RPC was born with, the same under every policy: the source
	// of what belongs to the RPC itself, such as a key to hash. Draws of the policy come from
	// Host.Rand.
	Luck uint64
	// Header is the name, in small letters, of the header that carries the key of the RPC, such as
	// a session or a customer; "": it has none. The header's value is Key as a decimal number.
	Header string
	Key    uint64
}

// Pick is a picker's answer.
type Pick struct {
	Verdict Verdict
	SubConn SubConn // where to, for Sent
	// Note is what the picker wants to know again when the RPC is Done.
	Note uint64
	// Status is why, for Failed and Dropped.
	Status *Status
}

// Verdict says what becomes of an RPC.
type Verdict uint8

const (
	// Queued keeps the RPC until there is another picker.
	Queued Verdict = iota
	// Sent sends it on a SubConn. If that is not Ready the RPC is Done at once, with the zero
	// Outcome, and waits for another picker.
	Sent
	// Failed ends it with the status, unless it waits for ready: then it is kept. May be retried.
	Failed
	// Dropped ends it with the status, even one that waits for ready. Never retried.
	Dropped
)

// Send is the Pick that sends an RPC on a SubConn.
func Send(sc SubConn) Pick { return Pick{Verdict: Sent, SubConn: sc} }

// Queue is the Pick that keeps an RPC until there is another picker.
func Queue() Pick { return Pick{} }

// Fail is the Pick that ends an RPC with a status unless it waits for ready.
func Fail(s *Status) Pick { return Pick{Verdict: Failed, Status: s} }

// Outcome is how an attempt ended (gRPC's DoneInfo).
type Outcome struct {
	// Status is why the attempt failed, nil if it ended OK. It is good until Done returns.
	Status *Status
	// Latency is the time from Pick to Done, 0 or more. It includes the wait for a stream on the
	// connection, the network both ways, and the queue and the work of the backend. It does not
	// include what was before the Pick: earlier attempts, backoff, the wait for a picker.
	//
	// Each attempt has its own: the first, retries, hedges and transparent retries. That of a
	// failed attempt is how long the failure took: little where a backend refuses at once, the rest
	// of the deadline with DEADLINE_EXCEEDED, and for a hedge that lost (CANCELLED) the time until
	// the client gave it up. So a policy that takes it for a backend's speed must look at Status.
	Latency time.Duration
	// BytesSent says that the attempt got as far as a connection, BytesReceived that something came
	// back.
	BytesSent, BytesReceived bool
	// Load is what the backend reports of its load at the end of the RPC, nil where it does not. It
	// is good until Done returns.
	Load *Load
}
