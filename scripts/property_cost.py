#!/usr/bin/env python3
"""What properties cost beside assertions: entailment queries of each over those of unreach-call, under one rule.

Programs are those of a sample of the corpus that are proved for both; the mean is geometric. Usage: property_cost.py THREADER [TIMEOUT]
"""
import math
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROPERTIES = ["no-data-race", "no-overflow", "no-division-by-zero", "no-bad-shift", "valid-deref", "valid-free", "no-misuse",
              "no-uninitialised-read", "all"]
DIRECTORIES = ["table1", "memory", "sync"]
RULE = "owicki-gries"
# Few queries say little: a program that needs none counts like one that needs so many.
LEAST = 50
EVERY = 4


def queries(binary, program, name, timeout):
    """The number of queries of a proof; nothing if there is none."""
    command = [binary, "prove", str(program), "--rule", RULE, "--property", name, "--timeout", str(timeout)]
    output = subprocess.run(command, capture_output=True, text=True, check=False)
    if not output.stdout.endswith("Result: true\n"):
        return None
    found = re.search(r"(\d+) entailment queries", output.stdout + output.stderr)
    return int(found.group(1)) if found else 0


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    binary, timeout = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 10
    programs = []
    for directory in DIRECTORIES:
        safe = [p for p in sorted((ROOT / "tests/programs" / directory).glob("*.c"))
                if p.read_text(encoding="utf-8").startswith("// verdict: true")]
        programs += safe[::EVERY]
    base = {program: queries(binary, program, "unreach-call", timeout) for program in programs}
    print(f"{'property':<24}{'proved':>8}{'of':>5}{'queries over those of assertions':>36}")
    for name in PROPERTIES:
        ratios = []
        for program, before in base.items():
            after = queries(binary, program, name, timeout) if before is not None else None
            if after is not None:
                ratios.append(max(after, LEAST) / max(before, LEAST))
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
        asked = sum(before is not None for before in base.values())
        print(f"{name:<24}{len(ratios):>8}{asked:>5}{mean:>36.2f}")


main()
