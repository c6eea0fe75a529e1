//! Addresses, ids and accesses through other types against brute force: random C programs under every rule.
//!
//! The oracles execute the generators' own syntax trees on all layouts of memory, ids and inputs that a program can tell from one
//! another. What the tool refuses or gives up is undecided, of which there may be only so much. `THREADER_SEED` and
//! `THREADER_CASES` choose other programs, and more of them; `THREADER_REPORT` names a file that the counts are added to.

mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

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

#[test]
fn addresses_are_what_layouts_say() {
    Family { name: "addresses", case: gen_addresses::case, undecided_percent: 33 }.compare(cases(150));
}

#[test]
fn ids_are_what_posix_says() {
    Family { name: "ids", case: gen_ids::case, undecided_percent: 33 }.compare(cases(150));
}

#[test]
fn accesses_through_other_types_are_what_bytes_say() {
    Family { name: "bytes", case: gen_bytes::case, undecided_percent: 50 }.compare(cases(150));
}

/// A kind of programs.
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
    /// Programs that fail, but not where addresses or ids ascend.
    failing_in_other_orders: usize,
    /// How often each reason was given.
    undecided: BTreeMap<String, usize>,
    wrong: Vec<String>,
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
        tally.runs += Rule::ALL.len();
        let file = dir.join(format!("case{number}.c"));
        std::fs::write(&file, &text).expect("the directory is writable");
        let loaded = match load(&file, &Options::default()) {
            Ok(loaded) => loaded,
            Err(error) => {
                let diagnostic = &error.failure.0;
                let message = format!("{:?}: {}", diagnostic.code, diagnostic.message);
                assert!(diagnostic.code == Code::Unsupported, "seed {}, case {number}: {message}\n{text}", seed());
                *tally.undecided.entry(message).or_default() += Rule::ALL.len();
                return;
            }
        };
        for rule in Rule::ALL {
            let options = rules::Options {
                states: STATES,
                refinements: REFINEMENTS,
                solver_queries: SOLVER_QUERIES,
                ..rules::Options::new(rule)
            };
            let case = format!("{} case {number}, {rule}", self.name);
            match (rules::prove(&loaded.program, &options).verdict, fails) {
                (Verdict::Unsafe(trace), _) if refusal(&loaded, &trace).is_some() => {
                    *tally.undecided.entry(refusal(&loaded, &trace).unwrap_or_default()).or_default() += 1;
                }
                (Verdict::Safe(_), false) | (Verdict::Unsafe(_), true) => {}
                (Verdict::Unknown(reason @ (Reason::CertificateRejected(_) | Reason::TraceRejected(_))), _) => {
                    tally.wrong.push(format!("{case}: {reason}\n{text}"));
                }
                (Verdict::Unknown(reason), _) => *tally.undecided.entry(reason.to_string()).or_default() += 1,
                _ => tally.wrong.push(format!("{case}: can fail: {fails}\n{text}")),
            }
        }
    }

    fn report(&self, wanted: u64, tally: &Tally) {
        let Some(path) = std::env::var_os("THREADER_REPORT") else { return };
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a file to write to");
        let Tally { runs, failing, failing_in_other_orders, undecided, wrong } = tally;
        let all: usize = undecided.values().sum();
        let text = format!(
            "{}, seed {}: {wanted} programs, {failing} can fail, {failing_in_other_orders} of them only where nothing ascends\n\
             {runs} runs, {all} undecided, {} wrong\n{undecided:#?}\n{}\n",
            self.name,
            seed(),
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

/// What the program does at the end of a run that is not modelled, if that is how the run ends.
fn refusal(loaded: &Loaded, trace: &Trace) -> Option<String> {
    let last = trace.steps.last()?;
    let thread = loaded.program.thread(last.thread);
    let refusal = loaded.refusal(thread.location(thread.transitions.get(last.transition)?.target))?;
    Some(format!("not modelled: {}", refusal.message))
}
