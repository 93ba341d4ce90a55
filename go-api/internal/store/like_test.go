package store

import "testing"

func TestContaining(t *testing.T) {
	for text, want := range map[string]string{
		"":         `%%`,
		"Walnut":   `%Walnut%`,
		"50%":      `%50\%%`,
		"a_b":      `%a\_b%`,
		`C:\tmp`:   `%C:\\tmp%`,
		`\%`:       `%\\\%%`,
		"茶 🎁 it's": `%茶 🎁 it's%`,
	} {
		if got := Containing(text); got != want {
			t.Errorf("Containing(%q) = %q, want %q", text, got, want)
		}
	}
}
