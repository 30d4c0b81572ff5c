// Package conformance plays scenarios on the real grpc-go client and server, on a fake clock, and
// on lbsim, and compares what happens. It has tests only.
package conformance
