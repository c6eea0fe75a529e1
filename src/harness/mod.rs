//! A counterexample as a program: the C text, unchanged, between a schedule and a scheduler (`runtime.c`). Compiled with real
//! pthreads it makes the steps of the trace in their order, and the assertion fails.

mod asynchronous;
mod cbmc;
mod fill;
mod objects;

use std::collections::BTreeSet;

use check::Trace;
use frontend::Loaded;
use program::{ThreadId, Transition, Value, VarId, VarKind};

use self::asynchronous::asynchronous;
use self::fill::{Fill, fill};
use self::objects::{is_object, object, objects};

use crate::witness::{called, kind, started};

const RUNTIME: &str = include_str!("runtime.c");
const SYNC: &str = include_str!("sync.c");
const ATOMICS: &str = include_str!("atomics.c");
/// The functions on strings as the verifier knows them: compiled with the program, they make the same steps.
const STRINGS: &str = include_str!("../../frontend/library/string.c");

/// The harness of a trace, or why none can be made.
pub fn harness(loaded: &Loaded, trace: &Trace) -> Result<String, String> {
    let program = &loaded.program;
    let text = loaded.sources.text(0).ok_or("the program's text is gone")?;
    if loaded.input.extension().is_some_and(|e| e == "i") {
        return Err("the program is preprocessed: its own pthread declarations would clash with the real ones".into());
    }
    if !text.contains("main") {
        return Err("the program has no main".into());
    }
    if text.contains("__CPROVER_constant_infinity_uint") {
        return Err("it has an array without a bound, which no compiler knows".into());
    }
    let fill = fill(program, trace)?;
    let mut steps = Vec::new();
    let mut chosen = Vec::new();
    for step in &trace.steps {
        let thread = program.thread(step.thread);
        let Some(transition) = thread.transitions.get(step.transition) else { return Err("the trace is none".into()) };
        for input in &transition.inputs {
            match (step.inputs.get(input).unwrap_or(&Value::Int(0)), choice(loaded, *input)) {
                (Value::Int(value), Some(kind)) => {
                    let line = program.var(*input).span.line;
                    chosen.push(format!("  {{ {}, '{kind}', {line}, {value}LL }},\n", step.thread.0));
                }
                (Value::Int(0), None) => {}
                _ => {
                    let line = transition.span.line;
                    return Err(format!("it needs a certain value of what C leaves open in line {line}"));
                }
            }
        }
        if let Some(entry) = entry(loaded, step.thread, transition) {
            steps.push(entry);
        }
    }
    let objects = objects(loaded);
    let mut out = head(loaded, fill);
    out.push_str("struct threader_step { int thread; char kind; const char *objects; int line; int child; };\n");
    out.push_str(&format!(
        "#define THREADER_STEPS {}\n#define THREADER_THREADS {}\n#define THREADER_FAILS {}\n#define THREADER_FILL {}\n",
        steps.len(),
        program.threads().count(),
        trace.steps.last().map_or(0, |step| step.thread.0),
        fill.byte(),
    ));
    out.push_str(&format!(
        "static const struct threader_step threader_steps[] = {{\n{}  {{ -1, 0, \"\", 0, 0 }}\n}};\n",
        steps.concat()
    ));
    out.push_str(&format!("#define THREADER_VALUES {}\n", chosen.len()));
    out.push_str("struct threader_choice { int thread; char kind; int line; long long value; };\n");
    out.push_str(&format!(
        "static const struct threader_choice threader_chosen[] = {{\n{}  {{ -1, 0, 0, 0 }}\n}};\n\n",
        chosen.concat()
    ));
    out.push_str(RUNTIME);
    out.push_str(SYNC);
    out.push_str(ATOMICS);
    let strings = strings(text);
    out.push_str(&allocations(loaded, &strings));
    out.push_str(&strings);
    if text.contains("__CPROVER_") {
        out.push_str(cbmc::PRIMITIVES);
    }
    out.push_str(&declarations(loaded, text));
    let file = serde_json::Value::from(loaded.input.display().to_string());
    let mut body = text.to_string();
    for (place, what) in asynchronous(loaded, text)?.into_iter().rev() {
        body.replace_range(place, &what);
    }
    out.push_str(&format!("\n#line 1 {file}\n{body}\n"));
    out.push_str(&cbmc::functions(loaded, trace, text)?);
    out.push_str(&tail(loaded, text, &objects));
    Ok(out)
}

