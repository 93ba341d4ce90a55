// Package store asks PostgreSQL, through a pool whose waiting and whose
// queries are bounded separately.
package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"loadlab/go-api/internal/product"
)

// ErrBusy says that all connections of the pool stayed in use for too long.
// Every other error of this package means that the database did not answer.
var ErrBusy = errors.New("all connections stayed in use")

// forever keeps the pool from replacing healthy connections: a reconnect in
// the middle of a measurement would be noise.
const forever = 10 * 365 * 24 * time.Hour

// Options say where the database is and how long anything may take.
type Options struct {
	URL          string
	PoolSize     int
	PoolTimeout  time.Duration
	QueryTimeout time.Duration
}

// Store is safe for concurrent use.
type Store struct {
	pool         *pgxpool.Pool
	poolTimeout  time.Duration
	queryTimeout time.Duration
}

// ParseURL checks a database URL. A URL that does not say sslmode gets none,
// because Node's driver speaks plain text unless told otherwise.
func ParseURL(address string) (*pgxpool.Config, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not a URL") // the cause would quote the password
	}
	query := parsed.Query()
	if !query.Has("sslmode") {
		query.Set("sslmode", "disable")
		parsed.RawQuery = query.Encode()
	}
	return pgxpool.ParseConfig(parsed.String())
}

// Open prepares the pool. It connects to nothing: a database that is away is a
// failure of the requests that need it, not of the start.
func Open(options Options) (*Store, error) {
	settings, err := ParseURL(options.URL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	settings.MaxConns = int32(options.PoolSize)
	settings.MinConns = 0 // filled by need, as Node's pool is
	settings.MaxConnLifetime = forever
	settings.MaxConnIdleTime = forever
	settings.PrepareConn = isAlive
	// isAlive has looked already; a ping would be a round trip that Node's pool
	// does not make.
	settings.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	settings.ConnConfig.ConnectTimeout = options.PoolTimeout
	settings.ConnConfig.RuntimeParams["application_name"] = "go-api"

	pool, err := pgxpool.NewWithConfig(context.Background(), settings)
	if err != nil {
		return nil, fmt.Errorf("open the pool: %w", err)
	}
	return &Store{pool: pool, poolTimeout: options.PoolTimeout, queryTimeout: options.QueryTimeout}, nil
}

// Close closes every connection, and waits for those in use.
func (s *Store) Close() { s.pool.Close() }

// Products appends the rows that statement yields to into, which may be a
// slice to reuse. A client that goes away does not stop it: see detached.
func (s *Store) Products(
	ctx context.Context, into []product.Product, statement string, arguments ...any,
) ([]product.Product, error) {
	err := s.with(ctx, func(ctx context.Context, connection *pgxpool.Conn) error {
		rows, err := connection.Query(ctx, statement, arguments...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var row product.Product
			if err := rows.Scan(&row.ID, &row.Name, &row.Price, &row.SoldAt); err != nil {
				return err
			}
			into = append(into, row)
		}
		return rows.Err()
	})
	return into, err
}

// undefinedTable is SQLSTATE's code.
const undefinedTable = "42P01"

// SeedVersion reads which seed filled the database; nil where there is none,
// nor a table for it.
func (s *Store) SeedVersion(ctx context.Context) (*string, error) {
	var version *string
	err := s.with(ctx, func(ctx context.Context, connection *pgxpool.Conn) error {
		err := connection.QueryRow(ctx, "SELECT version FROM loadlab_seed").Scan(&version)
		if answer, ok := errors.AsType[*pgconn.PgError](err); ok && answer.Code == undefinedTable {
			return nil
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return version, err
}

// with lends a connection to do. Waiting for it and using it have a time-out
// each, so that a full pool can be told from a slow query.
//
// Both are detached from the request: when a client goes away in the middle of
// a query, pgx would close the connection and the pool would have to open
// another one, at the worst moment. Node's driver cannot cancel either, so the
// work stays the same on both sides. The time-outs alone bound it.
func (s *Store) with(ctx context.Context, do func(context.Context, *pgxpool.Conn) error) error {
	detached := context.WithoutCancel(ctx)
	connection, err := s.acquire(detached)
	if err != nil {
		return err
	}
	defer connection.Release()

	bounded, cancel := context.WithTimeout(detached, s.queryTimeout)
	defer cancel()
	if err := do(bounded, connection); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	return nil
}

func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, s.poolTimeout)
	defer cancel()
	connection, err := s.pool.Acquire(waiting)
	switch {
	case err == nil:
		return connection, nil
	case waiting.Err() != nil && s.allInUse():
		return nil, fmt.Errorf("%w: %w", ErrBusy, err)
	default:
		return nil, fmt.Errorf("connect: %w", err)
	}
}

// allInUse tells a pool that is busy from one that waits for a silent
// database: that one has no connection, or is still opening some.
func (s *Store) allInUse() bool {
	now := s.pool.Stat()
	return now.ConstructingConns() == 0 && now.TotalConns() > 0
}
