//! Misuse of mutexes and threads, uninitialised reads, and blocks that are left: against brute force from the definitions.
//!
//! `THREADER_SEED` and `THREADER_CASES` choose others than the default.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use frontend::Fusion;
use program::Property;
use support::native::scratch;
use support::rng::{Rng, cases, seed};
use support::violations::found;

/// A language of statements for which brute force is written down: what they are in C, and what one access of theirs does.
trait Language: Copy {
    /// What threads share.
    type Shared: Clone + Ord;
    /// What a thread has for itself.
    type Own: Clone + Ord + Default;
    /// What stands before the functions, in one line.
    const HEAD: &'static str;
    /// What stands at the beginning of each function, in its line.
    const LOCALS: &'static str;
    const START: Self::Shared;
    fn random(rng: &mut Rng, is_main: bool) -> Self;
    fn text(self) -> String;
    /// The next access of a thread in a statement.
    fn step(self, state: &mut StateOf<Self>, thread: usize) -> Step;
}

/// What comes of an access.
enum Step {
    /// The statement goes on.
    On,
    /// The statement is over.
    Over,
    /// The thread has to wait.
    Waits,
    /// The run is over, though nothing is violated that is asked for.
    Ends,
    /// The property is violated.
    Violates,
    /// It is not defined here what this means: such programs are left out.
    Open,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State<S, O> {
    shared: S,
    own: Vec<O>,
    places: Vec<usize>,
    ended: Vec<bool>,
}

type StateOf<L> = State<<L as Language>::Shared, <L as Language>::Own>;

/// main, and the threads that it starts first.
struct Generated<L> {
    threads: Vec<Vec<L>>,
}

impl<L: Language> Generated<L> {
    fn new(n: u64, threads: usize, longest: usize) -> Generated<L> {
        let mut rng = Rng::for_case(seed(), n);
        let mut body = |thread: usize| {
            let length = 1 + rng.below(longest);
            (0..length).map(|_| L::random(&mut rng, thread == 0)).collect()
        };
        Generated { threads: (0..threads).map(&mut body).collect() }
    }

    /// The text, and the lines of the statements by thread.
    fn c_text(&self) -> (String, Vec<Vec<u32>>) {
        let mut text = format!("#include <pthread.h>\n#include <stdlib.h>\n{}\n", L::HEAD);
        let mut lines = vec![Vec::new(); self.threads.len()];
        let mut body = |text: &mut String, thread: usize| {
            for statement in &self.threads[thread] {
                lines[thread].push(text.lines().count() as u32 + 1);
                let _ = writeln!(text, "  {}", statement.text());
            }
        };
        for thread in 1..self.threads.len() {
            let _ = writeln!(text, "void *f{thread}(void *unused) {{ {}", L::LOCALS);
            body(&mut text, thread);
            text.push_str("  return 0; }\n");
        }
        let _ = write!(text, "int main(void) {{ pthread_t t1, t2; {}", L::LOCALS);
        for thread in 1..self.threads.len() {
            let _ = write!(text, " pthread_create(&t{thread}, 0, f{thread}, 0);");
        }
        text.push('\n');
        body(&mut text, 0);
        text.push_str("  return 0; }\n");
        (text, lines)
    }

    /// Whether main may return.
    fn is_at_end(&self, state: &StateOf<L>) -> bool {
        state.places[0] == self.threads[0].len()
    }

