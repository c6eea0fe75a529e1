//! What came of a run, for people: the proof by source line, or the counterexample as a table.

pub mod deadlock;
mod proof;
mod table;
mod trace;
pub mod unknown;
pub mod value;
pub mod violation;
mod words;

use frontend::Loaded;
use program::{Program, Span, Thread, ThreadId};
use rules::{Engine, Outcome, Statistics, Verdict};

use crate::assumptions;

pub use proof::text as proof_text;
pub use proof::{Number, counters, level, number, numbers, show};
pub use trace::{Detail, conflict, racing, step_lines};

/// The proof or the counterexample, and one line of counters.
pub fn text(loaded: &Loaded, outcome: &Outcome, detail: Detail) -> String {
    let evidence = match &outcome.verdict {
        Verdict::Safe(certificate) => proof::summary(loaded, certificate) + &assumptions::text(&[loaded]),
        Verdict::Unsafe(trace) => trace::text(loaded, trace, detail),
        Verdict::Unknown(_) => String::new(),
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
        text += &format!("{}: {}{}\n", served(loaded), proof::summary(loaded, certificate), found_by(outcome));
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
    let found = if matches!(outcome.verdict, Verdict::Unknown(_)) { "asked last" } else { "found by" };
    format!("{found} {by}: {cost}\n")
}

/// The line of a place, behind the name of its file where the program is made of several.
fn line(program: &Program, span: Span) -> String {
    let elsewhere = |(_, thread): (ThreadId, &Thread)| thread.locations.iter().any(|location| location.span.file != 0);
    if span.file == 0 && !program.threads().any(elsewhere) {
        return span.line.to_string();
    }
    let files = program.files();
    let short = |file: &String| file.rsplit('/').next().map(str::to_string);
    let name = files.get(span.file as usize).and_then(short).unwrap_or_default();
    let is_unique = files.iter().filter(|file| short(file).as_ref() == Some(&name)).count() == 1;
    if is_unique { format!("{name}:{}", span.line) } else { program.place(span) }
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
