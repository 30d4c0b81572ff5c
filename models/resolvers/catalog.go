// Package resolvers is how clients learn of backends. A kind is one file and one line in [Catalog].
package resolvers

import "lbsim/models"

// Catalog holds every resolver under its configuration name, as a prototype with its defaults.
var Catalog = map[string]models.Resolver{
	"script": Script{},
	"static": Static{},
}
