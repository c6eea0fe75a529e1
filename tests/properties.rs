//! Undefined behaviour as a property: against brute force from C's definition, and through the binary.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use frontend::{Fusion, Options, PropertySource};
use program::{ClaimId, Property};
use support::explore::{self, SMALL};
use support::lowered::lower_text;
use support::native::scratch;
use support::rng::{Rng, cases, seed};

const KINDS: [Property; 3] = [Property::NoOverflow, Property::NoDivisionByZero, Property::NoBadShift];

/// `globals[target] = left op right;`, each operand a global or a number.
#[derive(Clone, Copy)]
struct Statement {
    target: usize,
    left: Operand,
    operator: &'static str,
    right: Operand,
}

#[derive(Clone, Copy)]
enum Operand {
    Global(usize),
    Number(i64),
}

/// Two threads, and main who starts them and goes on as a third.
struct Generated {
    globals: Vec<i64>,
    threads: Vec<Vec<Statement>>,
}

const NUMBERS: [i64; 10] = [0, 1, -1, 2, 3, 31, 32, 1 << 30, i32::MAX as i64, i32::MIN as i64];
const OPERATORS: [&str; 7] = ["+", "-", "*", "/", "%", "<<", ">>"];

fn generate(n: u64) -> Generated {
    let mut rng = Rng::for_case(seed(), n);
    let globals: Vec<i64> = (0..2).map(|_| NUMBERS[rng.below(NUMBERS.len())]).collect();
    let operand = |rng: &mut Rng| match rng.below(2) {
        0 => Operand::Global(rng.below(2)),
        _ => Operand::Number(NUMBERS[rng.below(NUMBERS.len())]),
    };
    let statement = |rng: &mut Rng| {
        let (target, left, right) = (rng.below(2), operand(rng), operand(rng));
        Statement { target, left, operator: OPERATORS[rng.below(OPERATORS.len())], right }
    };
    let threads = (0..3).map(|_| (0..1 + rng.below(2)).map(|_| statement(&mut rng)).collect()).collect();
    Generated { globals, threads }
}

impl Operand {
    fn text(self) -> String {
        match self {
            Operand::Global(global) => format!("g{global}"),
            Operand::Number(number) if number == i64::from(i32::MIN) => "(-2147483647 - 1)".into(),
            Operand::Number(number) => format!("({number})"),
        }
    }
}

