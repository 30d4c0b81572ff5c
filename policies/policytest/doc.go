// Package policytest has what it takes to test a balancing policy: a channel without a network, a
// language for its stories, and a battery of checks that every policy has to pass.
// lbsim's own policies are tested with it, and so can those be that are written elsewhere.
//
// A test of a policy in a module of one's own is:
//
//	var catalog = options.Catalog[policies.Policy]{"peak_ewma": PeakEWMA{Decay: 10 * time.Second}}
//
//	func TestStories(t *testing.T) { policytest.RunStories(t, "testdata", catalog) }
//
//	func TestBattery(t *testing.T) {
//		policytest.Battery(t, catalog["peak_ewma"], policytest.Exceptions{})
//	}
//
// with a story in testdata/peak_ewma.txt. See [Script] for its language, and [Host] for tests in
// Go.
package policytest
