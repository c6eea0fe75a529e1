//! Which predicates refinement prefers: known ones; then new ones, the cheaper the fewer constants their linear form is compared
//! with already. A form that meets a new constant in every derivation is how refinement diverges.

use std::collections::BTreeSet;

use abstraction::PredicateSet;
use horn::{Outcome, Preference};
use program::{Linear, SharedCounter, Term, TermKind};
use smt::Cancel;

use crate::refine::derivation::Derivation;
use crate::refine::encode::Encoding;
use crate::refine::setting::Setting;
use crate::refine::target;
use crate::refine::vocabulary::Target;

/// What a new predicate costs, compared with one more place where a known one is used.
const NEW: u32 = 10;
/// What it costs in addition for each constant that its form is compared with already.
const MOVED_BOUND: u32 = 5;
const MOVED_POINT: u32 = 10;
/// How many times that, where it is to be avoided.
const AVOIDED: u32 = 30;
/// A form compared with this many constants is suspected to meet another one in every derivation.
const MANY: usize = 3;

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

/// What is known about a derivation's relations.
struct Lexicon<'r, 'a, 'p> {
    setting: Setting<'a, 'p>,
    derivation: &'r Derivation,
    encoding: &'r Encoding,
    reluctance: Reluctance,
    empty: PredicateSet,
}

/// Solves the clauses of a derivation by substitution.
pub fn interpolate(
    setting: Setting<'_, '_>,
    derivation: &Derivation,
    encoding: &Encoding,
    reluctance: Reluctance,
    cancel: &Cancel,
) -> Outcome {
    let items = derivation.items.iter().enumerate();
    let unfolded: BTreeSet<usize> = items.filter(|(_, item)| item.is_transition()).map(|(k, _)| k).collect();
    let lexicon = Lexicon { setting, derivation, encoding, reluctance, empty: PredicateSet::default() };
    horn::interpolate(&encoding.system, &unfolded, &lexicon, cancel)
}

impl Lexicon<'_, '_, '_> {
    /// The predicates that a relation's states know.
    fn predicates(&self, relation: usize) -> &PredicateSet {
        match target(&self.derivation.items[relation]) {
            Target::State(view, _) => self.setting.vocabulary.predicates[view.0].set(),
            Target::Transition(view, mover) => {
                self.setting.vocabulary.transition.get(&(view, mover)).unwrap_or(&self.empty)
            }
        }
    }
    /// A formula over a relation's places as one over the program's variables.
    fn read_back(&self, relation: usize, formula: Term) -> Term {
        self.encoding.read_back(self.setting, relation, formula)
    }
    /// How much another constant for a form is avoided.
    fn reluctance(&self, form: &Linear) -> Reluctance {
        match self.reluctance {
            Reluctance::Strong if self.setting.system.is_count(form) => Reluctance::Strongest,
            other => other,
        }
    }
    /// Whether an atom counts something.
    fn counting(&self, atom: Term) -> Counting {
        let tracked = |c: &&SharedCounter| self.setting.vocabulary.knows(self.setting.system, c);
        if is_share(self.setting, atom) {
            Counting::Shares
        } else if self.setting.system.counters.iter().filter(tracked).any(|c| atom.vars().contains(&c.var)) {
            Counting::Counter
        } else {
            Counting::None
        }
    }
}

impl Preference for Lexicon<'_, '_, '_> {
    fn cost(&self, relation: usize, literal: Term) -> u32 {
        let known = self.predicates(relation);
        let mut cost = 0;
        for atom in horn::atoms(self.read_back(relation, literal)) {
            if known.contains(atom) {
                continue;
            }
            let others = |form| {
                let all = known.constants(form).map_or(0, |c| c.bounds.len() + c.points.len());
                let all = u32::try_from(all).unwrap_or(1_000);
                match self.reluctance(form) {
                    Reluctance::Usual => all,
                    Reluctance::Strong => all * AVOIDED,
                    Reluctance::Strongest => (all + 1) * AVOIDED,
                }
            };
            match self.counting(atom) {
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
                    TermKind::Eq(form, _) if is_location(self.setting, form) => 0,
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
        let named = self.read_back(relation, here.le(Term::int(*c)));
        let (sign, named) = match named.kind() {
            TermKind::Le(form, _) => (1, form),
            TermKind::Not(inner) => match inner.kind() {
                TermKind::Le(form, _) => (-1, form),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let bounds: Vec<i128> = match self.predicates(relation).constants(named) {
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

/// The atoms that only compare a form with yet another constant: the sign of divergence.
pub fn moved(setting: Setting<'_, '_>, conjuncts: &[(Target, Term)]) -> BTreeSet<(Target, Term)> {
    let mut all = BTreeSet::new();
    for (target, term) in conjuncts {
        let Target::State(view, _) = target else { continue };
        let known = setting.vocabulary.predicates[view.0].set();
        let new = horn::atoms(*term).into_iter().filter(|atom| is_moving(setting, known, *atom));
        all.extend(new.map(|atom| (*target, atom)));
    }
    all
}

/// Whether an atom compares a form with yet another constant. Of a count two are natural: none, and one.
pub fn is_moving(setting: Setting<'_, '_>, known: &PredicateSet, atom: Term) -> bool {
    let (TermKind::Le(form, _) | TermKind::Eq(form, _)) = atom.kind() else { return false };
    if known.contains(atom) || is_location(setting, form) || is_share(setting, Term::linear(form.clone())) {
        return false;
    }
    let many = if setting.system.is_count(form) { MANY - 1 } else { MANY };
    known.constants(form).is_some_and(|c| c.bounds.len() + c.points.len() >= many)
}

fn is_share(setting: Setting<'_, '_>, term: Term) -> bool {
    let shares = || setting.system.counters.iter().flat_map(|counter| &counter.shares);
    term.vars().iter().all(|var| shares().any(|share| share.var == *var))
}

fn is_location(setting: Setting<'_, '_>, form: &Linear) -> bool {
    form.atoms().all(|atom| atom.as_var().is_some_and(|var| setting.system.located_thread(var).is_some()))
}
