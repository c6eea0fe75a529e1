//! The calls that nodes of a graph stand in: functions are inlined, and a report still names who called whom.

use std::collections::HashMap;

use program::Span;

use crate::cfg::{Graph, NodeId};
use crate::source::library::PREFIX;

/// A call that was replaced by the function's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// The function that was called.
    pub function: String,
    /// Where it was called.
    pub at: Span,
}

/// All calls in a graph, and which nodes were made in which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    /// Each with the one that it was made in.
    made: Vec<(Inlined, Option<usize>)>,
    current: Option<usize>,
    /// From which node on nodes were made in which call.
    since: Vec<(NodeId, Option<usize>)>,
    /// Nodes that were there before the call which fills them.
    filled: HashMap<NodeId, Option<usize>>,
    /// Nodes from this one on were not made of the text.
    end: Option<NodeId>,
    /// Nodes beside the graph, and the node that leads to each.
    beside: HashMap<NodeId, NodeId>,
}

impl Calls {
    /// A function is inlined from `next` on, the number of the next node; control is at `cursor`.
    pub(crate) fn enter(&mut self, call: Inlined, cursor: Option<NodeId>, next: NodeId) {
        self.made.push((call, self.current));
        self.current = Some(self.made.len() - 1);
        self.since.push((next, self.current));
        self.filled.extend(cursor.map(|node| (node, self.current)));
    }

    /// The function that was entered last is left.
    pub(crate) fn leave(&mut self, next: NodeId) {
        self.current = self.current.and_then(|call| self.made.get(call)).and_then(|(_, outer)| *outer);
        self.since.push((next, self.current));
    }

    /// The text is lowered: nodes that are made from now on replace others.
    pub(crate) fn close(&mut self, next: NodeId) {
        self.end = Some(next);
    }

    /// A node was made to which no other leads: where control goes from `at` if a claim is violated there.
    pub(crate) fn put_beside(&mut self, node: NodeId, at: NodeId) {
        self.beside.insert(node, at);
    }

    /// The calls around a node of the text, the innermost first.
    fn of(&self, node: NodeId) -> Option<Vec<Inlined>> {
        if self.end.is_some_and(|end| node >= end) {
            return None;
        }
        let made = || match self.since.partition_point(|(first, _)| *first <= node) {
            0 => None,
            after => self.since[after - 1].1,
        };
        let mut call = self.filled.get(&node).copied().unwrap_or_else(made);
        let mut all = Vec::new();
        while let Some((inner, outer)) = call.and_then(|call| self.made.get(call)) {
            // Functions of ours stand where the program calls them.
            if !inner.function.starts_with(PREFIX) {
                all.push(inner.clone());
            }
            call = *outer;
        }
        Some(all)
    }
}

impl Graph {
    /// The calls around each of these nodes, the innermost first. A node that was made later stands in the calls of the node of the text
    /// that leads to it.
    pub(crate) fn calls_around(&self, wanted: impl Iterator<Item = NodeId>) -> HashMap<NodeId, Vec<Inlined>> {
        let wanted: Vec<NodeId> = wanted.collect();
        let mut origin: HashMap<NodeId, NodeId> = HashMap::new();
        if wanted.iter().any(|node| self.calls.of(*node).is_none()) {
            for at in self.reachable() {
                let of_text = if self.calls.of(at).is_some() { Some(at) } else { origin.get(&at).copied() };
                let Some(of_text) = of_text else { continue };
                for next in self.node(at).successors() {
                    origin.entry(next).or_insert(of_text);
                }
            }
        }
        let around = |node: NodeId| {
            let at = self.calls.beside.get(&node).copied().unwrap_or(node);
            let of_text = || origin.get(&at).and_then(|origin| self.calls.of(*origin));
            Some((node, self.calls.of(at).or_else(of_text)?))
        };
        wanted.into_iter().filter_map(around).collect()
    }
}