    /// The lines at which something is violated, and all states; none if it is open what the program means.
    fn explore(&self, lines: &[Vec<u32>]) -> Option<(BTreeSet<u32>, BTreeSet<StateOf<L>>)> {
        let number = self.threads.len();
        let own = vec![L::Own::default(); number];
        let start = State { shared: L::START, own, places: vec![0; number], ended: vec![false; number] };
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        let mut violated = BTreeSet::new();
        while let Some(state) = open.pop() {
            for (thread, at) in state.places.iter().copied().enumerate() {
                let mut next = state.clone();
                match self.threads[thread].get(at) {
                    Some(statement) => match statement.step(&mut next, thread) {
                        Step::On => {}
                        Step::Over => next.places[thread] += 1,
                        Step::Waits | Step::Ends => continue,
                        Step::Open => return None,
                        Step::Violates => {
                            violated.insert(lines[thread][at]);
                            continue;
                        }
                    },
                    None if thread > 0 && !state.ended[thread] => next.ended[thread] = true,
                    None => continue,
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Some((violated, seen))
    }
}

/// Mutexes of the default type, of which one is initialised by a call, and the threads' handles.
#[derive(Clone, Copy)]
enum Synchronisation {
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    Destroy(usize),
    Initialise(usize),
    Join(usize),
    Detach(usize),
}

/// A mutex: whether it has been destroyed, and who holds it.
type Mutex = (bool, Option<usize>);

impl Language for Synchronisation {
    /// The mutexes, and which threads have been joined or detached.
    type Shared = ([Mutex; 2], [bool; 3]);
    /// Whether a call has looked at its mutex and is about to act: the mutex may be destroyed meanwhile.
    type Own = bool;
    const HEAD: &'static str = "pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1;";
    const LOCALS: &'static str = "";
    const START: Self::Shared = ([(false, None); 2], [false; 3]);

    fn random(rng: &mut Rng, is_main: bool) -> Self {
        let m = rng.below(2);
        match rng.below(if is_main { 13 } else { 10 }) {
            0..=2 => Synchronisation::Lock(m),
            3 => Synchronisation::TryLock(m),
            4..=6 => Synchronisation::Unlock(m),
            7 | 8 => Synchronisation::Destroy(m),
            9 => Synchronisation::Initialise(m),
            10 | 11 => Synchronisation::Join(1),
            _ => Synchronisation::Detach(1),
        }
    }

    fn text(self) -> String {
        match self {
            Synchronisation::Lock(m) => format!("pthread_mutex_lock(&m{m});"),
            Synchronisation::TryLock(m) => format!("pthread_mutex_trylock(&m{m});"),
            Synchronisation::Unlock(m) => format!("pthread_mutex_unlock(&m{m});"),
            Synchronisation::Destroy(m) => format!("pthread_mutex_destroy(&m{m});"),
            Synchronisation::Initialise(m) => format!("pthread_mutex_init(&m{m}, 0);"),
            Synchronisation::Join(t) => format!("pthread_join(t{t}, 0);"),
            Synchronisation::Detach(t) => format!("pthread_detach(t{t});"),
        }
    }

    fn step(self, state: &mut StateOf<Self>, thread: usize) -> Step {
        let (mutexes, given_up) = &mut state.shared;
        let begun = &mut state.own[thread];
        match self {
            Synchronisation::Lock(m) | Synchronisation::TryLock(m) | Synchronisation::Unlock(m) if !*begun => {
                *begun = true;
                return if mutexes[m].0 { Step::Violates } else { Step::On };
            }
            Synchronisation::Lock(m) => match mutexes[m].1 {
                None => mutexes[m].1 = Some(thread),
                Some(holder) if holder == thread => return Step::Violates,
                Some(_) => return Step::Waits,
            },
            Synchronisation::TryLock(m) => mutexes[m].1 = mutexes[m].1.or(Some(thread)),
            Synchronisation::Unlock(m) if mutexes[m].1 == Some(thread) => mutexes[m].1 = None,
            Synchronisation::Unlock(_) => return Step::Violates,
            Synchronisation::Destroy(m) if mutexes[m] == (false, None) => mutexes[m].0 = true,
            Synchronisation::Destroy(_) => return Step::Violates,
            // Initialising what is initialised, or held, is not looked for.
            Synchronisation::Initialise(m) if mutexes[m] == (true, None) => mutexes[m].0 = false,
            Synchronisation::Initialise(_) => return Step::Open,
            Synchronisation::Join(t) | Synchronisation::Detach(t) if given_up[t] => return Step::Violates,
            Synchronisation::Join(t) if !state.ended[t] => return Step::Waits,
            Synchronisation::Join(t) | Synchronisation::Detach(t) => given_up[t] = true,
        }
        *begun = false;
        Step::Over
    }
}

/// Locals that may be read before they have a value, and a global on which it depends.
#[derive(Clone, Copy)]
enum Locals {
    Assign(usize),
    AssignIf(usize),
    Copy(usize, usize),
    Publish(usize),
    Clear,
    Compound(usize),
}

impl Language for Locals {
    /// Whether the global is 1.
    type Shared = bool;
    /// Which locals have a value, and what has been read of the global in this statement.
    type Own = ([bool; 2], Option<bool>);
    const HEAD: &'static str = "int g;";
    const LOCALS: &'static str = "int x0, x1;";
    const START: bool = false;

    fn random(rng: &mut Rng, _: bool) -> Self {
        let (x, y) = (rng.below(2), rng.below(2));
        match rng.below(9) {
            0 | 1 => Locals::Assign(x),
            2 | 3 => Locals::AssignIf(x),
            4 => Locals::Copy(x, y),
            5 | 6 => Locals::Publish(x),
            7 => Locals::Clear,
            _ => Locals::Compound(x),
        }
    }

    fn text(self) -> String {
        match self {
            Locals::Assign(x) => format!("x{x} = 1;"),
            Locals::AssignIf(x) => format!("if (g) x{x} = 1;"),
            Locals::Copy(x, y) => format!("x{x} = x{y};"),
            Locals::Publish(x) => format!("g = x{x};"),
            Locals::Clear => "g = 0;".into(),
            Locals::Compound(x) => format!("x{x} |= 1;"),
        }
    }

    fn step(self, state: &mut StateOf<Self>, thread: usize) -> Step {
        let (known, read) = &mut state.own[thread];
        match self {
            Locals::Assign(x) => known[x] = true,
            Locals::AssignIf(x) => match read.take() {
                None => {
                    *read = Some(state.shared);
                    return Step::On;
                }
                Some(chosen) => known[x] |= chosen,
            },
            Locals::Copy(_, y) if !known[y] => return Step::Violates,
            Locals::Copy(x, _) => known[x] = true,
            Locals::Publish(x) | Locals::Compound(x) if !known[x] => return Step::Violates,
            Locals::Publish(_) => state.shared = true,
            Locals::Clear => state.shared = false,
            Locals::Compound(_) => {}
        }
        Step::Over
    }
}

/// Blocks in two globals, which may be left when main returns.
#[derive(Clone, Copy)]
enum Blocks {
    Allocate(usize),
    Free(usize),
    FreeAndForget(usize),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Heap {
    /// The block that each pointer leads to.
    pointers: [Option<usize>; 2],
    /// Which blocks are there, by the statement that allocates them: 8 for each thread.
    blocks: BTreeSet<usize>,
}

impl Language for Blocks {
    type Shared = Heap;
    /// The pointer that has been read.
    type Own = Option<Option<usize>>;
    const HEAD: &'static str = "int *p0, *p1;";
    const LOCALS: &'static str = "";
    const START: Heap = Heap { pointers: [None; 2], blocks: BTreeSet::new() };

    fn random(rng: &mut Rng, _: bool) -> Self {
        let p = rng.below(2);
        match rng.below(5) {
            0 | 1 => Blocks::Allocate(p),
            2 => Blocks::Free(p),
            _ => Blocks::FreeAndForget(p),
        }
    }

    fn text(self) -> String {
        match self {
            Blocks::Allocate(p) => format!("p{p} = malloc(4);"),
            Blocks::Free(p) => format!("free(p{p});"),
            Blocks::FreeAndForget(p) => format!("free(p{p}); p{p} = 0;"),
        }
    }

    fn step(self, state: &mut StateOf<Self>, thread: usize) -> Step {
        let id = thread * 8 + state.places[thread];
        let heap = &mut state.shared;
        let own = &mut state.own[thread];
        match self {
            Blocks::Allocate(p) => match own.take() {
                None => {
                    heap.blocks.insert(id);
                    *own = Some(Some(id));
                    return Step::On;
                }
                Some(block) => heap.pointers[p] = block,
            },
            Blocks::Free(p) | Blocks::FreeAndForget(p) => match own.take() {
                None => {
                    *own = Some(heap.pointers[p]);
                    return Step::On;
                }
                // The end of a forgetting free.
                Some(Some(usize::MAX)) => heap.pointers[p] = None,
                Some(read) => {
                    // What is freed twice is undefined: the run is over.
                    if read.is_some_and(|block| !heap.blocks.remove(&block)) {
                        return Step::Ends;
                    }
                    if matches!(self, Blocks::FreeAndForget(_)) {
                        *own = Some(Some(usize::MAX));
                        return Step::On;
                    }
                }
            },
        }
        Step::Over
    }
}

/// Holds the violations that brute force finds against those of what the text is lowered to, in large and small steps.
fn agree<L: Language>(name: &str, property: Property, number: u64) {
    let dir = scratch(name);
    let (mut compared, mut violating) = (0, 0);
    for n in 0..number {
        let program = Generated::<L>::new(n, 2, 5);
        let (text, lines) = program.c_text();
        let Some((expected, _)) = program.explore(&lines) else { continue };
        let expected: BTreeSet<(u32, Property)> = expected.into_iter().map(|line| (line, property)).collect();
        compared += 1;
        violating += u64::from(!expected.is_empty());
        for fusion in [Fusion::On, Fusion::Off] {
            let found = found(&dir, &format!("case{n}"), &text, &[property], fusion);
            assert_eq!(found.as_ref(), Ok(&expected), "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert!(compared * 2 >= number && violating > 0 && violating < compared, "{violating} of {compared} of {number}");
}

#[test]
fn misuse_is_found_where_brute_force_finds_it() {
    agree::<Synchronisation>("misuse", Property::NoMisuse, cases(40));
}

#[test]
fn uninitialised_reads_are_found_where_brute_force_finds_them() {
    agree::<Locals>("uninitialised", Property::NoUninitialisedRead, cases(40));
}

/// Whether blocks may be left when main returns.
#[test]
fn blocks_are_left_where_brute_force_leaves_them() {
    let dir = scratch("left");
    let mut leaving = 0;
    let number = cases(40);
    for n in 0..number {
        let program = Generated::<Blocks>::new(n, 1 + (n % 2) as usize, 5);
        let (text, lines) = program.c_text();
        let (_, states) = program.explore(&lines).expect("nothing is open");
        let mut ends = states.iter().filter(|state| program.is_at_end(state));
        let expected = ends.any(|end| !end.shared.blocks.is_empty());
        leaving += u64::from(expected);
        for fusion in [Fusion::On, Fusion::Off] {
            let found = found(&dir, &format!("case{n}"), &text, &[Property::ValidMemcleanup], fusion);
            let found = found.map(|found| !found.is_empty());
            assert_eq!(found, Ok(expected), "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert!(leaving > 0 && leaving < number, "{leaving} of {number}");
}

/// Linked blocks, to which two globals and a local of each thread lead.
#[derive(Clone, Copy, Debug)]
enum Links {
    /// `p = calloc(..)`, where 2 is the local.
    Allocate(usize),
    /// A pointer is given the value of another.
    Copy(usize, usize),
    Clear(usize),
    /// The block that the local points to is linked to that of a global.
    Link(usize),
    FreeLocal,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Linked {
    globals: [Option<usize>; 2],
    /// What is there, by the statement that allocates it, and what it is linked to.
    blocks: BTreeMap<usize, Option<usize>>,
}

/// The local, and a value on its way.
type Held = (Option<usize>, Option<Option<usize>>);

const LOCAL: usize = 2;

fn pointer(p: usize) -> String {
    if p == LOCAL { "q".into() } else { format!("p{p}") }
}

impl Language for Links {
    type Shared = Linked;
    type Own = Held;
    const HEAD: &'static str = "struct n { struct n *next; } *p0, *p1;";
    const LOCALS: &'static str = "struct n *q = 0;";
    const START: Linked = Linked { globals: [None; 2], blocks: BTreeMap::new() };

    fn random(rng: &mut Rng, _: bool) -> Self {
        match rng.below(7) {
            0 | 1 => Links::Allocate(rng.below(3)),
            2 | 3 => Links::Copy(rng.below(3), rng.below(3)),
            4 => Links::Clear(rng.below(3)),
            5 => Links::Link(rng.below(2)),
            _ => Links::FreeLocal,
        }
    }

    fn text(self) -> String {
        match self {
            Links::Allocate(p) => format!("{} = calloc(1, sizeof(struct n));", pointer(p)),
            Links::Copy(p, from) => format!("{} = {};", pointer(p), pointer(from)),
            Links::Clear(p) => format!("{} = 0;", pointer(p)),
            Links::Link(p) => format!("if (q) q->next = {};", pointer(p)),
            Links::FreeLocal => "free(q); q = 0;".into(),
        }
    }

    fn step(self, state: &mut StateOf<Self>, thread: usize) -> Step {
        let id = thread * 8 + state.places[thread];
        let Linked { globals, blocks } = &mut state.shared;
        let (local, passing) = &mut state.own[thread];
        // First what is read, or allocated, then what is written.
        let Some(value) = passing.take() else {
            let read = |from: usize| if from == LOCAL { *local } else { globals[from] };
            *passing = Some(match self {
                Links::Allocate(_) => {
                    blocks.insert(id, None);
                    Some(id)
                }
                Links::Copy(_, from) => read(from),
                Links::Clear(_) => None,
                Links::Link(_) if local.is_none() => return Step::Over,
                Links::Link(from) => read(from),
                // What is freed twice is undefined: the run is over.
                Links::FreeLocal if local.is_some_and(|block| blocks.remove(&block).is_none()) => return Step::Ends,
                Links::FreeLocal => None,
            });
            return Step::On;
        };
        match self {
            Links::Allocate(LOCAL) | Links::Copy(LOCAL, _) | Links::Clear(LOCAL) | Links::FreeLocal => *local = value,
            Links::Allocate(p) | Links::Copy(p, _) | Links::Clear(p) => globals[p] = value,
            Links::Link(_) => match local.and_then(|block| blocks.get_mut(&block)) {
                Some(next) => *next = value,
                None => return Step::Ends,
            },
        }
        Step::Over
    }
}

/// Whether nothing leads to some block, with main's local or without.
fn is_lost(state: &StateOf<Links>, main: bool) -> bool {
    let threads = (0..state.own.len()).filter(|thread| if *thread == 0 { main } else { !state.ended[*thread] });
    let held = threads.flat_map(|thread| [state.own[thread].0, state.own[thread].1.flatten()]);
    let mut open: Vec<usize> = held.chain(state.shared.globals).flatten().collect();
    let mut found = BTreeSet::new();
    while let Some(block) = open.pop() {
        if let Some(next) = state.shared.blocks.get(&block)
            && found.insert(block)
        {
            open.extend(next);
        }
    }
    found.len() < state.shared.blocks.len()
}

#[test]
fn blocks_are_lost_where_brute_force_loses_them() {
    let dir = scratch("lost");
    let (mut losing, mut compared) = (0, 0);
    let number = cases(40);
    for n in 0..number {
        let program = Generated::<Links>::new(n, 1 + (n % 2) as usize, 4);
        let (text, lines) = program.c_text();
        let (_, states) = program.explore(&lines).expect("nothing is open");
        let expected = states.iter().any(|s| is_lost(s, true) || (program.is_at_end(s) && is_lost(s, false)));
        let properties = [Property::ValidMemtrack];
        let name = format!("case{n}");
        if support::violations::is_undecided(&dir, &name, &text, &properties) {
            continue;
        }
        compared += 1;
        losing += u64::from(expected);
        for fusion in [Fusion::On, Fusion::Off] {
            let found = found(&dir, &name, &text, &properties, fusion).map(|found| !found.is_empty());
            assert_eq!(found, Ok(expected), "seed {}, case {n}, {fusion:?}\n{text}", seed());
        }
    }
    assert!(compared * 2 >= number && losing > 0 && losing < compared, "{losing} of {compared} of {number}");
}
