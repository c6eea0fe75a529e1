//! Deadlocks: against brute force from the definition, in small and smallest steps, and by every rule.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use check::{State, blank, conflicts, initial, step};
use frontend::{Fusion, Options, Population, PropertySource};
use program::{Program, Value};
use support::lowered::lower_text;
use support::native::scratch;
use support::rng::{Rng, cases, seed};

/// One thing that happens at a time. What is shared are mutexes, a read-write lock, a condition, a semaphore, a barrier for two and a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Lock(usize),
    /// Takes the mutex if it is free; goes there if it is not.
    Try(usize, usize),
    Unlock(usize),
    Read,
    Write,
    LeaveLock,
    /// Gives the mutex up and sleeps; then wakes; then takes it again.
    Sleep(usize),
    Awake,
    Signal,
    Broadcast,
    Post,
    Take,
    /// Comes to the barrier, and waits there.
    Come,
    Pass,
    Set(usize),
    /// Goes there unless the flag has the value.
    Unless(usize, usize),
    Assume(usize),
    Start(usize),
    Handle(usize),
    Join(usize),
    Exit,
    /// Main returns.
    Return,
}

/// Main and up to three threads.
struct Generated {
    text: String,
    code: Vec<Vec<Op>>,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    text: String,
    ops: Vec<Op>,
    held: Vec<usize>,
    mutexes: usize,
    /// Threads that nobody waits for yet.
    joinable: &'r mut Vec<usize>,
}

impl Writer<'_> {
    fn put(&mut self, ops: &[Op], text: &str) {
        self.ops.extend(ops);
        let _ = writeln!(self.text, "  {text}");
    }

    fn free(&mut self) -> usize {
        self.rng.below(self.mutexes)
    }

    fn lock(&mut self, m: usize) {
        self.put(&[Op::Lock(m)], &format!("pthread_mutex_lock(&m{m});"));
        self.held.push(m);
    }

    fn unlock(&mut self, m: usize) {
        self.put(&[Op::Unlock(m)], &format!("pthread_mutex_unlock(&m{m});"));
        self.held.retain(|held| *held != m);
    }

    /// Statements that leave held what was held before, but that one may be forgotten.
    fn some(&mut self, depth: usize) {
        for _ in 0..1 + self.rng.below(2) {
            self.one(depth);
        }
    }

    fn one(&mut self, depth: usize) {
        match self.rng.below(if depth < 3 { 26 } else { 9 }) {
            0 => self.put(&[Op::Signal], "pthread_cond_signal(&c);"),
            1 => self.put(&[Op::Broadcast], "pthread_cond_broadcast(&c);"),
            2 | 3 => self.put(&[Op::Post], "sem_post(&s);"),
            4 => self.put(&[Op::Take], "sem_wait(&s);"),
            5 | 6 => {
                let value = self.rng.below(2);
                self.put(&[Op::Set(value)], &format!("f = {value};"));
            }
            7 if !self.joinable.is_empty() && self.rng.below(2) == 0 => {
                let thread = self.joinable.remove(self.rng.below(self.joinable.len()));
                self.put(&[Op::Join(thread)], &format!("pthread_join(p{thread}, 0);"));
            }
            8 if self.rng.below(4) == 0 => self.put(&[Op::Come, Op::Pass], "pthread_barrier_wait(&b);"),
            8 => {
                let value = self.rng.below(2);
                self.put(&[Op::Assume(value)], &format!("__VERIFIER_assume(f == {value});"));
            }
            9..=17 => {
                let m = self.free();
                // A mutex that is held already: the thread waits for itself, now and then.
                if self.held.contains(&m) && self.rng.below(4) > 0 {
                    return;
                }
                self.lock(m);
                if self.rng.below(4) > 0 {
                    self.some(depth + 1);
                }
                if self.rng.below(12) > 0 {
                    self.unlock(m);
                }
            }
            18 | 19 if !self.held.is_empty() => {
                let m = self.held[self.rng.below(self.held.len())];
                self.put(&[Op::Sleep(m), Op::Awake, Op::Lock(m)], &format!("pthread_cond_wait(&c, &m{m});"));
            }
            20 => {
                let value = self.rng.below(2);
                let at = self.ops.len();
                self.put(&[Op::Unless(value, 0)], &format!("if (f == {value}) {{"));
                let before = self.held.clone();
                self.some(depth + 1);
                // What is held must not depend on the way.
                for m in self.held.clone().into_iter().filter(|m| !before.contains(m)) {
                    self.unlock(m);
                }
                self.put(&[], "}");
                self.ops[at] = Op::Unless(value, self.ops.len());
            }
            21 | 22 => {
                let m = self.free();
                if self.held.contains(&m) {
                    return;
                }
                let at = self.ops.len();
                self.put(&[Op::Try(m, 0)], &format!("if (pthread_mutex_trylock(&m{m}) == 0) {{"));
                let before = self.held.clone();
                self.held.push(m);
                self.some(depth + 1);
                for m in self.held.clone().into_iter().filter(|m| !before.contains(m)) {
                    self.unlock(m);
                }
                self.put(&[], "}");
                self.ops[at] = Op::Try(m, self.ops.len());
            }
            23 | 24 => {
                let (op, call) = if self.rng.below(2) == 0 { (Op::Read, "rd") } else { (Op::Write, "wr") };
                if self.rng.below(3) == 0 && op == Op::Read {
                    // An upgrade.
                    self.put(&[Op::Read], "pthread_rwlock_rdlock(&r);");
                    self.put(&[Op::Write], "pthread_rwlock_wrlock(&r);");
                } else {
                    self.put(&[op], &format!("pthread_rwlock_{call}lock(&r);"));
                }
                // Within it, no other use of it.
                let m = self.free();
                if !self.held.contains(&m) {
                    self.lock(m);
                    self.unlock(m);
                }
                self.put(&[Op::LeaveLock], "pthread_rwlock_unlock(&r);");
            }
            _ => {
                let at = self.ops.len();
                self.put(&[Op::Unless(1, 0)], "if (f == 1) {");
                self.put(&[Op::Exit], "pthread_exit(0); }");
                self.ops[at] = Op::Unless(1, self.ops.len());
            }
        }
    }
}

