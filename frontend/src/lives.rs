//! Which lives of locals matter: those that end, and that somebody may look at after that.

use std::collections::BTreeSet;

use program::{Term, VarId};

use crate::cfg::{Graph, NodeId, NodeKind, Purpose, Step};
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::lower::LoweredThread;
use crate::memory::{Memory, ObjectId};
use crate::points_to::PointsTo;

/// A step that says whether an object's life has ended: thread number and node.
pub(crate) type LifeStep = (usize, NodeId);

/// The locals whose lives end while the program runs.
pub(crate) fn mortal(memory: &Memory, threads: &[LoweredThread], steps: &[LifeStep]) -> BTreeSet<ObjectId> {
    let ends = steps.iter().filter_map(|(thread, node)| life_step(memory, &threads[*thread].graph, *node));
    ends.filter(|(_, ends)| *ends).map(|(object, _)| object).collect()
}

/// The object that a step is about, and whether its life ends there.
fn life_step(memory: &Memory, graph: &Graph, node: NodeId) -> Option<(ObjectId, bool)> {
    let NodeKind::Step(Step::Assign(var, value), _) = &graph.node(node).kind else { return None };
    let object = (0u32..).map(ObjectId).zip(&memory.objects).find(|(_, object)| object.ended == Some(*var))?.0;
    Some((object, value.as_int() == Some(1)))
}

/// Takes out the bits that nobody looks at, and says of no local that it lives which has not ended before.
pub(crate) fn drop_unwatched(memory: &Memory, threads: &mut [LoweredThread], steps: &[LifeStep]) {
    let conditions = threads.iter().flat_map(|thread| &thread.graph.nodes).filter_map(|node| match node.kind {
        NodeKind::Step(Step::Check(condition, _), _) => Some(condition),
        _ => None,
    });
    let read: BTreeSet<VarId> = conditions.flat_map(Term::vars).collect();
    for (thread, node) in steps {
        let graph = &threads[*thread].graph;
        let NodeKind::Step(Step::Assign(var, value), next) = graph.node(*node).kind else { continue };
        let is_end = |(number, at): &&LifeStep| number == thread && life_step(memory, graph, *at).is_some_and(|l| l.1);
        let same = |(_, at): &&LifeStep| graph.node(*at).writes() == Some(var);
        let reborn = || {
            let ends = steps.iter().filter(is_end).filter(same).map(|(_, at)| *at);
            graph.reachable_from(ends).contains(node)
        };
        if !read.contains(&var) || (value.as_int() == Some(0) && !reborn()) {
            threads[*thread].graph.nodes[node.0 as usize].kind = NodeKind::Skip(next);
        }
    }
}

/// A local in a loop lives again and again, each time at the same address: that stands for what it is as long as no pointer to an earlier
/// one is left. To be asked before accesses become case splits.
pub(crate) fn refuse_stale(
    memory: &Memory,
    points_to: &PointsTo,
    threads: &[LoweredThread],
    steps: &[LifeStep],
    results: &[VarId],
) -> Result<(), Failure> {
    for (number, birth) in steps {
        let graph = &threads[*number].graph;
        let Some((object, false)) = life_step(memory, graph, *birth) else { continue };
        let ends: Vec<NodeId> = steps
            .iter()
            .filter(|(thread, node)| thread == number && life_step(memory, graph, *node) == Some((object, true)))
            .map(|(_, node)| *node)
            .collect();
        if ends.is_empty() || !graph.reachable_from(ends).contains(birth) {
            continue;
        }
        for holder in points_to.holders(object) {
            let elsewhere = threads.iter().enumerate().any(|(other, thread)| {
                let reads = |id: NodeId| reads(memory, points_to, &thread.graph, id, holder, results);
                other != *number && thread.graph.reachable().into_iter().any(reads)
            });
            if elsewhere || is_read(memory, points_to, graph, *birth, holder, results) {
                let what = "a pointer to a local of an earlier round of a loop, which may still be used";
                return Err(Diagnostic::new(Code::Unsupported, what).at(graph.node(*birth).span).into());
            }
        }
    }
    Ok(())
}

/// Whether a variable may be read from a node on, before it is written.
fn is_read(memory: &Memory, points_to: &PointsTo, graph: &Graph, start: NodeId, var: VarId, results: &[VarId]) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = graph.node(start).successors();
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if reads(memory, points_to, graph, at, var, results) {
            return true;
        }
        if graph.node(at).writes() != Some(var) {
            open.extend(graph.node(at).successors());
        }
    }
    false
}

fn reads(memory: &Memory, points_to: &PointsTo, graph: &Graph, at: NodeId, var: VarId, results: &[VarId]) -> bool {
    let node = graph.node(at);
    let loaded = match &node.kind {
        NodeKind::Step(Step::Load(_, access), _) => points_to.cells(memory, access).contains(&var),
        NodeKind::Step(Step::Await(wait), _) => matches!(wait.purpose, Purpose::Join(_)) && results.contains(&var),
        _ => false,
    };
    loaded || node.terms().iter().any(|term| term.vars().contains(&var))
}
