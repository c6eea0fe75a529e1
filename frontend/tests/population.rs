//! Threads that are created again and again: what becomes of them, and what is refused.

use std::path::PathBuf;

use frontend::diagnostic::{Code, Diagnostic};
use frontend::{Loaded, Options, Population, Templating, load};
use program::{Owner, Program};

const HEAD: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n";

fn read(name: &str, text: &str, population: Population, templating: Templating) -> Result<Loaded, Diagnostic> {
    let dir: PathBuf = std::env::temp_dir().join(format!("threader-population-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for tests");
    let path = dir.join(format!("{name}.c"));
    std::fs::write(&path, format!("{HEAD}{text}")).expect("a file for a test");
    load(&path, &Options { population, templating, ..Options::default() }).map_err(|error| *error.failure.0)
}

fn templates(name: &str, text: &str) -> Program {
    match read(name, text, Population::Templates, Templating::Unbounded) {
        Ok(loaded) => loaded.program,
        Err(diagnostic) => panic!("{name}: {diagnostic:?}"),
    }
}

fn names(program: &Program, owner: Owner) -> Vec<&str> {
    program.vars().filter(|(_, var)| var.owner == owner).map(|(_, var)| var.name.as_str()).collect()
}

/// The code, the message, and the place within the text.
fn refusal(name: &str, text: &str, population: Population) -> (Code, String, (u32, u32)) {
    match read(name, text, population, Templating::Unbounded) {
        Ok(_) => panic!("{name} is not refused"),
        Err(diagnostic) => {
            let span = diagnostic.span.unwrap_or_default();
            (diagnostic.code, diagnostic.message, (span.line - 5, span.column))
        }
    }
}

const COUNTER: &str = "pthread_mutex_t m; int x;
void *f(void *a) { pthread_mutex_lock(&m); int t = x; x = t + 1; assert(x == t + 1); pthread_mutex_unlock(&m); return 0; }
";

#[test]
fn a_counter_under_a_mutex_is_one_step_of_any_instance() {
    let text = format!(
        "{COUNTER}int main(void) {{ pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); }}\n"
    );
    let program = templates("counter", &text);
    let threads: Vec<&str> = program.threads().map(|(_, thread)| thread.name.as_str()).collect();
    assert_eq!(threads, ["main", "f#1", "f#2"]);
    assert_eq!(names(&program, Owner::Global), ["x", "m", "started(f)"]);
    let [template] = program.templates() else { panic!("{program}") };
    assert_eq!((template.name.as_str(), template.copies.len(), template.identities.len()), ("f", 2, 0));
    // Taken and given back in one step: whose the lock was in between does not matter.
    assert_eq!(program.thread(template.copies[0]).transitions.len(), 1, "{program}");
    assert!(program.thread(program::ThreadId(0)).transitions.iter().all(|t| t.source.0 == 0), "{program}");
}

#[test]
fn a_lock_holds_the_id_of_an_instance() {
    let text = "pthread_mutex_t m; int x;
void *f(void *a) { pthread_mutex_lock(&m); x = 1; x = 2; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, f, 0); x = 3; } }
";
    let program = templates("owner", text);
    let [template] = program.templates() else { panic!("{program}") };
    let ids: Vec<&str> = template.identities.iter().map(|id| program.var(*id).name.as_str()).collect();
    assert_eq!(ids, ["id(f#1)", "id(f#2)"]);
    // The one who gives it back is known to hold it: nothing is left to check.
    let checks = program.thread(template.copies[0]).transitions.iter().map(|t| t.defined.len()).sum::<usize>();
    assert_eq!(checks, 0, "{program}");
}

#[test]
fn copies_are_alike_whatever_the_order_of_terms() {
    let program = templates(
        "ticket",
        "int next, serving, inside;
void *f(void *a) { __VERIFIER_atomic_begin(); int my = next; next = next + 1; __VERIFIER_atomic_end();
  while (serving != my) ; inside = inside + 1; assert(inside == 1); inside = inside - 1; serving = serving + 1; return 0; }
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }
",
    );
    assert_eq!(names(&program, Owner::Global), ["next", "serving", "inside", "started(f)"]);
    let [template] = program.templates() else { panic!("{program}") };
    let own = |k: usize| names(&program, Owner::Local(template.copies[k])).join(" ");
    assert_eq!(own(0).replace("#1", "#2"), own(1));
    assert_eq!(program.with_copies(4).threads().count(), 5);
}