const HEAD: &str = "#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
void __VERIFIER_assume(int);
atomic_int f; sem_t s; pthread_t p1, p2, p3;
pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER, m3 = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t b;
";

fn generate(n: u64) -> Generated {
    let mut rng = Rng::for_case(seed(), n);
    let (threads, mutexes) = (1 + rng.below(3), 2 + rng.below(3));
    let mut joinable: Vec<usize> = (1..=threads).collect();
    let mut code = vec![Vec::new()];
    let mut text = HEAD.to_string();
    for thread in 1..=threads {
        // Nobody waits for itself: that is answered by an error.
        let mut others: Vec<usize> = joinable.iter().copied().filter(|other| *other != thread).collect();
        let mut writer = Writer {
            rng: &mut rng,
            text: String::new(),
            ops: Vec::new(),
            held: Vec::new(),
            mutexes,
            joinable: &mut others,
        };
        writer.some(0);
        let (written, ops) = (writer.text, writer.ops);
        joinable.retain(|other| *other == thread || others.contains(other));
        let _ = write!(text, "void *t{thread}(void *p) {{\n{written}  return 0; }}\n");
        code.push(ops);
    }
    let mut writer = Writer {
        rng: &mut rng,
        text: String::new(),
        ops: Vec::new(),
        held: Vec::new(),
        mutexes,
        joinable: &mut joinable,
    };
    writer.put(&[], "sem_init(&s, 0, 0); pthread_barrier_init(&b, 0, 2);");
    for thread in 1..=threads {
        writer.put(&[Op::Start(thread), Op::Handle(thread)], &format!("pthread_create(&p{thread}, 0, t{thread}, 0);"));
    }
    if writer.rng.below(2) == 0 {
        writer.some(1);
    }
    for thread in writer.joinable.drain(..).collect::<Vec<_>>() {
        if writer.rng.below(4) > 0 {
            writer.put(&[Op::Join(thread)], &format!("pthread_join(p{thread}, 0);"));
        }
    }
    if writer.rng.below(5) == 0 {
        writer.put(&[Op::Exit], "pthread_exit(0);");
    }
    writer.put(&[Op::Return], "return 0;");
    code[0] = writer.ops;
    let _ = write!(text, "int main(void) {{\n{}}}\n", writer.text);
    Generated { text, code }
}

