//! Which predicates refinement prefers: known ones; then new ones, the cheaper the fewer constants their linear form is compared
//! with already. A form that meets a new constant in every derivation is how refinement diverges.

use std::collections::BTreeSet;

use abstraction::PredicateSet;
use horn::{Outcome, Preference};
use program::{SharedCounter, Term, TermKind};

use crate::derivation::Item;
use crate::encode::Encoding;
use crate::reach::Reach;
use crate::refine::{Target, target};

/// What a new predicate costs, compared with one more place where a known one is used.
const NEW: u32 = 10;
/// What it costs in addition for each constant that its form is compared with already.
const MOVED_BOUND: u32 = 5;
const MOVED_POINT: u32 = 10;
/// How many times that, where it is to be avoided.
const AVOIDED: u32 = 30;
/// A form compared with this many constants is suspected to meet another one in every derivation.
const MANY: usize = 3;

/// What is known about a derivation's relations.
pub trait Lexicon {
    /// The predicates that a relation's states know.
    fn predicates(&self, relation: usize) -> &PredicateSet;
    /// A formula over a relation's places as one over the program's variables.
    fn read_back(&self, relation: usize, formula: Term) -> Term;
    /// Whether a linear form is a location.
    fn is_location(&self, form: &program::Linear) -> bool;
    /// How much another constant for a form is avoided.
    fn reluctance(&self, _: &program::Linear) -> Reluctance {
        Reluctance::Usual
    }
    /// Whether an atom counts something.
    fn counting(&self, _: Term) -> Counting {
        Counting::None
    }
}

/// What an atom says about counters whose shares are tracked. Shares are preferred: a counter is their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Nothing.
    None,
    /// It speaks of a counter.
    Counter,
    /// It speaks of shares alone.
    Shares,
}

/// How much another constant for a form is avoided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reluctance {
    /// A little more for each that it is compared with.
    Usual,
    /// However many other predicates it takes.
    Strong,
    /// The same for the first one: what the form stands for has no bounds.
    Strongest,
}

/// The preference of what a lexicon knows.
pub struct Thrift<L>(pub L);

struct Known<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    encoding: &'r Encoding,
    empty: PredicateSet,
}

/// Solves the clauses of a derivation by substitution.
pub fn interpolate(reach: &Reach<'_, '_>, encoding: &Encoding) -> Outcome {
    let unfolded: BTreeSet<usize> =
        (0..encoding.items.len()).filter(|k| matches!(encoding.items[*k], Item::Effect(_))).collect();
    let known = Known { reach, encoding, empty: PredicateSet::default() };
    horn::interpolate(&encoding.system, &unfolded, &Thrift(known))
}

impl Lexicon for Known<'_, '_, '_> {
    fn predicates(&self, relation: usize) -> &PredicateSet {
        match target(self.reach, self.encoding.items[relation]) {
            Target::State(component, _) => self.reach.graph.vocabularies.predicates[component.0].set(),
            Target::Transition(thread, component) => {
                self.reach.graph.vocabularies.transition.get(&(thread, component)).unwrap_or(&self.empty)
            }
        }
    }
    fn read_back(&self, relation: usize, formula: Term) -> Term {
        self.encoding.read_back(self.reach, relation, formula)
    }
    fn is_location(&self, form: &program::Linear) -> bool {
        is_location(self.reach, form)
    }
    fn counting(&self, atom: Term) -> Counting {
        let tracked = |c: &&SharedCounter| self.reach.graph.vocabularies.knows(self.reach.system, c);
        if is_share(self.reach, atom) {
            Counting::Shares
        } else if self.reach.system.counters.iter().filter(tracked).any(|c| atom.vars().contains(&c.var)) {
            Counting::Counter
        } else {
            Counting::None
        }
    }
}

