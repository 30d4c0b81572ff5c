// Package findings looks for mistakes in an experiment that can be run: options without effect, and
// configs under which all RPCs fail.
package findings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lbsim/experiments/analysis"
	"lbsim/experiments/config"
	"lbsim/policies"
)

// finding is what is amiss at a point of the sweep though its file can be run.
type finding struct {
	kind analysis.WarningKind // Fails, NoEffect or Inert
	text string
}

// findingsAt looks for what has no effect at a point, or fails all RPCs, with these of its
// policies.
func findingsAt(p *config.Point, policies []string, warmup time.Duration) []finding {
	f := newFinder(p, policies)
	for _, text := range f.wrongPort() {
		f.add(analysis.Fails, "%s", text)
	}
	f.records()
	f.configs()
	f.policiesLack()
	f.optionsLack()
	for _, text := range f.noEffects(warmup) {
		f.add(analysis.NoEffect, "%s", text)
	}
	return f.list
}

// findingKinds are the kinds of findings, what is told first at the front.
var findingKinds = []analysis.WarningKind{analysis.Fails, analysis.NoEffect, analysis.Inert}

// finder collects findings.
type finder struct {
	*config.Point
	running []config.Named[policies.Policy]
	used    []used // by all that run
	strange bool   // one that runs does not say what it uses
	list    []finding
}

func newFinder(p *config.Point, policies []string) *finder {
	f := &finder{Point: p}
	for _, pol := range p.Policies {
		if slices.Contains(policies, pol.Name) {
			f.running = append(f.running, pol)
		}
	}
	f.collectUses()
	return f
}

func (f *finder) add(kind analysis.WarningKind, format string, values ...any) {
	found := finding{kind, fmt.Sprintf(format, values...)}
	if !slices.Contains(f.list, found) {
		f.list = append(f.list, found)
	}
}

// mostPoints is at how many points of a sweep one looks for what has no effect.
const mostPoints = 100

// Of returns what has no effect in the experiment, or fails all RPCs, as warnings: what fails
// first. What is so at some points of a sweep alone is another list, unless it fails RPCs: a sweep
// may well begin where something is off. warmupAt
// returns how long runs at a point are not measured; nil: what the file says.
func Of(
	e *config.Experiment, warmupAt func(point int) time.Duration,
) (everywhere, somewhere []analysis.Warning) {
	points := min(e.PointCount(), mostPoints)
	var all []finding
	at := make(map[finding][]int) // the numbers of the points
	for number := range points {
		p := e.Point(number)
		warmup := p.Config.Warmup
		if warmupAt != nil {
			warmup = warmupAt(number)
		}
		for _, found := range findingsAt(p, e.Policies, warmup) {
			if at[found] == nil {
				all = append(all, found)
			}
			at[found] = append(at[found], number)
		}
	}
	for _, kind := range findingKinds {
		for _, found := range all {
			n := len(at[found])
			switch {
			case found.kind != kind:
				continue
			case n == points:
				everywhere = append(everywhere, analysis.Warning{Kind: kind, Text: found.text})
				continue
			}
			w := analysis.Warning{Kind: kind,
				Text: fmt.Sprintf("%s (at %d of %d points of the sweep, first at %s)",
					found.text, n, points, pointText(e, at[found][0]))}
			if kind == analysis.Fails {
				everywhere = append(everywhere, w)
			} else {
				somewhere = append(somewhere, w)
			}
		}
	}
	return everywhere, somewhere
}

// pointText says which point of the sweep it is.
func pointText(e *config.Experiment, number int) string {
	var all []string
	for k, value := range e.PointTexts(number) {
		all = append(all, e.SweepKeys[k]+" = "+value)
	}
	return strings.Join(all, ", ")
}

// have is the verb after someOf.
func have(texts []string) string {
	if len(texts) == 1 {
		return "has"
	}
	return "have"
}
