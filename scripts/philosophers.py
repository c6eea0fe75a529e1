#!/usr/bin/env python3
"""Dining philosophers, naive and ordered: the answer, its time and its peak memory."""

import glob
import os
import re
import resource
import subprocess
import sys
import time

SECONDS, MEGABYTES = 5, 200


def measure(threader, file):
    """The answer, seconds, and megabytes of the largest process."""
    begun = time.monotonic()
    command = [sys.executable, __file__, "--child", threader, file]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")
    return printed[0], time.monotonic() - begun, int(printed[1]) / 1024


def child(threader, file):
    """Runs the prover, and prints its answer and the memory it took."""
    command = [threader, "prove", "--property", "no-deadlock", "--timeout", "60", file]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    print(run.stdout.strip().removeprefix("Result: "))
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def main():
    threader = sys.argv[1]
    files = glob.glob(os.path.join(os.path.dirname(__file__), "../tests/deadlock/philosophers/*_*.c"))
    rows = [(m.group(1), int(m.group(2)), f) for f in files if (m := re.search(r"/(naive|ordered)_(\d+)\.c$", f))]
    slow = 0
    print(f"{'philosophers':<14} {'answer':<20} {'s':>6} {'MB':>6}")
    for kind, count, file in sorted(rows):
        answer, seconds, megabytes = measure(threader, file)
        slow += seconds > SECONDS or megabytes > MEGABYTES
        print(f"{kind + ' ' + str(count):<14} {answer:<20} {seconds:>6.2f} {megabytes:>6.0f}")
    print(f"{slow} of {len(rows)} took more than {SECONDS} s or {MEGABYTES} MB")


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(*sys.argv[2:4])
    else:
        main()
