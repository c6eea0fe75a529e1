//! Satisfiability of bounds, equalities, differences and disequalities over the integers, without a solver.
//!
//! Difference constraints have an integer solution iff their graph has no negative cycle; the shortest paths are one.
//! Disequalities and disjunctions that this solution violates are split upon, the narrowest first; what it satisfies needs no
//! choice, however many there are.

use std::collections::VecDeque;

use crate::Open;
use crate::literal::{Literal, LiteralTable, Shape, Symbol, ZERO};
use crate::model::{Answer, Model};

/// More case splits than this go to Z3.
const SPLITS: usize = 1000;
/// After this many, it pays to see which parts of disjunctions are possible before one is chosen.
const LOOK_AHEAD: usize = 20;

/// A formula by the nodes of the graph.
enum Part {
    /// `plus - minus <= bound`.
    Le(Edge),
    /// `plus - minus = bound`, or not.
    Eq(Edge, bool),
    All(Vec<Part>),
    Some(Vec<Part>),
}

#[derive(Clone, Copy)]
struct Edge {
    plus: usize,
    minus: usize,
    bound: i128,
}

/// A disjunction of which at least one part must hold.
#[derive(Clone, Copy)]
struct Choice<'a> {
    parts: &'a [Part],
    /// One of them has been assumed.
    made: bool,
}

/// What is assumed at some point of the search.
struct Search<'a> {
    /// A solution of the edges.
    values: Vec<i128>,
    /// The edges by what they subtract: what they add, and the bound.
    from: Vec<Vec<(usize, i128)>>,
    /// What the edges subtract, in the order in which they were assumed.
    assumed: Vec<usize>,
    unequal: Vec<Edge>,
    choices: Vec<Choice<'a>>,
    splits: usize,
}

/// A point of the search to come back to.
struct Mark {
    values: Vec<i128>,
    assumed: usize,
    unequal: usize,
    choices: usize,
}

/// What to split upon.
enum Violated<'a> {
    Unequal(Edge),
    Choice(usize, &'a [Part]),
}

/// A solution of the conjunction with every symbol in its range, or that there is none.
pub(crate) fn solve(table: &LiteralTable, literals: &[Literal]) -> Result<Answer, Open> {
    let mut nodes: Vec<Symbol> = literals.iter().flat_map(|l| table.info(*l).symbols.iter().copied()).collect();
    nodes.push(ZERO);
    nodes.sort_unstable();
    nodes.dedup();
    let parts: Vec<Part> = literals.iter().map(|literal| part(table, &nodes, *literal)).collect::<Result<_, _>>()?;
    let mut search = Search::new(nodes.len());
    for (node, symbol) in nodes.iter().enumerate() {
        if let Some((low, high)) = table.range(*symbol) {
            let above = Edge { plus: node, minus: 0, bound: high };
            let below = Edge { plus: 0, minus: node, bound: -low };
            if !search.add(above) || !search.add(below) {
                return Ok(Answer::Contradiction);
            }
        }
    }
    if !parts.iter().all(|part| search.assume(part)) || !search.solve()? {
        return Ok(Answer::Contradiction);
    }
    let zero = search.values[0];
    Ok(Answer::Solution(Model::new(&nodes, search.values.iter().map(|value| value - zero))))
}

/// A literal by nodes, which are sorted; zero is the first.
fn part(table: &LiteralTable, nodes: &[Symbol], literal: Literal) -> Result<Part, Open> {
    let edge = |plus: &Symbol, minus: &Symbol, bound: i128| -> Result<Edge, Open> {
        let node = |symbol: &Symbol| nodes.binary_search(symbol).map_err(|_| Open::Outside);
        Ok(Edge { plus: node(plus)?, minus: node(minus)?, bound })
    };
    let parts =
        |items: &[Literal]| -> Result<Vec<Part>, Open> { items.iter().map(|item| part(table, nodes, *item)).collect() };
    Ok(match &table.info(literal).shape {
        Shape::Le { plus, minus, bound } => Part::Le(edge(plus, minus, *bound)?),
        Shape::Eq { plus, minus, bound } => Part::Eq(edge(plus, minus, *bound)?, true),
        Shape::Ne { plus, minus, bound } => Part::Eq(edge(plus, minus, *bound)?, false),
        Shape::And(items) => Part::All(parts(items)?),
        Shape::Or(items) => Part::Some(parts(items)?),
        Shape::Constant(true) => Part::All(Vec::new()),
        Shape::Constant(false) => Part::Some(Vec::new()),
        Shape::Sum { .. } | Shape::Opaque => return Err(Open::Outside),
    })
}

impl Edge {
    /// `minus - plus <= -bound`: with the edge itself, both are equal.
    fn back(self) -> Edge {
        Edge { plus: self.minus, minus: self.plus, bound: -self.bound }
    }

    /// The two ways to be unequal: `plus - minus` is less than the bound, or greater.
    fn apart(self) -> [Edge; 2] {
        let back = self.back();
        [Edge { bound: self.bound - 1, ..self }, Edge { bound: back.bound - 1, ..back }]
    }

    /// `plus - minus`, by these values.
    fn difference(self, values: &[i128]) -> i128 {
        values[self.plus] - values[self.minus]
    }
}

