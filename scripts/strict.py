#!/usr/bin/env python3
"""Puts every default that would fail open back into a copy of the sources, one at a time: a test must fail for each.

What it changes must be there, and the tests must pass before: a list that has gone stale is an error of its own.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "target" / "strict"

# File, what it says, what would fail open, and the package whose tests must notice.
MUTANTS = [
    ("frontend/src/fuse/movers/mod.rs", "copied().unwrap_or(Mover::Neither)", "copied().unwrap_or(Mover::Both)", "threader-frontend"),
    ("frontend/src/fuse/mod.rs", "copied().unwrap_or(true)", "copied().unwrap_or(false)", "threader-frontend"),
    ("horn/smt/src/translate.rs", 'unwrap_or_else(|| Bool::fresh_const("ill-sorted"))', "unwrap_or_else(|| Bool::from_bool(false))", "threader-smt"),
    ("frontend/program/src/number.rs", 'u32::try_from(position).expect("there are fewer than 2^32 things of a kind")', "u32::try_from(position).unwrap_or(u32::MAX)", "threader-program"),
    ("frontend/program/src/model.rs", "match leaving_range(&self.vars, t).first() {", "match leaving_range(&self.vars, t).first().filter(|_| false) {", "threader-program"),
    ("frontend/program/src/model.rs", "if !starts_in_range(var) {", "if false {", "threader-program"),
]


def copy():
    """The sources beside the build of the last copy, which saves most of the time."""
    COPY.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        source, target = ROOT / name, COPY / name
        if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for needed in ("z3",):
        if (ROOT / "target" / needed).exists() and not (COPY / "target" / needed).exists():
            shutil.copytree(ROOT / "target" / needed, COPY / "target" / needed, symlinks=True)


def passes(package):
    """Whether the package's own tests pass; a copy that does not build is an error of this script."""
    build = ["cargo", "test", "--quiet", "--locked", "--lib", "-p", package, "--no-run"]
    if subprocess.run(build, cwd=COPY, capture_output=True).returncode != 0:
        sys.exit(f"strict: {package} does not build")
    test = ["cargo", "test", "--quiet", "--locked", "--lib", "-p", package]
    return subprocess.run(test, cwd=COPY, capture_output=True).returncode == 0


def main():
    copy()
    for package in sorted({mutant[3] for mutant in MUTANTS}):
        if not passes(package):
            sys.exit(f"strict: the tests of {package} fail as they are")
    survived = []
    for name, strict, lax, package in MUTANTS:
        path = COPY / name
        text = path.read_text()
        if text.count(strict) != 1:
            sys.exit(f"strict: {name} does not say `{strict}` once")
        path.write_text(text.replace(strict, lax))
        noticed = not passes(package)
        path.write_text(text)
        print(f"strict: {name}: `{lax}`: {'noticed' if noticed else 'NOT NOTICED'}", flush=True)
        if not noticed:
            survived.append(name)
    if survived:
        sys.exit(f"strict: {len(survived)} of {len(MUTANTS)} would fail open unnoticed")


if __name__ == "__main__":
    main()
