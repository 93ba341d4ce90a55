package api

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParameter(t *testing.T) {
	const limit = 5
	for _, test := range []struct {
		raw, value string
		found, ok  bool
	}{
		{raw: "", ok: true},
		{raw: "&&=&x", ok: true},
		{raw: "q", found: true, ok: true},
		{raw: "q=", found: true, ok: true},
		{raw: "q=oak", value: "oak", found: true, ok: true},
		{raw: "a=1&q=oak&b=2", value: "oak", found: true, ok: true},
		{raw: "q=a=b", value: "a=b", found: true, ok: true},
		{raw: "q=a+b", value: "a b", found: true, ok: true},
		{raw: "q=a%2Bb", value: "a+b", found: true, ok: true},
		{raw: "q=a;b", value: "a;b", found: true, ok: true},
		{raw: "q=a?b", value: "a?b", found: true, ok: true},
		{raw: "%71=x", value: "x", found: true, ok: true},
		{raw: "Q=x", ok: true},
		{raw: "q%20=x", ok: true},
		{raw: "+q=x", ok: true},
		{raw: "q[]=x", ok: true},
		{raw: "q%=x", ok: true},
		{raw: "%zz=x&q=y", value: "y", found: true, ok: true},
		{raw: "x=%zz&q=y", value: "y", found: true, ok: true},
		{raw: "x=%ff&q=y", value: "y", found: true, ok: true},
		{raw: "q=%C3%a9", value: "é", found: true, ok: true},
		{raw: "q=\xc3\xa9", value: "é", found: true, ok: true},
		{raw: "q=%EF%BB%BFa", value: "\ufeffa", found: true, ok: true},
		{raw: "q=%F0%9F%8E%81%F0%9F%8E%81%F0%9F%8E%81%F0%9F%8E%81%F0%9F%8E%81", value: "🎁🎁🎁🎁🎁", found: true, ok: true},
		{raw: "q=123456", found: true},
		{raw: "q=a&q=b", found: true},
		{raw: "q&q", found: true},
		{raw: "q=a&%71=b", found: true},
		{raw: "q=a&x=1&q", found: true},
		{raw: "q=%", found: true},
		{raw: "q=%2", found: true},
		{raw: "q=%zz", found: true},
		{raw: "q=%2g", found: true},
		{raw: "q=%%20", found: true},
		{raw: "q=%00", found: true},
		{raw: "q=a%00b", found: true},
		{raw: "q=%ff", found: true},
		{raw: "q=\xff", found: true},
		{raw: "q=%C3", found: true},
		{raw: "q=%C0%80", found: true},       // overlong
		{raw: "q=%ED%A0%80", found: true},    // a surrogate
		{raw: "q=%F4%90%80%80", found: true}, // above U+10FFFF
	} {
		value, found, ok := parameter(test.raw, "q", limit)
		if value != test.value || found != test.found || ok != test.ok {
			t.Errorf("parameter(%q) = %q, %t, %t; want %q, %t, %t",
				test.raw, value, found, ok, test.value, test.found, test.ok)
		}
	}
}

// FuzzParameter compares with a plain reading of the rules on top of
// url.QueryUnescape.
func FuzzParameter(f *testing.F) {
	for _, seed := range []string{
		"", "q", "q=", "q=Walnut", "q=a&q=b", "%71=%2B+", "q=%zz", "q=%f", "%zz=1&q=2", "q=%00", "q=%ED%A0%80",
		"&&q==&", "q=\xff", "q=50%25&x=%", "q=%F0%9F%8E%81", "a=1;q=2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		const limit = 20
		var values []string
		valid := true
		for _, part := range strings.Split(raw, "&") {
			name, value, _ := strings.Cut(part, "=")
			if decoded, err := url.QueryUnescape(name); err != nil || decoded != "q" {
				continue
			}
			decoded, err := url.QueryUnescape(value)
			valid = valid && err == nil && utf8.ValidString(decoded) &&
				!strings.Contains(decoded, "\x00") && len([]rune(decoded)) <= limit
			values = append(values, decoded)
		}
		value, found, ok := parameter(raw, "q", limit)
		if found != (len(values) > 0) {
			t.Fatalf("%q: found %t, occurs %d times", raw, found, len(values))
		}
		if wanted := valid && len(values) <= 1; ok != wanted {
			t.Fatalf("%q: ok %t, want %t", raw, ok, wanted)
		}
		if ok && found && value != values[0] {
			t.Fatalf("%q: got %q, want %q", raw, value, values[0])
		}
	})
}
