package api

import (
	"context"
	"errors"
	"net/http"

	"loadlab/go-api/internal/contract"
	"loadlab/go-api/internal/product"
	"loadlab/go-api/internal/store"
)

func buildProducts(api *API, endpoint contract.Endpoint) (handler, error) {
	if err := require(endpoint.Query != nil, endpoint, "query"); err != nil {
		return nil, err
	}
	statement := endpoint.Query.SQL
	return func(request *http.Request, use *scratch) reply {
		return api.page(request.Context(), use, statement)
	}, nil
}

// page asks the database and encodes the rows into the scratch.
func (a *API) page(ctx context.Context, use *scratch, statement string, arguments ...any) reply {
	rows, err := a.store.Products(ctx, use.rows[:0], statement, arguments...)
	use.rows = rows
	if err != nil {
		return a.databaseFailure(err)
	}
	a.database.Worked()
	use.body.Reset()
	if err := product.Encode(&use.body, rows); err != nil {
		return a.defect(err)
	}
	return reply{status: http.StatusOK, body: use.body.Bytes()}
}

func (a *API) databaseFailure(err error) reply {
	// A full pool is a matter of load, not an outage.
	if errors.Is(err, store.ErrBusy) {
		return a.busy
	}
	a.database.Failed(err)
	return a.unavailable
}
