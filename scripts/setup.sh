#!/usr/bin/env bash
# Everything a build needs, and nothing when it is all there. Says what is missing and how to go on.
# Usage: scripts/setup.sh pinned|system
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing() {
    printf 'setup: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '       %s\n' "$line" >&2; done
    exit 1
}

command -v cargo >/dev/null ||
    missing "cargo is missing: the Rust toolchain, 1.88 or newer, is needed." \
        "Install it with rustup (https://rustup.rs), open a new shell, and run make again."
compiler=""
compilers=${CC:-cc}
for candidate in "${compilers%% *}" cc gcc clang; do
    if command -v "$candidate" >/dev/null; then
        compiler=$candidate
        break
    fi
done
[ -n "$compiler" ] ||
    missing "a C compiler is missing: it links threader, and preprocesses the C programs given to it." \
        "Debian, Ubuntu: apt install gcc libc6-dev. Fedora: dnf install gcc. macOS: xcode-select --install."

# cargo's own message for a toolchain that is too old, or not installed, is clear; it must only come first.
cargo --version >/dev/null ||
    missing "cargo does not run: see its message above (rustup toolchain install stable)."

if [ "${1:-pinned}" = pinned ]; then
    python=""
    for candidate in python3 python; do
        if "$candidate" -c 'import sys, zipfile, hashlib; sys.exit(sys.version_info < (3, 7))' >/dev/null 2>&1; then
            python=$candidate
            break
        fi
    done
    [ -n "$python" ] ||
        missing "Python 3.7 or newer is missing; it fetches the pinned Z3." \
            "Debian, Ubuntu: apt install python3 python3-pip. Or use an installed Z3, 5.3 or newer: make Z3=system .."
    "$python" scripts/z3.py
fi

if ! cargo fetch --locked --quiet; then
    missing "cargo could not fetch the crates of Cargo.lock (its message is above)." \
        "The first build needs the network; behind a proxy, see cargo's http.proxy setting."
fi
