# Every goal does the set-up it needs, and nothing when nothing is to be done.
#   make Z3=system ..   uses an installed Z3 instead of the pinned one (scripts/z3.pin)

Z3 ?= pinned
THREADER := $(or $(CARGO_TARGET_DIR),target)/release/threader
EXAMPLE := tests/programs/table1/dekker.c
comma := ,

ifeq ($(Z3),system)
export THREADER_Z3 := system
export Z3_LIBRARY_PATH_OVERRIDE := $(or $(Z3_LIBRARY_PATH_OVERRIDE),$(shell pkg-config --variable=libdir z3 2>/dev/null),/usr/lib)
export Z3_SYS_Z3_VERSION := $(or $(Z3_SYS_Z3_VERSION),$(shell pkg-config --modversion z3 2>/dev/null),$(shell z3 --version 2>/dev/null | sed -n 's/^Z3 version \([0-9.]*\).*/\1/p'))
else ifneq ($(Z3),pinned)
$(error Z3 is `$(Z3)`, but can be only `pinned` or `system`)
endif

.PHONY: help setup build dist prove test soak bench bench-micro

help:
	@echo 'make prove   build, then prove Dekker'\''s algorithm under rely-guarantee'
	@echo 'make test    format, lints and all tests; ends with their number'
	@echo 'make soak    random programs against oracles, CASES=10000 in all of each kind, from SEED=1 on'
	@echo 'make build   leaves $(THREADER)'
	@echo 'make dist    archives in target/dist: one to unpack anywhere, one for competitions'
	@echo 'make bench   measure the programs of table 1 beside Spacer, families of programs, and programs with any'
	@echo '             number of threads at levels 1 and 2, under each rule, and what checking their proofs costs;'
	@echo '             beside that, published errors, supersteps, and SPIN if it is installed (apt install spin);'
	@echo '             about an hour with LIMIT=60 (seconds a run), JOBS=1, REPEAT=1; RESUME=1 goes on;'
	@echo '             SOLVERS=cegar leaves out Spacer, and most of the time'
	@echo 'make bench-micro   measure entailment, post and interference by themselves'
	@echo 'make setup   only what the others begin with: fetch Z3 and the crates'
	@echo 'With Z3=system, an installed Z3 instead of the pinned one. After make setup, plain cargo works too.'

setup:
	@scripts/setup.sh $(Z3)

build: setup
	@cargo build --release --locked
	@echo 'built: $(THREADER)'

dist: build
	@scripts/dist.py $(THREADER) target/dist

prove: build
	$(THREADER) prove $(EXAMPLE) --rule rely-guarantee

test: setup
	@scripts/test.sh

# Suites whose programs are random; `make test` runs some of each.
SUITES := deadlocks differential fusion identities misuse mutation oracle oracle_templates pointers population properties property_evidence races vacuity

soak: setup
	@THREADER_SEED=$(or $(SEED),1) THREADER_CASES=$(or $(CASES),10000) cargo test --release --locked --no-fail-fast \
		$(SUITES:%=--test %)
	@THREADER_SEED=$(or $(SEED),1) THREADER_CASES=$(or $(CASES),10000) cargo test --release --locked \
		-p threader-frontend --test data_model
	@THREADER_SEED=$(or $(SEED),1) THREADER_CASES=$(or $(CASES),10000) cargo test --release --locked \
		-p threader-bounded --test agreement --test litmus
	@scripts/strict.py

# Times matter: one run at a time, unless JOBS says otherwise. Spacer mostly runs into the limit, for which all cores are used.
BENCH := $(THREADER) compare --timeout $(or $(LIMIT),60) --repeat $(or $(REPEAT),1) --details --resume
OURS := $(BENCH) --jobs $(or $(JOBS),1)

bench: build
	@[ -n '$(RESUME)' ] || rm -rf target/bench
	@[ -t 2 ] || verbose=-v; $(OURS) $$verbose tests/programs/table1 --out target/bench/table1 > /dev/null
	@[ -t 2 ] || verbose=-v; $(BENCH) $$verbose tests/programs/table1 \
		--solvers $(or $(SOLVERS),cegar$(comma)spacer) --vocabularies modular,full --out target/bench/table1
	@echo
	@[ -t 2 ] || verbose=-v; $(OURS) $$verbose tests/programs/families \
		--rules owicki-gries,rely-guarantee --out target/bench/families
	@echo
	@[ -t 2 ] || verbose=-v; $(OURS) $$verbose tests/parametric \
		--rules owicki-gries,rely-guarantee --levels 1,2 --out target/bench/levels
	@echo
	@scripts/literals.py $(THREADER)
	@echo
	@scripts/property_cost.py $(THREADER)
	@echo
	@scripts/philosophers.py $(THREADER)
	@echo
	@cargo build --release --locked -p threader-bounded --example search
	@scripts/bounded_bench.py $(THREADER) $(dir $(THREADER))examples/search
	@echo
	@scripts/checks.py $(THREADER) $(or $(LIMIT),60) tests/checks/*.c tests/programs/table1/*.c tests/parametric/*.c
	@echo 'plots, proofs and traces: target/bench/table1/index.html, families/index.html and levels/index.html beside it'

bench-micro: setup
	@cargo bench --locked -p threader-abstraction -p threader-rules --bench engine --bench prove
