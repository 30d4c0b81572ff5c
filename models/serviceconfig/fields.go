package serviceconfig

import (
	"cmp"
	"slices"
	"strings"
)

// Verdict is what lbsim does with a field.
type Verdict uint8

// The verdicts.
const (
	// Simulated fields act in lbsim as they do in grpc-go, or as their Reason says.
	Simulated Verdict = iota
	// NoEffect fields are accepted and have no effect, in grpc-go or in lbsim.
	NoEffect
	// Refused fields make Parse return an error, save those of a hedgingPolicy, which grpc-go
	// ignores.
	Refused
)

// String returns the verdict in small letters.
func (v Verdict) String() string {
	return [...]string{"simulated", "no effect", "refused"}[v]
}

// Field is a field of the text. A list of plain values is one field. Of a part that is not read
// only the outermost value is a field.
type Field struct {
	// Path leads to the field: names as grpc-go's documentation spells them, such as
	// methodConfig[2].retryPolicy.maxAttempts. It is empty for the text as a whole.
	Path    string
	Verdict Verdict
	// Reason is the reason of the verdict, or a remark; it may be "" for Simulated.
	Reason string
}

// Error is the reason why a config is invalid.
type Error struct {
	// Path leads to the field as in [Field].
	Path   string
	Reason string
	// Valid reports whether grpc-go would accept the config and lbsim cannot simulate it. That
	// holds only if the options of that policy, which lbsim did not read, are valid too.
	Valid bool
}

// Error returns the path and the reason in a line.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// blame is the program that refuses a field.
type blame uint8

const (
	nobody blame = iota // not refused, or only part of the config
	lbsim
	grpcgo
)

// maxRefusals is the number of refusals in a list after which the rest is not read.
const maxRefusals = 100

// finding is a Field that is not complete yet.
type finding struct {
	Field
	at     int  // offset in the text
	hidden bool // a container whose members are findings of their own
	blame  blame
}

// note records a field. Of two with the same path the last counts, unless it is null.
func (r *reader) note(path string, n node, v Verdict, reason string) {
	if i, ok := r.places[path]; ok && !n.isNull() {
		if f := &r.findings[i]; !f.hidden && f.Verdict == Simulated {
			f.Verdict, f.Reason = NoEffect, "given again, and the last one counts"
		}
	}
	r.places[path] = len(r.findings)
	r.findings = append(r.findings, finding{Field: Field{path, v, reason}, at: n.at})
}

// noteContainer records an object or a list whose members are recorded by themselves.
func (r *reader) noteContainer(path string, n node) {
	if r.quiet {
		return
	}
	r.note(path, n, Simulated, "")
	r.findings[len(r.findings)-1].hidden = !n.isEmpty()
}

// hide hides the finding about a field, because its members follow.
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

// place returns the offset in the text of a field, or else of its nearest parent.
func (r *reader) place(path string) int {
	for path != "" {
		if i, ok := r.places[path]; ok {
			return r.findings[i].at
		}
		path = parent(path)
	}
	return 0
}

// parent returns the path of the parent of a field.
func parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// refuse records that grpc-go refuses the config because of a field; in a policy that grpc-go
// ignores, that lbsim ignores the policy. Members of a refused field are not refused again.
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

// refuseValid records that grpc-go would accept the config but lbsim cannot simulate it.
func (r *reader) refuseValid(path, reason string) {
	f := r.remark(path, Refused, reason)
	f.blame = max(f.blame, lbsim)
}

// verdict returns the fields in the order of the text, and the error about the first field that
// grpc-go refuses, or else about the first that lbsim refuses.
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
