package policies

import "time"

// Status is how an RPC ended, or why a connection failed. Statuses are made when something goes
// wrong with a connection or a name, not for each RPC, and shared.
type Status struct {
	Code   Code
	Text   string
	Reason Reason
	// Pushback is what the backend says of further attempts (grpc-retry-pushback-ms): when the next
	// may come, or, where it is negative, that there shall be none; nil where it says nothing.
	Pushback *time.Duration
}

// Code is a gRPC status code.
type Code uint8

// The status codes of gRPC, by number.
const (
	OK Code = iota
	Canceled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
	// Codes is how many there are.
	Codes
)

var codeNames = [Codes]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
	"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
	"OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

// String returns the code as gRPC spells it, such as "DEADLINE_EXCEEDED".
func (c Code) String() string { return codeNames[c] }
