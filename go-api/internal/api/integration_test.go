package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"loadlab/go-api/internal/cache"
	"loadlab/go-api/internal/events"
	"loadlab/go-api/internal/store"
	"loadlab/go-api/internal/testenv"
)

const cacheKey = "products:top100"

// real is an API with the real database and Redis behind it.
func real(t *testing.T) (*API, *redis.Client) {
	t.Helper()
	databaseURL, redisURL := testenv.Database(t), testenv.Redis(t)
	database, err := store.Open(store.Options{
		URL: databaseURL, PoolSize: 4, PoolTimeout: 5 * time.Second, QueryTimeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	entries, err := cache.Open(cache.Options{URL: redisURL, PoolSize: 4, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeOrFail(t, entries.Close) })
	built, err := New(Options{
		Contract: testenv.Contract(t), Store: database, Cache: entries,
		Logger: events.New(t.Output()), Draining: new(atomic.Bool),
	})
	if err != nil {
		t.Fatal(err)
	}
	settings, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(settings)
	t.Cleanup(func() { closeOrFail(t, client.Close) })
	keep(t, client)
	return built, client
}

func closeOrFail(t *testing.T, closer func() error) {
	if err := closer(); err != nil {
		t.Error(err)
	}
}

// keep puts back the contract's entry as it was before the test.
func keep(t *testing.T, client *redis.Client) {
	t.Helper()
	dump, err := client.Dump(t.Context(), cacheKey).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		t.Fatal(err)
	}
	absent := errors.Is(err, redis.Nil)
	ttl, err := client.PTTL(t.Context(), cacheKey).Result()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		if absent {
			closeOrFail(t, client.Del(ctx, cacheKey).Err)
			return
		}
		closeOrFail(t, client.RestoreReplace(ctx, cacheKey, max(0, ttl), dump).Err)
	})
}

func ask(t *testing.T, handler http.Handler, target string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest("GET", target, http.NoBody))
	return recorder
}

func TestTheWholeStack(t *testing.T) {
	handler, client := real(t)
	products := ask(t, handler, "/products")
	body := products.Body.String()
	if products.Code != 200 || !strings.HasPrefix(body, `{"count":100,"products":[{"id":1,"name":"Café table","price":"89.19",`) {
		t.Fatalf("got %d %.200s", products.Code, body)
	}
	if !strings.Contains(body, "\"Line\u2028break\"") || !strings.Contains(body, `"Box <small>"`) {
		t.Error("what JSON.stringify leaves alone is escaped")
	}
	if err := client.Del(t.Context(), cacheKey).Err(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"MISS", "HIT"} {
		got := ask(t, handler, "/products-with-cache")
		if got.Header().Get("X-Cache") != want || got.Body.String() != body {
			t.Errorf("want %s, got %v %.80s", want, got.Header(), got.Body)
		}
	}
	if ttl := client.TTL(t.Context(), cacheKey).Val(); ttl <= 0 || ttl > time.Minute {
		t.Errorf("TTL is %s", ttl)
	}
	if err := client.Del(t.Context(), cacheKey).Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.LPush(t.Context(), cacheKey, "a list").Err(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"MISS", "HIT"} {
		if got := ask(t, handler, "/products-with-cache"); got.Header().Get("X-Cache") != want {
			t.Errorf("an entry of another type: want %s, got %v", want, got.Header())
		}
	}
}

func TestTheWholeSearch(t *testing.T) {
	handler, _ := real(t)
	for target, want := range map[string]string{
		"/products-where-like":                     `{"count":100,"products":[{"id":100,"name":"Walnut desk",`,
		"/products-where-like?q=":                  `{"count":100,"products":[{"id":1,`,
		"/products-where-like?q=50%25":             `{"count":100,"products":[{"id":6,"name":"Rug 50% wool",`,
		"/products-where-like?q=a_b":               `{"count":100,"products":[{"id":7,"name":"Part a_b",`,
		"/products-where-like?q=C:%5C":             `{"count":100,"products":[{"id":8,"name":"Path C:\\tmp",`,
		"/products-where-like?q=%F0%9F%8E%81":      `{"count":100,"products":[{"id":10,"name":"Gift 🎁 bag",`,
		"/products-where-like?q=%27%3B+DROP+TABLE": `{"count":0,"products":[]}`,
	} {
		if got := ask(t, handler, target); got.Code != 200 || !strings.HasPrefix(got.Body.String(), want) {
			t.Errorf("%s: got %d %.120s", target, got.Code, got.Body)
		}
	}
}

func TestReadiness(t *testing.T) {
	handler, _ := real(t)
	got := ask(t, handler, "/health?ready=1")
	if got.Code != 200 || !strings.HasSuffix(got.Body.String(), `"ready":true,"database":"ok","cache":"ok","seedVersion":"1"}`) {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
}
