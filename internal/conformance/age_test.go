package conformance

import (
	"testing"
	"time"

	"google.golang.org/grpc/keepalive"
)

// A server of grpc-go makes MAX_CONNECTION_AGE up to 10 % longer or shorter, by a draw for each
// connection that nobody can turn off. So lbsim is given the age that grpc-go drew, as it shows in
// the moment of the GOAWAY, and no jitter.
func TestMaxConnectionAge(t *testing.T) {
	const age = time.Second
	limits := keepalive.ServerParameters{MaxConnectionAge: age}
	graceful := limits
	graceful.MaxConnectionAgeGrace = 200 * time.Millisecond
	for _, s := range []scenario{
		{name: "an idle connection", age: limits, clients: calls(0, 1400), until: ms(2200)},
		{name: "a call in service ends well", age: limits, service: at(700),
			clients: calls(0, 800), until: ms(2200)},
		{name: "a call ends within the grace", age: graceful, service: at(150),
			clients: calls(0, 850), until: ms(3000)},
		{name: "a call outlasts the grace, and dies a second later", age: graceful,
			service: at(5000), clients: calls(0), until: ms(4000)},
		{name: "new calls go to a new connection", age: graceful, backends: 2, service: at(700, 20),
			clients: calls(0, 850, 1200), until: ms(2050)},
	} {
		s.withDefaults().note(t)
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s := s.withDefaults()
			real := playReal(t, s)
			goAwayAt := time.Duration(0)
			for _, l := range real {
				if l.who == subConnOf(0, 0, 0) && l.what == "IDLE" && goAwayAt == 0 {
					goAwayAt = l.at
				}
			}
			// The server counts from when it has read the client's preface, at 3 delays, and its
			// GOAWAY takes one.
			s.age.MaxConnectionAge = goAwayAt - 4*s.delay
			if drawn := s.age.MaxConnectionAge; drawn < age*9/10 || drawn > age*11/10 {
				t.Fatalf("an age of %v, want %v ± 10 %%", drawn, age)
			}
			if d := diff(real, playOurs(s, 0)); d != "" {
				t.Errorf("the sides differ (- grpc-go alone, + lbsim alone):\n%s", d)
			}
			t.Logf("equal: %s", tally(real))
		})
	}
}
