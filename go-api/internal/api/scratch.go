package api

import (
	"bytes"
	"sync"

	"loadlab/go-api/internal/product"
)

// scratch is the memory of one request, used again by later ones.
type scratch struct {
	rows []product.Product
	body bytes.Buffer
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release gives the scratch back, without the texts of its rows: they would
// be kept alive for nothing.
func (s *scratch) release() {
	clear(s.rows)
	scratches.Put(s)
}
