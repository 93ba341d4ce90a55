#!/bin/sh
# The whole study on a machine that has Docker and no Node.js: everything is built and run in containers of a project of its own,
# which is removed afterwards. Arguments are those of `loadlab bench`. The result set comes to results/, as its owner's.
set -eu
cd "$(dirname "$0")/.."
command -v docker >/dev/null 2>&1 || {
    echo "loadlab: neither Node.js nor Docker is here; one of them is needed: https://nodejs.org/ or https://docs.docker.com/engine/install/" >&2
    exit 3
}

# Options that mean this machine, which the lab in its container does not see.
for option in "$@"; do
    case $option in
        --out | --out=*)
            echo "loadlab: --out (OUT) is for a lab on this machine, and without Node.js it runs in a container: sets come to results/" >&2
            exit 2 ;;
        --env | --env=*)
            echo "loadlab: --env (ENV) is for a lab on this machine, and without Node.js it runs in a container: leave it out" >&2
            exit 2 ;;
        k6 | --generator=k6 | --published) LOADLAB_TARGET=with-k6 ;;
    esac
done

COMPOSE_PROJECT_NAME=loadlab-bench-$$
BENCH_NETWORK=$COMPOSE_PROJECT_NAME
# 0: whichever ports the engine finds free.
GO_API_PORT=0 NODE_API_PORT=0 POSTGRES_PORT=0 REDIS_PORT=0
LOADLAB_TARGET=${LOADLAB_TARGET:-builtin}
export COMPOSE_PROJECT_NAME BENCH_NETWORK GO_API_PORT NODE_API_PORT POSTGRES_PORT REDIS_PORT LOADLAB_TARGET

# Ctrl-C goes to the lab in its container, which saves what it has; this shell waits for it, then removes the containers. The lab's
# own may outlive the client that started it: it is asked to end, and given the time for it.
trap : INT
trap 'exit 143' TERM HUP
trap 'docker compose --profile "*" down --volumes --remove-orphans --timeout 10 >/dev/null 2>&1' EXIT
[ -t 1 ] && terminal= || terminal=-T
docker compose --profile bench build --quiet
docker compose --profile bench run --rm $terminal loadlab bench "$@"
