package main

import (
	"strings"
	"testing"
)

func TestConfigureReportsContractAndEnvironmentTogether(t *testing.T) {
	_, _, err := configure(func(name string) string {
		return map[string]string{"CONTRACT_DIR": t.TempDir(), "PORT": "x", "REDIS_URL": "redis://h:1"}[name]
	})
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{"contract.json: $: ", `PORT: "x" is not a whole number`, "DATABASE_URL: not set"} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d: got %q, want %q…", i+1, lines, want)
		}
	}
}

func TestConfigureAcceptsTheRepository(t *testing.T) {
	agreed, settings, err := configure(func(name string) string {
		return map[string]string{
			"CONTRACT_DIR": "../../../contract",
			"DATABASE_URL": "postgres://u:p@h:5432/d",
			"REDIS_URL":    "redis://h:6379/2",
		}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	if settings.DatabasePoolSize != agreed.Pools.Database {
		t.Errorf("got %+v", settings)
	}
}
