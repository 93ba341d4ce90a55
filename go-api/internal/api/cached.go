package api

import (
	"bytes"
	"errors"
	"net/http"

	"loadlab/go-api/internal/cache"
	"loadlab/go-api/internal/contract"
)

func buildCached(api *API, endpoint contract.Endpoint) (handler, error) {
	if err := require(endpoint.Query != nil, endpoint, "query"); err != nil {
		return nil, err
	}
	if err := require(endpoint.Cache != nil, endpoint, "cache"); err != nil {
		return nil, err
	}
	statement, entry := endpoint.Query.SQL, *endpoint.Cache

	return func(request *http.Request, use *scratch) reply {
		ctx := request.Context()
		body, getErr := api.cache.Get(ctx, entry.Key)
		if getErr == nil && usable(body) {
			api.redis.Worked()
			return reply{status: http.StatusOK, body: body, headers: headers{xCache: cacheHit}}
		}
		answer := api.page(ctx, use, statement)
		if answer.status != http.StatusOK {
			return answer
		}
		answer.headers.xCache = cacheMiss
		if errors.Is(getErr, cache.ErrAway) {
			// One time-out a request, not two: the SET is not tried.
			api.redis.Failed(getErr)
			return answer
		}
		if err := api.cache.Set(ctx, entry.Key, answer.body, entry.TTL()); err != nil {
			api.redis.Failed(err)
			return answer
		}
		api.redis.Worked()
		return answer
	}, nil
}

var entryStart, entryEnd = []byte(`{"count":`), []byte(`]}`)

// usable catches an entry that is empty, cut off or foreign without parsing it
// on the hot path.
func usable(entry []byte) bool {
	return bytes.HasPrefix(entry, entryStart) && bytes.HasSuffix(entry, entryEnd)
}
