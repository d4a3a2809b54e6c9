# Two commands do everything: `make demo` plays a game, `make test` proves the rest.

VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PYTHON ?= python3
DEMO   := matches/demo
JOBS   ?= 4

# the tests start hundreds of Python processes, which would compile every module again
unexport PYTHONDONTWRITEBYTECODE

MUTANTS ?= 30

# what works on Windows too: all but tournaments, sandboxes and live pages
ON_WINDOWS := acquire/*.py $(addprefix acquire/, game player protocol schemas) \
	$(addprefix acquire/admin/, refereeing advising testing cli pages/html pages/seat \
	studying/statistics studying/whatif)

# what a folder's name, a user's rights or the environment can break
ELSEWHERE := $(addprefix tests/, cli launching/test_launch.py \
	launching/test_building.py launching/test_player_folder.py launching/test_sandbox.py \
	player/test_new_command.py tournament/test_tournament_command.py \
	whatif/test_whatif_command.py analysis/test_analysis.py analysis/test_why_in_a_browser.py)

# a few quick files of each hall, for use while editing; pytest refuses a file that is gone
SMOKE := $(addprefix tests/, test_architecture.py test_golden_games.py \
	$(addprefix game/test_, placement.py turn.py merger.py disposal.py purchase.py) \
	$(addprefix protocol/test_, schemas.py conversation.py inbox.py reading.py writing.py) \
	play/test_referee.py table/test_table.py log/test_verifier.py view/test_board_text.py \
	diagnosis/test_diagnosis.py player/test_registry.py player/test_wire_faults.py \
	launching/test_launch.py rulebooks/test_rulebook_rows.py check/test_judging.py \
	$(addprefix check/test_, trials.py hints.py) view/test_html_page.py web/test_feed.py \
	web/test_lobby.py seat/test_adviser.py statistics/test_rating.py analysis/test_playing.py \
	$(addprefix tournament/test_, schedule.py summarize.py report.py tournament_run.py) \
	cli/test_console.py) acquire/played_games.py

.PHONY: help setup demo test smoke lint lint-scripts docs site bench soak mutants compiled test-compiled test-elsewhere clean

help:
	@echo "make demo   set up, play one game between four player processes, verify its log"
	@echo "make test   set up, then run the tests, in four processes (or JOBS=n)"
	@echo "make smoke  set up, then run a few quick tests of each hall: half a minute, while editing"
	@echo "make lint   ruff, and mypy for this system and for Windows; tsc and biome for the pages' scripts"
	@echo "make docs   write the generated pages of docs/ again: commands, rulebooks, API, schemas"
	@echo "make site   build the documentation as a site, in build/site"
	@echo "make bench  measure the benchmarks (less than ten minutes)"
	@echo "make soak   the long tests, with the time of each: thousands of games (about an hour)"
	@echo "make compiled  build a wheel with the rules and the referee compiled, in dist/"
	@echo "make test-compiled  build it, and run the tests on it (about five minutes)"
	@echo "make test-elsewhere  as root: run a part of the tests as another user in another folder"
	@echo "make mutants  change the source in one place at a time, and see whether a test fails"

setup: $(READY)

$(READY): pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check "uv>=0.5"
	@# where no cache can be written, such as in a container, packages are not kept for next time
	[ -w "$${UV_CACHE_DIR:-$$HOME}" ] || export UV_NO_CACHE=1; \
		$(BIN)/uv sync --frozen --quiet --inexact --all-extras
	@# relative: before 3.13, Python reads it in the language of the machine, which may have ASCII only
	@cd $(VENV)/lib/python*/site-packages && echo ../../../.. > _acquire_referee.pth
	@touch $(READY)

demo: $(READY)
	@rm -rf $(DEMO)
	@$(BIN)/python docs/examples/demo.py $(DEMO)
	@$(BIN)/acquire replay $(DEMO)/*.xml --verify --html $(DEMO)/game.html

# whole files, in the order of tests/conftest.py, each to the process that is free next
test: $(READY)
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

smoke: $(READY)
	$(BIN)/python -m pytest --quiet --numprocesses $(JOBS) --dist loadfile $(SMOKE)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --follow-imports silent $(ON_WINDOWS)
	@$(MAKE) --no-print-directory lint-scripts

# types and style of the pages' scripts, where npm is; its packages are installed once
lint-scripts:
	@cd tests/javascript && \
	if [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --fetch-retries 0 > /dev/null 2>&1; then \
		node_modules/.bin/tsc --project . && \
		node_modules/.bin/biome lint --config-path . --error-on-warnings ../../admin; \
	else echo "The pages' scripts are not checked: that needs node, npm and once the network."; fi

bench: $(READY)
	PYTHONPATH=tests $(BIN)/python -m bench

# every test marked soak; see tests/conftest.py
soak: $(READY)
	$(BIN)/python -m pytest -m soak --durations 0 --numprocesses $(JOBS) --maxschedchunk 1
	$(MAKE) test-compiled
	$(MAKE) mutants

# small wrong edits of the source, one at a time: does a test fail? See tests/mutation.py
mutants: $(READY)
	$(BIN)/uv sync --frozen --quiet --inexact --group mutation
	nice -n 19 $(BIN)/python tests/mutation.py --sample $(MUTANTS)

# needs a C compiler; extension modules never lie in the checkout, where they would be imported
compiled: $(READY)
	@rm -f dist/acquire_referee-*-cp*.whl
	$(BIN)/uv sync --frozen --quiet --inexact --group compiled
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python
	@ls dist/acquire_referee-*-cp*.whl

# the whole suite but the docstrings, in a copy of the checkout with the extension modules
test-compiled: compiled
	@rm -rf build/compiled && mkdir -p build/compiled
	@git ls-files -z | tar --null --create --files-from - | tar --extract --directory build/compiled
	@$(BIN)/python -m zipfile -e dist/acquire_referee-*-cp*.whl build/compiled
	cd build/compiled && ACQUIRE_COMPILED=1 PYTHONPATH="$(CURDIR)/build/compiled" "$(CURDIR)/$(BIN)/python" \
		-m pytest tests --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

# a part of the tests as an ordinary user, in a folder whose name has a blank; see tests/elsewhere.sh
test-elsewhere: $(READY)
	@JOBS=$(JOBS) tests/elsewhere.sh $(ELSEWHERE)

docs: $(READY)
	$(BIN)/python docs/generate.py

# the documentation as a site with a search; every warning, such as a broken link, is an error
site: $(READY)
	@$(BIN)/uv sync --frozen --quiet --inexact --all-extras --group docs
	$(BIN)/sphinx-build --quiet --nitpicky --fail-on-warning --keep-going --jobs 2 docs build/site
	@echo "Open build/site/index.html"

clean:
	rm -rf $(VENV) build dist matches .pytest_cache .mypy_cache .ruff_cache
