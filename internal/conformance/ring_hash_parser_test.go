package conformance

import (
	"fmt"
	"testing"
)

// What grpc-go says of the options of ring_hash and random_subsetting, lbsim says too.
func TestRingHashVerdicts(t *testing.T) {
	taken, all := 0, 0
	try := func(policy, options string) {
		text := fmt.Sprintf(`{"loadBalancingConfig": [{"%s_experimental": %s}]}`, policy, options)
		all++
		if sameVerdict(t, text, text) {
			taken++
		}
	}
	for _, options := range []string{
		`{}`, `null`, `[]`, `{"minRingSize": 1, "maxRingSize": 2}`, `{"maxRingSize": 2000}`,
		`{"minRingSize": 2000}`, `{"minRingSize": 10, "maxRingSize": 2}`, `{"maxRingSize": 1023}`,
		`{"minRingSize": 4097}`, `{"minRingSize": 6000, "maxRingSize": 5000}`,
		`{"minRingSize": 1, "maxRingSize": 6000}`, `{"minRingSize": 0, "maxRingSize": 0}`,
		`{"minRingSize": 8388608, "maxRingSize": 8388608}`, `{"maxRingSize": 8388608}`,
		`{"minRingSize": 8388609, "maxRingSize": 8388609}`, `{"maxRingSize": 8388609}`,
		`{"minRingSize": -1}`, `{"minRingSize": 1.5}`, `{"minRingSize": "10"}`,
		`{"minRingSize": 18446744073709551616}`, `{"minRingSize": null}`, `{"MINRINGSIZE": 5000}`,
		`{"ringSizeCap": 5, "unknown": true}`, `{"requestHashHeader": "x-FOO"}`,
		`{"requestHashHeader": ""}`, `{"requestHashHeader": "!invalid"}`,
		`{"requestHashHeader": "a b"}`, `{"requestHashHeader": "x-bin"}`,
		`{"requestHashHeader": "-BIN"}`, `{"requestHashHeader": "bin"}`,
		`{"requestHashHeader": ":path"}`, `{"requestHashHeader": ":a b"}`,
		`{"requestHashHeader": ":x-bin"}`, `{"requestHashHeader": "é"}`,
		`{"requestHashHeader": "x_.9-"}`, `{"requestHashHeader": 7}`,
		`{"requestHashHeader": "\u212a"}`, // a kelvin sign, of which the small letter is k
	} {
		try("ring_hash", options)
	}
	for _, options := range []string{
		`{}`, `null`, `{"subsetSize": 3}`,
		`{"subsetSize": 0, "childPolicy": [{"round_robin": {}}]}`,
		`{"subsetSize": 3, "childPolicy": [{"round_robin": {}}]}`,
		`{"childPolicy": [{"round_robin": {}}]}`, `{"subsetSize": 3, "childPolicy": []}`,
		`{"subsetSize": 3, "childPolicy": null}`, `{"subsetSize": 3, "childPolicy": [{}]}`,
		`{"subsetSize": 3, "childPolicy": [{"unknown": {}}]}`,
		`{"subsetSize": 3, "childPolicy": [{"unknown": {}}, {"pick_first": {}}]}`,
		`{"subsetSize": 3, "childPolicy": {"round_robin": {}}}`,
		`{"subsetSize": 3, "childPolicy": [{"ring_hash_experimental": {"minRingSize": 9000}}]}`,
		`{"subsetSize": 3, "childPolicy": [{"ring_hash_experimental": {"minRingSize": 9}}]}`,
		`{"subsetSize": 3, "childPolicy": [{"cds_experimental": {}}]}`,
		`{"subsetSize": 4294967296, "childPolicy": [{"round_robin": {}}]}`,
		`{"subsetSize": -1, "childPolicy": [{"round_robin": {}}]}`,
		`{"subsetSize": 2, "childPolicy": [{"random_subsetting_experimental":
			{"subsetSize": 1, "childPolicy": [{"pick_first": {}}]}}]}`,
	} {
		try("random_subsetting", options)
	}
	t.Logf("%d texts, of which grpc-go takes %d", all, taken)
}
