//! What has been asked and answered, for all workers of a run.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use linear::{Literal, LiteralTable, Model, Shape, Symbol, ZERO};
use program::{Term, VarId};
use smallvec::SmallVec;

use crate::engine::Goal;
use crate::premises::{Bounds, Number, Numbered, Premises, symbol_of};
use crate::sharded::Sharded;

/// A question that is decided by Z3 alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond;

/// The literals met so far, and every answer. Workers share it; new literals are made by whoever has it alone.
pub struct Tables {
    pub(crate) literals: LiteralTable,
    /// The conjunctions met so far, by their number. Which number one gets is of no consequence.
    numbers: Sharded<Box<[Literal]>, Number>,
    next: AtomicU32,
    /// What conjunctions say about a goal, or about themselves: whether they have a solution.
    answers: Sharded<(Number, Option<Literal>), Option<bool>>,
    direct: AtomicU64,
}

impl Tables {
    pub(crate) fn new(ranges: impl IntoIterator<Item = (VarId, (i128, i128))>) -> Tables {
        Tables {
            literals: LiteralTable::new(ranges),
            numbers: Sharded::default(),
            next: AtomicU32::new(0),
            answers: Sharded::default(),
            direct: AtomicU64::new(0),
        }
    }

    /// Questions asked, answered from the table, and decided by linear arithmetic.
    pub(crate) fn totals(&self) -> (u64, u64, u64) {
        let (asked, known) = self.answers.totals();
        (asked, known, self.direct.load(Ordering::Relaxed))
    }

    /// Premises made of these literals.
    pub fn premises(&self, literals: impl IntoIterator<Item = Literal>) -> Premises {
        let mut given: SmallVec<[Literal; 64]> = literals.into_iter().collect();
        given.sort_unstable();
        given.dedup();
        let mut parent: SmallVec<[u32; 64]> = (0..).take(given.len()).collect();
        let mut uses: SmallVec<[(Symbol, u32); 128]> = SmallVec::new();
        for (k, literal) in (0..).zip(&given) {
            uses.extend(self.literals.info(*literal).symbols.iter().map(|symbol| (*symbol, k)));
        }
        uses.sort_unstable();
        for pair in uses.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (a, b) = (root(&mut parent, pair[0].1), root(&mut parent, pair[1].1));
            parent[a as usize] = b;
        }
        // Components are numbered by their first literals; the literals of each are then put together, in order.
        let mut number: SmallVec<[u32; 64]> = SmallVec::from_elem(u32::MAX, given.len());
        let mut sizes: SmallVec<[u32; 64]> = SmallVec::new();
        for k in (0..).take(given.len()) {
            let top = root(&mut parent, k) as usize;
            if number[top] == u32::MAX {
                number[top] = program::number(sizes.len());
                sizes.push(0);
            }
            sizes[number[top] as usize] += 1;
        }
        let mut end = 0;
        let ends = sizes.iter().map(|size| {
            end += size;
            (end, Numbered::default())
        });
        let components: SmallVec<[(u32, Numbered); 8]> = ends.collect();
        let mut next: SmallVec<[u32; 64]> = components.iter().zip(&sizes).map(|((end, _), size)| end - size).collect();
        let mut literals = given.to_vec();
        for (k, literal) in (0..).zip(&given) {
            let slot = &mut next[number[root(&mut parent, k) as usize] as usize];
            literals[*slot as usize] = *literal;
            *slot += 1;
        }
        uses.dedup_by_key(|(symbol, _)| *symbol);
        let of_symbol = uses.into_iter().map(|(symbol, k)| (symbol, number[root(&mut parent, k) as usize])).collect();
        Premises { literals, components, of_symbol }
    }

    /// The bounds that single literals state.
    pub fn bounds(&self, literals: &[Literal]) -> Bounds {
        let bound = |literal: &Literal| match self.literals.info(*literal).shape {
            Shape::Le { plus, minus: ZERO, bound } => Some((plus, i128::MIN, bound)),
            Shape::Le { plus: ZERO, minus, bound } => Some((minus, -bound, i128::MAX)),
            Shape::Eq { plus, minus: ZERO, bound } => Some((plus, bound, bound)),
            Shape::Eq { plus: ZERO, minus, bound } => Some((minus, -bound, -bound)),
            _ => None,
        };
        Bounds::new(literals.iter().filter_map(bound).collect())
    }

    /// Keeps the premises connected to these variables, primed or not. The others must be satisfiable by themselves.
    pub fn cone(&self, premises: &Premises, vars: &[VarId]) -> Vec<Literal> {
        let symbols: SmallVec<[Symbol; 32]> =
            vars.iter().flat_map(|var| [symbol_of(*var), symbol_of(*var) + 1]).collect();
        let components = premises.components_of(&symbols).into_iter();
        let mut kept: Vec<Literal> =
            components.flat_map(|component| premises.component(component as usize).iter().copied()).collect();
        kept.sort_unstable();
        kept
    }

    /// The premises connected to a literal, with their number.
    fn connected<'a>(&self, premises: &'a Premises, literal: Literal) -> (Number, Cow<'a, [Literal]>) {
        let components = premises.components_of(&self.literals.info(literal).symbols);
        if let [one] = components[..] {
            let number = self.number(premises, one as usize);
            return (number, Cow::Borrowed(premises.component(one as usize)));
        }
        let mut all: Vec<Literal> = Vec::new();
        for component in components {
            all.extend_from_slice(premises.component(component as usize));
        }
        all.sort_unstable();
        (self.intern(&all), Cow::Owned(all))
    }

    /// The number of a component of premises.
    fn number(&self, premises: &Premises, component: usize) -> Number {
        let known = &premises.components[component].1;
        known.get().unwrap_or_else(|| {
            let number = self.intern(premises.component(component));
            known.set(number);
            number
        })
    }

    /// The number of a sorted conjunction.
    fn intern(&self, literals: &[Literal]) -> Number {
        let mixed = literals.iter().fold(0u32, |sum, literal| sum.wrapping_mul(31).wrapping_add(literal.index()));
        let mut part = self.numbers.part(mixed);
        if let Some(number) = part.map.get(literals) {
            return *number;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        part.map.insert(literals.into(), number);
        number
    }

    /// What is known about a question.
    fn recall(&self, number: Number, goal: Option<Literal>) -> Option<Option<bool>> {
        let mut part = self.answers.part(place(number, goal));
        part.asked += 1;
        let known = part.map.get(&(number, goal)).copied();
        part.known += u64::from(known.is_some());
        known
    }

    fn remember(&self, number: Number, goal: Option<Literal>, answer: Option<bool>) {
        self.answers.part(place(number, goal)).map.insert((number, goal), answer);
    }
}

