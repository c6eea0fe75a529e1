//! What threads find prepared for them: scalars written once, before anybody else could read them, with a constant.
//!
//! The usual argument of a thread is a struct that its creator fills in. Whoever is given its address reads constants:
//! knowing them settles array indices, pointers and decisions before anything is proved.

use std::collections::{BTreeMap, BTreeSet};

use program::{Init, Sort, Term, VarId};

use crate::cfg::{Graph, Node, NodeId, NodeKind, Step};
use crate::escape::{Publication, tellings};
use crate::lower::LoweredThread;
use crate::memory::{Memory, ObjectId};
use crate::prepare::Birth;

/// Where a variable is written: the thread's index, the node, and the value if it is a constant.
type Write = (usize, NodeId, Option<Term>);

/// Replaces reads of such variables by their values. `shared` says which variables several threads touch.
pub(crate) fn settle(
    memory: &Memory,
    threads: &mut [(usize, LoweredThread)],
    births: &[Option<Birth>],
    publications: &[Publication],
    shared: &[bool],
) {
    let writes = writes(threads);
    // By index of the thread that must not use the value itself, as it may read before it writes; for all if there is none.
    let mut values: BTreeMap<VarId, (Option<usize>, Term)> = BTreeMap::new();
    for (var, owner) in candidates(memory, shared) {
        match writes.get(&var).map_or(&[][..], Vec::as_slice) {
            [] => {
                if let Init::Value(value) = memory.cell(var).init {
                    values.insert(var, (None, value));
                }
            }
            [(writer, at, Some(value))] => {
                let graph = &threads[*writer].1.graph;
                let told: Vec<NodeId> = match (memory.home_of(owner), &births[*writer]) {
                    (Some(home), _) if home == threads[*writer].0 => {
                        tellings(graph, home, owner, shared, publications).collect()
                    }
                    // A global: others see it once they run, if the only thread that runs from the start writes it.
                    (None, None) if births.iter().filter(|birth| birth.is_none()).count() == 1 => births
                        .iter()
                        .flatten()
                        .flat_map(|birth| &birth.sites)
                        .filter(|(creator, _)| creator == writer)
                        .map(|(_, site)| *site)
                        .collect(),
                    _ => continue,
                };
                if precedes(graph, *at, &told) {
                    values.insert(var, (Some(*writer), *value));
                }
            }
            _ => {}
        }
    }
    values.retain(|_, (_, value)| value.as_int().is_some());
    for (index, (_, thread)) in threads.iter_mut().enumerate() {
        let value = |var: VarId| values.get(&var).filter(|(writer, _)| *writer != Some(index)).map(|(_, value)| *value);
        thread.graph.nodes.iter_mut().for_each(|node| replace(node, &value));
    }
}

/// The shared scalars of objects, with the objects.
fn candidates(memory: &Memory, shared: &[bool]) -> Vec<(VarId, ObjectId)> {
    let mut found = Vec::new();
    for (index, _) in (0u32..).zip(&memory.objects) {
        for var in memory.cells_of(ObjectId(index)) {
            if memory.cell(var).sort == Sort::Int && shared[var.0 as usize] {
                found.push((var, ObjectId(index)));
            }
        }
    }
    found
}

fn writes(threads: &[(usize, LoweredThread)]) -> BTreeMap<VarId, Vec<Write>> {
    let mut writes: BTreeMap<VarId, Vec<Write>> = BTreeMap::new();
    for (index, (_, thread)) in threads.iter().enumerate() {
        for id in thread.graph.reachable() {
            let node = thread.graph.node(id);
            let value = match &node.kind {
                NodeKind::Step(Step::Assign(_, value), _) => value.as_int().map(|_| *value),
                _ => None,
            };
            if let Some(var) = node.writes() {
                writes.entry(var).or_default().push((index, id, value));
            }
        }
    }
    writes
}

/// Whether control comes to none of the nodes without having passed the first one.
fn precedes(graph: &Graph, first: NodeId, later: &[NodeId]) -> bool {
    let mut seen: BTreeSet<NodeId> = BTreeSet::from([first]);
    let mut work = vec![graph.entry];
    while let Some(at) = work.pop() {
        if seen.insert(at) {
            work.extend(graph.node(at).successors());
        }
    }
    seen.remove(&first);
    !later.iter().any(|node| seen.contains(node))
}

fn replace(node: &mut Node, value: &dyn Fn(VarId) -> Option<Term>) {
    let put = |term: Term| term.substitute(&|var, _| value(var));
    node.kind = match std::mem::replace(&mut node.kind, NodeKind::Stuck) {
        NodeKind::Branch(cond, then, otherwise) => match put(cond) {
            cond if cond.as_bool() == Some(true) => NodeKind::Skip(then),
            cond if cond.as_bool() == Some(false) => NodeKind::Skip(otherwise),
            cond => NodeKind::Branch(cond, then, otherwise),
        },
        NodeKind::Step(Step::Assign(var, term), next) => NodeKind::Step(Step::Assign(var, put(term)), next),
        NodeKind::Step(Step::Assume(cond), next) => NodeKind::Step(Step::Assume(put(cond)), next),
        NodeKind::Step(Step::Check(cond, kind), next) => NodeKind::Step(Step::Check(put(cond), kind), next),
        other => other,
    };
}