fn head(loaded: &Loaded, fill: Fill) -> String {
    format!(
        "/* A run of {} that violates its property, made by {}.\n\n     gcc -std=gnu11 -w -O0 -g -ffunction-sections -fsanitize=thread{} -c HARNESS.c -o HARNESS.o\n     gcc -pthread -Wl,--gc-sections HARNESS.o -o HARNESS && ./HARNESS\n\n   It ends by the failing assertion, or by abort() where the error function does not end it. */\n\
         #define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <malloc.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <signal.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n#include <time.h>\n#include <unistd.h>\n\n",
        loaded.input.display(),
        crate::origin::PRODUCER,
        fill.option()
    )
}

/// Objects' addresses, functions that the program uses but does not have, and main.
fn tail(loaded: &Loaded, text: &str, objects: &BTreeSet<String>) -> String {
    let mut out =
        String::from("\n#undef main\n#undef exit\nstatic const struct threader_object threader_objects[] = {\n");
    for name in objects {
        let memory = if name.starts_with('@') { "0, 0".into() } else { format!("(void *)&{name}, sizeof {name}") };
        out.push_str(&format!("  {{ \"{name}\", {memory} }},\n"));
    }
    out.push_str("  { 0, 0, 0 }\n};\n");
    let mut errors = Vec::new();
    for name in ["reach_error", "__VERIFIER_error"] {
        if is_called(text, name) {
            errors.push(name);
            if !is_defined(text, name) {
                out.push_str(&format!("void {name}(void) {{ abort(); }}\n"));
            }
        }
    }
    for name in open_functions(loaded, text) {
        let head = prototype(text, &name).unwrap_or_else(|| implicit(&name));
        out.push_str(&format!("THREADER_QUIET {head} {{ return threader_value(); }}\n"));
    }
    // A call of an error function is the error, whatever its body does.
    out.push_str("THREADER_QUIET static void threader_entered(char *at) {\n");
    for name in errors {
        out.push_str(&format!(
            "  if (at >= (char *){name} && at < (char *){name} + 48) {{ fprintf(stderr, \"{name} is called\\n\"); abort(); }}\n"
        ));
    }
    out.push_str(
        "}\n\nTHREADER_QUIET int main(void) {\n  signal(SIGALRM, threader_late);\n  alarm(10);\n  threader_self = 0;\n",
    );
    // With or without parameters; what they hold is nothing that a trace can rest on.
    out.push_str("  static char *arguments[] = { \"program\", 0 };\n");
    out.push_str("  pthread_cleanup_push(threader_ended, 0);\n");
    out.push_str("  ((int (*)(int, char **))threader_main)(1, arguments);\n  pthread_cleanup_pop(1);\n");
    out.push_str("  pause();\n  return 0;\n}\n");
    out
}

const NONDET: &[(&str, &str)] = &[
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("bool", "_Bool"),
];

/// The functions that return anything: SV-COMP's and CBMC's, wherever they are called, and others without a body that a thread calls.
fn open_functions(loaded: &Loaded, text: &str) -> BTreeSet<String> {
    let known = ["__VERIFIER_nondet_", "nondet_"].into_iter();
    let named = known.flat_map(|prefix| NONDET.iter().map(move |(suffix, _)| format!("{prefix}{suffix}")));
    let mut all: BTreeSet<String> = named.filter(|name| is_called(text, name)).collect();
    let inputs = loaded.program.vars().filter(|(_, var)| matches!(var.kind, VarKind::Input(_)));
    all.extend(inputs.filter_map(|(id, _)| called(loaded, id)).filter(|name| *name != "time").map(str::to_string));
    all.retain(|name| !is_defined(text, name));
    all
}

/// What a function without a declaration is.
fn implicit(name: &str) -> String {
    let suffix = name.rsplit('_').next().unwrap_or(name);
    let ty = NONDET.iter().find(|(known, _)| *known == suffix && name.contains("nondet_")).map_or("int", |(_, ty)| ty);
    format!("{ty} {name}()")
}

/// The declaration of a function in the text, without what follows its parameters.
fn prototype(text: &str, name: &str) -> Option<String> {
    mentions(text, name).find_map(|rest| {
        let at = text.len() - rest.len();
        let (parameters, after) = rest.split_once(')')?;
        let before = text[..at].trim_end().strip_suffix(name)?.rsplit([';', '}', '{', '\n']).next()?.trim();
        let is_type = |word: &str| {
            !["return", "else", "do", "goto"].contains(&word)
                && word.chars().all(|c| c.is_alphanumeric() || "_*".contains(c))
        };
        let declares =
            !before.is_empty() && before.split_whitespace().all(is_type) && !after.trim_start().starts_with('{');
        let ty = before.trim_start_matches("extern").trim();
        declares.then(|| format!("{ty} {name}{parameters})"))
    })
}

