//! Many equal threads: 64 are decided as few are, whatever the rule, safe and unsafe.

mod support;

use std::process::Command;

use support::native::scratch;

/// Seconds for a run: far more than one needs, far less than 64 threads by themselves take.
const TIMEOUT: &str = "30";

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n";
const MAIN: &str =
    "int main(void) { pthread_t t[64]; for (int i = 0; i < 64; i++) pthread_create(&t[i], 0, f, 0); return 0; }\n";

const WATCHING: &str = "int main(void) { pthread_t t[64]; for (int i = 0; i < 64; i++) pthread_create(&t[i], 0, f, 0); int s = c; \
                        assert(c >= s); return 0; }\n";

const COUNTER: &str = "int c; pthread_mutex_t m; void *f(void *a) { pthread_mutex_lock(&m); int l = c; c = l + 1; \
                       assert(c == l + 1); pthread_mutex_unlock(&m); return 0; }\n";
const RACE: &str = "int c; void *f(void *a) { int l = c; c = l + 1; assert(c == l + 1); return 0; }\n";
const LOCK: &str = "atomic_int l; int in; void *f(void *a) { while (atomic_exchange(&l, 1)) ; in = 1; in = 2; assert(in == 2); \
                    l = 0; return 0; }\n";
const NO_LOCK: &str = "atomic_int l; int in; void *f(void *a) { while (l) ; l = 1; in = 1; in = 2; assert(in == 2); l = 0; \
                       return 0; }\n";

#[test]
fn many_equal_threads_are_decided_as_few_are() {
    let dir = scratch("equal");
    let safe = "Result: true\n";
    let error = "Result: false(unreach-call)\n";
    for (name, thread, main, expected) in [
        ("counter", COUNTER, MAIN, safe),
        ("race", RACE, MAIN, error),
        ("lock", LOCK, MAIN, safe),
        ("no_lock", NO_LOCK, MAIN, error),
        // main looks on: that the count grows, not by how much, is what it must know of the others.
        ("watched", COUNTER, WATCHING, safe),
    ] {
        let file = dir.join(format!("{name}.c"));
        std::fs::write(&file, format!("{HEAD}{thread}{main}")).expect("it can be written");
        for rule in ["auto", "owicki-gries", "rely-guarantee"] {
            let output = Command::new(env!("CARGO_BIN_EXE_threader"))
                .args(["prove", "--rule", rule, "--timeout", TIMEOUT])
                .arg(&file)
                .output()
                .expect("it runs");
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(stdout.ends_with(expected), "{name} by {rule}: {stdout}");
        }
    }
}

/// A bakery of three threads, with or without the order of those that have the same ticket.
fn bakery(settled: &str) -> String {
    format!(
        "int choosing[3], ticket[3], next, x; extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n\
         void *f(void *a) {{ int i, j, k, largest = 0, mine, other; __VERIFIER_atomic_begin(); i = next; next = next + 1; \
         __VERIFIER_atomic_end(); choosing[i] = 1; for (j = 0; j < 3; j++) {{ other = ticket[j]; if (other > largest) \
         largest = other; }} mine = largest + 1; ticket[i] = mine; choosing[i] = 0; for (k = 0; k < 3; k++) {{ while (choosing[k]) ; \
         other = ticket[k]; while (other != 0 && (other < mine {settled})) other = ticket[k]; }} x = i; assert(x == i); \
         ticket[i] = 0; return 0; }}\n\
         int main(void) {{ pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0); return 0; }}\n"
    )
}

#[test]
fn equal_threads_with_an_element_each_are_decided() {
    let dir = scratch("equal-elements");
    for (name, settled, expected) in
        [("bakery", "|| other == mine && k < i", "Result: true\n"), ("ties", "", "Result: false(unreach-call)\n")]
    {
        let file = dir.join(format!("{name}.c"));
        std::fs::write(&file, format!("{HEAD}{}", bakery(settled))).expect("it can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_threader"))
            .args(["prove", "--rule", "owicki-gries", "--timeout", "120"])
            .arg(&file)
            .output()
            .expect("it runs");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(stdout.ends_with(expected), "{name}: {stdout}");
    }
}
