package analysis

import (
	"bytes"
	"encoding/json"
)

// Values are the metrics of a run by name; nil for a metric without a value.
type Values map[string]*float64

// valuesOf computes the metrics of a run.
func valuesOf(d *runData) Values {
	values := Values{}
	for i := range runMetrics {
		if metric := &runMetrics[i]; metric.compute != nil {
			values[metric.Name] = metric.compute(d)
		}
	}
	return values
}

// MarshalJSON writes the values in the order of the table, under their keys there.
func (v Values) MarshalJSON() ([]byte, error) {
	doc := []byte{'{'}
	for i := range runMetrics {
		metric := &runMetrics[i]
		if metric.JSON == "" {
			continue
		}
		value, err := json.Marshal(v[metric.Name])
		if err != nil {
			return nil, err
		}
		if len(doc) > 1 {
			doc = append(doc, ',')
		}
		doc = append(append(doc, '"'), metric.JSON...)
		doc = append(append(doc, '"', ':'), value...)
	}
	return append(doc, '}'), nil
}

// UnmarshalJSON reads the values from an object that has their keys, and may have others.
func (v *Values) UnmarshalJSON(text []byte) error {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	*v = Values{}
	for i := range runMetrics {
		metric := &runMetrics[i]
		if value, has := doc[metric.JSON]; has && metric.JSON != "" {
			var x *float64
			if err := json.Unmarshal(value, &x); err != nil {
				return err
			}
			(*v)[metric.Name] = x
		}
	}
	return nil
}

// Value returns a metric of the run, by name and scope, such as "latency_p99_ms" and "ok": nil
// where there is no such metric, or it has no value.
func (m *Measures) Value(name, scope string) *float64 {
	for _, metric := range Metrics(GroupsOf(m)) {
		if metric.Name == name && metric.Scope == scope {
			return metric.Of(m)
		}
	}
	return nil
}

// plainMeasures has no MarshalJSON, which would call itself.
type plainMeasures Measures

// MarshalJSON writes the members of Values among the other fields of a run, in place of the object
// "values".
func (m *Measures) MarshalJSON() ([]byte, error) {
	doc, err := json.Marshal((*plainMeasures)(m))
	if err != nil {
		return nil, err
	}
	// This is the field: within a JSON string the quotes would be escaped. Its values are numbers.
	before, rest, _ := bytes.Cut(doc, []byte(`"values":{`))
	values, after, _ := bytes.Cut(rest, []byte{'}'})
	return append(append(before, values...), after...), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Measures) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, (*plainMeasures)(m)); err != nil {
		return err
	}
	return json.Unmarshal(text, &m.Values)
}
