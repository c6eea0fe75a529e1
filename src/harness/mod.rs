//! A counterexample as a program: the C text, unchanged, between a schedule and a scheduler (`runtime.c`). Compiled with real
//! pthreads it makes the steps of the trace in their order, and runs into the error: see [`Ending`] for who says so.

mod arrival;
mod asynchronous;
mod cbmc;
mod compilation;
mod deadlock;
mod ending;
mod fill;
mod locals;
mod names;
mod objects;
mod places;
mod race;
mod schedule;
mod sections;
mod text;

use std::collections::BTreeSet;
use std::ops::Range;

use check::Trace;
use frontend::{Loaded, Options};
use program::{Choice, ClaimId, VarKind};

use self::arrival::{Arrival, announced, arrival};
use self::asynchronous::asynchronous;
use self::compilation::{defines, head};
use self::ending::Ending;
use self::fill::fill;
use self::locals::locals;
use self::names::{ours, renamed, theirs};
use self::objects::objects;
use self::schedule::{Schedule, schedule};
use self::sections::sections;
use self::text::{is_called, is_defined, prototype};

use crate::witness::called;

const RUNTIME: &str = include_str!("runtime.c");
const DEADLOCK: &str = include_str!("deadlock.c");
const SYNC: &str = include_str!("sync.c");
const ATOMICS: &str = include_str!("atomics.c");
/// The functions on strings as the verifier knows them: compiled with the program, they make the same steps.
const STRINGS: &str = include_str!("../../frontend/library/string.c");

/// The harness of a trace that violates a claim, or why none can be made. `options` are those that the program was loaded with.
pub fn harness(loaded: &Loaded, options: &Options, trace: &Trace, claim: ClaimId) -> Result<String, String> {
    let ending = Ending::of(claim.property);
    let text = loaded.sources.text(0).ok_or("the program's text is gone")?;
    if loaded.input().extension().is_some_and(|e| e == "i") {
        return Err("the program is preprocessed: its own pthread declarations would clash with the real ones".into());
    }
    if !text.contains("main") {
        return Err("the program has no main".into());
    }
    if text.contains("__CPROVER_constant_infinity_uint") {
        return Err("it has an array without a bound, which no compiler knows".into());
    }
    let fill = fill(&loaded.program, trace)?;
    let mut runtime = tables(loaded, trace, &schedule(loaded, trace)?);
    if ending == Ending::Race {
        let accesses = race::accesses(loaded, trace, claim)?.concat();
        runtime.push_str(&format!(
            "static const struct threader_access {{ int thread; char kind; const char *objects; }} threader_race[] = {{\n{accesses}}};\n"
        ));
    }
    if ending == Ending::Deadlock {
        let waits = deadlock::waits(loaded, trace, claim)?.concat();
        runtime.push_str(&format!(
            "static const struct threader_waiter {{ int thread; char kind; const char *objects; int holder; const char *told; }} threader_waiters[] = {{\n{waits}  {{ -1, 0, \"\", 0, 0 }}\n}};\n"
        ));
    }
    let tells_itself = matches!(ending, Ending::Assertion | Ending::Race | Ending::Deadlock);
    let arrival = arrival(loaded, trace).filter(|_| !tells_itself);
    let announced = arrival.as_ref().and_then(|arrival| announced(loaded, text, arrival));
    if ending == Ending::Place && announced.is_none() {
        return Err("no sanitizer knows this error, and there is no room in the text to stop before it".into());
    }
    runtime.push_str(ending.definitions());
    runtime.push_str(&told(loaded, claim, arrival.as_ref()));
    runtime.push_str(&format!("#define THREADER_FILL {}\n\n", fill.byte()));
    runtime.push_str(RUNTIME);
    runtime.push_str(DEADLOCK);
    runtime.push_str(SYNC);
    runtime.push_str(ATOMICS);
    let strings = strings(text);
    runtime.push_str(&allocations(loaded, &strings));
    runtime.push_str(&strings);
    if text.contains("__CPROVER_") {
        runtime.push_str(cbmc::PRIMITIVES);
    }
    let functions = cbmc::functions(loaded, trace, text)?;
    let tail = functions + &tail(loaded, text, &objects(loaded));
    let edits =
        [asynchronous(loaded, text)?, sections(loaded, text)?, locals(loaded), announced.unwrap_or_default()].concat();
    let ours = ours(loaded, options);
    let file = serde_json::Value::from(loaded.input().display().to_string());
    Ok([
        head(loaded, options, fill, ending),
        renamed(&runtime, &ours),
        defines(options),
        declarations(loaded, text),
        format!("\n#line 1 {file}\n{}\n", edited(text, edits, &ours)),
        renamed(&tail, &ours),
    ]
    .concat())
}

/// The error in words, and how often its thread comes to the statement that it is in.
fn told(loaded: &Loaded, claim: ClaimId, arrival: Option<&Arrival>) -> String {
    let program = &loaded.program;
    let what = program.claim(claim).map_or("an error", |claim| &claim.violation);
    let place = program.place(arrival.map_or(claim.span, |arrival| arrival.place));
    let told = serde_json::Value::from(format!("{place}: {what}"));
    format!("#define THREADER_ERROR {told}\n#define THREADER_TIMES {}\n", arrival.map_or(0, |arrival| arrival.times))
}

/// What the scheduler is to do.
fn tables(loaded: &Loaded, trace: &Trace, schedule: &Schedule) -> String {
    let Schedule { steps, chosen } = schedule;
    format!(
        "struct threader_step {{ int thread; char kind; const char *objects; int line; int child; }};\n\
         #define THREADER_STEPS {}\n#define THREADER_THREADS {}\n#define THREADER_FAILS {}\n\
         static const struct threader_step threader_steps[] = {{\n{}  {{ -1, 0, \"\", 0, 0 }}\n}};\n\
         #define THREADER_VALUES {}\n\
         struct threader_choice {{ int thread; char kind; int line; long long value; }};\n\
         static const struct threader_choice threader_chosen[] = {{\n{}  {{ -1, 0, 0, 0 }}\n}};\n",
        steps.len(),
        loaded.program.threads().count(),
        trace.steps.last().map_or(0, |step| step.thread.0),
        steps.concat(),
        chosen.len(),
        chosen.concat(),
    )
}

/// The program's text with what is put into it.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>, ours: &str) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    let mut body = text.to_string();
    for (place, what) in edits.into_iter().rev() {
        body.replace_range(place, &renamed(&what, ours));
    }
    body
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
        let head = theirs(&prototype(text, &name).unwrap_or_else(|| implicit(&name)));
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
        "}\n\nTHREADER_QUIET int main(void) {\n  signal(SIGALRM, threader_late);\n  alarm(10);\n  threader_self = 0;\n  threader_begin();\n",
    );
    // With or without parameters; what they hold is nothing that a trace can rest on.
    out.push_str("  static char *arguments[] = { \"program\", 0 };\n");
    out.push_str("  pthread_cleanup_push(threader_ended, 0);\n");
    out.push_str(
        "  ((int (*)(int, char **))threader_main)(1, arguments);\n  threader_left();\n  pthread_cleanup_pop(1);\n",
    );
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
    let inputs = loaded.program.vars().filter(|(_, var)| var.kind == VarKind::Input(Choice::Returned));
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
