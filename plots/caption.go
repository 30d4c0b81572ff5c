package plots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Caption identifies a picture apart from its folder. It is at the foot of the page, with the
// seeds. Empty fields are left out.
type Caption struct {
	Experiment string // its name
	Question   string // in one line
	Version    string // of the program that made the runs
}

// lines returns the lines at the foot of the picture of a point.
func (c Caption) lines(p *Point) []string {
	var about, origin []string
	for _, text := range []string{c.Experiment, c.Question} {
		if text != "" {
			about = append(about, label(text))
		}
	}
	if seeds := seedText(p.seedNumbers()); seeds != "" {
		origin = append(origin, seeds)
	}
	if c.Version != "" {
		origin = append(origin, label(c.Version))
	}
	var lines []string
	for _, line := range []string{strings.Join(about, ": "), strings.Join(origin, "  ·  ")} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// seedNumbers lists the seeds of the point's runs, each once, in ascending order. Seeds that are no
// whole numbers are left out.
func (p *Point) seedNumbers() []uint64 {
	var seeds []uint64
	for _, runs := range p.runs {
		for _, r := range runs {
			if n, err := strconv.ParseUint(r.seed, 10, 64); err == nil {
				seeds = append(seeds, n)
			}
		}
	}
	slices.Sort(seeds)
	return slices.Compact(seeds)
}

// seedText names seeds: "seed 1", "seeds 1 to 5" where none between is missing, "5 seeds from 1 to
// 9" else.
func seedText(seeds []uint64) string {
	if len(seeds) == 0 {
		return ""
	}
	first, last := seeds[0], seeds[len(seeds)-1]
	switch {
	case len(seeds) == 1:
		return fmt.Sprintf("seed %d", first)
	case last-first == uint64(len(seeds)-1):
		return fmt.Sprintf("seeds %d to %d", first, last)
	}
	return fmt.Sprintf("%d seeds from %d to %d", len(seeds), first, last)
}

// drawFoot draws lines of text, the last one at the bottom of the canvas.
func drawFoot(c draw.Canvas, lines []string) {
	style := textStyle(tickSize, faded, draw.XLeft, draw.YBottom)
	for i, line := range lines {
		y := c.Min.Y + footRow*vg.Length(len(lines)-1-i)
		c.FillText(style, vg.Point{X: c.Min.X, Y: y}, fit(style, line, c.Max.X-c.Min.X))
	}
}
