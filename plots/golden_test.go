package plots

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lbsim/internal/golden"
)

func TestTableIsAsMade(t *testing.T) {
	compare(t, "table.csv", []byte(ordinary.csv()))
}

// The kept pictures are SVG. Of the PNG only a sum of the pixels is kept: their compression is
// free to change with the Go release. Both must come out the same on every CPU.
func TestPicturesAreAsKept(t *testing.T) {
	text, err := os.ReadFile("testdata/table.csv")
	if err != nil {
		t.Fatal(err)
	}
	var sums bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(Catalog)) {
		k := Catalog[name]
		svg, pixels := drawn(t, k, string(text))
		compare(t, name+".svg", svg)
		fmt.Fprintf(&sums, "%s  %s.png\n", pixelSum(t, pixels), name)
		t.Logf("%s.svg sha256 %x", name, sha256.Sum256(svg))
		t.Logf("%s.png sha256 %x", name, sha256.Sum256(pixels))
	}
	compare(t, "pixels.txt", sums.Bytes())
}

// drawn is a kind's picture of a table with one sweep point.
func drawn(t *testing.T, k Kind, text string) (svg, pixels []byte) {
	t.Helper()
	svg, pixels, err := encode(k.Draw(read(t, text).points()[0]))
	if err != nil {
		t.Fatal(err)
	}
	return svg, pixels
}

func read(t *testing.T, text string) *Table {
	t.Helper()
	table, err := Read(strings.NewReader(text), Catalog)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// compare compares with a file in testdata.
func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	g, w := unpacked(t, got), unpacked(t, golden.Kept(t, file, got))
	if bytes.Equal(g, w) {
		return
	}
	for i, line := range bytes.Split(g, []byte("\n")) {
		wanted := bytes.Split(w, []byte("\n"))
		if i >= len(wanted) || !bytes.Equal(line, wanted[i]) {
			t.Fatalf("%s differs in line %d (rewrite with -update): got\n%.200s", file, i+1, line)
		}
	}
	t.Fatalf("%s goes on where the new one ends (rewrite with -update)", file)
}

var embedded = regexp.MustCompile(`data:image/png;base64,([^"]*)`)

// unpacked puts a sum of the pixels in place of each picture within an SVG.
func unpacked(t *testing.T, svg []byte) []byte {
	return embedded.ReplaceAllFunc(svg, func(b []byte) []byte {
		data, err := base64.StdEncoding.DecodeString(string(embedded.FindSubmatch(b)[1]))
		if err != nil {
			t.Fatal(err)
		}
		return []byte(pixelSum(t, data))
	})
}

func pixelSum(t *testing.T, data []byte) string {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain := image.NewNRGBA(m.Bounds())
	draw.Draw(plain, plain.Bounds(), m, m.Bounds().Min, draw.Src)
	return fmt.Sprintf("%x", sha256.Sum256(plain.Pix))
}
