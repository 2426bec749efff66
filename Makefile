# The only set-up on a fresh machine: Python 3.10 or newer with venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check format clean

# The demo needs the core and the pretty console only; the tests need everything.
$(VENV)/.core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[cli]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.core
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

demo: $(VENV)/.core
	$(BIN)/python -m cmemory demo

test: check
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.dev
	$(BIN)/python -m ruff check src tests examples
	$(BIN)/python -m ruff format --check src tests examples
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy --strict tests/typing

format: $(VENV)/.dev
	$(BIN)/python -m ruff check --fix src tests examples
	$(BIN)/python -m ruff format src tests examples

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