#[test]
fn different_arguments_go_through_a_mailbox() {
    let program = templates(
        "arguments",
        "int x;
void *f(void *a) { long i = (long)a; x = i; assert(x >= 0); return 0; }
int main(void) { pthread_t t; for (long i = 0; i < __VERIFIER_nondet_int(); i++) pthread_create(&t, 0, f, (void *)i); }
",
    );
    assert_eq!(names(&program, Owner::Global), ["x", "full(f)", "argument(f)"]);
    let text = program.to_string();
    assert!(text.contains("[full(f) == 1] full(f) := 0, "), "{text}");
    assert!(
        text.contains("full(f) == 0] main::t := main::any_handle + 1024, full(f) := 1, argument(f) := (uint64)main::i"),
        "{text}"
    );
}

#[test]
fn one_argument_that_is_passed_on_is_known() {
    let program = templates(
        "passed_on",
        "int g;
void *h(void *a) { *(int *)a = 1; return 0; }
void *f(void *a) { pthread_t t; pthread_create(&t, 0, h, a); pthread_create(&t, 0, f, a); pthread_join(t, 0); assert(g >= 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, &g); }
",
    );
    assert_eq!(names(&program, Owner::Global), ["g", "started(f)", "started(h)"]);
    let found: Vec<&str> = program.templates().iter().map(|template| template.name.as_str()).collect();
    assert_eq!(found, ["f", "h"]);
}

#[test]
fn repeated_creation_is_told_and_can_be_a_template() {
    let text = format!(
        "{COUNTER}void *once(void *a) {{ x = 0; return 0; }}
int main(void) {{ pthread_t t[64], u; pthread_create(&u, 0, once, 0); for (int i = 0; i < 64; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 64; i++) pthread_join(t[i], 0); pthread_join(u, 0); }}\n"
    );
    let each = read("many", &text, Population::Each, Templating::Repeated).expect("64 threads");
    assert_eq!(each.repeated, [("f".to_string(), 64)]);
    assert!(each.program.templates().is_empty());
    let any = read("many", &text, Population::Templates, Templating::Repeated).expect("templates");
    assert_eq!((any.program.threads().count(), any.program.templates().len()), (4, 1));
    let bounded = read("many", &text, Population::Bounded(3), Templating::Repeated).expect("three threads");
    assert_eq!((bounded.program.threads().count(), bounded.program.templates().len()), (5, 0));
    // Nothing is without bound.
    let single = read("many", &text, Population::Templates, Templating::Unbounded).expect("64 threads");
    assert_eq!(single.program.threads().count(), 66);
}

#[test]
fn creation_without_bound_is_recognised() {
    let bodies = [
        ("while (1) pthread_create(&t, 0, f, 0);", 41),
        ("for (;;) pthread_create(&t, 0, f, 0);", 40),
        ("int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) pthread_create(&t, 0, f, 0);", 92),
        ("again: pthread_create(&t, 0, f, 0); if (__VERIFIER_nondet_int()) goto again;", 38),
        ("for (int i = 0; i < 300; i++) pthread_create(&t, 0, f, 0);", 61),
        ("do pthread_create(&t, 0, f, 0); while (x < 3);", 34),
    ];
    for (body, column) in bodies {
        let text = format!("{COUNTER}int main(void) {{ pthread_t t; {body} }}\n");
        let expected = (Code::UnboundedCreation, "unbounded thread creation".to_string(), (3, column));
        assert_eq!(refusal("bound", &text, Population::Each), expected, "{body}");
        assert_eq!(templates("bound", &text).templates().len(), 1, "{body}");
        let bounded = read("bound", &text, Population::Bounded(2), Templating::Unbounded).expect(body);
        assert_eq!(bounded.program.threads().count(), 3, "{body}");
    }
    let callee = format!(
        "{COUNTER}void mk(pthread_t *t) {{ pthread_create(t, 0, f, 0); }}\nint main(void) {{ pthread_t t; while (x < 3) mk(&t); }}\n"
    );
    assert_eq!(refusal("callee", &callee, Population::Each).2, (3, 25));
    let itself = "int x;\nvoid *f(void *a) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }\nint main(void) { f(0); }\n";
    assert_eq!(refusal("itself", itself, Population::Each).2, (2, 33));
    assert_eq!(templates("itself", itself).templates().len(), 1);
}