/// All there is: by thread where it is, whether it has started, has ended and sleeps; who holds mutexes and the read-write lock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    at: Vec<usize>,
    started: Vec<bool>,
    ended: Vec<bool>,
    asleep: Vec<bool>,
    handles: Vec<bool>,
    owners: [Option<usize>; 4],
    writer: Option<usize>,
    readers: Vec<bool>,
    posts: usize,
    coming: Vec<bool>,
    flag: usize,
}

/// Why a thread cannot go on.
enum Blocked {
    /// By these, each of which has to give something back.
    By(Vec<usize>),
    /// By nobody in particular.
    Open,
}

impl World {
    fn is_there(&self, code: &[Vec<Op>], thread: usize) -> bool {
        self.started[thread] && !self.ended[thread] && self.at[thread] < code[thread].len()
    }

    /// Why a thread has to wait, if it has.
    fn blocked(&self, code: &[Vec<Op>], thread: usize) -> Option<Blocked> {
        if !self.is_there(code, thread) {
            return None;
        }
        let by = |owner: Option<usize>| owner.map(|owner| Blocked::By(vec![owner]));
        match code[thread][self.at[thread]] {
            Op::Lock(m) => by(self.owners[m]),
            Op::Read => by(self.writer),
            Op::Write => {
                let readers = (0..self.readers.len()).filter(|reader| self.readers[*reader]);
                let all: Vec<usize> = self.writer.into_iter().chain(readers).collect();
                (!all.is_empty()).then_some(Blocked::By(all))
            }
            Op::Awake => self.asleep[thread].then_some(Blocked::Open),
            Op::Take => (self.posts == 0).then_some(Blocked::Open),
            Op::Pass => self.coming[thread].then_some(Blocked::Open),
            Op::Join(other) if self.handles[other] => by((!self.ended[other]).then_some(other)),
            _ => None,
        }
    }

    /// From the definition.
    fn is_deadlock(&self, code: &[Vec<Op>]) -> bool {
        let threads = 0..code.len();
        let blocked: Vec<Option<Blocked>> = threads.clone().map(|thread| self.blocked(code, thread)).collect();
        let alive = |thread: &usize| self.started[*thread] && !self.ended[*thread];
        let any = threads.clone().any(|thread| blocked[thread].is_some());
        if any && threads.clone().filter(alive).all(|thread| blocked[thread].is_some()) {
            return true;
        }
        let mut set: BTreeSet<usize> = threads.filter(|t| matches!(blocked[*t], Some(Blocked::By(_)))).collect();
        loop {
            let stays = |thread: &usize| match &blocked[*thread] {
                Some(Blocked::By(owners)) => owners.iter().any(|owner| self.ended[*owner] || set.contains(owner)),
                _ => false,
            };
            let fewer: BTreeSet<usize> = set.iter().copied().filter(stays).collect();
            if fewer == set {
                return !set.is_empty();
            }
            set = fewer;
        }
    }

    /// All states after a step of a thread.
    fn steps(&self, code: &[Vec<Op>], thread: usize) -> Vec<World> {
        if !self.is_there(code, thread) {
            return Vec::new();
        }
        let op = code[thread][self.at[thread]];
        let mut next = self.clone();
        next.at[thread] += 1;
        if self.blocked(code, thread).is_some() {
            // A wake-up that nobody owes.
            if op == Op::Awake {
                next.asleep[thread] = false;
                return vec![next];
            }
            return Vec::new();
        }
        match op {
            Op::Lock(m) => next.owners[m] = Some(thread),
            Op::Try(m, otherwise) => match self.owners[m] {
                None => next.owners[m] = Some(thread),
                Some(_) => next.at[thread] = otherwise,
            },
            Op::Unlock(m) => next.owners[m] = None,
            Op::Read => next.readers[thread] = true,
            Op::Write => next.writer = Some(thread),
            Op::LeaveLock if self.writer == Some(thread) => next.writer = None,
            Op::LeaveLock => next.readers[thread] = false,
            Op::Sleep(m) => {
                next.owners[m] = None;
                next.asleep[thread] = true;
            }
            Op::Signal if self.asleep.contains(&true) => {
                let woken = |sleeper: usize| {
                    let mut next = next.clone();
                    next.asleep[sleeper] = false;
                    next
                };
                return (0..code.len()).filter(|sleeper| self.asleep[*sleeper]).map(woken).collect();
            }
            Op::Broadcast => next.asleep.fill(false),
            Op::Post => next.posts += 1,
            Op::Take => next.posts -= 1,
            Op::Come if self.coming.contains(&true) => next.coming.fill(false),
            Op::Come => next.coming[thread] = true,
            Op::Set(value) => next.flag = value,
            Op::Unless(value, to) if self.flag != value => next.at[thread] = to,
            Op::Assume(value) if self.flag != value => return Vec::new(),
            Op::Start(other) => next.started[other] = true,
            Op::Handle(other) => next.handles[other] = true,
            Op::Exit => next.at[thread] = code[thread].len(),
            Op::Return => return Vec::new(),
            _ => {}
        }
        // A thread ends by coming to its end; main by leaving, since its return ends everything.
        next.ended[thread] = next.at[thread] >= code[thread].len();
        vec![next]
    }
}

