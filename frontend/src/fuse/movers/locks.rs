//! Locks, and where threads certainly hold them.
//!
//! A lock is a variable that each thread writes only when it is 0 or the thread's own id. So once it holds a thread's id nobody
//! else changes it, and what the thread knows about holding it remains true whatever others do.

use std::collections::{BTreeMap, BTreeSet};

use program::{Term, TermKind, VarId};

use super::{Concurrency, Mover, ThreadView};
use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::fuse::region::Regions;

/// What a thread knows about locks at a node.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Known {
    /// Locks that contain the thread's id.
    held: BTreeSet<VarId>,
    /// Locks that are 0, until the end of the atomic section.
    free: BTreeSet<VarId>,
    /// Variables that contain what a lock contains, until the end of the atomic section.
    copies: BTreeMap<VarId, VarId>,
}

/// The locks of a program.
pub(super) struct Locks {
    locks: BTreeSet<VarId>,
    /// By thread and node, the locks that the thread holds before it.
    held: Vec<BTreeMap<NodeId, BTreeSet<VarId>>>,
    /// By thread and node, copies of locks that are read for a guard only.
    guards: Vec<BTreeSet<NodeId>>,
    /// By thread, conditions that say no more than that a lock is held that is.
    pub(super) redundant: Vec<BTreeSet<NodeId>>,
    nothing: BTreeSet<VarId>,
}

