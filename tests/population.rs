//! Threads that are created again and again, explored: up to a bound they do what the same creations do when they are written
//! out, and templates with so many instances can do that, too. Where each creation starts one instance and joins wait, they can do
//! nothing else.

mod support;

use frontend::{Fusion, Loaded, Options, Population, Templating};
use program::{Program, Value, Var, VarId};
use support::explore::{Domains, SMALL, explore, replay};
use support::lowered::lower_text;
use support::native::scratch;

/// More states than this are not explored.
const STATES: usize = 200_000;

const HEAD: &str = "#include <pthread.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n";

/// A program with a place for creations.
struct Case {
    name: &'static str,
    /// Globals and thread functions.
    threads: &'static str,
    /// What main does before.
    before: &'static str,
    /// What main does again and again.
    round: &'static str,
    /// The least number of threads that can fail.
    fails: Option<usize>,
    /// Whether the template, which does not wait for what is joined, can fail as well.
    templates: Templates,
}

#[derive(PartialEq)]
enum Templates {
    /// Exactly when so many threads can.
    Alike,
    /// Sooner.
    Sooner,
}

impl Case {
    fn unbounded(&self) -> String {
        format!(
            "{HEAD}{}int main(void) {{ pthread_t t; long i = 0; {} while (1) {{ {} }} }}\n",
            self.threads, self.before, self.round
        )
    }
    fn written_out(&self, count: usize) -> String {
        let rounds = self.round.repeat(count);
        format!("{HEAD}{}int main(void) {{ pthread_t t; long i = 0; {} {rounds} }}\n", self.threads, self.before)
    }
}

const CREATE: &str = "pthread_create(&t, 0, f, 0);";

fn cases() -> Vec<Case> {
    let case =
        |name, threads, fails| Case { name, threads, before: "", round: CREATE, fails, templates: Templates::Alike };
    vec![
        case(
            "counter",
            "pthread_mutex_t m; int x; void *f(void *a) { pthread_mutex_lock(&m); int t = x; x = t + 1; assert(x == t + 1); pthread_mutex_unlock(&m); return 0; }\n",
            None,
        ),
        case("race", "int x; void *f(void *a) { int t = x; x = t + 1; assert(x == t + 1); return 0; }\n", Some(2)),
        case(
            "third",
            "int x; void *f(void *a) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); assert(x < 3); return 0; }\n",
            Some(3),
        ),
        case(
            "own_lock",
            "pthread_t owner; int in; void *f(void *a) { pthread_t me = pthread_self(); __VERIFIER_atomic_begin(); if (owner != 0) { __VERIFIER_atomic_end(); return 0; } owner = me; __VERIFIER_atomic_end(); in = in + 1; assert(in == 1); in = in - 1; if (owner == me) owner = 0; return 0; }\n",
            None,
        ),
        case(
            "no_lock",
            "pthread_t owner; int in; void *f(void *a) { pthread_t me = pthread_self(); if (owner != 0) return 0; owner = me; assert(owner == me); return 0; }\n",
            Some(2),
        ),
        case(
            "itself",
            "int x; void *f(void *a) { pthread_t u; if (x == 0) { x = 1; pthread_create(&u, 0, f, 0); } else { assert(x == 2); } return 0; }\n",
            Some(2),
        ),
        Case {
            round: "pthread_create(&t, 0, f, (void *)i); i = i + 1;",
            ..case(
                "arguments",
                "int x[4]; void *f(void *a) { long i = (long)a; x[i] = x[i] + 1; assert(x[i] == 1); return 0; }\n",
                None,
            )
        },
        Case {
            round: "pthread_create(&t, 0, f, (void *)i); i = i + 1;",
            ..case(
                "wrong_argument",
                "int x; void *f(void *a) { long i = (long)a; x = i; assert(x == i); return 0; }\n",
                Some(2),
            )
        },
        Case { before: "n = 2;", ..case("prepared", "int n; void *f(void *a) { assert(n == 2); return 0; }\n", None) },
        Case {
            round: "pthread_create(&t, 0, f, 0); n = 3;",
            before: "n = 2;",
            ..case("too_late", "int n; void *f(void *a) { assert(n == 2); return 0; }\n", Some(1))
        },
        Case {
            round: "done = 0; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(done == 1);",
            templates: Templates::Sooner,
            ..case("joined", "int done; void *f(void *a) { done = 1; return 0; }\n", None)
        },
        case(
            "handed",
            "void *malloc(unsigned long); int *p; void *f(void *a) { int *own = malloc(4); *own = 5; __VERIFIER_atomic_begin(); int *other = p; p = own; __VERIFIER_atomic_end(); if (other) { assert(other != own); assert(*other == 5); *own = 4; assert(*other == 5 || p != own); } return 0; }\n",
            Some(3),
        ),
        case(
            "handed_early",
            "void *malloc(unsigned long); int *p; void *f(void *a) { int *own = malloc(4); *own = 4; __VERIFIER_atomic_begin(); int *other = p; p = own; __VERIFIER_atomic_end(); *own = 5; if (other) assert(*other == 5); return 0; }\n",
            Some(2),
        ),
        case(
            "kept_apart",
            "void *malloc(unsigned long); int *p; void *f(void *a) { int *own = malloc(4); *own = 5; if (p) { assert(p != own); assert(*p == 5); } p = own; return 0; }\n",
            None,
        ),
        Case {
            round: "pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(done == 0);",
            ..case("joined_once", "int done; void *f(void *a) { done = done + 1; return 0; }\n", Some(1))
        },
        Case {
            round: "pthread_create(&t, 0, f, 0); pthread_join(u, 0); assert(done == 1);",
            before: "pthread_t u = 0;",
            ..case("nobody_joined", "int done; void *f(void *a) { done = 1; return 0; }\n", Some(1))
        },
        Case {
            round: "while (pending) {} pending = 1; pthread_create(&t, 0, f, 0);",
            templates: Templates::Sooner,
            ..case(
                "one_pending",
                "int pending; void *f(void *a) { assert(pending == 1); pending = 0; return 0; }\n",
                None,
            )
        },
        Case {
            round: "done = 0; pthread_create(&t, 0, f, 0); assert(done == 0);",
            ..case("not_joined", "int done; void *f(void *a) { done = 1; return 0; }\n", Some(1))
        },
    ]
}

