package main

import (
	"testing"

	"lbsim/models/dist"
	"lbsim/models/dist/disttest"
)

func TestTriangular(t *testing.T) {
	p := dist.Parser{Kinds: map[string]dist.Kind{"triangular": triangularKind}}
	disttest.Battery(t, p, disttest.Exceptions{})
}
