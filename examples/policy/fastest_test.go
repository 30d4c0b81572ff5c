package policy_test

import (
	"testing"

	"lbsim/options"
	"lbsim/policies"
	"lbsim/policies/policytest"

	"example.com/policy"
)

var catalog = options.Catalog[policies.Policy]{"fastest": policy.Default}

func TestStories(t *testing.T) { policytest.RunStories(t, "testdata", catalog) }

func TestBattery(t *testing.T) {
	policytest.Battery(t, policy.Default, policytest.Exceptions{})
}
