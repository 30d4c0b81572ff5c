package main_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"testing"

	"golang.org/x/tools/go/packages"
)

// fusing finds sums that a compiler may turn into one fused multiply-add: x*y + z, where arm64,
// s390x and others round once and plain amd64 twice, so that the last bit differs. Only a
// conversion between product and sum, float64(x*y) + z, forbids it; neither an assignment nor a
// call that is inlined does.
//
// Products are followed into variables and fields of the same function (whatever else these are
// given there), out of functions of ours that return one, and into parameters that are added to
// something. They are not followed through elements of slices and chains of calls; the comparison
// of CPUs in .ci/run sees what comes of those.
type fusing struct {
	returns map[string]bool         // functions that return a product, by full name
	adds    map[string]map[int]bool // functions that add their i-th parameter to something
}

// function is a function declaration with what is known of its variables.
type function struct {
	decl  *ast.FuncDecl
	info  *types.Info
	holds map[types.Object]bool // variables and fields that hold a product
}

func functions(p *packages.Package, do func(f *function)) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
				f := &function{decl, p.TypesInfo, make(map[types.Object]bool)}
				ast.Inspect(decl.Body, f.note)
				do(f)
			}
		}
	}
}

// note takes down which variables hold a product.
func (f *function) note(n ast.Node) bool {
	hold := func(to, value ast.Expr) {
		if o := f.object(to); o != nil && f.product(value) {
			f.holds[o] = true
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		if o := f.object(n.Lhs[0]); n.Tok == token.MUL_ASSIGN && o != nil && isFloat(o.Type()) {
			f.holds[o] = true
		}
		if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
			for i := range n.Lhs {
				hold(n.Lhs[i], n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i := range min(len(n.Names), len(n.Values)) {
			hold(n.Names[i], n.Values[i])
		}
	case *ast.KeyValueExpr:
		hold(n.Key, n.Value)
	}
	return true
}

// object returns the variable or field that e names, or nil.
func (f *function) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.info.ObjectOf(e).(*types.Var); ok {
			return v
		}
	case *ast.SelectorExpr:
		return f.object(e.Sel)
	case *ast.StarExpr:
		return f.object(e.X)
	}
	return nil
}

// product reports whether e is a product of floats that rounds, whatever its sign. Constants do
// not, nor does a product with a power of two.
func (f *function) product(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return f.product(e.X)
	case *ast.BinaryExpr:
		tv := f.info.Types[e]
		return e.Op == token.MUL && tv.Value == nil && isFloat(tv.Type) &&
			!isPowerOfTwo(f.info.Types[e.X].Value) && !isPowerOfTwo(f.info.Types[e.Y].Value)
	}
	return false
}

func isPowerOfTwo(v constant.Value) bool {
	if v == nil {
		return false
	}
	x, exact := constant.Float64Val(v)
	fraction, _ := math.Frexp(x)
	return exact && math.Abs(fraction) == 0.5
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// sums calls do with each operand of each float sum and difference.
func (f *function) sums(do func(operand ast.Expr)) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			tv := f.info.Types[n]
			if (n.Op == token.ADD || n.Op == token.SUB) && tv.Value == nil && isFloat(tv.Type) {
				do(n.X)
				do(n.Y)
			}
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) &&
				isFloat(f.info.TypeOf(n.Lhs[0])) {
				do(n.Lhs[0])
				do(n.Rhs[0])
			}
		}
		return true
	})
}

// learn takes down what those functions of a package return and add that may be inlined.
func (u *fusing) learn(p *packages.Package) {
	if u.returns == nil {
		u.returns, u.adds = make(map[string]bool), make(map[string]map[int]bool)
	}
	functions(p, func(f *function) {
		if size(f.decl) > maxInlined {
			return
		}
		self := f.info.Defs[f.decl.Name].(*types.Func)
		name := self.FullName()
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
				value := r.Results[0]
				u.returns[name] = u.returns[name] || f.product(value) || f.holds[f.object(value)]
			}
			_, inner := n.(*ast.FuncLit)
			return !inner
		})
		params := self.Signature().Params()
		f.sums(func(operand ast.Expr) {
			for i := range params.Len() {
				if f.object(unsigned(operand)) == params.At(i) {
					if u.adds[name] == nil {
						u.adds[name] = make(map[int]bool)
					}
					u.adds[name][i] = true
				}
			}
		})
	})
}

// maxInlined is the size of a function, in nodes of syntax, beyond which no call of it is inlined.
// It is twice the compiler's limit, which counts other nodes; they are seldom fewer.
const maxInlined = 160

func size(n ast.Node) int {
	nodes := 0
	ast.Inspect(n, func(n ast.Node) bool {
		if n != nil {
			nodes++
		}
		return true
	})
	return nodes
}

// unsigned is e without parentheses and signs.
func unsigned(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		return unsigned(u.X)
	}
	return e
}

func (u *fusing) breaches(p *packages.Package) []string {
	var found []string
	refuse := func(e ast.Expr, what string) {
		at := p.Fset.Position(e.Pos())
		found = append(found, fmt.Sprintf("%s:%d: %s may be fused into a sum, write float64(%s)",
			at.Filename, at.Line, what, types.ExprString(e)))
	}
	functions(p, func(f *function) {
		f.sums(func(operand ast.Expr) {
			e := unsigned(operand)
			if f.product(e) {
				refuse(e, "a product")
			} else if o := f.object(e); o != nil && f.holds[o] {
				refuse(e, "the product in "+o.Name())
			} else if call, ok := e.(*ast.CallExpr); ok {
				if callee := calledBy(f.info, call); callee != nil && u.returns[callee.FullName()] {
					refuse(e, "the product that "+callee.Name()+" returns")
				}
			}
		})
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if callee := calledBy(f.info, call); callee != nil {
					for i, arg := range call.Args {
						if u.adds[callee.FullName()][i] && f.product(arg) {
							refuse(arg, "a product that "+callee.Name()+" adds")
						}
					}
				}
			}
			return true
		})
	})
	return found
}

func TestFusingRefuses(t *testing.T) {
	_, bad := house(t)
	var f fusing
	f.learn(bad)
	expectWants(t, bad, "fusing.go", f.breaches(bad))
}
