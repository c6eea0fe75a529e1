#!/usr/bin/env python3
"""Measures searches within bounds: published errors, what supersteps save, steps a second and bytes a state, and SPIN.

    bounded_bench.py THREADER SEARCH      the program, and the example `search` of threader-bounded
"""

import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path("tests/programs/bounded")
LIMIT = 30


def rows(table):
    """The rows of a table beside the programs: macros, the fourth field, as arguments, and the best published time, the last, as a number."""
    for line in (PROGRAMS / table).read_text().splitlines():
        if line and not line.startswith("#"):
            source, name, file, names, *rest, best = line.split()
            yield source, name, file, macros([] if names == "-" else names.split(",")), *rest, float(best)


def macros(names):
    return [word for name in names for word in ("-D", name)]


def seconds(command):
    """How long a command takes, its status, and its result."""
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return time.monotonic() - begun, done.returncode, done.stdout.strip()


def errors(threader):
    print("Published errors: seconds until found, by refute, by prove, and the best published (<1 as 1)")
    print(f"{'':24}{'refute':>8}{'prove':>8}{'published':>11}")
    for source, name, file, defined, best in rows("published.txt"):
        cells = []
        for command in ("refute", "prove"):
            took, status, _ = seconds([threader, command, PROGRAMS / f"{file}.c", "--first", "--timeout", str(LIMIT), *defined])
            cells.append(f"{took:8.2f}" if status == 10 else f"{'-':>8}")
        print(f"{source} {name:22}{''.join(cells)}{best:11.1f}", flush=True)


def safe(threader):
    print("Published searches without an error: seconds until so many switches are covered (any: all of them), or a proof is found;")
    print(f"> {LIMIT} where that takes longer; and the best published")
    print(f"{'':24}{'switches':>9}{'refute':>8}{'prove':>8}{'published':>11}")
    for source, name, file, defined, switches, best in rows("published_safe.txt"):
        bounds = [] if switches == "any" else ["--contexts", switches]
        cells = []
        for arguments in (["refute", *bounds], ["prove"]):
            took, _, result = seconds([threader, *arguments, PROGRAMS / f"{file}.c", "--timeout", str(LIMIT), *defined])
            is_cut = "stopped" in result or "timeout" in result or "states only" in result
            cells.append(f"{'> ' + str(LIMIT):>8}" if is_cut else f"{took:8.2f}")
        print(f"{source} {name:22}{switches:>9}{''.join(cells)}{best:11.1f}", flush=True)


