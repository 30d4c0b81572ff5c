package sim_test

import (
	"fmt"

	"lbsim/sim"
)

func ExampleLog() {
	fmt.Println(sim.Log(10))
	fmt.Println(sim.Log1p(1e-20)) // Log(1+1e-20) would be 0
	// Output:
	// 2.302585092994046
	// 1e-20
}

func ExampleExp() {
	fmt.Println(sim.Exp(1))
	fmt.Println(sim.Expm1(1e-20)) // Exp(1e-20)-1 would be 0
	// Output:
	// 2.718281828459045
	// 1e-20
}
