package experiments

import "strings"

// The figures of a group are means over its backends, beside which stand the least and the most:
// of the backends that had capacity in the run.

// memberFigures are what is known of each backend of a group, by the metric of their mean.
var memberFigures = []struct {
	name, format string
	of           func(b *BackendMeasures) *float64
}{
	{"share", "%.2f%%", func(b *BackendMeasures) *float64 { return b.Share }},
	{"utilization", "%.0f%%", func(b *BackendMeasures) *float64 { return &b.Utilization }},
}

// extremeFigures lists the extremes of a group.
func extremeFigures(group string) (list []figure) {
	for _, member := range memberFigures {
		least := func(m *Measures) *float64 {
			v, _ := groupExtremes(m, group, member.of)
			return v
		}
		most := func(m *Measures) *float64 {
			_, v := groupExtremes(m, group, member.of)
			return v
		}
		list = append(list,
			figure{member.name + "_least_ratio", "group:" + group, "", member.format, 0, least},
			figure{member.name + "_most_ratio", "group:" + group, "", member.format, 0, most})
	}
	return list
}

// groupExtremes returns the least and the most of a value over the backends of a group that had
// capacity; nil where none had, or one has no value.
func groupExtremes(
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
