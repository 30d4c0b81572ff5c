package disttest_test

import (
	"os"
	"path/filepath"
	"testing"

	"lbsim/models/dist"
	"lbsim/models/dist/disttest"
)

// To join the catalog is to join this test.
func TestShippedKinds(t *testing.T) {
	p := dist.Parser{Kinds: dist.Catalog, Open: func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join("../testdata", name))
	}}
	disttest.Battery(t, p, disttest.Exceptions{MayFall: func(d dist.Distribution) bool {
		_, is := d.(*dist.Mixture)
		return is
	}})
}