impl Part {
    fn holds(&self, values: &[i128]) -> bool {
        match self {
            Part::Le(edge) => edge.difference(values) <= edge.bound,
            Part::Eq(edge, equal) => (edge.difference(values) == edge.bound) == *equal,
            Part::All(parts) => parts.iter().all(|part| part.holds(values)),
            Part::Some(parts) => parts.iter().any(|part| part.holds(values)),
        }
    }
}

impl<'a> Search<'a> {
    fn new(nodes: usize) -> Search<'a> {
        Search {
            values: vec![0; nodes],
            from: vec![Vec::new(); nodes],
            assumed: Vec::new(),
            unequal: Vec::new(),
            choices: Vec::new(),
            splits: 0,
        }
    }

    /// Assumes a part; false if its edges contradict those that are there.
    fn assume(&mut self, part: &'a Part) -> bool {
        match part {
            Part::Le(edge) => return self.add(*edge),
            Part::Eq(edge, true) => return self.add(*edge) && self.add(edge.back()),
            Part::Eq(edge, false) => self.unequal.push(*edge),
            Part::All(parts) => return parts.iter().all(|part| self.assume(part)),
            Part::Some(parts) => self.choices.push(Choice { parts, made: false }),
        }
        true
    }

    /// Assumes that a part does not hold, where that is simple; false if that contradicts what is there.
    fn exclude(&mut self, part: &'a Part) -> bool {
        match part {
            Part::Le(edge) => return self.add(edge.apart()[1]),
            Part::Eq(edge, true) => self.unequal.push(*edge),
            Part::Eq(edge, false) => return self.add(*edge) && self.add(edge.back()),
            Part::All(_) | Part::Some(_) => {}
        }
        true
    }

    fn mark(&self) -> Mark {
        let (assumed, unequal, choices) = (self.assumed.len(), self.unequal.len(), self.choices.len());
        Mark { values: self.values.clone(), assumed, unequal, choices }
    }

    fn back_to(&mut self, mark: &Mark) {
        self.values.copy_from_slice(&mark.values);
        for minus in self.assumed.drain(mark.assumed..) {
            self.from[minus].pop();
        }
        self.unequal.truncate(mark.unequal);
        self.choices.truncate(mark.choices);
    }

    /// Whether there is a solution: then the values are one. If not, everything is as it was.
    fn solve(&mut self) -> Result<bool, Open> {
        self.splits += 1;
        if self.splits > SPLITS {
            return Err(Open::TooLong);
        }
        match self.violated() {
            None => return Ok(true),
            Some(Violated::Unequal(edge)) => {
                let start = self.mark();
                for way in edge.apart() {
                    if self.add(way) && self.solve()? {
                        return Ok(true);
                    }
                    self.back_to(&start);
                }
            }
            Some(Violated::Choice(k, parts)) => {
                let start = self.mark();
                self.choices[k].made = true;
                for part in parts {
                    let before = self.mark();
                    if self.assume(part) && self.solve()? {
                        return Ok(true);
                    }
                    self.back_to(&before);
                    if !self.exclude(part) {
                        break;
                    }
                }
                self.choices[k].made = false;
                self.back_to(&start);
            }
        }
        Ok(false)
    }

    /// What the values violate that leaves the fewest ways to go on.
    fn violated(&mut self) -> Option<Violated<'a>> {
        let mut narrowest: Option<(usize, usize)> = None;
        for k in 0..self.choices.len() {
            let Choice { parts, made } = self.choices[k];
            if made || parts.iter().any(|part| part.holds(&self.values)) {
                continue;
            }
            let ways = if self.splits < LOOK_AHEAD { parts.len() } else { self.possible(parts) };
            if narrowest.is_none_or(|(least, _)| ways < least) {
                narrowest = Some((ways, k));
            }
            if ways < 2 {
                break;
            }
        }
        let unequal = self.unequal.iter().find(|edge| edge.difference(&self.values) == edge.bound);
        match (narrowest, unequal) {
            (Some((ways, k)), unequal) if unequal.is_none() || ways < 2 => {
                Some(Violated::Choice(k, self.choices[k].parts))
            }
            (_, Some(edge)) => Some(Violated::Unequal(*edge)),
            _ => None,
        }
    }

    /// How many parts do not contradict the edges.
    fn possible(&mut self, parts: &'a [Part]) -> usize {
        let start = self.mark();
        let mut count = 0;
        for part in parts {
            count += usize::from(self.assume(part));
            self.back_to(&start);
        }
        count
    }

    /// Assumes an edge and makes the values a solution again; false if there is none. Whatever must be lowered is so because of the
    /// new edge: if what it subtracts must be, that is a negative cycle, and there is one only then.
    fn add(&mut self, edge: Edge) -> bool {
        self.from[edge.minus].push((edge.plus, edge.bound));
        self.assumed.push(edge.minus);
        if edge.difference(&self.values) <= edge.bound {
            return true;
        }
        if edge.plus == edge.minus {
            return false;
        }
        self.values[edge.plus] = self.values[edge.minus] + edge.bound;
        let mut lowered = VecDeque::from([edge.plus]);
        while let Some(node) = lowered.pop_front() {
            for (plus, bound) in &self.from[node] {
                let limit = self.values[node] + bound;
                if self.values[*plus] > limit {
                    if *plus == edge.minus {
                        return false;
                    }
                    self.values[*plus] = limit;
                    lowered.push_back(*plus);
                }
            }
        }
        true
    }
}
