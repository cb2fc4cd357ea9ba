# The only words people and CI use. Each does its own set-up; nothing but python3 and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OLD_ENOUGH := import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and \
	"webseam needs Python 3.11 or newer, and $(PYTHON) is %d.%d. Name another: make PYTHON=python3.13 ..." % v or 0)

.PHONY: help setup demo test lint types build wheel image conformance bench soak fuzz docs constraints
.DEFAULT_GOAL := help

help:
	@echo "make setup        build .venv from python3 alone (the others do it when needed)"
	@echo "make demo         an agent's run on a small loopback site: no network, no key"
	@echo "make test         all tests; nothing leaves loopback"
	@echo "make lint         format, ruff, import walls"
	@echo "make types        mypy strict over sources and tests"
	@echo "make build        wheel and sdist into dist/"
	@echo "make wheel        build, install the wheel into a clean environment and try it there"
	@echo "make image        the container image of the gateway, with docker"
	@echo "make conformance  the public MCP conformance suite, for both eras of the protocol"
	@echo "make bench        speed and memory as ratios within one run"
	@echo "make soak         two gateways and a real Redis or Valkey server under load while they break, in about 2 minutes"
	@echo "make fuzz         over a million hostile inputs for the fetcher, in a few minutes; loopback only"
	@echo "make docs         run every example of the documentation"
	@echo "make constraints  pin the newest versions into constraints.txt and constraints-adk.txt"

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

# The wheel is built from the sdist; the pinned build tools make the same tree the same bytes.
build: setup
	@$(BIN)/uv build --quiet --system-certs --build-constraints constraints.txt --clear --out-dir dist .

wheel: build
	WEBSEAM_DIST=dist $(BIN)/python -m pytest tests/test_wheel.py

image:
	docker build --tag webseam .

# Installs the suite and a Node that can run it into .venv/conformance, from npm.
conformance: setup
	PYTHONPATH=tests $(BIN)/python -m conformance.suite

bench: setup
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --constraints constraints.txt --group converters
	$(BIN)/python bench/run.py

# SOAK is for its options: make soak SOAK="--seconds 30 --steps kill".
soak: setup
	$(BIN)/python bench/soak.py $(SOAK)

fuzz: setup
	$(BIN)/python tests/fuzz.py

docs: setup
	$(BIN)/python -m pytest tests/test_docs.py tests/cli/test_command_page.py tests/console/test_pictures.py

# Written without index addresses, so that the file names no host.
constraints: setup
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --group build --group oracles --group converters --group frameworks --group outside --universal --no-header --no-annotate --upgrade --output-file constraints.txt
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --group adk --universal --no-header --no-annotate --upgrade --output-file constraints-adk.txt
