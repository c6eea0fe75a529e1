//! A file of 2,000 lines is no burden: a release build lowers it in about 0.3 s, of which the preprocessor is a part.
//! Nor is one that nests deeply, or whose expressions are long.

mod support;

use std::fmt::Write;
use std::time::{Duration, Instant};

use frontend::Options;
use support::lowered::{lower_text, run_to_end};
use support::native::scratch;

const FUNCTIONS: usize = 90;
const THREADS: usize = 4;

/// Far more than the test profile takes on a busy machine, far less than anything quadratic would.
const PATIENCE: Duration = Duration::from_secs(10);

/// Many functions with loops, a mutex and shared counters each, called from some threads.
fn text() -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n".to_string();
    let mut line = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    for n in 0..FUNCTIONS {
        line(format!("int level{n}, count{n};\nunsigned hash{n};\npthread_mutex_t lock{n};\n"));
        line(format!(
            "static int work{n}(int a, int b)\n{{\n    int sum = 0;\n    int k;\n    for (k = 0; k < a; k++) {{"
        ));
        line(format!("        if (level{n} > b)\n            sum += k;\n        else\n            sum -= b;\n    }}"));
        line(format!("    pthread_mutex_lock(&lock{n});\n    count{n} = count{n} + 1;"));
        line(format!("    hash{n} = hash{n} * 3u + (unsigned)sum;\n    pthread_mutex_unlock(&lock{n});"));
        line(format!("    while (__VERIFIER_nondet_int())\n        level{n}++;\n    return sum;\n}}\n"));
    }
    for t in 0..THREADS {
        line(format!("void *thread{t}(void *arg)\n{{\n    int r = 0;"));
        // Two threads call each function: what it touches is shared.
        let own = (0..FUNCTIONS).filter(|n| [n % THREADS, (n + 1) % THREADS].contains(&t));
        own.for_each(|n| line(format!("    r ^= work{n}(r, {n});")));
        line(format!("    assert(count{t} >= 1);\n    return arg;\n}}\n"));
    }
    line("int main(void)\n{".to_string());
    (0..THREADS).for_each(|t| line(format!("    pthread_t t{t};\n    pthread_create(&t{t}, 0, thread{t}, 0);")));
    (0..THREADS).for_each(|t| line(format!("    pthread_join(t{t}, 0);")));
    line("    return 0;\n}".to_string());
    text
}

#[test]
fn two_thousand_lines_are_lowered_quickly() {
    let text = text();
    assert!(text.lines().count() >= 2_000, "{} lines", text.lines().count());
    let start = Instant::now();
    let loaded = lower_text(&scratch("large"), "large", &text, &Options::default());
    let program = loaded.unwrap_or_else(|error| panic!("{error}")).program;
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    assert_eq!(program.threads().count(), THREADS + 1);
    let steps: usize = program.threads().map(|(_, thread)| thread.transitions.len()).sum();
    assert!(steps >= FUNCTIONS * 8, "{steps} steps");
}

/// A function body that is deep in one way, with this many terms or levels.
fn deep(what: &str, count: usize) -> String {
    let nested =
        |open: &str, inside: &str, close: &str| format!("{}{inside}{}", open.repeat(count), close.repeat(count));
    match what {
        "sum" => format!("y = a{};", " + a".repeat(count)),
        "unknown sum" => format!("y = x{};", " + x".repeat(count)),
        "and" => format!("y = a{};", " && x".repeat(count)),
        "comma" => format!("y = (a{});", ", a".repeat(count)),
        "statements" => "y = 1;".repeat(count),
        "parentheses" => format!("y = {};", nested("(", "a", ")")),
        "not" => format!("y = {}a;", "!".repeat(count)),
        "choices" => format!("y = {}0;", "a ? 1 : ".repeat(count)),
        "else if" => format!("if (a) y = 1;{}", " else if (x) y = 2;".repeat(count)),
        "blocks" => nested("{", "y = 1;", "}"),
        "ifs" => nested("if (a) {", "y = 1;", "}"),
        "loops" => nested("while (x) {", "y = 1;", "}"),
        "braces" => format!("int z = {};", nested("{", "1", "}")),
        "pointers" => format!("int {}p = 0;", "*".repeat(count)),
        "casts" => format!("y = {}a;", "(int)".repeat(count)),
        "calls" => format!("y = {};", nested("f(", "a", ")")),
        "second arguments" => format!("y = {};", nested("g(1, ", "a", ")")),
        "first arguments" => format!("y = g({}, 3);", nested("f(", "a", ")")),
        "subscripts" => format!("y = {};", nested("t[", "0", "]")),
        "assignments" => format!("y = {};", nested("(x = ", "a", ")")),
        "sums" => format!("y = {};", nested("(1 + ", "a", ")")),
        "signs" => format!("y = {};", nested("-(", "a", ")")),
        "choices in parentheses" => format!("y = {};", nested("(x ? 1 : ", "a", ")")),
        "statement expressions" => format!("y = {};", nested("f(({ int z = ", "a", "; z; }))")),
        "pointers to functions" => format!("int {};", nested("(*", "p", ")(int)")),
        other => panic!("{other}"),
    }
}

/// A program around a function body.
fn load(name: &str, body: &str) -> Result<frontend::Loaded, String> {
    let head = "#include <assert.h>\ntypedef unsigned char T;\nint x, t[1]; int f(int a) { return a; }\n\
                int g(int a, int b) { return b; }\nint main(void) { int a = x, y = 0;\n";
    let text = format!("{head}{body}\nreturn y; }}\n");
    lower_text(&scratch(&format!("deep-{}", name.replace(' ', "-"))), "deep", &text, &Options::default())
}

