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
    missing "cargo is missing: the Rust toolchain, 1.89 or newer, is needed." \
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
            "Debian, Ubuntu: apt install python3 python3-pip. Or use an installed Z3: make Z3=system .."
    "$python" scripts/z3.py
else
    # The Makefile has asked pkg-config, or the z3 program, and put what it learnt into these variables.
    least=$(sed -n 's/^least //p' scripts/z3.pin)
    [ -n "${Z3_SYS_Z3_VERSION:-}" ] ||
        missing "no installed Z3: neither pkg-config nor a z3 program knows its version." \
            "Install Z3 $least or newer with its development files, or leave out Z3=system to use the pinned one." \
            "If it is installed, name it: Z3_LIBRARY_PATH_OVERRIDE=<directory of libz3> Z3_SYS_Z3_VERSION=<its version>."
    oldest=$(printf '%s\n' "$least" "$Z3_SYS_Z3_VERSION" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)
    [ "$oldest" = "$least" ] ||
        missing "the installed Z3 is $Z3_SYS_Z3_VERSION, and $least or newer is needed: the answers of an older one would be misread." \
            "Install a newer one, or leave out Z3=system to use the pinned one."
fi

if ! cargo fetch --locked --quiet; then
    missing "cargo could not fetch the crates of Cargo.lock (its message is above)." \
        "The first build needs the network; behind a proxy, see cargo's http.proxy setting."
fi
