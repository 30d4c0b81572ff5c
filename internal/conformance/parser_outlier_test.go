package conformance

import "fmt"

// outlierTexts are configs of outlier_detection, xds_cluster_impl and grpclb for both parsers.
func outlierTexts() map[string]string {
	const child = `"childPolicy":[{"pick_first":{}}]`
	texts := make(map[string]string)
	for name, options := range map[string][]string{
		"outlier_detection_experimental": {
			`{}`, `null`, `5`, `[]`, `{` + child + `}`, `{"childPolicy":null}`,
			`{"childPolicy":[]}`, `{"childPolicy":[{"fancy":{}}]}`, `{"childPolicy":{}}`,
			`{"childPolicy":[{"fancy":5},{"round_robin":{}}]}`,
			`{"interval":"0s"}`, `{"interval":"-0.1s"}`, `{"interval":"5"}`, `{"interval":null}`,
			`{"interval":5}`, `{"interval":"10000000000s"}`, `{"baseEjectionTime":"-1s"}`,
			`{"maxEjectionTime":"-1s"}`, `{"maxEjectionPercent":100}`, `{"maxEjectionPercent":101}`,
			`{"maxEjectionPercent":-1}`, `{"maxEjectionPercent":4294967296}`,
			`{"maxEjectionPercent":null}`, `{"maxEjectionPercent":1.5}`,
			`{"successRateEjection":{}}`, `{"successRateEjection":null}`,
			`{"successRateEjection":5}`, `{"successRateEjection":{"enforcementPercentage":101}}`,
			`{"successRateEjection":{"enforcementPercentage":101},"successRateEjection":{}}`,
			`{"successRateEjection":{"enforcementPercentage":101},"successRateEjection":null}`,
			`{"successRateEjection":{"stdevFactor":4294967295}}`,
			`{"successRateEjection":{"STDEVFACTOR":"x"}}`,
			`{"failurePercentageEjection":{"threshold":101}}`,
			`{"failurePercentageEjection":{"threshold":100,"enforcementPercentage":100}}`,
			`{"failurePercentageEjection":{"enforcementPercentage":101}}`,
			`{"failurePercentageEjection":{"minimumHosts":-1}}`,
			`{"childPolicy":[{"outlier_detection_experimental":{"interval":"-1s"}}]}`,
		},
		"xds_cluster_impl_experimental": {
			`{}`, `null`, `5`, `{"cluster":5}`, `{"cluster":"c",` + child + `}`,
			`{"cluster":null,` + child + `}`, `{"drops":5,` + child + `}`, `{"childPolicy":5}`,
			`{"maxRequests":"x",` + child + `}`, `{"childPolicy":[{"pick_first":5}]}`,
		},
		"grpclb": {
			`{}`, `null`, `5`, `{"childPolicy":5}`, `{"childPolicy":null}`, `{"childPolicy":[5]}`,
			`{"childPolicy":[]}`, `{"childPolicy":[null]}`, `{"childPolicy":[{"pick_first":5}]}`,
			`{"childPolicy":[{"fancy":{},"pick_first":{}}],"serviceName":"s"}`,
			`{"serviceName":5}`, `{"CHILDPOLICY":{}}`, `{"balancer":5}`,
		},
	} {
		for i, o := range options {
			texts[fmt.Sprint(name, " ", i, " ", o)] = `{"loadBalancingConfig":[{"` + name + `":` +
				o + `}]}`
		}
		texts[name] = `{"loadBalancingPolicy":"` + name + `"}`
	}
	return texts
}
