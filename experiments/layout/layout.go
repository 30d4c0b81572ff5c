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
	// PartialFolder is where results go, below a folder, that have less than those which it holds.
	PartialFolder = "partial"
)

// ResultFiles are those in a results folder, but for plots and data files.
var ResultFiles = []string{TableFile, SummaryFile, TextFile, ResolvedFile}

// CheckDataName refuses a data file whose copy beside the results would be taken for one of them.
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

func IsPicture(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".svg" || ext == ".png"
}
