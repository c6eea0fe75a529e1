#!/usr/bin/env python3
"""The pinned BenchExec (scripts/benchexec.pin). Needs Python 3.10, and pip for the download.

  benchexec.py setup              put it into target/benchexec
  benchexec.py MODULE ARGUMENTS   its program MODULE (benchexec, tablegenerator, ..), with threader's tool-info module at hand:
                                  benchexec.py test_tool_info threader_benchexec.tool --no-container
"""

import os
import sys
import tempfile
import zipfile
from pathlib import Path

from wheel import ROOT, Failure, download, read_pin, report, shown, verify

PIN = ROOT / "scripts" / "benchexec.pin"
STORE = ROOT / "target" / "benchexec"


def setup():
    if sys.version_info < (3, 10):
        raise Failure("BenchExec needs Python 3.10 or newer.")
    wheels = [words[1:] for words in read_pin(PIN)]
    stamp = STORE / "sha256"
    wanted = " ".join(sha256 for _, _, _, sha256, *_ in wheels)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    STORE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="unfinished-", dir=STORE) as scratch:
        for package, version, rest, sha256, *tags in wheels:
            file_name = f"{package}-{version}-{rest}.whl"
            path = STORE / file_name
            if not path.is_file():
                print(f"setup: fetching {package} {version}, about 1 MB", flush=True)
                path = download((package, version), file_name, tags, STORE, Path(scratch))
            verify(path, sha256, PIN)
            with zipfile.ZipFile(path) as archive:
                archive.extractall(STORE / "lib")
    stamp.write_text(wanted)
    print(f"setup: BenchExec is in {shown(STORE)}", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    status = report(setup, STORE, "BenchExec")
    if status != 0 or sys.argv[1] == "setup":
        sys.exit(status)
    paths = [STORE / "lib", ROOT / "contrib", os.environ.get("PYTHONPATH")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(path) for path in paths if path)}
    # Not -m: the table generator is a package.
    call = "import importlib, sys; sys.exit(importlib.import_module('benchexec.' + sys.argv.pop(1)).main())"
    os.execve(sys.executable, [sys.executable, "-c", call, *sys.argv[1:]], environment)


main()
