package store

import "strings"

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Containing returns the LIKE pattern that matches text anywhere, literally.
func Containing(text string) string { return "%" + likeEscaper.Replace(text) + "%" }
