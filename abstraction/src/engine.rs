//! Entailment: the one place where the abstraction asks what follows from what.

use std::convert::Infallible;

use linear::Literal;
use program::{Sort, Term, TermKind, VarId};
use smt::{Answer, Solver};

use crate::premises::{Bounds, Premises};
use crate::tables::{Entailment, Solutions, Tables, closed};

/// Z3's resource units for one question; what is not answered then counts as not entailed, which is sound.
const LIMIT: u32 = 2_000_000;

/// What entailment cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Questions asked.
    pub queries: u64,
    /// Answered from the table.
    pub hits: u64,
    /// Decided as bounds, equalities and differences.
    pub direct: u64,
    /// Asked of Z3.
    pub solver: u64,
    /// Not answered by Z3.
    pub unknown: u64,
}

/// Decides entailments, and remembers every answer.
pub struct Engine {
    tables: Tables,
    solver: Solver,
    asked: u64,
    unanswered: u64,
}

/// A formula to be decided, with its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Its truth does not depend on the state.
    Constant(bool),
    /// It holds, or it fails.
    Open {
        /// The formula.
        holds: Literal,
        /// Its negation.
        fails: Literal,
    },
}

impl Engine {
    /// An engine for variables with these ranges.
    pub fn new(ranges: impl IntoIterator<Item = (VarId, (i128, i128))>) -> Engine {
        Engine { tables: Tables::new(ranges), solver: Solver::new(LIMIT), asked: 0, unanswered: 0 }
    }

    /// What was asked so far.
    pub fn counters(&self) -> Counters {
        let (queries, hits, direct) = self.tables.totals();
        Counters { queries, hits, direct, solver: self.asked, unknown: self.unanswered }
    }

    /// How often Z3 was asked.
    pub fn asked_of_solver(&self) -> u64 {
        self.asked
    }

    /// The literal of a formula.
    pub fn literal(&mut self, term: Term) -> Literal {
        self.tables.literals.literal(term)
    }

    /// The formula of a literal.
    pub fn term(&self, literal: Literal) -> Term {
        self.tables.literals.info(literal).term
    }

    /// Premises made of these literals.
    pub fn premises(&self, literals: impl IntoIterator<Item = Literal>) -> Premises {
        self.tables.premises(literals)
    }

    /// The bounds that single literals state.
    pub fn bounds(&self, literals: &[Literal]) -> Bounds {
        self.tables.bounds(literals)
    }

    /// The goal that a formula is.
    pub fn goal(&mut self, term: Term) -> Goal {
        match term.as_bool() {
            Some(value) => Goal::Constant(value),
            None => Goal::Open { holds: self.literal(term), fails: self.literal(term.not()) },
        }
    }

    /// Whether the premises hold together: see [`Entailment::holds`].
    pub fn satisfiable(&mut self, premises: &Premises) -> bool {
        closed(self.holds(premises))
    }

    /// Whether two conjunctions that hold by themselves do so together: see [`Entailment::hold_together`].
    pub fn compatible(&mut self, premises: &Premises, first: &[Literal], second: &[Literal]) -> bool {
        closed(self.hold_together(premises, &[first, second]))
    }

    /// What satisfiable premises say about a goal: see [`Entailment::entails`].
    pub fn decide(&mut self, premises: &Premises, goal: Goal) -> Option<bool> {
        closed(self.entails(premises, goal, &mut Solutions::default()))
    }
}

/// What linear arithmetic cannot decide, Z3 does.
impl Entailment for Engine {
    type Open = Infallible;

    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn literal_of(&mut self, term: Term) -> Result<Literal, Infallible> {
        Ok(self.literal(term))
    }

    fn beyond(&mut self, literals: &[Literal]) -> Result<bool, Infallible> {
        self.asked += 1;
        let mut formulas: Vec<Term> = Vec::new();
        for literal in literals {
            let term = self.tables.literals.info(*literal).term;
            formulas.push(term);
            term.visit(&mut |sub| {
                if let TermKind::Var(var, Sort::Int) | TermKind::Primed(var, Sort::Int) = sub.kind() {
                    let range = self.tables.literals.range_of_variable(*var);
                    formulas.extend(range.map(|(low, high)| sub.within(low, high)));
                }
            });
        }
        Ok(match self.solver.check(&formulas) {
            Answer::Unsat => false,
            Answer::Sat => true,
            Answer::Unknown => {
                self.unanswered += 1;
                true
            }
        })
    }
}
