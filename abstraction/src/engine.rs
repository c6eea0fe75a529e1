//! Entailment: the one place where the abstraction asks what follows from what.

use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

use linear::{Literal, LiteralTable, Shape, Symbol, ZERO};
use program::{Term, VarId};
use smt::{Answer, Solver};

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
    ranges: FxHashMap<VarId, (i128, i128)>,
    /// The conjunctions met so far, by their number, and back.
    conjunctions: Vec<Rc<[Literal]>>,
    numbers: FxHashMap<Rc<[Literal]>, Number>,
    /// Whether each of them has a solution, where that has been asked.
    together: Vec<Option<bool>>,
    /// What they say about goals.
    decided: FxHashMap<(Number, Literal), Option<bool>>,
    solver: Solver,
    counters: Counters,
}

/// The number of a conjunction.
type Number = u32;

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

/// A conjunction of premises, split into components that share no variable.
#[derive(Clone, Debug, Default)]
pub struct Premises {
    /// The components, each sorted.
    components: Vec<Vec<Literal>>,
    /// Their numbers, where they have been asked about.
    numbers: Vec<Cell<Option<Number>>>,
    /// The component of each symbol, sorted by symbol.
    of_symbol: Vec<(Symbol, u32)>,
}

/// Lower and upper bounds of single symbols, sorted by symbol: what a conjunction says most plainly. Millions of pairs are compared,
/// so they are small; a bound beyond 64 bits is the nearest that is not.
#[derive(Clone, Debug, Default)]
pub struct Bounds(Vec<(Symbol, i64, i64)>);

impl Engine {
    /// An engine for variables with these ranges.
    pub fn new(ranges: impl IntoIterator<Item = (VarId, (i128, i128))>) -> Engine {
        Engine {
            literals: LiteralTable::default(),
            ranges: ranges.into_iter().collect(),
            conjunctions: Vec::new(),
            numbers: FxHashMap::default(),
            together: Vec::new(),
            decided: FxHashMap::default(),
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
        let mut parent: Vec<u32> = (0..).take(literals.len()).collect();
        let mut uses: Vec<(Symbol, u32)> = Vec::with_capacity(2 * literals.len());
        for (k, literal) in (0..).zip(&literals) {
            uses.extend(self.literals.info(*literal).symbols.iter().map(|symbol| (*symbol, k)));
        }
        uses.sort_unstable();
        for pair in uses.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (a, b) = (root(&mut parent, pair[0].1), root(&mut parent, pair[1].1));
            parent[a as usize] = b;
        }
        let mut number: Vec<u32> = vec![u32::MAX; literals.len()];
        let mut components: Vec<Vec<Literal>> = Vec::new();
        for (k, literal) in (0..).zip(&literals) {
            let top = root(&mut parent, k) as usize;
            if number[top] == u32::MAX {
                number[top] = u32::try_from(components.len()).unwrap_or(u32::MAX);
                components.push(Vec::new());
            }
            components[number[top] as usize].push(*literal);
        }
        uses.dedup_by_key(|(symbol, _)| *symbol);
        let of_symbol = uses.into_iter().map(|(symbol, k)| (symbol, number[root(&mut parent, k) as usize])).collect();
        let numbers = vec![Cell::new(None); components.len()];
        Premises { components, numbers, of_symbol }
    }

    /// The bounds that single literals state.
    pub fn bounds(&self, literals: &[Literal]) -> Bounds {
        let mut all: Vec<(Symbol, i128, i128)> = Vec::new();
        for literal in literals {
            let (symbol, low, high) = match self.literals.info(*literal).shape {
                Shape::Le { plus, minus: ZERO, bound } => (plus, i128::MIN, bound),
                Shape::Le { plus: ZERO, minus, bound } => (minus, -bound, i128::MAX),
                Shape::Eq { plus, minus: ZERO, bound } => (plus, bound, bound),
                Shape::Eq { plus: ZERO, minus, bound } => (minus, -bound, -bound),
                _ => continue,
            };
            all.push((symbol, low, high));
        }
        all.sort_unstable();
        let mut merged: Vec<(Symbol, i64, i64)> = Vec::with_capacity(all.len());
        for (symbol, low, high) in all {
            let (low, high) = (nearest(low), nearest(high));
            match merged.last_mut() {
                Some(last) if last.0 == symbol => *last = (symbol, last.1.max(low), last.2.min(high)),
                _ => merged.push((symbol, low, high)),
            }
        }
        Bounds(merged)
    }

    /// The goal that a formula is.
    pub fn goal(&mut self, term: Term) -> Goal {
        match term.as_bool() {
            Some(value) => Goal::Constant(value),
            None => Goal::Open { holds: self.literal(term), fails: self.literal(term.not()) },
        }
    }

    /// Whether the premises hold together. Decided per component: a part that no question mentions may be the contradictory one.
    pub fn satisfiable(&mut self, premises: &Premises) -> bool {
        (0..premises.components.len()).all(|k| self.component_holds(premises, k))
    }

    /// Whether premises made of two conjunctions hold together, of which each does by itself. Both are sorted.
    pub fn compatible(&mut self, premises: &Premises, first: &[Literal], second: &[Literal]) -> bool {
        (0..premises.components.len()).all(|k| {
            let component = &premises.components[k];
            let within = |side: &[Literal]| component.iter().all(|literal| side.binary_search(literal).is_ok());
            within(first) || within(second) || self.component_holds(premises, k)
        })
    }

