#!/usr/bin/env python3
"""Puts the pinned libz3 (scripts/z3.pin) into target/z3/<version>. Standard library only, apart from pip for the download.

Whatever goes wrong is said in a line or two, and leaves nothing behind that a later run could mistake for the library.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = ROOT / "scripts" / "z3.pin"
STORE = ROOT / "target" / "z3"

Wheel = namedtuple("Wheel", "system machine glibc tag member soname sha256")


class Failure(Exception):
    """Something the user can act on: the message is the whole report."""


def read_pin():
    """The library's version, the package's name and version, and one wheel per platform."""
    version, package, wheels = "", ("", ""), []
    for line in PIN.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "version":
            version = words[1]
        elif words[0] == "package":
            package = (words[1], words[2])
        elif words[0] == "wheel":
            wheels.append(Wheel(*words[1:]))
    return version, package, wheels


def choose(wheels):
    """The wheel for this machine, or the reason why there is none."""
    system, machine = platform.system(), platform.machine()
    wheel = next((w for w in wheels if (w.system, w.machine) == (system, machine)), None)
    if wheel is None:
        raise Failure(f"there is no pinned Z3 for {system} on {machine}.\n{SYSTEM_HINT}")
    if wheel.glibc != "-":
        libc, found = platform.libc_ver()
        if libc != "glibc" or numbers(found) < numbers(wheel.glibc):
            here = f"{libc} {found}".strip() or "another C library"
            raise Failure(f"the pinned Z3 for {machine} needs glibc {wheel.glibc} or newer; this machine has {here}.\n{SYSTEM_HINT}")
    return wheel


SYSTEM_HINT = "Install a recent Z3 yourself (library and pkg-config file) and use `make Z3=system ..`."


def numbers(version):
    return [int(part) for part in version.split(".") if part.isdigit()]


def pip_command():
    """How pip is called here. A system Python often comes without it."""
    candidates = [[sys.executable, "-m", "pip"], ["pip3"], ["pip"], ["uvx", "pip"]]
    for command in candidates:
        try:
            if subprocess.run(command + ["--version"], capture_output=True).returncode == 0:
                return command
        except OSError:
            continue
    return None


def download(package, wheel, into):
    """Has pip fetch exactly the pinned file, with the index, proxy and cache that the user has configured."""
    name, version = package
    by_hand = f"Or fetch {file_name(package, wheel)} on another machine and put it into {shown(STORE)}/, then run make again."
    pip = pip_command()
    if pip is None:
        raise Failure(f"pip is missing (Debian, Ubuntu: apt install python3-pip), needed once to fetch Z3.\n{by_hand}")
    command = pip + ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    command += ["--platform", wheel.tag, "--dest", str(into), f"{name}=={version}"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = into / file_name(package, wheel)
    if done.returncode != 0 or not found.is_file():
        said = [line for line in done.stderr.splitlines() if line.strip().startswith("ERROR")]
        reason = (said[-1] if said else f"pip ended with status {done.returncode}").strip()
        raise Failure(f"pip could not fetch {name} {version}: is there a network, and a proxy or index configured for pip?\n{reason}\n{by_hand}")
    return found


def file_name(package, wheel):
    return f"{package[0].replace('-', '_')}-{package[1]}-py3-none-{wheel.tag}.whl"


def shown(path):
    """A path as the user would type it from the clone."""
    try:
        return path.relative_to(ROOT)
    except ValueError:
        return path


def verify(path, wheel):
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    if digest.hexdigest() != wheel.sha256:
        raise Failure(
            f"{path.name} has SHA-256 {digest.hexdigest()},\nbut {shown(PIN)} expects {wheel.sha256}. It was not used: "
            "the download is damaged, or is not what was pinned."
        )


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
    version, package, wheels = read_pin()
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
            path = download(package, wheel, scratch)
        verify(path, wheel)
        unpack(path, wheel, scratch / "new")
        (scratch / "new" / "sha256").write_text(wheel.sha256)
        if home.exists():
            home.rename(scratch / "old")
        (scratch / "new").rename(home)
    print(f"setup: Z3 {version} is in {shown(home)}", flush=True)


def main():
    try:
        setup()
    except Failure as failure:
        print("setup: " + str(failure).replace("\n", "\n       "), file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setup: Z3 could not be put into {shown(STORE)}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
