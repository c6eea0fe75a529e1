//! Memory that is left: what there is when the program ends (valid-memcleanup), and what nothing leads to any more (valid-memtrack).
//!
//! How many blocks of each allocation are there is counted. When the program ends, none may be (memcleanup), and none to which only
//! locals of main lead, since these are gone (memtrack). That a block is not lost before is seen from the text alone, in the simple
//! case: a variable that lives as long as the program, and that nobody else writes, is given the block's address and keeps it until the block
//! is freed. The text of any other is lowered again with its address in variables, and wherever one of them may be lost it is to be
//! shown that chains of pointers lead to it ([`chains`], [`events`]).

mod chains;
mod events;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Property, Span, Term, UbKind, VarId, VarKind};

use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::lower::{Config, Halt, LoweredThread};
use crate::memory::{Memory, ObjectId};
use crate::points_to::PointsTo;
use chains::Heap;
use events::look_for_losses;

/// Where blocks are allocated and the program ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeakSites {
    /// Steps that count a new block: thread number, node and object.
    pub(crate) allocations: Vec<(usize, NodeId, ObjectId)>,
    /// Where the program ends: thread number and node, and whether main's locals are gone.
    pub(crate) ends: Vec<(usize, NodeId, Locals)>,
    /// The variables of the text: they lead to blocks as long as they live.
    pub(crate) declared: BTreeSet<VarId>,
    /// Steps that empty such a variable because its life ends: thread number and node.
    pub(crate) forgotten: Vec<(usize, NodeId)>,
}

/// What becomes of main's locals when the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locals {
    /// main has returned.
    Gone,
    /// The program exits wherever it is.
    There,
}

/// Who there is besides the threads' own text.
pub(crate) struct Around<'a> {
    /// Where threads leave their results.
    pub(crate) results: &'a [VarId],
    /// Whether there may be any number of some threads: others cannot see what these hold.
    pub(crate) any_number: bool,
    /// A place that gives up a thread.
    pub(crate) detached: Option<Span>,
}

/// Adds the conditions. To be asked when accesses have become case splits, and addresses numbers. Says of which block it is not known
/// whether it is lost, if one is.
pub(crate) fn check_leaks(
    memory: &mut Memory,
    threads: &mut [LoweredThread],
    points_to: &PointsTo,
    sites: &LeakSites,
    config: &Config,
    addresses: &HashMap<VarId, Term>,
    around: &Around<'_>,
) -> Result<Option<Span>, Halt> {
    let address = |memory: &Memory, object: ObjectId| {
        memory.address_of(object).substitute(&|var, _| addresses.get(&var).copied())
    };
    let reachable: Vec<BTreeSet<NodeId>> = threads.iter().map(|t| t.graph.reachable().into_iter().collect()).collect();
    let made = |(thread, node, _): &&(usize, NodeId, ObjectId)| reachable[*thread].contains(node);
    let allocations: Vec<_> = sites.allocations.iter().filter(made).copied().collect();
    let objects: BTreeSet<ObjectId> = allocations.iter().map(|(_, _, object)| *object).collect();
    let mut counted: BTreeMap<VarId, VarId> = BTreeMap::new();
    for object in &objects {
        counted.extend(memory.freed(*object).zip(memory.left(*object)));
    }
    let mut lost: BTreeMap<ObjectId, Span> = BTreeMap::new();
    let mut of_main = BTreeSet::new();
    if config.asks(Property::ValidMemtrack) {
        for (thread, node, object) in &allocations {
            let holders = points_to.holders(*object);
            let span = threads[*thread].graph.node(*node).span;
            // Then main's end says whether it is lost there.
            let ends_with_main = *thread == 0 && holders.iter().all(|var| is_of_main(memory, *var));
            let lasting: Vec<VarId> = holders
                .into_iter()
                .filter(|var| {
                    memory.cell(*var).home.is_none() || (ends_with_main && threads[0].outermost.contains(var))
                })
                .collect();
            if config.reused.contains(&span)
                || !is_kept(memory, threads, *thread, *node, *object, &lasting, address(memory, *object))
            {
                lost.insert(*object, span);
            } else if ends_with_main {
                of_main.insert(*object);
            }
        }
    }
    let unfollowed: BTreeSet<Span> = lost.values().filter(|span| !config.reused.contains(span)).copied().collect();
    if !unfollowed.is_empty() {
        return Err(Halt::Reused(unfollowed));
    }
    for thread in threads.iter_mut() {
        for index in 0..thread.graph.nodes.len() {
            count_freed(memory, &mut thread.graph, NodeId(program::number(index)), &counted);
        }
    }
    let followed: BTreeSet<ObjectId> = lost.keys().copied().collect();
    let kept: BTreeSet<ObjectId> = objects.difference(&followed).copied().collect();
    let chains = match followed.is_empty() || around.any_number {
        true => None,
        false => Heap { memory, points_to, addresses, kept: &kept }.chains(&followed),
    };
    // What a thread leaves that nobody will join is not followed.
    let chains =
        chains.filter(|chains| around.detached.is_none() || !around.results.iter().any(|r| chains.holders.contains(r)));
    let undecided = lost.values().next().copied().filter(|_| chains.is_none());
    if let Some(chains) = &chains {
        look_for_losses(memory, threads, chains, sites, around.results);
    }
    for (thread, node, locals) in &sites.ends {
        let none_left = |objects: &mut dyn Iterator<Item = &ObjectId>| {
            let left = objects.filter_map(|object| memory.left(*object));
            Term::and(left.map(|left| memory.term(left).eq_to(Term::int(0))).collect::<Vec<_>>())
        };
        let mut checks = Vec::new();
        if config.asks(Property::ValidMemcleanup) {
            checks.push((none_left(&mut objects.iter()), UbKind::Kept));
        }
        if config.asks(Property::ValidMemtrack) && *locals == Locals::Gone {
            checks.push((none_left(&mut of_main.iter()), UbKind::Lost));
        }
        for (condition, kind) in checks.into_iter().filter(|(condition, _)| condition.as_bool() != Some(true)) {
            before(&mut threads[*thread].graph, *node, Step::Check(condition, kind));
        }
    }
    Ok(undecided)
}

