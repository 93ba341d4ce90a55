package contract

import (
	"errors"
	"fmt"
	"regexp"
)

var (
	// A path is served exactly as it is sent, so it holds nothing that a client
	// could write in a second way.
	pathPattern      = regexp.MustCompile(`^(/[a-z0-9_-]+)+$`)
	parameterPattern = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
)

// reserved are the paths that every stack serves beside the contract's.
var reserved = map[string]bool{"/health": true, "/stats": true}

// problems gathers everything that is wrong, so that one start shows it all.
type problems struct{ list []error }

func (p *problems) add(path, format string, arguments ...any) {
	p.list = append(p.list, fmt.Errorf("%s: %s: %s", FileName, path, fmt.Sprintf(format, arguments...)))
}

func (p *problems) number(path string, value, low, high int) {
	if value < low || value > high {
		p.add(path, "%d, or missing; expected: a whole number, %d–%d", value, low, high)
	}
}

func (p *problems) err() error { return errors.Join(p.list...) }

func (c *Contract) validate(found *problems) {
	if c.Version != Version {
		found.add("$.version", "version %d; this stack reads version %d", c.Version, Version)
	}
	if len(c.Endpoints) == 0 {
		found.add("$.endpoints", "no endpoints")
	}
	ids, paths := map[string]bool{}, map[string]bool{}
	for _, endpoint := range c.Endpoints {
		endpoint.validate(found)
		if ids[endpoint.ID] {
			found.add(endpoint.At+".id", "%q occurs twice", endpoint.ID)
		}
		if paths[endpoint.Path] {
			found.add(endpoint.At+".path", "%q occurs twice", endpoint.Path)
		}
		ids[endpoint.ID], paths[endpoint.Path] = true, true
	}
	if c.Seed.Version == "" {
		found.add("$.seed.version", "missing or empty")
	}
	found.number("$.pools.database", c.Pools.Database, 1, 1000)
	found.number("$.pools.redis", c.Pools.Redis, 1, 1000)
	c.Limits.validate(found)
}

func (l Limits) validate(found *problems) {
	const longest = 600_000
	found.number("$.limits.poolTimeoutMs", l.PoolTimeoutMs, 1, longest)
	found.number("$.limits.queryTimeoutMs", l.QueryTimeoutMs, 1, longest)
	found.number("$.limits.cacheTimeoutMs", l.CacheTimeoutMs, 1, longest)
	found.number("$.limits.shutdownTimeoutMs", l.ShutdownTimeoutMs, 1, longest)
	found.number("$.limits.keepAliveTimeoutMs", l.KeepAliveTimeoutMs, 1, longest)
	found.number("$.limits.maxHeaderBytes", l.MaxHeaderBytes, 8192, 1<<20)
	found.number("$.limits.retryAfterSeconds", l.RetryAfterSeconds, 1, 3600)
}

func (e Endpoint) validate(found *problems) {
	if e.ID == "" {
		found.add(e.At+".id", "missing or empty")
	}
	switch {
	case !pathPattern.MatchString(e.Path):
		found.add(e.At+".path", "%q; expected: /segments of a–z, 0–9, - and _, without a trailing slash", e.Path)
	case reserved[e.Path]:
		found.add(e.At+".path", "%q is the stack's own", e.Path)
	}
	if query := e.Query; query != nil {
		query.validate(e.At+".query", found)
	}
	if cache := e.Cache; cache != nil {
		if cache.Key == "" {
			found.add(e.At+".cache.key", "missing or empty")
		}
		found.number(e.At+".cache.ttlSeconds", cache.TTLSeconds, 1, 1<<31-1)
	}
}

func (q Query) validate(at string, found *problems) {
	if q.File == "" {
		found.add(at+".file", "missing or empty")
	}
	found.number(at+".expectedCount", q.ExpectedCount, 1, 1_000_000)
	if search := q.Search; search != nil {
		if !parameterPattern.MatchString(search.Parameter) {
			found.add(at+".search.parameter", "%q; expected: a–z first, then a–z, 0–9, - or _", search.Parameter)
		}
		found.number(at+".search.maxCodePoints", search.MaxCodePoints, 1, 10_000)
	}
}
