// Package nearest proposes names for a misspelt one.
package nearest

import "strings"

// longest is the greatest length of a name, in bytes, for which others are compared.
const longest = 100

// Hint returns a hint for a message: the known name that is nearest to the given one, if any is
// near, and all known names.
func Hint(given string, known []string) string {
	if len(known) == 0 {
		return " (there are none)"
	}
	have := " (have " + strings.Join(known, ", ") + ")"
	best, least := "", len(given)/3+2
	for _, k := range known {
		if len(given) > longest {
			break
		}
		if d := distance(given, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return have
	}
	return "; did you mean " + best + "?" + have
}

// distance is the number of letters to insert, remove or replace to get from a to b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
