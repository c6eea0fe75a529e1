#!/usr/bin/env python3
"""Makes the archives of a release from what `make build` has left: one to unpack anywhere, and one for competitions.

Usage: scripts/dist.py target/release/threader target/dist
"""

import json
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

README = """threader {version} for {system}

  bin/threader --help            the program; libz3 beside it belongs to it, and both can be moved together
  docs/guide.md                  how it is used

Needed on this machine: a C preprocessor (cc, gcc or clang, or what CC names), unless files are preprocessed already (.i).
LICENSES.txt lists what the program is made of, with licences.
"""

COMPETITION = """
For competitions:
  threader_benchexec/tool.py     the BenchExec tool-info module: with this directory on PYTHONPATH, threader_benchexec.tool
  threader_benchexec/*.prp       a property file for each property
  run.sh FILE PROPERTY.prp [ILP32|LP64]   one task, as a competition runs it; witness.yml is written beside
"""

RUN = """#!/bin/sh
# Runs one task: run.sh FILE PROPERTY.prp [ILP32|LP64]. The verdict is the last line; witness.yml is the witness.
here=$(dirname "$0")
exec "$here/bin/threader" prove --property "$2" --data-model "${3:-LP64}" --witness witness.yml "$1"
"""


def metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def needed(data):
    """The packages that the program is linked from: those that its normal dependencies lead to."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    work, seen = [data["resolve"]["root"]], set()
    while work:
        package = work.pop()
        if package in seen:
            continue
        seen.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                work.append(dependency["pkg"])
    return seen


def licences(data):
    wanted = needed(data)
    lines = [
        f"{package['name']} {package['version']}: {package['license'] or 'no licence named'}"
        for package in sorted(data["packages"], key=lambda package: package["name"])
        if package["id"] in wanted
    ]
    return "\n".join([*lines, "Z3 (libz3, beside the program): MIT"]) + "\n"


def fill(directory, program, data, version, system):
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "bin").mkdir(parents=True)
    shutil.copy2(program, directory / "bin" / "threader")
    libraries = sorted(program.parent.glob("libz3*"))
    for library in libraries:
        shutil.copy2(library, directory / "bin" / library.name)
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"]:
        shutil.copy2(ROOT / name, directory / name)
    shutil.copytree(ROOT / "docs", directory / "docs")
    (directory / "LICENSES.txt").write_text(licences(data))
    (directory / "README.txt").write_text(README.format(version=version, system=system))


def add_competition(directory):
    module = directory / "threader_benchexec"
    module.mkdir()
    for path in sorted((ROOT / "contrib" / "threader_benchexec").iterdir()):
        if path.suffix in {".py", ".prp", ".xml"}:
            shutil.copy2(path, module / path.name)
    (directory / "run.sh").write_text(RUN)
    (directory / "run.sh").chmod(0o755)
    with open(directory / "README.txt", "a", encoding="utf-8") as readme:
        readme.write(COMPETITION)


def pack(directory):
    archive = directory.with_name(directory.name + ".tar.gz")
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(directory, directory.name)
    return archive


def main():
    program, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    data = metadata()
    version = next(package["version"] for package in data["packages"] if package["id"] == data["resolve"]["root"])
    system = f"{platform.machine()}-{platform.system().lower()}"
    plain = out / f"threader-{version}-{system}"
    fill(plain, program, data, version, system)
    print(pack(plain))
    competition = out / f"threader-{version}-competition"
    fill(competition, program, data, version, system)
    add_competition(competition)
    print(pack(competition))


if __name__ == "__main__":
    main()
