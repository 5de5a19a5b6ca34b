# `make help` lists what there is. Nothing here needs more than Python 3.11, make and, the first time, a network.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run test check format lock assets env-example examples screenshots clean

# An emptied environment has no PATH, and apt-get needs the sbin directories.
ifeq ($(PATH),)
export PATH := /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
endif

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PY := .venv/bin/python
SETUP = @test -n "$(PYTHON)" || { echo "Python 3.11 is not installed: apt-get install python3.11 python3-venv"; exit 1; }; \
	"$(PYTHON)" -m app.dev.bootstrap

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "  PORT=8000 HOST=127.0.0.1 DATA_DIR=.data make run   (DATABASE_URL, REDIS_URL: use yours; VERBOSE=1: all output)"
	@echo "  make test ARGS=\"tests/tenancy -k key\"              (ARGS goes to pytest)"

run: ## Start everything: databases, migrations, demo account, web, worker
	$(SETUP) run && exec $(PY) -m app.dev run --end-with-parent

test: ## Run the tests; ARGS="..." goes to pytest
	$(SETUP) dev && exec $(PY) -m pytest -n $${TEST_PROCESSES:-3} --dist loadgroup $(ARGS)

check: ## Format, lint, types, import and source rules, lock files
	$(SETUP) dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	PYTHONPATH=. .venv/bin/lint-imports --no-logo
	$(PY) -m tools.source_rules
	$(PY) -m tools.locks check

format: ## Format the code and mend what ruff can mend
	$(SETUP) dev
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

lock: ## Resolve the lock files again; ARGS="--upgrade" or ARGS="--upgrade-package NAME"
	$(SETUP) dev
	$(PY) -m tools.locks refresh $(ARGS)

assets: ## Fetch the front-end assets into static/vendor
	$(SETUP) assets

env-example: ## Write .env.example from the settings
	$(SETUP) run
	@$(PY) -c 'from app.platform import settings; print(settings.as_env_example(), end="")' > .env.example.part
	@mv .env.example.part .env.example

examples: ## Write the OpenAPI document's example answer again
	$(SETUP) dev
	@$(PY) -m tools.examples

screenshots: ## Take the pictures of docs/screenshots and, of every page, of build/looks
	$(SETUP) dev
	@$(PY) -m pytest -q tests/browser/screenshots.py $(ARGS)

clean: ## Remove .venv, assets and caches; the data in DATA_DIR stays
	rm -rf .venv node_modules static/vendor app/rules/clause_types/*.bin app/rules/rulebook/checked.* build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
