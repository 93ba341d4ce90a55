package contract

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const valid = `{
  "version": 1,
  "endpoints": [
    {"id": "hello", "path": "/hello", "title": "more than a stack reads"},
    {"id": "products", "path": "/products",
     "query": {"file": "sql/products.sql", "expectedCount": 100,
               "search": {"parameter": "q", "default": "x", "maxCodePoints": 100}},
     "cache": {"key": "k", "ttlSeconds": 60}}
  ],
  "seed": {"version": "1", "rows": 10000},
  "pools": {"database": 25, "redis": 25},
  "limits": {"poolTimeoutMs": 1, "queryTimeoutMs": 1, "cacheTimeoutMs": 1, "shutdownTimeoutMs": 1,
             "keepAliveTimeoutMs": 1, "maxHeaderBytes": 16384, "retryAfterSeconds": 1}
}`

func TestLoadReadsTheContractOfTheRepository(t *testing.T) {
	loaded, err := Load(filepath.Join("..", "..", "..", "contract"))
	if err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range loaded.Endpoints {
		if endpoint.Query != nil && !strings.HasPrefix(endpoint.Query.SQL, "SELECT") {
			t.Errorf("%s: SQL is %q", endpoint.ID, endpoint.Query.SQL)
		}
	}
}

func TestLoadNamesFileAndPath(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"a syntax error", `"version": 1,`, `"version": 1`, `contract.json: $: not valid JSON at byte 19: `},
		{"a name twice", `"version": 1,`, `"version": 1, "version": 1,`, `contract.json: $.version: not valid JSON`},
		{"another type", `"/hello"`, `7`, `contract.json: $.endpoints[0].path: a JSON number cannot be here; expected: a string`},
		{"a fraction", `"database": 25`, `"database": 2.5`, `contract.json: $.pools.database: a JSON number cannot be here; expected: a whole number`},
		{"an object for an array", `"endpoints": [`, `"endpoints": {}, "other": [`, `contract.json: $.endpoints: an object cannot be here; expected: an array`},
		{"another version", `"version": 1`, `"version": 2`, `contract.json: $.version: version 2; this stack reads version 1`},
		{"no seed", `"seed": {"version": "1", `, `"seed": {`, `contract.json: $.seed.version: missing or empty`},
		{"a missing number", `"redis": 25`, `"redi": 25`, `contract.json: $.pools.redis: 0, or missing; expected: a whole number, 1–1000`},
		{"a limit out of range", `"cacheTimeoutMs": 1`, `"cacheTimeoutMs": 600001`, `contract.json: $.limits.cacheTimeoutMs: 600001`},
		{"no id", `"id": "hello", `, ``, `contract.json: $.endpoints[0].id: missing or empty`},
		{"an id twice", `"id": "products"`, `"id": "hello"`, `contract.json: $.endpoints[1].id: "hello" occurs twice`},
		{"a path twice", `"/products"`, `"/hello"`, `contract.json: $.endpoints[1].path: "/hello" occurs twice`},
		{"a trailing slash", `"/hello"`, `"/hello/"`, `contract.json: $.endpoints[0].path: "/hello/"; expected`},
		{"an escape in a path", `"/hello"`, `"/%68ello"`, `contract.json: $.endpoints[0].path: "/%68ello"; expected`},
		{"a path of the stack", `"/hello"`, `"/health"`, `contract.json: $.endpoints[0].path: "/health" is the stack's own`},
		{"no cache key", `"key": "k"`, `"key": ""`, `contract.json: $.endpoints[1].cache.key: missing or empty`},
		{"no time to live", `"ttlSeconds": 60`, `"ttlSeconds": 0`, `contract.json: $.endpoints[1].cache.ttlSeconds: 0`},
		{"an empty parameter", `"parameter": "q"`, `"parameter": ""`, `contract.json: $.endpoints[1].query.search.parameter: ""`},
		{"no SQL file", `"sql/products.sql"`, `"sql/absent.sql"`, `contract.json: $.endpoints[1].query.file: open `},
		{"a file elsewhere", `"sql/products.sql"`, `"../secret"`, `contract.json: $.endpoints[1].query.file: "../secret" leaves`},
		{"an empty file", `"sql/products.sql"`, `"sql/empty.sql"`, `contract.json: $.endpoints[1].query.file: sql/empty.sql is empty`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(valid, test.old, test.new, 1)
			if text == valid {
				t.Fatalf("%q does not occur", test.old)
			}
			_, err := Load(folder(t, text))
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %q, want %q…", err, test.want)
			}
		})
	}
}

func TestLoadNamesEverythingThatIsWrong(t *testing.T) {
	text := strings.NewReplacer(`"database": 25`, `"database": 0`, `"id": "hello"`, `"id": ""`).Replace(valid)
	_, err := Load(folder(t, text))
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "$.pools.database") }) {
		t.Errorf("got %q", lines)
	}
}

func TestLoadSaysWhichFileIsMissing(t *testing.T) {
	_, err := Load(t.TempDir())
	if err == nil || !strings.HasPrefix(err.Error(), "contract.json: $: ") {
		t.Errorf("got %v", err)
	}
}

func folder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sql"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		FileName: text, "sql/products.sql": "SELECT 1", "sql/empty.sql": " \n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