impl Locks {
    /// Finds the locks, and who holds them where.
    pub(super) fn of(threads: &[ThreadView<'_>], regions: &[Regions], concurrency: &Concurrency) -> Locks {
        let mut locks = candidates(threads, concurrency);
        let mut known = Vec::new();
        for (thread, view) in threads.iter().enumerate() {
            let states = solve(view, &regions[thread], &locks);
            let broken: BTreeSet<VarId> = view
                .graph
                .reachable()
                .into_iter()
                .filter_map(|at| Some((at, view.graph.node(at).writes()?)))
                .filter(|(at, var)| locks.contains(var) && concurrency.conflict(thread, *at, *var))
                .filter(|(at, var)| !may_write(view, &states[at], *at, *var))
                .map(|(_, var)| var)
                .collect();
            locks.retain(|lock| !broken.contains(lock));
            known.push(states);
        }
        let mut all =
            Locks { held: Vec::new(), guards: Vec::new(), redundant: Vec::new(), locks, nothing: BTreeSet::new() };
        for (view, states) in threads.iter().zip(known) {
            all.note(view, states);
        }
        all
    }

    fn note(&mut self, view: &ThreadView<'_>, states: BTreeMap<NodeId, Known>) {
        let graph = view.graph;
        let uses = uses(graph);
        let mut guards = BTreeSet::new();
        let mut redundant = BTreeSet::new();
        for (at, known) in &states {
            match &graph.node(*at).kind {
                NodeKind::Step(Step::Assign(copy, term), _)
                    if term.as_var().is_some_and(|v| self.locks.contains(&v)) =>
                {
                    let of_guard = |at: &NodeId| {
                        matches!(graph.node(*at).kind, NodeKind::Step(Step::Assume(_) | Step::Check(..), _))
                            && states[at].copies.get(copy) == term.as_var().as_ref()
                    };
                    if uses.get(copy).is_none_or(|uses| uses.iter().all(of_guard)) {
                        guards.insert(*at);
                    }
                }
                NodeKind::Step(Step::Check(cond, _), _) => {
                    let mut equals = equalities(*cond)
                        .into_iter()
                        .map(|(var, value)| (known.copies.get(&var).copied().unwrap_or(var), value));
                    if equals.any(|(lock, value)| {
                        value == view.id && known.held.contains(&lock) && self.locks.contains(&lock)
                    }) {
                        redundant.insert(*at);
                    }
                }
                _ => {}
            }
        }
        let locks = &self.locks;
        let held = states.into_iter().map(|(at, known)| (at, known.held.intersection(locks).copied().collect()));
        self.held.push(held.collect());
        self.guards.push(guards);
        self.redundant.push(redundant);
    }

    /// Whether the variable is a lock.
    pub(super) fn is_lock(&self, var: VarId) -> bool {
        self.locks.contains(&var)
    }

    /// The locks that a thread holds before a node.
    pub(super) fn held(&self, thread: usize, at: NodeId) -> &BTreeSet<VarId> {
        self.held[thread].get(&at).unwrap_or(&self.nothing)
    }

    /// Whether a section takes the lock, gives it back, or does something else with it. Where it is read the value must not go
    /// anywhere else than into the guard.
    pub(super) fn direction(
        &self,
        thread: usize,
        begin: NodeId,
        nodes: &[NodeId],
        lock: VarId,
        graph: &Graph,
    ) -> Mover {
        let before = self.held(thread, begin).contains(&lock);
        let mut written = BTreeSet::new();
        for at in nodes {
            let node = graph.node(*at);
            if node.writes() == Some(lock) {
                let NodeKind::Step(Step::Assign(_, value), _) = &node.kind else { return Mover::Neither };
                written.insert(value.as_int() == Some(0));
                continue;
            }
            let reads = node.terms().iter().any(|term| term.vars().contains(&lock));
            let guard = matches!(node.kind, NodeKind::Step(Step::Assume(_) | Step::Check(..), _));
            if reads && !guard && !self.guards[thread].contains(at) {
                return Mover::Neither;
            }
        }
        let ends = nodes.iter().filter(|at| matches!(graph.node(**at).kind, NodeKind::Step(Step::AtomicEnd, _)));
        let mut after: BTreeSet<bool> = ends.map(|at| self.held(thread, *at).contains(&lock)).collect();
        match (before, after.pop_first(), after.is_empty(), written.pop_first(), written.is_empty()) {
            (false, Some(true), true, Some(false), true) => Mover::Right,
            (true, Some(false), true, Some(true), true) => Mover::Left,
            _ => Mover::Neither,
        }
    }
}

/// Variables into which some thread writes its own id while others may look.
fn candidates(threads: &[ThreadView<'_>], concurrency: &Concurrency) -> BTreeSet<VarId> {
    let mut all = BTreeSet::new();
    for (thread, view) in threads.iter().enumerate() {
        for at in view.graph.reachable() {
            if let NodeKind::Step(Step::Assign(var, value), _) = &view.graph.node(at).kind
                && *value == view.id
                && concurrency.conflict(thread, at, *var)
            {
                all.insert(*var);
            }
        }
    }
    all
}

/// Whether a write keeps the lock a lock: of the thread's id or 0, when it contains one of these.
fn may_write(view: &ThreadView<'_>, known: &Known, at: NodeId, lock: VarId) -> bool {
    let NodeKind::Step(Step::Assign(_, value), _) = &view.graph.node(at).kind else { return false };
    (value.as_int() == Some(0) || *value == view.id) && (known.held.contains(&lock) || known.free.contains(&lock))
}

/// By variable, the nodes that read it.
fn uses(graph: &Graph) -> BTreeMap<VarId, Vec<NodeId>> {
    let mut uses: BTreeMap<VarId, Vec<NodeId>> = BTreeMap::new();
    for at in graph.reachable() {
        for var in graph.node(at).terms().into_iter().flat_map(Term::vars) {
            uses.entry(var).or_default().push(at);
        }
    }
    uses
}

/// What a thread knows before each of its nodes.
fn solve(view: &ThreadView<'_>, regions: &Regions, locks: &BTreeSet<VarId>) -> BTreeMap<NodeId, Known> {
    let graph = view.graph;
    let mut known: BTreeMap<NodeId, Known> = BTreeMap::from([(graph.entry, Known::default())]);
    let mut work = vec![graph.entry];
    while let Some(at) = work.pop() {
        let before = known[&at].clone();
        for (index, next) in graph.node(at).successors().into_iter().enumerate() {
            let mut after = transfer(view, locks, &before, at, index);
            if regions.depth(next) == 0 {
                after.free.clear();
                after.copies.clear();
            }
            let joined = match known.get(&next) {
                None => after,
                Some(other) => Known {
                    held: other.held.intersection(&after.held).copied().collect(),
                    free: other.free.intersection(&after.free).copied().collect(),
                    copies: other
                        .copies
                        .iter()
                        .filter(|(k, v)| after.copies.get(k) == Some(v))
                        .map(|(k, v)| (*k, *v))
                        .collect(),
                },
            };
            if known.get(&next) != Some(&joined) {
                known.insert(next, joined);
                work.push(next);
            }
        }
    }
    known
}

fn transfer(view: &ThreadView<'_>, locks: &BTreeSet<VarId>, before: &Known, at: NodeId, edge: usize) -> Known {
    let mut known = before.clone();
    let node = view.graph.node(at);
    match &node.kind {
        NodeKind::Step(Step::Assign(var, term), _) => {
            forget(&mut known, *var);
            if locks.contains(var) {
                if term.as_int() == Some(0) {
                    known.free.insert(*var);
                } else if *term == view.id {
                    known.held.insert(*var);
                }
            } else if let Some(lock) = term.as_var().filter(|lock| locks.contains(lock)) {
                known.copies.insert(*var, lock);
            }
        }
        NodeKind::Step(Step::Assume(cond) | Step::Check(cond, _), _) => learn(view, locks, &mut known, *cond),
        NodeKind::Branch(cond, ..) => learn(view, locks, &mut known, if edge == 0 { *cond } else { cond.not() }),
        _ => {
            if let Some(var) = node.writes() {
                forget(&mut known, var);
            }
        }
    }
    known
}

fn forget(known: &mut Known, var: VarId) {
    known.held.remove(&var);
    known.free.remove(&var);
    known.copies.remove(&var);
    known.copies.retain(|_, lock| *lock != var);
}

fn learn(view: &ThreadView<'_>, locks: &BTreeSet<VarId>, known: &mut Known, cond: Term) {
    for (var, value) in cond.conjuncts().into_iter().flat_map(equalities) {
        let lock = known.copies.get(&var).copied().unwrap_or(var);
        if !locks.contains(&lock) {
            continue;
        }
        if value.as_int() == Some(0) {
            known.free.insert(lock);
        } else if value == view.id {
            known.held.insert(lock);
        }
    }
}

/// `var == value`, where the value is a constant or another variable.
fn equalities(literal: Term) -> Vec<(VarId, Term)> {
    let TermKind::Eq(form, value) = literal.kind() else { return Vec::new() };
    let sides = match form.monomials() {
        [(term, 1)] => vec![(*term, Term::int(*value))],
        [(a, 1), (b, -1)] | [(a, -1), (b, 1)] if *value == 0 => vec![(*a, *b), (*b, *a)],
        _ => Vec::new(),
    };
    sides.into_iter().filter_map(|(term, value)| Some((term.as_var()?, value))).collect()
}
