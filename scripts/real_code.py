#!/usr/bin/env python3
"""Public code, as it is, with the drivers of tests/real around it. Standard library only, apart from apt-get for downloads.

  real_code.py setup [PROJECT..]             put the pinned sources (scripts/real_code.pin) into target/real
  real_code.py run [options] [NAME..]        run the drivers whose names contain NAME, all without one
  real_code.py table                         write docs/real-code.md from the results of all drivers

options: --from DIR        sources are in DIR/PROJECT instead of target/real (clones that one has; nothing is checked)
         --threader FILE   the program to run (target/release/threader)
         --timeout S       seconds a driver (60); --memory MB (3000); -j N (the cores)

A driver is tests/real/PROJECT/NAME.c, our own text, which begins with its directives, or NAME.task, which has nothing else:

  // sources: files of the project that are linked with it
  // flags:   as for a compiler; directories after -I are the project's; the driver's own comes before them
  // options: of `threader prove`
  // verdict: true | false(..) | unknown: what is expected
  // checks:  a sentence for the table
"""

import argparse
import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from wheel import ROOT, Failure, read_pin, report, shown

PIN = ROOT / "scripts" / "real_code.pin"
DRIVERS = ROOT / "tests" / "real"
STORE = ROOT / "target" / "real"
RESULTS = STORE / "results.json"
TABLE = ROOT / "docs" / "real-code.md"
DIRECTIVES = {"sources", "flags", "options", "verdict", "checks"}

Project = namedtuple("Project", "name package version archive sha256")
Driver = namedtuple("Driver", "name project path directives")


def projects():
    return {words[0]: Project(*words) for words in read_pin(PIN)}


def directives(path):
    """The directives at the head of a driver. One that is not known is an error, so that none is overlooked."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.removeprefix("//").strip() if path.suffix == ".c" else line.strip()
        if not text or (path.suffix == ".c" and not line.startswith("//")):
            break
        key, colon, value = text.partition(":")
        if not colon or key not in DIRECTIVES:
            raise Failure(f"{shown(path)}: `{text}` is no directive")
        found[key] = f"{found[key]} {value.strip()}" if key in found else value.strip()
    missing = {"verdict", "checks"} - found.keys()
    if missing:
        raise Failure(f"{shown(path)}: no directive {', '.join(sorted(missing))}")
    return found


def drivers(names=()):
    found = []
    for path in sorted([*DRIVERS.glob("*/*.c"), *DRIVERS.glob("*/*.task")]):
        name = f"{path.parent.name}/{path.stem}"
        if not names or any(wanted in name for wanted in names):
            found.append(Driver(name, path.parent.name, path, directives(path)))
    if not found:
        raise Failure("there is no such driver")
    return found


def sources_of_apt(scratch):
    """apt's options for the sources of the distribution that this machine takes its packages from, in lists of our own."""
    for part in ["lists/partial", "cache/archives/partial", "parts"]:
        (scratch / part).mkdir(parents=True)
    for number, path in enumerate([Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]):
        if path.suffix == ".sources":
            text = re.sub(r"(?m)^Types:.*$", "Types: deb-src", path.read_text(encoding="utf-8"))
            (scratch / "parts" / f"{number}.sources").write_text(text)
        elif path.suffix == ".list" and path.is_file():
            text = re.sub(r"(?m)^deb\b", "deb-src", path.read_text(encoding="utf-8"))
            (scratch / "parts" / f"{number}.list").write_text(text)
    settings = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": scratch / "parts",
        "Dir::State::lists": scratch / "lists",
        "Dir::Cache": scratch / "cache",
        "APT::Sandbox::User": "",
    }
    options = [word for key, value in settings.items() for word in ["-o", f"{key}={value}"]]
    call(["apt-get", *options, "update"], scratch)
    return options


def call(command, directory):
    try:
        done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise Failure(f"{command[0]} is needed for this; or give the sources with --from DIR")
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command[:3]))} .. failed: {done.stdout.strip().splitlines()[-1:]}")


def download(project, scratch, apt):
    """The pinned archive of a project, from its Debian source package."""
    if not apt:
        apt.extend(sources_of_apt(scratch / "apt"))
    fetch = ["apt-get", *apt, "source", "--download-only", "--tar-only", "--only-source", project.package]
    try:
        call(fetch, scratch)
    except Failure:
        # Some packages have several archives: the pinned one is enough.
        if not (scratch / project.archive).is_file():
            raise
    path = scratch / project.archive
    if not path.is_file():
        raise Failure(f"{project.package} has no {project.archive} here (another release?): give its sources with --from DIR")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != project.sha256:
        raise Failure(f"{project.archive} has SHA-256 {digest}, but {shown(PIN)} says {project.sha256}")
    return path


def setup(names):
    known = projects()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Failure(f"{shown(PIN)} does not know {', '.join(unknown)}")
    STORE.mkdir(parents=True, exist_ok=True)
    failures, apt = [], []
    with tempfile.TemporaryDirectory(prefix="unfinished-", dir=STORE) as scratch:
        for project in known.values():
            home = STORE / project.name
            stamp = home / ".sha256"
            wanted = not names or project.name in names
            if not wanted or (stamp.is_file() and stamp.read_text() == project.sha256):
                continue
            try:
                unpack(project, download(project, Path(scratch), apt), Path(scratch) / "new" / project.name, home)
                print(f"setup: {project.name} {project.version} is in {shown(home)}", flush=True)
            except Failure as failure:
                failures.append(f"{project.name}: {failure}")
    if failures:
        raise Failure("\n".join(failures))


