//! A file of 2,000 lines is no burden: a release build lowers it in about 0.3 s, of which the preprocessor is a part.

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
