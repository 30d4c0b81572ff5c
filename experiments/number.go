package experiments

import (
	"strconv"
	"strings"
)

// scaled returns what its values are multiplied by in the text, how many decimals they have there
// at least, and what stands behind them.
func (f *figure) scaled() (scale float64, decimals int, unit string) {
	scale, unit = 1, ""
	digits, percent := strings.CutSuffix(f.format, "f%%")
	if percent {
		scale, unit = 100, "%"
	}
	decimals, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(digits, "%."), "f"))
	return scale, decimals, unit
}

// shownDigits is how many digits of a number are seen at least, however small it is.
const shownDigits = 2

// cell writes a figure: "10.79 ±0.12", "12.31–never", "unstable".
func (f *figure) cell(r *Figure) string {
	scale, decimals, unit := f.scaled()
	switch {
	case r.Reason == GrowsWithTime:
		return "unstable"
	case r.Reason == TooFewSamples:
		return "–"
	case r.Reason == NeverAnswered && r.Least == nil:
		return "never"
	case r.Reason == NeverAnswered:
		return number(scale*(*r.Least), decimals, shownDigits) + "–never"
	case r.Reason == FarApart:
		return number(scale*(*r.Least), decimals, shownDigits) + "–" +
			number(scale*(*r.Most), decimals, shownDigits) + unit
	}
	text := number(scale*(*r.Mean), decimals, shownDigits) + unit
	if r.Half != nil {
		text += " ±" + fixed(scale*(*r.Half), places(scale*(*r.Mean), decimals, shownDigits))
	}
	return text
}

// differenceCell writes a difference and the verdict: "-93.12 ±0.40 better", "+0.2 ±0.5 ?+34". It
// has as many decimals as show its interval, or the difference where that is all there is.
func (f *figure) differenceCell(d *Difference) string {
	scale, decimals, unit := f.scaled()
	var text string
	switch {
	case d.Verdict == Identical:
		return string(Identical)
	case d.Mean != nil:
		mean := scale * (*d.Mean)
		if d.Half == nil || *d.Half == 0 {
			return signed(mean, places(mean, decimals, shownDigits)) + unit + d.mark()
		}
		half := scale * (*d.Half)
		decimals = places(half, decimals, shownDigits)
		return signed(mean, decimals) + unit + " ±" + fixed(half, decimals) + d.mark()
	case d.Reason == FarApart:
		text = signed(scale*(*d.Least), decimals) + " to " +
			signed(scale*(*d.Most), decimals) + unit
	case d.Reason == TooFewSamples || d.Verdict == NoVerdict:
		return "–"
	}
	return strings.TrimPrefix(text+d.mark(), " ")
}

// mark writes the verdict behind a difference.
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
