//! Final states of small programs under all schedules, against sets worked out by hand; fused and unfused.
//!
//! A final state is one where every thread has ended. Where a thread never ends (it blocks, aborts, exits), what others
//! can see of it is observed by an assertion instead.

mod support;

use std::collections::BTreeSet;

use frontend::{Fusion, Options};
use support::explore::{SMALL, explore};
use support::lowered::lower_text;
use support::native::scratch;

/// Whether an assertion of the program can fail.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Assertions {
    Hold,
    CanFail,
}

use Assertions::{CanFail, Hold};

const HEADER: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>
extern void __VERIFIER_assume(int);\nextern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n";

/// Creates and joins threads a and b.
const BOTH: &str = "int main(void) {
  pthread_t i, j;
  pthread_create(&i, 0, a, 0);
  pthread_create(&j, 0, b, 0);
  pthread_join(i, 0);
  pthread_join(j, 0);
  return 0;
}
";

/// Explores the program, with and without fusion, and compares.
fn check<const N: usize>(name: &str, text: &str, observed: [&str; N], finals: &[[i128; N]], assertions: Assertions) {
    let dir = scratch(&format!("interleaving_{name}"));
    let observed = observed.map(str::to_string);
    let expected: BTreeSet<Vec<i128>> = finals.iter().map(|f| f.to_vec()).collect();
    for fusion in [Fusion::On, Fusion::Local, Fusion::Off] {
        let options = Options { fusion, ..Options::default() };
        let loaded = lower_text(&dir, name, &format!("{HEADER}{text}"), &options).unwrap_or_else(|e| panic!("{e}"));
        let found = explore(&loaded.program, &observed, &SMALL, 200_000).unwrap_or_else(|e| panic!("{name}: {e}"));
        let failing = if found.failures.is_empty() { Hold } else { CanFail };
        assert_eq!(found.finals, expected, "{name}, fusion {fusion:?}: final {observed:?}\n{}", loaded.program);
        assert_eq!(failing, assertions, "{name}, fusion {fusion:?}\n{}", loaded.program);
        assert!(found.undefined.is_empty(), "{name}, fusion {fusion:?}: {:?}", found.undefined);
    }
}

/// Like [`check`], for a program in which some thread never ends.
fn check_endless(name: &str, text: &str, assertions: Assertions) {
    check(name, text, [], &[], assertions);
}

/// Both load 0 and store 1, or one after the other.
#[test]
fn lost_update() {
    let text = "int x;\nvoid *a(void *p) { x++; return 0; }\nvoid *b(void *p) { x++; return 0; }\n";
    check("lost_update", &format!("{text}{BOTH}"), ["x"], &[[1], [2]], Hold);
}

/// Steps of a: load, store, load, store; b stores 5 somewhere. Before all: 7. Between the first load and store it is lost:
/// 2. Between the increments: 6. Between the second load and store it is lost: 2. After all: 5.
#[test]
fn lost_update_of_a_constant() {
    let text = "int x;\nvoid *a(void *p) { x += 1; x = x + 1; return 0; }\nvoid *b(void *p) { x = 5; return 0; }\n";
    check("lost_constant", &format!("{text}{BOTH}"), ["x"], &[[7], [2], [6], [5]], Hold);
}

/// At no instant are both 1, but x may be read before it is cleared and y after it is set.
#[test]
fn short_circuit_and_reads_twice() {
    let text =
        "int x = 1, y, r;\nvoid *a(void *p) { r = x && y; return 0; }\nvoid *b(void *p) { x = 0; y = 1; return 0; }\n";
    check("and", &format!("{text}{BOTH}"), ["x", "y", "r"], &[[0, 1, 0], [0, 1, 1]], Hold);
}

/// At every instant one of them is 1, but x may be read before it is set and y after it is cleared.
#[test]
fn short_circuit_or_reads_twice() {
    let text = "int x, y = 1, r;\nvoid *a(void *p) { if (x || y) r = 1; return 0; }\nvoid *b(void *p) { x = 1; y = 0; return 0; }\n";
    check("or", &format!("{text}{BOTH}"), ["r"], &[[0], [1]], Hold);
}

/// The right operand is not evaluated if the left one decides: y is incremented only if x was read as 1.
#[test]
fn short_circuit_skips_effects() {
    let text = "int x, y, r;\nvoid *a(void *p) { r = x && y++; return 0; }\nvoid *b(void *p) { x = 1; return 0; }\n";
    check("skip", &format!("{text}{BOTH}"), ["y", "r"], &[[0, 0], [1, 0]], Hold);
}

/// b reads x before or after the section, never inside.
#[test]
fn atomic_section_with_a_loop() {
    let text = "int x, r;
void *a(void *p) {
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 2; i++) x = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
void *b(void *p) { r = x; return 0; }
";
    check("atomic_loop", &format!("{text}{BOTH}"), ["x", "r"], &[[2, 0], [2, 2]], Hold);
}

