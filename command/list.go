package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"lbsim/experiments"
	"lbsim/experiments/config"
	"lbsim/internal/nearest"
	"lbsim/policies"
)

// families returns what can be listed.
func families() []string {
	return []string{"policies", "distributions", "failures", "resolvers", "plots", "experiments"}
}

// list prints the kinds of one family, or of all.
func (a *app) list(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("lbsim list", flag.ContinueOnError)
	which, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if len(which) == 0 {
		which = families()
	}
	for i, family := range which {
		if !slices.Contains(families(), family) {
			return usagef("list: unknown family %q%s", family, nearest.Hint(family, families()))
		}
		if len(which) > 1 {
			if i > 0 {
				fmt.Fprintln(a.stdout)
			}
			fmt.Fprintf(a.stdout, "%s:\n", family)
		}
		tw := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		a.listFamily(tw, family)
		tw.Flush()
	}
	return nil
}

// listFamily prints the kinds of a family, each with its description.
func (a *app) listFamily(w io.Writer, family string) {
	switch family {
	case "policies":
		listKinds(w, a.kinds.Policies, a.kinds.Policies)
	case "failures":
		listKinds(w, a.kinds.Failures, a.kinds.Policies)
	case "resolvers":
		listKinds(w, a.kinds.Resolvers, a.kinds.Policies)
	case "distributions":
		for _, name := range slices.Sorted(maps.Keys(a.kinds.Distributions)) {
			k := a.kinds.Distributions[name]
			names := append([]string{name}, k.Aliases...)
			fmt.Fprintf(w, "  %s\t%s\n", strings.Join(names, ", "), k.Doc)
			for _, form := range k.Forms {
				fmt.Fprintf(w, "  \t  %s\n", form)
			}
		}
	case "plots":
		for _, name := range slices.Sorted(maps.Keys(a.kinds.Plots)) {
			fmt.Fprintf(w, "  %s\t%s\n", name, a.kinds.Plots[name].Doc)
		}
	case "experiments":
		for _, name := range experiments.ShippedNames() {
			fmt.Fprintf(w, "  %s\t%s\n", name, experiments.ShippedQuestion(name))
		}
	}
}

// listKinds prints every kind of a catalog with its options and their defaults. All has the
// policies that may stand inside others.
func listKinds[T interface{ Doc() string }](
	w io.Writer, catalog map[string]T, all map[string]policies.Policy,
) {
	for _, name := range slices.Sorted(maps.Keys(catalog)) {
		fmt.Fprintf(w, "  %s\t%s\n", name, catalog[name].Doc())
		for _, option := range config.OptionsOf(catalog[name], all) {
			fmt.Fprintf(w, "  \t  %s", option)
		}
	}
}
