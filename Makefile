# make run     install, start the service with a demo league, print the console's address
# make test    install what the tests need (Debian packages included), run them all, on both backends
# make check   format, lint, the direction of imports, types (of the pages' JavaScript, too), readability, templates of sentences
# make readability   print what makes the code hard to read, and lower the allowed counts to today's
# make bench   the measurements, each beside its baseline (BENCH="sync charts" for some of them)
# make world   a million steps of the replayable world on all processors (STEPS=5000000 SEED=x for others; docs/world.md)
# make messages  compile the Japanese words of the commands (bot/locale)
# make variables  write .env.example, app.json and the reference pages from the table of variables
# make requirements  pin every package anew, with hashes (UPGRADE=--upgrade for the newest versions)
# make test-pythons  the tests on SQLite and threads, on every Python from 3.11 to 3.13 that this machine has
# make release  tag the version, with its notes from the CHANGELOG and a bill of materials (CycloneDX) in build/
# make audit   known weaknesses of the pinned packages
SHELL := /bin/bash
PY := .venv/bin/python
PORT ?= 8000
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
APT := DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -y -qq
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# Commands run as modules of the environment's Python, because the scripts that pip writes name it by its whole path:
# so a checkout that was moved or copied works. Only `flask` has a script, which finds the Python in its own folder.
SCRIPTS := install -m 755 bot/cli/flask.sh .venv/bin/flask
LINT_IMPORTS := $(PY) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'
INSTALL := $(PY) -m pip install --disable-pip-version-check --require-hashes
PAGE_SCRIPTS := $(filter-out %.min.js,$(wildcard bot/page/static/*.js bot/console/static/js/*.js))
PAGE_TYPES := bot/page/page.d.ts bot/console/console.d.ts
DENO := DENO_DIR=.venv/deno DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 .venv/bin/deno
DENO_CONFIG := --quiet --config tests/tools/deno.json
UV := 0.13.9
UPGRADE ?=
PYTHONS ?= 3.11 3.12 3.13
PACKAGES := chromium chromium-driver redis-server postgresql
JOBS ?= $(shell expr $$(nproc) + 1)
STEPS ?= 1000000
SEED ?=
BENCH ?= engine log_lines charts paifu sync

.PHONY: run test test-pythons check readability bench world messages variables requirements release audit format clean packages scripts

run: .venv/run.stamp
	@echo "starting Janroku; its address follows"
	@PORT=$(PORT) $(PY) -m gunicorn --config bot/gunicorn.py app:app

# First everything on SQLite and threads, then on Postgres, Redis and workers whatever these change: see tests/backend.py.
# One job more than there are processors, because many tests wait; no threads inside numpy, which would only get in the jobs' way.
test: export OPENBLAS_NUM_THREADS := 1
test: .venv/test.stamp packages
	@echo "== on SQLite and threads" && $(PY) -m pytest -n $(JOBS) --dist loadgroup -rsfE $(PYTEST)
	@echo "== on Postgres, Redis and workers" && $(PY) -m pytest -n $(JOBS) --dist loadgroup -rsfE --backend=cloud $(PYTEST)

# A Python that is not here, in PATH, pyenv or uv, is named and passed over. (pyenv's own `python3.12` may run none.)
test-pythons: export OPENBLAS_NUM_THREADS := 1
test-pythons: packages
	@for version in $(PYTHONS); do \
	  for python in python$$version $${PYENV_ROOT:-~/.pyenv}/versions/$$version.*/bin/python ~/.local/share/uv/python/cpython-$$version.*/bin/python; do \
	    $$python -c "" 2>/dev/null && break; python=""; \
	  done; \
	  if [ -z "$$python" ]; then echo "== Python $$version is not on this machine: skipped"; continue; fi; \
	  echo "== Python $$version" && $$python -m venv .venv/$$version && \
	  .venv/$$version/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/requirements.txt && \
	  .venv/$$version/bin/python -m pytest -n $(JOBS) --dist loadgroup $(PYTEST) || exit 1; \
	done

check: .venv/test.stamp .venv/bin/deno
	@.venv/bin/ruff format --check --quiet . || { .venv/bin/ruff format --check .; exit 1; }
	@.venv/bin/ruff check --quiet .
	@$(LINT_IMPORTS) --no-logo --no-cache >.venv/imports.txt || { cat .venv/imports.txt; exit 1; }
	@$(PY) -m mypy
	@$(DENO) fmt --check $(DENO_CONFIG) $(PAGE_SCRIPTS) $(PAGE_TYPES)
	@$(DENO) lint $(DENO_CONFIG) $(PAGE_SCRIPTS)
	@$(DENO) check --no-remote $(DENO_CONFIG) $(PAGE_SCRIPTS)
	@$(PY) -m tests.tools.variables check
	@$(PY) -m tests.tools.readability check
	@$(PY) -m tests.tools.sentences check

readability: .venv/test.stamp
	@$(PY) -m tests.tools.readability lower
	@$(PY) -m tests.tools.sentences lower

bench: .venv/test.stamp packages
	@for bench in $(BENCH); do echo "== $$bench"; PYTHONPATH=. $(PY) tests/tools/bench/$$bench.py || exit 1; done

world: export OPENBLAS_NUM_THREADS := 1
world: .venv/test.stamp
	@$(PY) -m tests.world $(SEED) --steps $(STEPS)

# What commands say in other languages than English; a test keeps the compiled file in step.
release: .venv/test.stamp
	@$(PY) -m tests.tools.release

messages: .venv/test.stamp
	@$(PY) -c 'import polib; polib.pofile("bot/locale/ja/LC_MESSAGES/janroku.po").save_as_mofile("bot/locale/ja/LC_MESSAGES/janroku.mo")'

variables: .venv/test.stamp
	@$(PY) -m tests.tools.variables

# uv reads the versions from the files that are there, so that without UPGRADE only what is new or gone changes.
requirements: | .venv/pyvenv.cfg
	@$(PIP) uv==$(UV)
	@for name in requirements tests/requirements; do \
	  .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header $(UPGRADE) -o $$name.txt $$name.in && \
	  sed -i "1i # $$(date -u +%F): written by \`make requirements\` from $$name.in. Every package is pinned, with its hashes.\n" $$name.txt || exit 1; \
	done

# Known weaknesses of the pinned packages; needs the public index, so it is no part of the tests.
audit: .venv/test.stamp
	@$(PIP) pip-audit && $(PY) -m pip_audit -r requirements.txt --no-deps --disable-pip

format: .venv/test.stamp .venv/bin/deno
	@.venv/bin/ruff format --quiet . && .venv/bin/ruff check --quiet --fix .
	@$(DENO) fmt $(DENO_CONFIG) $(PAGE_SCRIPTS) $(PAGE_TYPES)

.venv/pyvenv.cfg:
	@echo "making an environment for Python's packages: .venv"
	@python3 -m venv .venv 2>/dev/null || { \
	  echo "installing python3-venv"; $(SUDO) $(APT) update >/dev/null && \
	  $(SUDO) $(APT) install --no-install-recommends python3-venv >/dev/null && rm -rf .venv && python3 -m venv .venv; }

.venv/run.stamp: requirements.txt Makefile bot/cli/flask.sh | .venv/pyvenv.cfg
	@echo "installing what the service needs: a minute or two, once"
	@$(INSTALL) -r requirements.txt && $(SCRIPTS) && touch $@

.venv/test.stamp: requirements.txt tests/requirements.txt Makefile bot/cli/flask.sh | .venv/pyvenv.cfg
	@echo "installing what the tests need: a few minutes, once"
	@$(INSTALL) -r tests/requirements.txt && $(SCRIPTS) && touch $@ .venv/run.stamp

# For an environment that was made before the tests needed it.
.venv/bin/deno: | .venv/test.stamp
	@$(INSTALL) --quiet -r tests/requirements.txt

scripts:
	@$(SCRIPTS)

# Debian packages for the tests: real Chromium, Redis and Postgres. Nothing happens where they are there already.
packages:
	@missing=""; for p in $(PACKAGES); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then echo "installing$$missing"; \
	  $(SUDO) $(APT) update >/dev/null && $(SUDO) $(APT) install --no-install-recommends $$missing >/dev/null; fi

clean:
	rm -rf .venv var .pytest_cache .mypy_cache .ruff_cache .hypothesis
