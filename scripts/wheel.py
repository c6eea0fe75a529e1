"""Fetches one pinned file from the Python index and makes sure that it is the pinned one. Used by z3.py and cvc5.py."""

import hashlib
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Failure(Exception):
    """Something the user can act on: the message is the whole report."""


def read_pin(path):
    """The lines of a pin file, as lists of words."""
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return [words for words in lines if words and not words[0].startswith("#")]


def numbers(version):
    return [int(part) for part in version.split(".") if part.isdigit()]


def here():
    """The operating system and the machine, as pin files name them."""
    return platform.system(), platform.machine()


def glibc_problem(least):
    """Why this machine's C library is not enough, if it is not."""
    libc, found = platform.libc_ver()
    if least == "-" or (libc == "glibc" and numbers(found) >= numbers(least)):
        return None
    shown = f"{libc} {found}".strip() or "another C library"
    return f"needs glibc {least} or newer; this machine has {shown}"


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


def download(package, file_name, tags, store, into):
    """Has pip fetch exactly the pinned file, with the index, proxy and cache that the user has configured."""
    name, version = package
    by_hand = f"Or fetch {file_name} on another machine and put it into {shown(store)}/, then run make again."
    pip = pip_command()
    if pip is None:
        raise Failure(f"pip is missing (Debian, Ubuntu: apt install python3-pip), needed once to fetch {name}.\n{by_hand}")
    command = pip + ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run(command + tags + ["--dest", str(into), f"{name}=={version}"], capture_output=True, text=True)
    found = into / file_name
    if done.returncode != 0 or not found.is_file():
        said = [line for line in done.stderr.splitlines() if line.strip().startswith("ERROR")]
        reason = (said[-1] if said else f"pip ended with status {done.returncode}").strip()
        raise Failure(f"pip could not fetch {name} {version}: is there a network, and a proxy or index configured for pip?\n{reason}\n{by_hand}")
    return found


def verify(path, sha256, pin):
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    if digest.hexdigest() != sha256:
        raise Failure(
            f"{path.name} has SHA-256 {digest.hexdigest()},\nbut {shown(pin)} expects {sha256}. It was not used: "
            "the download is damaged, or is not what was pinned."
        )


def shown(path):
    """A path as the user would type it from the clone."""
    try:
        return path.relative_to(ROOT)
    except ValueError:
        return path


def report(work, store, what):
    """Runs `work` and says in a line or two what went wrong. The exit status."""
    try:
        work()
    except Failure as failure:
        print("setup: " + str(failure).replace("\n", "\n       "), file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setup: {what} could not be put into {shown(store)}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
