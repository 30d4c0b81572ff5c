package policies

import "time"

// Status is how an RPC ended, or why a connection failed. A Status is made once per failure of a
// connection or a name, not per RPC, and shared.
type Status struct {
	Code   Code
	Text   string
	Reason Reason
	// Pushback is the server's answer to further attempts (grpc-retry-pushback-ms): the delay
	// before the next, or a negative value for none; nil without an answer.
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
	// Codes is the number of codes.
	Codes
)

var codeNames = [Codes]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
	"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
	"OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

// String returns the code as gRPC spells it, such as "DEADLINE_EXCEEDED".
func (c Code) String() string { return codeNames[c] }
