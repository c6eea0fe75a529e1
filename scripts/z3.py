#!/usr/bin/env python3
"""Puts the pinned libz3 (scripts/z3.pin) into target/z3/<version>. Standard library only, apart from pip for the download.

Whatever goes wrong is said in a line or two, and leaves nothing behind that a later run could mistake for the library.
"""

import shutil
import sys
import tempfile
import zipfile
from collections import namedtuple
from pathlib import Path

from wheel import ROOT, Failure, download, glibc_problem, here, read_pin, report, shown, verify

PIN = ROOT / "scripts" / "z3.pin"
STORE = ROOT / "target" / "z3"
SYSTEM_HINT = "Install a recent Z3 yourself (library and pkg-config file) and use `make Z3=system ..`."

Wheel = namedtuple("Wheel", "system machine glibc tag member soname sha256")


def pinned():
    """The library's version, the package's name and version, and one wheel per platform."""
    version, package, wheels = "", ("", ""), []
    for words in read_pin(PIN):
        if words[0] == "version":
            version = words[1]
        elif words[0] == "package":
            package = (words[1], words[2])
        elif words[0] == "wheel":
            wheels.append(Wheel(*words[1:]))
    return version, package, wheels


def choose(wheels):
    """The wheel for this machine, or the reason why there is none."""
    system, machine = here()
    wheel = next((w for w in wheels if (w.system, w.machine) == (system, machine)), None)
    if wheel is None:
        raise Failure(f"there is no pinned Z3 for {system} on {machine}.\n{SYSTEM_HINT}")
    problem = glibc_problem(wheel.glibc)
    if problem:
        raise Failure(f"the pinned Z3 for {machine} {problem}.\n{SYSTEM_HINT}")
    return wheel


def file_name(package, wheel):
    return f"{package[0].replace('-', '_')}-{package[1]}-py3-none-{wheel.tag}.whl"


def unpack(path, wheel, into):
    """The library under the name that programs load it by, and a link with the name that linkers look for."""
    into.mkdir()
    try:
        with zipfile.ZipFile(path) as archive, archive.open(wheel.member) as source:
            with (into / wheel.soname).open("wb") as target:
                shutil.copyfileobj(source, target)
    except (zipfile.BadZipFile, KeyError) as error:
        raise Failure(f"{path.name} cannot be unpacked: {error}")
    (into / wheel.soname).chmod(0o755)
    linker_name = Path(wheel.member).name
    if linker_name != wheel.soname:
        (into / linker_name).symlink_to(wheel.soname)


def setup():
    version, package, wheels = pinned()
    home = STORE / version
    wheel = choose(wheels)
    stamp = home / "sha256"
    if stamp.is_file() and stamp.read_text() == wheel.sha256 and (home / wheel.soname).is_file():
        return
    STORE.mkdir(parents=True, exist_ok=True)
    # Beside its final place, so that one rename makes it appear, whole.
    with tempfile.TemporaryDirectory(prefix="unfinished-", dir=STORE) as scratch:
        scratch = Path(scratch)
        path = STORE / file_name(package, wheel)
        if not path.is_file():
            print(f"setup: fetching Z3 {version} ({package[0]} {package[1]}, about 40 MB)", flush=True)
            path = download(package, file_name(package, wheel), ["--platform", wheel.tag], STORE, scratch)
        verify(path, wheel.sha256, PIN)
        unpack(path, wheel, scratch / "new")
        (scratch / "new" / "sha256").write_text(wheel.sha256)
        if home.exists():
            home.rename(scratch / "old")
        (scratch / "new").rename(home)
    print(f"setup: Z3 {version} is in {shown(home)}", flush=True)


if __name__ == "__main__":
    sys.exit(report(setup, STORE, "Z3"))
