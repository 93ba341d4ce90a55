// Package testenv says where the tests that need real servers find them.
package testenv

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"loadlab/go-api/internal/contract"
)

// Database is TEST_DATABASE_URL: a PostgreSQL that holds the contract's seed.
// Tests read it and change nothing. Without it the test is skipped.
func Database(t testing.TB) string {
	return need(t, "TEST_DATABASE_URL", "a PostgreSQL that holds the seed")
}

// Redis is TEST_REDIS_URL. Tests put back what they change. Without it the
// test is skipped.
func Redis(t testing.TB) string { return need(t, "TEST_REDIS_URL", "a Redis") }

func need(t testing.TB, name, what string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Skipf("%s is not set: this test needs %s", name, what)
	}
	return value
}

// Contract is the contract of this repository.
func Contract(t testing.TB) *contract.Contract {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	agreed, err := contract.Load(filepath.Join(filepath.Dir(here), "..", "..", "..", "contract"))
	if err != nil {
		t.Fatal(err)
	}
	return agreed
}
