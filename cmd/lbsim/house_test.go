package main_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The rules of the house, held over all code of the module: which floor stands on which, what would
// make two runs or two CPUs disagree, how long a thing may be, that every kind has its story. The
// rules are house_*_test.go beside this file; the snippets in testdata/house break each of them.

const (
	module   = "lbsim"
	root     = "../.."                              // of the module, from here
	snippets = module + "/cmd/lbsim/testdata/house" // deliberately bad code
)

// loadHouse reads and type-checks every package once, the snippets too.
var loadHouse = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax |
			packages.NeedTypesInfo,
	}, module+"/...", "./testdata/house")
})

// house returns the packages of the module, and apart from them the bad one.
func house(t *testing.T) (good []*packages.Package, bad *packages.Package) {
	t.Helper()
	all, err := loadHouse()
	if err != nil {
		t.Fatalf("reading %s/...: %v", module, err)
	}
	for _, p := range all {
		for _, e := range p.Errors {
			t.Errorf("%s does not build, so its rules are not checked: %v", p.PkgPath, e)
		}
		if p.PkgPath == snippets {
			bad = p
		} else {
			good = append(good, p)
		}
	}
	if bad == nil || len(good) < 3 {
		t.Fatalf("read %d packages and snippets %v, want the whole house", len(good), bad)
	}
	return good, bad
}

// report fails the test with each breach, its file seen from the root of the module.
func report(t *testing.T, breaches []string) {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(breaches)
	for _, b := range slices.Compact(breaches) {
		t.Error(strings.TrimPrefix(strings.TrimPrefix(b, top+"/"), root+"/"))
	}
}

func TestEveryPackageStandsOnItsFloor(t *testing.T) {
	good, _ := house(t)
	var breaches []string
	for _, p := range good {
		breaches = append(breaches, floorBreaches(p.PkgPath, importsOf(p))...)
	}
	report(t, breaches)
}

func TestTheMachineKnowsNoClockNoChanceNoOutside(t *testing.T) {
	good, _ := house(t)
	var breaches []string
	for _, p := range good {
		if ofTheMachine(p.PkgPath) {
			breaches = append(breaches, banBreaches(p)...)
		}
	}
	report(t, breaches)
}

func TestNoProductIsFusedIntoASum(t *testing.T) {
	good, _ := house(t)
	var f fusing
	for _, p := range good {
		f.learn(p)
	}
	var breaches []string
	for _, p := range good {
		if ofTheMachine(p.PkgPath) || strings.HasPrefix(p.PkgPath, module+"/experiments") {
			breaches = append(breaches, f.breaches(p)...)
		}
	}
	report(t, breaches)
}

func TestEveryKindHasItsFiles(t *testing.T) {
	good, _ := house(t)
	var breaches []string
	for _, p := range good {
		breaches = append(breaches, kindBreaches(p, func(path string) bool {
			_, err := os.Stat(filepath.Join(root, path))
			return err == nil
		})...)
	}
	questions, err := filepath.Glob(filepath.Join(root, "experiments", "*.toml"))
	if err != nil {
		t.Fatal(err)
	}
	workloads, err := filepath.Glob(filepath.Join(root, "experiments", "bench", "*.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(questions, workloads...) {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		golden := filepath.Join(root, "experiments", "testdata", name+".golden")
		if _, err := os.Stat(golden); err != nil {
			breaches = append(breaches, file+": has no "+golden)
		}
	}
	report(t, breaches)
}

// A reader can hold a room of 20 files in mind.
func TestRoomsOfExperimentsAreSmall(t *testing.T) {
	const maxFiles = 20
	good, _ := house(t)
	var breaches []string
	for _, p := range good {
		in := strings.HasPrefix(p.PkgPath, module+"/experiments")
		if in && len(p.GoFiles) > maxFiles {
			breaches = append(breaches, fmt.Sprintf("%s: has %d files, at most %d: part it",
				p.PkgPath, len(p.GoFiles), maxFiles))
		}
	}
	report(t, breaches)
}

// Where there is no disk, such as in a browser, experiments can still be read, run and analysed.
func TestRoomsThatNeedNoDisk(t *testing.T) {
	good, _ := house(t)
	var breaches []string
	for _, p := range good {
		room, is := strings.CutPrefix(p.PkgPath, module+"/experiments/")
		if !is || strings.HasPrefix(room, "report") {
			continue
		}
		for _, path := range []string{"os", "syscall"} {
			if p.Imports[path] != nil {
				breaches = append(breaches, p.PkgPath+": must not import "+path)
			}
		}
	}
	report(t, breaches)
}

func TestEveryFileIsOfReadableSize(t *testing.T) {
	var breaches []string
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || path != root && strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		breaches = append(breaches, textBreaches(path, src)...)
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("read %d files below %s: %v", files, root, err)
	}
	report(t, breaches)
}
