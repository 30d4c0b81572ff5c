package experiments

import (
	"time"

	"lbsim/models"
)

const (
	// loadWindow is what a backend's load is averaged over. grpc-go has none: there the application
	// does the measuring.
	loadWindow = second
	// minReportingInterval is that of a grpc-go v1.85.0 server, which cannot be set to less.
	minReportingInterval = 30 * second
	// leastReporting keeps a slip of the pen from making a run endless.
	leastReporting = models.Duration(time.Millisecond)
)

// reports fills in what a backend reports of its load.
func (t *backendTable) reports(g *models.BackendGroup) {
	g.LoadReport = t.LoadReport
	g.LoadWindow = time.Duration(t.LoadWindow)
	g.LoadMinInterval = time.Duration(t.MinReportingInterval)
}

// checkReports refuses what makes no sense about that.
func (t *backendTable) checkReports(name string) error {
	switch {
	case t.LoadWindow < leastReporting:
		return bad("must be at least %v (is %v)", leastReporting,
			t.LoadWindow)("backends", name, "load_window")
	case t.MinReportingInterval < leastReporting:
		return bad("must be at least %v (is %v)", leastReporting,
			t.MinReportingInterval)("backends", name, "min_reporting_interval")
	}
	return nil
}
