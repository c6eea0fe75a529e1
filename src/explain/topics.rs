//! What codes and results mean.

use super::Topic;

/// All of them, but the assumptions.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "E-internal",
        meaning: "threader contradicts itself. This is a bug of threader, not of the program it was given, and no \
                  verdict is printed.",
        advice: "Report it with the input file and the command line.",
        example: "error: malformed program: two variables are named x",
    },
    Topic {
        name: "E-unreadable",
        meaning: "The file cannot be read: it does not exist, is a directory, or its permissions forbid it. The same \
                  holds for a file that a task names.",
        advice: "check the path, relative to the current directory (for a task's input files: relative to the task).",
        example: "  $ threader model missing.c\n  error: cannot read missing.c: No such file or directory",
    },
    Topic {
        name: "E-not-text",
        meaning: "The file is empty, or is not UTF-8 text.",
        advice: "pass C source or preprocessed C. Convert text in another encoding, for example with `iconv -f latin1 \
                  -t utf8`.",
        example: "  $ threader model a.out\n  error: a.out is not UTF-8 text",
    },
    Topic {
        name: "E-preprocessor",
        meaning: "The C compiler driver that preprocesses .c files (`$CC`, else cc) is missing, or refused the file. \
                  Its own words are part of the message.",
        advice: "install gcc or clang, or name one with CC. For a header that is not found, add its directory with \
                  -I. Or preprocess the file yourself and pass the .i file, which needs no compiler.",
        example: "  #include \"config.h\"      // found with: threader model f.c -I build",
    },
    Topic {
        name: "E-syntax",
        meaning: "The text is not C (C11 with the common GNU extensions) as the parser knows it, at the place under \
                  the caret.",
        advice: "see whether `gcc -fsyntax-only` accepts the file. If it does, the extension it uses there is not \
                  known to threader: rewrite that place, or report it.",
        example: "  int x = 1\n  int y;                   // error: a `;` is missing before this",
    },
    Topic {
        name: "E-invalid",
        meaning: "The text parses, but is not a valid C program: a name is not declared, types do not fit, main is \
                  missing.",
        advice: "correct the program. For a file without main, name the functions to run in parallel: --threads f,g.",
        example: "  void f(void) { x = 1; }  // error: `x` is undeclared",
    },
    Topic {
        name: "E-task",
        meaning: "An SV-COMP task (.yml) or a property file (.prp) is malformed, or names a property that threader \
                  does not know.",
        advice: "a task needs format_version 1.0 or 2.x, input_files, and properties; a property file has a line such \
                  as the one below. --property and --data-model override what the task says.",
        example: "  CHECK( init(main()), LTL(G ! call(reach_error())) )",
    },
    Topic {
        name: "E-unsupported",
        meaning: "Valid C that threader does not model, at a place that main can reach. The verdict is unknown and not \
                  an error: to skip or to guess would make a wrong answer possible.",
        advice: "replace the construct, or keep main from reaching it (what is never called does not matter).",
        example: "  asm(\"pause\");             // Result: unknown(unsupported: inline assembly)",
    },
    Topic {
        name: "E-unbounded-creation",
        meaning: "A statement that runs as a thread of its own (__CPROVER_ASYNC_1) is reached again and again, in a \
                  loop without a constant bound, or more than 256 times. Threads that run a function may be of any \
                  number; these may not.",
        advice: "bound the loop by a constant, or make the statement a function and start it with pthread_create.",
        example: "  while (nondet()) __CPROVER_ASYNC_1: x++;\n  // Result: unknown(unbounded thread creation)",
    },
    Topic {
        name: "W-no-assertion",
        meaning: "Nothing in the file can fail: no assert, no call of reach_error or __VERIFIER_error that main can \
                  reach. The answer would be true whatever the program does.",
        advice: "add an assertion about what matters, or check --property.",
        example: "  assert(balance >= 0);",
    },
    Topic {
        name: "W-weak-order",
        meaning: "The program uses atomic operations with a memory order weaker than sequential consistency. threader \
                  verifies them as sequentially consistent, so `true` does not cover what only weak memory makes \
                  possible.",
        advice: "read `true` with this in mind, or use memory_order_seq_cst.",
        example: "  atomic_store_explicit(&ready, 1, memory_order_relaxed);",
    },
    Topic {
        name: "W-accepted-race",
        meaning: "A line of the text ends with `// threader: racy`: data races of the accesses in it are accepted, and none of them is \
                  looked for. The warning counts the pairs of accesses that might be one.",
        advice: "take the comment out to see whether the races are there.",
        example: "  hits = hits + 1; // threader: racy",
    },
    Topic {
        name: "W-left-out",
        meaning: "A file that a compilation database names cannot be read as C, so that it is not part of the program. Databases name the \
                  files of many programs, and most of them do not matter. If this one does, what it defines is missing, and is refused as \
                  a function without a body.",
        advice: "look at the reason that is given; name the files of the program on the command line if it is not needed.",
        example: "  $ threader prove build/compile_commands.json --main src/main.c",
    },
    Topic {
        name: "W-vacuous",
        meaning: "A claim is proved, but no run was found that comes to it: that evaluates the assertion's condition, or the \
                  decision before the call of an error function. `unreachable` says that there is none, and has a checked \
                  proof of its own; `not reached within N steps` says that none was found. The proof is correct, and says \
                  nothing: perhaps every run ends in undefined behaviour, or waits for ever, before it comes there.",
        advice: "look at the places where the runs found end, which the warning names, and ask for the property that forbids \
                 what happens there, if there is one.",
        example: "  int *p;\n  int main(void) { *p = 1; assert(0); }",
    },
    Topic {
        name: "true",
        meaning: "No execution violates the property, for any number of steps and any schedule. The proof has been \
                  checked by an independent checker. It rests on the assumptions that the report lists (undefined \
                  behaviour ends an execution, sequentially consistent memory, and so on).",
        advice: "keep the proof with --certificate FILE; `threader check` repeats the check.",
        example: "  Result: true",
    },
    Topic {
        name: "false",
        meaning: "There is an execution that violates the named property. Its schedule and values have been replayed \
                  step by step.",
        advice: "read the trace: one column a thread. --full-trace shows internal steps as well.",
        example: "  Result: false(unreach-call)",
    },
    Topic {
        name: "unknown",
        meaning: "There is no verdict; the reason stands in the parentheses. It says nothing about the program.",
        advice: "ask for the reason: threader explain timeout, for example.",
        example: "  Result: unknown(timeout)",
    },
    Topic {
        name: "unsupported",
        meaning: "The program has a construct that threader does not model, at a place that main can reach; it is \
                  named after the colon and shown with a caret on stderr. Or what was asked for is not to be had for \
                  threads of any number: monolithic proofs, and --solver spacer.",
        advice: "replace the construct, or keep main from reaching it; for threads of any number, leave --rule and \
                  --solver out. See also E-unsupported.",
        example: "  Result: unknown(unsupported: inline assembly)",
    },
    Topic {
        name: "unbounded-thread-creation",
        meaning: "Statements run as threads of their own (__CPROVER_ASYNC_1) in a loop whose number of rounds is not a \
                  constant. Where a function is started without bound, by pthread_create or thrd_create, this is no \
                  obstacle: the program is proved for any number of such threads.",
        advice: "make the statement a function and start it with pthread_create, or bound the loop by a constant.",
        example: "  while (nondet()) __CPROVER_ASYNC_1: x++;               // unknown\n  \
                  while (nondet()) pthread_create(&t, 0, worker, 0);     // proved or refuted",
    },
    Topic {
        name: "no-proof-up-to",
        meaning: "Threads are created without bound. No proof was found whose assertions relate up to so many \
                  instances of a function, not even with counters of how many are at a location; and there is no \
                  error with up to so many instances. With `up to 0 instances` not even one could be explored to its \
                  end. The program may be safe or not.",
        advice: "try --level with one more; the other proof rule (--rule); or bound the loop by a constant.",
        example: "  $ threader prove f.c --level 3 --rule owicki-gries",
    },
    Topic {
        name: "timeout",
        meaning: "The limit of --timeout was reached.",
        advice: "raise it; try one proof rule (--rule) instead of all; see with -v where the time goes.",
        example: "  $ threader prove f.c --timeout 600 --rule owicki-gries",
    },
    Topic {
        name: "memory",
        meaning: "The limit of --memory was reached.",
        advice: "raise it; use fewer workers (-j 1); try one proof rule (--rule) instead of all.",
        example: "  $ threader prove f.c --memory 8000 -j 1",
    },
    Topic {
        name: "interrupted",
        meaning: "The run was ended from outside, for example with Ctrl-C.",
        advice: "run it again.",
        example: "  Result: unknown(interrupted)",
    },
    Topic {
        name: "more-than",
        meaning: "A count that no useful run has come near was exceeded: abstract states, refinements, or entailments put \
                  to Z3. The run would most likely not have ended.",
        advice: "try another proof rule (--rule), or make the program smaller: fewer threads, smaller arrays.",
        example: "  Result: unknown(more than 300 refinements)",
    },
    Topic {
        name: "refinement-is-stuck",
        meaning: "An abstract path to an error is no execution, and no new predicate was found that excludes it. What \
                  follows the colon says why, for example that the clauses left the logic that is solved.",
        advice: "try another proof rule (--rule), or --solver spacer.",
        example: "  $ threader prove f.c --rule monolithic",
    },
    Topic {
        name: "killed",
        meaning: "In a study of threader compare: the run's process was ended by a signal that was not threader's, for \
                  example by the system for lack of memory.",
        advice: "see the system's log; lower --jobs or --memory. Remove the row from results.jsonl and --resume to run it \
                 again.",
        example: "  error(killed)",
    },
    Topic {
        name: "malformed",
        meaning: "In a study of threader compare: the program could not be read. The row's message says why.",
        advice: "run threader prove on it, which shows the place.",
        example: "  error(malformed)",
    },
    Topic {
        name: "no-modular-proof",
        meaning: "With --modular-only: no proof exists, or none was found, whose assertions speak only of the globals \
                  and of one thread's own variables. The program may well be safe.",
        advice: "leave --modular-only out.",
        example: "  Peterson's algorithm needs to speak of the other thread's location.",
    },
    Topic {
        name: "evidence-rejected",
        meaning: "A proof or a counterexample was found, but the independent checker did not accept it, so it is not \
                  reported. This is a bug of threader.",
        advice: "please report it with the input and the command line; another rule (--rule) may still decide the \
                  program.",
        example: "  Result: unknown(evidence rejected)",
    },
    Topic {
        name: "not-implemented",
        meaning: "This version of threader parses and lowers the program, but does not have what was asked for yet.",
        advice: "use `threader model` to see the transition system or the Horn clauses of a proof rule, which any \
                  solver for Horn clauses can take from there.",
        example: "  $ threader model f.c --format smt2 --rule owicki-gries | z3 -in",
    },
];