impl Generated {
    /// The text, in which the statements are lines 5, 6, ..: those of the threads, then those of main.
    fn c_text(&self) -> String {
        let mut text = String::from("#include <pthread.h>\n");
        for (number, value) in self.globals.iter().enumerate() {
            let _ = writeln!(text, "int g{number} = {};", Operand::Number(*value).text());
        }
        let body = |text: &mut String, statements: &[Statement]| {
            for Statement { target, left, operator, right } in statements {
                let _ = writeln!(text, "  g{target} = {} {operator} {};", left.text(), right.text());
            }
        };
        for (number, statements) in self.threads.iter().enumerate().skip(1) {
            let _ = writeln!(text, "void *t{number}(void *p) {{");
            body(&mut text, statements);
            text.push_str("  return 0; }\n");
        }
        text.push_str("int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);\n");
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

/// What C says of `a operator b` for int: a value, or what is undefined.
fn result(a: i64, operator: &str, b: i64) -> Result<i64, Property> {
    let int = |value: i64| i32::try_from(value).map(i64::from).map_err(|_| Property::NoOverflow);
    match operator {
        "+" => int(a + b),
        "-" => int(a - b),
        "*" => int(a * b),
        "/" | "%" if b == 0 => Err(Property::NoDivisionByZero),
        "/" => int(a / b),
        "%" => int(a / b).map(|_| a % b),
        _ if !(0..32).contains(&b) => Err(Property::NoBadShift),
        "<<" if a < 0 => Err(Property::NoBadShift),
        "<<" => int(a << b).map_err(|_| Property::NoBadShift),
        _ => Ok(a >> b),
    }
}

/// Where a thread is: the statement, and the operands that it has read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Place {
    statement: usize,
    read: Vec<i64>,
}

/// All that can be undefined, by line: from the definition, one access at a time.
fn violations(program: &Generated) -> BTreeSet<(u32, Property)> {
    let lines = program.lines();
    let start = (program.globals.clone(), vec![Place::default(); program.threads.len()]);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    let mut found = BTreeSet::new();
    while let Some((globals, places)) = open.pop() {
        for (thread, place) in places.iter().enumerate() {
            let Some(statement) = program.threads[thread].get(place.statement) else { continue };
            let (mut globals, mut places) = (globals.clone(), places.clone());
            let value = |operand: Operand| match operand {
                Operand::Global(global) => globals[global],
                Operand::Number(number) => number,
            };
            match place.read.as_slice() {
                [] => places[thread].read.push(value(statement.left)),
                [_] => places[thread].read.push(value(statement.right)),
                [a, b, ..] => match result(*a, statement.operator, *b) {
                    Ok(value) => {
                        globals[statement.target] = value;
                        places[thread] = Place { statement: place.statement + 1, read: Vec::new() };
                    }
                    Err(property) => {
                        found.insert((lines[thread][place.statement], property));
                        continue;
                    }
                },
            }
            if seen.insert((globals.clone(), places.clone())) {
                open.push((globals, places));
            }
        }
    }
    found
}

fn asking(properties: &[Property], fusion: Fusion, unasked: BTreeSet<ClaimId>) -> Options {
    let names = properties.iter().map(|property| property.name().to_string()).collect();
    Options { property: PropertySource::Names(names), fusion, unasked, ..Options::default() }
}

/// The same, found in programs that ask one claim each.
fn found(dir: &Path, name: &str, text: &str, fusion: Fusion) -> Result<BTreeSet<(u32, Property)>, String> {
    let all = lower_text(dir, name, text, &asking(&KINDS, fusion, BTreeSet::new()))?;
    let all: BTreeSet<ClaimId> = all.program.claims().iter().map(|claim| claim.id).collect();
    let mut found = BTreeSet::new();
    for claim in &all {
        let unasked = all.iter().copied().filter(|other| other != claim).collect();
        let one = lower_text(dir, name, text, &asking(&KINDS, fusion, unasked))?;
        let explored = explore::explore(&one.program, &[], &SMALL, 100_000)?;
        if !explored.failures.is_empty() {
            found.insert((claim.span.line, claim.property));
        }
    }
    Ok(found)
}

#[test]
fn undefined_arithmetic_is_found_where_brute_force_finds_it() {
    let dir = scratch("arithmetic");
    let mut violated = BTreeSet::new();
    for n in 0..cases(80) {
        let program = generate(n);
        let (text, expected) = (program.c_text(), violations(&program));
        violated.extend(expected.iter().map(|(_, property)| *property));
        for fusion in [Fusion::On, Fusion::Off] {
            let found = found(&dir, &format!("case{n}"), &text, fusion);
            assert_eq!(found.as_ref(), Ok(&expected), "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert_eq!(violated, BTreeSet::from(KINDS), "all kinds are met");
}

/// Exit code, stdout and stderr.
fn prove(dir: &Path, text: &str, properties: &str) -> (Option<i32>, String, String) {
    let file = dir.join("p.c");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
    let output = command.args(["prove", "--property", properties, "--timeout", "60"]).arg(&file).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A counter that two threads raise under a lock, up to a bound, and then scale.
fn counter(bound: &str, scaled: &str) -> String {
    format!(
        "#include <pthread.h>
int count, part;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *raise(void *p) {{
  while (1) {{
    pthread_mutex_lock(&m);
    if (count < {bound}) count = count + 1;
    pthread_mutex_unlock(&m);
  }}
}}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, raise, 0);
  pthread_create(&b, 0, raise, 0);
  pthread_mutex_lock(&m);
  part = {scaled};
  pthread_mutex_unlock(&m);
  return 0;
}}
"
    )
}

#[test]
fn arithmetic_is_proved_or_its_violation_shown() {
    let dir = scratch("undefined");
    let (most, safe) = ("2147483647", (Some(0), "Result: true\n"));
    for (bound, scaled, property, expected) in [
        (most, "0", "no-overflow", safe),
        ("30", "count * 71582788", "no-overflow", safe),
        ("30", "count - 2147483648", "no-overflow", safe),
        ("3", "count + 2147483645", "no-overflow", (Some(10), "Result: false(no-overflow)\n")),
        ("3", "12 / (count + 1)", "no-division-by-zero", safe),
        ("3", "12 % count", "no-division-by-zero", (Some(10), "Result: false(no-division-by-zero)\n")),
        ("3", "1 << count", "no-bad-shift", safe),
        ("3", "1 << (count - 1)", "no-bad-shift", (Some(10), "Result: false(no-bad-shift)\n")),
        ("3", "12 % count", "no-overflow", safe),
        (
            "3",
            "12 % (count - 1) + (1 << (count - 1))",
            "no-bad-shift,no-overflow,no-division-by-zero",
            (Some(10), "Result: false(no-bad-shift)\n"),
        ),
    ] {
        let (code, stdout, stderr) = prove(&dir, &counter(bound, scaled), property);
        assert_eq!((code, stdout.as_str()), expected, "{bound}, {scaled}, {property}: {stderr}");
    }
}

#[test]
fn memory_safety_is_three_properties() {
    let dir = scratch("memsafety");
    let program =
        |body: &str| format!("#include <stdlib.h>\nint main(void) {{ int *p = malloc(4); {body} return 0; }}\n");
    for (body, result) in [
        ("*p = 1; free(p);", "Result: true\n"),
        ("free(p); free(p);", "Result: false(valid-free)\n"),
        ("free(p); *p = 1;", "Result: false(valid-deref)\n"),
        ("*p = 1;", "Result: false(valid-memtrack)\n"),
        ("p = malloc(4); free(p);", "Result: false(valid-memtrack)\n"),
        ("static int *g; g = p; g = 0;", "Result: false(valid-memtrack)\n"),
        ("static int *g; g = p; p = 0;", "Result: true\n"),
        ("p[1] = 1; free(p); free(p);", "Result: false(valid-deref)\n"),
    ] {
        let (_, stdout, stderr) = prove(&dir, &program(body), "valid-memsafety");
        assert!(stdout.ends_with(result), "{body}: {stdout}{stderr}");
        let lines =
            ["valid-free", "valid-deref", "valid-memtrack"].map(|p| format!("CHECK( init(main()), LTL(G {p}) )\n"));
        let file = dir.join("memsafety.prp");
        std::fs::write(&file, lines.concat()).unwrap();
        let (_, from_file, stderr) = prove(&dir, &program(body), &file.display().to_string());
        assert_eq!(from_file, stdout, "{body}: {stderr}");
    }
}

#[test]
fn a_witness_says_what_is_violated() {
    let dir = scratch("witnessed");
    let (source, witness) = (dir.join("p.c"), dir.join("w.yml"));
    std::fs::write(&source, "int main(void) { int *p = 0; *p = 1; return 0; }\n").unwrap();
    for (property, formulas) in [
        ("valid-deref", &["G valid-deref"][..]),
        ("valid-memsafety", &["G valid-free", "G valid-deref", "G valid-memtrack"]),
        ("no-overflow,valid-deref", &["G ! overflow", "G valid-deref"]),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threader"));
        command.args(["prove", "--property", property, "--witness"]).arg(&witness).arg(&source);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(10), "{property}: {}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(&witness).unwrap();
        let checks: Vec<String> = formulas.iter().map(|f| format!("CHECK( init(main()), LTL({f}) )")).collect();
        assert!(text.contains(&format!("specification: \"{}\"", checks.join("\\n"))), "{text}");
    }
}

#[test]
fn names_are_those_that_there_are() {
    let dir = scratch("names");
    let (code, stdout, stderr) = prove(&dir, "int main(void) { return 0; }\n", "no-overfow");
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("there is no property `no-overfow`; is `no-overflow` meant?"), "{stderr}");
    let (code, stdout, _) = prove(&dir, "int main(void) { return 0; }\n", "no-overflow,termination");
    assert_eq!((code, stdout.as_str()), (Some(5), "Result: unknown(unsupported: the property termination)\n"));
}
