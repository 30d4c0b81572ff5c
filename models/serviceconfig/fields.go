package serviceconfig

import (
	"cmp"
	"slices"
	"strings"
)

// Verdict is what becomes of a field.
type Verdict uint8

// The verdicts.
const (
	// Simulated fields act in lbsim as they do in grpc-go, or as their Reason says.
	Simulated Verdict = iota
	// NoEffect fields are accepted and change nothing, in grpc-go or in lbsim.
	NoEffect
	// Refused fields make Parse return an error. Only where a hedgingPolicy makes no sense does
	// the rest hold, for grpc-go does not look at it.
	Refused
)

// String returns the verdict in small letters.
func (v Verdict) String() string {
	return [...]string{"simulated", "no effect", "refused"}[v]
}

// Field is a field of the text. A list of plain values is one field; of what nobody reads only the
// outermost is one.
type Field struct {
	// Path leads to the field: names as grpc-go's documentation spells them, such as
	// methodConfig[2].retryPolicy.maxAttempts. It is empty for the text as a whole.
	Path    string
	Verdict Verdict
	// Reason says why, or what else there is to know; it may be empty where Verdict is Simulated.
	Reason string
}

// Error says why a config cannot be used.
type Error struct {
	// Path leads to the field as in [Field].
	Path   string
	Reason string
	// Valid says that grpc-go would take the config and lbsim cannot simulate it. In general that
	// holds only if the options of that policy, which lbsim did not read, are valid too.
	Valid bool
}

// Error returns path and reason in a line.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// blame says whose refusal it is.
type blame uint8

const (
	nobody blame = iota // not refused, or only part of the config
	lbsim
	grpcgo
)

// maxRefusals is after how many refusals in a list the rest of it is left unread.
const maxRefusals = 100

// finding is a Field on its way.
type finding struct {
	Field
	at     int  // where in the text
	hidden bool // a container, of which there is nothing to say
	blame  blame
}

// note takes down a field. Of two in the same place the last counts, unless it is null.
func (r *reader) note(path string, n node, v Verdict, reason string) {
	if i, ok := r.places[path]; ok && !n.isNull() {
		if f := &r.findings[i]; !f.hidden && f.Verdict == Simulated {
			f.Verdict, f.Reason = NoEffect, "given again, and the last one counts"
		}
	}
	r.places[path] = len(r.findings)
	r.findings = append(r.findings, finding{Field: Field{path, v, reason}, at: n.at})
}

// noteContainer takes down an object or a list whose content is taken down by itself.
func (r *reader) noteContainer(path string, n node) {
	if r.quiet {
		return
	}
	r.note(path, n, Simulated, "")
	r.findings[len(r.findings)-1].hidden = !n.isEmpty()
}

// hide leaves out what is known of a field, because its content is about to be taken down.
func (r *reader) hide(path string) {
	if i, ok := r.places[path]; ok {
		r.findings[i].hidden = true
	}
}

// remark changes the verdict about a field unless it is refused already. A field that is not there
// gets the place of its parent.
func (r *reader) remark(path string, v Verdict, reason string) *finding {
	i, ok := r.places[path]
	if !ok {
		i = len(r.findings)
		r.findings = append(r.findings, finding{at: r.place(path)})
	}
	f := &r.findings[i]
	if f.Verdict == Refused {
		return f
	}
	f.Field, f.hidden = Field{path, v, reason}, false
	return f
}

// place returns where in the text a field or else the nearest parent of it is.
func (r *reader) place(path string) int {
	for path != "" {
		if i, ok := r.places[path]; ok {
			return r.findings[i].at
		}
		path = parent(path)
	}
	return 0
}

// parent returns the path of what a field is in.
func parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// refuse says that grpc-go refuses the config because of a field; in a policy that grpc-go ignores,
// that lbsim does without. What is inside a field that is refused is not refused again.
func (r *reader) refuse(path, reason string) {
	r.refusals++
	if i, ok := r.places[parent(path)]; ok && path != "" && r.findings[i].Verdict == Refused {
		return
	}
	if r.beyond {
		r.remark(path, Refused, reason+"; there is no hedging, and grpc-go has none anyway")
		return
	}
	r.remark(path, Refused, reason+"; grpc-go refuses the whole config").blame = grpcgo
}

// refuseValid says that grpc-go would take the config but lbsim cannot simulate it.
func (r *reader) refuseValid(path, reason string) {
	f := r.remark(path, Refused, reason)
	f.blame = max(f.blame, lbsim)
}

// verdict returns the fields in the order of the text, and the error about the first that grpc-go
// refuses, or else the first that lbsim does.
func (r *reader) verdict() ([]Field, error) {
	slices.SortStableFunc(r.findings, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	var fields []Field
	var worst finding
	for _, f := range r.findings {
		if f.hidden {
			continue
		}
		fields = append(fields, f.Field)
		if f.blame > worst.blame {
			worst = f
		}
	}
	if worst.blame == nobody {
		return fields, nil
	}
	return fields, &Error{Path: worst.Path, Reason: worst.Reason, Valid: worst.blame == lbsim}
}
