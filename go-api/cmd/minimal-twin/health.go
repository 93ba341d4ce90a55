package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

const identity = `{"status":"ok","stack":"minimal-net-http","nonce":%q,"version":"0.0.0","pid":%d,` +
	`"runtime":{"name":"go","version":"","parallelism":1,"cpuQuota":null},"pools":{"database":%s,"redis":0},` +
	`"preparedStatements":true,"contractVersion":1,"seedVersion":"1"}`

// health is what the lab asks, to know that the process is its own. It is not
// under load.
func health(w http.ResponseWriter, _ *http.Request) {
	send(w, fmt.Appendf(nil, identity, os.Getenv("LOADLAB_NONCE"), os.Getpid(), os.Getenv("DB_POOL_SIZE")))
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}
