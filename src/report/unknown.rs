//! What helps where there is no verdict: how far it came, what grows, and what to try.

use rules::{Growth, Monitor, Reason, Stage};

/// Why there is no verdict, how far each rule came, and what to try.
pub fn text(reason: &Reason, why: &str, monitor: &Monitor) -> String {
    let stages = monitor.stages();
    let mut text = format!("no verdict: {why}\n");
    for (rule, stage) in &stages {
        text += &format!("  {rule}: {}\n", counts(stage));
    }
    let mut growing: Vec<Growth> = stages.into_values().flat_map(|stage| stage.growing).collect();
    growing.sort_by_key(|growth| std::cmp::Reverse(growth.values.len()));
    growing.dedup_by(|a, b| a.expression == b.expression);
    match growing.first() {
        Some(growth) => {
            text += &format!("  what grows: {}, compared with {} so far\n", growth.expression, values(&growth.values));
            text += &format!(
                "try: an assertion that bounds {0} or relates it to another variable, where it changes; or smaller constants\n",
                growth.expression
            );
        }
        None => text += &format!("try: {}\n", advice(reason)),
    }
    text
}

/// How far a loop has come.
pub fn counts(stage: &Stage) -> String {
    format!("{} refinements, {} states, {} predicates", stage.refinements, stage.states, stage.predicates)
}

fn values(all: &[i128]) -> String {
    let shown: Vec<String> = all.iter().take(3).map(i128::to_string).collect();
    match all.last() {
        Some(last) if all.len() > 4 => format!("{} values ({}, .. {last})", all.len(), shown.join(", ")),
        _ => format!("{} values", all.len()),
    }
}

/// What to try when there is no verdict.
fn advice(reason: &Reason) -> &'static str {
    match reason {
        Reason::Cancelled => "more time, another --rule, or threader refute, which looks for errors alone",
        Reason::States(_)
        | Reason::SolverQueries(_)
        | Reason::Refinements(_)
        | Reason::NoProof(_)
        | Reason::Stuck(_) => "another --rule; a stronger assertion or fewer threads may also help",
        Reason::Covered(_) => "more time or higher bounds, or look for a proof: threader prove",
        Reason::Undecided(_) => "the rest of what was asked is proved: ask for it alone, with --property",
        Reason::Exhausted => {
            "threader prove: every run was looked at, but there are too many states to be checked as a proof"
        }
        Reason::NoProofAtLevel { .. } => {
            "a higher --level; assertions about threads that only hold of a fixed number of them have no such proof"
        }
        Reason::CertificateRejected(_) | Reason::TraceRejected(_) => {
            "to report it, with the input and the command line: this is a bug of threader"
        }
    }
}
