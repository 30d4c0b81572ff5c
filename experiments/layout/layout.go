// Package layout names the files of a results folder.
package layout

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// The files of a results folder.
const (
	TableFile    = "table.csv"
	SummaryFile  = "summary.json"
	TextFile     = "summary.txt"
	ResolvedFile = "config.resolved.toml"
	// PartialFolder is the folder, below a results folder, for results that are less complete than
	// those which the results folder holds.
	PartialFolder = "partial"
)

// ResultFiles are the files in a results folder, without plots and data files.
var ResultFiles = []string{TableFile, SummaryFile, TextFile, ResolvedFile}

// CheckDataName refuses a data file whose copy in a results folder would have the name of a result.
func CheckDataName(name string) error {
	top, _, _ := strings.Cut(name, "/")
	top = strings.ToLower(top)
	if slices.Contains(ResultFiles, top) || IsPicture(top) || strings.HasPrefix(top, ".lbsim") ||
		top == PartialFolder {
		return fmt.Errorf("a data file is copied beside the results, where %s is the name of one "+
			"of them: call it otherwise", top)
	}
	return nil
}

// IsPicture reports whether a file is a plot, by its name.
func IsPicture(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".svg" || ext == ".png"
}
