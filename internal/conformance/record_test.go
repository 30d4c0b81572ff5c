package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// line is one thing that happened: to whom, what and when.
type line struct {
	at        time.Duration
	who, what string
}

func (l line) String() string { return fmt.Sprintf("%13v  %s %s", l.at, l.who, l.what) }

// recorder takes down what happens in one play of a scenario.
type recorder struct {
	mu      sync.Mutex
	start   time.Time
	lines   []line
	channel map[int]string // state of the channel of each client
	over    bool
}

func newRecorder() *recorder {
	return &recorder{start: time.Now(), channel: make(map[int]string)}
}

// add takes down a line at the present moment of the bubble.
func (r *recorder) add(who, what string) { r.addAt(time.Since(r.start), who, what) }

func (r *recorder) addAt(at time.Duration, who, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.lines = append(r.lines, line{at, who, what})
	}
}

// channelIs takes down a new state of a channel. Equal ones in a row are one.
func (r *recorder) channelIs(client int, state string) {
	r.mu.Lock()
	old := cmp.Or(r.channel[client], "IDLE") // where it begins
	r.channel[client] = state
	r.mu.Unlock()
	if state != old {
		r.add(channelOf(client), state)
	}
}

// stop ends the record and returns its lines in order: of one instant, by whom they are about, and
// what happened to one and the same in the order in which it did.
func (r *recorder) stop() []line {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	return ordered(r.lines)
}

func ordered(lines []line) []line {
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.who, b.who))
	})
	return lines
}

// Whom a line is about.
func channelOf(client int) string     { return fmt.Sprintf("client %d: channel", client) }
func resolverOf(client int) string    { return fmt.Sprintf("client %d: resolver", client) }
func dialOf(client, a int) string     { return fmt.Sprintf("client %d: dial %d", client, a) }
func callOf(client int, n int) string { return fmt.Sprintf("client %d: call %d", client, n) }

// subConnOf is the SubConn of a client to an address, after n others to it.
func subConnOf(client, address, n int) string {
	who := fmt.Sprintf("client %d: SubConn %d", client, address)
	if n > 0 {
		who += fmt.Sprintf("#%d", n+1)
	}
	return who
}

// diff shows where two plays differ: lines of the real side alone begin with -, those of lbsim
// alone with +. It is empty where they agree.
func diff(real, ours []line) string {
	if slices.Equal(real, ours) {
		return ""
	}
	// Lengths of the longest common subsequences of what is left from (i, j) on.
	common := make([][]int, len(real)+1)
	for i := range common {
		common[i] = make([]int, len(ours)+1)
	}
	for i := len(real) - 1; i >= 0; i-- {
		for j := len(ours) - 1; j >= 0; j-- {
			if real[i] == ours[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var b strings.Builder
	for i, j := 0, 0; i < len(real) || j < len(ours); {
		switch {
		case i < len(real) && j < len(ours) && real[i] == ours[j]:
			fmt.Fprintf(&b, "  %v\n", real[i])
			i++
			j++
		case j == len(ours) || i < len(real) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(&b, "- %v\n", real[i])
			i++
		default:
			fmt.Fprintf(&b, "+ %v\n", ours[j])
			j++
		}
	}
	return b.String()
}
