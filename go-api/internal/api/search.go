package api

import (
	"net/http"

	"loadlab/go-api/internal/contract"
	"loadlab/go-api/internal/store"
)

func buildSearch(api *API, endpoint contract.Endpoint) (handler, error) {
	if err := require(endpoint.Query != nil, endpoint, "query"); err != nil {
		return nil, err
	}
	search := endpoint.Query.Search
	if err := require(search != nil, endpoint, "query.search"); err != nil {
		return nil, err
	}
	statement, standard := endpoint.Query.SQL, store.Containing(search.Default)
	bad := failure(http.StatusBadRequest, "bad "+search.Parameter, headers{})

	return func(request *http.Request, use *scratch) reply {
		text, found, ok := parameter(request.URL.RawQuery, search.Parameter, search.MaxCodePoints)
		if !ok {
			return bad
		}
		pattern := standard
		if found {
			pattern = store.Containing(text)
		}
		return api.page(request.Context(), use, statement, pattern)
	}, nil
}
