package api

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"loadlab/go-api/internal/contract"
	"loadlab/go-api/internal/store"
	"loadlab/go-api/internal/testenv"
)

func TestAnswers(t *testing.T) {
	const (
		hello  = `{"message":"Hello!"}`
		absent = `{"error":"not found"}`
		method = `{"error":"method not allowed"}`
		badQ   = `{"error":"bad q"}`
	)
	for _, test := range []struct {
		request string
		status  int
		body    string
		headers string // beside Content-Type and Content-Length
	}{
		{"GET /hello", 200, hello, ""},
		{"GET /hello?q=%zz&q", 200, hello, ""},
		{"GET http://host/hello", 200, hello, ""},
		{"GET http://host/hello?x", 200, hello, ""},
		{"GET /products", 200, twoProducts, ""},
		{"GET /products?q=%zz", 200, twoProducts, ""},
		{"GET /products-where-like", 200, twoProducts, ""},
		{"GET /products-where-like?q=oak", 200, twoProducts, ""},
		{"GET /products-where-like?q=a&q=b", 400, badQ, ""},
		{"GET /products-where-like?q=%", 400, badQ, ""},
		{"GET /products-where-like?q=" + strings.Repeat("a", 101), 400, badQ, ""},
		{"GET /products-with-cache", 200, twoProducts, "X-Cache: MISS"},
		{"GET /", 404, absent, ""},
		{"GET /Hello", 404, absent, ""},
		{"GET /hello/", 404, absent, ""},
		{"GET //hello", 404, absent, ""},
		{"GET /%68ello", 404, absent, ""},
		{"GET http://host", 404, absent, ""},
		{"GET http://host//hello", 404, absent, ""},
		{"GET http://host/%68ello", 404, absent, ""},
		{"POST /nothing", 404, absent, ""},
		{"OPTIONS *", 404, absent, ""},
		{"POST /hello", 405, method, "Allow: GET, HEAD"},
		{"OPTIONS /hello", 405, method, "Allow: GET, HEAD"},
		{"TRACE /products", 405, method, "Allow: GET, HEAD"},
		{"HEAD /health", 405, method, "Allow: GET"},
		{"POST /stats", 405, method, "Allow: GET"},
	} {
		t.Run(test.request, func(t *testing.T) {
			verb, target, _ := strings.Cut(test.request, " ")
			got := newStack(t).do(verb, target)
			body := test.body
			if verb == http.MethodHead {
				body = ""
			}
			if got.Code != test.status || got.Body.String() != body {
				t.Errorf("got %d %s", got.Code, got.Body)
			}
			want := http.Header{
				"Content-Type":   {"application/json; charset=utf-8"},
				"Content-Length": {strconv.Itoa(len(test.body))},
			}
			if name, value, has := strings.Cut(test.headers, ": "); has {
				want[name] = []string{value}
			}
			if !maps.EqualFunc(got.Header(), want, func(a, b []string) bool { return a[0] == b[0] && len(a) == len(b) }) {
				t.Errorf("got headers %v, want %v", got.Header(), want)
			}
		})
	}
}

func TestHeadHasTheHeadersOfGet(t *testing.T) {
	for _, path := range []string{"/hello", "/products", "/products-where-like", "/products-with-cache", "/nothing"} {
		get, head := newStack(t).do("GET", path), newStack(t).do("HEAD", path)
		if head.Code != get.Code || head.Body.Len() > 0 {
			t.Errorf("%s: got %d with %d bytes", path, head.Code, head.Body.Len())
		}
		if fmt.Sprint(head.Header()) != fmt.Sprint(get.Header()) {
			t.Errorf("%s: got %v, want %v", path, head.Header(), get.Header())
		}
	}
}