/// Two sections exclude each other, branches and loops included.
#[test]
fn atomic_sections_exclude_each_other() {
    let text = "int x;
void *a(void *p) {
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 2; i++) { if (x < 10) x = x + 1; }
  __VERIFIER_atomic_end();
  return 0;
}
void *b(void *p) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  x = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
";
    check("atomic_both", &format!("{text}{BOTH}"), ["x"], &[[4]], Hold);
}

/// A thread outside any section can write between the steps of threads that are outside, but not inside one.
/// a: atomic x = x + 1 twice; b: x = 5. Before: 6 + 1 = 7; between: 6; after: 5.
#[test]
fn plain_writes_wait_for_atomic_sections() {
    let text = "int x;
void __VERIFIER_atomic_increment(void) { int old = x; x = old + 1; }
void *a(void *p) { __VERIFIER_atomic_increment(); __VERIFIER_atomic_increment(); return 0; }
void *b(void *p) { x = 5; return 0; }
";
    check("atomic_plain", &format!("{text}{BOTH}"), ["x"], &[[7], [6], [5]], Hold);
}

/// The assertion fails though the section can never be completed.
#[test]
fn an_assertion_inside_a_section_that_blocks_later_fails() {
    let text = "int x;
void *a(void *p) {
  __VERIFIER_atomic_begin();
  assert(x == 0);
  __VERIFIER_assume(x == 0);
  __VERIFIER_atomic_end();
  return 0;
}
void *b(void *p) { x = 1; return 0; }
";
    check("atomic_assert", &format!("{text}{BOTH}"), ["x"], &[[1]], CanFail);
}

/// The thread sees what main did before it was created, and main what the thread did before it was joined.
/// Steps of a: r = x; load x; store x + 10. Main stores 2 somewhere after the creation.
/// Before a starts: r = 2, x = 12. After r: r = 1, x = 12. Between load and store: lost, x = 11. Last: x = 2.
#[test]
fn late_creation_and_join() {
    let text = "int x, r, s;
void *a(void *p) { r = x; x = x + 10; return 0; }
int main(void) {
  pthread_t i;
  x = 1;
  pthread_create(&i, 0, a, 0);
  x = 2;
  pthread_join(i, 0);
  s = x;
  return 0;
}
";
    check("late", text, ["r", "s"], &[[2, 12], [1, 12], [1, 11], [1, 2]], Hold);
}

/// Created after the other one is joined: no interleaving at all.
#[test]
fn one_thread_after_the_other() {
    let text = "int x;
void *a(void *p) { x++; return 0; }
int main(void) {
  pthread_t i, j;
  pthread_create(&i, 0, a, 0);
  pthread_join(i, 0);
  pthread_create(&j, 0, a, 0);
  pthread_join(j, 0);
  assert(x == 2);
  return 0;
}
";
    check("sequence", text, ["x"], &[[2]], Hold);
}

/// Without a join, main may end first; the thread still runs to its end in the model, and x is written last or first.
#[test]
fn creation_without_join() {
    let text = "int x;
void *a(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t i;
  pthread_create(&i, 0, a, 0);
  x = 2;
  assert(x == 2);
  return 0;
}
";
    check("no_join", text, ["x"], &[[1], [2]], CanFail);
}

/// What is written before a thread blocks for ever is seen by others, however it blocks.
#[test]
fn a_write_followed_by_a_block_is_seen() {
    for (name, block) in [
        ("assume", "__VERIFIER_assume(0);"),
        ("abort", "abort();"),
        ("exit", "exit(1);"),
        ("loop", "for (;;) {}"),
        ("wait", "while (never == 0) {}"),
        ("lock", "pthread_mutex_lock(&m);"),
    ] {
        let thread = |body: &str| {
            format!(
                "int x, never;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nvoid *a(void *p) {{ {body} return 0; }}
int main(void) {{\n  pthread_t i;\n  pthread_mutex_lock(&m);\n  pthread_create(&i, 0, a, 0);\n  assert(x == 0);\n  return 0;\n}}\n"
            )
        };
        check_endless(&format!("write_then_{name}"), &thread(&format!("x = 1; {block}")), CanFail);
        check_endless(&format!("{name}_then_write"), &thread(&format!("{block} x = 1;")), Hold);
    }
}

/// An assertion fails on its own, not only if what follows it is possible.
#[test]
fn an_assertion_fails_before_a_block() {
    let text = "int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *a(void *p) { int l = x; assert(l == 0); pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t i;
  pthread_mutex_lock(&m);
  x = 1;
  pthread_create(&i, 0, a, 0);
  return 0;
}
";
    check_endless("assert_then_lock", text, CanFail);
}

