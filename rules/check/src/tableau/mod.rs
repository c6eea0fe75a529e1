//! Implications that need no solver. What a certificate owes is nearly always of this kind, and Z3 takes far longer.
//!
//! Premises and the negated conclusion are literals and disjunctions. Literals are bounds of linear forms ([`facts`]). A disjunction
//! loses the cases that the facts contradict; the last that is left is a fact; where several are left, each is gone through. What is
//! not refuted here may be valid all the same: the solver decides it. No code is shared with the abstraction, whose mistakes a check
//! is to find.

mod after;
mod facts;
mod point;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use program::{Term, TermKind};
use rustc_hash::FxHashMap;

use after::After;
use facts::{Facts, Literal};

/// Literals looked at for one conjunct of a conclusion, at most.
const LOOKS: u64 = 2_000_000;

/// Literals of disjunctions that are kept for the next implication, at most. Most speak of the same ones, but those of a large
/// certificate would take more memory than all else.
const KEPT: usize = 1_000_000;

/// Proves implications.
#[derive(Default)]
pub struct Tableau {
    facts: Facts,
    clauses: FxHashMap<Term, Rc<Clause>>,
    /// The literals of those clauses.
    kept: usize,
    after: After,
    /// What has been assumed.
    path: Vec<Literal>,
    looks: u64,
    /// Literals looked at for all conjuncts so far.
    spent: u64,
}

/// A disjunction.
struct Clause {
    cases: Vec<Case>,
    /// Whether each case is one literal, as in the negation of a conjunction: such clauses close cases, and are split last.
    narrow: bool,
    /// The forms it speaks of, sorted.
    forms: Vec<u32>,
}

/// A case of a disjunction: all of these hold.
struct Case {
    literals: Vec<Literal>,
    clauses: Vec<Rc<Clause>>,
}

/// A disjunction that is still to be satisfied, with the cases that were not contradicted when it was last looked at.
#[derive(Clone)]
struct Open {
    clause: Rc<Clause>,
    alive: Rc<[u32]>,
}

impl Open {
    fn new(clause: Rc<Clause>) -> Open {
        let count = program::number(clause.cases.len());
        Open { clause, alive: (0..count).collect() }
    }
}

/// What the facts make of a disjunction.
enum Look {
    Contradicted,
    Satisfied,
    Last(u32),
    Several(Open),
}

impl Tableau {
    /// Whether the premises together imply the conclusion for a reason found here. `false` says nothing.
    pub fn proves(&mut self, premises: &[Term], conclusion: Term) -> bool {
        if self.kept > KEPT {
            self.clauses.clear();
            self.kept = 0;
        }
        let premises: Vec<Term> = premises.iter().flat_map(|premise| premise.conjuncts()).collect();
        if premises.iter().any(|premise| premise.as_bool() == Some(false)) {
            return true;
        }
        if conclusion.as_bool() == Some(false) {
            return self.proves_conjunct(&premises, conclusion);
        }
        let conjuncts = conclusion.conjuncts();
        conjuncts.into_iter().all(|conjunct| premises.contains(&conjunct) || self.proves_conjunct(&premises, conjunct))
    }

    /// How many literals it has looked at, since it was made: a measure of work that is the same on every machine.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Where a disjunction of the premises says in each case what variables are after a step, the cases that say the same are
    /// gone through together.
    fn proves_conjunct(&mut self, premises: &[Term], conclusion: Term) -> bool {
        self.looks = LOOKS;
        let changed: Vec<bool> = premises.iter().map(|premise| self.after.is_spoken_of(*premise)).collect();
        let proved = self.after.ways(premises).into_iter().any(|groups| {
            groups.iter().all(|group| {
                let here =
                    |(premise, changed): (&Term, &bool)| if *changed { group.premise(*premise) } else { *premise };
                let premises: Vec<Term> = premises.iter().zip(&changed).map(here).collect();
                self.follows(&premises, group.after(conclusion))
            })
        });
        self.spent += LOOKS - self.looks;
        proved
    }

