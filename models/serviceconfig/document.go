package serviceconfig

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"lbsim/policies"
)

// document, entry, name and retryPolicy have the fields that grpc-go reads, with its types, and
// hedgingPolicy in addition. The tag idle is the reason why a field has no effect.
type document struct {
	LoadBalancingPolicy *string
	LoadBalancingConfig *node
	MethodConfig        *[]entry
	RetryThrottling     *Throttle
	HealthCheckConfig   *healthCheck
}

type entry struct {
	Name                    *[]name
	WaitForReady            *bool
	Timeout                 *time.Duration
	MaxRequestMessageBytes  *int64 `idle:"the messages of lbsim have no size"`
	MaxResponseMessageBytes *int64 `idle:"the messages of lbsim have no size"`
	RetryPolicy             *retryPolicy
	HedgingPolicy           *node
}

type name struct{ Service, Method string }

var nameType = reflect.TypeFor[name]()

type retryPolicy struct {
	MaxAttempts                int64
	InitialBackoff, MaxBackoff time.Duration
	BackoffMultiplier          float64
	RetryableStatusCodes       []policies.Code
}

type hedgingPolicy struct {
	MaxAttempts         int64
	HedgingDelay        time.Duration
	NonFatalStatusCodes []policies.Code
}

type healthCheck struct{ ServiceName string }

// config reads the whole text. Null counts as {} here.
func (r *reader) config(root node, c *Config) {
	var d document
	r.value("", root, reflect.ValueOf(&d).Elem())
	c.Policy, c.PolicyName = r.choosePolicy(&d)
	c.Throttle = d.RetryThrottling
	if d.HealthCheckConfig != nil {
		c.HealthService = &d.HealthCheckConfig.ServiceName
	}
	if d.MethodConfig == nil {
		r.idleThrottle(c, "there is no methodConfig, so nothing is retried")
		return
	}
	named := make(map[string]string) // by name: the path of its entry
	again := false                   // some method has a retry or hedging policy
	for i := range *d.MethodConfig {
		e := &(*d.MethodConfig)[i]
		if e.Name == nil {
			continue
		}
		path := fmt.Sprintf("methodConfig[%d]", i)
		m := r.method(path, e)
		if len(*e.Name) == 0 {
			r.skipAll(path)
			continue
		}
		names := r.names(path+".name", *e.Name, m, c, named)
		c.Entries = append(c.Entries, Entry{i, names, m})
		again = again || m.Retry != nil || m.Hedging != nil
	}
	if !again {
		r.idleThrottle(c, "nothing is retried or hedged")
	}
	r.checkThrottle(c.Throttle)
}

// skipAll records for all fields of an entry that it is for no method.
func (r *reader) skipAll(path string) {
	for i := range r.findings {
		if strings.HasPrefix(r.findings[i].Path, path+".") {
			r.skip(r.findings[i:i+1], "the list of names is empty, so the entry is for no method; "+
				"[{}] is for all")
		}
	}
}