/// Decides what follows from what. Where linear arithmetic cannot tell, it depends on who is asked.
pub trait Entailment {
    /// Why a question may stay open.
    type Open;

    /// What has been asked and answered.
    fn tables(&self) -> &Tables;

    /// The literal of a formula.
    fn literal_of(&mut self, term: Term) -> Result<Literal, Self::Open>;

    /// Whether a conjunction has a solution that linear arithmetic cannot decide.
    fn beyond(&mut self, literals: &[Literal]) -> Result<bool, Self::Open>;

    /// Whether the premises hold together. Decided per component: a part that no question mentions may be the contradictory one.
    fn holds(&mut self, premises: &Premises) -> Result<bool, Self::Open> {
        for component in 0..premises.components.len() {
            if !self.component_holds(premises, component)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether premises hold together of which these parts, each sorted, do by themselves: only what connects parts, or is in none,
    /// is a question.
    fn hold_together(&mut self, premises: &Premises, parts: &[&[Literal]]) -> Result<bool, Self::Open> {
        for k in 0..premises.components.len() {
            let component = premises.component(k);
            let within = |part: &&[Literal]| component.iter().all(|literal| part.binary_search(literal).is_ok());
            if !parts.iter().any(within) && !self.component_holds(premises, k)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the premises, which must be satisfiable, entail the goal, or its negation. Only the premises connected to it by
    /// shared variables matter then. A solution in which the goal holds, or fails, that was found when something else was asked of
    /// these premises, answers as well as a new one.
    fn entails(&mut self, premises: &Premises, goal: Goal, met: &mut Solutions) -> Result<Option<bool>, Self::Open> {
        let (holds, fails) = match goal {
            Goal::Constant(value) => return Ok(Some(value)),
            Goal::Open { holds, fails } => (holds, fails),
        };
        let tables = self.tables();
        let (number, members) = tables.connected(premises, holds);
        if let Some(known) = tables.recall(number, Some(holds)) {
            return Ok(known);
        }
        let (mut may_hold, mut may_fail) = met.say(&tables.literals, number, holds);
        let mut members = members.into_owned();
        for (literal, may) in [(fails, &mut may_fail), (holds, &mut may_hold)] {
            if !*may {
                members.push(literal);
                let solution = self.solution(&members)?;
                members.pop();
                *may = !matches!(solution, Solution::None);
                met.keep(number, solution);
            }
            if !*may {
                break;
            }
        }
        let decision = if !may_fail {
            Some(true)
        } else if may_hold {
            None
        } else {
            Some(false)
        };
        self.tables().remember(number, Some(holds), decision);
        Ok(decision)
    }

    /// Whether a component of the premises has a solution.
    fn component_holds(&mut self, premises: &Premises, component: usize) -> Result<bool, Self::Open> {
        let tables = self.tables();
        let number = tables.number(premises, component);
        if let Some(Some(answer)) = tables.recall(number, None) {
            return Ok(answer);
        }
        let answer = !matches!(self.solution(premises.component(component))?, Solution::None);
        self.tables().remember(number, None, Some(answer));
        Ok(answer)
    }

    /// Whether a conjunction has a solution, and which.
    fn solution(&mut self, literals: &[Literal]) -> Result<Solution, Self::Open> {
        let tables = self.tables();
        match linear::solve(&tables.literals, literals) {
            Some(answer) => {
                tables.direct.fetch_add(1, Ordering::Relaxed);
                Ok(match answer {
                    linear::Answer::Solution(model) => Solution::Model(model),
                    linear::Answer::Contradiction => Solution::None,
                })
            }
            None => Ok(if self.beyond(literals)? { Solution::Some } else { Solution::None }),
        }
    }
}

/// Whether a conjunction has a solution.
pub enum Solution {
    /// This one, and maybe others.
    Model(Model),
    /// Some.
    Some,
    /// None.
    None,
}

/// Solutions of conjunctions that were met while goals were decided, by the conjunctions' numbers.
#[derive(Default)]
pub struct Solutions(Vec<(Number, Model)>);

impl Solutions {
    /// Whether a solution of the conjunction makes the literal true, and whether one makes it false.
    fn say(&self, literals: &LiteralTable, number: Number, literal: Literal) -> (bool, bool) {
        let mut said = (false, false);
        for (_, model) in self.0.iter().rev().filter(|(of, _)| *of == number) {
            match model.satisfies(literals, literal) {
                Some(true) => said.0 = true,
                Some(false) => said.1 = true,
                None => {}
            }
            if said == (true, true) {
                break;
            }
        }
        said
    }

    fn keep(&mut self, number: Number, solution: Solution) {
        if let Solution::Model(model) = solution {
            self.0.push((number, model));
        }
    }
}

/// A worker without a solver.
impl Entailment for &Tables {
    type Open = Beyond;

    fn tables(&self) -> &Tables {
        self
    }
    fn literal_of(&mut self, term: Term) -> Result<Literal, Beyond> {
        self.literals.known(term).ok_or(Beyond)
    }
    fn beyond(&mut self, _: &[Literal]) -> Result<bool, Beyond> {
        Err(Beyond)
    }
}

/// The answer where nothing stays open.
pub(crate) fn closed<T>(answer: Result<T, Infallible>) -> T {
    let Ok(answer) = answer;
    answer
}

fn place(number: Number, goal: Option<Literal>) -> u32 {
    number.wrapping_mul(61).wrapping_add(goal.map_or(0, Literal::index))
}

fn root(parent: &mut [u32], mut k: u32) -> u32 {
    while parent[k as usize] != k {
        parent[k as usize] = parent[parent[k as usize] as usize];
        k = parent[k as usize];
    }
    k
}
