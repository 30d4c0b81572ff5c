package house

func sums(x, y, z float64, n, m int) float64 {
	r := x*y + z           // want a product
	r = z - x*y            // want a product
	r += x * y             // want a product
	r -= -(x * y)          // want a product
	r = (-(x * y)) + (z)   // want a product
	r = z + float64(x*y)   // rounded
	r = z + x/y            // no CPU fuses a quotient
	r = z + (x+y)*(x-y)/2  // a quotient again
	r = z + (x*y+1)/2      // want a product
	r = float64(n*m+n) + z // integers
	r += 2 * 3.5           // a constant
	r = max(z+x*y, z) / 2  // want a product
	r = z - 0.25*x + x*-8  // exact
	r = z - 0.3*x          // want a product
	r = z - 0.5*x*y        // want a product
	return float64(r*r) * r
}

func narrow(x, y float32) float32 {
	return x*y + 1 // want a product
}

func variables(x, y, z float64) float64 {
	t := x * y
	u := float64(x * y)
	v := z
	v *= x
	var w = -(x * y)
	k := Kind{X: x * y, Y: z}
	p := &k
	p.Y = float64(x * y)
	r := t / u
	r += v      // want the product in v
	r = z + w   // want the product in w
	r = t + z   // want the product in t
	r = z - k.X // want the product in X
	r = z - k.Y + u
	*p = Kind{}
	return r
}

func area(x, y float64) float64 { return x * y }

func (k Kind) area() float64 {
	a := k.X * k.Y
	return a
}

func rounded(x, y float64) float64 { return float64(x * y) }

func (k *Kind) add(_ string, x float64) { k.X += x }

func calls(x, y, z float64, k Kind) float64 {
	r := z + area(x, y)       // want the product that area returns
	r -= k.area()             // want the product that area returns
	r = z - rounded(x, y)     // rounded
	k.add("", x*y)            // want a product that add adds
	k.add("", float64(x*y))   // rounded
	k.add("", area(x, y)/2)   // a quotient
	func() { r += x * k.X }() // want a product
	return r
}
