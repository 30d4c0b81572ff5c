package sim

import "math"

// NormalQuantile returns the number below which a standard normal variable falls with probability
// u, in (0, 1); it is -Inf at 0, +Inf at 1 and NaN outside. Its relative error is about 1e-15,
// and its bits are the same on every CPU.
//
// Source: M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477–484: three
// quotients of polynomials of degree 7, one for |u - 1/2| <= 0.425 and two for the tails.
func NormalQuantile(u float64) float64 {
	q := u - 0.5
	if q >= -0.425 && q <= 0.425 {
		r := 0.180625 - float64(q*q)
		r2 := r * r
		r4 := r2 * r2
		n01 := 3.3871328727963666080e0 + float64(r*1.3314166789178437745e2)
		n23 := 1.9715909503065514427e3 + float64(r*1.3731693765509461125e4)
		n45 := 4.5921953931549871457e4 + float64(r*6.7265770927008700853e4)
		n67 := 3.3430575583588128105e4 + float64(r*2.5090809287301226727e3)
		d01 := 1 + float64(r*4.2313330701600911252e1)
		d23 := 6.8718700749205790830e2 + float64(r*5.3941960214247511077e3)
		d45 := 2.1213794301586595867e4 + float64(r*3.9307895800092710610e4)
		d67 := 2.8729085735721942674e4 + float64(r*5.2264952788528545610e3)
		n03 := n01 + float64(r2*n23)
		n47 := n45 + float64(r2*n67)
		d03 := d01 + float64(r2*d23)
		d47 := d45 + float64(r2*d67)
		return q * (n03 + float64(r4*n47)) / (d03 + float64(r4*d47))
	}
	return normalTail(u, q)
}

// normalTail is NormalQuantile for |q| > 0.425, q = u - 1/2. With p the probability of the nearer
// tail, the result is a function of sqrt(-log p).
func normalTail(u, q float64) float64 {
	p := u
	if q > 0 {
		p = 1 - u
	}
	if !(p > 0) {
		if p == 0 {
			return math.Copysign(math.Inf(1), q)
		}
		return math.NaN()
	}
	var z float64
	if r := math.Sqrt(-Log(p)); r <= 5 {
		z = normalNearTail(r - 1.6)
	} else {
		z = normalFarTail(r - 5)
	}
	if q < 0 {
		return -z
	}
	return z
}

// normalNearTail serves probabilities from 0.075 down to e^-25, about 1e-11.
func normalNearTail(r float64) float64 {
	r2 := r * r
	r4 := r2 * r2
	n01 := 1.42343711074968357734e0 + float64(r*4.63033784615654529590e0)
	n23 := 5.76949722146069140550e0 + float64(r*3.64784832476320460504e0)
	n45 := 1.27045825245236838258e0 + float64(r*2.41780725177450611770e-1)
	n67 := 2.27238449892691845833e-2 + float64(r*7.74545014278341407640e-4)
	d01 := 1 + float64(r*2.05319162663775882187e0)
	d23 := 1.67638483018380384940e0 + float64(r*6.89767334985100004550e-1)
	d45 := 1.48103976427480074590e-1 + float64(r*1.51986665636164571966e-2)
	d67 := 5.47593808499534494600e-4 + float64(r*1.05075007164441684324e-9)
	n := n01 + float64(r2*n23) + float64(r4*(n45+float64(r2*n67)))
	d := d01 + float64(r2*d23) + float64(r4*(d45+float64(r2*d67)))
	return n / d
}

// normalFarTail serves probabilities below e^-25.
func normalFarTail(r float64) float64 {
	r2 := r * r
	r4 := r2 * r2
	n01 := 6.65790464350110377720e0 + float64(r*5.46378491116411436990e0)
	n23 := 1.78482653991729133580e0 + float64(r*2.96560571828504891230e-1)
	n45 := 2.65321895265761230930e-2 + float64(r*1.24266094738807843860e-3)
	n67 := 2.71155556874348757815e-5 + float64(r*2.01033439929228813265e-7)
	d01 := 1 + float64(r*5.99832206555887937690e-1)
	d23 := 1.36929880922735805310e-1 + float64(r*1.48753612908506148525e-2)
	d45 := 7.86869131145613259100e-4 + float64(r*1.84631831751005468180e-5)
	d67 := 1.42151175831644588870e-7 + float64(r*2.04426310338993978564e-15)
	n := n01 + float64(r2*n23) + float64(r4*(n45+float64(r2*n67)))
	d := d01 + float64(r2*d23) + float64(r4*(d45+float64(r2*d67)))
	return n / d
}
