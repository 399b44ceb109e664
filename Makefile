# Everything below works on a fresh machine with Python (3.11 or newer), Node and make.
# What is installed goes into the checkout: .venv, .vscode-test and folders node_modules; but for
# the editors that are tested with, which `make editors` installs with apt where it is root.

PYTHON ?= python3
# Test processes. 2 is right for a small machine; JOBS=auto takes all cores.
JOBS ?= 2
# Editors wait more than they compute.
EDITOR_JOBS ?= 3
# Empty where there is no npm: then what needs it is left out, and that is said.
NPM := $(shell command -v npm 2> /dev/null)
# How many type at a time in `make typing`: twelve are all, and then it takes about as long as the
# longest page at the slowest speed. Most of the time they wait for the next key; a VS Code needs about
# 0.025 s of a core for each key, nearly all of it in plain text without our extension as well, and
# 0.7 GB of memory.
TYPISTS ?= $(shell expr 6 \* "$$(getconf _NPROCESSORS_ONLN)")
RANDOM_EDITING := tests/editors/vscode/test_editing.py
# How many times in a row.
TIMES ?= 1
EVERYDAY := 'not fuzz and not typing'
# For tests that may take longer than any test of every day.
UNHURRIED := -o faulthandler_timeout=7200

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
# Newer than pyproject.toml when all that it names is installed.
INSTALLED := $(VENV)/.installed
BENCHES := tests/bench/startup.py tests/bench/core.py tests/bench/check.py tests/bench/assemble.py tests/bench/importing.py tests/bench/server.py tests/bench/asking.py tests/bench/scale.py
# What we are measured beside; node_modules of its own, because it is no part of msgls.
BENCH_NODE := .bench-node
RIVALS := $(VENV)/.rivals
# There when what the tests of the grammars need is.
GRAMMARS := tests/grammars/node_modules/.package-lock.json
CLIENT := client-vscode
# Newer than the lock file when the client's tools are installed.
CLIENT_TOOLS := $(CLIENT)/node_modules/.installed
# A VS Code for the browser, which `make run` shows and tests/editors/vscode drives.
VSCODE := .vscode-test
# There when the editors for tests/editors are.
EDITORS := $(VSCODE)/.editors
DRIVER := tests/editors/vscode
# What the server is made a program with, and the name of this system among VS Code's.
STANDALONE := build/standalone
TARGET = $(shell node -p 'process.platform + "-" + process.arch')
DRIVER_TOOLS := $(DRIVER)/node_modules/.installed
RUN_VSCODE = node tools/vscode/run.mjs --vsix dist/msgls-$(VERSION).vsix --python $(BIN)/python \
	$(if $(FOLDER),--folder '$(FOLDER)') $(ARGS)
LOCK = .lock/bin/uv pip compile pyproject.toml --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-annotate --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' server/msgls/__init__.py)

# The tests start hundreds of processes, and pytest rewrites five hundred modules in each of its own:
# what is compiled once is kept, in folders __pycache__.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run run-desktop demo vscode newest screenshots standalone test test-server test-editors typing editors grammars lint format docs translations vsix lint-client test-client lock audit bench compare-secrets compare-notebooks fuzz soak sbom coverage clean distclean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(INSTALLED) ## Make .venv and install everything into it

