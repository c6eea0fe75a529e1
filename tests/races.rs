//! Data races: against brute force from the definition, in large and small steps, and by every rule.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use check::{State, blank, conflicts, initial, step};
use frontend::{Fusion, Options, PropertySource};
use program::Program;
use support::lowered::lower_text;
use support::native::scratch;
use support::rng::{Rng, cases, seed};

/// What is touched: `g0`, `g1`, an element of `a`, one of two bit-fields of `s`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    Global(usize),
    /// By a constant.
    Element(usize),
    /// By the thread's local.
    Indexed,
    Field(usize),
    /// `_Atomic`.
    Flag,
}

#[derive(Clone)]
enum Statement {
    /// `object = number;`
    Set(Object, i64),
    /// `one = other;`, an access each.
    Copy(Object, Object),
    /// `__atomic_store_n(&g0, number, 5);`
    SetAtomically(usize, i64),
    /// `l = g & 1;`
    Index(usize),
    /// `while (f != number);`, a read again and again.
    Await(i64),
    /// `if (object == number) { .. }`
    If(Object, i64, Vec<Statement>),
    Locked(usize, Vec<Statement>),
    Section(Vec<Statement>),
    /// Main starts, or waits for, a thread.
    Start(usize),
    Join(usize),
}

/// One thing that happens at a time.
#[derive(Clone, Copy)]
enum Op {
    /// Into the thread's register.
    Read(Object, Manner, u32),
    /// From the register.
    Write(Object, Manner, u32),
    Number(i64),
    /// The register's lowest bit becomes the local.
    Local,
    /// Goes there unless the register holds the number.
    Unless(i64, usize),
    Lock(usize),
    Unlock(usize),
    /// All up to this one is one step.
    Section(usize),
    Start(usize),
    Join(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Manner {
    atomic: bool,
    in_section: bool,
}

/// Main and two threads.
struct Generated {
    threads: Vec<Vec<Statement>>,
}

fn object(rng: &mut Rng) -> Object {
    match rng.below(12) {
        0..=5 => Object::Global(rng.below(2)),
        6 | 7 => Object::Element(rng.below(2)),
        8 => Object::Indexed,
        9 => Object::Field(rng.below(2)),
        _ => Object::Flag,
    }
}

fn statement(rng: &mut Rng, depth: usize, in_section: bool) -> Statement {
    let some = |rng: &mut Rng, in_section: bool| -> Vec<Statement> {
        (0..1 + rng.below(2)).map(|_| statement(rng, depth + 1, in_section)).collect()
    };
    match rng.below(if depth < 2 { 16 } else { 8 }) {
        0..=3 => Statement::Set(object(rng), rng.below(3) as i64),
        4 | 5 => Statement::Copy(object(rng), object(rng)),
        6 => Statement::Index(rng.below(2)),
        7 => Statement::SetAtomically(rng.below(2), rng.below(3) as i64),
        8 | 9 => Statement::If(object(rng), rng.below(2) as i64, some(rng, in_section)),
        10..=13 if !in_section => Statement::Locked(rng.below(2), some(rng, in_section)),
        14 if !in_section => Statement::Section(some(rng, true)),
        15 if !in_section && depth == 0 => Statement::Await(rng.below(2) as i64),
        _ => Statement::Set(Object::Flag, rng.below(2) as i64),
    }
}

fn generate(n: u64) -> Generated {
    let mut rng = Rng::for_case(seed(), n);
    let body = |rng: &mut Rng| -> Vec<Statement> { (0..1 + rng.below(2)).map(|_| statement(rng, 0, false)).collect() };
    let mut main = Vec::new();
    main.extend((0..rng.below(2)).map(|_| statement(&mut rng, 1, false)));
    main.push(Statement::Start(1));
    main.extend((0..rng.below(2)).map(|_| statement(&mut rng, 0, false)));
    main.push(Statement::Start(2));
    main.extend((0..rng.below(3)).map(|_| statement(&mut rng, 0, false)));
    if rng.below(2) == 0 {
        main.push(Statement::Join(1 + rng.below(2)));
        main.push(statement(&mut rng, 1, false));
    }
    Generated { threads: vec![main, body(&mut rng), body(&mut rng)] }
}

fn name(object: Object) -> String {
    match object {
        Object::Global(global) => format!("g{global}"),
        Object::Element(index) => format!("a[{index}]"),
        Object::Indexed => "a[l]".into(),
        Object::Field(field) => format!("s.f{field}"),
        Object::Flag => "f".into(),
    }
}

/// Writes statements, one access statement a line, and compiles them.
struct Writer {
    text: String,
    line: u32,
    ops: Vec<Op>,
}

impl Writer {
    fn put(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
        self.line += 1;
    }

    fn read(&mut self, object: Object, in_section: bool) {
        self.ops.push(Op::Read(object, Manner { atomic: object == Object::Flag, in_section }, self.line));
    }

    fn write(&mut self, object: Object, in_section: bool) {
        self.ops.push(Op::Write(object, Manner { atomic: object == Object::Flag, in_section }, self.line));
    }

    fn all(&mut self, statements: &[Statement], in_section: bool) {
        for statement in statements {
            self.one(statement, in_section);
        }
    }

    fn one(&mut self, statement: &Statement, in_section: bool) {
        match statement {
            Statement::Set(object, number) => {
                self.ops.push(Op::Number(*number));
                self.write(*object, in_section);
                self.put(&format!("  {} = {number};", name(*object)));
            }
            Statement::Copy(to, from) => {
                self.read(*from, in_section);
                self.write(*to, in_section);
                self.put(&format!("  {} = {};", name(*to), name(*from)));
            }
            Statement::SetAtomically(global, number) => {
                self.ops.push(Op::Number(*number));
                let manner = Manner { atomic: true, in_section };
                self.ops.push(Op::Write(Object::Global(*global), manner, self.line));
                self.put(&format!("  __atomic_store_n(&g{global}, {number}, 5);"));
            }
            Statement::Index(global) => {
                self.read(Object::Global(*global), in_section);
                self.ops.push(Op::Local);
                self.put(&format!("  l = g{global} & 1;"));
            }
            Statement::Await(number) => {
                let head = self.ops.len();
                self.read(Object::Flag, in_section);
                self.ops.push(Op::Unless(*number, head));
                self.put(&format!("  while (f != {number});"));
            }
            Statement::If(object, number, inner) => {
                self.read(*object, in_section);
                let at = self.ops.len();
                self.ops.push(Op::Unless(*number, 0));
                self.put(&format!("  if ({} == {number}) {{", name(*object)));
                self.all(inner, in_section);
                self.put("  }");
                self.ops[at] = Op::Unless(*number, self.ops.len());
            }
            Statement::Locked(mutex, inner) => {
                self.ops.push(Op::Lock(*mutex));
                self.put(&format!("  pthread_mutex_lock(&m{mutex});"));
                self.all(inner, in_section);
                self.ops.push(Op::Unlock(*mutex));
                self.put(&format!("  pthread_mutex_unlock(&m{mutex});"));
            }
            Statement::Section(inner) => {
                let at = self.ops.len();
                self.ops.push(Op::Section(0));
                self.put("  __VERIFIER_atomic_begin();");
                self.all(inner, true);
                self.put("  __VERIFIER_atomic_end();");
                self.ops[at] = Op::Section(self.ops.len());
            }
            Statement::Start(thread) => {
                self.ops.push(Op::Start(*thread));
                self.put(&format!("  pthread_create(&p{thread}, 0, t{thread}, 0);"));
            }
            Statement::Join(thread) => {
                self.ops.push(Op::Join(*thread));
                self.put(&format!("  pthread_join(p{thread}, 0);"));
            }
        }
    }
}

const HEAD: &str = "#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int g0, g1, a[2]; struct { int f0 : 4; int f1 : 4; } s; atomic_int f;
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;";

impl Generated {
    /// The text, and what each thread does.
    fn compiled(&self) -> (String, Vec<Vec<Op>>) {
        let mut writer = Writer { text: String::new(), line: 1, ops: Vec::new() };
        HEAD.lines().for_each(|line| writer.put(line));
        let mut all = vec![Vec::new()];
        for thread in 1..3 {
            writer.put(&format!("void *t{thread}(void *p) {{ int l = 0;"));
            writer.all(&self.threads[thread], false);
            writer.put("  return 0; }");
            all.push(std::mem::take(&mut writer.ops));
        }
        writer.put("int main(void) { int l = 0; pthread_t p1, p2;");
        writer.all(&self.threads[0], false);
        writer.put("  return 0; }");
        all[0] = writer.ops;
        (writer.text, all)
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    at: usize,
    register: i64,
    local: usize,
    started: bool,
}

/// All of memory: g0, g1, a[0], a[1], s.f0, s.f1, f; and who holds the mutexes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Memory {
    cells: [i64; 7],
    owners: [usize; 2],
    threads: Vec<Thread>,
}

/// The cell of an object, and what stands for its bytes.
fn cell(object: Object, local: usize) -> (usize, usize) {
    match object {
        Object::Global(global) => (global, global),
        Object::Element(index) => (2 + index, 2 + index),
        Object::Indexed => (2 + local, 2 + local),
        Object::Field(field) => (4 + field, 4),
        Object::Flag => (6, 6),
    }
}

/// An access that is about to be made: bytes, whether it writes, how, and its line.
type About = (usize, bool, Manner, u32);

impl Memory {
    /// What a thread is about to touch.
    fn about(&self, code: &[Vec<Op>], thread: usize) -> Vec<About> {
        let here = &self.threads[thread];
        match code[thread].get(here.at) {
            _ if !here.started => Vec::new(),
            Some(Op::Read(object, manner, line)) => vec![(cell(*object, here.local).1, false, *manner, *line)],
            Some(Op::Write(object, manner, line)) => vec![(cell(*object, here.local).1, true, *manner, *line)],
            Some(Op::Section(end)) => {
                let mut alone = self.clone();
                alone.threads[thread].at += 1;
                let mut all = Vec::new();
                while alone.threads[thread].at < *end {
                    all.extend(alone.about(code, thread));
                    alone.step(code, thread);
                }
                all
            }
            // What touches nothing may be thought of as done.
            Some(Op::Number(_) | Op::Local | Op::Unless(..)) => {
                let mut next = self.clone();
                next.step(code, thread);
                next.about(code, thread)
            }
            _ => Vec::new(),
        }
    }

    /// Takes a step; whether that was possible.
    fn step(&mut self, code: &[Vec<Op>], thread: usize) -> bool {
        let here = self.threads[thread].clone();
        let Some(op) = code[thread].get(here.at).filter(|_| here.started) else { return false };
        let mut next = Thread { at: here.at + 1, ..here };
        match op {
            Op::Read(object, ..) => next.register = self.cells[cell(*object, next.local).0],
            Op::Write(object, ..) => self.cells[cell(*object, next.local).0] = next.register,
            Op::Number(number) => next.register = *number,
            Op::Local => next.local = usize::from(next.register & 1 == 1),
            Op::Unless(number, to) if next.register != *number => next.at = *to,
            Op::Unless(..) => {}
            Op::Lock(mutex) if self.owners[*mutex] != 0 => return false,
            Op::Lock(mutex) => self.owners[*mutex] = thread + 1,
            Op::Unlock(mutex) => self.owners[*mutex] = 0,
            Op::Start(other) => self.threads[*other].started = true,
            Op::Join(other) if self.threads[*other].at < code[*other].len() => return false,
            Op::Join(_) => {}
            Op::Section(end) => {
                self.threads[thread].at += 1;
                while self.threads[thread].at < *end {
                    self.step(code, thread);
                }
                return true;
            }
        }
        self.threads[thread] = next;
        true
    }
}

/// The lines of pairs.
type Races = BTreeSet<(u32, u32)>;

/// All races from the definition, over all interleavings. Main's return ends everything, but may as well come last.
fn races(code: &[Vec<Op>]) -> Races {
    let fresh = |started| Thread { at: 0, register: 0, local: 0, started };
    let threads: Vec<Thread> = (0..code.len()).map(|thread| fresh(thread == 0)).collect();
    let pairs: Vec<(usize, usize)> = (0..code.len()).flat_map(|two| (0..two).map(move |one| (one, two))).collect();
    let start = Memory { cells: [0; 7], owners: [0; 2], threads };
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    let mut found = Races::new();
    while let Some(memory) = open.pop() {
        let about: Vec<Vec<About>> = (0..code.len()).map(|thread| memory.about(code, thread)).collect();
        for (one, two) in pairs.iter().copied() {
            for (bytes, writes, manner, line) in &about[one] {
                for (others, also, its, there) in &about[two] {
                    let ordered = (manner.atomic && its.atomic) || (manner.in_section && its.in_section);
                    if bytes == others && (*writes || *also) && !ordered {
                        found.insert((*line.min(there), *line.max(there)));
                    }
                }
            }
        }
        for thread in 0..code.len() {
            let mut next = memory.clone();
            if next.step(code, thread) && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

/// All conflicts that the program's states are in.
fn found(program: &Program) -> Races {
    let start = initial(program, &mut |_, var| blank(var.sort)).unwrap();
    let mut seen: std::collections::HashSet<State> = [start.clone()].into();
    let mut open = vec![start];
    let mut found = Races::new();
    while let Some(state) = open.pop() {
        assert!(seen.len() < 200_000, "a small program");
        for conflict in conflicts(program, &state) {
            let mut lines: Vec<u32> = conflict.claim.places().map(|span| span.line).collect();
            lines.sort_unstable();
            found.insert((lines[0], lines[1]));
        }
        for (id, thread) in program.threads() {
            for index in 0..thread.transitions.len() {
                let next = step(program, &state, id, index, &|var| blank(program.var(var).sort));
                open.extend(next.ok().filter(|next| seen.insert(next.clone())));
            }
        }
    }
    found
}

fn asking(fusion: Fusion) -> Options {
    Options { property: PropertySource::Names(vec!["no-data-race".into()]), fusion, ..Options::default() }
}

#[test]
fn races_are_found_where_brute_force_finds_them() {
    let dir = scratch("races");
    let (mut racy, mut free) = (0, 0);
    for n in 0..cases(150) {
        let (text, code) = generate(n).compiled();
        let expected = races(&code);
        if expected.is_empty() {
            free += 1
        } else {
            racy += 1
        }
        for fusion in [Fusion::On, Fusion::Local, Fusion::Off] {
            let loaded = lower_text(&dir, &format!("case{n}"), &text, &asking(fusion)).unwrap();
            let found = found(&loaded.program);
            assert_eq!(found, expected, "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert!(racy > 10 && free > 10, "{racy} with races, {free} without");
}

/// The last line that the program prints.
fn answer(dir: &Path, text: &str, command: &str, more: &[&str]) -> String {
    answer_within("30", dir, text, command, more)
}

/// The same within so many seconds.
fn answer_within(seconds: &str, dir: &Path, text: &str, command: &str, more: &[&str]) -> String {
    let file = dir.join("p.c");
    std::fs::write(&file, text).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_threader"));
    run.args([command, "--property", "no-data-race", "--first", "--timeout", seconds]).args(more).arg(&file);
    let output = run.output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_string()
}

#[test]
fn every_rule_decides_as_brute_force_does() {
    let dir = scratch("race-rules");
    let (mut decided, mut all) = (0, 0);
    // Each is several runs of the binary.
    for n in 1000..1000 + cases(24).min(400) {
        let (text, code) = generate(n).compiled();
        let expected = if races(&code).is_empty() { "Result: true" } else { "Result: false(no-data-race)" };
        for rule in ["auto", "monolithic", "owicki-gries", "rely-guarantee"] {
            let found = answer(&dir, &text, "prove", &["--rule", rule]);
            all += 1;
            decided += usize::from(found == expected);
            assert!(found == expected || found.starts_with("Result: unknown"), "{rule}, case {n}: {found}\n{text}");
        }
        let searched = answer(&dir, &text, "refute", &[]);
        assert!(expected == "Result: true" || searched == expected, "case {n}: {searched}\n{text}");
        assert!(expected != "Result: true" || !searched.contains("false"), "case {n}: {searched}\n{text}");
    }
    assert!(decided * 10 >= all * 9, "{decided} of {all} are decided");
}

/// Main, and a function that any number of threads run: what main does before it creates them, what it does after that, and what they do.
struct Crowd {
    before: Vec<Statement>,
    after: Vec<Statement>,
    each: Vec<Statement>,
}

impl Crowd {
    fn generate(n: u64) -> Crowd {
        let mut rng = Rng::for_case(seed(), n);
        let mut some = |least: usize, most: usize, depth: usize| -> Vec<Statement> {
            let count = least + rng.below(most - least + 1);
            (0..count).map(|_| statement(&mut rng, depth, false)).collect()
        };
        Crowd { before: some(0, 1, 1), after: some(0, 1, 1), each: some(1, 2, 0) }
    }

    /// The text, and what main and so many of them do.
    fn compiled(&self, instances: usize) -> (String, Vec<Vec<Op>>) {
        let mut writer = Writer { text: String::new(), line: 1, ops: Vec::new() };
        HEAD.lines().for_each(|line| writer.put(line));
        writer.put("int __VERIFIER_nondet_int(void);");
        writer.put("void *each(void *p) { int l = 0;");
        writer.all(&self.each, false);
        writer.put("  return 0; }");
        let each = std::mem::take(&mut writer.ops);
        writer.put("int main(void) { int l = 0; pthread_t p;");
        writer.all(&self.before, false);
        writer.put("  while (__VERIFIER_nondet_int()) pthread_create(&p, 0, each, 0);");
        writer.ops.extend((1..=instances).map(Op::Start));
        writer.all(&self.after, false);
        writer.put("  return 0; }");
        let code = std::iter::once(writer.ops).chain(std::iter::repeat_n(each, instances)).collect();
        (writer.text, code)
    }
}

/// Two threads race, but others may have to come before: brute force has some more. A run that is shown was replayed, so that where it
/// has a race brute force must have it, with as many instances.
#[test]
fn races_of_any_number_are_decided_as_brute_force_does_with_a_few() {
    let dir = scratch("race-crowds");
    let (mut decided, mut all, mut racy) = (0, 0, 0);
    for n in 7000..7000 + cases(16).min(1000) {
        let crowd = Crowd::generate(n);
        let (text, code) = crowd.compiled(3);
        let is_racy = !races(&code).is_empty();
        let found = answer_within("10", &dir, &text, "prove", &[]);
        all += 1;
        decided += usize::from(!found.starts_with("Result: unknown"));
        racy += usize::from(is_racy);
        match found.as_str() {
            "Result: true" => assert!(!is_racy, "case {n} is racy\n{text}"),
            "Result: false(no-data-race)" => {
                let with_more = || !races(&crowd.compiled(4).1).is_empty();
                assert!(is_racy || with_more(), "case {n} has no race\n{text}");
            }
            other => assert!(other.starts_with("Result: unknown"), "case {n}: {other}\n{text}"),
        }
    }
    assert!(decided * 10 >= all * 9, "{decided} of {all} are decided");
    assert!(racy > 0 && racy < all, "{racy} of {all} are racy");
}

/// Both outputs of a run.
fn told(dir: &Path, text: &str, more: &[&str]) -> String {
    let file = dir.join("told.c");
    std::fs::write(&file, text).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_threader"));
    let output = run.args(["prove", "--property", "no-data-race", "--timeout", "30"]).args(more).arg(&file).output();
    let output = output.unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// Two threads that count, and main who reads when both have ended.
fn counting(count: &str, declared: &str) -> String {
    format!(
        "#include <pthread.h>
#include <stdatomic.h>
{declared}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *count(void *p) {{
  {count}
  return 0;
}}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return n;
}}
"
    )
}

#[test]
fn races_can_be_accepted_and_consistency_is_a_theorem_without_them() {
    let dir = scratch("race-told");
    let text = told(&dir, &counting("n = n + 1;", "int n;"), &[]);
    assert!(text.contains("about to make this write") && text.ends_with("Result: false(no-data-race)\n"), "{text}");
    let text = told(&dir, &counting("n = n + 1; // threader: racy", "int n;"), &[]);
    assert!(text.contains("2 data races are accepted") && text.ends_with("Result: true\n"), "{text}");
    assert!(text.contains("because of a race that is not excluded"), "{text}");
    let text = told(&dir, &counting("n++;", "atomic_int n;"), &[]);
    assert!(text.contains("assumption 1 is discharged") && text.ends_with("Result: true\n"), "{text}");
    let relaxed = "atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);";
    let text = told(&dir, &counting(relaxed, "atomic_int n;"), &[]);
    assert!(text.contains("an atomic operation that is not seq_cst (") && text.ends_with("Result: true\n"), "{text}");
    let tried = "if (pthread_mutex_trylock(&m) == 0) { n = n + 1; pthread_mutex_unlock(&m); }";
    let text = told(&dir, &counting(tried, "int n;"), &[]);
    assert!(text.contains("a try that fails only for a reason (") && text.ends_with("Result: true\n"), "{text}");
}

#[test]
fn both_accesses_are_told_with_their_calls() {
    let text = "#include <pthread.h>
int total;
static void add(int *where, int what) { *where += what; }
static void bump(int by) {
  add(&total, by);
}
void *one(void *p) { bump(1); return 0; }
void *two(void *p) { add(&total, 2); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); return 0; }
";
    let dir = scratch("race-calls");
    let sarif = dir.join("race.sarif");
    let said = told(&dir, text, &["--sarif", &sarif.display().to_string()]);
    let lines: Vec<&str> = said.lines().skip_while(|line| !line.starts_with(" then")).take(4).map(str::trim).collect();
    assert!(lines[1].matches("about to make this").count() == 2, "{said}");
    assert!(lines[2].contains("called at 5, in bump") && lines[2].contains("called at 8, in two"), "{said}");
    assert_eq!(lines[3], "called at 7, in one", "{said}");
    let sarif = std::fs::read_to_string(sarif).unwrap();
    let log: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let stacks = log["runs"][0]["results"][0]["stacks"].as_array().expect("two stacks");
    let frames = |k: usize| stacks[k]["frames"].as_array().map_or(0, Vec::len);
    assert_eq!((stacks.len(), frames(0), frames(1)), (2, 3, 2), "{sarif}");
}

#[test]
fn certificates_are_about_pairs() {
    let dir = scratch("race-certificates");
    let locked = "pthread_mutex_lock(&m); n = n + 1; pthread_mutex_unlock(&m);";
    // A lock of our own: the pair is left to the proof.
    let spun = "while (atomic_exchange(&l, 1)); n = n + 1; atomic_store(&l, 0);";
    let (certificate, file) = (dir.join("c.cert"), dir.join("told.c"));
    for (count, declared, pairs) in [(locked, "int n;", 0), (spun, "int n; atomic_int l;", 2)] {
        for rule in ["monolithic", "owicki-gries", "rely-guarantee"] {
            let more = ["--rule", rule, "--certificate", certificate.to_str().unwrap()];
            let text = told(&dir, &counting(count, declared), &more);
            assert!(text.ends_with("Result: true\n"), "{rule}: {text}");
            let written = std::fs::read_to_string(&certificate).unwrap();
            assert_eq!(written.matches("(no-data-race ").count(), pairs, "{rule}");
            let mut check = Command::new(env!("CARGO_BIN_EXE_threader"));
            check.args(["check", "--property", "no-data-race"]).args([&file, &certificate]);
            assert_eq!(check.output().unwrap().status.code(), Some(0), "{rule}");
            // What is proved of a lock is not proved where it is not taken.
            let open = counting(&count.replace("while (atomic_exchange(&l, 1));", ""), declared);
            std::fs::write(&file, open).unwrap();
            let outcome = check.output().unwrap().status.code();
            assert!(pairs == 0 || outcome != Some(0), "{rule}");
        }
    }
}