def unpack(project, archive, fresh, home):
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            parts = Path(member.name).parts[1:]
            # Nothing but plain files and directories below the project's own one.
            if parts and ".." not in parts and (member.isfile() or member.isdir()):
                member.name = str(Path(*parts))
                member.mode = 0o755 if member.isdir() else 0o644
                tar.extract(member, fresh, set_attrs=False)
    (fresh / ".sha256").write_text(project.sha256)
    if home.exists():
        shutil.rmtree(home)
    fresh.rename(home)


def command(driver, options):
    """The call of threader for a driver."""
    source = (options.source or STORE) / driver.project
    if not source.is_dir():
        raise Failure(f"{driver.name}: there is no {shown(source)}: run scripts/real_code.py setup")
    files = [source / name for name in shlex.split(driver.directives.get("sources", ""))]
    if driver.path.suffix == ".c":
        files.insert(0, driver.path)
    flags = []
    for word in shlex.split(driver.directives.get("flags", "")):
        flags.append(f"-I{source / word[2:]}" if word.startswith("-I") else word)
    own = [f"-I{driver.path.parent}"]
    limits = ["--timeout", str(options.timeout), "--memory", str(options.memory)]
    if options.jobs:
        limits += ["-j", str(options.jobs)]
    return [options.threader, "prove", *files, *own, *flags, *shlex.split(driver.directives.get("options", "")), *limits]


def verdict(output):
    lines = [line for line in output.splitlines() if line.startswith("Result: ")]
    return lines[-1].removeprefix("Result: ") if lines else "no result"


def run(options):
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    surprises = []
    for driver in drivers(options.names):
        called = list(map(str, command(driver, options)))
        start = time.monotonic()
        try:
            done = subprocess.run(called, capture_output=True, text=True, errors="replace", timeout=options.timeout * 2 + 30)
            output, said = done.stdout, verdict(done.stdout)
        except subprocess.TimeoutExpired:
            output, said = "", "no result"
        taken = time.monotonic() - start
        expected = driver.directives["verdict"]
        wrong = said.split("(")[0] != expected.split("(")[0] and not said.startswith("unknown")
        mark = "WRONG" if wrong else "" if said.split("(")[0] == expected.split("(")[0] else "open"
        if wrong:
            surprises.append(driver.name)
        print(f"{driver.name:44} {said:44} {taken:6.1f} s {mark}".rstrip(), flush=True)
        results[driver.name] = {"verdict": said, "seconds": round(taken, 1)}
        logs = STORE / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        (logs / (driver.name.replace("/", "-") + ".txt")).write_text(shlex.join(called) + "\n" + output + (done.stderr if output else ""))
        RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True))
    if surprises:
        raise Failure("not the verdict that the driver states: " + ", ".join(surprises))


HEAD = """# Real code

Public code as it is published, with the drivers of `tests/real` around it. `scripts/real_code.py setup` fetches the sources of
the versions below and compares their SHA-256 (`scripts/real_code.pin`), or `--from DIR` takes clones that one has; none of it is part of
this project. `scripts/real_code.py run` runs the drivers, and `scripts/real_code.py table` writes this page.

What a driver checks is in its own text, with the verdict that we expect and why. `unknown` has its reason; a time is one run's.
Where `false` is expected, the driver uses the code in a way that its documentation forbids, or the code is the project's own example of an error.

"""


def table():
    known, results = projects(), json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    rows, decided, wrong = [], 0, 0
    for driver in drivers():
        if driver.name not in results:
            raise Failure(f"{driver.name} has not been run")
        result, project = results[driver.name], known[driver.project]
        said, expected = result["verdict"], driver.directives["verdict"]
        decided += said.startswith(("true", "false"))
        wrong += said.startswith(("true", "false")) and said.split("(")[0] != expected.split("(")[0]
        checks = driver.directives["checks"].replace("|", "\\|")
        rows.append(f"| `{driver.name}` | {project.version} | {checks} | {said} | {result['seconds']:.1f} |")
    used = len({driver.project for driver in drivers()})
    summary = f"{len(rows)} programs and drivers around {used} projects: {decided} decided, {wrong} of them not as expected.\n\n"
    lines = ["| Driver | Version | What is checked | Verdict | Seconds |", "|---|---|---|---|---|", *rows]
    TABLE.write_text(HEAD + summary + "\n".join(lines) + "\n", encoding="utf-8")
    print(summary.strip())


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.strip(), add_help=False)
    parser.add_argument("what", choices=["setup", "run", "table"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--from", dest="source", type=lambda text: Path(text).resolve())
    parser.add_argument("--threader", type=Path, default=ROOT / "target" / "release" / "threader")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--memory", type=int, default=3000)
    parser.add_argument("-j", dest="jobs", type=int)
    options = parser.parse_args(arguments)
    action = {"setup": lambda: setup(options.names), "run": lambda: run(options), "table": table}[options.what]
    return report(action, STORE, "the sources")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
