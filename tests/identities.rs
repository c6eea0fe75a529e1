//! Addresses, ids and accesses through other types against brute force: random C programs under every rule.
//!
//! The oracles execute the generators' own syntax trees on all layouts of memory, ids and inputs that a program can tell from one
//! another. What the tool refuses or gives up is undecided, of which there may be only so much. `THREADER_SEED` and
//! `THREADER_CASES` choose other programs, and more of them; `THREADER_REPORT` names a file that the counts are added to.

mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use check::Trace;
use frontend::diagnostic::Code;
use frontend::{Loaded, Options, load};
use rules::{Reason, Rule, Verdict};
use support::identities::{Case, gen_addresses, gen_bytes, gen_ids};
use support::native::scratch;
use support::rng::{cases, seed};

/// What one run may take: the few programs that need more would take most of the time.
const STATES: usize = 4_000;
const REFINEMENTS: usize = 25;
const SOLVER_QUERIES: u64 = 500;
/// A question about bits of unknown addresses can take for ever by itself.
const PATIENCE: Duration = Duration::from_secs(10);

const ADDRESSES: Family = Family { name: "addresses", case: gen_addresses::case, undecided_percent: 5 };
const IDS: Family = Family { name: "ids", case: gen_ids::case, undecided_percent: 10 };
/// Accesses of part of a scalar are refused.
const BYTES: Family = Family { name: "bytes", case: gen_bytes::case, undecided_percent: 40 };

#[test]
fn addresses_are_what_layouts_allow() {
    ADDRESSES.compare(cases(150));
}

#[test]
fn ids_are_what_posix_allows() {
    IDS.compare(cases(150));
}

#[test]
fn accesses_through_other_types_are_what_bytes_say() {
    BYTES.compare(cases(150));
}

/// Addresses and ids that are handed out in ascending order, none of them twice, would be noticed.
#[test]
fn some_failures_need_another_order_than_the_ascending_one() {
    for family in [ADDRESSES, IDS] {
        let needs_another = |number: &u64| {
            let case = (family.case)(seed(), *number);
            case.fails && !case.fails_ascending
        };
        let count = (0..200).filter(needs_another).count();
        assert!(count >= 2, "seed {}: only {count} of 200 programs about {}", seed(), family.name);
    }
}

/// A kind of programs.
#[derive(Clone, Copy)]
struct Family {
    name: &'static str,
    case: fn(u64, u64) -> Case,
    /// How many runs in a hundred may be undecided.
    undecided_percent: usize,
}

/// What became of some programs.
#[derive(Default)]
struct Tally {
    runs: usize,
    failing: usize,
    failing_in_other_orders: usize,
    /// How often each reason was given.
    undecided: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// What the tool says.
enum Answer {
    CannotFail,
    CanFail,
    Undecided(String),
    /// Evidence that is none.
    Rejected(String),
}

impl Family {
    fn compare(&self, wanted: u64) {
        let dir = scratch(&format!("identities_{}", self.name));
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        // Each worker takes every n-th program, so that the programs do not depend on the number of workers.
        let share = |worker: usize| {
            let mut tally = Tally::default();
            (0..wanted).skip(worker).step_by(workers).for_each(|number| self.run(&dir, number, &mut tally));
            tally
        };
        let tally = std::thread::scope(|scope| {
            let share = &share;
            let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || share(worker))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a worker")).fold(Tally::default(), Tally::and)
        });
        self.report(wanted, &tally);
        let wrong = &tally.wrong;
        assert!(wrong.is_empty(), "seed {}: {} wrong answers\n{}", seed(), wrong.len(), wrong.join("\n"));
        let undecided: usize = tally.undecided.values().sum();
        assert!(
            undecided * 100 <= self.undecided_percent * tally.runs,
            "seed {}: {undecided} of {} runs are undecided: {:#?}",
            seed(),
            tally.runs,
            tally.undecided
        );
    }

