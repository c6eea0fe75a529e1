//! When a thread's own objects become known to others.
//!
//! A local or a block that a thread has allocated is nobody else's until its address is stored where another thread can
//! read it. Until then accesses to it are not seen by others, whatever happens to it later: they need no steps of their own.

use std::collections::{BTreeMap, BTreeSet};

use program::{Term, VarId};

use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::lower::{Argument, Instance, LoweredThread, Site};
use crate::memory::{Memory, ObjectId};
use crate::points_to::PointsTo;

/// A step of a thread (by number) that stores addresses of its own objects.
pub(crate) struct Publication {
    thread: usize,
    node: NodeId,
    objects: BTreeSet<ObjectId>,
    /// The variables that it may store them in; nothing if others are told without that.
    places: Option<BTreeSet<VarId>>,
}

/// All steps that store addresses of the thread's own objects, in whatever variable. Pointers must not be resolved yet.
pub(crate) fn publications(
    memory: &Memory,
    points_to: &PointsTo,
    threads: &[LoweredThread],
    instances: &[Instance],
    sites: &[(usize, Site)],
) -> Vec<Publication> {
    let mut found = Vec::new();
    for (thread, lowered) in threads.iter().enumerate() {
        let own = |term: Term| -> BTreeSet<ObjectId> {
            let targets = points_to.targets(memory, term).into_iter().map(|target| target.object);
            targets.filter(|object| memory.home_of(*object) == Some(thread)).collect()
        };
        for (index, node) in (0u32..).zip(&lowered.graph.nodes) {
            let (places, value) = match &node.kind {
                NodeKind::Step(Step::Assign(var, value), _) => (BTreeSet::from([*var]), *value),
                NodeKind::Step(Step::Store(access, value), _) => {
                    (points_to.cells(memory, access).into_iter().collect(), *value)
                }
                _ => continue,
            };
            let objects = own(value);
            if !objects.is_empty() {
                found.push(Publication { thread, node: NodeId(index), objects, places: Some(places) });
            }
        }
        // A constant argument is known to the new thread without being stored.
        for (child, (_, node)) in sites.iter().filter(|(_, (creator, _))| *creator == thread) {
            let argument = instances[*child].control.as_ref().map(|control| control.argument);
            if let Some(Argument::Constant(argument)) = argument {
                let objects = own(argument);
                found.push(Publication { thread, node: *node, objects, places: None });
            }
        }
    }
    found
}

/// The nodes at which a thread stores the address of its object where others can read it.
pub(crate) fn tellings<'a>(
    graph: &'a Graph,
    thread: usize,
    object: ObjectId,
    shared: &'a [bool],
    publications: &'a [Publication],
) -> impl Iterator<Item = NodeId> + 'a {
    let is_shared = |var: VarId| shared.get(var.0 as usize).copied().unwrap_or(true);
    // A step that writes nothing shared tells nobody; what is no such step any more may have become several.
    let tells = move |node: &NodeId| graph.node(*node).writes().is_none_or(is_shared);
    let own = publications.iter().filter(move |p| p.thread == thread && p.objects.contains(&object));
    own.map(|p| p.node).filter(tells)
}

/// A node at which a thread lets others know the address of an object of its own.
pub(crate) fn first_telling(
    graph: &Graph,
    thread: usize,
    is_public: &dyn Fn(VarId) -> bool,
    publications: &[Publication],
) -> Option<NodeId> {
    let tells = |p: &&Publication| p.places.as_ref().is_none_or(|places| places.iter().any(|var| is_public(*var)));
    let reachable: BTreeSet<NodeId> = graph.reachable().into_iter().collect();
    let own = publications.iter().filter(|p| p.thread == thread && !p.objects.is_empty());
    own.filter(tells).map(|p| p.node).find(|node| reachable.contains(node))
}

/// The nodes of a thread at which it touches nothing that another may touch at that moment.
pub(crate) fn unseen(
    memory: &Memory,
    graph: &Graph,
    thread: usize,
    shared: &[bool],
    publications: &[Publication],
) -> BTreeSet<NodeId> {
    let is_shared = |var: &VarId| shared.get(var.0 as usize).copied().unwrap_or(true);
    let mut owner: BTreeMap<VarId, ObjectId> = BTreeMap::new();
    for (index, _) in (0u32..).zip(&memory.objects).filter(|(i, _)| memory.home_of(ObjectId(*i)) == Some(thread)) {
        owner.extend(memory.cells_of(ObjectId(index)).into_iter().filter(is_shared).map(|var| (var, ObjectId(index))));
    }
    let objects: BTreeSet<ObjectId> = owner.values().copied().collect();
    let escaped: BTreeMap<ObjectId, BTreeSet<NodeId>> = objects
        .into_iter()
        .map(|object| {
            let told = tellings(graph, thread, object, shared, publications);
            (object, graph.reachable_from(told).into_iter().collect())
        })
        .collect();
    let hidden = |node: &NodeId| {
        let touched = graph.node(*node).terms().into_iter().flat_map(Term::vars).chain(graph.node(*node).writes());
        touched.filter(is_shared).all(|var| {
            owner.get(&var).and_then(|object| escaped.get(object)).is_some_and(|nodes| !nodes.contains(node))
        })
    };
    graph.reachable().into_iter().filter(hidden).collect()
}
