//! A proof by source line.

use std::collections::{BTreeMap, BTreeSet};

use check::{Certificate, variable_name};
use frontend::Loaded;
use program::{Counter, LocationId, LocationKind, Program, Template, Term, TermKind, ThreadId, VarId, display};

use super::line;
use super::words::{alternatives, conjunction};

/// A proof of more lines than this is not shown unless it is asked for.
const SHORT: usize = 12;

/// How the claims were proved, and the proof itself if it is short.
pub fn summary(loaded: &Loaded, certificate: &Certificate) -> String {
    let head = head(loaded, certificate);
    let lines: Vec<String> = body(loaded, certificate).lines().map(|line| format!("{line}\n")).collect();
    if lines.len() <= SHORT {
        return head + &lines.concat() + "\n";
    }
    format!("{head}the proof has {} lines: --proof prints it, --certificate FILE keeps it\n\n", lines.len())
}

/// The whole proof.
pub fn text(loaded: &Loaded, certificate: &Certificate) -> String {
    head(loaded, certificate) + &body(loaded, certificate) + "\n"
}

fn head(loaded: &Loaded, certificate: &Certificate) -> String {
    let modular = if certificate.is_modular(&loaded.program) { ", thread-modular" } else { "" };
    format!("proved by {}{modular}{}\n", certificate.rule_name(), number(loaded))
}

/// The invariants of each thread by source line and, under rely-guarantee, what its environment may do.
fn body(loaded: &Loaded, certificate: &Certificate) -> String {
    let program = &loaded.program;
    let mut text: String = counters(program).iter().map(|counter| format!("{counter}\n")).collect();
    for (index, invariant) in certificate.invariants().iter().enumerate() {
        let names: Vec<&str> = invariant.threads.iter().map(|t| program.thread(*t).name.as_str()).collect();
        text.push_str(&format!("\n{}\n", names.join(" | ")));
        let mut by_line: BTreeMap<Vec<String>, Term> = BTreeMap::new();
        for (place, formula) in &invariant.at {
            let at: Vec<String> = invariant.threads.iter().zip(place).map(|(t, l)| location(program, *t, *l)).collect();
            let entry = by_line.entry(at).or_insert_with(|| Term::bool(false));
            *entry = Term::or([*entry, *formula]);
        }
        let (silent, telling): (Vec<_>, Vec<_>) =
            by_line.iter().partition(|(_, formula)| formula.as_bool() == Some(true));
        for (at, formula) in telling {
            let alternatives = alternatives(program, *formula, &invariant.threads).join("\n                || ");
            text.push_str(&format!("  {:>14}  {alternatives}\n", at.join(" | ")));
        }
        if !silent.is_empty() {
            let elsewhere = if silent.len() == by_line.len() { "everywhere" } else { "elsewhere" };
            text.push_str(&format!("  {elsewhere:>14}  true\n"));
        }
        if let Certificate::RelyGuarantee { environment, .. } = certificate {
            text.push_str("  environment\n");
            for transition in &environment[index] {
                text.push_str(&format!("  {:>14}  {}\n", "", change(program, *transition)));
            }
        }
    }
    text
}

/// Of how many instances the assertions of a proof speak: of all copies but one. Nothing if no thread is of any number.
pub fn level(program: &Program) -> Option<usize> {
    program.templates().iter().map(|template| template.copies.len().saturating_sub(1)).min()
}

/// For how many instances of a template a proof holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// For any number, however many the program creates.
    Any,
    /// For as many as the program creates: at most so many, if that is a constant.
    Created(Option<usize>),
}

/// For how many instances of each template a proof about the program holds. What is proved is the program as it was lowered: in it
/// any number may start once one has been created, or one for each creation, and then the proof may rest on how many those are.
pub fn numbers(loaded: &Loaded) -> Vec<(&str, Number)> {
    let program = &loaded.program;
    let number = |template: &Template| {
        if program.starts_any_number(template) {
            return Number::Any;
        }
        let fixed = loaded.repeated.iter().find(|(name, _)| *name == template.name);
        Number::Created(fixed.map(|(_, count)| *count))
    };
    program.templates().iter().map(|template| (template.name.as_str(), number(template))).collect()
}

/// That a proof is about templates, if it is: `, for any number of f, at level 2`, or `, for the 2 of f that are created, at level 2`.
pub fn number(loaded: &Loaded) -> String {
    let program = &loaded.program;
    let Some(level) = level(program) else { return String::new() };
    let each = numbers(loaded).into_iter().map(|(name, number)| match number {
        Number::Any => format!("any number of {name}"),
        Number::Created(Some(count)) => format!("the {count} of {name} that are created"),
        Number::Created(None) => format!("as many {name} as are created"),
    });
    let counted = if program.counters().is_empty() { "" } else { ", with counters" };
    format!(", for {}, at level {level}{counted}", each.collect::<Vec<_>>().join(", "))
}

/// What each counter counts, in terms of the C text.
pub fn counters(program: &Program) -> Vec<String> {
    let counted = |(counter, var): &(Counter, VarId)| {
        let template = &program.templates()[counter.template];
        let places: BTreeSet<String> =
            counter.locations.iter().map(|l| location(program, template.copies[0], *l)).collect();
        // Lines first, then ends and errors.
        let (mut at, others): (Vec<String>, Vec<String>) = places.into_iter().partition(|p| p.starts_with("line"));
        at.iter_mut().for_each(|place| *place = place.split_whitespace().collect::<Vec<_>>().join(" "));
        at.extend(others);
        format!("{}: how many {} are at {}", program.var(*var).name, template.name, at.join(", "))
    };
    program.counters().iter().map(counted).collect()
}

/// Where a thread is, in terms of the C text.
fn location(program: &Program, thread: ThreadId, id: LocationId) -> String {
    let location = program.thread(thread).location(id);
    match location.kind {
        LocationKind::Error(_) => "error".into(),
        LocationKind::Unmodelled => "unmodelled".into(),
        LocationKind::End => "end".into(),
        LocationKind::Plain => match line(program, location.span) {
            line if line.contains(':') => line,
            line => format!("line {line:>4}"),
        },
    }
}

/// An environment transition: what it requires and what it changes, without the variables it keeps.
fn change(program: &Program, transition: Term) -> String {
    let keeps = |literal: &Term| {
        let mut kept = false;
        literal.visit(&mut |leaf| {
            if let TermKind::Primed(var, sort) = leaf.kind() {
                kept |= leaf.eq_to(Term::var(*var, *sort)) == *literal;
            }
        });
        kept
    };
    if transition.as_bool() == Some(true) {
        return "anything".into();
    }
    let rest: Vec<Term> = transition.conjuncts().into_iter().filter(|literal| !keeps(literal)).collect();
    if rest.is_empty() { "nothing that it sees changes".into() } else { conjunction(program, Term::and(rest)) }
}

/// A formula in C syntax; `at(f) == n` speaks of where thread f is.
pub fn show(program: &Program, formula: Term) -> String {
    display(formula, &|var: VarId| variable_name(program, var)).to_string()
}
