package conformance

import (
	_ "unsafe" // for go:linkname

	"google.golang.org/grpc/resolver"
	_ "google.golang.org/grpc/xds" // has priority and wrr_locality registered, among others
)

// setPath gives an endpoint its path through a tree of policies.
//
//go:linkname setPath google.golang.org/grpc/internal/hierarchy.SetInEndpoint
func setPath(e resolver.Endpoint, path []string) resolver.Endpoint