$(INSTALLED): pyproject.toml requirements/dev.txt
# Installed through a link, the package of the other folder would be this one.
	@test ! -L $(VENV) || { echo "$(VENV) is a link to $$(readlink $(VENV)), into which nothing is installed from here; remove the link, and make will make one of its own" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("msgls needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + "; name another by: make PYTHON=...")'
	@test -x $(BIN)/python || { echo "making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing msgls and its tools into $(VENV)"
	@$(PIP) install --require-hashes --requirement requirements/dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
# Compiled now, so that the first start is as fast as any, whoever may write where.
	@$(BIN)/python -m compileall -q server/msgls
	@touch $@

run: vsix ## Open a real VS Code with the extension on examples/ (or FOLDER=...) in the browser
	@node tools/vscode/install.mjs $(VSCODE)/vscode
	@$(RUN_VSCODE) --vscode $(VSCODE)/vscode --place $(VSCODE)/run

run-desktop: vsix ## The same in the VS Code of your desktop, apart from your own settings
	@$(RUN_VSCODE) --desktop --place $(VSCODE)/desktop

demo: $(INSTALLED) ## Show the outline of the examples, and what is wrong with them
	@$(BIN)/msgls outline examples
	@echo
	@$(BIN)/msgls check examples --exit-zero

# Set-up, lint and tests side by side; each reports as a whole when it is done.
test: ## Lint, and run all tests but the long ones
	@$(MAKE) --no-print-directory --jobs --keep-going \
	    $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) \
	    test-server test-editors lint $(if $(NPM),test-client)

test-server: $(INSTALLED) $(GRAMMARS) ## Run the tests that need no editor
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m $(EVERYDAY) --ignore=tests/editors

test-editors: $(INSTALLED) editors $(if $(NPM),vscode vsix) ## Run the tests with real editors
	$(BIN)/pytest -n $(EDITOR_JOBS) --dist worksteal -m $(EVERYDAY) tests/editors

typing: $(INSTALLED) editors vscode vsix ## Type pages of every format into the editors, key by key, at three speeds (TIMES=... in a row)
	@for time in $$(seq $(TIMES)); do \
	    CI=true $(BIN)/pytest -q -n $(TYPISTS) --dist load $(UNHURRIED) -m typing tests/editors --ignore=$(RANDOM_EDITING) || exit 1; \
	    echo "passed $$time of $(TIMES) times, $$(date -u +%H:%M:%S)"; \
	done
# Random editing presses the same keys every time: once is enough.
	@CI=true $(BIN)/pytest -q -n $(TYPISTS) $(UNHURRIED) -m typing $(RANDOM_EDITING)

editors: ## Install Neovim, Vim, Emacs and Chromium for the tests, where that may be done
	@mkdir -p $(VSCODE)
	@sh tests/editors/install.sh $(EDITORS)

grammars: $(GRAMMARS) ## Install what the tests of the grammars need

$(GRAMMARS): tests/grammars/package-lock.json
	@if command -v npm > /dev/null; then \
	    echo "installing what the tests of the grammars need" && \
	    cd tests/grammars && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json; \
	else echo "******** THE GRAMMARS ARE NOT TESTED: npm is missing. ********" >&2; fi

$(DRIVER_TOOLS): $(DRIVER)/package-lock.json
	@cd $(DRIVER) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

vscode: $(DRIVER_TOOLS) ## Install a VS Code for the browser, and what drives it in the tests
	@node tools/vscode/install.mjs $(VSCODE)/vscode

newest: $(INSTALLED) editors vscode vsix ## Test the extension in the newest VS Code that the registry has
	@node tools/vscode/install.mjs $(VSCODE)/newest newest
	CI=true VSCODE_RELEASE=newest $(BIN)/pytest -n $(JOBS) -m $(EVERYDAY) $(DRIVER)

screenshots: $(INSTALLED) editors vscode vsix ## Write the pictures of the README and of docs/
	@CI=true $(BIN)/pytest -q $(DRIVER)/pictures.py
	@mkdir -p docs/images
	@for name in good broken preview view; do for theme in light dark; do \
	    cp $(VSCODE)/pictures/looks-$$name-$$theme.png docs/images/$$name-$$theme.png; done; done
	@for name in chinese asking; do for theme in light dark; do \
	    cp $(VSCODE)/pictures/looks_$$name-$$theme.png docs/images/$$name-$$theme.png; done; done
	@cp $(VSCODE)/pictures/running-done.png docs/images/running.png
	@CI=true $(BIN)/pytest -q tests/editors/page -k session
	@for theme in light dark; do cp $(VSCODE)/pictures/page-session-$$theme.png docs/images/session-$$theme.png; done
	@ls -l docs/images

lint: $(INSTALLED) $(if $(NPM),lint-client) ## Check style, format, types, imports, and that the libraries fit each other
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/translations.py --check
	@$(BIN)/python -m pip --disable-pip-version-check check
	@$(if $(NPM),,echo '******** THE VS CODE CLIENT IS NOT CHECKED: npm is missing. ********' >&2)

# For every system and every Python that msgls supports, with the hashes of all files.
lock: ## Write the lock files of what is installed, from pyproject.toml (UPGRADE=1: newest versions)
	@test -x .lock/bin/uv || { $(PYTHON) -m venv .lock && .lock/bin/pip --disable-pip-version-check -q install uv; }
	@$(LOCK) --output-file requirements/run.txt
	@$(LOCK) --output-file requirements/dev.txt --extra dev --constraint requirements/run.txt

audit: $(INSTALLED) $(CLIENT_TOOLS) ## Ask the network whether a library is known to be vulnerable
	@test -x .audit/bin/pip-audit || { python3 -m venv .audit && .audit/bin/pip --disable-pip-version-check -q install pip-audit; }
	.audit/bin/pip-audit --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
	cd $(CLIENT) && npm audit --omit=dev

lint-client: $(CLIENT_TOOLS)
	cd $(CLIENT) && npm run --silent check

test-client: $(CLIENT_TOOLS)
	cd $(CLIENT) && npm test --silent

format: $(INSTALLED) ## Format the Python code, and mend what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(INSTALLED) ## Write what is made from the code: rules, references, man page, settings
	@$(BIN)/python tools/generate.py
	@$(BIN)/python tools/vscode_manifest.py

translations: $(INSTALLED) ## Add new texts to the translations, and remove those that are gone
	@$(BIN)/python tools/translations.py

$(CLIENT_TOOLS): $(CLIENT)/package-lock.json
	@echo "installing the tools of the VS Code client"
	@cd $(CLIENT) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

vsix: $(INSTALLED) $(CLIENT_TOOLS) ## Package the VS Code extension: dist/msgls-VERSION.vsix
	@mkdir -p dist && rm -rf $(CLIENT)/bundled
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir $(CLIENT)/bundled .
	@$(BIN)/python tools/uncompressed.py $(CLIENT)/bundled/*.whl
	@cd $(CLIENT) && npm run --silent build
	@cd $(CLIENT) && npm run --silent package -- --out ../dist/msgls-$(VERSION).vsix > /dev/null
	@echo "made dist/msgls-$(VERSION).vsix"

# For this system and this kind of processor only: PyInstaller takes the Python that runs it.
standalone: $(INSTALLED) vsix vscode ## Package the extension with a server that needs no Python, and try it
	@test -x $(STANDALONE)/bin/python || $(PYTHON) -m venv $(STANDALONE)
	@$(STANDALONE)/bin/python -m pip --disable-pip-version-check --no-input -qq install --upgrade . pyinstaller
	@$(STANDALONE)/bin/python tools/standalone.py $(CLIENT)/bundled/server
	@cd $(CLIENT) && npm run --silent package -- --target $(TARGET) --out ../dist/msgls-$(VERSION)-$(TARGET).vsix > /dev/null
	@rm -rf $(CLIENT)/bundled/server
	@ls -l dist/msgls-$(VERSION)-$(TARGET).vsix
	@CI=true STANDALONE_VSIX=dist/msgls-$(VERSION)-$(TARGET).vsix $(BIN)/pytest -q tests/distribution/standalone.py

$(RIVALS): $(INSTALLED)
	@echo "installing what the benchmarks measure us beside"
	@$(PIP) install rumdl
	@mkdir -p $(BENCH_NODE) && echo '{"private": true}' > $(BENCH_NODE)/package.json
	@cd $(BENCH_NODE) && npm install --silent --no-audit --no-fund markdownlint-cli2
	@touch $@

bench: $(RIVALS) ## Run the benchmarks, one after the other
	@set -e; for bench in $(BENCHES); do echo "== $$bench"; PYTHONPATH=. $(BIN)/python "$$bench"; done

# The rules of gitleaks come from its repository, or from the file that GITLEAKS names.
compare-secrets: $(INSTALLED) ## Compare what counts as a secret with detect-secrets and gitleaks: misses, false alarms
	@$(PIP) install detect-secrets
	@PYTHONPATH=. $(BIN)/python tests/bench/secrets.py $(ARGS)

compare-notebooks: $(INSTALLED) ## Convert the notebooks below FOLDER=... to message files and back, and name what differs
	@PYTHONPATH=. $(BIN)/python tests/bench/notebooks.py $(or $(FOLDER),.)

fuzz: $(INSTALLED) ## Run the long tests, the property tests with many examples (N=...), and atheris (SECONDS=...)
	HYPOTHESIS_PROFILE=fuzz FUZZ_EXAMPLES=$(N) $(BIN)/pytest -n $(JOBS) $(UNHURRIED) -m 'fuzz or hypothesis'
	@$(BIN)/python -m tests.fuzz.guided --seconds $(or $(SECONDS),60)

sbom: $(INSTALLED) ## Write the bill of materials of a release: dist/msgls-VERSION.cdx.json
	@mkdir -p dist
	@PYTHONPATH=. $(BIN)/python tools/sbom.py dist/msgls-$(VERSION).cdx.json
	@echo "made dist/msgls-$(VERSION).cdx.json"

soak: $(INSTALLED) ## Type and ask 200,000 times (N=...), and see what that leaves
	@PYTHONPATH=. $(BIN)/python tests/soak/soak.py $(N)

# Left out is what tries one thing many times over: it is slow with a watcher at every line, and
# reaches nothing that the others do not.
coverage: $(INSTALLED) ## Say which lines and branches of the core no test reaches
	COVERAGE_CORE=ctrace $(BIN)/pytest -q -n $(JOBS) -m 'not fuzz' \
	    -k 'not edits and not following and not linear and not thousand and not hundred and not take_long' \
	    tests/text tests/formats tests/document tests/rules tests/fuzz --ignore=tests/fuzz/test_protocol.py \
	    --cov=msgls.text --cov=msgls.formats --cov=msgls.document --cov=msgls.rules --cov-branch \
	    --cov-report=term-missing:skip-covered --cov-report=json:.pytest_cache/coverage.json \
	    --cov-fail-under=95
	@$(BIN)/python tools/covered.py .pytest_cache/coverage.json

clean: ## Remove caches and what was built
	rm -rf build dist $(CLIENT)/dist $(CLIENT)/out $(CLIENT)/bundled .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis
	find server tests -type d -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## Remove .venv too
	rm -rf $(VENV) .lock .audit .fuzz $(BENCH_NODE) $(VSCODE) $(DRIVER)/node_modules $(CLIENT)/node_modules tests/grammars/node_modules
