package grpcgo

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/balancer"
	_ "google.golang.org/grpc/balancer/randomsubsetting" // has its policy registered
	"google.golang.org/grpc/credentials/insecure"
	"pgregory.net/rapid"

	"lbsim/models/serviceconfig"
	"lbsim/options"
	"lbsim/policies"
)

// Of random nested service configs grpc-go takes those that lbsim takes, and of each policy in them
// both have the same options in the end, explicit zeros included.
func TestRandomNestedConfigsAreRead(t *testing.T) {
	taken := 0
	rapidly(t, 3000, func(rt *rapid.T) {
		d := drawn{rt, rapid.Bool().Draw(rt, "wrong")}
		text := `{"loadBalancingConfig":` + d.list(3) + `}`
		cc, real := grpc.NewClient("passthrough:///x", grpc.WithDefaultServiceConfig(text),
			grpc.WithTransportCredentials(insecure.NewCredentials()))
		config, ours := serviceconfig.Parse([]byte(text), inCatalog)
		var e *serviceconfig.Error
		if valid := ours == nil || errors.As(ours, &e) && e.Valid; valid != (real == nil) {
			rt.Fatalf("%s:\ngrpc-go says %v, lbsim says %v", text, real, ours)
		}
		if real != nil {
			return
		}
		cc.Close()
		if ours != nil {
			return
		}
		taken++
		var root struct{ LoadBalancingConfig json.RawMessage }
		if err := json.Unmarshal([]byte(text), &root); err != nil {
			rt.Fatal(err)
		}
		if err := sameOptions(root.LoadBalancingConfig, config.Policy); err != nil {
			rt.Fatalf("%s:\n%v", text, err)
		}
	})
	if taken < 500 {
		t.Errorf("only %d configs were taken by both", taken)
	}
}

// shipped is the catalog of lbsim.
var shipped = options.Catalog[policies.Policy](policies.Catalog)

func inCatalog(name string) (policies.Policy, bool) {
	p, ok := policies.Catalog[name]
	return p, ok
}

// sameOptions compares what grpc-go reads in a list of policies with what lbsim has read.
func sameOptions(list json.RawMessage, ours policies.Policy) error {
	// The parser of a list is that of a target.
	target := balancer.Get("weighted_target_experimental").(balancer.ConfigParser)
	cfg, err := target.ParseConfig(json.RawMessage(
		`{"targets":{"x":{"childPolicy":` + string(list) + `}}}`))
	if err != nil {
		return err
	}
	x := reflect.ValueOf(cfg).Elem().FieldByName("Targets").MapIndex(reflect.ValueOf("x"))
	return samePolicy("", x.FieldByName("ChildPolicy"), reflect.ValueOf(&ours).Elem())
}

// samePolicy compares a policy of grpc-go, a *BalancerConfig, with one of lbsim.
func samePolicy(path string, real, ours reflect.Value) error {
	name := real.Elem().FieldByName("Name").String()
	path += "/" + name
	config := real.Elem().FieldByName("Config")
	kind := strings.TrimPrefix(strings.TrimSuffix(name, "_experimental"), "xds_")
	if got := shipped.KindOf(ours.Interface().(policies.Policy)); got != kind {
		return fmt.Errorf("%s: lbsim has %s", path, got)
	}
	if config.IsNil() {
		return nil
	}
	v := config.Elem()
	switch kind {
	case "random_subsetting", "wrr_locality", "cluster_impl":
		// As they do for their child.
		written, err := json.Marshal(config.Interface())
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		again, err := balancer.Get(name).(balancer.ConfigParser).ParseConfig(written)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		v = reflect.ValueOf(again)
	}
	return sameFields(path, reflect.Indirect(v), ours.Elem())
}

// sameFields compares structs by the names of their fields in JSON.
func sameFields(path string, real, ours reflect.Value) error {
	for i := range real.NumField() {
		name, _, _ := strings.Cut(real.Type().Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := byName(ours, name)
		if !f.IsValid() {
			return fmt.Errorf("%s.%s: lbsim has no such option", path, name)
		}
		if name == "oobReportingPeriod" && !byName(ours, "enableOobLoadReport").Bool() {
			continue // grpc-go makes it 0 then
		}
		if err := sameValue(path+"."+name, real.Field(i), f); err != nil {
			return err
		}
	}
	return nil
}

func byName(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("json") == name || strings.EqualFold(f.Name, name) {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

func sameValue(path string, real, ours reflect.Value) error {
	switch {
	case ours.Type() == reflect.TypeFor[policies.Policy]():
		if real.IsNil() || ours.IsNil() {
			return fmt.Errorf("%s: no policy", path)
		}
		return samePolicy(path, real, ours)
	case real.Kind() == reflect.Map:
		for _, key := range real.MapKeys() {
			r, o := real.MapIndex(key), ours.MapIndex(key)
			if err := sameFields(path+"."+key.String(), reflect.Indirect(r), o); err != nil {
				return err
			}
		}
		return nil
	case real.Kind() == reflect.Pointer:
		if real.IsNil() || ours.IsNil() {
			if real.IsNil() != ours.IsNil() {
				return fmt.Errorf("%s: one has none", path)
			}
			return nil
		}
		return sameFields(path, real.Elem(), ours.Elem())
	}
	a, b := fmt.Sprint(plain(real)), fmt.Sprint(asParsed(path, ours))
	if a != b {
		return fmt.Errorf("%s: grpc-go has %s, lbsim %s", path, a, b)
	}
	return nil
}

// plain is a value without the methods of its type.
func plain(v reflect.Value) any {
	if v.Type().String() == "serviceconfig.Duration" {
		return time.Duration(v.Int())
	}
	return v.Interface()
}

// asParsed is a value of lbsim's as grpc-go's parser would leave it: lbsim has the limits where the
// value is used.
func asParsed(path string, v reflect.Value) any {
	switch value := v.Interface(); path[strings.LastIndexByte(path, '.')+1:] {
	case "weightUpdatePeriod":
		return max(value.(time.Duration), 100*time.Millisecond)
	case "choiceCount":
		return min(value.(uint32), 10)
	case "minRingSize":
		if value == uint64(0) {
			return 1024
		}
		return min(value.(uint64), 4096)
	case "maxRingSize":
		if value == uint64(0) {
			return 4096
		}
		return min(value.(uint64), 4096)
	case "requestHashHeader":
		return strings.ToLower(value.(string))
	default:
		return value
	}
}
