//! Pointers to blocks, locals and globals: what may be invalid, against brute force from C's definition, and against gcc's sanitizers.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use frontend::Fusion;
use program::Property;
use support::native::{compiler, scratch};
use support::rng::{Rng, cases, seed};
use support::violations::found;

const KINDS: [Property; 2] = [Property::ValidDeref, Property::ValidFree];

/// A statement on two pointers `p0` and `p1` that all threads share.
#[derive(Clone, Copy)]
enum Statement {
    /// `p = malloc(4);`
    Allocate(usize),
    /// `p = (int *)malloc(8) + 1;`
    Inside(usize),
    /// `p = &g;`
    Global(usize),
    /// `p = 0;`
    Null(usize),
    /// `{ int x = 0; p = &x; }`
    Local(usize),
    /// `p = q;`
    Copy(usize, usize),
    /// `*p = 1;`
    Store(usize),
    /// `free(p);`
    Free(usize),
}

/// What a pointer is: the number is that of the statement that made what it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pointer {
    Null,
    Global,
    Block(u32),
    Inside(u32),
    Local(u32),
}

/// main, and the threads that it starts first.
struct Generated {
    threads: Vec<Vec<Statement>>,
}

fn generate(n: u64, threads: usize, longest: usize) -> Generated {
    let mut rng = Rng::for_case(seed(), n);
    let statement = |rng: &mut Rng| {
        let (p, q) = (rng.below(2), rng.below(2));
        match rng.below(12) {
            0 | 1 => Statement::Allocate(p),
            2 => Statement::Inside(p),
            3 => Statement::Global(p),
            4 => Statement::Null(p),
            5 => Statement::Local(p),
            6 => Statement::Copy(p, q),
            7..=9 => Statement::Store(p),
            _ => Statement::Free(p),
        }
    };
    let body = |rng: &mut Rng| (0..1 + rng.below(longest)).map(|_| statement(rng)).collect();
    Generated { threads: (0..threads).map(|_| body(&mut rng)).collect() }
}

impl Statement {
    fn text(self) -> String {
        match self {
            Statement::Allocate(p) => format!("p{p} = malloc(4);"),
            Statement::Inside(p) => format!("p{p} = (int *)malloc(8) + 1;"),
            Statement::Global(p) => format!("p{p} = &g;"),
            Statement::Null(p) => format!("p{p} = 0;"),
            Statement::Local(p) => format!("{{ int x = 0; p{p} = &x; }}"),
            Statement::Copy(p, q) => format!("p{p} = p{q};"),
            Statement::Store(p) => format!("*p{p} = 1;"),
            Statement::Free(p) => format!("free(p{p});"),
        }
    }
}

impl Generated {
    /// The text, in which the statements begin in line 5.
    fn c_text(&self) -> String {
        let mut text = String::from("#include <pthread.h>\n#include <stdlib.h>\nint g; int *p0, *p1;\n");
        let body = |text: &mut String, statements: &[Statement]| {
            for statement in statements {
                let _ = writeln!(text, "  {}", statement.text());
            }
        };
        for (number, statements) in self.threads.iter().enumerate().skip(1) {
            let _ = writeln!(text, "void *t{number}(void *p) {{");
            body(&mut text, statements);
            text.push_str("  return 0; }\n");
        }
        text.push_str("int main(void) { pthread_t a;");
        for number in 1..self.threads.len() {
            let _ = write!(text, " pthread_create(&a, 0, t{number}, 0);");
        }
        text.push('\n');
        body(&mut text, &self.threads[0]);
        text.push_str("  return 0; }\n");
        text
    }

    /// The lines of the statements, by thread.
    fn lines(&self) -> Vec<Vec<u32>> {
        let mut next = 4;
        let mut lines = vec![Vec::new()];
        for statements in &self.threads[1..] {
            let first = next + 1;
            lines.push((first..).take(statements.len()).collect());
            next = first + statements.len() as u32 + 1;
        }
        lines[0] = (next + 1..).take(self.threads[0].len()).collect();
        lines
    }
}

/// A state: the pointers, what has been freed or has ended, and where each thread is, with the pointer it has read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    pointers: [Pointer; 2],
    gone: BTreeSet<u32>,
    places: Vec<(usize, Option<Pointer>)>,
}

