//! Entailment: the one place where the abstraction asks what follows from what.

use std::collections::HashMap;

use program::{Term, VarId};
use smt::{Answer, Solver};

use crate::difference;
use crate::literal::{Literal, LiteralTable, Symbol};

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
    literals: LiteralTable,
    ranges: HashMap<VarId, (i128, i128)>,
    table: HashMap<Box<[Literal]>, bool>,
    solver: Solver,
    counters: Counters,
}

/// A conjunction of premises, split into components that share no variable.
#[derive(Clone, Debug)]
pub struct Premises {
    literals: Vec<Literal>,
    /// The component of each literal.
    component: Vec<u32>,
    /// The component of each symbol.
    of_symbol: HashMap<Symbol, u32>,
    components: u32,
}

impl Engine {
    /// An engine for variables with these ranges.
    pub fn new(ranges: impl IntoIterator<Item = (VarId, (i128, i128))>) -> Engine {
        Engine {
            literals: LiteralTable::default(),
            ranges: ranges.into_iter().collect(),
            table: HashMap::new(),
            solver: Solver::new(LIMIT),
            counters: Counters::default(),
        }
    }

    /// What was asked so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The literal of a formula.
    pub fn literal(&mut self, term: Term) -> Literal {
        self.literals.literal(term)
    }

    /// The formula of a literal.
    pub fn term(&self, literal: Literal) -> Term {
        self.literals.info(literal).term
    }

    /// Premises made of these literals.
    pub fn premises(&self, literals: impl IntoIterator<Item = Literal>) -> Premises {
        let mut literals: Vec<Literal> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        let mut parent: Vec<u32> = (0..literals.len() as u32).collect();
        let mut of_symbol: HashMap<Symbol, u32> = HashMap::new();
        for (k, literal) in literals.iter().enumerate() {
            for symbol in &self.literals.info(*literal).symbols {
                let other = *of_symbol.entry(*symbol).or_insert(k as u32);
                let (a, b) = (root(&mut parent, other), root(&mut parent, k as u32));
                parent[a as usize] = b;
            }
        }
        let component: Vec<u32> = (0..literals.len() as u32).map(|k| root(&mut parent, k)).collect();
        for entry in of_symbol.values_mut() {
            *entry = component[*entry as usize];
        }
        let components = literals.len() as u32;
        Premises { literals, component, of_symbol, components }
    }

    /// Whether the premises hold together. Decided per component: a part that no question mentions may be the contradictory one.
    pub fn satisfiable(&mut self, premises: &Premises) -> bool {
        for component in 0..premises.components {
            let members: Vec<Literal> = premises.members(|c| c == component).collect();
            if !members.is_empty() && !self.holds_together(members) {
                return false;
            }
        }
        true
    }

    /// Whether the premises, which must be satisfiable, entail the formula. Only the premises connected to it by shared
    /// variables matter then.
    pub fn entails(&mut self, premises: &Premises, goal: Term) -> bool {
        match goal.as_bool() {
            Some(true) => true,
            Some(false) => false,
            None => {
                let negated = self.literals.literal(goal.not());
                let mut cone: Vec<u32> = Vec::new();
                for symbol in &self.literals.info(negated).symbols {
                    cone.extend(premises.of_symbol.get(symbol));
                }
                let mut members: Vec<Literal> = premises.members(|c| cone.contains(&c)).collect();
                members.push(negated);
                !self.holds_together(members)
            }
        }
    }

    /// Keeps the premises connected to these variables, primed or not. The others must be satisfiable by themselves.
    pub fn cone(&self, premises: &Premises, vars: impl IntoIterator<Item = VarId>) -> Vec<Literal> {
        let mut kept: Vec<u32> = Vec::new();
        for var in vars {
            kept.extend(premises.of_symbol.get(&(2 * var.0 + 2)));
            kept.extend(premises.of_symbol.get(&(2 * var.0 + 3)));
        }
        premises.members(|c| kept.contains(&c)).collect()
    }

    fn holds_together(&mut self, mut literals: Vec<Literal>) -> bool {
        self.counters.queries += 1;
        literals.sort_unstable();
        literals.dedup();
        if let Some(answer) = self.table.get(literals.as_slice()) {
            self.counters.hits += 1;
            return *answer;
        }
        let ranges = &self.ranges;
        let range = |symbol: Symbol| ranges.get(&VarId((symbol / 2).wrapping_sub(1))).copied();
        let answer = match difference::satisfiable(&self.literals, &literals, &range) {
            Some(answer) => {
                self.counters.direct += 1;
                answer
            }
            None => self.ask_solver(&literals),
        };
        self.table.insert(literals.into(), answer);
        answer
    }

    fn ask_solver(&mut self, literals: &[Literal]) -> bool {
        self.counters.solver += 1;
        let mut formulas: Vec<Term> = Vec::new();
        for literal in literals {
            let term = self.literals.info(*literal).term;
            formulas.push(term);
            term.visit(&mut |sub| {
                if let program::TermKind::Var(var, program::Sort::Int)
                | program::TermKind::Primed(var, program::Sort::Int) = sub.kind()
                {
                    formulas.extend(self.ranges.get(var).map(|(low, high)| sub.within(*low, *high)));
                }
            });
        }
        match self.solver.check(&formulas) {
            Answer::Unsat => false,
            Answer::Sat => true,
            Answer::Unknown => {
                self.counters.unknown += 1;
                true
            }
        }
    }
}

impl Premises {
    /// The literals.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }
    fn members(&self, wanted: impl Fn(u32) -> bool) -> impl Iterator<Item = Literal> {
        self.literals.iter().zip(&self.component).filter(move |(_, c)| wanted(**c)).map(|(literal, _)| *literal)
    }
}

fn root(parent: &mut [u32], mut k: u32) -> u32 {
    while parent[k as usize] != k {
        parent[k as usize] = parent[parent[k as usize] as usize];
        k = parent[k as usize];
    }
    k
}
