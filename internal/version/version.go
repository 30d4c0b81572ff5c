// Package version returns the version of lbsim.
package version

import (
	"cmp"
	"runtime/debug"
)

// module is the path of the module that this package is in.
const module = "lbsim"

// String returns the version of lbsim that the program is built with. In a program of lbsim's own
// the revision follows, if the build knows it.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	return of(info)
}

func of(info *debug.BuildInfo) string {
	if info.Main.Path != module {
		for _, m := range info.Deps {
			if m.Path != module {
				continue
			}
			if m.Replace != nil { // by a folder, which has no version
				return cmp.Or(m.Replace.Version, "(devel)")
			}
			return m.Version
		}
		return "(devel)" // a test, of which the build records no dependencies
	}
	version := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	return version
}
