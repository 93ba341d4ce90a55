package store

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"loadlab/go-api/internal/contract"
	"loadlab/go-api/internal/testenv"
)

func open(t *testing.T, change func(*Options)) *Store {
	t.Helper()
	options := Options{URL: testenv.Database(t), PoolSize: 2, PoolTimeout: 5 * time.Second, QueryTimeout: 5 * time.Second}
	if change != nil {
		change(&options)
	}
	opened, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	return opened
}

func query(t *testing.T, id string) contract.Query {
	t.Helper()
	for _, endpoint := range testenv.Contract(t).Endpoints {
		if endpoint.ID == id {
			return *endpoint.Query
		}
	}
	t.Fatalf("no endpoint %q", id)
	return contract.Query{}
}

func TestProducts(t *testing.T) {
	opened := open(t, nil)
	asked := query(t, "products")
	rows, err := opened.Products(t.Context(), nil, asked.SQL)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != asked.ExpectedCount {
		t.Fatalf("got %d rows, want %d", len(rows), asked.ExpectedCount)
	}
	first := rows[0]
	if first.ID != 1 || first.Name != "Café table" || first.Price != "89.19" ||
		first.SoldAt == nil || *first.SoldAt != "2024-01-01T00:37:49.007907Z" {
		t.Errorf("got %+v", first)
	}
	if rows[2].SoldAt != nil {
		t.Errorf("row 3: got %s, want NULL", *rows[2].SoldAt)
	}
}

func TestProductsContaining(t *testing.T) {
	opened := open(t, nil)
	asked := query(t, "products-where-like")
	for text, wantName := range map[string]string{"Walnut": "Walnut desk", "50%": "Rug 50% wool", "a_b": "Part a_b", `C:\`: `Path C:\tmp`} {
		rows, err := opened.Products(t.Context(), nil, asked.SQL, Containing(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) == 0 || rows[0].Name != wantName {
			t.Errorf("%q: got %+v", text, rows[:min(1, len(rows))])
		}
	}
	none, err := opened.Products(t.Context(), nil, asked.SQL, Containing("no such name"))
	if err != nil || len(none) != 0 {
		t.Errorf("got %v, %v", none, err)
	}
}

func TestSeedVersion(t *testing.T) {
	version, err := open(t, nil).SeedVersion(t.Context())
	if err != nil || version == nil || *version != "1" {
		t.Errorf("got %v, %v", version, err)
	}
}

func TestAFullPoolIsBusyAndASlowQueryIsNot(t *testing.T) {
	opened := open(t, func(o *Options) { o.PoolSize, o.QueryTimeout = 1, time.Second })
	held, err := opened.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	opened.poolTimeout = 50 * time.Millisecond // opening the connection may take longer
	if _, err := opened.SeedVersion(t.Context()); !errors.Is(err, ErrBusy) {
		t.Errorf("a full pool: got %v", err)
	}
	held.Release()
	opened.poolTimeout = 5 * time.Second
	began := time.Now()
	_, err = opened.Products(t.Context(), nil, "SELECT 1, '', '', pg_sleep(30)::text")
	if err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("a slow query: got %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a slow query took %s", took)
	}
	if _, err := opened.SeedVersion(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestAClientThatLeavesStopsNothing(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := open(t, nil).SeedVersion(ctx); err != nil {
		t.Error(err)
	}
}

func TestClosedConnectionsAreReplaced(t *testing.T) {
	opened := open(t, nil)
	backend := func() (pid int) {
		t.Helper()
		connection, err := opened.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Release()
		if err := connection.QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			t.Fatal(err)
		}
		return pid
	}
	before := backend()
	other, err := pgx.Connect(t.Context(), testenv.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(context.Background()) }()
	// With a time-out, the function returns once the backend has ended.
	if _, err := other.Exec(t.Context(), "SELECT pg_terminate_backend($1, 5000)", before); err != nil {
		t.Fatal(err)
	}
	if after := backend(); after == before {
		t.Error("the same backend, which was terminated")
	}
}

func TestADatabaseThatIsAwayIsNotBusy(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil { // nobody listens there now
		t.Fatal(err)
	}
	opened, err := Open(Options{
		URL: "postgres://u:p@" + address + "/d", PoolSize: 1, PoolTimeout: 5 * time.Second, QueryTimeout: time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if _, err := opened.SeedVersion(t.Context()); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
}

func TestADatabaseThatAcceptsAndSaysNothingIsNotBusy(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts; nobody reads
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	opened, err := Open(Options{
		URL:      "postgres://u:p@" + mute.Addr().String() + "/d",
		PoolSize: 1, PoolTimeout: 100 * time.Millisecond, QueryTimeout: time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	// More than the pool holds: some dial, some wait.
	failures := make(chan error, 4)
	for range cap(failures) {
		go func() {
			_, err := opened.SeedVersion(context.Background())
			failures <- err
		}()
	}
	for range cap(failures) {
		if err := <-failures; err == nil || errors.Is(err, ErrBusy) {
			t.Errorf("got %v", err)
		}
	}
}