/// The definitions of the functions on strings, if the program uses one.
fn strings(text: &str) -> String {
    let prefix = "__threader_str";
    let names = STRINGS.split(prefix).skip(1).filter_map(|rest| rest.split('(').next());
    let used: Vec<String> = names.map(|name| format!("str{name}")).filter(|name| is_called(text, name)).collect();
    if used.is_empty() {
        return String::new();
    }
    let renamed = used.iter().map(|name| format!("#undef {name}\n#define {name} __threader_{name}\n"));
    format!("#line 1\n{STRINGS}\n{}", renamed.collect::<String>())
}

/// The functions that allocate, as far as the program names them: one for each line that could.
fn allocations(loaded: &Loaded, strings: &str) -> String {
    let files = (0..).zip(loaded.sources.names()).filter(|(_, name)| !name.starts_with("<threader>/"));
    let texts: Vec<&str> = files.filter_map(|(file, _)| loaded.sources.text(file)).chain([strings]).collect();
    let longest = texts.iter().map(|text| text.lines().count()).max().unwrap_or(0);
    let mut out = String::new();
    for name in ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"] {
        if texts.iter().any(|text| text.contains(name)) {
            let each = (1..=longest).map(|line| format!("THREADER_ALLOCATION_{name}({line})\n"));
            out.extend(each);
            out.push_str(&format!("#define {name} THREADER_AT({name}, __LINE__)\n"));
        }
    }
    out
}

/// Functions that return anything and that the program calls without saying what they are.
fn declarations(loaded: &Loaded, text: &str) -> String {
    let lacking = open_functions(loaded, text).into_iter().filter(|name| prototype(text, name).is_none());
    lacking.map(|name| format!("{};\n", implicit(&name))).collect()
}

fn mentions<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let rest = text[at + name.len()..].trim_start();
        (before && rest.starts_with('(')).then_some(rest)
    })
}

fn is_called(text: &str, name: &str) -> bool {
    mentions(text, name).next().is_some()
}

fn is_defined(text: &str, name: &str) -> bool {
    mentions(text, name).any(|rest| rest.split_once(')').is_some_and(|(_, after)| after.trim_start().starts_with('{')))
}

/// A step of the trace as the scheduler knows it; nothing if it does nothing that can be seen from outside.
fn entry(loaded: &Loaded, id: ThreadId, transition: &Transition) -> Option<String> {
    let program = &loaded.program;
    let thread = program.thread(id);
    let reads = transition.reads();
    let named = |start: &str, vars: &[VarId]| vars.iter().any(|var| program.var(*var).name.starts_with(start));
    let read: Vec<VarId> = reads.iter().copied().collect();
    let written: Vec<VarId> = transition.updates.iter().map(|(var, _)| *var).collect();
    let line = loaded.sources.line(transition.span).unwrap_or("");
    let child = started(program, transition).first().map_or(-1, |child| i64::from(child.0));
    let touched: Vec<VarId> = read.iter().chain(&written).copied().collect();
    let objects: BTreeSet<String> = touched
        .iter()
        .filter(|var| is_object(program.var(**var)))
        .map(|var| object(loaded, program.var(*var)))
        .collect();
    let writes = transition.updates.iter().any(|(var, _)| is_object(program.var(*var)));
    let owner = transition.updates.iter().find(|(var, _)| program.var(*var).name == "atomic").map(|(_, value)| *value);
    let kind = if child >= 0 {
        'C'
    } else if transition.source == thread.entry && named("started(", &read) {
        'S'
    } else if named("ended(", &written) {
        'E'
    } else if named("ended(", &read) {
        'J'
    } else if written.iter().any(|var| program.var(*var).name.ends_with(".freed")) {
        'F'
    } else if ["__VERIFIER_", "__CPROVER_"].iter().any(|p| line.contains(&format!("{p}atomic_begin")))
        || owner.is_some_and(|value| value.as_int() != Some(0))
    {
        'A'
    } else if owner.is_some() {
        // Steps inside a section are no business of the scheduler.
        'I'
    } else if writes {
        'W'
    } else if !objects.is_empty() {
        'R'
    } else {
        return None;
    };
    let objects: Vec<String> = objects.into_iter().collect();
    Some(format!("  {{ {}, '{kind}', \" {} \", {}, {child} }},\n", id.0, objects.join(" "), transition.span.line))
}

/// What chooses an input, as the scheduler knows it: a function that returns anything, one that gives random numbers, a call that
/// may fail for no reason, a weak exchange. Nothing for others.
fn choice(loaded: &Loaded, input: VarId) -> Option<char> {
    if called(loaded, input).is_some() {
        return Some('n');
    }
    match kind(&loaded.program.var(input).name) {
        "chance" => Some('c'),
        "lucky" => Some('l'),
        "random" => Some('r'),
        _ => None,
    }
}
