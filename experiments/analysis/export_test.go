package analysis

// What tests look at that nobody else needs.
var (
	Differences   = differences
	PercentilesOf = percentiles
	SkewOf        = skewOf
	UnstableRuns  = unstable
)

const MeanMetric = meanMetric

func (m *Measures) Unstable() bool { return m.unstable() }

func (m *Measures) Warn(kind WarningKind, text string) { m.warn(kind, "%s", text) }

func (p *Precision) Shortfall(r *PolicyResults) string { return p.shortfall(r) }

// LatencyMetric returns a row of the table.
func LatencyMetric(name, scope string) *Metric {
	for i := range runMetrics {
		if f := &runMetrics[i]; f.Name == name && f.Scope == scope {
			return f
		}
	}
	panic("no metric " + name)
}