// names makes m the entry of all its names, and returns them. Two names must not mean the same, in
// one entry or in two.
func (r *reader) names(
	path string, names []name, m *Method, c *Config, named map[string]string,
) (all []string) {
	before := r.refusals
	for i, n := range names {
		if r.refusals-before >= maxRefusals {
			return all
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		full := ""
		switch {
		case n.Service != "":
			full = "/" + n.Service + "/" + n.Method
		case n.Method != "":
			r.refuse(at, fmt.Sprintf("has a method (%s) but no service", quote(n.Method)))
			continue
		}
		if before, ok := named[full]; ok {
			what := "the default for all methods, {}, is"
			if full != "" {
				what = quote(full) + " is"
			}
			r.refuse(at, fmt.Sprintf("%s in %s already", what, before))
			continue
		}
		named[full] = at
		c.methods[full] = m
		all = append(all, full)
	}
	return all
}

// method returns the Method of an entry that has names.
func (r *reader) method(path string, e *entry) *Method {
	m := &Method{
		Timeout:          e.Timeout,
		WaitForReady:     e.WaitForReady,
		MaxRequestBytes:  e.MaxRequestMessageBytes,
		MaxResponseBytes: e.MaxResponseMessageBytes,
	}
	if m.Timeout != nil && *m.Timeout < 0 {
		m.Timeout = nil
		r.remark(path+".timeout", NoEffect, "grpc-go takes a negative timeout as none")
	}
	if e.RetryPolicy != nil {
		m.Retry = r.retry(path+".retryPolicy", e.RetryPolicy)
	}
	if e.HedgingPolicy != nil {
		m.Hedging = r.hedging(path+".hedgingPolicy", *e.HedgingPolicy, e.RetryPolicy != nil)
	}
	return m
}

// retry checks a retryPolicy: every field must be present and above 0.
func (r *reader) retry(path string, p *retryPolicy) *Retry {
	r.checkAttempts(path+".maxAttempts", p.MaxAttempts)
	r.checkAbove0(path+".initialBackoff", p.InitialBackoff > 0, p.InitialBackoff)
	r.checkAbove0(path+".maxBackoff", p.MaxBackoff > 0, p.MaxBackoff)
	r.checkAbove0(path+".backoffMultiplier", p.BackoffMultiplier > 0, p.BackoffMultiplier)
	if len(p.RetryableStatusCodes) == 0 {
		r.refuse(path+".retryableStatusCodes",
			"must have at least one code ("+r.isNow(path+".retryableStatusCodes", "empty")+")")
	}
	return &Retry{
		MaxAttempts:    int(min(p.MaxAttempts, MaxAttempts)),
		InitialBackoff: p.InitialBackoff,
		MaxBackoff:     p.MaxBackoff,
		Multiplier:     p.BackoffMultiplier,
		Codes:          codeSet(p.RetryableStatusCodes),
	}
}

// hedging reads a hedgingPolicy by gRFC A6. grpc-go ignores it, so an invalid one is no reason to
// refuse a config; beside a retryPolicy, which A6 forbids, it has no effect.
func (r *reader) hedging(path string, n node, retried bool) *Hedging {
	if retried {
		r.remark(path, NoEffect, "grpc-go knows only the retryPolicy beside it")
		return nil
	}
	r.beyond = true
	defer func() { r.beyond = false }()
	before := r.refusals
	var p hedgingPolicy
	r.hide(path)
	r.value(path, n, reflect.ValueOf(&p).Elem())
	r.checkAttempts(path+".maxAttempts", p.MaxAttempts)
	if p.HedgingDelay < 0 {
		r.refuse(path+".hedgingDelay", fmt.Sprintf("must not be negative (is %v)", p.HedgingDelay))
	}
	if r.refusals > before {
		return nil
	}
	r.remark(path, Simulated, "by gRFC A6; this goes beyond grpc-go, which ignores hedging")
	return &Hedging{
		MaxAttempts: int(min(p.MaxAttempts, MaxAttempts)),
		Delay:       p.HedgingDelay,
		NonFatal:    codeSet(p.NonFatalStatusCodes),
	}
}

func (r *reader) checkAttempts(path string, n int64) {
	switch {
	case n < 2:
		r.refuse(path, "must be at least 2 ("+r.isNow(path, n)+")")
	case n > MaxAttempts:
		r.add(path, fmt.Sprintf("counts as %d", MaxAttempts))
	}
}

func (r *reader) checkAbove0(path string, ok bool, value any) {
	if !ok {
		r.refuse(path, "must be above 0 ("+r.isNow(path, value)+")")
	}
}

// checkThrottle checks a retryThrottling; grpc-go does so only where there is a methodConfig.
func (r *reader) checkThrottle(t *Throttle) {
	const tokens, ratio = "retryThrottling.maxTokens", "retryThrottling.tokenRatio"
	if t == nil {
		return
	}
	if t.MaxTokens <= 0 || t.MaxTokens > 1000 {
		r.refuse(tokens, "must be above 0 and at most 1000 ("+r.isNow(tokens, t.MaxTokens)+")")
	}
	r.checkAbove0(ratio, t.TokenRatio > 0, t.TokenRatio)
}

// isNow returns the value of a field, for a message, or that there is no such field.
func (r *reader) isNow(path string, value any) string {
	if _, ok := r.places[path]; !ok {
		return "is missing"
	}
	return fmt.Sprintf("is %v", value)
}

// idleThrottle records that the fields of a retryThrottling have no effect.
func (r *reader) idleThrottle(c *Config, why string) {
	if c.Throttle == nil {
		return
	}
	for _, name := range []string{"maxTokens", "tokenRatio"} {
		path := "retryThrottling." + name
		if i, ok := r.places[path]; ok && r.findings[i].Verdict == Simulated {
			r.remark(path, NoEffect, why)
		}
	}
}
