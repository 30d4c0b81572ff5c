package experiments

import (
	"embed"
	"io/fs"

	"lbsim/experiments/config"
	"lbsim/experiments/report"
	"lbsim/internal/nearest"
)

// Shipped holds the experiments that come with lbsim, and their data.
//
//go:embed *.toml testdata
var Shipped embed.FS

// ShippedNames returns the names of the experiments that come with lbsim, sorted.
func ShippedNames() []string {
	files, err := fs.Glob(Shipped, "*.toml")
	if err != nil {
		panic(err)
	}
	for i := range files {
		files[i] = config.BaseName(files[i])
	}
	return files
}

// ShippedQuestion returns the question of an experiment that comes with lbsim.
func ShippedQuestion(name string) string {
	data, err := fs.ReadFile(Shipped, shippedFile(name))
	if err != nil {
		panic(err)
	}
	return report.FirstLine(config.OpeningComment(string(data)))
}

// shippedFile is the file of the experiment that is meant by a name, "slow-node" or
// "experiments/slow-node.toml".
func shippedFile(name string) string { return config.BaseName(name) + ".toml" }

func shippedHint(name string) string { return nearest.Hint(name, ShippedNames()) }