fn load(name: &str, text: &str, population: Population, fusion: Fusion) -> Loaded {
    let dir = match population {
        Population::Templates => "templates",
        Population::Exact => "exact",
        _ => "population",
    };
    let options = Options { population, fusion, ..Options::default() };
    lower_text(&scratch(dir), name, text, &options).expect(name)
}

/// Whether an error can be reached.
fn fails(program: &Program, domains: &Domains<'_>, what: &str) -> bool {
    !explore(program, &[], domains, STATES).expect(what).failures.is_empty()
}

/// Whether an error can be reached; what leads there is a trace.
fn fails_really(program: &Program, what: &str) -> bool {
    let found = explore(program, &[], &SMALL, STATES).expect(what);
    found.failures.iter().for_each(|failure| replay(program, &failure.trace).expect(what));
    !found.failures.is_empty()
}

#[test]
fn bounded_creation_is_creation_written_out() {
    for case in cases() {
        for count in 1..=3 {
            let expected = case.fails.is_some_and(|least| least <= count);
            let sizes = if count < 3 { &[Fusion::On, Fusion::Local, Fusion::Off][..] } else { &[Fusion::On] };
            for fusion in sizes.iter().copied() {
                let what = format!("{} with {count}, fusion {fusion:?}", case.name);
                let bounded = load(case.name, &case.unbounded(), Population::Bounded(count), fusion);
                assert!(bounded.program.templates().is_empty());
                assert_eq!(fails_really(&bounded.program, &what), expected, "{what}");
                if case.name == "itself" {
                    continue;
                }
                let written = load("written", &case.written_out(count), Population::Each, fusion);
                assert_eq!(fails_really(&written.program, &what), expected, "{what}, written out");
            }
        }
    }
}

/// Of the threads that are created, those that move can do what so many threads can, whichever they are; nothing else is done.
#[test]
fn threads_that_never_move_do_nothing() {
    for case in cases().iter().filter(|case| case.name != "itself") {
        for (moving, count) in [(1, 2), (1, 3), (2, 3)] {
            let text = case.written_out(count);
            let (population, templating) = (Population::Sparse(moving), Templating::Repeated);
            let options = Options { population, templating, ..Options::default() };
            let loaded = lower_text(&scratch("sparse"), case.name, &text, &options).expect(case.name);
            let what = format!("{} with {moving} of {count} moving", case.name);
            let idle = loaded.program.vars().any(|(_, var)| var.name.starts_with("idle("));
            assert!(idle, "{what}");
            let expected = case.fails.is_some_and(|least| least <= moving);
            assert_eq!(fails_really(&loaded.program, &what), expected, "{what}\n{}", loaded.program);
        }
    }
}

#[test]
fn templates_can_do_what_their_instances_can() {
    hold_against_instances(Population::Templates);
}

#[test]
fn exact_templates_can_do_no_more_than_their_instances_can() {
    hold_against_instances(Population::Exact);
}

fn hold_against_instances(population: Population) {
    for case in cases() {
        for fusion in [Fusion::On, Fusion::Local] {
            let loaded = load(case.name, &case.unbounded(), population, fusion);
            assert_eq!(loaded.program.templates().len(), 1, "{}", case.name);
            for count in 2..=3 {
                let program = loaded.program.with_copies(count);
                let identities = program.templates()[0].identities.clone();
                let start = |id: VarId, var: &Var| match identities.iter().position(|identity| *identity == id) {
                    Some(copy) => vec![Value::Int(program::FIRST_IDENTITY + copy as i128)],
                    None => (SMALL.start)(id, var),
                };
                let one = |_: VarId, var: &Var| vec![check::blank(var.sort)];
                let what = format!("{} as {population:?} with {count}, fusion {fusion:?}", case.name);
                let found = fails(&program, &Domains { input: &one, start: &start }, &what);
                let expected = case.fails.is_some_and(|least| least <= count);
                let sooner = population == Population::Templates && case.templates == Templates::Sooner;
                assert_eq!(found, expected || sooner, "{what}\n{program}");
            }
        }
    }
}
