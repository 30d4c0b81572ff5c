package dist

import (
	"math"
	"time"

	"lbsim/sim"
)

// Gamma is the distribution with density x^(shape-1) e^(-x/scale), but for a factor. For a whole
// shape it is erlang's, the sum of so many exponential stages.
type Gamma struct {
	shape float64
	scale float64 // ns, > 0
	table *gammaTable
	text  string
}

// The least shape has a standard deviation of ten means, the greatest of a hundredth.
const minGammaShape, maxGammaShape = 0.01, 10_000

var gammaKind = Kind{
	Doc: "between erlang's: steadier than exponential for shape > 1, wilder below",
	Forms: []string{
		"gamma(shape=2, mean=10ms)",
		"gamma(shape=0.5, scale=5ms)",
	},
	Parse: parseGamma,
}

func parseGamma(c Call) (Distribution, error) {
	a, err := c.Args()
	if err != nil {
		return nil, err
	}
	return newGamma(a, a.Number("shape", minGammaShape, maxGammaShape))
}

// newGamma reads the other parameter, mean or scale.
func newGamma(a *Args, shape float64) (Distribution, error) {
	g := &Gamma{shape: shape}
	switch a.Form() {
	case "mean,shape", "k,mean":
		g.scale = a.PositiveDuration("mean") / shape
	case "scale,shape", "k,scale":
		g.scale = a.PositiveDuration("scale")
	}
	if a.Err() != nil {
		return nil, a.Err()
	}
	g.text = a.String()
	g.table = newGammaTable(shape)
	return g, nil
}

// Quantile interpolates the logarithm of the quantile in a table, see gammaTable. The relative
// error of the duration is below 1e-9, and that of the probability below 1e-10.
func (g *Gamma) Quantile(u float64) time.Duration {
	log, ok := g.table.logQuantile(sim.Log(u / (1 - u)))
	if !ok {
		switch { // outside the table, where no 53-bit u gets to
		case !(u > 0):
			return 0
		case u >= 1:
			return math.MaxInt64
		}
		log = newStandardGamma(g.shape).farLogQuantile(u)
	}
	return Round(g.scale * sim.Exp(log))
}

// Mean is shape times scale, in seconds.
func (g *Gamma) Mean() float64 { return g.shape * g.scale / second }

// Variance is shape times scale², in seconds².
func (g *Gamma) Variance() float64 { return g.shape * g.scale * g.scale / second2 }

func (g *Gamma) String() string { return g.text }
