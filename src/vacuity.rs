//! Whether a proof says anything: a claim to which no run comes is proved, but nothing is learnt from that.

use std::collections::BTreeSet;

use frontend::diagnostic::{Code, Diagnostic};
use frontend::{END_OF_MAIN, Fusion, Goal, Options, Population};
use program::{Claim, ClaimId, Program, Property};
use rules::{End, Visit, Visits};

use crate::answers::{Answers, Standing};
use crate::arguments::ProveArguments;
use crate::input;
use crate::prove::{Lowered, Lowering, with_task};
use crate::render::{Severity, Style, render};

/// Looks for runs that come to the claims of a part of a text, but these.
pub fn visit(
    arguments: &ProveArguments,
    proved: Lowering,
    unasked: &BTreeSet<ClaimId>,
    options: &rules::Options,
) -> Option<Visits> {
    let goal = Options { goal: Goal::Visits, part: proved.options.part, ..arguments.options() };
    let text = Lowering { source: proved.source, options: goal };
    let left_out = unasked.union(&arguments.accepted).copied().collect();
    let loaded = input::lower(&text.source, &Options { unasked: left_out, ..text.options.clone() }).ok()?;
    let end = loaded.program.claims().iter().find(|claim| claim.what == END_OF_MAIN).map(|claim| claim.id);
    if loaded.program.claims().iter().all(|claim| Some(claim.id) == end) {
        return None;
    }
    let lowered = Lowered::new(&text);
    let all = rules::Options { rule: None, solver: rules::SolverKind::Cegar, ..options.clone() };
    let asked: Vec<ClaimId> = loaded.program.claims().iter().map(|claim| claim.id).collect();
    let mut visits = with_task(arguments, &lowered, &loaded, |task| {
        rules::visit(&rules::Task { unasked: unasked.clone(), ..*task }, end, &all)
    });
    if asked.iter().any(|claim| Some(*claim) != end && visits.of(*claim) != Visit::Reached) {
        // Two of the threads that are created without bound are enough to wait for one another.
        let is_bounded = loaded.program.templates().is_empty();
        let population = if is_bounded { Population::Each } else { Population::Bounded(2) };
        let fine = Options { fusion: Fusion::Local, population, ..text.options.clone() };
        let fine = text.source.lower(&fine).ok();
        visits.ends = fine.map_or_else(BTreeSet::new, |fine| rules::ends(&fine.program, options));
    }
    Some(visits)
}

/// What is to be said of claims that are proved, and that no run was found to come to: one warning for each assertion, one for the rest
/// of each other property.
pub fn warnings(answers: &Answers) -> Vec<String> {
    let Some((visits, (found, _))) = answers.visits().zip(answers.proofs().next()) else { return Vec::new() };
    let loaded = &found.loaded;
    let holds = answers.standings().filter(|(_, standing)| matches!(standing, Standing::Holds(_)));
    let vacuous: Vec<&Claim> = holds
        .map(|(claim, _)| claim)
        .filter(|claim| answers.reach(claim).is_some_and(|reach| !matches!(reach, Visit::Reached | Visit::Perhaps)))
        .collect();
    let ends = ends(&loaded.program, visits);
    let diagnostic = |message: String, claim: &Claim| {
        let diagnostic = Diagnostic::new(Code::Vacuous, message).at(claim.id.span);
        let diagnostic = ends.iter().fold(diagnostic, |diagnostic, ends| diagnostic.help(ends.as_str()));
        render(&diagnostic, Severity::Warning, &loaded.sources, Style::of_stderr())
    };
    let (assertions, others): (Vec<&Claim>, Vec<&Claim>) =
        vacuous.into_iter().partition(|claim| claim.id.property == Property::UnreachCall);
    let mut all: Vec<String> = assertions.iter().map(|claim| diagnostic(message(claim, visits), claim)).collect();
    for property in Property::ALL {
        let of_it: Vec<&&Claim> = others.iter().filter(|claim| claim.id.property == property).collect();
        if let Some(first) = of_it.first() {
            let message = format!("no run was found to come to {} of the operations for {property}", of_it.len());
            all.push(diagnostic(message, first));
        }
    }
    all
}

fn message(claim: &Claim, visits: &Visits) -> String {
    match visits.of(claim.id) {
        Visit::Unreachable => format!("{} holds because no run comes to it: it is unreachable", claim.what),
        reach => format!("whether {} holds says nothing yet: it is {reach}", claim.what),
    }
}

/// More places than this are not named.
const PLACES: usize = 3;

/// Where runs ended that were found, in words, if some did not end as they should.
pub fn ends(program: &Program, visits: &Visits) -> Option<String> {
    let what = |end: &End| match end {
        End::Undefined(kind, span) => Some(format!("in undefined behaviour at {} ({kind})", program.place(*span))),
        End::Stuck(span) => Some(format!("stuck at {}", program.place(*span))),
        End::Stopped(span) => Some(format!("stopped at {}", program.place(*span))),
        End::Normally => None,
    };
    let places: Vec<String> = visits.ends.iter().filter_map(what).collect();
    let whose = if visits.ends.contains(&End::Normally) { "of the runs found, some end" } else { "all runs found end" };
    let more = match places.len().saturating_sub(PLACES) {
        0 => String::new(),
        n => format!(", and at {n} more places"),
    };
    let named: Vec<&str> = places.iter().take(PLACES).map(String::as_str).collect();
    (!named.is_empty()).then(|| format!("{whose} {}{more}", named.join(", or ")))
}
