// Package nearest helps whoever has misspelt a name.
package nearest

import "strings"

// longest is how many bytes a name may have for which others are looked through: none is as long.
const longest = 100

// Hint says which of the known names is nearest to the one that was given, if any is near, and
// which there are.
func Hint(given string, known []string) string {
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
