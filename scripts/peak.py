#!/usr/bin/env python3
"""Runs a command, and fails if a process of it was ever larger than that: `peak.py MEGABYTES COMMAND..`.

Counted is what was resident, of the command and of all that it started and waited for, each process by itself.
"""

import resource
import subprocess
import sys
from pathlib import Path


def main(limit, command):
    status = subprocess.call(command)
    if status < 0:
        # What a signal ended is said as a shell says it.
        status = 128 - status
    # In kilobytes, except where Darwin counts bytes.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
    name = Path(command[0]).name
    print(f"{name}: no process above {peak} MB", flush=True)
    if peak > limit:
        print(f"{name}: a process took {peak} MB, and {limit} MB are the most that one may", file=sys.stderr)
        return status or 1
    return status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
