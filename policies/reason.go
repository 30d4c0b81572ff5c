package policies

// Reason is why an RPC failed, or why it could not be sent. It distinguishes what grpc-go
// distinguishes in the texts of its statuses (v1.85.0). For a wait-for-ready RPC that ended with
// DEADLINE_EXCEEDED a reason about a connection or a name is the latest one.
type Reason uint8

// The reasons.
const (
	// NoReason is that of an RPC that ended OK.
	NoReason Reason = iota

	// What a backend says itself.

	BackendError // the failure kind errors
	BackendFull  // it has no room in its queue

	// Why there is no connection.

	ConnectionRefused // no server listens at the address
	DialTimeout       // the SYN was not answered in time
	HandshakeTimeout  // the SYN was, but no SETTINGS came in time
	HandshakeBroken   // the connection was reset before the SETTINGS came
	HealthCheckFailed // there is one, but the backend says NOT_SERVING
	ZeroAddresses     // the list is empty
	NoChildren        // likewise, of a policy above others
	ResolverFailed    // there is no list

	// How a connection broke under an RPC.

	ConnectionReset    // with FIN or RST
	TCPTimeout         // no ACK came in time
	KeepaliveTimeout   // nothing came in time after a PING
	ClosedAfterGoAway  // in whatever way, after a GOAWAY
	ClosedTooManyPings // likewise, because it had sent too many PINGs
	Unprocessed        // its number is above the last that the backend takes from the connection

	// DroppedByPolicy is that the picker dropped the RPC, FailedByPolicy that it failed it for
	// another reason than connections.
	DroppedByPolicy
	FailedByPolicy
	// BadServiceConfig is that the first service config which name resolution brought is invalid.
	BadServiceConfig

	// Where a deadline found the RPC.

	InFlight      // it was sent
	ForStream     // it waited for a stream on its connection
	InBackoff     // between two attempts
	ForNames      // it waited for the first list
	ForConnection // it waited for a picker that would send it

	// Reasons is how many there are.
	Reasons

	// Exhausted is added to the reason of the last attempt where the retry policy allowed no more.
	Exhausted Reason = 1 << 7
)

var reasonNames = [Reasons]string{
	"none", "backend error", "backend full",
	"connection refused", "dial timeout", "handshake timeout", "handshake broken",
	"health check failed", "zero addresses", "no children", "resolver failed",
	"connection reset", "TCP timeout", "keepalive timeout", "closed after GOAWAY",
	"closed for too many pings", "unprocessed", "dropped by policy",
	"failed by policy", "bad service config",
	"in flight", "waiting for a stream", "in backoff", "waiting for names",
	"waiting for a connection",
}

// String returns the reason in words, such as "connection refused, retries exhausted".
func (r Reason) String() string {
	name := reasonNames[r&^Exhausted]
	if r&Exhausted != 0 {
		name += ", retries exhausted"
	}
	return name
}
