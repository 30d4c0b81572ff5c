package validation

import (
	"runtime"
	"testing"

	"lbsim/models"
	"lbsim/policies"
)

// A simulator that is wrong is caught. Each of these changes the config of one experiment of the
// quick part so that it does what a wrong simulator would, and the named row fails by the measure
// of the whole part, while it holds without the change. Seeds are fixed: nothing here is by chance.
func TestWrongSimulatorsAreCaught(t *testing.T) {
	for _, test := range []struct {
		name, family, parameters, metric string
		wrong                            func(c *models.Config)
	}{
		{"work takes 1 % longer", "mm1_fifo", "lambda=0.8;mu=1", "mean_T",
			func(c *models.Config) { c.Backends[0].Speed = 1 / 1.01 }},
		{"two choices without replacement", "po2_with_replacement",
			"n=3;rho=0.7;mu=1;FIFO;exponential", "mean_T",
			func(c *models.Config) { c.Policy = leastOf{2} }},
		{"LIFO in place of FIFO", "mm1_fifo", "lambda=0.8;mu=1", "p99_T",
			func(c *models.Config) { c.Backends[0].Discipline = models.LIFO }},
		{"even arrivals in place of Poisson's", "mm1_fifo", "lambda=0.8;mu=1", "mean_T",
			func(c *models.Config) { c.Clients[0].Arrivals = models.EvenArrivals }},
		{"random in place of round_robin", "round_robin_split", "n=10;rho=0.8;mu=1", "mean_T",
			func(c *models.Config) { c.Policy = policies.Random{} }},
		{"room for one more", "mm1k_fifo", "c=1;K=10;lambda=1.2;mu=1", "prob_loss",
			func(c *models.Config) { c.Backends[0].Queue++ }},
		{"FIFO in place of processor sharing", "mm1_ps", "lambda=0.7;mu=1", "p99_T",
			func(c *models.Config) { c.Backends[0].Discipline = models.FIFO }},
		{"the overdue are served", "mm1_d_deadline", "lambda=1.2;mu=1;queue_deadline=5",
			"utilisation",
			func(c *models.Config) { c.Backends[0].OnExpired = models.ServeExpired }},
		{"the loser of a hedge is not cancelled", "redundancy_d_cancel_on_complete",
			"n=2;d=2;rho=0.8;FIFO;i.i.d. Exp copies;first to finish cancels the rest instantly",
			"mean_T", func(c *models.Config) { c.Backends[0].OnCancel = models.FinishCancelled }},
	} {
		t.Run(test.name, func(t *testing.T) {
			right := judged(t, test.family, test.parameters, test.metric, func(*models.Config) {})
			if !right.Holds {
				t.Errorf("without the change: %s is %.5g to %.5g, exactly %.5g",
					test.metric, right.Low, right.High, right.Exact)
			}
			wrong := judged(t, test.family, test.parameters, test.metric, test.wrong)
			if wrong.Holds {
				t.Errorf("is not caught: %s is %.5g to %.5g, exactly %.5g",
					test.metric, wrong.Low, wrong.High, wrong.Exact)
			}
		})
	}
}

// judged runs one experiment of the quick part and returns one of its rows, judged as part of all.
func judged(t *testing.T, family, parameters, metric string, change func(*models.Config)) Row {
	t.Helper()
	s := New(true)
	e := find(t, s, family, parameters, "")
	change(&e.station.config)
	err := s.simulate(t.Context(), runtime.NumCPU(), []*Experiment{e}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range e.Rows {
		if r.Metric == metric {
			return r
		}
	}
	t.Fatalf("the quick part has no %s of %s %s", metric, family, parameters)
	return Row{}
}