def processor():
    """The processor time of all commands so far: the machine may be busy with something else."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def searched(search, file, arguments):
    """What the example says: states, steps, bytes a state, words, and whether everything was seen; and steps a second, in millions."""
    begun = processor()
    command = [search, PROGRAMS / f"{file}.c", "--seconds", str(LIMIT), "--states", "30000000", "--unbounded", *arguments]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+) states, (\d+) steps, .*, (\d+) bytes a state, (\d+) words", text)
    states, steps, size, words = map(int, found.groups())
    rate = steps / max(processor() - begun, 0.001) / 1e6
    return {"states": states, "steps": steps, "rate": rate, "bytes": size, "words": words, "all": "exhaustive" in text}


# [S]: its states, switching at every global access, and with supersteps; nothing where its memory was exhausted.
SUPERSTEPS = [
    ("philosophers, 2", "philosophers", ["N=2"], 59, 37),
    ("philosophers, 3", "philosophers", ["N=3"], 534, 380),
    ("philosophers, 4", "philosophers", ["N=4"], 4762, 3130),
    ("philosophers, 5", "philosophers", ["N=5"], 42386, 25021),
    ("IPC queue, depth 1", "ipc_queue", ["DEPTH=1"], 156863, 234),
    ("IPC queue, depth 2", "ipc_queue", ["DEPTH=2"], 625359, 316),
    ("IPC queue, depth 3", "ipc_queue", ["DEPTH=3"], 1529342, 479),
    ("IPC queue, depth 4", "ipc_queue", ["DEPTH=4"], None, 654),
    ("IPC queue, depth 15", "ipc_queue", ["DEPTH=15", "MESSAGES=30"], None, 22629),
    ("robots, 4 x 4", "robots", ["N=4"], None, None),
    ("robots, 8 x 8", "robots", ["N=8"], None, None),
]


def supersteps(search):
    print("States, a step being one access to a global, without and with supersteps; [S]'s of its programs")
    print(f"{'':24}{'without':>10}{'with':>10}{'without [S]':>13}{'with [S]':>10}")
    for name, file, names, without, with_ in SUPERSTEPS:
        cells = []
        for arguments in (["--no-reduction"], []):
            found = searched(search, file, ["--fusion", "local", *macros(names), *arguments])
            cells.append(f"{found['states']:>10}" if found["all"] else f"{'> ' + str(found['states']):>10}")
        print(f"{name:24}{''.join(cells)}{without or '-':>13}{with_ or '-':>10}", flush=True)


# Small programs whose states are many, with models of the same for SPIN where there are some.
SPEED = [
    ("micro, 2 threads, 25", "micro", ["THREADS=2", "COUNT=25"], "micro"),
    ("philosophers, 5", "philosophers", ["N=5"], "philosophers"),
    ("fib_bench, 5", "fib_bench", ["NUM=5"], "fib_bench"),
    ("stateful20", "stateful20", [], None),
    ("robots, 40 x 40", "robots", ["N=40"], None),
]


def speed(search):
    print("Execution without reductions: steps a second of processor time, bytes a stored state; SPIN on models of the same")
    print(f"{'':24}{'words':>6}{'states':>10}{'steps':>10}{'M steps/s':>11}{'bytes':>7}   SPIN: states, steps, M steps/s, bytes")
    missed = []
    for name, file, names, model in SPEED:
        found = searched(search, file, ["--fusion", "local", "--no-reduction", *macros(names)])
        if found["rate"] < 1:
            missed.append(f"{name}: {found['rate']:.2f} million steps a second")
        if found["words"] <= 32 and found["bytes"] > 200:
            missed.append(f"{name}: {found['bytes']} bytes a state")
        print(
            f"{name:24}{found['words']:>6}{found['states']:>10}{found['steps']:>10}{found['rate']:>11.2f}{found['bytes']:>7}"
            f"   {spin(model) if model else '-'}", flush=True,
        )


    print("Aims: a million steps a second, 200 bytes a state of up to 32 words.", "Missed: " + "; ".join(missed) if missed else "Both are met.")


def spin(model):
    """SPIN's figures for a model, or why there are none."""
    if not shutil.which("spin"):
        return "not installed (apt install spin)"
    with tempfile.TemporaryDirectory() as directory:
        source = (PROGRAMS / f"{model}.pml").resolve()
        try:
            subprocess.run(["spin", "-a", source], cwd=directory, check=True, capture_output=True)
            compile_ = ["cc", "-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=4096", "-o", "pan", "pan.c"]
            subprocess.run(compile_, cwd=directory, check=True, capture_output=True)
            begun = processor()
            text = subprocess.run(["./pan", "-m1000000", "-w24", "-E"], cwd=directory, capture_output=True, text=True, timeout=120).stdout
        except (subprocess.SubprocessError, OSError) as error:
            return f"failed: {error}"
    # Large numbers are written as 1.5e+08.
    number = lambda pattern: int(float((re.search(pattern, text) or [None, "0"])[1]))
    states, steps = number(r"([\d.e+]+) states, stored"), number(r"([\d.e+]+) transitions")
    took, size = processor() - begun, number(r"State-vector (\d+) byte")
    return f"{states}, {steps}, {steps / max(took, 0.01) / 1e6:.2f}, {size}"


def main():
    threader, search = sys.argv[1:]
    errors(threader)
    print()
    safe(threader)
    print()
    supersteps(search)
    print()
    speed(search)


main()