    /// Tries with few disjunctions first, those that speak most of what the conclusion speaks of: others only multiply the cases.
    fn follows(&mut self, premises: &[Term], conclusion: Term) -> bool {
        let mark = self.facts.mark();
        let result = self.follows_from(premises, conclusion);
        self.facts.back_to(mark);
        self.path.clear();
        result
    }

    fn follows_from(&mut self, premises: &[Term], conclusion: Term) -> bool {
        let mut given: Vec<Open> = Vec::new();
        let mut denied: Vec<Open> = Vec::new();
        // A false premise, or a conclusion that is true, contradicts at once.
        let fine = premises.iter().all(|premise| self.assume_formula(*premise, &mut given))
            && alternatives(conclusion).into_iter().all(|case| self.assume_formula(case.not(), &mut denied));
        if !fine {
            return true;
        }
        let wanted: Vec<u32> = {
            let mut forms: Vec<u32> = denied.iter().flat_map(|open| open.clause.forms.iter().copied()).collect();
            forms.sort_unstable();
            forms.dedup();
            forms
        };
        given.sort_by_cached_key(|open| likeness(&open.clause.forms, &wanted));
        subsets(given.len()).into_iter().any(|subset| {
            let chosen = subset.into_iter().map(|k| given[k].clone());
            let open: Vec<Open> = chosen.chain(denied.iter().cloned()).collect();
            let (mark, depth) = (self.facts.mark(), self.path.len());
            let refuted = self.looks > 0 && self.refute(open);
            self.facts.back_to(mark);
            self.path.truncate(depth);
            refuted
        })
    }

    /// Adds a formula to the facts or the disjunctions; whether all may still hold together.
    fn assume_formula(&mut self, formula: Term, open: &mut Vec<Open>) -> bool {
        match formula.kind() {
            TermKind::Bool(truth) => *truth,
            TermKind::And(items) => items.iter().all(|item| self.assume_formula(*item, open)),
            TermKind::Or(_) => {
                open.push(Open::new(self.clause(formula)));
                true
            }
            _ => {
                let literal = self.facts.literal(formula);
                self.path.push(literal);
                self.facts.decide(&literal) != Some(false) && self.facts.assume(&literal)
            }
        }
    }

    fn clause(&mut self, disjunction: Term) -> Rc<Clause> {
        if let Some(known) = self.clauses.get(&disjunction) {
            return known.clone();
        }
        let cases: Vec<Case> = disjunction.children().into_iter().map(|case| self.case(case)).collect();
        let narrow = cases.iter().all(|case| case.literals.len() == 1 && case.clauses.is_empty());
        let literals = cases.iter().flat_map(|case| case.literals.iter().map(Literal::form));
        let nested = cases.iter().flat_map(|case| &case.clauses).flat_map(|clause| clause.forms.iter().copied());
        let mut forms: Vec<u32> = literals.chain(nested).collect();
        forms.sort_unstable();
        forms.dedup();
        self.kept += cases.iter().map(|case| case.literals.len()).sum::<usize>();
        let clause = Rc::new(Clause { cases, narrow, forms });
        self.clauses.insert(disjunction, clause.clone());
        clause
    }

    fn case(&mut self, formula: Term) -> Case {
        let mut case = Case { literals: Vec::new(), clauses: Vec::new() };
        for conjunct in formula.conjuncts() {
            match conjunct.kind() {
                TermKind::Or(_) => case.clauses.push(self.clause(conjunct)),
                _ => case.literals.push(self.facts.literal(conjunct)),
            }
        }
        case
    }

