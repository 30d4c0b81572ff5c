package policies

// Load is what a backend reports of its load (ORCA, gRFC A51; xds.data.orca.v3.OrcaLoadReport).
type Load struct {
	// Application and CPU are utilisations: 0 where not reported, 1 at what the backend should
	// bear; above that it is overloaded.
	Application, CPU float64
	// Memory is the share of its memory that is in use, 0 to 1.
	Memory float64
	// QPS and EPS are the queries, and those of them that ended in an error, per second.
	QPS, EPS float64
	// Named are metrics that the application defines, in no particular order.
	Named []NamedMetric
}

// NamedMetric is a metric that the application defines.
type NamedMetric struct {
	Name  string
	Value float64
}
