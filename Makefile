# Two commands: `make run` starts the dashboard, `make test` runs every check. Both set up what they need.
# `make check` is for every save: style, types and the quick tests of the core, in about two minutes.
# `make mutants SEED=1 NUMBER=100` asks how many small faults in par_core (OPTIONS=--pages: in pages) the tests would find; half an hour.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
WORKERS ?= 2
# Each worker computes on one core: threads of linear algebra beside it would only wait for each other.
ALONE := OPENBLAS_NUM_THREADS=1
# A server has a thread for each reader who waits: with arenas of their own these would keep what they have freed.
SERVER := $(ALONE) MALLOC_ARENA_MAX=2
# A file goes to one worker, and in the order in which it is found: browsers first, so that small files fill the end.
SHARED := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# Each file is compiled once, not by each worker and by each program that the tests start.
unexport PYTHONDONTWRITEBYTECODE
SEED ?= 1
NUMBER ?= 100

.PHONY: run test test-nightly check quick lint types unit browser bench bench-peers bench-ui bench-scale curves load bad-input extreme-values faults security accessibility mutants pictures docs container clean

run: $(VENV)/.run
	@echo "Privacy at Risk explorer: http://127.0.0.1:$(PORT)"
	@$(SERVER) exec $(BIN)/streamlit run app.py --server.port $(PORT)

# What takes one core for long is checked beside the tests: alone it would leave the other one idle.
test: lint
	$(MAKE) --jobs=2 types unit

# For every save: what `tests/slow.txt` lists, the pages and the browser are left to `make test`.
check: lint
	$(MAKE) --jobs=2 types quick

quick: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m pytest tests/core tests/figures tests/golden -m "not slow and not nightly" -q $(SHARED)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# And what nothing uses: of that, too, the tests do not have to wait for the end.
types: $(VENV)/.dev
	$(BIN)/mypy
	$(BIN)/vulture

unit: $(VENV)/.dev browser
	$(ALONE) PAR_CHROMIUM="$$($(BIN)/python tests/browser/find_browser.py)" $(BIN)/python -m pytest $(SHARED)

# What takes minutes: simulations of a thousand runs, whose figures it prints.
test-nightly: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m pytest tests/core -m nightly -n $(WORKERS)

browser: $(VENV)/.dev
	@$(BIN)/python tests/browser/find_browser.py --install

bench: $(VENV)/.dev
	$(BIN)/python -m pytest benchmarks --ignore benchmarks/ui_apps --benchmark-only --benchmark-columns=min,median,max,rounds -s

# Each side in turns, in processes of their own; a minute or two.
bench-peers: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m benchmarks.peers

bench-ui: $(VENV)/.dev browser
	PAR_CHROMIUM="$$($(BIN)/python tests/browser/find_browser.py)" $(BIN)/python -m benchmarks.ui

# Fifty readers at once; OPTIONS="--processes 2" puts nginx in front of two servers, OPTIONS=--memory turns 2,000 pages in ten rounds.
load: $(VENV)/.dev
	$(SERVER) $(BIN)/python -m benchmarks.load --seed $(SEED) $(OPTIONS)

# 13 GB are generated, audited, and audited again while workers and the client are killed; a quarter of an hour.
bench-scale: $(VENV)/.dev
	$(BIN)/python -m benchmarks.scale $(OPTIONS)

# How time and memory grow with the size of what is asked; ten minutes.
curves: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m benchmarks.curves $(OPTIONS)

# Files, addresses and argument lists with faults; minutes.
bad-input: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m benchmarks.bad_input $(OPTIONS)

# Every call and question at the ends of what they allow, against 50 digits where these are known; minutes.
extreme-values: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m benchmarks.extreme_values $(OPTIONS)

# What could get out of a session or of the server, under strace; OPTIONS=--strict fails for a fault. Five minutes.
security: $(VENV)/.dev browser
	$(SERVER) PAR_CHROMIUM="$$($(BIN)/python tests/browser/find_browser.py)" $(BIN)/python -m benchmarks.security $(OPTIONS)

# The machine fails: programs killed, full disks, shut folders, no home, tiny memory, a clock that jumps; OPTIONS="--only ledger".
faults: $(VENV)/.dev
	$(ALONE) $(BIN)/python -m benchmarks.faults $(OPTIONS)

# Every section without a mouse, small, enlarged, light, dark and in colours of one's own; OPTIONS=--strict fails for a fault.
accessibility: $(VENV)/.dev browser
	$(SERVER) PAR_CHROMIUM="$$($(BIN)/python tests/browser/find_browser.py)" $(BIN)/python -m benchmarks.accessibility $(OPTIONS)

mutants: $(VENV)/.dev
	$(BIN)/python -m tools.mutants --seed $(SEED) --number $(NUMBER) $(OPTIONS)

# What the README shows of each page; made again when a page has changed its looks.
pictures: $(VENV)/.dev browser
	PAR_CHROMIUM="$$($(BIN)/python tests/browser/find_browser.py)" $(BIN)/python -m tools.pictures

# The reference of par_core from its docstrings, with the examples run: docs/reference/index.html.
docs: $(VENV)/.dev
	$(BIN)/python tools/reference_site.py docs/reference

# Builds and starts the container; without an engine that answers, the same steps in a folder of its own.
container: $(VENV)/.dev
	$(BIN)/python -m tools.check_container $(OPTIONS)

# The stamps make a second run start at once, and without network.
$(VENV)/.run: requirements.txt tools/put_par.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/it"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python tools/put_par.py
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt requirements-distributed.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) docs/reference .pytest_cache .mypy_cache .ruff_cache .hypothesis .mutants
