package healthcheck

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAsk(t *testing.T) {
	for _, test := range []struct {
		status     int
		body, want string
	}{
		{200, `{"ready":true}`, "ready"},
		{503, `{"database":"gone","cache":"ok","seedVersion":null}`, "not ready: database: gone"},
		{503, `{"database":"ok","cache":"away","seedVersion":"1"}`, "not ready: cache: away"},
		{503, `{"database":"a\nb","cache":"c","seedVersion":null}`, "not ready: database: a b; cache: c"},
		{
			503, `{"database":"seed version 0 instead of 1","cache":"ok","seedVersion":"0"}`,
			"not ready: database: seed version 0 instead of 1 (`docker compose down --volumes` removes it)",
		},
		{
			503, `{"database":"not seeded","cache":"ok","seedVersion":null}`,
			"not ready: database: not seeded (`docker compose down --volumes` removes it)",
		},
		{404, `{"error":"not found"}`, "not ready: status 404, with a body that is not a stack's"},
		{500, `<html>`, "not ready: status 500, with a body that is not a stack's"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			if request.RequestURI != "/health?ready=1" {
				t.Errorf("asked for %s", request.RequestURI)
			}
			w.WriteHeader(test.status)
			_, _ = w.Write([]byte(test.body))
		}))
		line, ready := Ask(t.Context(), server.URL)
		server.Close()
		if line != test.want || ready != (test.status == 200) {
			t.Errorf("%d %s: got %q, %v", test.status, test.body, line, ready)
		}
	}
}

func TestAskWhenNobodyListens(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	line, ready := Ask(t.Context(), server.URL)
	if ready || !strings.HasPrefix(line, "not ready: ") || strings.Contains(line, "\n") {
		t.Errorf("got %q, %v", line, ready)
	}
}

func TestAskWaitsNoLongerThanItsLimit(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		<-request.Context().Done()
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	line, ready := Ask(ctx, server.URL)
	if ready || !strings.HasSuffix(line, "did not answer within 2s") {
		t.Errorf("got %q, %v", line, ready)
	}
}
