package policies

// Load is a load report of a backend (ORCA, gRFC A51; xds.data.orca.v3.OrcaLoadReport).
type Load struct {
	// Application and CPU are utilisations: 0 where not reported, 1 at the full capacity of the
	// backend, above 1 where it is overloaded.
	Application, CPU float64
	// Memory is the share of memory in use, 0 to 1.
	Memory float64
	// QPS is queries per second, EPS errors per second.
	QPS, EPS float64
	// Named has metrics that the application defines, in no particular order.
	Named []NamedMetric
}

// NamedMetric is a metric that the application defines.
type NamedMetric struct {
	Name  string
	Value float64
}
