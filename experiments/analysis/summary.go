package analysis

import "fmt"

// SchemaVersion is the version of the structure of summary.json.
const SchemaVersion = 3

// Summary is the content of summary.json: one document, every field always present.
type Summary struct {
	SchemaVersion int    `json:"schema_version"`
	Version       string `json:"version"` // of lbsim
	Name          string `json:"name"`
	Question      string `json:"question"`
	// Complete reports whether no run is missing, save those that failed.
	Complete  bool     `json:"complete"`
	SweepKeys []string `json:"sweep_keys"`
	Policies  []string `json:"policies"`
	// Baseline is the policy that the others are compared with.
	Baseline string   `json:"baseline"`
	Seeds    []uint64 `json:"seeds"`
	// Points are the results over all runs, Runs those of each run, Warnings what weakens them.
	Points   []*PointResults `json:"points"`
	Runs     []*Measures     `json:"runs"`
	Warnings []Warning       `json:"warnings"`
	// Precision is the precision as in the file; "" for none.
	Precision string `json:"precision"`
	// Failed are the runs without results.
	Failed []FailedRun `json:"failed"`

	// Target is Precision, parsed; nil for none.
	Target *Precision `json:"-"`
	// FoundWarmup reports whether the warm-ups were found by pilot runs.
	FoundWarmup bool `json:"-"`
}

// Conclude computes the results over all runs.
func (s *Summary) Conclude() {
	s.Points, s.Warnings = []*PointResults{}, []Warning{}
	var points []string
	at := map[string][]*Measures{} // by point: its runs, in the order of rounds
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

// Buggy returns how many runs violated an invariant of the simulation.
func (s *Summary) Buggy() (runs int) {
	for _, m := range s.Runs {
		if m.Buggy() {
			runs++
		}
	}
	return runs
}

// warn adds a warning about all runs.
func (s *Summary) warn(kind WarningKind, text string) {
	s.Warnings = append(s.Warnings, Warning{kind, text})
}
