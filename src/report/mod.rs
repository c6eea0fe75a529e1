//! What came of a run, for people: the proof by source line, or the counterexample as a table.

pub mod deadlock;
mod proof;
mod trace;

use frontend::Loaded;
use program::{Program, Span};
use rules::{Engine, Outcome, Reason, Statistics, Verdict};

use crate::assumptions;

pub use proof::{Number, counters, level, number, numbers, show};
pub use trace::{Detail, conflict, racing, step_lines, value_text};

/// The proof, the counterexample or the reason, and one line of counters.
pub fn text(loaded: &Loaded, outcome: &Outcome, detail: Detail) -> String {
    let evidence = match &outcome.verdict {
        Verdict::Safe(certificate) => proof::text(loaded, certificate) + &assumptions::text(&[loaded]),
        Verdict::Unsafe(trace) => trace::text(loaded, trace, detail),
        Verdict::Unknown(reason) => advice(reason),
    };
    evidence + &found_by(outcome)
}

/// Several proofs that are one together: each of some properties, and what all of them rest on.
pub fn proofs(all: &[(&Loaded, &Outcome)]) -> String {
    if let [(loaded, outcome)] = all {
        return text(loaded, outcome, Detail::Visible);
    }
    let mut text = String::new();
    for (loaded, outcome) in all {
        let Verdict::Safe(certificate) = &outcome.verdict else { continue };
        text += &format!("{}: {}{}\n", served(loaded), proof::text(loaded, certificate), found_by(outcome));
    }
    text + &assumptions::text(&all.iter().map(|(loaded, _)| *loaded).collect::<Vec<_>>())
}

/// The properties that a program serves, by name.
pub fn served(loaded: &Loaded) -> String {
    let properties = loaded.part.as_ref().unwrap_or(&loaded.properties);
    properties.iter().map(|property| property.name()).collect::<Vec<_>>().join(", ")
}

/// Whose answer it is, and what it cost.
fn found_by(outcome: &Outcome) -> String {
    let by = outcome.found_by;
    // Within a rule's loop it is the loop that took the time.
    let alone = by == Engine::Explicit && outcome.statistics.refinements == 0;
    let cost = if alone { executed(&outcome.statistics) } else { summary(&outcome.statistics) };
    format!("found by {by}: {cost}\n")
}

/// The line of a place, behind the name of its file unless that is the first one.
fn line(program: &Program, span: Span) -> String {
    if span.file == 0 { span.line.to_string() } else { program.place(span) }
}

/// What a search within bounds did.
fn executed(statistics: &Statistics) -> String {
    format!("{} states, {} steps", statistics.states, statistics.steps)
}

/// One line of counters.
fn summary(statistics: &Statistics) -> String {
    let asked = &statistics.entailment;
    let without = asked.queries.saturating_sub(asked.solver);
    let share = if asked.queries == 0 { 100.0 } else { 100.0 * without as f64 / asked.queries as f64 };
    format!(
        "{} refinements, {} predicates, {} transition predicates, {} abstract states, {} entailment queries \
         ({share:.1} % without Z3); abstraction {:.2} s, refinement {:.2} s, check {:.2} s",
        statistics.refinements,
        statistics.predicates,
        statistics.transition_predicates,
        statistics.states,
        asked.queries,
        statistics.reach_time.as_secs_f64(),
        statistics.refine_time.as_secs_f64(),
        statistics.check_time.as_secs_f64(),
    )
}

/// What to try when there is no verdict.
fn advice(reason: &Reason) -> String {
    let try_this = match reason {
        Reason::Cancelled => "give it more time, or try another --rule",
        Reason::States(_)
        | Reason::SolverQueries(_)
        | Reason::Refinements(_)
        | Reason::NoProof(_)
        | Reason::Stuck(_) => "try another --rule; a stronger assertion or fewer threads may also help",
        Reason::Covered(_) => "give it more time or higher bounds, or look for a proof: threader prove",
        Reason::Undecided(_) => "the rest of what was asked is proved: ask for it alone, with --property",
        Reason::Exhausted => {
            "every run was looked at, but there are too many states to be checked as a proof: threader prove looks for one"
        }
        Reason::NoProofAtLevel { .. } => {
            "try a higher --level; assertions about threads that only hold of a fixed number of them have no such proof"
        }
        Reason::CertificateRejected(_) | Reason::TraceRejected(_) => {
            "this is a bug of threader: please report it with the input and the command line"
        }
    };
    format!("no verdict: {reason}\n{try_this}\n")
}
