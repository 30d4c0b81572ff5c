package experiments

import (
	"embed"
	"io/fs"
	"path"
	"slices"

	"lbsim/experiments/config"
	"lbsim/experiments/report"
	"lbsim/internal/nearest"
)

// Shipped holds the experiments that ship with lbsim and their data: questions, cases from reports
// of others, and the workloads of `lbsim bench`.
//
//go:embed *.toml cases/*.toml bench/*.toml data
var Shipped embed.FS

// shippedFolders are the folders of Shipped with experiments.
var shippedFolders = []string{".", "cases", "bench"}

// ShippedNames returns the names of the questions, sorted, and then those of the cases, sorted.
func ShippedNames() []string { return slices.Concat(Questions(), Cases()) }

// Questions returns the names of the questions that ship with lbsim, sorted.
func Questions() []string { return namesIn(".") }

// Cases returns the names of the cases that ship with lbsim, sorted. A case is an incident that
// others have reported.
func Cases() []string { return namesIn("cases") }

func namesIn(folder string) []string {
	files, err := fs.Glob(Shipped, path.Join(folder, "*.toml"))
	if err != nil {
		panic(err)
	}
	for i := range files {
		files[i] = config.BaseName(files[i])
	}
	return files
}

// ShippedQuestion returns the question of an experiment that ships with lbsim, in one line.
func ShippedQuestion(name string) string {
	f, ships := shipped(name)
	if !ships {
		panic("experiments: no experiment " + name + " ships with lbsim")
	}
	return report.FirstLine(config.OpeningComment(string(f.Text)))
}

// shipped returns the shipped experiment with a name such as "slow-node" or
// "experiments/slow-node.toml".
func shipped(name string) (f config.File, ships bool) {
	for _, folder := range shippedFolders {
		file := path.Join(folder, config.BaseName(name)+".toml")
		text, err := fs.ReadFile(Shipped, file)
		if err != nil {
			continue
		}
		dir, err := fs.Sub(Shipped, folder)
		if err != nil {
			panic(err)
		}
		return config.File{Name: name, Text: text, Dir: dir, Shipped: true}, true
	}
	return config.File{}, false
}

func shippedHint(name string) string { return nearest.Hint(name, ShippedNames()) }
