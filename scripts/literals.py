#!/usr/bin/env python3
"""How large proofs are: literals a location, as found and as they are shown, and the most alternatives of a line.

Usage: scripts/literals.py target/release/threader [FILE ..]
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEFAULT = ["dekker", "peterson", "szymanski", "naive-bakery", "bakery", "lamport", "time-varying-mutex", "spin2003"]
RULES = ["owicki-gries", "rely-guarantee"]


def proof(program, path, rule, *flags):
    command = [program, "prove", path, "--rule", rule, "--timeout", "60", "--memory", "3000", "--proof", *flags]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return run.stdout.splitlines() if run.returncode == 0 else None


def size(lines):
    """Literals, lines of C that have some, and the most alternatives of one."""
    literals, places, most, here, inside = 0, 0, 0, 0, False
    for line in lines:
        if line.strip() == "environment":
            inside = False
        elif not line.startswith(" "):
            inside = True
        if not inside or "  " not in line.strip():
            if not line.strip().startswith("||"):
                continue
        text = line.strip()
        if text.startswith("||"):
            here += 1
        elif inside and re.match(r"(line|\S+:|end|elsewhere|everywhere)", text):
            places += 1
            here = 1
        else:
            continue
        most = max(most, here)
        literals += 0 if text.endswith("  true") else text.count("&&") + 1
    return literals, places, most


def main():
    program = sys.argv[1]
    paths = sys.argv[2:] or [str(ROOT / "tests/programs/table1" / f"{name}.c") for name in DEFAULT]
    print(f"{'literals a line of C':<24}" + "".join(f"{rule:>18}{'as found':>10}{'most':>6}" for rule in RULES))
    for path in paths:
        cells = ""
        for rule in RULES:
            shown, found = proof(program, path, rule), proof(program, path, rule, "--as-found")
            if shown is None or found is None:
                cells += f"{'-':>18}{'-':>10}{'-':>6}"
                continue
            literals, places, most = size(shown)
            before, places_before, _ = size(found)
            cells += f"{literals / max(1, places):>18.1f}{before / max(1, places_before):>10.1f}{most:>6}"
        print(f"{Path(path).stem:<24}{cells}")


if __name__ == "__main__":
    main()
