package api

import (
	"strings"
	"unicode/utf8"
)

// parameter finds the one value of name in a raw query string, by the rules
// that every stack shares: parts at &, name and value at the first =, + is a
// space, %XX a byte. Node's and Go's own parsers differ (a semicolon, a broken
// escape, bytes that are not UTF-8), so both stacks bring this one.
//
// found is false where name does not occur. ok is false where the value must
// be refused: name occurs twice, or its value has a broken escape, is not
// UTF-8, holds U+0000 or has more than maxCodePoints code points.
func parameter(rawQuery, name string, maxCodePoints int) (value string, found, ok bool) {
	for rawQuery != "" {
		var part string
		part, rawQuery, _ = strings.Cut(rawQuery, "&")
		rawName, rawValue, _ := strings.Cut(part, "=")
		// A name with a broken escape is another name.
		if decoded, valid := unescape(rawName); !valid || decoded != name {
			continue
		}
		if found {
			return "", true, false
		}
		found = true
		var valid bool
		if value, valid = unescape(rawValue); !valid || !acceptable(value, maxCodePoints) {
			return "", true, false
		}
	}
	return value, found, true
}

func acceptable(value string, maxCodePoints int) bool {
	return utf8.ValidString(value) &&
		!strings.ContainsRune(value, 0) &&
		utf8.RuneCountInString(value) <= maxCodePoints
}

// unescape reports false for a % that two hexadecimal digits do not follow.
func unescape(text string) (string, bool) {
	if !strings.ContainsAny(text, "%+") {
		return text, true
	}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '+':
			decoded = append(decoded, ' ')
		case '%':
			if i+2 >= len(text) {
				return "", false
			}
			high, low := digit(text[i+1]), digit(text[i+2])
			if high < 0 || low < 0 {
				return "", false
			}
			decoded = append(decoded, byte(high<<4|low))
			i += 2
		default:
			decoded = append(decoded, text[i])
		}
	}
	return string(decoded), true
}

// digit is the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	default:
		return -1
	}
}
