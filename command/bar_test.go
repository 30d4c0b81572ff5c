package command

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8/decor"
)

func TestBar(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out, "x", "plots", 4)
	b.Add()
	b.Describe("y")
	b.Set(2)
	b.Finish()
	text := out.String()
	if !strings.HasPrefix(text, "y [===") || !strings.Contains(text, "2/4 plots") {
		t.Errorf("drawn %q, want y and 2/4 plots", text)
	}
	for done, want := range map[int64]string{0: "", 1: ", 30s left", 4: "", 5: ""} {
		got := leftText(decor.Statistics{Current: done, Total: 4}, 10*time.Second)
		if got != want {
			t.Errorf("%d of 4: %q, want %q", done, got, want)
		}
	}
	var none *bar
	none.Add()
	none.Set(1)
	none.Describe("y")
	none.Finish()
}
