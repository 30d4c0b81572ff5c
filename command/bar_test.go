package command

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	for _, test := range []struct {
		done, all int
		want      string
	}{
		{0, 4, "x [                              ] 0/4 runs"},
		{1, 4, "x [=======                       ] 1/4 runs, 30s left"},
		{4, 4, "x [==============================] 4/4 runs"},
		{0, 0, "x [                              ] 0/0 runs"},
	} {
		b := bar{what: "x", things: "runs", done: test.done, all: test.all}
		if got := b.line(10 * time.Second); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.done, test.all, got, test.want)
		}
	}
	var none *bar
	none.Add()
	none.Describe("y")
	none.Finish()
	var out bytes.Buffer
	b := newBar(&out, "x", "plots", 2)
	for range 1000 {
		b.Set(1) // most of these come too soon after another
	}
	b.Finish()
	if text := out.String(); strings.Count(text, "plots") > 100 ||
		!strings.HasPrefix(text, clearLine+"x [") || !strings.HasSuffix(text, clearLine) {
		t.Errorf("drawn %q", text)
	}
}
