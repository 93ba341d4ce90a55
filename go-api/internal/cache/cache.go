// Package cache keeps bodies in Redis, and never lets a Redis that is away or
// slow hold up a request for longer than one time-out.
package cache

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// ErrMiss says that Redis answered, and holds nothing for the key. An entry of
// another type is a miss too: Set replaces it.
var ErrMiss = errors.New("no such entry")

// ErrAway says that Redis did not answer: a time-out, or no connection.
// A second command of the same request would most likely wait in vain.
var ErrAway = errors.New("redis did not answer")

// Options say where Redis is and how long a command may take.
type Options struct {
	URL      string
	PoolSize int
	Timeout  time.Duration
}

// Cache is safe for concurrent use.
type Cache struct {
	client  *redis.Client
	timeout time.Duration
}

// Open prepares the pool. It connects to nothing.
func Open(options Options) (*Cache, error) {
	settings, err := redis.ParseURL(options.URL)
	if err != nil {
		return nil, fmt.Errorf("parse the Redis URL: %w", err)
	}
	settings.PoolSize = options.PoolSize
	settings.PipelinePoolSize = -1 // nothing is pipelined
	settings.ContextTimeoutEnabled = true
	settings.DialTimeout = options.Timeout
	settings.ReadTimeout = options.Timeout
	settings.WriteTimeout = options.Timeout
	settings.PoolTimeout = options.Timeout
	// One try each: the database answers at once instead. While dials fail, the
	// pool refuses without dialling and probes once a second by itself, so the
	// cache is back within about a second of Redis.
	settings.MaxRetries = -1
	settings.DialerRetries = 1
	settings.ConnMaxIdleTime = -1
	// Nothing but GET and SET goes over the wire.
	settings.Protocol = 2
	settings.DisableIdentity = true
	settings.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}

	return &Cache{client: redis.NewClient(settings), timeout: options.Timeout}, nil
}

// Close closes every connection.
func (c *Cache) Close() error { return c.client.Close() }

// Get returns the entry of key, ErrMiss, ErrAway, or another error that Redis
// itself answered with.
func (c *Cache) Get(ctx context.Context, key string) ([]byte, error) {
	bounded, cancel := c.bound(ctx)
	defer cancel()
	value, err := c.client.Get(bounded, key).Bytes()
	switch {
	case err == nil:
		return value, nil
	case errors.Is(err, redis.Nil) || redis.HasErrorPrefix(err, "WRONGTYPE"):
		return nil, ErrMiss
	default:
		return nil, classify("GET", err)
	}
}

// Set stores value under key for ttl, whatever was there.
func (c *Cache) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	bounded, cancel := c.bound(ctx)
	defer cancel()
	if err := c.client.Set(bounded, key, value, ttl).Err(); err != nil {
		return classify("SET", err)
	}
	return nil
}

// Ping asks whether Redis answers.
func (c *Cache) Ping(ctx context.Context) error {
	bounded, cancel := c.bound(ctx)
	defer cancel()
	if err := c.client.Ping(bounded).Err(); err != nil {
		return classify("PING", err)
	}
	return nil
}

// bound gives a command, with its waiting for a connection, one time-out. A
// client that goes away does not cancel it: the connection would be lost.
func (c *Cache) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), c.timeout)
}

func classify(command string, err error) error {
	if _, answered := errors.AsType[redis.Error](err); answered {
		return fmt.Errorf("%s: %w", command, err)
	}
	return fmt.Errorf("%s: %w: %w", command, ErrAway, err)
}
