//! `threader prove`: find a proof or a counterexample.

use rules::{Cancel, Modularity, Options, Outcome, Reason, SolverKind, Verdict, Vocabulary};

use crate::arguments::ProveArguments;
use crate::limits::Watch;
use crate::status::Status;
use crate::report::{self, Detail};
use crate::{input, output};

/// Loads the program, proves it or finds a run to an error, and prints what came of it.
pub fn run(arguments: &ProveArguments) -> Status {
    let cancel = Cancel::new();
    let watch = Watch::start(arguments.timeout, &cancel);
    let loaded = match input::program(&arguments.input.file, &arguments.options()) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let outcome = rules::prove(&loaded.program, &options(arguments, cancel));
    let detail = if arguments.full_trace { Detail::Full } else { Detail::Visible };
    output::report(&report::text(&loaded, &outcome, detail));
    result(&outcome, &watch)
}
fn options(arguments: &ProveArguments, cancel: Cancel) -> Options {
    let vocabulary = arguments.vocabulary.map_or(Vocabulary::Full, Into::into);
    let defaults = Options::default();
    Options {
        rule: arguments.rule.into(),
        solver: match arguments.solver {
            crate::values::SolverChoice::Cegar => SolverKind::Cegar,
            crate::values::SolverChoice::Spacer => SolverKind::Spacer(vocabulary),
        },
        seeds: match arguments.seeds {
            crate::values::Seeds::Evident => rules::Seeds::Evident,
            crate::values::Seeds::None => rules::Seeds::None,
        },
        modularity: if arguments.modular_only { Modularity::Only } else { Modularity::Preferred },
        workers: arguments.jobs.map_or(defaults.workers, |jobs| jobs as usize),
        cancel,
        ..defaults
    }
}
fn result(outcome: &Outcome, watch: &Watch) -> Status {
    match &outcome.verdict {
        Verdict::Safe(_) => output::print("Result: true\n", Status::Success),
        Verdict::Unsafe(_) => output::print("Result: false(unreach-call)\n", Status::Violated),
        Verdict::Unknown(Reason::Cancelled) => output::print_unknown(watch.stop().reason().unwrap_or("interrupted")),
        Verdict::Unknown(reason) => output::print_unknown(&reason.to_string()),
    }
}
