package analysis

import "fmt"

// SchemaVersion is the version of the shape of summary.json.
const SchemaVersion = 3

// Summary is the content of summary.json: one document, every field always present.
type Summary struct {
	SchemaVersion int    `json:"schema_version"`
	Version       string `json:"version"` // of lbsim
	Name          string `json:"name"`
	Question      string `json:"question"`
	// Complete says that no run is missing but those that failed.
	Complete  bool     `json:"complete"`
	SweepKeys []string `json:"sweep_keys"`
	Policies  []string `json:"policies"`
	// Baseline is the policy that the others are compared with.
	Baseline string   `json:"baseline"`
	Seeds    []uint64 `json:"seeds"`
	// Points has what the runs say together, Runs what each says, Warnings what weakens all of it.
	Points   []*PointResults `json:"points"`
	Runs     []*Measures     `json:"runs"`
	Warnings []Warning       `json:"warnings"`
	// Precision is how tightly a metric should be known, as in the file; "" for none.
	Precision string `json:"precision"`
	// Failed are runs of which there are no results.
	Failed []FailedRun `json:"failed"`

	// Target is what Precision says; nil for none.
	Target *Precision `json:"-"`
	// FoundWarmup: the warm-ups of the runs were found.
	FoundWarmup bool `json:"-"`
}

// Conclude draws up what all runs say together.
func (s *Summary) Conclude() {
	s.Points, s.Warnings = []*PointResults{}, []Warning{}
	var points []string
	at := map[string][]*Measures{} // the runs at each point; those of a later round come later
	for _, m := range s.Runs {
		name := fmt.Sprint(m.Point) // in the order of its keys
		if at[name] == nil {
			points = append(points, name)
		}
		at[name] = append(at[name], m)
	}
	for _, name := range points {
		s.Points = append(s.Points, concludePoint(s, at[name]))
	}
	warnOfSame(s)
	warnOfSeeds(s)
	warnOfLikeRuns(s)
	judgePrecision(s)
}

// WarnFirst puts warnings, as sentences without a full stop, before all others.
func (s *Summary) WarnFirst(warnings []Warning) {
	for i := range warnings {
		warnings[i].Text += "."
	}
	s.Warnings = append(warnings, s.Warnings...)
}

// Buggy is how many runs broke an invariant of the simulation.
func (s *Summary) Buggy() (runs int) {
	for _, m := range s.Runs {
		if m.Buggy() {
			runs++
		}
	}
	return runs
}

func (s *Summary) warn(kind WarningKind, text string) {
	s.Warnings = append(s.Warnings, Warning{kind, text})
}
