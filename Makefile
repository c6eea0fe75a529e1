# Every goal does the set-up it needs, and nothing when nothing is to be done.
#   make Z3=system ..   uses an installed Z3 instead of the pinned one (scripts/z3.pin)

Z3 ?= pinned
THREADER := $(or $(CARGO_TARGET_DIR),target)/release/threader
EXAMPLE := tests/programs/table1/dekker.c

ifeq ($(Z3),system)
export THREADER_Z3 := system
export Z3_LIBRARY_PATH_OVERRIDE := $(or $(Z3_LIBRARY_PATH_OVERRIDE),$(shell pkg-config --variable=libdir z3 2>/dev/null),/usr/lib)
export Z3_SYS_Z3_VERSION := $(or $(Z3_SYS_Z3_VERSION),$(shell pkg-config --modversion z3 2>/dev/null),$(shell z3 --version 2>/dev/null | sed -n 's/^Z3 version \([0-9.]*\).*/\1/p'))
else ifneq ($(Z3),pinned)
$(error Z3 is `$(Z3)`, but can be only `pinned` or `system`)
endif

.PHONY: help setup build prove test bench

help:
	@echo 'make prove   build, then prove Dekker'\''s algorithm under rely-guarantee'
	@echo 'make test    format, lints and all tests; ends with their number'
	@echo 'make build   leaves $(THREADER)'
	@echo 'make bench   measure the programs of table 1 under each rule (LIMIT=60 seconds each)'
	@echo 'make setup   only what the others begin with: fetch Z3 and the crates'
	@echo 'With Z3=system, an installed Z3 instead of the pinned one. After make setup, plain cargo works too.'

setup:
	@scripts/setup.sh $(Z3)

build: setup
	@cargo build --release --locked
	@echo 'built: $(THREADER)'

prove: build
	$(THREADER) prove $(EXAMPLE) --rule rely-guarantee

test: setup
	@scripts/test.sh

bench: build
	@rm -rf target/bench
	@$(THREADER) compare tests/programs/table1 --timeout $(or $(LIMIT),60) --jobs 1 --out target/bench
	@echo 'plots, proofs and traces: target/bench/index.html'
