// Command minimal-twin is what one would write by hand with net/http and pgx
// for speed alone: `npm run bench:apis` measures go-api against it.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5/pgxpool"
)

type product struct {
	ID     int32   `json:"id"`
	Name   string  `json:"name"`
	Price  string  `json:"price"`
	SoldAt *string `json:"soldAt"`
}

type page struct {
	Count    int       `json:"count"`
	Products []product `json:"products"`
}

func main() {
	statement, err := os.ReadFile(os.Getenv("CONTRACT_DIR") + "/sql/products.sql")
	check(err)
	sql, hello := string(statement), []byte(`{"message":"Hello!"}`)
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL")+"?pool_max_conns="+os.Getenv("DB_POOL_SIZE"))
	check(err)
	http.HandleFunc("/health", health)
	http.HandleFunc("/hello", func(w http.ResponseWriter, _ *http.Request) { send(w, hello) })
	http.HandleFunc("/products", func(w http.ResponseWriter, r *http.Request) {
		rows, err := pool.Query(r.Context(), sql)
		check(err)
		found := make([]product, 0, 100)
		for rows.Next() {
			var row product
			check(rows.Scan(&row.ID, &row.Name, &row.Price, &row.SoldAt))
			found = append(found, row)
		}
		check(rows.Err())
		body, err := json.Marshal(page{len(found), found})
		check(err)
		send(w, body)
	})
	log.Fatal(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), nil))
}

func send(w http.ResponseWriter, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // an error means that the client is gone
}