fn lowered(what: &str, count: usize) -> Result<frontend::Loaded, String> {
    load(what, &deep(what, count))
}

#[test]
fn a_hundred_thousand_terms_are_accepted() {
    for what in ["sum", "unknown sum", "and", "comma", "statements", "not"] {
        let start = Instant::now();
        assert!(lowered(what, 100_000).is_ok(), "{what}: {:?}", lowered(what, 100_000).err());
        assert!(start.elapsed() < 4 * PATIENCE, "{what} took {:?}", start.elapsed());
    }
}

/// What is parsed in pieces, and the value of `y` after 9,990 levels of it.
const CUT: [(&str, i64); 8] = [
    ("calls", 0),
    ("second arguments", 0),
    ("first arguments", 3),
    ("subscripts", 0),
    ("assignments", 0),
    ("sums", 9_990),
    ("signs", 0),
    ("choices in parentheses", 0),
];

#[test]
fn ten_thousand_levels_are_accepted() {
    let plain = ["parentheses", "choices", "else if", "blocks", "ifs", "loops", "braces", "pointers", "casts"];
    for what in plain.into_iter().chain(CUT.map(|(what, _)| what)) {
        let start = Instant::now();
        assert!(lowered(what, 9_990).is_ok(), "{what}: {:?}", lowered(what, 9_990).err());
        assert!(start.elapsed() < 4 * PATIENCE, "{what} took {:?}", start.elapsed());
    }
}

#[test]
fn pieces_have_the_meaning_of_the_whole() {
    let ends = |what: &str, levels: usize, assertion: &str| {
        let body = format!("{}\nassert({assertion});", deep(what, levels));
        run_to_end(&load(&format!("{what}, whole"), &body).unwrap_or_else(|error| panic!("{what}: {error}")).program)
    };
    for (what, value) in CUT {
        assert!(ends(what, 9_990, &format!("y == {value}")).is_ok(), "{what}");
        assert!(ends(what, 9_990, &format!("y != {value}")).is_err(), "{what}");
    }
    assert!(ends("statement expressions", 3_000, "y == 0").is_ok());
    // The condition itself, and one that has no value before the program runs.
    let sum = |levels: usize, inside: &str| format!("{}{inside}{}", "(1 + f(".repeat(levels), "))".repeat(levels));
    let run = |body: &str| run_to_end(&load("meaning", body).unwrap_or_else(|error| panic!("{error}")).program);
    assert!(run(&format!("x = 3; assert({} == 4003);", sum(4_000, "x"))).is_ok());
    assert!(run(&format!("x = 3; assert({} == 4004);", sum(4_000, "x"))).is_err());
    // A cast to a type that has its name in the whole file, and a variable that hides the type.
    assert!(run(&format!("assert({} == 4044);", sum(4_000, "(T)(300)"))).is_ok());
    assert!(run(&format!("int T = 3; assert({} == 4006);", sum(4_000, "T * 2"))).is_ok());
}

/// In pieces, the parser does not know what names mean in blocks.
#[test]
fn names_that_are_types_elsewhere_are_not_mistaken() {
    let calls = |before: &str, inside: &str| {
        let body = format!("{before} y = {}{inside}{};", "f(".repeat(5_000), ")".repeat(5_000));
        load("types", &body).err().unwrap_or_default()
    };
    for (before, inside) in [
        ("int T = 3;", "(T) + 1"),
        ("int T = 3;", "(T)(1)"),
        ("int T = 3;", "sizeof(T)"),
        ("typedef char L;", "(L)(300)"),
        ("typedef char L;", "(L) - 300"),
        ("typedef char L;", "(L)300"),
        ("typedef char L;", "sizeof(L)"),
    ] {
        let error = calls(before, inside);
        assert!(error.contains("deep.c:6: Unsupported: nesting is too deep"), "{before} {inside}: {error}");
    }
}

/// Every level is on a line of its own, or all are on one.
#[test]
fn places_in_pieces_are_those_of_the_text() {
    let place = |open: &str, inside: &str| {
        let text = format!(
            "int f(int a) {{ return a; }}\nint main(void) {{ return {}{inside}{}; }}",
            open.repeat(5_000),
            ")".repeat(5_000)
        );
        let path = scratch("deep-places").join("deep.c");
        std::fs::write(&path, text).unwrap();
        let error = frontend::load(&path, &Options::default()).err().unwrap().failure.0;
        let span = error.span.unwrap();
        (error.message, span.line, span.column)
    };
    let undeclared = "`unknown` is undeclared".to_string();
    assert_eq!(place("f(\n", "  unknown"), (undeclared.clone(), 5_002, 3));
    assert_eq!(place("f(", "1 + unknown"), (undeclared, 2, 25 + 10_000 + 4));
    let refused = "__builtin_types_compatible_p".to_string();
    assert_eq!(place("f(\n", "1 + __builtin_types_compatible_p(int, int)"), (refused, 5_002, 5));
    let too_deep = "nesting is too deep".to_string();
    assert_eq!(place("f(\n", "1 + + )("), (too_deep, 5_002, 7));
}

#[test]
fn what_is_deeper_is_refused() {
    for (what, accepted, refused) in [
        ("calls", 1_000, 20_000),
        ("subscripts", 1_000, 20_000),
        ("parentheses", 100, 20_000),
        ("pointers to functions", 100, 5_000),
    ] {
        assert!(lowered(what, accepted).is_ok(), "{what}: {:?}", lowered(what, accepted).err());
        let error = lowered(what, refused).err().unwrap_or_default();
        assert!(error.contains("Unsupported: nesting is too deep"), "{what}: {error}");
    }
}
