"""threader for BenchExec: with contrib/ on PYTHONPATH, the tool is `threader_benchexec.tool`.

BenchExec itself has a module `threader`, for the tool of 2011.
"""

import re
from pathlib import Path

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2, ToolNotFoundException

# What `prove` prints on stderr after a run; the columns of a benchmark definition are looked up here.
STATISTICS = {
    "refinements": r"(\d+) refinements",
    "predicates": r"(\d+) predicates",
    "transition-predicates": r"(\d+) transition predicates",
    "states": r"(\d+) abstract states",
    "queries": r"(\d+) entailment queries",
    "abstraction": r"abstraction ([\d.]+) s",
    "refinement": r"refinement ([\d.]+) s",
    "check": r"check ([\d.]+) s",
}
VIOLATIONS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "no-data-race": result.RESULT_FALSE_DATARACE,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
}
REASONS = {"timeout": "TIMEOUT", "memory": "OUT OF MEMORY"}


class Tool(BaseTool2):
    """A verifier for multi-threaded C that finds unbounded safety proofs."""

    def executable(self, tool_locator):
        try:
            return tool_locator.find_executable("threader")
        except ToolNotFoundException:
            # Given this repository, what was built in it.
            return tool_locator.find_executable("threader", subdir="target/release")

    def program_files(self, executable):
        library = Path(executable).resolve().parent.glob("libz3*")
        return [executable, *sorted(str(path) for path in library)]

    def name(self):
        return "threader"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="threader")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "prove", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        # BenchExec enforces its limits; ours come a little earlier, so that there are statistics of such runs as well.
        # Without cores to itself CPU time passes faster than the wall time that --timeout is about: then its limit comes first.
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(max(1, rlimits.cputime - 1))]
        if rlimits.cpu_cores and "-j" not in options:
            command += ["-j", str(rlimits.cpu_cores)]
        return [*command, task.single_input_file]

    def determine_result(self, run):
        verdicts = [line.strip() for line in run.output if line.startswith("Result: ")]
        if not verdicts:
            return {2: "ERROR (malformed)", 6: "ERROR (internal)"}.get(run.exit_code.value, result.RESULT_ERROR)
        verdict = verdicts[-1][len("Result: "):]
        if verdict == "true":
            return result.RESULT_TRUE_PROP
        violated = re.fullmatch(r"false\(([a-z-]+)\)", verdict)
        if violated:
            # BenchExec has words for the properties of competitions; others are called by their names.
            return VIOLATIONS.get(violated[1], verdict)
        reason = re.fullmatch(r"unknown\(([^:)]*).*\)", verdict)
        if reason is None:
            return result.RESULT_ERROR
        return REASONS.get(reason[1], f"{result.RESULT_UNKNOWN} ({reason[1]})")

    def get_value_from_output(self, output, identifier):
        pattern = STATISTICS.get(identifier)
        if pattern is None:
            return None
        for line in reversed(output):
            found = re.search(pattern, line)
            if found:
                return found[1]
        return None
