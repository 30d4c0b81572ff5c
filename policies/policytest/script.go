package policytest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/datadriven"

	"lbsim/options"
	"lbsim/policies"
)

// Script plays the commands of stories to one balancer:
//
//	build policy=NAME [seed=N] [health=true] [OPTION=VALUE]...  a new one, with options as in a
//	                              TOML file; those that are longer in the lines that follow. With
//	                              health=true clients check the health of backends
//	resolve a b*3 e=(x,y)         two endpoints of one address, one with weight 3; one of two; new
//	                              options may follow
//	resolve a=(path:p0/east,zone:east,zone_weight:3,weight:2)  an endpoint with attributes
//	resolver-error TEXT           name resolution failed
//	subconn a READY               the SubConn to address a changes its state
//	fail a [TEXT]                 the same, to TRANSIENT_FAILURE with a reason
//	health a READY                the backend of a SubConn is healthy, or
//	health a TRANSIENT_FAILURE    is not
//	advance 250ms                 time passes
//	pick N [key=K]                N RPCs, which stay in flight; with the keys K, K+1, …
//	done a, done all, done none   the oldest RPC on a ends; all do; none does (shows them). Its
//	                              latency is the time since its pick
//	done a INTERNAL qps=10 cpu=0.5  with a code other than OK, and a reply that reports load: also
//	                              app=, eps=
//	tally N [key=K] [latency=(a:10ms,b:50ms)]  N RPCs, each done before the next, by address; one
//	                              on a takes 10 ms
//	serve N [failing=(b,c)] [latency=(a:10ms)]  the same, where those on b and c end UNAVAILABLE;
//	                              also what became of those that were not sent
//	report a qps=10 cpu=0.5       the backend of a SubConn reports load apart from any RPC
//	configure [OPTION=VALUE]...   the resolver brings other options and the same list; those that
//	                              are longer in the lines that follow. "none" removes a table
//	exit-idle                     the channel asks to connect
//
// The answer is what the balancer asked of the channel ("advance" tells when), then what came of
// the RPCs. A SubConn that is asked to connect is CONNECTING at once, without a further command.
type Script struct {
	host   *Host
	open   []RPC // in flight
	list   []*policies.Endpoint
	policy policies.Policy // with its present options
	kind   string          // its name

	catalog options.Catalog[policies.Policy]
	codec   options.Codec
	input   string // the lines that follow a command
}

// NewScript returns a script whose policies, those inside others too, are of a catalog.
func NewScript(catalog options.Catalog[policies.Policy]) *Script {
	s := &Script{catalog: catalog}
	options.Family(&s.codec, "policy", "round_robin", catalog)
	return s
}

// mistake is an error in the script.
type mistake string

func refuse(format string, args ...any) { panic(mistake(fmt.Sprintf(format, args...))) }

// Play plays a line with a command, and with lines of input if some follow, and returns the answer.
// An error is that of a line that makes no sense.
func (s *Script) Play(text string) (answer string, err error) {
	line, input, _ := strings.Cut(text, "\n")
	cmd, args, err := datadriven.ParseLine(line)
	if err != nil {
		return "", err
	}
	return s.play(cmd, args, input)
}

func (s *Script) play(cmd string, args []datadriven.CmdArg, input string) (out string, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case mistake:
			err = fmt.Errorf("%s: %s", cmd, string(e))
		default:
			panic(e)
		}
	}()
	s.input = input
	if s.host == nil && cmd != "build" {
		refuse("a script begins with build")
	}
	if cmd == "advance" {
		return s.advance(word(args, 0)), nil
	}
	came := s.do(cmd, args)
	var lines []string
	for _, c := range s.host.Calls() {
		lines = append(lines, c.Text)
	}
	if came != "" {
		lines = append(lines, came)
	}
	return strings.Join(lines, "\n"), nil
}

// do does a command and returns what came of RPCs.
func (s *Script) do(cmd string, args []datadriven.CmdArg) string {
	h := s.host
	switch cmd {
	case "build":
		s.build(args)
	case "resolve":
		s.list = s.endpoints(args)
		return errorText(s.update(s.list))
	case "configure":
		return errorText(s.configure(args))
	case "resolver-error":
		h.Balancer.ResolverError(unavailable(text(args)))
		h.Settle()
	case "subconn":
		h.Set(s.subConn(args), connectivity(word(args, 1)))
	case "fail":
		err := refused
		if len(args) > 1 {
			err = unavailable(text(args[1:]))
		}
		h.Deliver(h.SubConn(s.subConn(args)), policies.TransientFailure, err)
	case "health":
		h.SetHealth(s.subConn(args), connectivity(word(args, 1)))
	case "report":
		h.Balancer.LoadReport(h.SubConn(s.subConn(args)), loadOf(args[1:]))
		h.Settle()
	case "exit-idle":
		h.Balancer.ExitIdle()
		h.Settle()
	case "pick", "tally", "serve":
		return s.rpcs(cmd, number(word(args, 0)), args[1:])
	case "done":
		return s.done(word(args, 0), args[1:])
	default:
		refuse("there is no such command")
	}
	return ""
}

// errorText is what comes of an Update.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return "error: " + err.Error()
}

func unavailable(text string) *policies.Status {
	return &policies.Status{Code: policies.Unavailable, Text: text}
}

func (s *Script) advance(d string) string {
	s.host.Advance(duration(d))
	var lines []string
	for _, c := range s.host.Calls() {
		lines = append(lines, fmt.Sprintf("at %v: %s", c.At, c.Text))
	}
	return strings.Join(lines, "\n")
}

// word returns a word after the command.
func word(args []datadriven.CmdArg, i int) string {
	if i >= len(args) {
		refuse("too few words")
	}
	return args[i].Key
}

func text(args []datadriven.CmdArg) string {
	var words []string
	for _, a := range args {
		words = append(words, a.Key)
	}
	return strings.Join(words, " ")
}

// value is what stands after the = of an argument.
func value(a datadriven.CmdArg) string {
	if len(a.Vals) != 1 {
		refuse("%s must have a value, as in %[1]s=1", a.Key)
	}
	return a.Vals[0]
}

// subConn returns the name that comes first, which must be that of a SubConn.
func (s *Script) subConn(args []datadriven.CmdArg) string {
	return s.known(word(args, 0))
}

// known returns a name, which must be that of a SubConn or of its address.
func (s *Script) known(name string) string {
	if s.host.find(name) == noSubConn {
		refuse("there is no SubConn to %s", name)
	}
	return name
}

func connectivity(text string) policies.Connectivity {
	for c := policies.Idle; c <= policies.Shutdown; c++ {
		if c.String() == text {
			return c
		}
	}
	refuse("unknown state %s", text)
	return 0
}

func number(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		refuse("%q is not a number from 0 to %d", text, math.MaxInt32)
	}
	return int(n)
}

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		refuse("%v", err)
	}
	if d < 0 {
		refuse("%v: time does not run back", d)
	}
	return d
}
