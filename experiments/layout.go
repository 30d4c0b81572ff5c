package experiments

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// The files of a results folder.
const (
	tableFile    = "table.csv"
	summaryFile  = "summary.json"
	textFile     = "summary.txt"
	resolvedFile = "config.resolved.toml"
	// partialFolder is where results go, below a folder, that have less than those which it holds.
	partialFolder = "partial"
)

// resultFiles are those in a results folder, but for plots and data files.
var resultFiles = []string{tableFile, summaryFile, textFile, resolvedFile}

// dataName refuses a data file whose copy beside the results would be taken for one of them.
func dataName(name string) error {
	top, _, _ := strings.Cut(name, "/")
	top = strings.ToLower(top)
	if slices.Contains(resultFiles, top) || isPicture(top) || strings.HasPrefix(top, ".lbsim") ||
		top == partialFolder {
		return fmt.Errorf("a data file is copied beside the results, where %s is the name of one "+
			"of them: call it otherwise", top)
	}
	return nil
}

func isPicture(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".svg" || ext == ".png"
}