    /// One program under all rules.
    fn run(&self, dir: &Path, number: u64, tally: &mut Tally) {
        let Case { text, fails, fails_ascending } = (self.case)(seed(), number);
        tally.failing += usize::from(fails);
        tally.failing_in_other_orders += usize::from(fails && !fails_ascending);
        let file = dir.join(format!("case{number}.c"));
        std::fs::write(&file, &text).expect("the directory is writable");
        let loaded = load(&file, &Options::default()).map_err(|error| error.failure.0);
        for rule in Rule::ALL {
            tally.runs += 1;
            let answer = match &loaded {
                Ok(loaded) => answer(loaded, rule),
                Err(refusal) if refusal.code == Code::Unsupported => Answer::Undecided(refusal.message.clone()),
                Err(error) => Answer::Rejected(error.message.clone()),
            };
            let mut wrong = |why: &str| {
                tally.wrong.push(format!("{}, case {number}, {rule}: {why}\n{text}", self.name));
            };
            match answer {
                Answer::CannotFail if fails => wrong("`true`, but it can fail"),
                Answer::CanFail if !fails => wrong("`false`, but it cannot fail"),
                Answer::CannotFail | Answer::CanFail => {}
                Answer::Rejected(reason) => wrong(&reason),
                Answer::Undecided(reason) => *tally.undecided.entry(reason).or_default() += 1,
            }
        }
    }

    fn report(&self, wanted: u64, tally: &Tally) {
        let Some(path) = std::env::var_os("THREADER_REPORT") else { return };
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a file to write to");
        let Tally { runs, failing, failing_in_other_orders, undecided, wrong } = tally;
        let text = format!(
            "{}, seed {}: {wanted} programs, {failing} can fail, {failing_in_other_orders} of them only in other orders\n\
             {runs} runs, {} undecided, {} wrong\n{undecided:#?}\n{}\n",
            self.name,
            seed(),
            undecided.values().sum::<usize>(),
            wrong.len(),
            wrong.join("\n")
        );
        file.write_all(text.as_bytes()).expect("the report can be written");
    }
}

impl Tally {
    fn and(mut self, other: Tally) -> Tally {
        self.runs += other.runs;
        self.failing += other.failing;
        self.failing_in_other_orders += other.failing_in_other_orders;
        for (reason, count) in other.undecided {
            *self.undecided.entry(reason).or_default() += count;
        }
        self.wrong.extend(other.wrong);
        self
    }
}

fn answer(loaded: &Loaded, rule: Rule) -> Answer {
    let options = rules::Options {
        states: STATES,
        refinements: REFINEMENTS,
        solver_queries: SOLVER_QUERIES,
        ..rules::Options::new(rule)
    };
    let (ended, running) = channel::<()>();
    let verdict = std::thread::scope(|scope| {
        let cancel = &options.cancel;
        scope.spawn(move || {
            if running.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        });
        let outcome = rules::prove(&loaded.program, &options);
        drop(ended);
        outcome.verdict
    });
    match verdict {
        Verdict::Safe(_) => Answer::CannotFail,
        Verdict::Unsafe(trace) => refusal(loaded, &trace).map_or(Answer::CanFail, Answer::Undecided),
        Verdict::Unknown(reason @ (Reason::CertificateRejected(_) | Reason::TraceRejected(_))) => {
            Answer::Rejected(reason.to_string())
        }
        Verdict::Unknown(reason) => Answer::Undecided(reason.to_string()),
    }
}

/// What the program does at the end of a run, if that is something that is not modelled.
fn refusal(loaded: &Loaded, trace: &Trace) -> Option<String> {
    let last = trace.steps.last()?;
    let thread = loaded.program.thread(last.thread);
    let refusal = loaded.refusal(thread.location(thread.transitions.get(last.transition)?.target))?;
    Some(format!("not modelled: {}", refusal.message))
}
