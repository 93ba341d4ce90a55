package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loadlab/go-api/internal/testenv"
)

func environment(changes map[string]string) Lookup {
	return func(name string) string {
		if value, changed := changes[name]; changed {
			return value
		}
		return map[string]string{
			"DATABASE_URL": "postgres://user:secret@localhost:5432/base",
			"REDIS_URL":    "redis://localhost:6379",
		}[name]
	}
}

func TestLoadFollowsTheContract(t *testing.T) {
	agreed := testenv.Contract(t)
	loaded, err := Load(environment(nil), agreed)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Host:             "127.0.0.1",
		Port:             8080,
		DatabaseURL:      "postgres://user:secret@localhost:5432/base",
		RedisURL:         "redis://localhost:6379",
		DatabasePoolSize: agreed.Pools.Database,
		RedisPoolSize:    agreed.Pools.Redis,
		PoolTimeout:      time.Duration(agreed.Limits.PoolTimeoutMs) * time.Millisecond,
		QueryTimeout:     time.Duration(agreed.Limits.QueryTimeoutMs) * time.Millisecond,
		CacheTimeout:     time.Duration(agreed.Limits.CacheTimeoutMs) * time.Millisecond,
		ShutdownTimeout:  time.Duration(agreed.Limits.ShutdownTimeoutMs) * time.Millisecond,
		KeepAliveTimeout: time.Duration(agreed.Limits.KeepAliveTimeoutMs) * time.Millisecond,
	}
	if loaded != want {
		t.Errorf("got %+v\nwant %+v", loaded, want)
	}
}

func TestLoadTakesWhatIsSet(t *testing.T) {
	loaded, err := Load(environment(map[string]string{
		"HOST": "0.0.0.0", "PORT": "65535", "DB_POOL_SIZE": "1", "REDIS_POOL_SIZE": "1000",
		"POOL_TIMEOUT_MS": "1", "QUERY_TIMEOUT_MS": "600000", "LOADLAB_NONCE": "n",
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Host != "0.0.0.0" || loaded.Port != 65535 || loaded.DatabasePoolSize != 1 ||
		loaded.RedisPoolSize != 1000 || loaded.PoolTimeout != time.Millisecond ||
		loaded.QueryTimeout != 10*time.Minute || loaded.Nonce != "n" {
		t.Errorf("got %+v", loaded)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"PORT", "0", "PORT: 0 is out of range; allowed: 1–65535"},
		{"PORT", "65536", "PORT: 65536 is out of range; allowed: 1–65535"},
		{"PORT", "+80", `PORT: "+80" is not a whole number; allowed: 1–65535`},
		{"PORT", "8e3", `PORT: "8e3" is not a whole number; allowed: 1–65535`},
		{"PORT", " 80", `PORT: " 80" is not a whole number; allowed: 1–65535`},
		{"PORT", "99999999999999999999", `PORT: "99999999999999999999" is not a whole number`},
		{"DB_POOL_SIZE", "1001", "DB_POOL_SIZE: 1001 is out of range; allowed: 1–1000"},
		{"REDIS_POOL_SIZE", "-1", `REDIS_POOL_SIZE: "-1" is not a whole number; allowed: 1–1000`},
		{"POOL_TIMEOUT_MS", "0", "POOL_TIMEOUT_MS: 0 is out of range; allowed: 1–600000"},
		{"QUERY_TIMEOUT_MS", "600001", "QUERY_TIMEOUT_MS: 600001 is out of range; allowed: 1–600000"},
		{"CACHE_TIMEOUT_MS", "x", `CACHE_TIMEOUT_MS: "x" is not a whole number`},
		{"SHUTDOWN_TIMEOUT_MS", "1.5", `SHUTDOWN_TIMEOUT_MS: "1.5" is not a whole number`},
		{"KEEP_ALIVE_TIMEOUT_MS", "0", "KEEP_ALIVE_TIMEOUT_MS: 0 is out of range"},
		{"DATABASE_URL", "", "DATABASE_URL: not set; allowed: postgres://user:password@host:port/database"},
		{"DATABASE_URL", "mysql://u:secret@h/d", `DATABASE_URL: scheme "mysql"; allowed: postgres://`},
		{"DATABASE_URL", "postgres://u:secret@h", "DATABASE_URL: no database"},
		{"DATABASE_URL", "postgres://h/d", "DATABASE_URL: no user"},
		{"DATABASE_URL", "postgres://u:secret@/d", "DATABASE_URL: no host"},
		{"DATABASE_URL", "postgres://u:secret@h:x/d", "DATABASE_URL: not a URL: invalid port"},
		{"DATABASE_URL", "postgres://u:secret@h:70000/d", "DATABASE_URL: port 70000 is out of range"},
		{"REDIS_URL", "", "REDIS_URL: not set; allowed: redis://host:port[/db]"},
		{"REDIS_URL", "rediss://h", `REDIS_URL: scheme "rediss"`},
		{"REDIS_URL", "redis://h/x", `REDIS_URL: "x" is not the number of a database`},
		{"REDIS_URL", "redis://h?pool_size=3", "REDIS_URL: a query string"},
	} {
		_, err := Load(environment(map[string]string{test.name: test.value}), nil)
		if err == nil {
			t.Errorf("%s=%q: accepted", test.name, test.value)
			continue
		}
		if !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s=%q: got %q, want %q…", test.name, test.value, err, test.want)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s=%q: tells the password: %q", test.name, test.value, err)
		}
	}
}

func TestLoadNamesEverythingThatIsWrong(t *testing.T) {
	_, err := Load(environment(map[string]string{"PORT": "x", "REDIS_URL": "", "DB_POOL_SIZE": "0"}), nil)
	if err == nil || len(strings.Split(err.Error(), "\n")) != 3 {
		t.Errorf("got %v", err)
	}
}

func TestContractDir(t *testing.T) {
	root := t.TempDir()
	stack := filepath.Join(root, "stack")
	for _, dir := range []string{stack, filepath.Join(root, "contract")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(stack)
	nothing := func(string) string { return "" }
	if got := ContractDir(nothing); got != "contract" {
		t.Errorf("without a contract beside: %q", got)
	}
	if err := os.WriteFile(filepath.Join(root, "contract", "contract.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ContractDir(nothing); got != filepath.Join("..", "contract") {
		t.Errorf("with a contract beside: %q", got)
	}
	if got := ContractDir(func(string) string { return "/chosen" }); got != "/chosen" {
		t.Errorf("with CONTRACT_DIR: %q", got)
	}
}
