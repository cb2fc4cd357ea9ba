# The only words people and CI use. Each does its own set-up; nothing but python3 and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OLD_ENOUGH := import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and \
	"webseam needs Python 3.11 or newer, and $(PYTHON) is %d.%d. Name another: make PYTHON=python3.13 ..." % v or 0)

.PHONY: help setup demo test lint types bench fuzz docs constraints
.DEFAULT_GOAL := help

help:
	@echo "make setup        build .venv from python3 alone (the others do it when needed)"
	@echo "make demo         an agent's run on a small loopback site: no network, no key"
	@echo "make test         all tests; nothing leaves loopback"
	@echo "make lint         format, ruff, import walls"
	@echo "make types        mypy strict over sources and tests"
	@echo "make bench        speed and memory as ratios within one run"
	@echo "make fuzz         over a million hostile inputs for the fetcher, in a few minutes; loopback only"
	@echo "make docs         run every example of the documentation"
	@echo "make constraints  pin the newest versions into constraints.txt"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -c '$(OLD_ENOUGH)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep -E '^uv==' constraints.txt)"
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --constraints constraints.txt --editable . --group dev
	@touch $(READY)

demo: setup
	@$(BIN)/webseam demo

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache

types: setup
	$(BIN)/mypy

bench: setup
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --constraints constraints.txt --group converters
	$(BIN)/python bench/run.py

fuzz: setup
	$(BIN)/python tests/fuzz.py

docs: setup
	$(BIN)/python -m pytest tests/test_docs.py

# Written without index addresses, so that the file names no host.
constraints: setup
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --group oracles --group converters --universal --no-header --no-annotate --upgrade --output-file constraints.txt
