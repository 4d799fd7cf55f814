# Each target sets everything up that it needs: the virtual environment, the packages, the model.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1
export OMP_WAIT_POLICY := PASSIVE
export GOMP_SPINCOUNT := 0

.PHONY: run test check bench texts setup
run: setup
	$(BIN)/streamlit run app.py

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python -m benchmarks.engine

# Collects the texts of all pages into the catalogues; what is new there waits for its translation.
texts: setup
	$(BIN)/pybabel -q extract -F pages/texts/sources.ini -k t -k tn:1,2 -k Phrase --no-location --omit-header --sort-output -o pages/texts/plenary.pot .
	for into in de zh; do $(BIN)/pybabel -q update -i pages/texts/plenary.pot -o pages/texts/$$into.po -l $$into --no-fuzzy-matching --ignore-obsolete --omit-header; done
	rm pages/texts/plenary.pot

setup: $(VENV)/ready

# torch goes first and alone: asked for by another package it would be a much larger build.
$(VENV)/ready: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' requirements.txt)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m conference.models.prepare
	touch $@
