package api

import "testing"

func TestPathOf(t *testing.T) {
	for _, test := range []struct {
		target, path string
		ok           bool
	}{
		{"/hello", "/hello", true},
		{"/hello?", "/hello", true},
		{"/hello?a?b", "/hello", true},
		{"/hello?http://x/y", "/hello", true},
		{"//x/hello", "//x/hello", true},
		{"/%68ello", "/%68ello", true},
		{"/x/../hello", "/x/../hello", true},
		{"*", "*", true},
		{"http://x/hello", "/hello", true},
		{"HTTP://u:p@x:1/hello?q=%zz", "/hello", true},
		{"http://x//hello", "//hello", true},
		{"http://x", "", true},
		{"http://x?/hello", "", true},
		{"http:/hello", "", false},
		{"http:hello", "", false},
		{"/caf\u00e9", "", false},
		{"/hello?q=\xff", "", false},
		{"/hello\x7f", "", false},
	} {
		path, ok := pathOf(test.target)
		if ok != test.ok || (ok && path != test.path) {
			t.Errorf("pathOf(%q) = %q, %t; want %q, %t", test.target, path, ok, test.path, test.ok)
		}
	}
}