/// Read x, read y, write x; the other thread stores y = 1, then x = 5.
/// The write before x = 5: 5. Else x was read as 0, and y as 0 or 1: 0 or 1. Or x was read as 5, and y as 1: 6.
#[test]
fn a_sum_of_two_shared_variables_is_three_steps() {
    let text = "int x, y;\nvoid *a(void *p) { x = x + y; return 0; }\nvoid *b(void *p) { y = 1; x = 5; return 0; }\n";
    check("three_steps", &format!("{text}{BOTH}"), ["x"], &[[5], [0], [1], [6]], Hold);
}

/// x is read before y. If b sets x first, all four readings are possible: with x = 1 read, y may not be set yet. If b sets
/// y first, reading x = 1 implies that y, read later, is 1: r = 2 is impossible. (From right to left it would be r = 1.)
#[test]
fn operands_from_left_to_right() {
    let program = |writes: &str| {
        format!(
            "int x, y, r;\nvoid *a(void *p) {{ r = 2 * x + y; return 0; }}\nvoid *b(void *p) {{ {writes} return 0; }}\n{BOTH}"
        )
    };
    check("left_first", &program("x = 1; y = 1;"), ["r"], &[[0], [1], [2], [3]], Hold);
    check("left_second", &program("y = 1; x = 1;"), ["r"], &[[0], [1], [3]], Hold);
}

/// On an `_Atomic` object an assignment is a load and a store; the increment and the compound assignment are one step.
#[test]
fn atomic_objects() {
    let threads = |stmt: &str| {
        format!(
            "_Atomic int x;\nvoid *a(void *p) {{ {stmt} return 0; }}\nvoid *b(void *p) {{ {stmt} return 0; }}\n{BOTH}"
        )
    };
    check("atomic_assign", &threads("x = x + 1;"), ["x"], &[[1], [2]], Hold);
    check("atomic_increment", &threads("x++;"), ["x"], &[[2]], Hold);
    check("atomic_compound", &threads("x += 1;"), ["x"], &[[2]], Hold);
}

/// Each field is read on its own: a copy made while the original changes can be any mixture.
#[test]
fn struct_copy_goes_field_by_field() {
    let text = "struct pair { int a, b; } s, t;
void *a(void *p) { t = s; return 0; }
void *b(void *p) { s.a = 1; s.b = 1; return 0; }
";
    let finals = [[0, 0], [0, 1], [1, 0], [1, 1]];
    check("struct_copy", &format!("{text}{BOTH}"), ["t.a", "t.b"], &finals, Hold);
}

/// `_Atomic` structs are loaded and stored whole: `t = s` is one load and one store, whose own steps others come between.
#[test]
fn atomic_structs_are_accessed_whole() {
    let program = |objects: &str, a: &str, b: &str| {
        format!(
            "#include <stdatomic.h>\nstruct pair {{ short a, b; }};\n{objects}\nstruct pair one = {{ 1, 1 }}, five = {{ 5, 5 }};
void *a(void *p) {{ {a} return 0; }}\nvoid *b(void *p) {{ {b} return 0; }}\n{BOTH}"
        )
    };
    let whole = "_Atomic struct pair s, t;";
    check("atomic_struct", &program(whole, "t = s;", "s = one;"), ["t.a", "t.b"], &[[0, 0], [1, 1]], Hold);
    // The load before s = one and the store after t = five: 0.
    let finals = [[0, 0], [1, 1], [5, 5]];
    check("atomic_struct_two_steps", &program(whole, "t = s;", "s = one; t = five;"), ["t.a", "t.b"], &finals, Hold);
    // The value of an assignment is what was stored: not what is there when it is used.
    let chained = program("_Atomic struct pair s, t;", "t = s = one;", "s = five;");
    check("atomic_struct_chained", &chained, ["t.a", "t.b"], &[[1, 1]], Hold);
    let any = [[0, 0], [0, 1], [1, 0], [1, 1]];
    let members = "s.a = 1; s.b = 1;";
    let from_plain = program("struct pair s; _Atomic struct pair t;", "t = s;", members);
    check("atomic_struct_from_plain", &from_plain, ["t.a", "t.b"], &any, Hold);
    let to_plain = program("_Atomic struct pair s; struct pair t;", "s = one; t = s;", "t.a = 5; t.b = 5;");
    let finals = [[1, 1], [1, 5], [5, 1], [5, 5]];
    check("atomic_struct_to_plain", &to_plain, ["t.a", "t.b"], &finals, Hold);
    let builtin = program("struct pair s, t;", "__atomic_load(&s, &t, 5);", "__atomic_store(&s, &one, 5);");
    check("atomic_struct_builtin", &builtin, ["t.a", "t.b"], &[[0, 0], [1, 1]], Hold);
}

