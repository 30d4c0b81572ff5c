package serviceconfig_test

import (
	"fmt"

	"lbsim/models/serviceconfig"
	"lbsim/policies"
)

func ExampleParse() {
	known := func(name string) (policies.Policy, bool) {
		p, ok := policies.Catalog[name]
		return p, ok
	}
	c, err := serviceconfig.Parse([]byte(`{
		"loadBalancingConfig": [{"least_request_experimental": {"choiceCount": 3}}],
		"methodConfig": [{"name": [{"service": "Shop"}], "timeout": "0.5s"}],
		"healthCheckConfig": {"serviceName": ""}
	}`), known)
	fmt.Println(c.PolicyName, c.Policy, *c.Method("/Shop/Buy").Timeout, err)
	for _, f := range c.Fields {
		fmt.Printf("%v: %s\n", f.Verdict, f.Path)
	}
	_, err = serviceconfig.Parse([]byte(`{"methodConfig": [{"name": {}}]}`), known)
	fmt.Println(err)
	// Output:
	// least_request_experimental {3 false} 500ms <nil>
	// simulated: loadBalancingConfig[0].least_request_experimental.choiceCount
	// simulated: methodConfig[0].name
	// simulated: methodConfig[0].timeout
	// simulated: healthCheckConfig.serviceName
	// methodConfig[0].name: must be a list (is an object); grpc-go refuses the whole config
}
