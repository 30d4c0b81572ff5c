package findings

import (
	"testing"
	"time"

	"lbsim/experiments/config"
	"lbsim/models"
	"lbsim/options"
)

// nothing is a failure of another module that strikes no backends by name.
type nothing struct{}

func (nothing) Check(*models.Config) error       { return nil }
func (nothing) Start(*models.World)              {}
func (nothing) Doc() string                      { return "nothing" }
func (nothing) Window() (from, to time.Duration) { return 0, 0 }

func TestFailuresOfOnesOwn(t *testing.T) {
	f := config.File{Name: "x.toml", Text: []byte(`[clients.c]
rate = "1/s"
[backends.b]
service = "1ms"
[failures.nothing]
[policies.random]
`)}
	kinds := config.Kinds{Failures: options.Catalog[models.Failure]{"nothing": nothing{}}}
	e, err := config.Read(f, config.Options{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	if everywhere, somewhere := Of(e, nil); len(everywhere)+len(somewhere) > 0 {
		t.Errorf("got %v and %v, want no findings", everywhere, somewhere)
	}
}
