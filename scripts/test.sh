#!/usr/bin/env bash
# Format, lints, all tests of all crates, no process of which may take more than 4 GB; the last line is the number of tests that
# passed and failed.
# A missing rustfmt or clippy is said and skipped, but not where CI=true.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# have COMPONENT SUBCOMMAND: whether cargo has it; fails where nothing may be skipped.
have() {
    cargo "$2" --version >/dev/null 2>&1 && return 0
    if [ "${CI:-}" = true ]; then
        echo "test: $1 is missing: rustup component add $1" >&2
        exit 1
    fi
    echo "test: $1 is missing, its step is skipped (rustup component add $1)" >&2
    return 1
}

if have rustfmt fmt; then
    cargo fmt --all --check || { echo 'test: the format differs: run cargo fmt --all' >&2; exit 1; }
fi
if have clippy clippy; then
    cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
fi

# The second opinion on proofs, needed by the tests alone.
python3 scripts/cvc5.py setup
# The browser that pages are tested in.
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo 'test: installing Chromium, to test pages in it'
        { apt-get install -y --no-install-recommends chromium || { apt-get update && apt-get install -y --no-install-recommends chromium; }; } >/dev/null 2>&1 || true
    fi
    command -v chromium >/dev/null || echo 'test: Chromium is missing and could not be installed: PAGES ARE NOT TESTED (apt install chromium)' >&2
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# Terms live as long as their process, which in tests may see many proofs: none may get too large for a small machine.
peak="target.'cfg(unix)'.runner = ['python3', '$PWD/scripts/peak.py', '4096']"
cargo test --workspace --locked --no-fail-fast --config "$peak" 2>&1 | tee "$log" || status=$?

# cargo gives one count per test program, the last of them for examples in comments: their sum is what one wants to know.
awk -v status="$status" '
    /^test result: / {
        programs++
        for (i = 2; i <= NF; i++) {
            if ($i ~ /^passed/) passed += $(i - 1)
            if ($i ~ /^failed/) failed += $(i - 1)
            if ($i ~ /^ignored/) ignored += $(i - 1)
        }
    }
    END {
        if (status != 0 && failed == 0) print "test: cargo test ended with status " status ": something did not build, did not run, or took too much memory"
        else if (passed == 0) print "test: no test ran"
        printf "%d passed, %d failed, %d ignored, in %d test programs\n", passed, failed, ignored, programs
        exit (status != 0 || failed > 0 || passed == 0)
    }' "$log"