/// Whether a variable is gone when main has returned, and belongs to no block.
fn is_of_main(memory: &Memory, var: VarId) -> bool {
    let cell = memory.cell(var);
    matches!(cell.kind, VarKind::User | VarKind::Temporary) && cell.home == Some(0) && !memory.is_in_block(var)
}

/// Puts a step before a node.
fn before(graph: &mut Graph, at: NodeId, step: Step) {
    let node = graph.node(at).clone();
    let moved = graph.push_like(node);
    graph.nodes[at.0 as usize].kind = NodeKind::Step(step, moved);
}

/// A block that is freed is there no more.
fn count_freed(memory: &Memory, graph: &mut Graph, at: NodeId, counted: &BTreeMap<VarId, VarId>) {
    let NodeKind::Step(Step::Assign(var, value), _) = graph.node(at).kind else { return };
    let Some(left) = counted.get(&var) else { return };
    let less = match value.sort() {
        program::Sort::Array => memory.term(*left).sub(Term::int(1)),
        _ => Term::int(0),
    };
    before(graph, at, Step::Assign(*left, less));
}

/// Whether some variable, of those that live as long as the program, leads to a block from its allocation to its end.
fn is_kept(
    memory: &Memory,
    threads: &[LoweredThread],
    number: usize,
    allocation: NodeId,
    object: ObjectId,
    holders: &[VarId],
    address: Term,
) -> bool {
    let (Some(freed), false) = (memory.freed(object), memory.is_row(object)) else { return false };
    let graph = &threads[number].graph;
    let writes = |graph: &Graph, at: NodeId, var: VarId| graph.node(at).writes() == Some(var);
    let kept = |holder: &VarId| {
        let cell = memory.cell(*holder);
        let others = threads.iter().enumerate().filter(|(other, _)| *other != number);
        let alone = others.map(|(_, t)| &t.graph).all(|g| !g.reachable().into_iter().any(|at| writes(g, at, *holder)));
        let plain = cell.kind == VarKind::User && cell.length.is_none() && !memory.is_in_block(*holder);
        let gives = |at: NodeId| matches!(graph.node(at).kind, NodeKind::Step(Step::Assign(var, value), _) if var == *holder && value == address);
        let frees = |at: NodeId| writes(graph, at, freed);
        let next = graph.node(allocation).successors();
        // The address is on its way until the variable has it.
        let until_given = walk(graph, next, &|at| gives(at) || frees(at));
        let ends = |at: &NodeId| matches!(graph.node(*at).kind, NodeKind::End);
        let repeats = |at: &&NodeId| !gives(**at) && !frees(**at);
        let turns = |at: &NodeId| walk(graph, graph.node(*at).successors(), &|n| gives(n) || frees(n)).contains(at);
        let arrives = !until_given.iter().any(ends) && !until_given.iter().filter(repeats).any(turns);
        let given: Vec<NodeId> =
            until_given.iter().filter(|at| gives(**at)).flat_map(|at| graph.node(*at).successors()).collect();
        let while_there = walk(graph, given, &frees);
        let stays = while_there.iter().all(|at| gives(*at) || !writes(graph, *at, *holder));
        alone && plain && arrives && stays
    };
    holders.iter().any(kept)
}

/// The nodes that control can come to from here, up to those that satisfy the condition.
fn walk(graph: &Graph, starts: Vec<NodeId>, ends: &dyn Fn(NodeId) -> bool) -> BTreeSet<NodeId> {
    let mut seen = BTreeSet::new();
    let mut open = starts;
    while let Some(at) = open.pop() {
        if seen.insert(at) && !ends(at) {
            open.extend(graph.node(at).successors());
        }
    }
    seen
}
