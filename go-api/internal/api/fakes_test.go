package api

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"loadlab/go-api/internal/cache"
	"loadlab/go-api/internal/events"
	"loadlab/go-api/internal/product"
	"loadlab/go-api/internal/testenv"
)

// fakeStore yields rows, or err, or panics with defect.
type fakeStore struct {
	rows      []product.Product
	err       error
	seed      *string
	defect    any
	statement string
	arguments []any
}

func (f *fakeStore) Products(
	_ context.Context, into []product.Product, statement string, arguments ...any,
) ([]product.Product, error) {
	if f.defect != nil {
		panic(f.defect)
	}
	f.statement, f.arguments = statement, arguments
	return append(into, f.rows...), f.err
}

func (f *fakeStore) SeedVersion(context.Context) (*string, error) {
	return f.seed, f.err
}

// fakeCache holds one entry.
type fakeCache struct {
	entry          []byte
	getErr, setErr error
	sets           int
	key            string
	ttl            time.Duration
}

func (f *fakeCache) Get(context.Context, string) ([]byte, error) {
	if f.getErr == nil && f.entry == nil {
		return nil, cache.ErrMiss
	}
	return f.entry, f.getErr
}

func (f *fakeCache) Set(_ context.Context, key string, value []byte, ttl time.Duration) error {
	f.sets++
	f.key, f.ttl = key, ttl
	if f.setErr == nil {
		f.entry = bytes.Clone(value) // the caller uses its buffer again
	}
	return f.setErr
}

func (f *fakeCache) Ping(context.Context) error { return f.getErr }

// stack is an API with nothing behind it.
type stack struct {
	*API
	store *fakeStore
	cache *fakeCache
	log   *bytes.Buffer
}

func newStack(t *testing.T) *stack {
	t.Helper()
	seed := "1"
	s := &stack{store: &fakeStore{seed: &seed}, cache: &fakeCache{}, log: &bytes.Buffer{}}
	soldAt := "2024-01-01T00:37:49.007907Z"
	s.store.rows = []product.Product{{ID: 1, Name: "Oak", Price: "1.00", SoldAt: &soldAt}, {ID: 2, Name: "<", Price: "2.00"}}
	built, err := New(Options{
		Contract: testenv.Contract(t),
		Store:    s.store,
		Cache:    s.cache,
		Logger:   events.New(s.log),
		Identity: Identity{Stack: "go-api", Version: "0.1.0", Nonce: "n", DatabasePoolSize: 25, RedisPoolSize: 25},
		Draining: new(atomic.Bool),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.API = built
	return s
}

const twoProducts = `{"count":2,"products":[` +
	`{"id":1,"name":"Oak","price":"1.00","soldAt":"2024-01-01T00:37:49.007907Z"},` +
	`{"id":2,"name":"<","price":"2.00","soldAt":null}]}`

func (s *stack) do(method, target string) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, httptest.NewRequest(method, target, http.NoBody))
	return recorder
}
