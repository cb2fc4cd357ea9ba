# The only words people and CI use. Each does its own set-up; nothing but python3 and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup demo test lint types bench docs constraints
.DEFAULT_GOAL := help

help:
	@echo "make setup | demo | test | lint | types | bench | docs"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
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
	$(BIN)/python bench/run.py

docs: setup
	$(BIN)/python -m pytest tests/test_docs.py

# Written without index addresses, so that the file names no host.
constraints: setup
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --no-header --no-annotate --upgrade --output-file constraints.txt