    /// Whether the premises, which must be satisfiable, entail the goal, or its negation. Only the premises connected to it by
    /// shared variables matter then.
    pub fn decide(&mut self, premises: &Premises, goal: Goal) -> Option<bool> {
        let (holds, fails) = match goal {
            Goal::Constant(value) => return Some(value),
            Goal::Open { holds, fails } => (holds, fails),
        };
        self.counters.queries += 1;
        let number = self.connected(premises, holds);
        if let Some(known) = self.decided.get(&(number, holds)) {
            self.counters.hits += 1;
            return *known;
        }
        let mut members: Vec<Literal> = self.conjunctions[number as usize].to_vec();
        members.push(fails);
        let decision = if !self.has_solution(&members) {
            Some(true)
        } else {
            members.pop();
            members.push(holds);
            if self.has_solution(&members) { None } else { Some(false) }
        };
        self.decided.insert((number, holds), decision);
        decision
    }

    /// The conjunction of the premises connected to a literal.
    fn connected(&mut self, premises: &Premises, literal: Literal) -> Number {
        let components = premises.components_of(&self.literals.info(literal).symbols);
        if let [one] = components[..] {
            return self.number(premises, one as usize);
        }
        let mut all: Vec<Literal> = Vec::new();
        for component in components {
            all.extend_from_slice(&premises.components[component as usize]);
        }
        all.sort_unstable();
        self.intern(&all)
    }

    /// The number of a component of premises.
    fn number(&mut self, premises: &Premises, component: usize) -> Number {
        if let Some(number) = premises.numbers[component].get() {
            return number;
        }
        let number = self.intern(&premises.components[component]);
        premises.numbers[component].set(Some(number));
        number
    }

    /// The number of a sorted conjunction.
    fn intern(&mut self, literals: &[Literal]) -> Number {
        if let Some(number) = self.numbers.get(literals) {
            return *number;
        }
        let number = Number::try_from(self.conjunctions.len()).unwrap_or(Number::MAX);
        let literals: Rc<[Literal]> = literals.into();
        self.conjunctions.push(literals.clone());
        self.together.push(None);
        self.numbers.insert(literals, number);
        number
    }

    /// Keeps the premises connected to these variables, primed or not. The others must be satisfiable by themselves.
    pub fn cone(&self, premises: &Premises, vars: &[VarId]) -> Vec<Literal> {
        let symbols: Vec<Symbol> = vars.iter().flat_map(|var| [symbol_of(*var), symbol_of(*var) + 1]).collect();
        let components = premises.components_of(&symbols).into_iter();
        let mut kept: Vec<Literal> =
            components.flat_map(|component| premises.components[component as usize].iter().copied()).collect();
        kept.sort_unstable();
        kept
    }

    /// Whether a component of the premises has a solution.
    fn component_holds(&mut self, premises: &Premises, component: usize) -> bool {
        self.counters.queries += 1;
        let number = self.number(premises, component);
        if let Some(answer) = self.together[number as usize] {
            self.counters.hits += 1;
            return answer;
        }
        let answer = self.has_solution(&premises.components[component]);
        self.together[number as usize] = Some(answer);
        answer
    }

    /// Whether a conjunction has a solution.
    fn has_solution(&mut self, literals: &[Literal]) -> bool {
        let ranges = &self.ranges;
        let range = |symbol: Symbol| ranges.get(&VarId((symbol / 2).wrapping_sub(1))).copied();
        match linear::satisfiable(&self.literals, literals, &range) {
            Some(answer) => {
                self.counters.direct += 1;
                answer
            }
            None => self.ask_solver(literals),
        }
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
    /// The components that these symbols belong to.
    fn components_of(&self, symbols: &[Symbol]) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            if let Ok(k) = self.of_symbol.binary_search_by_key(symbol, |(s, _)| *s) {
                let component = self.of_symbol[k].1;
                if !found.contains(&component) {
                    found.push(component);
                }
            }
        }
        found
    }
}

impl Bounds {
    /// The only value that a variable can have.
    pub fn value(&self, var: VarId) -> Option<i128> {
        let k = self.0.binary_search_by_key(&symbol_of(var), |(symbol, ..)| *symbol).ok()?;
        let (_, low, high) = self.0[k];
        // The outermost numbers stand for all beyond them.
        (low == high && low != i64::MIN && high != i64::MAX).then_some(i128::from(low))
    }
    /// Whether some symbol cannot satisfy both.
    pub fn contradict(&self, other: &Bounds) -> bool {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some((x, low, high)), Some((y, least, most))) = (a.peek(), b.peek()) {
            match x.cmp(y) {
                Ordering::Less => _ = a.next(),
                Ordering::Greater => _ = b.next(),
                Ordering::Equal if low.max(least) > high.min(most) => return true,
                Ordering::Equal => _ = (a.next(), b.next()),
            }
        }
        false
    }
}

/// What a bound says within 64 bits. Whatever is beyond it is compatible with it: no bound becomes stricter.
fn nearest(bound: i128) -> i64 {
    i64::try_from(bound).unwrap_or(if bound < 0 { i64::MIN } else { i64::MAX })
}

/// The symbol of a variable; that of its value after a step is the next.
fn symbol_of(var: VarId) -> Symbol {
    2 * var.0 + 2
}

fn root(parent: &mut [u32], mut k: u32) -> u32 {
    while parent[k as usize] != k {
        parent[k as usize] = parent[parent[k as usize] as usize];
        k = parent[k as usize];
    }
    k
}
