package analysis

// What tests look at that nobody else needs.
var (
	Apart         = apart
	Differences   = differences
	IntervalOf    = intervalOf
	LatencyMetric = latencyMetric
	PercentilesOf = percentiles
	SignTest      = signTest
	SkewOf        = skewOf
	Student95     = student95
	UnstableRuns  = unstable
)

const MeanMetric = meanMetric

func (m *Measures) Unstable() bool { return m.unstable() }

func (m *Measures) Warn(kind WarningKind, text string) { m.warn(kind, "%s", text) }

func (p *Precision) Shortfall(r *PolicyResults) string { return p.shortfall(r) }
