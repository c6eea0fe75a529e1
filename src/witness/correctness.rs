//! A correctness witness from a proof: what holds before each statement, as far as C can say it.
//!
//! An invariant stands before a statement S of a thread's start function if every step that carries out S begins at a location
//! before S, one step being one access ([`frontend::Fusion::Local`]); it is the disjunction of what the proof says there, over all threads that run the function. It is weaker than
//! the proof, which the certificate has in full.

use std::cell::RefCell;
use std::collections::BTreeSet;

use check::Certificate;
use frontend::Loaded;
use frontend::source::StatementKind;
use program::{LocationId, Program, Term, ThreadId, VarId};

use super::expression::{Ghost, Vocabulary, Width, weaker};
use super::ghosts::Ghosts;
use super::places::{Places, StatementId};
use super::scope::c_value;
use super::{InvariantKind, Place, Witness, WitnessInvariant};

/// The witness of a proof.
pub fn correctness(loaded: &Loaded, certificate: &Certificate) -> Witness {
    let places = Places::new(loaded);
    let ghosts = Ghosts::new(&places);
    let used = RefCell::new(BTreeSet::new());
    let mut invariants = Vec::new();
    for (id, statement) in places.statements() {
        let kind = match statement.kind {
            StatementKind::While(_) => InvariantKind::Loop,
            StatementKind::Expression | StatementKind::Declaration | StatementKind::Other => InvariantKind::Location,
            StatementKind::Compound | StatementKind::OtherLoop => continue,
        };
        let Some(begins) = places.begins(id).filter(|all| !all.is_empty()) else { continue };
        if !is_start_function(loaded, &begins, &statement.function) {
            continue;
        }
        let before = used.borrow().clone();
        let mut texts: Vec<String> = Vec::new();
        for (thread, location) in begins {
            let words = Words { loaded, ghosts: &ghosts, used: &used, thread, statement: id };
            match weaker(here(&loaded.program, certificate, thread, location), &words) {
                Some(text) if text == "0" => {}
                Some(text) if !texts.contains(&text) => texts.push(text),
                Some(_) => {}
                None => {
                    texts.clear();
                    texts.push("1".into());
                    break;
                }
            }
        }
        let value = match texts.len() {
            0 => "0".into(),
            1 => texts.remove(0),
            _ => texts.join(" || "),
        };
        if value == "1" {
            *used.borrow_mut() = before;
            continue;
        }
        invariants.push(WitnessInvariant { kind, place: place(loaded, id), value });
    }
    let (ghosts, updates) = ghosts.instrumentation(&used.into_inner(), &|statement| place(loaded, statement));
    Witness::Correctness { ghosts, updates, invariants }
}

/// The place of a statement.
pub fn place(loaded: &Loaded, statement: StatementId) -> Place {
    let found = &loaded.statements[statement.0];
    Place { line: found.first.line, column: found.first.column, function: found.function.clone() }
}

/// What a proof says of a thread at a location: its own invariant, or the disjunction over the others' locations.
fn here(program: &Program, certificate: &Certificate, thread: ThreadId, location: LocationId) -> Term {
    let Some(invariant) = certificate.invariants().iter().find(|i| i.threads.contains(&thread)) else {
        return Term::bool(true);
    };
    let Some(position) = invariant.threads.iter().position(|t| *t == thread) else { return Term::bool(true) };
    Term::or(invariant.at.iter().filter(|(place, _)| place[position] == location).map(|(place, formula)| {
        let others = invariant.threads.iter().zip(place).filter(|(t, _)| **t != thread);
        Term::and(others.map(|(t, l)| check::at(program, *t, *l)).chain([*formula]))
    }))
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
    used: &'a RefCell<BTreeSet<VarId>>,
    thread: ThreadId,
    statement: StatementId,
}

impl Vocabulary for Words<'_> {
    fn value(&self, var: VarId) -> Option<(String, Width)> {
        if var.0 as usize >= self.loaded.program.var_count() {
            return None;
        }
        c_value(self.loaded, var, self.thread, &self.loaded.statements[self.statement.0])
    }

    fn ghost(&self, var: VarId, conditions: &[Term]) -> Ghost {
        self.ghosts.says(&self.loaded.program, var, conditions, &mut self.used.borrow_mut())
    }
}
