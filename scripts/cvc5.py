#!/usr/bin/env python3
"""cvc5 as a second opinion on proofs. Standard library only, apart from pip for the download.

  cvc5.py setup                       put the pinned cvc5 (scripts/cvc5.pin) into target/cvc5/<version>
  cvc5.py [--limit SECONDS] PATH..    the answers to each .smt2 file (of each directory), one line each: ANSWER.. PATH
"""

import ctypes
import sys
import tempfile
import zipfile
from collections import namedtuple
from pathlib import Path

from wheel import ROOT, Failure, download, glibc_problem, here, read_pin, report, shown, verify

PIN = ROOT / "scripts" / "cvc5.pin"
STORE = ROOT / "target" / "cvc5"
PYTHON = "cp311"

Wheel = namedtuple("Wheel", "system machine glibc tag name sha256")


def pinned():
    lines = read_pin(PIN)
    package = next((words[1], words[2]) for words in lines if words[0] == "package")
    return package, [Wheel(*words[1:]) for words in lines if words[0] == "wheel"]


def choose(wheels):
    system, machine = here()
    wheel = next((w for w in wheels if (w.system, w.machine) == (system, machine)), None)
    if wheel is None:
        raise Failure(f"there is no pinned cvc5 for {system} on {machine}.")
    problem = glibc_problem(wheel.glibc)
    if problem:
        raise Failure(f"the pinned cvc5 for {machine} {problem}.")
    return wheel


def setup():
    package, wheels = pinned()
    wheel = choose(wheels)
    home = STORE / package[1]
    stamp = home / "sha256"
    if stamp.is_file() and stamp.read_text() == wheel.sha256:
        return
    STORE.mkdir(parents=True, exist_ok=True)
    file_name = f"{package[0]}-{package[1]}-{PYTHON}-{PYTHON}-{wheel.name}.whl"
    tags = ["--platform", wheel.tag, "--python-version", "3.11", "--implementation", "cp", "--abi", PYTHON]
    with tempfile.TemporaryDirectory(prefix="unfinished-", dir=STORE) as scratch:
        scratch = Path(scratch)
        path = STORE / file_name
        if not path.is_file():
            print(f"setup: fetching cvc5 {package[1]}, about 15 MB", flush=True)
            path = download(package, file_name, tags, STORE, scratch)
        verify(path, wheel.sha256, PIN)
        try:
            with zipfile.ZipFile(path) as archive:
                archive.extractall(scratch / "new")
        except zipfile.BadZipFile as error:
            raise Failure(f"{path.name} cannot be unpacked: {error}")
        (scratch / "new" / "sha256").write_text(wheel.sha256)
        if home.exists():
            home.rename(scratch / "old")
        (scratch / "new").rename(home)
    print(f"setup: cvc5 {package[1]} is in {shown(home)}", flush=True)


class Cvc5:
    """The C interface of libcvc5 and its parser, as far as scripts need it."""

    def __init__(self, limit):
        home = STORE / pinned()[0][1]
        libraries = sorted(home.glob("**/libcvc5*"))
        find = lambda stem: next((p for p in libraries if p.name.startswith(stem) and p.name[len(stem)] in "-."), None)
        if find("libcvc5") is None or find("libcvc5parser") is None:
            raise Failure(f"there is no cvc5 in {shown(home)}: run scripts/cvc5.py setup, which make test does.")
        self.solver = ctypes.CDLL(str(find("libcvc5")), mode=ctypes.RTLD_GLOBAL)
        self.parser = ctypes.CDLL(str(find("libcvc5parser")))
        self.limit = limit
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        for library, name, result, arguments in [
            (self.solver, "cvc5_term_manager_new", pointer, []),
            (self.solver, "cvc5_new", pointer, [pointer]),
            (self.solver, "cvc5_delete", None, [pointer]),
            (self.solver, "cvc5_set_option", None, [pointer, text, text]),
            (self.parser, "cvc5_symbol_manager_new", pointer, [pointer]),
            (self.parser, "cvc5_symbol_manager_delete", None, [pointer]),
            (self.parser, "cvc5_parser_new", pointer, [pointer, pointer]),
            (self.parser, "cvc5_parser_delete", None, [pointer]),
            (self.parser, "cvc5_parser_set_str_input", None, [pointer, ctypes.c_int, text, text]),
            (self.parser, "cvc5_parser_next_command", pointer, [pointer, ctypes.POINTER(text)]),
            (self.parser, "cvc5_cmd_invoke", text, [pointer, pointer, pointer]),
        ]:
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self.terms = self.solver.cvc5_term_manager_new()

    def answer(self, script):
        """sat, unsat or unknown, once for each check-sat, or what cvc5 complains about."""
        solver = self.solver.cvc5_new(self.terms)
        self.solver.cvc5_set_option(solver, b"tlimit-per", str(int(self.limit * 1000)).encode())
        # Initial values of arrays are constant arrays.
        self.solver.cvc5_set_option(solver, b"arrays-exp", b"true")
        symbols = self.parser.cvc5_symbol_manager_new(self.terms)
        parser = self.parser.cvc5_parser_new(solver, symbols)
        # 0 is SMT-LIB 2.
        self.parser.cvc5_parser_set_str_input(parser, 0, script.encode(), b"obligation")
        answers, error = [], ctypes.c_char_p()
        while True:
            command = self.parser.cvc5_parser_next_command(parser, ctypes.byref(error))
            if error.value:
                answers.append("error: " + error.value.decode().strip())
                break
            if not command:
                break
            said = self.parser.cvc5_cmd_invoke(command, solver, symbols)
            if said and said.strip():
                answers.append(said.decode().strip())
        self.parser.cvc5_parser_delete(parser)
        self.parser.cvc5_symbol_manager_delete(symbols)
        self.solver.cvc5_delete(solver)
        return " ".join(" ".join(answers).split()) or "error: no answer"


def main(arguments):
    if arguments == ["setup"]:
        return report(setup, STORE, "cvc5")
    limit = 60.0
    if arguments[:1] == ["--limit"] and len(arguments) > 1:
        limit, arguments = float(arguments[1]), arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 1

    def solve():
        cvc5 = Cvc5(limit)
        for path in map(Path, arguments):
            for file in sorted(path.glob("*.smt2")) if path.is_dir() else [path]:
                print(f"{cvc5.answer(file.read_text(encoding='utf-8'))} {file}", flush=True)

    return report(solve, STORE, "cvc5")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
