//! A file of 2,000 lines is no burden: a release build lowers it in about 0.3 s, of which the preprocessor is a part.
//! Nor is one that nests deeply, or whose expressions are long.

mod support;

use std::fmt::Write;
use std::time::{Duration, Instant};

use frontend::Options;
use support::lowered::lower_text;
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
        "subscripts" => format!("y = {};", nested("t[", "0", "]")),
        other => panic!("{other}"),
    }
}

fn lowered(what: &str, count: usize) -> Result<frontend::Loaded, String> {
    let head = "int x, t[1]; int f(int a) { return a; }\nint main(void) { int a = x, y = 0;\n";
    let text = format!("{head}{}\nreturn y; }}\n", deep(what, count));
    lower_text(&scratch(&format!("deep-{}", what.replace(' ', "-"))), "deep", &text, &Options::default())
}

#[test]
fn a_hundred_thousand_terms_are_accepted() {
    for what in ["sum", "unknown sum", "and", "comma", "statements", "not"] {
        let start = Instant::now();
        assert!(lowered(what, 100_000).is_ok(), "{what}: {:?}", lowered(what, 100_000).err());
        assert!(start.elapsed() < 4 * PATIENCE, "{what} took {:?}", start.elapsed());
    }
}

#[test]
fn ten_thousand_levels_are_accepted() {
    for what in ["parentheses", "choices", "else if", "blocks", "ifs", "loops", "braces", "pointers", "casts"] {
        let start = Instant::now();
        assert!(lowered(what, 9_990).is_ok(), "{what}: {:?}", lowered(what, 9_990).err());
        assert!(start.elapsed() < 4 * PATIENCE, "{what} took {:?}", start.elapsed());
    }
}

/// The parser takes time quadratic in calls within calls.
#[test]
fn what_is_deeper_is_refused() {
    for (what, accepted, refused) in [("calls", 500, 10_000), ("subscripts", 500, 10_000), ("parentheses", 100, 20_000)]
    {
        assert!(lowered(what, accepted).is_ok(), "{what}: {:?}", lowered(what, accepted).err());
        let error = lowered(what, refused).err().unwrap_or_default();
        assert!(error.contains("nesting is too deep"), "{what}: {error}");
    }
}
