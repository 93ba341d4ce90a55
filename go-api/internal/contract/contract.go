// Package contract reads contract.json, which says what every stack must do,
// and refuses a broken one with the JSON path of what is wrong.
package contract

import "time"

// Version is the version of contract.json that this stack understands.
const Version = 1

// Contract is the part of contract.json that a stack needs. Fields that it
// does not know are left alone: the lab reads the same file and needs more.
type Contract struct {
	Version   int        `json:"version"`
	Endpoints []Endpoint `json:"endpoints"`
	Seed      Seed       `json:"seed"`
	Pools     Pools      `json:"pools"`
	Limits    Limits     `json:"limits"`
}

// Seed says what the database holds.
type Seed struct {
	Version string `json:"version"`
}

// Endpoint is one path that a stack serves.
type Endpoint struct {
	ID    string `json:"id"`
	Path  string `json:"path"`
	Query *Query `json:"query"`
	Cache *Cache `json:"cache"`

	// At is where the endpoint stands in contract.json, such as
	// "$.endpoints[1]": for errors that only a handler can find.
	At string `json:"-"`
}

// Query is the SQL behind an endpoint.
type Query struct {
	File          string  `json:"file"`
	ExpectedCount int     `json:"expectedCount"`
	Search        *Search `json:"search"`

	// SQL is the text of File, character for character.
	SQL string `json:"-"`
}

// Search says which query-string parameter is searched for, and how.
type Search struct {
	Parameter     string `json:"parameter"`
	Default       string `json:"default"`
	MaxCodePoints int    `json:"maxCodePoints"`
}

// Cache names the entry that holds an endpoint's body.
type Cache struct {
	Key        string `json:"key"`
	TTLSeconds int    `json:"ttlSeconds"`
}

// TTL is the time to live of the entry.
func (c Cache) TTL() time.Duration { return time.Duration(c.TTLSeconds) * time.Second }

// Pools are the default sizes of the connection pools.
type Pools struct {
	Database int `json:"database"`
	Redis    int `json:"redis"`
}

// Limits are the default time limits, in milliseconds, and what HTTP needs.
type Limits struct {
	PoolTimeoutMs      int `json:"poolTimeoutMs"`
	QueryTimeoutMs     int `json:"queryTimeoutMs"`
	CacheTimeoutMs     int `json:"cacheTimeoutMs"`
	ShutdownTimeoutMs  int `json:"shutdownTimeoutMs"`
	KeepAliveTimeoutMs int `json:"keepAliveTimeoutMs"`
	MaxHeaderBytes     int `json:"maxHeaderBytes"`
	RetryAfterSeconds  int `json:"retryAfterSeconds"`
}
