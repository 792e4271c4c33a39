# The commands of a newcomer. Each works as the first command on a fresh clone: what is missing is made.

PYTHON ?= python3
BIN := .venv/bin
RUST_SOURCES := $(shell find rust -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock

.PHONY: demo test test-fast bench check format clean

demo: .venv/built
	$(BIN)/python examples/demo.py

test: .venv/built
	cargo test --release --quiet -p neardup-core
	$(BIN)/python tests/servers.py
	$(BIN)/python -m pytest -n auto --dist loadfile

test-fast: .venv/built
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow"

bench: .venv/built .venv/peers
	$(BIN)/python benchmarks/run.py

check: .venv/built
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format:
	cargo fmt --all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv target build demo-run

.venv/installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

.venv/built: .venv/installed $(RUST_SOURCES)
	$(BIN)/maturin develop --release --extras all
	@touch $@

.venv/peers: .venv/installed
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@