/// All that can be invalid, by line: from the definition, one access at a time.
fn violations(program: &Generated) -> BTreeSet<(u32, Property)> {
    let lines = program.lines();
    let places = vec![(0, None); program.threads.len()];
    let start = State { pointers: [Pointer::Null; 2], gone: BTreeSet::new(), places };
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    let mut found = BTreeSet::new();
    while let Some(state) = open.pop() {
        for (thread, (at, read)) in state.places.iter().copied().enumerate() {
            let Some(statement) = program.threads[thread].get(at) else { continue };
            let mut next = state.clone();
            match step(&mut next, thread, lines[thread][at], *statement, read) {
                Ok(()) => {}
                Err(property) => {
                    found.insert((lines[thread][at], property));
                    continue;
                }
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

/// One access of a thread at a statement.
fn step(
    state: &mut State,
    thread: usize,
    line: u32,
    statement: Statement,
    read: Option<Pointer>,
) -> Result<(), Property> {
    let made = match statement {
        Statement::Allocate(p) => Some((p, Pointer::Block(line))),
        Statement::Inside(p) => Some((p, Pointer::Inside(line))),
        Statement::Global(p) => Some((p, Pointer::Global)),
        Statement::Null(p) => Some((p, Pointer::Null)),
        Statement::Local(p) if read.is_none() => {
            // Until the block ends, the local is there.
            state.pointers[p] = Pointer::Local(line);
            state.places[thread].1 = Some(Pointer::Local(line));
            return Ok(());
        }
        Statement::Local(_) => {
            state.gone.insert(line);
            None
        }
        Statement::Copy(_, q) | Statement::Store(q) | Statement::Free(q) if read.is_none() => {
            state.places[thread].1 = Some(state.pointers[q]);
            return Ok(());
        }
        Statement::Copy(p, _) => read.map(|pointer| (p, pointer)),
        Statement::Store(_) => match read {
            Some(Pointer::Global) => None,
            Some(Pointer::Block(id) | Pointer::Inside(id) | Pointer::Local(id)) if !state.gone.contains(&id) => None,
            _ => return Err(Property::ValidDeref),
        },
        Statement::Free(_) => match read {
            Some(Pointer::Null) => None,
            Some(Pointer::Block(id)) if state.gone.insert(id) => None,
            _ => return Err(Property::ValidFree),
        },
    };
    if let Some((p, pointer)) = made {
        state.pointers[p] = pointer;
    }
    state.places[thread] = (state.places[thread].0 + 1, None);
    Ok(())
}

#[test]
fn invalid_pointers_are_found_where_brute_force_finds_them() {
    let dir = scratch("pointers");
    let mut violated = BTreeSet::new();
    for n in 0..cases(80) {
        let program = generate(n, 2 + usize::from(n % 4 == 0), 4);
        let (text, expected) = (program.c_text(), violations(&program));
        violated.extend(expected.iter().map(|(_, property)| *property));
        for fusion in [Fusion::On, Fusion::Off] {
            let found = found(&dir, &format!("case{n}"), &text, &KINDS, fusion);
            assert_eq!(found.as_ref(), Ok(&expected), "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert_eq!(violated, BTreeSet::from(KINDS), "all kinds are met");
}

/// Whether a sanitizer reports something in a run of the binary.
fn is_reported(dir: &Path, name: &str) -> bool {
    let (source, binary) = (dir.join(format!("{name}.c")), dir.join(name));
    let mut command = Command::new(compiler());
    command.args(["-g", "-O0", "-w", "-pthread", "-fsanitize=address,undefined", "-fsanitize-address-use-after-scope"]);
    let compiled = command.arg("-o").arg(&binary).arg(&source).output().expect("a compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).env("ASAN_OPTIONS", "detect_leaks=0").output().expect("a binary");
    String::from_utf8_lossy(&run.stderr).contains("ERROR: AddressSanitizer")
}

/// A single thread has one run: what the sanitizer sees in it is what there is, and we see it too.
#[test]
fn what_sanitizers_report_is_not_proved_absent() {
    let dir = scratch("sanitized");
    let mut reported = 0;
    for n in 0..cases(80).div_ceil(4) {
        let program = generate(n, 1, 8);
        let (name, text) = (format!("case{n}"), program.c_text());
        let found = found(&dir, &name, &text, &KINDS, Fusion::On);
        assert_eq!(found.as_ref(), Ok(&violations(&program)), "seed {}, case {n}\n{text}", seed());
        if is_reported(&dir, &name) {
            reported += 1;
            assert!(found.is_ok_and(|found| !found.is_empty()), "seed {}, case {n}\n{text}", seed());
        }
    }
    assert!(reported > 0, "sanitizers report something");
}
