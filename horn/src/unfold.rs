//! Elimination of relations by putting the body of their one clause in their place.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Term, TermKind};
use smt::{Atom, Clause};

use crate::interpolate::at_places;
use crate::solve::RecursionFree;

/// Clauses by head, after elimination.
pub(crate) struct Unfolded {
    /// By relation. Those that were eliminated keep their clause; nothing refers to them.
    pub(crate) clauses: Vec<Clause>,
    /// The clause without a head.
    pub(crate) query: Clause,
    /// For the head of a clause in which a relation was eliminated, that relation.
    pub(crate) inner: BTreeMap<usize, Inner>,
}

/// An eliminated relation as it was used in a clause.
pub(crate) struct Inner {
    pub(crate) relation: usize,
    /// Its arguments in the clause it was eliminated from.
    used: Atom,
    /// Its arguments in its own clause.
    made: Atom,
    /// The head of the clause it was eliminated from.
    head: Atom,
}

/// Eliminates the relations of `unfolded`; nothing if some relation has not exactly one clause, or there is not one query.
pub(crate) fn unfold(system: &RecursionFree, unfolded: &BTreeSet<usize>) -> Option<Unfolded> {
    let mut clauses: Vec<Option<Clause>> = vec![None; system.relations.len()];
    let mut query = None;
    for clause in &system.clauses {
        let slot = match &clause.head {
            Some(head) => clauses.get_mut(head.relation)?,
            None => &mut query,
        };
        if slot.replace(clause.clone()).is_some() {
            return None;
        }
    }
    let mut clauses: Vec<Clause> = clauses.into_iter().collect::<Option<_>>()?;
    let mut inner = BTreeMap::new();
    for relation in 0..clauses.len() {
        let Some(position) = clauses[relation].body.iter().position(|atom| unfolded.contains(&atom.relation)) else {
            continue;
        };
        let used = clauses[relation].body[position].clone();
        let source = clauses[used.relation].clone();
        let made = source.head.clone()?;
        let head = clauses[relation].head.clone()?;
        clauses[relation] = replace(&clauses[relation], position, &source, &used, &made)?;
        inner.insert(relation, Inner { relation: used.relation, used, made, head });
    }
    Some(Unfolded { clauses, query: query?, inner })
}

/// The clause with the body of `source` in the place of one of its atoms.
fn replace(clause: &Clause, position: usize, source: &Clause, used: &Atom, made: &Atom) -> Option<Clause> {
    // Places that the source fills with a variable take the user's argument; others give the user's variable its value.
    let mut in_source: HashMap<Term, Term> = HashMap::new();
    let mut in_user: HashMap<Term, Term> = HashMap::new();
    for (mine, theirs) in used.arguments.iter().zip(&made.arguments) {
        if mine == theirs {
            continue;
        }
        match (mine.kind(), theirs.kind()) {
            (TermKind::Primed(..), _) => {
                in_user.insert(*mine, *theirs);
            }
            (TermKind::Bool(_) | TermKind::Int(_), TermKind::Var(..)) => {
                in_source.insert(*theirs, *mine);
            }
            _ => return None,
        }
    }
    let theirs = |term: &Term| term.rewrite(&|leaf| in_source.get(&leaf).copied());
    let mine = |term: &Term| term.rewrite(&|leaf| in_user.get(&leaf).copied());
    let map = |atom: &Atom, f: &dyn Fn(&Term) -> Term| Atom {
        relation: atom.relation,
        arguments: atom.arguments.iter().map(f).collect(),
    };
    let mut body: Vec<Atom> = Vec::new();
    for (k, atom) in clause.body.iter().enumerate() {
        if k == position {
            body.extend(source.body.iter().map(|atom| map(atom, &theirs)));
        } else {
            body.push(map(atom, &mine));
        }
    }
    let constraint = clause.constraint.iter().map(&mine).chain(source.constraint.iter().map(theirs)).collect();
    Some(Clause { body, constraint, head: clause.head.as_ref().map(|head| map(head, &mine)) })
}

impl Inner {
    /// A formula over the source clause's variables, at the relation's places.
    pub(crate) fn say(&self, formula: Term) -> Option<Term> {
        at_places(formula, &self.made)
    }
    /// A formula over the head's places, about the state afterwards, at the relation's places.
    pub(crate) fn say_after(&self, formula: Term) -> Option<Term> {
        at_places(crate::solve::instantiate(formula, &self.head.arguments), &self.used)
    }
    /// What the relation must say so that a formula over the head's places can be carried back: for each variable after the step
    /// that it speaks of, its value before.
    pub(crate) fn transfers(&self, formula: Term) -> Option<Vec<Term>> {
        let after = crate::solve::instantiate(formula, &self.head.arguments);
        let mut all = Vec::new();
        let mut possible = true;
        after.visit(&mut |leaf| {
            if !matches!(leaf.kind(), TermKind::Primed(..)) {
                return;
            }
            let place = self.used.arguments.iter().position(|argument| *argument == leaf);
            let note = place.and_then(|k| {
                let value = self.made.arguments[k];
                let here = Term::var(program::VarId(u32::try_from(k).ok()?), leaf.sort());
                let value = if value.as_int().is_some() { value } else { at_places(value, &self.made)? };
                Some(here.eq_to(value))
            });
            match note {
                Some(note) => all.push(note),
                None => possible = false,
            }
        });
        possible.then_some(all)
    }
}
