//! Questions about formulas, answered where this crate can.

use program::Term;

use crate::literal::{Literal, LiteralTable};
use crate::satisfiable;

/// What is known of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It has a solution.
    Satisfiable,
    /// It has none, because of these formulas.
    Conflict(Vec<usize>),
}

/// Decides conjunctions of formulas over unbounded integers.
#[derive(Default)]
pub struct Decider {
    table: LiteralTable,
}

impl Decider {
    /// Whether the conjunction has a solution; nothing if that cannot be said here.
    pub fn satisfiable(&mut self, formulas: &[Term]) -> Option<bool> {
        let literals = self.literals(formulas);
        self.holds(&literals)
    }

    /// Whether `hard` and all of `soft` have a solution; if not, soft formulas of which none can be left out of the conflict, by
    /// their indices, the later ones left out first. Nothing if that cannot be said here.
    pub fn core(&mut self, hard: &[Term], soft: &[Term]) -> Option<Decision> {
        let mut all = self.literals(hard);
        all.extend(self.literals(soft));
        if self.holds(&all)? {
            return Some(Decision::Satisfiable);
        }
        for k in (hard.len()..all.len()).rev() {
            let left_out = all.remove(k);
            if self.holds(&all) != Some(false) {
                all.insert(k, left_out);
            }
        }
        let soft = self.literals(soft);
        let core = all[hard.len()..].iter().filter_map(|literal| soft.iter().position(|l| l == literal)).collect();
        Some(Decision::Conflict(core))
    }

    fn literals(&mut self, formulas: &[Term]) -> Vec<Literal> {
        formulas.iter().map(|formula| self.table.literal(*formula)).collect()
    }

    fn holds(&self, literals: &[Literal]) -> Option<bool> {
        satisfiable(&self.table, literals)
    }
}
