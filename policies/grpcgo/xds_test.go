package grpcgo

import (
	_ "google.golang.org/grpc/balancer/ringhash"
	_ "google.golang.org/grpc/balancer/weightedtarget"
	_ "google.golang.org/grpc/xds" // brings outlier_detection, priority and others
)
