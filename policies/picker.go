package policies

import "time"

// Picker chooses a SubConn for each RPC. A Picker never blocks: where no SubConn is READY it
// returns [Queue], and the channel asks the next Picker. Of the Host a Picker may call Now, Rand
// and AfterFunc. All else, such as Connect, it does in a function that it gives to AfterFunc.
type Picker interface {
	Pick(c Call) Pick
	// Done is called once for each Pick with the verdict Sent, when the attempt has ended.
	Done(p Pick, o Outcome)
}

// Call is what a picker can know of an RPC.
type Call struct {
	// Luck is the random word of the RPC, the same under every policy. What belongs to the RPC
	// derives from it. Random numbers of the policy come from Host.Rand.
	Luck uint64
	// Header is the name, in small letters, of the header with the key of the RPC, such as a
	// session or a customer; "" where the RPC has no key. The value of the header is Key in
	// decimal.
	Header string
	Key    uint64
}

// Pick is one choice of a picker.
type Pick struct {
	Verdict Verdict
	SubConn SubConn // of an RPC that is Sent
	// Note comes back in Done. The channel does not look at it.
	Note uint64
	// Status is the status of an RPC that is Failed or Dropped.
	Status *Status
}

// Verdict is what the channel does with an RPC.
type Verdict uint8

const (
	// Queued: the RPC waits for the next picker.
	Queued Verdict = iota
	// Sent: the RPC is sent on a SubConn. If the SubConn is not READY, Done is called at once with
	// the zero Outcome, and the RPC waits for the next picker.
	Sent
	// Failed: the RPC ends with the status and may be retried. A wait-for-ready RPC waits for the
	// next picker in place of that.
	Failed
	// Dropped: the RPC ends with the status, wait-for-ready or not, and is never retried.
	Dropped
)

// Send returns the Pick that sends an RPC on a SubConn.
func Send(sc SubConn) Pick { return Pick{Verdict: Sent, SubConn: sc} }

// Queue returns the Pick that makes an RPC wait for the next picker.
func Queue() Pick { return Pick{} }

// Fail returns the Pick that ends an RPC with a status, but for wait-for-ready RPCs.
func Fail(s *Status) Pick { return Pick{Verdict: Failed, Status: s} }

// Outcome is how an attempt ended (grpc-go's DoneInfo).
type Outcome struct {
	// Status is the status of a failed attempt, nil for OK. It is valid until Done returns.
	Status *Status
	// Latency is the time from Pick to Done, 0 or more. It includes the wait for a stream on the
	// connection, the network both ways, and the queue and the work of the backend. It does not
	// include the time before the Pick: earlier attempts, backoff, the wait for a picker.
	//
	// Each attempt has its own: the first, retries, hedges and transparent retries. That of a
	// failed attempt is how long the failure took: little where a backend refuses at once, the rest
	// of the deadline with DEADLINE_EXCEEDED, and for a hedge that lost (CANCELLED) the time until
	// the client gave it up. So a policy that takes it for a backend's speed must look at Status.
	Latency time.Duration
	// BytesSent reports whether the request got onto a connection, BytesReceived whether anything
	// came back.
	BytesSent, BytesReceived bool
	// Load is the load report in the trailers, nil where there is none. It is valid until Done
	// returns.
	Load *Load
}
