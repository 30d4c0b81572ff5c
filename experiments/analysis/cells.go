package analysis

import (
	"strconv"
	"strings"

	"lbsim/internal/numtext"
)

// Format returns how the text shows values: multiplied by scale, with at least so many decimals,
// and followed by unit.
type Format string

// textForm returns what its values are multiplied by in the text, how many decimals they have there
// at least, and what stands behind them.
func (f Format) textForm() (scale float64, decimals int, unit string) {
	scale, unit = 1, ""
	digits, percent := strings.CutSuffix(string(f), "f%%")
	if percent {
		scale, unit = 100, "%"
	}
	decimals, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(digits, "%."), "f"))
	return scale, decimals, unit
}

// ShownDigits is the least number of significant digits of a number in the text.
const ShownDigits = 2

// Cell returns an estimate as text: "10.79 ±0.12", "12.31–never", "unstable".
func (f Format) Cell(e *Estimate) string {
	scale, decimals, unit := f.textForm()
	switch {
	case e.Reason == GrowsWithTime:
		return "unstable"
	case e.Reason == TooFewSamples:
		return "–"
	case e.Reason == NeverAnswered && e.Least == nil:
		return "never"
	case e.Reason == NeverAnswered:
		return numtext.Number(scale*(*e.Least), decimals, ShownDigits) + "–never"
	case e.Reason == FarApart:
		return numtext.Number(scale*(*e.Least), decimals, ShownDigits) + "–" +
			numtext.Number(scale*(*e.Most), decimals, ShownDigits) + unit
	}
	text := numtext.Number(scale*(*e.Mean), decimals, ShownDigits) + unit
	if e.Half != nil {
		text += " ±" + numtext.Fixed(scale*(*e.Half), numtext.Places(scale*(*e.Mean), decimals,
			ShownDigits))
	}
	return text
}

// DifferenceCell returns a difference with its verdict as text: "-93.12 ±0.40 better", "+0.2 ±0.5
// ?+34". The number of decimals follows from the interval, or without one from the difference.
func (f Format) DifferenceCell(d *Difference) string {
	scale, decimals, unit := f.textForm()
	var text string
	switch {
	case d.Verdict == Identical:
		return string(Identical)
	case d.Mean != nil:
		mean := scale * (*d.Mean)
		if d.Half == nil || *d.Half == 0 {
			return numtext.Signed(mean, numtext.Places(mean, decimals, ShownDigits)) + unit +
				d.mark()
		}
		half := scale * (*d.Half)
		decimals = numtext.Places(half, decimals, ShownDigits)
		return numtext.Signed(mean, decimals) + unit + " ±" + numtext.Fixed(half, decimals) +
			d.mark()
	case d.Reason == FarApart:
		text = numtext.Signed(scale*(*d.Least), decimals) + " to " +
			numtext.Signed(scale*(*d.Most), decimals) + unit
	case d.Reason == TooFewSamples || d.Verdict == NoVerdict:
		return "–"
	}
	return strings.TrimPrefix(text+d.mark(), " ")
}

// mark returns the verdict, for the end of a cell.
func (d *Difference) mark() string {
	switch {
	case d.Verdict == NoVerdict:
		return ""
	case d.Verdict != CannotTell:
		return " " + string(d.Verdict)
	case d.MoreSeeds != nil:
		return " ?+" + strconv.Itoa(*d.MoreSeeds)
	}
	return " ?"
}
