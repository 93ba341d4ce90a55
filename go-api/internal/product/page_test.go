package product

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
)

// The expected text was printed by JSON.stringify: see testdata/stringify.mjs.
func TestEncodePrintsWhatStringifyPrints(t *testing.T) {
	var products []Product
	if err := json.Unmarshal(read(t, "products.json"), &products); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if err := Encode(&printed, products); err != nil {
		t.Fatal(err)
	}
	want := read(t, "stringify.json")
	if !bytes.Equal(printed.Bytes(), want) {
		t.Errorf("at byte %d:\n got %q\nwant %q", firstDifference(printed.Bytes(), want), printed.Bytes(), want)
	}
}

func TestEncodePrintsNoProductsAsAnEmptyArray(t *testing.T) {
	for _, products := range [][]Product{nil, {}} {
		var printed bytes.Buffer
		if err := Encode(&printed, products); err != nil {
			t.Fatal(err)
		}
		if got, want := printed.String(), `{"count":0,"products":[]}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestEncodeRefusesWhatIsNotUTF8(t *testing.T) {
	var printed bytes.Buffer
	if err := Encode(&printed, []Product{{Name: "\xff"}}); err == nil {
		t.Errorf("encoded as %q", printed.String())
	}
}

func BenchmarkEncode(b *testing.B) {
	soldAt := "2024-01-01T00:37:49.007907Z"
	products := make([]Product, 100)
	for i := range products {
		products[i] = Product{ID: int32(i), Name: "Box <small>", Price: "326.76", SoldAt: &soldAt}
	}
	var printed bytes.Buffer
	for b.Loop() {
		printed.Reset()
		if err := Encode(&printed, products); err != nil {
			b.Fatal(err)
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