#[test]
fn what_stands_for_many_threads_must_not_be_seen_from_outside() {
    let main = "int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }\n";
    let told = "a local or a block of a thread of unbounded number whose address other threads can read";
    for (name, text, what, place) in [
        ("local", "int *p;\nvoid *f(void *a) { int x = 1; p = &x; assert(*p == 1); return 0; }\n", told, (2, 31)),
        (
            "own",
            "_Thread_local int x; int *p;\nvoid *f(void *a) { p = &x; assert(*p == 1); return 0; }\n",
            told,
            (2, 20),
        ),
        (
            "child",
            "int g; void *h(void *a) { g = *(int *)a; assert(g); return 0; }\nvoid *f(void *a) { int x = 1; pthread_t t; pthread_create(&t, 0, h, &x); return 0; }\n",
            told,
            (2, 44),
        ),
        (
            "barrier",
            "pthread_barrier_t b;\nvoid *f(void *a) { pthread_barrier_wait(&b); assert(0); return 0; }\n",
            "a barrier at which any number of threads wait",
            (2, 20),
        ),
        (
            "key",
            "pthread_key_t k;\nvoid *f(void *a) { pthread_key_create(&k, 0); assert(0); return 0; }\n",
            "creation of keys for thread-specific data by any number of threads",
            (2, 20),
        ),
    ] {
        let expected = (Code::Unsupported, what.to_string(), place);
        assert_eq!(refusal(name, &format!("{text}{main}"), Population::Templates), expected);
    }
    // The blocks of all instances are told apart: each takes the next.
    let block = "int *p;\nvoid *f(void *a) { p = malloc(4); assert(*p == 1); return 0; }\n";
    let handed = templates("block", &format!("{block}{main}")).to_string();
    assert!(handed.contains("block@7[4294967296] = nondet"), "{handed}");
    assert!(handed.contains("count(block@7) := count(block@7) + 1"), "{handed}");
    // Stored where nobody else looks.
    let hidden = "int g; struct s { int *p; };\nvoid set(int *q) { *q = 2; }
void *f(void *a) { int x = 1; struct s s; struct s *q = &s; q->p = &x; set(q->p); int *b = malloc(4); *b = x; g = *b; assert(g == 2); return 0; }\n";
    assert_eq!(templates("hidden", &format!("{hidden}{main}")).templates().len(), 1);
}

#[test]
fn a_result_that_is_asked_for_may_be_any_that_is_left() {
    let text = "int x, y;
void *f(void *a) { if (x) return &x; return &y; }
int main(void) { pthread_t t; void *r; while (1) { pthread_create(&t, 0, f, 0); pthread_join(t, &r); assert(*(int *)r == 0); } }
";
    let program = templates("result", text).to_string();
    assert!(program.contains("any_joined"), "{program}");
    let own = text.replace("return &y", "int z; return &z");
    assert_eq!(refusal("own_result", &own, Population::Templates).2, (2, 7));
}

#[test]
fn a_mailbox_in_an_atomic_section_would_never_be_emptied() {
    let text = "int g;
void *f(void *a) { g = (long)a; assert(g >= 0); return 0; }
int main(void) { pthread_t t; long i = 0; while (1) { __VERIFIER_atomic_begin(); pthread_create(&t, 0, f, (void *)i); i = i + 1; __VERIFIER_atomic_end(); } }
";
    let what = "creation of any number of threads with different arguments in an atomic section";
    assert_eq!(refusal("atomic", text, Population::Templates), (Code::Unsupported, what.to_string(), (3, 82)));
}
