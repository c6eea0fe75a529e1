//! Horn systems handed to Spacer as they are, with its default settings.

use std::collections::BTreeMap;

use program::{Term, TermKind};
use smt::{Atom, Clause, Preprocessing, Spacer, SpacerAnswer, SpacerOptions};

use crate::system::{Application, HornSystem, RelationId};

/// What Spacer says about a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecursiveAnswer {
    /// A solution: each relation's definition over `VarId(k)` for its k-th argument. Relations that Spacer does not speak of
    /// are absent.
    Solved(BTreeMap<RelationId, Term>),
    /// There is none.
    Refuted,
    /// It gave up, or its answer could not be read back; why.
    Unknown(String),
}

/// Solves the system within so many of Z3's resource units; 0 is no limit.
pub fn solve_recursive(system: &HornSystem, limit: u32) -> RecursiveAnswer {
    let sorts = system.relations().map(|(_, r)| r.arguments.iter().map(|argument| argument.sort).collect());
    let mut spacer = Spacer::new(sorts.collect());
    for clause in system.clauses() {
        let atom = |a: &Application| Atom { relation: a.relation.0 as usize, arguments: a.arguments.clone() };
        spacer.add(Clause {
            body: clause.premises.iter().map(atom).collect(),
            constraint: clause.constraint.conjuncts().into_iter().chain(falsum(clause.constraint)).collect(),
            head: clause.conclusion.as_ref().map(atom),
        });
    }
    match spacer.solve(SpacerOptions { limit, preprocessing: Preprocessing::Default }) {
        SpacerAnswer::Refuted => RecursiveAnswer::Refuted,
        SpacerAnswer::Unknown(why) => RecursiveAnswer::Unknown(why),
        SpacerAnswer::Solved(found) => {
            let named = |(k, term): (usize, Term)| Some((RelationId(u32::try_from(k).ok()?), term));
            RecursiveAnswer::Solved(found.into_iter().filter_map(named).collect())
        }
    }
}

/// `false`, which has no conjuncts.
fn falsum(term: Term) -> Option<Term> {
    matches!(term.kind(), TermKind::Bool(false)).then_some(term)
}
