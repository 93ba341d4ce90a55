#!/bin/sh
# docker compose up for use by hand: builds, starts, waits until all is healthy, then says where everything is and what to type next.
# `docker compose down` stops it, `docker compose down --volumes` forgets the rows too.
set -eu
cd "$(dirname "$0")/.."

if ! docker compose up --detach --build --wait; then
    # What a health check said last stands in no log.
    for container in $(docker compose ps --all --quiet); do
        docker inspect --format '{{if .State.Health}}{{if eq .State.Health.Status "unhealthy"}}{{.Name}} is {{.State.Health.Status}}: {{range $i, $check := .State.Health.Log}}{{if not $i}}{{$check.Output}}{{end}}{{end}}{{end}}{{end}}' "$container" >&2
    done
    echo "loadlab: not all containers are up and healthy. \`docker compose logs\` tells more, \`docker compose down --volumes\` removes them." >&2
    echo "  → A port in use? GO_API_PORT, NODE_API_PORT, POSTGRES_PORT, REDIS_PORT choose others; 0 is a free one." >&2
    exit 4
fi

go=http://$(docker compose port go-api 8080)
node=http://$(docker compose port node-api 8080)
cat <<EOT

Ready:
  go           $go
  node         $node
  PostgreSQL   $(docker compose port postgres 5432)
  Redis        $(docker compose port redis 6379)

Try:
  curl -i $go/products-with-cache
  docker compose run --rm -e BASE_URL=http://go-api:8080 -e STACK=go -e VUS=100 \\
    k6 run /scripts/scenarios/products.ts
  docker compose exec redis redis-cli del products:top100
  docker compose --profile bench run --rm loadlab bench

docker compose down --volumes removes it all.
EOT
