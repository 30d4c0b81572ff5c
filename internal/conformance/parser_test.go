package conformance

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/balancer"
	_ "google.golang.org/grpc/balancer/grpclb"           // has its policy registered
	_ "google.golang.org/grpc/balancer/randomsubsetting" // likewise
	_ "google.golang.org/grpc/balancer/ringhash"         // likewise
	_ "google.golang.org/grpc/balancer/weightedtarget"   // likewise
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/xds" // has outlier_detection and others registered

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

// unread are policies of grpc-go that lbsim takes as registered and does not have. Stand-ins are
// registered in their place, so that their options are read by neither side.
var unread = []string{
	"autosharding_experimental", "cds_experimental", "rls_experimental",
	"xds_cluster_manager_experimental",
}

type standIn struct {
	balancer.Builder
	name string
}

func (s standIn) Name() string { return s.name }

// grpc-go's parser and lbsim's have the same opinion of every text that lbsim's was tried on. One
// that grpc-go takes and lbsim cannot simulate counts as taken.
func TestServiceConfigVerdicts(t *testing.T) {
	texts := make(map[string]string)
	const data = "../../models/serviceconfig/testdata"
	for _, pattern := range []string{"*.json", "fuzz/FuzzParse/*"} {
		files, err := filepath.Glob(filepath.Join(data, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
			if !strings.HasSuffix(pattern, ".json") {
				texts[file] = corpusText(t, string(text))
			}
		}
	}
	for i, text := range publicForms(t) {
		texts[fmt.Sprintf("public-forms.txt, number %d", i+1)] = text
	}
	maps.Copy(texts, outlierTexts())
	taken := 0
	for file, text := range texts {
		if sameVerdict(t, file, text) {
			taken++
		}
	}
	t.Logf("%d texts, of which grpc-go takes %d", len(texts), taken)
}

// sameVerdict reports whether grpc-go takes a text, and that lbsim does the other.
func sameVerdict(t *testing.T, name, text string) (taken bool) {
	t.Helper()
	cc, real := grpc.NewClient("passthrough:///x", grpc.WithDefaultServiceConfig(text),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	_, ours := serviceconfig.Parse([]byte(text), known)
	var e *serviceconfig.Error
	if valid := ours == nil || errors.As(ours, &e) && e.Valid; valid != (real == nil) {
		t.Errorf("%s: grpc-go says %v, lbsim says %v", name, real, ours)
	}
	if real == nil {
		cc.Close()
	}
	return real == nil
}

// publicForms are service configs in the forms of public code. Of these lbsim refuses what grpc-go
// takes only where it has rls.
func publicForms(t *testing.T) []string {
	t.Helper()
	all, err := os.ReadFile("../../models/serviceconfig/testdata/public-forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(strings.TrimSpace(string(all)), "\n---\n")
	const want = 70
	if len(texts) != want {
		t.Fatalf("%d texts, want %d", len(texts), want)
	}
	for _, text := range texts {
		_, err := serviceconfig.Parse([]byte(text), known)
		var e *serviceconfig.Error
		if errors.As(err, &e) && e.Valid && !strings.Contains(text, "rls_experimental") {
			t.Errorf("%s: lbsim alone refuses it: %v", text, err)
		}
	}
	return texts
}

// known finds a policy in lbsim's catalog.
func known(name string) (policies.Policy, bool) {
	p, ok := policies.Catalog[name]
	return p, ok
}

// corpusText is the text in a file of a fuzzing corpus that has one argument.
func corpusText(t *testing.T, file string) string {
	t.Helper()
	_, argument, _ := strings.Cut(file, "\n")
	argument = strings.TrimSpace(argument)
	quoted := strings.TrimSuffix(argument[strings.Index(argument, "(")+1:], ")")
	text, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatalf("%s: %v", argument, err)
	}
	return text
}