/// Whether some interleaving leads to a deadlock.
fn deadlocks(code: &[Vec<Op>]) -> bool {
    let count = code.len();
    let first = |value: bool| [vec![value], vec![false; count - 1]].concat();
    let start = World {
        at: vec![0; count],
        started: first(true),
        ended: vec![false; count],
        asleep: vec![false; count],
        handles: vec![false; count],
        owners: [None; 4],
        writer: None,
        readers: vec![false; count],
        posts: 0,
        coming: vec![false; count],
        flag: 0,
    };
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        if world.is_deadlock(code) {
            return true;
        }
        for next in (0..count).flat_map(|thread| world.steps(code, thread)) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    false
}

/// Whether some state of the program is in a conflict.
fn found(program: &Program) -> bool {
    found_within(program, 400_000).expect("a small program")
}

/// The same, if there are not more states than this.
fn found_within(program: &Program, limit: usize) -> Option<bool> {
    let start = initial(program, &mut |_, var| blank(var.sort)).unwrap();
    let mut seen: HashSet<State> = [start.clone()].into();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if seen.len() >= limit {
            return None;
        }
        if conflicts(program, &state).next().is_some() {
            return Some(true);
        }
        for (id, thread) in program.threads() {
            for (index, transition) in thread.transitions.iter().enumerate() {
                // Each choice is one of two.
                for choice in 0..1_u32 << transition.inputs.len() {
                    let chosen = |var| {
                        let place = transition.inputs.iter().position(|input| *input == var);
                        Value::Int(place.map_or(0, |place| i128::from(choice >> place & 1)))
                    };
                    let next = step(program, &state, id, index, &chosen);
                    open.extend(next.ok().filter(|next| seen.insert(next.clone())));
                }
            }
        }
    }
    Some(false)
}

fn asking(fusion: Fusion) -> Options {
    Options { property: PropertySource::Names(vec!["no-deadlock".into()]), fusion, ..Options::default() }
}

