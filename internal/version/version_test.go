package version

import (
	"runtime/debug"
	"testing"
)

// The version is that of lbsim, also in a program of another module that has lbsim in it.
func TestVersion(t *testing.T) {
	built := func(main string, deps ...*debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{
			Main: debug.Module{Path: main, Version: "v1.2.3"}, Deps: deps,
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}},
		}
	}
	other := &debug.Module{Path: "example.com/other", Version: "v5.0.0"}
	lbsim := &debug.Module{Path: "lbsim", Version: "v0.9.0"}
	for _, row := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{built("lbsim", other), "v1.2.3 abc"},
		{built("example.com/mine", other, lbsim), "v0.9.0"},
		{built("example.com/mine", &debug.Module{
			Path: "lbsim", Version: "v0.0.0", Replace: &debug.Module{Path: "../lbsim"},
		}), "(devel)"},
		{built("example.com/mine"), "(devel)"},
	} {
		if got := of(row.info); got != row.want {
			t.Errorf("%s with %d modules: got %s, want %s", row.info.Main.Path, len(row.info.Deps),
				got, row.want)
		}
	}
}
