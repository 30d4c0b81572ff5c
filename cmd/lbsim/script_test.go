package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lbsim": main})
}

func TestScripts(t *testing.T) {
	// Under nohup the signal is ignored, and so it would be in the programs that the scripts run.
	// What this process listens to has its default meaning in them.
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangUps) }) // the scripts run in parallel, behind this
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
