# Rebelote. `make play` starts everything, `make test` checks everything; the rest is for working.
# Keep to GNU Make 3.81 (macOS): no .ONESHELL, no $(file), no !=.

SHELL := /bin/bash
# `python -m` and not the scripts beside it: those name the folder in which they were installed, and
# would run the old checkout's code in a copied one.
PYTHON := .venv/bin/python
PYTEST := $(PYTHON) -m pytest -n 2 --dist loadscope -p no:cacheprovider
# HOST from the environment counts only when it is an address: some shells export a machine's name.
ADDRESSES := localhost 0.0.0.0 :: ::1 127.% 10.% 172.% 192.168.%
HOST_GIVEN := $(if $(filter command line,$(origin HOST)),$(HOST),$(filter $(ADDRESSES),$(HOST)))
PLAY_FLAGS := $(if $(HOST_GIVEN),--host $(HOST_GIVEN)) $(if $(PORT),--port $(PORT))

.PHONY: help setup dev needs play quick test full lint js bench screens vendor soak

help:
	@echo "make play    start the server on this machine (PORT=, HOST=0.0.0.0 for the home network)"
	@echo "make setup   install it, without starting"
	@echo "make quick   the checks for while you work (4 minutes)"
	@echo "make test    every check"
	@echo "make full    every check with ten times the random cases"
	@echo "make lint    ruff, mypy, import contracts, types of the page's scripts"
	@echo "make bench   the figures of the server      make soak    one of them for an hour"
	@echo "make screens pictures of all screens        make vendor  renew the page's libraries"

setup: .venv/installed-run

.venv/installed-run: requirements.lock scripts/setup
	@scripts/setup run

.venv/installed-dev: requirements-dev.lock scripts/setup .venv/installed-run
	@scripts/setup dev

node_modules/installed: package-lock.json
	@npm ci --silent
	@touch $@

needs:
	@scripts/needs

dev: needs
	@$(MAKE) -s --no-print-directory .venv/installed-run .venv/installed-dev node_modules/installed

play: setup
	@exec $(PYTHON) -m app.cli play $(PLAY_FLAGS)

lint: dev
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy --strict app
	$(PYTHON) .venv/bin/lint-imports --no-logo
	npm run --silent check

js: dev
	scripts/test-js

quick: lint js
	$(PYTEST) -m "not slow and not browser and not crash"

test: lint js
	$(PYTEST)

full: lint js
	REBELOTE_FULL=1 $(PYTEST) --timeout 1200

bench: dev
	$(PYTHON) -m bench

soak: dev
	$(PYTHON) -m bench --only open --runs 1 --seconds 3600

screens: dev
	$(PYTHON) -m pytest -m browser tests/browser

vendor: dev
	npm run vendor
