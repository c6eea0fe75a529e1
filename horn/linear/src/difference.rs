//! Satisfiability of bounds, equalities, differences and disequalities over the integers, without a solver.
//!
//! Difference constraints have an integer solution iff their graph has no negative cycle; the shortest paths are one.
//! Disequalities and disjunctions that this solution violates are split upon.

use std::collections::BTreeMap;

use crate::literal::{Literal, LiteralTable, Shape, Symbol, ZERO};

/// More case splits than this go to Z3.
const SPLITS: usize = 200;

#[derive(Clone, Copy)]
struct Edge {
    plus: usize,
    minus: usize,
    bound: i128,
}

#[derive(Clone, Copy)]
struct Disequality {
    plus: usize,
    minus: usize,
    value: i128,
}

struct Problem<'a> {
    table: &'a LiteralTable,
    nodes: BTreeMap<Symbol, usize>,
    edges: Vec<Edge>,
    unequal: Vec<Disequality>,
    choices: Vec<&'a [Literal]>,
    splits: usize,
}

/// Whether the conjunction has a solution with every symbol in its range; nothing if this fragment cannot say.
pub(crate) fn satisfiable(table: &LiteralTable, literals: &[Literal]) -> Option<bool> {
    let mut problem = Problem {
        table,
        nodes: BTreeMap::from([(ZERO, 0)]),
        edges: Vec::new(),
        unequal: Vec::new(),
        choices: Vec::new(),
        splits: 0,
    };
    for literal in literals {
        if !problem.add(*literal)? {
            return Some(false);
        }
    }
    let symbols: Vec<(Symbol, usize)> = problem.nodes.iter().map(|(s, n)| (*s, *n)).collect();
    for (symbol, node) in symbols {
        if let Some((low, high)) = table.range(symbol) {
            problem.edges.push(Edge { plus: node, minus: 0, bound: high });
            problem.edges.push(Edge { plus: 0, minus: node, bound: -low });
        }
    }
    problem.solve()
}

impl<'a> Problem<'a> {
    fn node(&mut self, symbol: Symbol) -> usize {
        let next = self.nodes.len();
        *self.nodes.entry(symbol).or_insert(next)
    }

    /// Adds a literal: false if it is constantly false, nothing if it is outside the fragment.
    fn add(&mut self, literal: Literal) -> Option<bool> {
        let table = self.table;
        match &table.info(literal).shape {
            Shape::Le { plus, minus, bound } => {
                let (plus, minus) = (self.node(*plus), self.node(*minus));
                self.edges.push(Edge { plus, minus, bound: *bound });
            }
            Shape::Eq { plus, minus, bound } => {
                let (plus, minus) = (self.node(*plus), self.node(*minus));
                self.edges.push(Edge { plus, minus, bound: *bound });
                self.edges.push(Edge { plus: minus, minus: plus, bound: -bound });
            }
            Shape::Ne { plus, minus, bound } => {
                let (plus, minus) = (self.node(*plus), self.node(*minus));
                self.unequal.push(Disequality { plus, minus, value: *bound });
            }
            Shape::And(items) => {
                for item in items {
                    if !self.add(*item)? {
                        return Some(false);
                    }
                }
            }
            Shape::Or(items) => {
                // Every symbol must have its range before the first split.
                for item in items {
                    self.declare(*item)?;
                }
                self.choices.push(items);
            }
            Shape::Constant(value) => return Some(*value),
            Shape::Sum { .. } | Shape::Opaque => return None,
        }
        Some(true)
    }

    fn declare(&mut self, literal: Literal) -> Option<()> {
        let table = self.table;
        match &table.info(literal).shape {
            Shape::Sum { .. } | Shape::Opaque => return None,
            Shape::And(items) | Shape::Or(items) => {
                for item in items {
                    self.declare(*item)?;
                }
            }
            _ => {
                for symbol in &table.info(literal).symbols {
                    self.node(*symbol);
                }
            }
        }
        Some(())
    }

    fn solve(&mut self) -> Option<bool> {
        self.splits += 1;
        if self.splits > SPLITS {
            return None;
        }
        let Some(values) = self.shortest_paths() else { return Some(false) };
        if let Some(items) = self.choices.pop() {
            let result = self.try_each(items);
            self.choices.push(items);
            return result;
        }
        let violated = self.unequal.iter().find(|d| values[d.plus] - values[d.minus] == d.value).copied();
        let Some(Disequality { plus, minus, value }) = violated else { return Some(true) };
        for edge in [Edge { plus, minus, bound: value - 1 }, Edge { plus: minus, minus: plus, bound: -value - 1 }] {
            self.edges.push(edge);
            let result = self.solve();
            self.edges.pop();
            if result != Some(false) {
                return result;
            }
        }
        Some(false)
    }

    fn try_each(&mut self, items: &'a [Literal]) -> Option<bool> {
        for item in items {
            let (edges, unequal, choices) = (self.edges.len(), self.unequal.len(), self.choices.len());
            let result = if self.add(*item)? { self.solve() } else { Some(false) };
            self.edges.truncate(edges);
            self.unequal.truncate(unequal);
            self.choices.truncate(choices);
            if result != Some(false) {
                return result;
            }
        }
        Some(false)
    }

    /// A solution of the edges, or nothing if there is a negative cycle (Bellman and Ford).
    fn shortest_paths(&self) -> Option<Vec<i128>> {
        let mut values = vec![0i128; self.nodes.len()];
        for _ in 0..=self.nodes.len() {
            let mut changed = false;
            for edge in &self.edges {
                let limit = values[edge.minus] + edge.bound;
                if values[edge.plus] > limit {
                    values[edge.plus] = limit;
                    changed = true;
                }
            }
            if !changed {
                return Some(values);
            }
        }
        None
    }
}
