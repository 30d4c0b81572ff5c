package policytest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What docs/adding-a-policy.md shows is in the file that the last line of the form "`file`:" names,
// and the tests that it runs are there.
func TestThePageShowsWhatThereIs(t *testing.T) {
	const root = "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs/adding-a-policy.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("^ *`([^`]+)`:$")
	fence := regexp.MustCompile("^( *)```([a-z]*)$")
	shown, commands := 0, 0
	file, language, indent := "", "", ""
	var block []string
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSuffix(line, "\n")
		if m := named.FindStringSubmatch(line); m != nil && language == "" {
			file = m[1]
		}
		m := fence.FindStringSubmatch(line)
		switch {
		case m == nil && language != "":
			block = append(block, strings.TrimPrefix(line, indent))
		case m != nil && language == "":
			indent, language, block = m[1], m[2], nil
		case m != nil && language == "sh":
			for _, command := range block {
				runs(t, root, command)
				commands++
			}
			language = ""
		case m != nil:
			text, err := os.ReadFile(filepath.Join(root, file))
			if err != nil || !strings.Contains(string(text), strings.Join(block, "\n")+"\n") {
				t.Errorf("%s (%v) has not:\n%s", file, err, strings.Join(block, "\n"))
			}
			shown++
			language = ""
		}
	}
	if shown < 5 || commands < 3 {
		t.Errorf("found %d blocks and %d commands only", shown, commands)
	}
}

// runs checks that there is something for a command of the page to run.
func runs(t *testing.T, root, command string) {
	t.Helper()
	words := strings.Fields(command)
	dir := filepath.Join(root, words[2])
	if words[1] == "run" {
		if _, err := os.Stat(filepath.Join(dir, "main.go")); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		return
	}
	test, _, _ := strings.Cut(words[4], "/")
	out, err := exec.Command("go", "test", dir, "-list", "^"+test+"$").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), test+"\n") {
		t.Errorf("%s: %v: %s", command, err, out)
	}
}
