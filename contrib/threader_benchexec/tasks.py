#!/usr/bin/env python3
"""Writes a task definition for each program of the corpus that has a verdict, from its first line.

Usage: tasks.py DIRECTORY. BenchExec and SV-COMP read such tasks; threader.xml looks for them in target/tasks.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent.parent / "tests" / "programs"
TASK = """format_version: '2.0'
input_files: {program}
properties:
  - property_file: {property}
    expected_verdict: {verdict}
options:
  language: C
  data_model: LP64
"""


def quoted(path):
    """A path as YAML: plain would do for ours, but not for all."""
    return "'" + str(path).replace("'", "''") + "'"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    store = Path(sys.argv[1]).resolve()
    count = 0
    for program in sorted(PROGRAMS.rglob("*.c")):
        first = program.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
        verdict = first[len("// verdict: "):].strip() if first.startswith("// verdict: ") else ""
        if verdict not in ("true", "false"):
            continue
        task = (store / program.relative_to(PROGRAMS)).with_suffix(".yml")
        task.parent.mkdir(parents=True, exist_ok=True)
        near = {name: quoted(os.path.relpath(path, task.parent)) for name, path in
                {"program": program, "property": HERE / "unreach-call.prp"}.items()}
        task.write_text(TASK.format(verdict=verdict, **near), encoding="utf-8")
        count += 1
    print(f"{count} tasks in {store}")


main()
