# `make run` and `make test` are all that a new person needs; the rest is for those who work here.
PYTHON ?= python3
BIN := .venv/bin
# Test processes: three for two cores, since they wait for browsers, servers and workers; at most 4. With four for two cores tests that wait for another
# process begin to fail. `make test WORKERS=2` takes another number.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((3 * (os.cpu_count() or 1) + 1) // 2)")

.PHONY: run test test-scale check check-types check-code check-page audit lock format bench bench-graph soak screenshots types clean help

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## set up, index the sample library the first time, serve the page on 127.0.0.1:8000
	@$(PYTHON) scripts/setup.py run
	@$(BIN)/vantage serve --with-sample

test: ## set up what the tests need, and pass them
	@$(PYTHON) scripts/setup.py test
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder
	cd ui && npm test --silent

test-scale: ## several servers at once, for minutes: three nodes of OpenSearch, a bad network, the same answers on PostgreSQL, Redis and OpenSearch
	@$(PYTHON) scripts/setup.py test
	$(BIN)/python -m pytest -m scale tests/scale

check: ## format, lint, types, imports, sizes, complexity, patterns, names, the page's types; two at a time
	@$(PYTHON) scripts/setup.py test
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-types check-code check-page

check-types: # a third of the whole, and more where mypy has kept nothing: it is begun first
	$(BIN)/mypy

check-code:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.check_sizes
	$(BIN)/python -m scripts.check_complexity
	$(BIN)/python -m scripts.check_patterns
	$(BIN)/python -m scripts.check_names

check-page:
	$(BIN)/python -m server.openapi | diff -u ui/openapi.json - || (echo "The API changed: run make types" && false)
	cd ui && npm run --silent check && npm run --silent size

audit: ## which pinned packages have known vulnerabilities (asks PyPI and the npm registry)
	@$(PYTHON) -m scripts.audit

lock: ## write locks/*.txt, the hashes of the pins in constraints.txt, anew (asks the registry that pip asks)
	@$(BIN)/python -m scripts.lock

types: ## regenerate the page's API types from the app's schema, the tables of formats from the readers, and those of legs
	$(BIN)/python -m scripts.write_formats
	$(BIN)/python -m scripts.write_legs
	$(BIN)/python -m server.openapi > ui/openapi.json
	cd ui && npm run --silent types

format: ## format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: ## every benchmark's table (minutes); a part with make bench ONLY=engine
	@$(PYTHON) scripts/setup.py test
	$(BIN)/python -m benchmarks $(ONLY)

bench-graph: ## what was promised of the knowledge graph beside today's figures; a part with ONLY="detection lazy", in pieces with KEEP=FILE
	@$(PYTHON) scripts/setup.py test
	$(BIN)/python -m benchmarks.graph_promises $(ONLY) $(if $(KEEP),--keep $(KEEP))

soak: ## hours in minutes: 10,000 random changes in watched folders, with kills, compared with a fresh index; 20 kills of workers
	@$(PYTHON) scripts/setup.py test
	$(BIN)/python -m scripts.soak watcher --operations 10000 --seed 1
	VANTAGE_SOAK_KILLS=20 $(BIN)/python -m pytest -q tests/integration/test_worker_kills.py --timeout 1800

screenshots: ## photograph every view: VANTAGE_URL (sample library), EMPTY_URL (nothing indexed), MOCK_URL (cd ui && npm run mock)
	cd ui && npm run --silent screenshots

clean: ## remove what was built here; VANTAGE_HOME stays
	rm -rf .venv build dist *.egg-info ui/node_modules ui/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
