# loadlab: every command that people and CI call. `make help` prints the lines with two hashes.
# Options of `loadlab bench` as variables: ENV, GENERATOR, CHECK, ENDPOINTS, VUS, DURATION, ROUNDS, SEED, STUDY, OUT.
# Make turns any failure into its own exit code 2; `npx loadlab …` has the lab's own (docs/exit-codes.md).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
LAB := node lab/bin/loadlab.js
# Without a Node.js that can run it, but with Docker, the lab itself runs in a container.
NODE_OK := $(shell node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 17) ? 0 : 1)' 2>/dev/null && echo yes)
ifeq ($(NODE_OK)$(shell command -v docker >/dev/null || echo no-docker),)
SETUP :=
BENCH := scripts/bench-in-docker.sh
UP = $(if $(filter native,$(ENV)),echo "loadlab: ENV=native needs Node.js 20.17 or later" >&2; exit 3,scripts/compose-up.sh)
else
SETUP := setup native-tools
BENCH := $(LAB) bench
UP = $(LAB) up $(call option,ENV,env)
endif

# A mistyped variable would start the whole study: only these are taken on the command line.
VARIABLES := STUDY ENV GENERATOR CHECK ENDPOINTS VUS DURATION ROUNDS SEED OUT SET
typed = $(filter command,$(firstword $(origin $(1))))
UNKNOWN := $(filter-out $(VARIABLES) SHELL MAKEFLAGS,$(foreach v,$(.VARIABLES),$(if $(call typed,$(v)),$(v))))
$(if $(UNKNOWN),$(error unknown variable $(UNKNOWN): the ones there are: $(VARIABLES)))
# ENV is often exported for something else: it counts on the command line only.
ENV := $(if $(call typed,ENV),$(ENV))

option = $(if $($(1)),--$(2) $($(1)))
BENCH_OPTIONS = $(call option,STUDY,study) $(call option,ENV,env) $(call option,GENERATOR,generator) $(call option,CHECK,check) \
	$(call option,ENDPOINTS,endpoints) $(call option,VUS,vus) $(call option,DURATION,duration) $(call option,ROUNDS,rounds) \
	$(call option,SEED,seed) $(call option,OUT,out)

.PHONY: help bench quick published review up test setup native-tools redis-server lint format clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables of bench, quick and published, as in make bench VUS=50 DURATION=30s:"
	@echo "  STUDY ENV GENERATOR CHECK ENDPOINTS VUS DURATION ROUNDS SEED OUT"

bench: $(SETUP) ## Run the whole study: 16 cells, about 6 minutes
	@$(BENCH) $(BENCH_OPTIONS)

quick: $(SETUP) ## A first look: 2 s per cell, one generation, about 90 s
	@$(BENCH) --quick $(BENCH_OPTIONS)

published: $(SETUP) ## The published protocol: k6, one run of 30 s per cell, 9 minutes
	@$(BENCH) --published $(BENCH_OPTIONS)

review: setup ## Show a result set again: the latest, or SET=results/…
	@$(LAB) review $(SET)

up: $(SETUP) ## Start PostgreSQL, Redis and both APIs, and print what to try
	@$(UP)

test: setup redis-server ## Check format, lint and types; run every test with real servers
	@node dist/scripts/test.js

lint: setup ## Check format, lint and types only
	@node dist/scripts/test.js --static

format: setup ## Format all code
	@npm run --silent format && gofmt -w $(patsubst %/go.mod,%,$(wildcard */go.mod))

setup: node_modules/.package-lock.json ## Install and compile; the other targets call it
	@npm run --silent build

# What servers as processes need; containers bring their own.
native-tools:
	@$(if $(filter compose remote,$(ENV)),:,scripts/system-packages.sh $(if $(filter native,$(ENV)),,--unless-docker))

redis-server:
	@scripts/system-packages.sh

node_modules/.package-lock.json: package.json package-lock.json lab/package.json node-api/package.json k6/package.json
	@command -v node >/dev/null || { echo 'loadlab: neither Node.js nor Docker is here; one of them is needed: https://nodejs.org/ or https://docs.docker.com/engine/install/' >&2; exit 3; }
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); if (a < 20 || (a === 20 && b < 17)) { console.error(`loadlab needs Node.js 20.17 or later, this is $${process.versions.node}: see https://nodejs.org/en/download`); process.exit(3); }'
	@echo "Installing packages (once) …"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch node_modules/.package-lock.json

clean: ## Remove what was built and installed; results stay
	rm -rf node_modules dist node-api/dist go-api/dist lab/node_modules node-api/node_modules
