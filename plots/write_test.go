package plots

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWriteNamesFilesByKindAndSweepPoint(t *testing.T) {
	odd := "a\tb ü,<&>\"/../..\n\x01"
	const sweepHead = "policy,seed,clients.web.rate,k/x,metric,scope,x,value\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no rows", head, nil},
		{"no rows that a plot knows", head + "p2c,1,rpcs_count,ended,,5\n", nil},
		{"only zeros have no place on a log axis", head + "p2c,1,latency_ms,ok,0.5,0\n", nil},
		{"what has no rows is skipped", head + "p2c,1,latency_ms,ok,0.5,3\n",
			[]string{"latency.svg", "latency.png"}},
		{"kinds in the catalog's order",
			head + "p2c,1,share_ratio,backend:a/0,,1\np2c,1,inflight_count,backend:a/0,0,1\n" +
				"p2c,1,p99_ms,time,0,1\n",
			[]string{"inflight.svg", "inflight.png", "p99-over-time.svg", "p99-over-time.png",
				"share.svg", "share.png"}},
		{"a picture a sweep point", sweepHead +
			"p2c,1,3000/s,1,latency_ms,ok,0.5,3\np2c,1,4000/s,1,latency_ms,ok,0.5,3\n",
			[]string{"latency@clients.web.rate=3000_s,k_x=1.svg",
				"latency@clients.web.rate=3000_s,k_x=1.png",
				"latency@clients.web.rate=4000_s,k_x=1.svg",
				"latency@clients.web.rate=4000_s,k_x=1.png"}},
		{"names that become the same", sweepHead +
			"p2c,1,a/s,1,latency_ms,ok,0.5,3\np2c,1,A s,1,latency_ms,ok,0.5,3\n",
			[]string{"latency@clients.web.rate=a_s,k_x=1.svg",
				"latency@clients.web.rate=a_s,k_x=1.png",
				"latency@clients.web.rate=A_s,k_x=1~2.svg",
				"latency@clients.web.rate=A_s,k_x=1~2.png"}},
		{"odd characters everywhere", strings.NewReplacer(
			"ODD", quoted(odd), "FAILURE", quoted("failure:"+odd),
			"BACKEND", quoted("backend:"+odd),
		).Replace("policy,seed,ODD,metric,scope,x,value\n" +
			"ODD,1,ODD,p99_ms,time,0,3\nODD,1,ODD,failure_s,FAILURE,0,1\n" +
			"ODD,1,ODD,share_ratio,BACKEND,,1\n"),
			[]string{"p99-over-time@ODD=ODD.svg", "p99-over-time@ODD=ODD.png",
				"share@ODD=ODD.svg", "share@ODD=ODD.png"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, name := range c.want {
				c.want[i] = strings.ReplaceAll(name, "ODD", "a_b________.._..__")
			}
			dir := filepath.Join(t.TempDir(), "made", "if need be")
			got, err := Write(dir, read(t, c.text), Caption{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("wrote %q, want %q", got, c.want)
			}
			left, _ := os.ReadDir(dir)
			if len(left) != len(c.want) {
				t.Errorf("%d files in the folder, want %d: %v", len(left), len(c.want), left)
			}
			for _, name := range got {
				wellFormed(t, filepath.Join(dir, name))
			}
		})
	}
}

// quoted is a CSV field that holds any text.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// wellFormed asks for XML or PNG that others can read.
func wellFormed(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".png") {
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		return
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
}

func TestWriteLeavesNoHalfFile(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "latency.svg")
	if err := os.MkdirAll(filepath.Join(blocked, "a folder in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	names, err := Write(dir, read(t, head+"p2c,1,latency_ms,ok,0.5,3\n"), Caption{}, nil)
	if err == nil || len(names) != 0 {
		t.Errorf("wrote %q, error %v, want none and an error", names, err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 {
		t.Errorf("left %v, want only the folder in the way", left)
	}
}

func TestPicturesHoldManyBackends(t *testing.T) {
	for _, backends := range []int{3, 10, 50, 1000} {
		policies := []string{"a", "b", "c", "d"}
		table := made{policies: policies, backends: backends, seeds: 1, bins: 10}
		names, err := Write(t.TempDir(), read(t, table.csv()), Caption{}, nil)
		want := 2 * (len(Catalog) - 1) // no differences, of which the table has none
		if err != nil || len(names) != want {
			t.Errorf("%d backends: wrote %q, error %v, want %d files", backends, names, err, want)
		}
	}
}
