package analysis

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shape lists the fields of a type in JSON, by path, with the type of each.
func shape(path string, t reflect.Type) (lines []string) {
	switch t {
	case reflect.TypeFor[*float64]():
		return []string{path + ": number or null"}
	case reflect.TypeFor[Values]():
		path, _, _ = strings.Cut(path, ".values")
		for _, f := range runMetrics {
			if f.JSON != "" {
				lines = append(lines, path+"."+f.JSON+": number or null")
			}
		}
		return lines
	case reflect.TypeFor[Percentiles]():
		return shape(path, reflect.TypeFor[percentilesJSON]())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shape(path, t.Elem())
	case reflect.Slice:
		return shape(path+"[]", t.Elem())
	case reflect.Map:
		return shape(path+".*", t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			name := f.Tag.Get("json")
			switch {
			case f.Anonymous:
				lines = append(lines, shape(path, f.Type)...)
			case f.IsExported() && name != "-":
				lines = append(lines, shape(path+"."+name, f.Type)...)
			}
		}
		return lines
	}
	return []string{fmt.Sprintf("%s: %v", path, t.Kind())}
}

// Programs read summary.json by its schema version: the shape of a version is kept for good, and
// -update writes that of a new version alone.
func TestShapeOfSummaryHasItsVersion(t *testing.T) {
	file := fmt.Sprintf("testdata/summary-v%d.txt", SchemaVersion)
	got := strings.Join(shape("", reflect.TypeFor[Summary]()), "\n") + "\n"
	want, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && flag.Lookup("update").Value.String() == "true" {
		err = os.WriteFile(file, []byte(got), 0o644)
		want = []byte(got)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("summary.json has changed its shape: raise SchemaVersion, and keep the new shape "+
			"with -update. It is\n%s\nin %s\n%s", got, file, want)
	}
}

// What the shape says of a run is what a run writes.
func TestShapeIsThatOfADocument(t *testing.T) {
	m := Measures{Values: Values{}, Backends: []BackendMeasures{{}}, Failed: []Failed{{}}}
	text, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, line := range shape("", reflect.TypeFor[Measures]()) {
		key := strings.FieldsFunc(line, func(r rune) bool {
			return strings.ContainsRune(".[:",
				r)
		})[0]
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		if _, has := doc[key]; !has {
			t.Errorf("a run has no %s", key)
		}
	}
	if len(doc) != len(keys) {
		t.Errorf("%d keys, want %q in\n%s", len(doc), keys, text)
	}
}

// Every field of a backend in summary.json is a metric of table.csv, and the other way round.
func TestBackendsHaveTheSameMetricsInJSONAndTable(t *testing.T) {
	fields := reflect.TypeFor[BackendMeasures]().NumField() - 1 // but its name
	if fields != len(backendMetrics) {
		t.Errorf("%d fields, %d metrics", fields, len(backendMetrics))
	}
	for i := range fields {
		var b BackendMeasures
		switch f := reflect.ValueOf(&b).Elem().Field(i + 1); f.Kind() {
		case reflect.Pointer:
			f.Set(reflect.ValueOf(new(7.0)))
		case reflect.Float64:
			f.SetFloat(7)
		default:
			f.Set(reflect.ValueOf(7).Convert(f.Type()))
		}
		n := 0
		for _, metric := range backendMetrics {
			if v := metric.Of(&b); v != nil && *v == 7 {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d metrics of %s, want 1", n, reflect.TypeOf(b).Field(i+1).Name)
		}
	}
}
