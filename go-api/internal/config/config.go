// Package config reads the environment variables of a stack. All that is wrong
// is found at once.
package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"loadlab/go-api/internal/contract"
)

// Config is what one process runs with.
type Config struct {
	Host        string
	Port        int
	DatabaseURL string
	RedisURL    string

	DatabasePoolSize int
	RedisPoolSize    int

	PoolTimeout      time.Duration
	QueryTimeout     time.Duration
	CacheTimeout     time.Duration
	ShutdownTimeout  time.Duration
	KeepAliveTimeout time.Duration

	Nonce string
}

const longestMs = 600_000

// Lookup gives the value of an environment variable. An empty one counts as
// not set, because Compose writes ${PORT:-} that way.
type Lookup func(name string) string

// Load reads the variables; those not set follow the contract. Its error has a
// line for each variable that is wrong: its name, what is wrong, what is
// allowed. Without a contract (nil) the variables that are set are checked all
// the same, so that one start shows all that is wrong.
func Load(lookup Lookup, defaults *contract.Contract) (Config, error) {
	if defaults == nil {
		defaults = &contract.Contract{}
	}
	limits, pools := defaults.Limits, defaults.Pools
	from := reader{lookup: lookup}
	loaded := Config{
		Host:             from.text("HOST", "127.0.0.1"),
		Port:             from.port(),
		DatabaseURL:      from.databaseURL("DATABASE_URL"),
		RedisURL:         from.redisURL("REDIS_URL"),
		DatabasePoolSize: from.number("DB_POOL_SIZE", pools.Database, 1000),
		RedisPoolSize:    from.number("REDIS_POOL_SIZE", pools.Redis, 1000),
		PoolTimeout:      from.milliseconds("POOL_TIMEOUT_MS", limits.PoolTimeoutMs),
		QueryTimeout:     from.milliseconds("QUERY_TIMEOUT_MS", limits.QueryTimeoutMs),
		CacheTimeout:     from.milliseconds("CACHE_TIMEOUT_MS", limits.CacheTimeoutMs),
		ShutdownTimeout:  from.milliseconds("SHUTDOWN_TIMEOUT_MS", limits.ShutdownTimeoutMs),
		KeepAliveTimeout: from.milliseconds("KEEP_ALIVE_TIMEOUT_MS", limits.KeepAliveTimeoutMs),
		Nonce:            from.text("LOADLAB_NONCE", ""),
	}
	return loaded, errors.Join(from.problems...)
}

// Port reads the variable that says where the process listens. It is all that
// asking a running process needs.
func Port(lookup Lookup) (int, error) {
	from := reader{lookup: lookup}
	port := from.port()
	return port, errors.Join(from.problems...)
}

// ContractDir is where the contract is: CONTRACT_DIR, else beside the stack's
// folder (the working directory of a stack), else in the working directory.
func ContractDir(lookup Lookup) string {
	if chosen := lookup("CONTRACT_DIR"); chosen != "" {
		return chosen
	}
	beside := filepath.Join("..", "contract")
	if _, err := os.Stat(filepath.Join(beside, contract.FileName)); err == nil {
		return beside
	}
	return "contract"
}

// reader reads variables one by one and remembers what is wrong.
type reader struct {
	lookup   Lookup
	problems []error
}

func (r *reader) refuse(name, wrong, allowed string) {
	r.problems = append(r.problems, fmt.Errorf("%s: %s; allowed: %s", name, wrong, allowed))
}

func (r *reader) text(name, fallback string) string {
	if value := r.lookup(name); value != "" {
		return value
	}
	return fallback
}

func (r *reader) port() int { return r.number("PORT", 8080, 65535) }

func (r *reader) milliseconds(name string, fallback int) time.Duration {
	return time.Duration(r.number(name, fallback, longestMs)) * time.Millisecond
}
