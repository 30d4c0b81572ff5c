package policies

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"
)

// outcomeOf reads how an RPC ended: a code other than OK, and a load report.
func outcomeOf(args []datadriven.CmdArg) Outcome {
	var o Outcome
	for c := range Codes {
		if len(args) > 0 && args[0].Key == c.String() {
			o.Status, args = &Status{Code: c}, args[1:]
			break
		}
	}
	o.Load = loadOf(args)
	return o
}

// loadOf reads a load report; nil where there is none.
func loadOf(args []datadriven.CmdArg) *Load {
	if len(args) == 0 {
		return nil
	}
	l := new(Load)
	for _, a := range args {
		v, err := strconv.ParseFloat(a.Vals[0], 64)
		if err != nil {
			panic(err)
		}
		switch a.Key {
		case "qps":
			l.QPS = v
		case "eps":
			l.EPS = v
		case "cpu":
			l.CPU = v
		case "app":
			l.Application = v
		default:
			panic("unknown metric " + a.Key)
		}
	}
	return l
}

// serve plays n RPCs, each done before the next, and counts where they went or what became of them.
func (s *script) serve(n int, args []datadriven.CmdArg) string {
	var failing, answers []string
	if len(args) > 0 {
		failing = args[0].Vals
	}
	count := make(map[string]int)
	for range n {
		picker := s.h.picker
		p := s.h.pick()
		answer := s.answer(p)
		if p.Verdict == Sent {
			o := Outcome{BytesSent: true, BytesReceived: true}
			if slices.Contains(failing, s.h.subConns[p.SubConn].address.Text) {
				o.Status = &Status{Code: Unavailable}
			}
			picker.Done(p, o)
		}
		if count[answer]++; count[answer] == 1 {
			answers = append(answers, answer)
		}
	}
	slices.Sort(answers)
	for i, a := range answers {
		answers[i] = fmt.Sprintf("%s %d", a, count[a])
	}
	return strings.Join(answers, ", ")
}
