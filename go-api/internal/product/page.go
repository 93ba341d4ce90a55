// Package product is what the endpoints answer with, printed as
// JSON.stringify prints it.
package product

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
)

// Product is one row. Numbers that JavaScript could round, and times that it
// would cut to milliseconds, travel as text.
type Product struct {
	ID     int32   `json:"id"`
	Name   string  `json:"name"`
	Price  string  `json:"price"`
	SoldAt *string `json:"soldAt"`
}

type page struct {
	Count    int       `json:"count"`
	Products []Product `json:"products"`
}

// Encode appends {"count":…,"products":[…]} to out. It fails on a name that is
// not UTF-8, which a UTF-8 database does not hold.
//
// encoding/json would escape <, >, &, U+2028 and U+2029, which JSON.stringify
// does not.
func Encode(out *bytes.Buffer, products []Product) error {
	if err := json.MarshalWrite(out, page{Count: len(products), Products: products}); err != nil {
		return fmt.Errorf("encode products: %w", err)
	}
	return nil
}