#[test]
fn deadlocks_are_found_where_brute_force_finds_them() {
    let dir = scratch("deadlocks");
    let (mut dead, mut free) = (0, 0);
    for n in 0..cases(250) {
        let Generated { text, code } = generate(n);
        let expected = deadlocks(&code);
        if expected {
            dead += 1
        } else {
            free += 1
        }
        for fusion in [Fusion::On, Fusion::Off] {
            let loaded = lower_text(&dir, &format!("case{n}"), &text, &asking(fusion));
            let loaded = loaded.unwrap_or_else(|error| panic!("case {n}: {error}\n{text}"));
            assert_eq!(found(&loaded.program), expected, "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert!(dead > 40 && free > 40, "{dead} with deadlocks, {free} without");
}

/// The last line that the program prints.
fn answer(dir: &Path, text: &str, command: &str, more: &[&str]) -> String {
    answer_in(dir, text, command, &[&["--timeout", "30"], more].concat())
}

fn answer_in(dir: &Path, text: &str, command: &str, more: &[&str]) -> String {
    let file = dir.join("p.c");
    std::fs::write(&file, text).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_threader"));
    run.args([command, "--property", "no-deadlock", "--first"]).args(more).arg(&file);
    let output = run.output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_string()
}

#[test]
fn every_rule_decides_as_brute_force_does() {
    let dir = scratch("deadlock-rules");
    let (mut decided, mut all) = (0, 0);
    for n in 1000..1000 + cases(24).min(400) {
        let Generated { text, code } = generate(n);
        let expected = if deadlocks(&code) { "Result: false(no-deadlock)" } else { "Result: true" };
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
    assert!(decided * 10 >= all * 8, "{decided} of {all} are decided");
}

/// Functions that any number of threads run, which take mutexes, a read-write lock and joins now and then.
fn without_bound(n: u64) -> String {
    let mut rng = Rng::for_case(seed(), 0x5eed_0000 + n);
    let mut text = String::from("#include <pthread.h>\n#include <stdlib.h>\nint x;\n");
    text.push_str(
        "pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n",
    );
    text.push_str("pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n");
    text.push_str("pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\n");
    let functions = rng.between(1, 2);
    for function in 0..functions {
        let body = taken(&mut rng, 1);
        writeln!(text, "void *f{function}(void *unused) {{\n{body}    return 0;\n}}").unwrap();
    }
    text.push_str("int main(void) {\n    pthread_t t;\n    for (;;) {\n");
    for function in 0..functions {
        writeln!(text, "        pthread_create(&t, 0, f{function}, 0);").unwrap();
        let join = "        pthread_join(t, 0);\n";
        match rng.below(4) {
            0 => text.push_str(join),
            1 => write!(text, "        pthread_mutex_lock(&a);\n{join}        pthread_mutex_unlock(&a);\n").unwrap(),
            2 => text.push_str(&taken(&mut rng, 0)),
            _ => {}
        }
    }
    text.push_str("    }\n}\n");
    text
}

/// Statements that take something, do more of the kind, and give it back, mostly.
fn taken(rng: &mut Rng, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..rng.between(1, 2) {
        let mutex = *rng.pick(&["&a", "&a", "&b", "&m[0]", "&m[2]"]);
        let (take, give) = match rng.below(6) {
            0 => ("pthread_rwlock_rdlock(&r);".to_string(), "pthread_rwlock_unlock(&r);".to_string()),
            1 => ("pthread_rwlock_wrlock(&r);".to_string(), "pthread_rwlock_unlock(&r);".to_string()),
            _ => (format!("pthread_mutex_lock({mutex});"), format!("pthread_mutex_unlock({mutex});")),
        };
        let inner = if depth > 0 && rng.chance(70) { taken(rng, depth - 1) } else { "    x = !x;\n".into() };
        let give = if rng.chance(5) { format!("if (x) {give}") } else { give };
        writeln!(text, "    {take}\n{inner}    {give}").unwrap();
    }
    text
}

/// What is proved of any number of threads holds of a few. Runs that only violate the order of a proof are no deadlocks: `false` is said
/// only where brute force finds one with as many threads.
#[test]
fn what_is_in_order_for_any_number_has_no_deadlock_with_a_few() {
    let dir = scratch("deadlocks-any-number");
    let (mut proved, mut dead, mut free) = (0, 0, 0);
    for n in 0..cases(30).min(1000) {
        let text = without_bound(n);
        let few = |number| {
            let options = Options { population: Population::Bounded(number), ..asking(Fusion::On) };
            let few = lower_text(&dir, &format!("few{n}"), &text, &options);
            found_within(&few.unwrap_or_else(|error| panic!("case {n}: {error}\n{text}")).program, 50_000)
        };
        let Some(found) = few(2) else { continue };
        *(if found { &mut dead } else { &mut free }) += 1;
        let verdict = answer_in(&dir, &text, "prove", &["--timeout", "4"]);
        proved += usize::from(verdict == "Result: true");
        assert!(!found || verdict != "Result: true", "seed {}, case {n}\n{text}", seed());
        let real = || found || [1, 3, 4].into_iter().any(|number| few(number) != Some(false));
        assert!(verdict != "Result: false(no-deadlock)" || real(), "seed {}, case {n}\n{text}", seed());
    }
    assert!(proved > 3 && dead > 3, "{proved} proved, {dead} with deadlocks, {free} without");
}
