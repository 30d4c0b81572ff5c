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

// finding is something at a point of the sweep that fails all RPCs or has no effect.
type finding struct {
	kind analysis.WarningKind // Fails, NoEffect or Inert
	text string
}

// findingsAt returns the findings at a point with these of its policies.
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

// findingKinds are the kinds of findings, in the order in which they are reported.
var findingKinds = []analysis.WarningKind{analysis.Fails, analysis.NoEffect, analysis.Inert}

// finder collects findings.
type finder struct {
	*config.Point
	running     []config.Named[policies.Policy]
	used        []used // the uses of all running policies
	unknownUses bool   // some running policy does not declare its uses
	list        []finding
}

// newFinder returns a finder for a point at which the named policies run.
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

// add adds a finding, once.
func (f *finder) add(kind analysis.WarningKind, format string, values ...any) {
	found := finding{kind, fmt.Sprintf(format, values...)}
	if !slices.Contains(f.list, found) {
		f.list = append(f.list, found)
	}
}

// maxPoints is at how many points of a sweep findings are looked for.
const maxPoints = 100

// Of returns the findings of an experiment as warnings, those that fail RPCs first. Findings at
// some points of a sweep only are a list of their own, unless they fail RPCs: a sweep may include a
// point where something is off. warmupAt returns the warm-up of runs at a point; nil for that of
// the file.
func Of(
	e *config.Experiment, warmupAt func(point int) time.Duration,
) (everywhere, somewhere []analysis.Warning) {
	points := min(e.PointCount(), maxPoints)
	var all []finding
	at := make(map[finding][]int) // by finding: the numbers of its points
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

// pointText returns the keys and values of a point, for a sentence.
func pointText(e *config.Experiment, number int) string {
	var all []string
	for k, value := range e.PointTexts(number) {
		all = append(all, e.SweepKeys[k]+" = "+value)
	}
	return strings.Join(all, ", ")
}

// have returns the verb after a list of these texts.
func have(texts []string) string {
	if len(texts) == 1 {
		return "has"
	}
	return "have"
}
