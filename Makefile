# Everything below works on a fresh machine with Python (3.10 or newer), Node and make.
# What is installed goes into .venv, and nowhere else; but for the editors that are tested
# with, which `make editors` installs with apt where it is root.

PYTHON ?= python3
# Test processes. 2 is right for a small machine; JOBS=auto takes all cores.
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
# Newer than pyproject.toml when all that it names is installed.
INSTALLED := $(VENV)/.installed
# There when the editors for tests/editors are.
EDITORS := $(VENV)/.editors
BENCHES := tests/bench/startup.py tests/bench/core.py tests/bench/check.py tests/bench/server.py
# What we are measured beside; node_modules of its own, because it is no part of msgls.
BENCH_NODE := .bench-node
RIVALS := $(VENV)/.rivals

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test editors lint format docs bench fuzz clean distclean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: $(INSTALLED) ## Make .venv and install everything into it

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 10) or sys.exit("msgls needs Python 3.10 or newer, and $(PYTHON) is " + sys.version.split()[0] + "; name another by: make PYTHON=...")'
	@test -x $(BIN)/python || { echo "making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing msgls and its tools into $(VENV)"
	@$(BIN)/python -m pip --disable-pip-version-check --no-input -qq install --editable '.[dev]'
# Compiled now, so that the first start is as fast as any, whoever may write where.
	@$(BIN)/python -m compileall -q server/msgls
	@touch $@

run: $(INSTALLED) ## Show the outline of the examples, and what is wrong with one
	@$(BIN)/msgls outline examples
	@echo
	@$(BIN)/msgls check examples --exit-zero

test: lint editors ## Lint, then run all tests but the long ones
	$(BIN)/pytest -n $(JOBS) -m 'not fuzz'

editors: $(INSTALLED) ## Install Neovim and Emacs for the tests, where that may be done
	@sh tests/editors/install.sh $(EDITORS)

lint: $(INSTALLED) ## Check style, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(INSTALLED) ## Format the Python code, and mend what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(INSTALLED) ## Write the pages of the rules and the README's table
	@$(BIN)/python tools/generate.py

$(RIVALS): $(INSTALLED)
	@echo "installing what the benchmarks measure us beside"
	@$(BIN)/python -m pip --disable-pip-version-check --no-input -qq install rumdl
	@mkdir -p $(BENCH_NODE) && echo '{"private": true}' > $(BENCH_NODE)/package.json
	@cd $(BENCH_NODE) && npm install --silent --no-audit --no-fund markdownlint-cli2
	@touch $@

bench: $(RIVALS) ## Run the benchmarks, one after the other
	@set -e; for bench in $(BENCHES); do echo "== $$bench"; PYTHONPATH=. $(BIN)/python "$$bench"; done

fuzz: $(INSTALLED) ## Run the long tests, and the property tests with many examples
	HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -n $(JOBS) -m 'fuzz or hypothesis'

clean: ## Remove caches and what was built
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find server tests -type d -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## Remove .venv too
	rm -rf $(VENV) $(BENCH_NODE)
