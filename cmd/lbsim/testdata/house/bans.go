// Package house breaks the rules of the house, a line at a time. The comment of a line is part of
// what is said of it.
package house

import (
	"maps"
	"math"
	"math/rand/v2"
	"os" // want package os
	"reflect"
	"slices"
	"sync" // want package sync
	clock "time"
)

var Catalog = map[string]Kind{
	"first":  {X: 1},
	"second": {X: 2},
}

type Kind struct{ X, Y float64 }

var seam func(n int) int // want variable that is a function

func clocks() clock.Duration {
	begin := clock.Now()          // want time.Now
	clock.Sleep(1)                // want time.Sleep
	f := clock.Since              // want time.Since
	clock.AfterFunc(1, func() {}) // want time.AfterFunc
	return f(begin) + clock.Second*clock.Duration(begin.Second())
}

func chance(r *rand.Rand) float64 {
	own := rand.New(rand.NewPCG(1, 2))
	a := float64(own.IntN(3)) / r.Float64()
	a /= rand.Float64()   // want math/rand/v2.Float64
	a /= r.NormFloat64()  // want math/rand/v2.NormFloat64
	a /= own.ExpFloat64() // want math/rand/v2.ExpFloat64
	return a
}

func others() {
	var m sync.Mutex
	m.Lock()
	go os.Getpid()         // want a go statement
	c := make(chan int, 1) // want a channel type
	c <- 1                 // want a send
	_ = <-c                // want a receive
	select {               // want a select statement
	default:
	}
}

func curves(x float64) float64 {
	x = math.Sqrt(math.Abs(x)) / math.Floor(x) / math.Pi / math.FMA(x, x, x)
	x /= math.Exp(x)      // want math.Exp
	x /= math.Pow(x, 0.5) // want math.Pow
	g := math.Log         // want math.Log
	return g(x)
}

func orders[M ~map[string]V, V any](m M) []string {
	for range Catalog { // want ranging over a map
	}
	for k := range m { // want ranging over a map
		_ = k
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		_ = Catalog[k]
	}
	reflect.ValueOf(m).MapRange()       // want reflect.MapRange
	return slices.Collect(maps.Keys(m)) // want not sorted at once
}
