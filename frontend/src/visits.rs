//! The program whose errors are visits: a run violates a claim in it where it *comes to* what the claim is about, whether or not that
//! holds. A proof of the original about claims to which no run of this program comes says nothing.
//!
//! To come to an assertion is to have evaluated its condition; to come to the call of an error function, to be at the nearest
//! decision before it; to come to an operation that must be defined, to be about to make it. There, a run of this program may stop
//! with an error, or go on as it would.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Choice, Init, IntType, Property, Sort, Span, Term, VarKind};

use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::memory::{Memory, Named};

/// What the errors of a program stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Goal {
    /// Claims that are violated.
    #[default]
    Violations,
    /// Claims that runs come to.
    Visits,
}

/// What the claim is called that no run comes to the end of main. Only programs whose errors are visits make it.
pub const END_OF_MAIN: &str = "the end of main";

/// Lets runs stop at the decisions before calls of error functions, instead of at these.
///
/// Decisions whose outcome the lowering knew are still in the graph, with one successor or two: they are no longer needed then.
pub(crate) fn visit_decisions(graph: &mut Graph, memory: &mut Memory) {
    let reachable = graph.reachable();
    let before = predecessors(graph, &reachable);
    let mut visits: BTreeMap<NodeId, BTreeSet<(Property, Span)>> = BTreeMap::new();
    for error in &reachable {
        let NodeKind::Error(property) = graph.node(*error).kind else { continue };
        let span = graph.node(*error).span;
        let Nearest { decisions, from_entry } = nearest(graph, &before, *error);
        if !from_entry {
            graph.nodes[error.0 as usize].kind = NodeKind::Stuck;
        }
        decisions.into_iter().for_each(|at| _ = visits.entry(at).or_default().insert((property, span)));
    }
    for (decision, claims) in visits {
        let first = claims.into_iter().fold(decision, |next, claim| stop(graph, memory, next, claim));
        let sources = before.get(&decision).into_iter().flatten();
        sources.for_each(|source| redirect(&mut graph.nodes[source.0 as usize].kind, decision, first));
        if graph.entry == decision {
            graph.entry = first;
        }
    }
    for at in reachable {
        if let NodeKind::Branch(cond, then, otherwise) = graph.node(at).kind
            && let Some(value) = cond.as_bool()
        {
            graph.nodes[at.0 as usize].kind = NodeKind::Skip(if value { then } else { otherwise });
        }
    }
}

/// Lets runs stop before a step that is claimed to be defined.
pub(crate) fn visit_step(graph: &mut Graph, memory: &mut Memory, at: NodeId, property: Property) {
    let node = graph.node(at).clone();
    let moved = graph.push(node.kind, node.span);
    let first = stop(graph, memory, moved, (property, node.span));
    graph.nodes[at.0 as usize].kind = NodeKind::Skip(first);
}

/// A choice between an error and `next`.
fn stop(graph: &mut Graph, memory: &mut Memory, next: NodeId, (property, span): (Property, Span)) -> NodeId {
    let named = Named { name: "visit", span, kind: VarKind::Temporary, private: true };
    let chosen = memory.scalar(&named, IntType::new(1, false), Init::Arbitrary);
    memory.cell_mut(chosen).choice = Choice::Chance;
    let error = graph.push(NodeKind::Error(property), span);
    let goes_on = Term::var(chosen, Sort::Int).eq_to(Term::int(0));
    let at = graph.node(next).span;
    let branch = graph.push(NodeKind::Branch(goes_on, next, error), at);
    graph.push(NodeKind::Step(Step::Havoc(chosen), branch), at)
}

type Predecessors = HashMap<NodeId, Vec<NodeId>>;

fn predecessors(graph: &Graph, reachable: &[NodeId]) -> Predecessors {
    let mut before = Predecessors::new();
    for at in reachable {
        graph.node(*at).successors().into_iter().for_each(|next| before.entry(next).or_default().push(*at));
    }
    before
}

/// The last decisions on the ways to a node, and whether one way from the entry has none.
struct Nearest {
    decisions: BTreeSet<NodeId>,
    from_entry: bool,
}

fn nearest(graph: &Graph, before: &Predecessors, to: NodeId) -> Nearest {
    let mut nearest = Nearest { decisions: BTreeSet::new(), from_entry: false };
    let mut seen = BTreeSet::from([to]);
    let mut work = vec![to];
    while let Some(at) = work.pop() {
        nearest.from_entry |= at == graph.entry;
        for source in before.get(&at).into_iter().flatten() {
            if matches!(graph.node(*source).kind, NodeKind::Branch(..)) {
                nearest.decisions.insert(*source);
            } else if seen.insert(*source) {
                work.push(*source);
            }
        }
    }
    nearest
}

fn redirect(kind: &mut NodeKind, from: NodeId, to: NodeId) {
    let change = |next: &mut NodeId| {
        if *next == from {
            *next = to;
        }
    };
    match kind {
        NodeKind::Skip(next) | NodeKind::Step(_, next) => change(next),
        NodeKind::Branch(_, then, otherwise) => [then, otherwise].into_iter().for_each(change),
        NodeKind::End | NodeKind::Error(_) | NodeKind::Stuck | NodeKind::Unfollowed(_) | NodeKind::Unsupported(_) => {}
    }
}
