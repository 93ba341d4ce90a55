package api

import (
	"net/http"

	"loadlab/go-api/internal/contract"
)

func buildHello(*API, contract.Endpoint) (handler, error) {
	hello := fixed(http.StatusOK, `{"message":"Hello!"}`, headers{})
	return func(*http.Request, *scratch) reply { return hello }, nil
}