impl<L: Lexicon> Preference for Thrift<L> {
    fn cost(&self, relation: usize, literal: Term) -> u32 {
        let known = self.0.predicates(relation);
        let mut cost = 0;
        for atom in horn::atoms(self.0.read_back(relation, literal)) {
            if known.contains(atom) {
                continue;
            }
            let others = |form| {
                let all = known.constants(form).map_or(0, |c| c.bounds.len() + c.points.len());
                let all = u32::try_from(all).unwrap_or(1_000);
                match self.0.reluctance(form) {
                    Reluctance::Usual => all,
                    Reluctance::Strong => all * AVOIDED,
                    Reluctance::Strongest => (all + 1) * AVOIDED,
                }
            };
            match self.0.counting(atom) {
                Counting::Shares => {
                    cost += NEW / 2;
                    continue;
                }
                Counting::Counter => cost += NEW / 2,
                Counting::None => {}
            }
            cost += NEW
                + match atom.kind() {
                    TermKind::Le(form, _) => MOVED_BOUND * others(form),
                    // Locations are points without an order: any number of them is natural.
                    TermKind::Eq(form, _) if self.0.is_location(form) => 0,
                    TermKind::Eq(form, _) => MOVED_POINT * others(form),
                    _ => 0,
                };
        }
        cost
    }

    fn weaker(&self, relation: usize, literal: Term) -> Vec<Term> {
        let (atom, holds) = match literal.kind() {
            TermKind::Not(inner) => (*inner, false),
            _ => (literal, true),
        };
        let (TermKind::Le(form, c) | TermKind::Eq(form, c)) = atom.kind() else { return Vec::new() };
        let here = Term::linear(form.clone());
        // The form's name among the known predicates, which speak of the program's variables.
        let named = self.0.read_back(relation, here.le(Term::int(*c)));
        let (sign, named) = match named.kind() {
            TermKind::Le(form, _) => (1, form),
            TermKind::Not(inner) => match inner.kind() {
                TermKind::Le(form, _) => (-1, form),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let bounds: Vec<i128> = match self.0.predicates(relation).constants(named) {
            // named = -here: named <= b is here >= -b, the complement of here <= -b - 1.
            Some(known) => known.bounds.iter().map(|b| if sign == 1 { *b } else { -b - 1 }).collect(),
            None => Vec::new(),
        };
        let at_most = |bound: i128| here.le(Term::int(bound));
        let is_equality = matches!(atom.kind(), TermKind::Eq(..));
        let mut all: Vec<Term> = match (is_equality, holds) {
            (false, true) => bounds.into_iter().filter(|b| b > c).map(at_most).collect(),
            (false, false) => bounds.into_iter().filter(|b| b < c).map(|b| at_most(b).not()).collect(),
            (true, true) => {
                let above = bounds.iter().filter(|b| *b >= c).map(|b| at_most(*b));
                let below = bounds.iter().filter(|b| *b < c).map(|b| at_most(*b).not());
                above.chain(below).chain([at_most(*c), at_most(c - 1).not()]).collect()
            }
            (true, false) => Vec::new(),
        };
        all.retain(|weaker| *weaker != literal);
        all
    }
}

/// How many new predicates only compare a form with yet another constant: the sign of divergence.
pub fn moved_constants(reach: &Reach<'_, '_>, conjuncts: &[(Target, Term)]) -> usize {
    let atoms: BTreeSet<(Target, Term)> =
        conjuncts.iter().flat_map(|(target, term)| horn::atoms(*term).into_iter().map(|a| (*target, a))).collect();
    let moved = |(target, atom): &&(Target, Term)| {
        let Target::State(component, _) = target else { return false };
        let apart = |form: &program::Linear| is_location(reach, form) || is_share(reach, Term::linear(form.clone()));
        moves(reach.graph.vocabularies.predicates[component.0].set(), *atom, &apart)
    };
    atoms.iter().filter(moved).count()
}

/// Whether an atom compares a form with yet another constant.
pub fn moves(known: &PredicateSet, atom: Term, is_location: &dyn Fn(&program::Linear) -> bool) -> bool {
    match atom.kind() {
        TermKind::Le(form, _) | TermKind::Eq(form, _) if !known.contains(atom) && !is_location(form) => {
            known.constants(form).is_some_and(|c| c.bounds.len() + c.points.len() >= MANY)
        }
        _ => false,
    }
}

fn is_share(reach: &Reach<'_, '_>, term: Term) -> bool {
    let shares = || reach.system.counters.iter().flat_map(|counter| &counter.shares);
    term.vars().iter().all(|var| shares().any(|share| share.var == *var))
}

fn is_location(reach: &Reach<'_, '_>, form: &program::Linear) -> bool {
    form.atoms().all(|atom| atom.as_var().is_some_and(|var| reach.system.located_thread(var).is_some()))
}
