#!/usr/bin/env python3
"""Runs the prover on the programs of tests/programs/table1 under each rule and prints one table a rule.

Usage: scripts/bench.py THREADER [SECONDS]. The published figures are Threader's of 2011, on that year's hardware.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

RULES = ["owicki-gries", "rely-guarantee", "monolithic"]
# [T, Table 1], seconds: Owicki-Gries, rely-guarantee, monolithic; T/O after 15 minutes.
PUBLISHED = {
    "spin2003": ("0.02", "0.1", "0.02"),
    "dekker": ("0.3", "1.1", "T/O"),
    "peterson": ("0.7", "2.3", "T/O"),
    "szymanski": ("1.8", "12.2", "T/O"),
    "rwlock": ("0.03", "0.1", "0.03"),
    "time-varying-mutex": ("0.73", "7.5", "0.3"),
    "naive-bakery": ("0.3", "2.4", "T/O"),
    "bakery": ("1.4", "97", "T/O"),
    "lamport": ("11.4", "57", "T/O"),
    "qrcu-2": ("1.8", "11.3", "T/O"),
    "qrcu-3": ("89", "T/O", "T/O"),
    "qrcu-4": ("T/O", "T/O", "T/O"),
    "mozilla-fixed": ("0.8", "0.8", "T/O"),
    "see-saw": ("T/O", "7.8", "T/O"),
    "scull": ("T/O", "41.2", "T/O"),
}
COLUMNS = "{:<26} {:>8} {:>8} {:>9}  {:>6} {:>6} {:>7} {:>9} {:>7}"


def run(threader, program, rule, limit, out):
    start = time.monotonic()
    command = [threader, "prove", str(program), "--rule", rule, "--timeout", str(limit), "--json", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    verdict = done.stdout.strip().splitlines()[-1].removeprefix("Result: ") if done.stdout else "crash"
    statistics = json.loads(out.read_text())["statistics"] if out.exists() else {}
    return verdict, seconds, statistics


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    threader, limit = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    programs = sorted(pathlib.Path("tests/programs/table1").glob("*.c"))
    for index, rule in enumerate(RULES):
        print(f"\n{rule}, limit {limit} s")
        head = ("program", "verdict", "seconds", "published", "refin.", "pred.", "states", "queries", "direct")
        print(COLUMNS.format(*head), flush=True)
        for program in programs:
            with tempfile.TemporaryDirectory() as directory:
                verdict, seconds, s = run(threader, program, rule, limit, pathlib.Path(directory) / "result.json")
            queries = s.get("entailment_queries", 0)
            direct = 100 * (1 - s.get("entailment_by_solver", 0) / queries) if queries else 100
            published = PUBLISHED.get(program.stem, ("", "", ""))[index]
            predicates = s.get("predicates", 0) + s.get("transition_predicates", 0)
            print(COLUMNS.format(program.stem, verdict.split("(")[0], f"{seconds:.2f}", published,
                                 s.get("refinements", "-"), predicates, s.get("states", "-"), queries,
                                 f"{direct:.1f} %"), flush=True)


main()