func TestUnknownMethodsCloseTheConnection(t *testing.T) {
	for _, method := range []string{"FOO", "get", "CONNECT", "QUERY", "PRI", "M-SEARCH"} {
		for _, path := range []string{"/hello", "/nothing"} {
			got := newStack(t).do(method, path)
			if got.Code != 400 || got.Header().Get("Connection") != "close" {
				t.Errorf("%s %s: %d %v", method, path, got.Code, got.Header())
			}
		}
	}
}

func TestDatabaseFailures(t *testing.T) {
	for _, test := range []struct {
		err  error
		body string
	}{
		{fmt.Errorf("acquire: %w", store.ErrBusy), `{"error":"database busy"}`},
		{errors.New("no such table"), `{"error":"database unavailable"}`},
	} {
		for _, path := range []string{"/products", "/products-where-like", "/products-with-cache"} {
			s := newStack(t)
			s.store.err = test.err
			got := s.do("GET", path)
			if got.Code != 503 || got.Body.String() != test.body || got.Header().Get("Retry-After") != "1" {
				t.Errorf("%s: got %d %s %v", path, got.Code, got.Body, got.Header())
			}
			if got.Header().Get("X-Cache") != "" || s.cache.sets > 0 {
				t.Errorf("%s: a failure reached the cache", path)
			}
		}
	}
}

func TestADefectIsAnsweredAndLogged(t *testing.T) {
	s := newStack(t)
	s.store.defect = "boom"
	got := s.do("GET", "/products")
	if got.Code != 500 || got.Body.String() != `{"error":"internal error"}` {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
	if !strings.Contains(s.log.String(), `"event":"defect","error":"boom"`) {
		t.Errorf("logged %s", s.log)
	}
}

func TestSearchEscapesForLike(t *testing.T) {
	for target, want := range map[string]string{
		"/products-where-like":             `%Walnut%`,
		"/products-where-like?q=":          `%%`,
		"/products-where-like?q=50%25+a_b": `%50\% a\_b%`,
		"/products-where-like?q=C:\\tmp":   `%C:\\tmp%`,
		"/products-where-like?Q=1&x=%zz":   `%Walnut%`,
	} {
		s := newStack(t)
		s.do("GET", target)
		if len(s.store.arguments) != 1 || s.store.arguments[0] != want {
			t.Errorf("%s: searched for %q, want %q", target, s.store.arguments, want)
		}
	}
}

func TestWhileDrainingAnswersEndTheConnection(t *testing.T) {
	s := newStack(t)
	s.draining.Store(true)
	if got := s.do("GET", "/hello"); got.Code != 200 || got.Header().Get("Connection") != "close" {
		t.Errorf("got %d %v", got.Code, got.Header())
	}
}

func TestAnEndpointWithoutItsPartsIsRefused(t *testing.T) {
	for id, want := range map[string]string{
		"products":            "contract.json: $.endpoints[7].query: missing",
		"products-where-like": "contract.json: $.endpoints[7].query: missing",
		"products-with-cache": "contract.json: $.endpoints[7].query: missing",
	} {
		_, _, err := handlersOf(&API{}, []contract.Endpoint{{ID: id, At: "$.endpoints[7]"}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v", id, err)
		}
	}
	agreed := testenv.Contract(t)
	for i := range agreed.Endpoints {
		endpoint := agreed.Endpoints[i]
		endpoint.Cache = nil
		if endpoint.Query != nil {
			endpoint.Query.Search = nil
		}
		_, _, err := handlersOf(&API{}, []contract.Endpoint{endpoint})
		needs := endpoint.ID == "products-where-like" || endpoint.ID == "products-with-cache"
		if (err != nil) != needs {
			t.Errorf("%s: got %v", endpoint.ID, err)
		}
	}
}

func TestAnEndpointOfAnotherStackIsNotServed(t *testing.T) {
	handlers, absent, err := handlersOf(&API{}, []contract.Endpoint{{ID: "images", Path: "/images"}})
	if err != nil || len(handlers) > 0 || len(absent) != 1 {
		t.Errorf("got %v, %v, %v", handlers, absent, err)
	}
}
