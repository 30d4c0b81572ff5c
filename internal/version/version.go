// Package version returns the version of lbsim.
package version

import "runtime/debug"

// String is that of lbsim, with the revision it was built from where the build knows it.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	version := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	return version
}
