package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestSubcommand(t *testing.T) {
	answering := func(status int) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		address, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		return address.Port()
	}
	for _, test := range []struct {
		arguments, port string
		code            int
		out, errors     string
	}{
		{"healthcheck", answering(200), 0, "ready\n", ""},
		{"healthcheck", answering(503), 1, "not ready: status 503", ""},
		{"healthcheck", "x", 2, "", `PORT: "x" is not a whole number`},
		{"serve", "", 2, "", `unknown arguments ["serve"]`},
		{"healthcheck twice", "", 2, "", "unknown arguments"},
	} {
		var out, errors strings.Builder
		lookup := func(string) string { return test.port }
		code := subcommand(strings.Fields(test.arguments), lookup, &out, &errors)
		if code != test.code || !strings.HasPrefix(out.String(), test.out) || !strings.HasPrefix(errors.String(), test.errors) {
			t.Errorf("%s: got %d, %q, %q", test.arguments, code, out.String(), errors.String())
		}
	}
}
