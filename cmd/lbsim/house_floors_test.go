package main_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// floor says what the code of a package may import beside the standard library; its tests may
// import more. An entry of others allows what lies below it too.
type floor struct {
	ours, others string
}

// floors is the house, from the ground up: docs and reviews point here. A package has a row before
// it has a file.
var floors = map[string]floor{
	"sim":               {},
	"internal/nearest":  {},
	"internal/golden":   {},
	"internal/compared": {ours: "internal/golden"},
	"options":           {ours: "internal/nearest"},
	"policies":          {ours: "sim"},
	"policies/policytest": {ours: "options policies sim", others: "github.com/BurntSushi/toml " +
		"github.com/cockroachdb/datadriven pgregory.net/rapid"},
	"policies/grpcgo": {ours: "policies sim", others: "google.golang.org/grpc " +
		"google.golang.org/protobuf github.com/cncf/xds/go"},
	"models/dist":          {ours: "options sim internal/nearest"},
	"models/dist/disttest": {ours: "models/dist"},
	"models/record":        {ours: "sim", others: "github.com/HdrHistogram/hdrhistogram-go"},
	"models/serviceconfig": {ours: "policies internal/nearest"},
	"models": {ours: "sim policies models/dist models/record models/serviceconfig " +
		"options internal/nearest"},
	"internal/conformance": {ours: "models policies policies/grpcgo sim",
		others: "google.golang.org/grpc"},
	"models/failures":            {ours: "models models/dist sim internal/nearest"},
	"models/resolvers":           {ours: "models models/dist options sim internal/nearest"},
	"internal/numtext":           {},
	"internal/version":           {},
	"experiments/layout":         {},
	"experiments/analysis/stats": {},
	"experiments/analysis": {ours: "experiments/analysis/stats options policies models " +
		"models/record models/serviceconfig internal/nearest internal/numtext"},
	"experiments/config/cost": {ours: "options models models/resolvers policies " +
		"internal/numtext"},
	"experiments/config": {ours: "experiments/analysis experiments/config/cost " +
		"experiments/layout sim options policies models models/dist models/serviceconfig " +
		"models/failures models/resolvers internal/nearest internal/numtext",
		others: "github.com/BurntSushi/toml"},
	"experiments/config/findings": {ours: "experiments/config experiments/analysis policies " +
		"models models/serviceconfig models/failures models/resolvers options internal/numtext"},
	"experiments/runner": {ours: "experiments/config experiments/config/cost " +
		"experiments/analysis experiments/analysis/stats policies models sim internal/version"},
	"experiments/report/folder": {ours: "experiments/layout"},
	"experiments/report": {ours: "experiments/report/folder experiments/layout " +
		"experiments/config experiments/config/findings experiments/runner " +
		"experiments/analysis internal/numtext internal/version",
		others: "github.com/BurntSushi/toml"},
	"experiments": {ours: "experiments/config experiments/runner experiments/analysis " +
		"experiments/report experiments/layout policies internal/nearest"},
	"plots": {others: "gonum.org/v1/plot"},
	"internal/validation": {ours: "sim options policies models models/dist models/record " +
		"models/serviceconfig models/failures models/resolvers",
		others: "gonum.org/v1/gonum/stat"},
	// The families are there for the kinds of a main.
	"command": {ours: "experiments experiments/analysis experiments/config " +
		"experiments/config/findings experiments/report experiments/report/folder " +
		"experiments/runner internal/version plots policies models models/dist " +
		"internal/nearest internal/validation",
		others: "github.com/vbauerster/mpb/v8 golang.org/x/term"},
	"bench":              {},
	"cmd/lbsim":          {ours: "command"},
	"internal/policydoc": {ours: "experiments/config policies internal/compared"},
	// What a team writes to have its own balancer in lbsim.
	"policies/grpcgo/example": {others: "google.golang.org/grpc"},
	"cmd/lbsim-grpcgo": {ours: "policies policies/grpcgo policies/grpcgo/example command",
		others: "google.golang.org/grpc"},
}

// ofTheMachine reports whether the code of a package is part of a run, so that the same run must
// come out of it each time and everywhere. The bridge to real grpc-go, which has clocks and
// goroutines of its own, is not.
func ofTheMachine(pkg string) bool {
	p := strings.TrimPrefix(pkg, module+"/")
	return p == "sim" || p == "policies" || p == "models" || strings.HasPrefix(p, "models/") &&
		p != "models/dist/disttest"
}

func importsOf(p *packages.Package) []string {
	return slices.Sorted(maps.Keys(p.Imports))
}

func floorBreaches(pkg string, imports []string) []string {
	f, ok := floors[strings.TrimPrefix(pkg, module+"/")]
	if !ok {
		return []string{pkg + ": say where it lives in the house: it has no row in floors"}
	}
	var breaches []string
	for _, path := range imports {
		if !f.allows(path) {
			breaches = append(breaches, fmt.Sprintf(
				"%s: must not import %s (may: ours %q, others %q)", pkg, path, f.ours, f.others))
		}
	}
	return breaches
}

func (f floor) allows(path string) bool {
	if own, ok := strings.CutPrefix(path, module+"/"); ok {
		return slices.Contains(strings.Fields(f.ours), own)
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return path != "C" // the standard library, but no C
	}
	return slices.ContainsFunc(strings.Fields(f.others), func(other string) bool {
		return path == other || strings.HasPrefix(path, other+"/")
	})
}

func TestFloorsRefuse(t *testing.T) {
	for _, c := range []struct {
		name, pkg string
		imports   []string
		want      int
	}{
		{"nothing of the kernel", "lbsim/sim", []string{"math/bits", "time"}, 0},
		{"a kernel that knows a policy", "lbsim/sim", []string{"lbsim/policies"}, 1},
		{"a policy that knows the machine", "lbsim/policies",
			[]string{"lbsim/sim", "lbsim/models"}, 1},
		{"plots that know the simulator", "lbsim/plots",
			[]string{"lbsim/sim", "gonum.org/v1/plot/vg"}, 1},
		{"plots with another picture of gonum", "lbsim/plots", []string{"gonum.org/v1/plots"}, 1},
		{"a histogram where it serves", "lbsim/models/record",
			[]string{"github.com/HdrHistogram/hdrhistogram-go"}, 0},
		{"a histogram elsewhere", "lbsim/models",
			[]string{"github.com/HdrHistogram/hdrhistogram-go"}, 1},
		{"grpc in the machine", "lbsim/models", []string{"google.golang.org/grpc/codes"}, 1},
		{"grpc at the bridge", "lbsim/policies/grpcgo",
			[]string{"google.golang.org/grpc/balancer"}, 0},
		{"C", "lbsim/sim", []string{"C"}, 1},
		{"a package without a room", "lbsim/util", nil, 1},
	} {
		if got := floorBreaches(c.pkg, c.imports); len(got) != c.want {
			t.Errorf("%s: %s with imports %q: got %d breaches %q, want %d",
				c.name, c.pkg, c.imports, len(got), got, c.want)
		}
	}
}
