//! A correctness witness from a proof: what holds before each statement, as far as C can say it.
//!
//! An invariant stands before a statement S of a thread's start function if all who come to S stop at a location before S, one
//! step being one access ([`frontend::Fusion::Local`]) or less; it is the disjunction of what the proof says there, over all threads that run the function. It is weaker than
//! the proof, which the certificate has in full.

use std::collections::BTreeSet;

use check::{Certificate, Invariant};
use frontend::Loaded;
use frontend::source::StatementKind;
use program::{LocationId, Program, Term, ThreadId, VarId};

use super::cases::Cases;
use super::expression::{Ghost, Vocabulary, Width, weaker};
use super::ghosts::Ghosts;
use super::passages::Passages;
use super::places::{Places, StatementId};
use super::scope::c_value;
use super::{InvariantKind, Place, Witness, WitnessInvariant};

/// The witness of a proof, and what it cannot say of it. `fine` is the same program without fusion.
pub fn correctness(loaded: &Loaded, fine: &Loaded, certificate: &Certificate) -> (Witness, Vec<&'static str>) {
    let places = Places::new(loaded);
    let passages = Passages::new(Places::new(fine));
    let ghosts = Ghosts::new(&places, &passages);
    let mut invariants = Vec::new();
    for (id, statement) in places.statements() {
        let kind = match statement.kind {
            StatementKind::While(_) => InvariantKind::Loop,
            StatementKind::Expression | StatementKind::Declaration | StatementKind::Other => InvariantKind::Location,
            StatementKind::Compound | StatementKind::OtherLoop => continue,
        };
        if !places.is_in_text(id) || !passages.all_stop(loaded, id) {
            continue;
        }
        let Some(mut begins) = places.begins(id).filter(|all| !all.is_empty()) else { continue };
        // What holds of the first instance of a template holds of all.
        begins.retain(|(thread, _)| loaded.program.template_of(*thread).is_none_or(|(_, copy)| copy == 0));
        if !is_start_function(loaded, &begins, &statement.function) {
            continue;
        }
        let all = begins.into_iter().fold(Cases::default(), |all, (thread, location)| {
            let words = Words { loaded, ghosts: &ghosts, thread, statement: id };
            all.or(weaker(here(&loaded.program, certificate, thread, location), &words))
        });
        let Some(value) = all.simplified().text() else { continue };
        invariants.push(WitnessInvariant { kind, place: place(loaded, id), value });
    }
    let lost = lost(&loaded.program, certificate, &ghosts);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let used = |name: &str| invariants.iter().any(|i| i.value.split(|c| !is_word(c)).any(|word| word == name));
    let (ghosts, updates) = ghosts.instrumentation(&used, &|statement| place(loaded, statement));
    (Witness::Correctness { ghosts, updates, invariants }, lost)
}

/// What a proof about any number of threads says that has no words in the format, or none here.
fn lost(program: &Program, certificate: &Certificate, ghosts: &Ghosts) -> Vec<&'static str> {
    let invariants = certificate.invariants();
    let is_instance = |thread: &ThreadId| program.template_of(*thread).is_some();
    let related = |invariant: &Invariant| invariant.threads.iter().filter(|t| is_instance(t)).count() > 1;
    let mut lost = Vec::new();
    if invariants.iter().any(related) {
        lost.push("how two instances of the threads that are created without bound are related");
    }
    let said: BTreeSet<VarId> = invariants.iter().flat_map(|i| i.at.values()).flat_map(|f| f.vars()).collect();
    if program.counters().iter().any(|(_, var)| said.contains(var) && !ghosts.is_exact(*var)) {
        lost.push("how many threads are where, which changes inside of statements");
    }
    lost
}

/// The place of a statement.
pub fn place(loaded: &Loaded, statement: StatementId) -> Place {
    let found = &loaded.statements[statement.0];
    Place { line: found.first.line, column: found.first.column, function: found.function.clone() }
}

/// What a proof says of a thread at a location: its own invariant, or the disjunction over the others' locations.
fn here(program: &Program, certificate: &Certificate, thread: ThreadId, location: LocationId) -> Term {
    let about = certificate.invariants().iter().filter_map(|invariant| {
        let position = invariant.threads.iter().position(|t| *t == thread)?;
        Some(Term::or(invariant.at.iter().filter(|(place, _)| place[position] == location).map(|(place, formula)| {
            let others = invariant.threads.iter().zip(place).filter(|(t, _)| **t != thread);
            Term::and(others.map(|(t, l)| check::at(program, *t, *l)).chain([*formula]))
        })))
    });
    Term::and(about)
}

/// Whether the statement is in the start function of all threads that come to it, and nobody calls that function: then nobody
/// comes to it unseen, before other threads exist.
fn is_start_function(loaded: &Loaded, begins: &[(ThreadId, LocationId)], function: &str) -> bool {
    let start = |thread: &ThreadId| loaded.program.thread(*thread).name.split('#').next().unwrap_or("") == function;
    let Some(text) = loaded.sources.text(0) else { return false };
    let called = text.match_indices(function).filter(|(at, _)| {
        let before = text[..*at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        before && text[at + function.len()..].trim_start().starts_with('(')
    });
    begins.iter().all(|(thread, _)| start(thread)) && called.count() <= 1
}

struct Words<'a> {
    loaded: &'a Loaded,
    ghosts: &'a Ghosts,
    thread: ThreadId,
    statement: StatementId,
}

impl Vocabulary for Words<'_> {
    fn value(&self, var: VarId) -> Option<(String, Width)> {
        if var.0 as usize >= self.loaded.program.var_count() {
            return None;
        }
        if let Some(name) = self.ghosts.exact(var) {
            return Some((name.to_string(), Width::Int));
        }
        c_value(self.loaded, var, self.thread, &self.loaded.statements[self.statement.0])
    }

    fn ghost(&self, var: VarId, conditions: &[Term]) -> Ghost {
        self.ghosts.says(&self.loaded.program, var, conditions)
    }
}
