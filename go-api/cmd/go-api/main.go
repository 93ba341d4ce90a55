// Command go-api is loadlab's Go stack: net/http, pgx and go-redis behind the
// contract that every stack answers by.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"loadlab/go-api/internal/api"
	"loadlab/go-api/internal/cache"
	"loadlab/go-api/internal/cgroup"
	"loadlab/go-api/internal/config"
	"loadlab/go-api/internal/contract"
	"loadlab/go-api/internal/events"
	"loadlab/go-api/internal/server"
	"loadlab/go-api/internal/store"
)

// version is the stack's own, as /health tells it.
const version = "0.1.0"

// Exit codes, the same in every stack.
const (
	exitOK = iota
	exitFailed
	exitMisconfigured
)

func main() {
	if len(os.Args) > 1 {
		os.Exit(subcommand(os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
	}
	os.Exit(run())
}

func run() int {
	logger := events.New(os.Stderr)
	agreed, settings, err := configure(os.Getenv)
	if err != nil {
		return misconfigured(err)
	}
	cache.LogTo(logger)
	database, err := store.Open(store.Options{
		URL:          settings.DatabaseURL,
		PoolSize:     settings.DatabasePoolSize,
		PoolTimeout:  settings.PoolTimeout,
		QueryTimeout: settings.QueryTimeout,
	})
	if err != nil {
		return misconfigured(fmt.Errorf("DATABASE_URL: %w", err))
	}
	redis, err := cache.Open(cache.Options{
		URL:      settings.RedisURL,
		PoolSize: settings.RedisPoolSize,
		Timeout:  settings.CacheTimeout,
	})
	if err != nil {
		return misconfigured(fmt.Errorf("REDIS_URL: %w", err))
	}
	draining := new(atomic.Bool)
	handler, err := api.New(api.Options{
		Contract: agreed,
		Store:    database,
		Cache:    redis,
		Logger:   logger,
		Draining: draining,
		Identity: api.Identity{
			Stack:            "go-api",
			Version:          version,
			Nonce:            settings.Nonce,
			DatabasePoolSize: settings.DatabasePoolSize,
			RedisPoolSize:    settings.RedisPoolSize,
			CPUQuota:         cgroup.CPUQuota(),
		},
	})
	if err != nil {
		return misconfigured(err)
	}
	return serve(logger, server.Options{
		Host:             settings.Host,
		Port:             settings.Port,
		Handler:          handler,
		Logger:           logger,
		Draining:         draining,
		MaxHeaderBytes:   agreed.Limits.MaxHeaderBytes,
		KeepAliveTimeout: settings.KeepAliveTimeout,
		ShutdownTimeout:  settings.ShutdownTimeout,
	}, database, redis)
}

// configure reads the contract and the environment, and reports what is wrong
// with either.
func configure(lookup config.Lookup) (*contract.Contract, config.Config, error) {
	agreed, contractErr := contract.Load(config.ContractDir(lookup))
	settings, configErr := config.Load(lookup, agreed)
	return agreed, settings, errors.Join(contractErr, configErr)
}

func misconfigured(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return exitMisconfigured
}

func serve(logger *slog.Logger, options server.Options, database *store.Store, redis *cache.Cache) int {
	listening, err := server.Listen(options)
	if err != nil {
		logger.Error("listen-failed", "error", err.Error())
		return exitFailed
	}
	ctx := untilSignal(logger)
	logger.Info("listening", "url", listening.URL())
	if err := listening.Serve(ctx); err != nil {
		logger.Error("stopped", "error", err.Error())
		return exitFailed
	}
	// Every request has been answered, so nothing is in use any more.
	database.Close()
	if err := redis.Close(); err != nil {
		logger.Warn("cache-close", "error", err.Error())
	}
	logger.Info("stopped")
	return exitOK
}

// untilSignal ends its context at the first SIGTERM or SIGINT. The second one
// ends the process: whoever sends it does not want to wait.
func untilSignal(logger *slog.Logger) context.Context {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		logger.Info("stopping", "signal", (<-signals).String())
		stop()
		logger.Error("stopped", "signal", (<-signals).String(), "error", "a second signal")
		os.Exit(exitFailed)
	}()
	return ctx
}