/// The expected value is read before the exchange and, where that fails, replaced after it: others may write it in between.
/// Replaced by 0 before b's store: 7; after it: 0. If b stores before it is read, 7 is not found either, and it is replaced by 0.
#[test]
fn the_expected_value_of_an_exchange_is_a_plain_object() {
    let text = "#include <stdatomic.h>\n_Atomic int x;\nint e = 5;
void *a(void *p) { atomic_compare_exchange_strong(&x, &e, 1); return 0; }
void *b(void *p) { e = 7; return 0; }
";
    check("expected", &format!("{text}{BOTH}"), ["x", "e"], &[[0, 7], [0, 0]], Hold);
    // 0 is expected when b has not stored yet: then x becomes 1 and e stays what b makes it.
    let text = text.replace("e = 5", "e");
    check("expected_found", &format!("{text}{BOTH}"), ["x", "e"], &[[1, 7], [0, 0]], Hold);
}

/// A union is read in one step and written in another: b's stores may come between.
#[test]
fn a_union_is_read_then_written() {
    let text = "union word { int i; unsigned u; } s, t;
void *a(void *p) { t = s; return 0; }
void *b(void *p) { s.i = 1; t.i = 5; return 0; }
";
    check("union_copy", &format!("{text}{BOTH}"), ["t.i"], &[[0], [1], [5]], Hold);
}

/// A struct argument is read before the next argument changes the struct.
#[test]
fn struct_arguments_from_left_to_right() {
    let text = "struct pair { int a, b; } s;
int change(void) { s.a = 1; s.b = 1; return 0; }
int sum(struct pair v, int w) { return v.a + v.b + w; }
int r;
int main(void) { r = sum(s, change()); return 0; }
";
    check("struct_argument", text, ["r"], &[[0]], Hold);
}

/// Under the lock nothing is lost, and only one thread is inside.
#[test]
fn mutex_exclusion() {
    let text = "int x, inside;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *a(void *p) {
  pthread_mutex_lock(&m);
  inside++;
  assert(inside == 1);
  x = x + 1;
  inside--;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t i, j;
  pthread_create(&i, 0, a, 0);
  pthread_create(&j, 0, a, 0);
  pthread_join(i, 0);
  pthread_join(j, 0);
  assert(x == 2);
  return 0;
}
";
    check("mutex", text, ["x", "inside"], &[[2, 0]], Hold);
}

/// Who does not find the lock free goes on without it.
#[test]
fn trylock_does_not_wait() {
    let text = "int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *a(void *p) {
  if (pthread_mutex_trylock(&m) == 0) { x = x + 1; pthread_mutex_unlock(&m); }
  return 0;
}
void *b(void *p) {
  if (pthread_mutex_trylock(&m) == 0) { x = x + 1; pthread_mutex_unlock(&m); }
  return 0;
}
";
    check("trylock", &format!("{text}{BOTH}"), ["x"], &[[1], [2]], Hold);
}

/// Threads run on until main exits, and nothing of main after its exit is seen.
#[test]
fn exit_in_main_while_threads_run() {
    let program = |condition: &str| {
        format!(
            "int x;\nvoid *a(void *p) {{ assert({condition}); return 0; }}
int main(void) {{\n  pthread_t i;\n  pthread_create(&i, 0, a, 0);\n  x = 1;\n  exit(0);\n  x = 2;\n  return 0;\n}}\n"
        )
    };
    check_endless("exit_seen", &program("x != 1"), CanFail);
    check_endless("exit_unseen", &program("x != 2"), Hold);
}

/// A local whose address another thread has is shared: both increments can meet.
#[test]
fn an_escaping_local_is_shared() {
    let text = "int r;
void *a(void *p) { int *q = p; *q = *q + 1; return 0; }
int main(void) {
  pthread_t i;
  int v = 0;
  pthread_create(&i, 0, a, &v);
  v = v + 1;
  pthread_join(i, 0);
  r = v;
  return 0;
}
";
    check("escape", text, ["r"], &[[1], [2]], Hold);
}

/// Instances of one function have their own locals and arguments.
#[test]
fn instances_have_their_own_locals() {
    let text = "int r1, r2, x;
void *a(void *p) { long l = (long)p; l = l + 1; if (l == 2) r1 = x; else r2 = 5; x = 1; return 0; }
int main(void) {
  pthread_t i, j;
  pthread_create(&i, 0, a, (void *)1);
  pthread_create(&j, 0, a, (void *)2);
  pthread_join(i, 0);
  pthread_join(j, 0);
  return 0;
}
";
    check("instances", text, ["r1", "r2", "x"], &[[0, 5, 1], [1, 5, 1]], Hold);
}