    /// Whether the facts and the disjunctions cannot hold together, as far as can be told.
    fn refute(&mut self, mut open: Vec<Open>) -> bool {
        loop {
            let mut left = Vec::with_capacity(open.len());
            let mut learned = false;
            for one in open {
                match self.look(&one) {
                    Look::Contradicted => return true,
                    Look::Satisfied => {}
                    Look::Last(case) => {
                        learned = true;
                        if !self.assume_case(&one.clause, case, &mut left) {
                            return true;
                        }
                    }
                    Look::Several(one) => left.push(one),
                }
            }
            open = left;
            if self.looks == 0 {
                return false;
            }
            if !learned {
                break;
            }
        }
        if open.iter().all(|one| one.clause.narrow) {
            open.iter_mut().for_each(|one| self.drop_contradicted(one));
        }
        let cases = |k: &usize| (open[*k].clause.narrow, open[*k].alive.len());
        let Some(fewest) = (0..open.len()).min_by_key(cases) else {
            return self.contradictory();
        };
        let split = open.swap_remove(fewest);
        split.alive.iter().all(|case| {
            let (mark, depth) = (self.facts.mark(), self.path.len());
            let mut rest = open.clone();
            let refuted = !self.assume_case(&split.clause, *case, &mut rest) || self.refute(rest);
            self.facts.back_to(mark);
            self.path.truncate(depth);
            refuted
        })
    }

    /// Whether something that has been assumed is false of the values that are left.
    fn contradictory(&mut self) -> bool {
        self.looks = self.looks.saturating_sub(self.path.len() as u64);
        self.path.iter().any(|literal| self.facts.decide(literal) == Some(false))
    }

    fn assume_case(&mut self, clause: &Clause, case: u32, open: &mut Vec<Open>) -> bool {
        let case = &clause.cases[case as usize];
        open.extend(case.clauses.iter().cloned().map(Open::new));
        self.path.extend(&case.literals);
        case.literals.iter().all(|literal| self.facts.assume(literal))
    }

    /// Finds the cases of a narrow clause that are left.
    fn drop_contradicted(&mut self, open: &mut Open) {
        self.looks = self.looks.saturating_sub(open.alive.len() as u64);
        let possible = |case: &u32| self.facts.decide(&open.clause.cases[*case as usize].literals[0]) != Some(false);
        open.alive = open.alive.iter().copied().filter(possible).collect();
    }

    fn look(&mut self, open: &Open) -> Look {
        let mut alive = Vec::new();
        for index in open.alive.iter() {
            let case = &open.clause.cases[*index as usize];
            let mut holds = case.clauses.is_empty();
            let contradicted = case.literals.iter().any(|literal| {
                self.looks = self.looks.saturating_sub(1);
                let decided = self.facts.decide(literal);
                holds &= decided == Some(true);
                decided == Some(false)
            });
            if contradicted {
                continue;
            }
            if holds {
                return Look::Satisfied;
            }
            alive.push(*index);
            // Which cases are left of a clause that is split last need not be known.
            if open.clause.narrow && alive.len() > 1 {
                return Look::Several(open.clone());
            }
        }
        match alive.as_slice() {
            [] => Look::Contradicted,
            [last] => Look::Last(*last),
            _ if alive.len() == open.alive.len() => Look::Several(open.clone()),
            _ => Look::Several(Open { clause: open.clause.clone(), alive: alive.into() }),
        }
    }
}

/// The formulas one of which a conclusion asks for.
fn alternatives(conclusion: Term) -> Vec<Term> {
    match conclusion.kind() {
        TermKind::Or(items) => items.to_vec(),
        _ => vec![conclusion],
    }
}

/// How much two sorted lists of forms have in common, the more the less.
fn likeness(forms: &[u32], wanted: &[u32]) -> usize {
    let common = forms.iter().filter(|form| wanted.binary_search(form).is_ok()).count();
    let all = forms.len() + wanted.len() - common;
    1_000 - (1_000 * common).checked_div(all).unwrap_or(0)
}

/// Which of so many disjunctions are tried together: none, the first, the first and another, the first few.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let pairs = (1..count).map(|k| vec![0, k]);
    let prefixes = (3..=count).map(|k| (0..k).collect());
    let mut all = vec![Vec::new()];
    all.extend((count > 0).then(|| vec![0]));
    all.extend(pairs.chain(prefixes));
    all
}
