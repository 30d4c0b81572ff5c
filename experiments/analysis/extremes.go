package analysis

import "strings"

// The figures of a group are means over its backends, beside which stand the least and the most:
// of the backends that had capacity in the run.

// MemberMetrics are what is known of each backend of a group, by the metric of their mean.
var MemberMetrics = []struct {
	Name, Format string
	Of           func(b *BackendMeasures) *float64
}{
	{"share", "%.2f%%", func(b *BackendMeasures) *float64 { return b.Share }},
	{"utilization", "%.0f%%", func(b *BackendMeasures) *float64 { return &b.Utilization }},
}

// extremeMetrics lists the extremes of a group.
func extremeMetrics(group string) (list []Metric) {
	for _, member := range MemberMetrics {
		least := func(m *Measures) *float64 {
			v, _ := GroupExtremes(m, group, member.Of)
			return v
		}
		most := func(m *Measures) *float64 {
			_, v := GroupExtremes(m, group, member.Of)
			return v
		}
		list = append(list,
			Metric{member.Name + "_least_ratio", "group:" + group, "", member.Format, 0, least},
			Metric{member.Name + "_most_ratio", "group:" + group, "", member.Format, 0, most})
	}
	return list
}

// GroupExtremes returns the least and the most of a value over the backends of a group that had
// capacity; nil where none had, or one has no value.
func GroupExtremes(
	m *Measures, group string, of func(b *BackendMeasures) *float64,
) (least, most *float64) {
	for i := range m.Backends {
		b := &m.Backends[i]
		if g, _, _ := strings.Cut(b.Name, "/"); g != group || b.CapacityS == 0 {
			continue
		}
		v := of(b)
		switch {
		case v == nil:
			return nil, nil
		case least == nil:
			least, most = v, v
		case *v < *least:
			least = v
		case *v > *most:
			most = v
		}
	}
	return least, most
}
