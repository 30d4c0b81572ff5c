package main_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// bannedImports have no place in the machine, nor has what lies below them.
var bannedImports = strings.Fields(`C context crypto hash/maphash log math/cmplx net/http os plugin
	runtime sync syscall testing unsafe`)

// bannedFuncs are refused one by one, in packages that are useful otherwise. Methods count.
var bannedFuncs = map[string]string{
	"time":         "Now Since Until Sleep After AfterFunc NewTimer NewTicker Tick",
	"math/rand":    "NormFloat64 ExpFloat64 NewZipf",
	"math/rand/v2": "NormFloat64 ExpFloat64 NewZipf",
	"reflect":      "MapKeys MapRange",
}

// allowedFuncs are all that may be used of a package: of math what gives the same bits on every
// CPU, of math/rand what makes a generator from a seed. Methods do not count.
var allowedFuncs = map[string]string{
	"math": `Abs Ceil Copysign Dim FMA Float32bits Float32frombits Float64bits Float64frombits
		Floor Frexp Ilogb Inf IsInf IsNaN Ldexp Logb Max Min Mod Modf NaN Nextafter Nextafter32
		Remainder Round RoundToEven Signbit Sqrt Trunc`,
	"math/rand":    "New NewSource",
	"math/rand/v2": "New NewPCG NewChaCha8",
}

// banBreaches looks for whatever could make two runs of the same input differ.
func banBreaches(p *packages.Package) []string {
	b := &bans{p: p, sorted: make(map[*ast.Ident]bool)}
	for _, file := range p.Syntax {
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			for _, banned := range bannedImports {
				if path == banned || strings.HasPrefix(path, banned+"/") {
					b.refuse(spec.Pos(), "package "+path)
				}
			}
		}
		ast.Inspect(file, b.visit)
	}
	return b.found
}

type bans struct {
	p      *packages.Package
	sorted map[*ast.Ident]bool // names of maps.Keys and the like whose result is sorted at once
	found  []string
}

func (b *bans) refuse(pos token.Pos, what string) {
	at := b.p.Fset.Position(pos)
	b.found = append(b.found, fmt.Sprintf("%s:%d: %s is refused in the machine",
		at.Filename, at.Line, what))
}

func (b *bans) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ValueSpec:
		for _, name := range n.Names {
			b.variable(name)
		}
	case *ast.GoStmt:
		b.refuse(n.Pos(), "a go statement")
	case *ast.ChanType:
		b.refuse(n.Pos(), "a channel type")
	case *ast.SelectStmt:
		b.refuse(n.Pos(), "a select statement")
	case *ast.SendStmt:
		b.refuse(n.Pos(), "a send")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			b.refuse(n.Pos(), "a receive")
		}
	case *ast.RangeStmt:
		if isMap(b.p.TypesInfo.TypeOf(n.X)) {
			b.refuse(n.Pos(), "ranging over a map")
		}
	case *ast.CallExpr:
		b.call(n)
	case *ast.Ident:
		if f, ok := b.p.TypesInfo.Uses[n].(*types.Func); ok && f.Pkg() != nil {
			b.function(n, f)
		}
	}
	return true
}

// variable refuses a function that the whole package can exchange.
func (b *bans) variable(name *ast.Ident) {
	v, ok := b.p.TypesInfo.Defs[name].(*types.Var)
	if !ok || v.Parent() != b.p.Types.Scope() {
		return
	}
	if _, ok := v.Type().Underlying().(*types.Signature); ok {
		b.refuse(name.Pos(), "a package's variable that is a function")
	}
}

// call lets maps.Keys pass where slices.Sorted and its like take its result at once.
func (b *bans) call(call *ast.CallExpr) {
	f := calledBy(b.p.TypesInfo, call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "slices" ||
		!strings.HasPrefix(f.Name(), "Sorted") || len(call.Args) == 0 {
		return
	}
	if inner, ok := call.Args[0].(*ast.CallExpr); ok {
		if sel, ok := inner.Fun.(*ast.SelectorExpr); ok {
			b.sorted[sel.Sel] = true
		}
	}
}

func (b *bans) function(name *ast.Ident, f *types.Func) {
	path, method := f.Pkg().Path(), f.Signature().Recv() != nil
	allowed, listed := allowedFuncs[path]
	switch {
	case slices.Contains(strings.Fields(bannedFuncs[path]), f.Name()),
		listed && !method && !slices.Contains(strings.Fields(allowed), f.Name()):
		b.refuse(name.Pos(), path+"."+f.Name())
	case path == "maps" && !b.sorted[name]:
		if n := f.Name(); n == "Keys" || n == "Values" || n == "All" {
			b.refuse(name.Pos(), "maps."+n+" that is not sorted at once")
		}
	}
}

// calledBy returns the function or method that a call names, or nil where it is a value or a type.
func calledBy(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X // an instance of a generic function
	}
	var name *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return nil
	}
	f, _ := info.Uses[name].(*types.Func)
	return f
}

// isMap reports whether t is a map, or a type parameter that may stand for one.
func isMap(t types.Type) bool {
	switch t := t.(type) {
	case nil:
		return false
	case *types.TypeParam:
		return isMap(t.Constraint().Underlying())
	case *types.Interface:
		for i := range t.NumEmbeddeds() {
			if isMap(t.EmbeddedType(i)) {
				return true
			}
		}
		return false
	case *types.Union:
		for i := range t.Len() {
			if isMap(t.Term(i).Type()) {
				return true
			}
		}
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func TestBansRefuse(t *testing.T) {
	_, bad := house(t)
	expectWants(t, bad, "bans.go", banBreaches(bad))
}
