package api

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"loadlab/go-api/internal/cache"
)

func TestCacheAside(t *testing.T) {
	s := newStack(t)
	for _, want := range []string{"MISS", "HIT", "HIT"} {
		got := s.do("GET", "/products-with-cache")
		if got.Header().Get("X-Cache") != want || got.Body.String() != twoProducts {
			t.Fatalf("want %s, got %v %s", want, got.Header(), got.Body)
		}
	}
	if s.cache.sets != 1 || s.cache.key != "products:top100" || s.cache.ttl != time.Minute {
		t.Errorf("SET %d times, %s for %s", s.cache.sets, s.cache.key, s.cache.ttl)
	}
}

func TestUnusableEntriesAreReplaced(t *testing.T) {
	for _, entry := range []string{
		"", "null", `{"count":`, `{"count":100,"products":[{"id":1`, ` {"count":0,"products":[]}`,
		`{"count":0,"products":[]} `, `{"other":[{}]}`,
	} {
		s := newStack(t)
		s.cache.entry = []byte(entry)
		got := s.do("GET", "/products-with-cache")
		if got.Code != 200 || got.Header().Get("X-Cache") != "MISS" || string(s.cache.entry) != twoProducts {
			t.Errorf("%q: got %v, stored %s", entry, got.Header(), s.cache.entry)
		}
	}
}

func TestAUsableEntryIsServedAsItIs(t *testing.T) {
	s := newStack(t)
	s.cache.entry = []byte(`{"count":0,"products":[]}`)
	got := s.do("GET", "/products-with-cache")
	if got.Header().Get("X-Cache") != "HIT" || got.Body.String() != `{"count":0,"products":[]}` {
		t.Errorf("got %v %s", got.Header(), got.Body)
	}
	if s.store.statement != "" {
		t.Error("the database was asked")
	}
}

func TestCacheFailures(t *testing.T) {
	for _, test := range []struct {
		name           string
		getErr, setErr error
		sets           int
	}{
		{"away", fmt.Errorf("GET: %w", cache.ErrAway), nil, 0},
		{"an error reply", errors.New("GET: LOADING"), nil, 1},
		{"away between the two", cache.ErrMiss, fmt.Errorf("SET: %w", cache.ErrAway), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStack(t)
			s.cache.getErr, s.cache.setErr = test.getErr, test.setErr
			got := s.do("GET", "/products-with-cache")
			if got.Code != 200 || got.Header().Get("X-Cache") != "MISS" || got.Body.String() != twoProducts {
				t.Errorf("got %d %v %s", got.Code, got.Header(), got.Body)
			}
			if s.cache.sets != test.sets {
				t.Errorf("SET was tried %d times, want %d", s.cache.sets, test.sets)
			}
		})
	}
}
