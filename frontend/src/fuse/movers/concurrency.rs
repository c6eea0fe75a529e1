//! Which threads may run at the same time, and so which accesses conflict.

use std::collections::{BTreeMap, BTreeSet};

use program::{TermKind, VarId};

use super::ThreadView;
use crate::cfg::{Graph, NodeId, NodeKind, Step};

/// A set of threads.
type Threads = BTreeSet<usize>;

/// What a thread knows at a node about the others.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Known {
    /// Threads that have certainly ended.
    ended: Threads,
    /// Children that it may have started.
    started: Threads,
}

/// An access of a variable: the thread, the threads that may run at that moment, and whether it writes.
type Access = (usize, Threads, bool);

/// The accesses that other threads may disturb.
pub(crate) struct Concurrency {
    /// By thread and node, the variables that somebody else may touch at that moment, one of the two writing.
    conflicts: Vec<BTreeMap<NodeId, Vec<VarId>>>,
}

impl Concurrency {
    /// Finds the conflicts among all accesses of the variables that are shared.
    pub(crate) fn of(threads: &[ThreadView<'_>], shared: &[bool]) -> Concurrency {
        let running = running(threads);
        let mut accesses: BTreeMap<VarId, BTreeSet<Access>> = BTreeMap::new();
        let mut touches: Vec<BTreeMap<NodeId, BTreeMap<VarId, bool>>> = vec![BTreeMap::new(); threads.len()];
        for (thread, view) in threads.iter().enumerate() {
            for at in view.graph.reachable().into_iter().filter(|at| !view.unseen.contains(at)) {
                let touched = touched(view.graph, at, shared);
                for (var, writes) in &touched {
                    accesses.entry(*var).or_default().insert((thread, running[thread][&at].clone(), *writes));
                }
                if !touched.is_empty() {
                    touches[thread].insert(at, touched);
                }
            }
        }
        // A thread that has not been started waits for it.
        let starts: BTreeSet<VarId> =
            threads.iter().filter_map(|t| t.birth).flat_map(|birth| birth.signals.iter().copied()).collect();
        let conflict = |thread: usize, now: &Threads, var: VarId, writes: bool| {
            if starts.contains(&var) {
                return true;
            }
            accesses[&var].iter().any(|(other, then, also_writes)| {
                *other != thread && (writes || *also_writes) && now.contains(other) && then.contains(&thread)
            })
        };
        let conflicts = touches.into_iter().enumerate().map(|(thread, nodes)| {
            let of_node = |at: NodeId, touched: BTreeMap<VarId, bool>| {
                let now = &running[thread][&at];
                touched
                    .into_iter()
                    .filter(|(var, writes)| conflict(thread, now, *var, *writes))
                    .map(|(v, _)| v)
                    .collect()
            };
            nodes.into_iter().map(|(at, touched)| (at, of_node(at, touched))).collect()
        });
        Concurrency { conflicts: conflicts.collect() }
    }

    /// The variables of a node that somebody else may touch at that moment.
    pub(crate) fn conflicts(&self, thread: usize, at: NodeId) -> impl Iterator<Item = VarId> + '_ {
        self.conflicts[thread].get(&at).into_iter().flatten().copied()
    }

    /// Whether somebody else may touch the variable when the thread is at the node and touches it.
    pub(crate) fn conflict(&self, thread: usize, at: NodeId, var: VarId) -> bool {
        self.conflicts(thread, at).any(|v| v == var)
    }
}

/// The shared variables that a node touches, and whether it writes them.
fn touched(graph: &Graph, at: NodeId, shared: &[bool]) -> BTreeMap<VarId, bool> {
    let node = graph.node(at);
    let is_shared = |var: &VarId| shared.get(var.0 as usize).copied().unwrap_or(true);
    let mut touched: BTreeMap<VarId, bool> =
        node.terms().iter().flat_map(|term| term.vars()).filter(is_shared).map(|var| (var, false)).collect();
    if let Some(var) = node.writes().filter(is_shared) {
        touched.insert(var, true);
    }
    touched
}

/// By thread and node, the other threads that may run while the thread is there: not those that it has seen end, nor those that
/// only it, or a thread it has not started yet, can start.
fn running(threads: &[ThreadView<'_>]) -> Vec<BTreeMap<NodeId, Threads>> {
    // What has ended where it is created has ended in the new thread; of one that several places create nothing is known.
    let mut ended_at_birth: Vec<Option<Threads>> = threads
        .iter()
        .map(|t| match t.birth.map(|birth| birth.sites.as_slice()) {
            Some([_]) => None,
            _ => Some(Threads::new()),
        })
        .collect();
    let mut running = vec![BTreeMap::new(); threads.len()];
    // Creators come before those they create.
    while let Some(thread) = (0..threads.len()).find(|t| running[*t].is_empty() && ended_at_birth[*t].is_some()) {
        let entry = Known { ended: ended_at_birth[thread].clone().unwrap_or_default(), started: Threads::new() };
        let known = solve(threads, thread, entry);
        for (child, view) in threads.iter().enumerate() {
            if let Some([(creator, site)]) = view.birth.map(|birth| birth.sites.as_slice())
                && *creator == thread
            {
                ended_at_birth[child] = Some(known.get(site).map(|k| k.ended.clone()).unwrap_or_default());
            }
        }
        let others = |known: &Known| {
            let mut others = alive(threads, thread, &known.started);
            others.retain(|t| *t != thread && !known.ended.contains(t));
            others
        };
        running[thread] = known.iter().map(|(at, known)| (*at, others(known))).collect();
    }
    running
}

/// The threads that may have been started when a thread has started no others than these itself. Copies of a template stand for
/// any number of threads: what one of them has not started, another may have.
fn alive(threads: &[ThreadView<'_>], thread: usize, started: &Threads) -> Threads {
    let mut alive: Threads = (0..threads.len()).filter(|t| *t == thread || threads[*t].birth.is_none()).collect();
    loop {
        let before = alive.len();
        for (child, view) in threads.iter().enumerate() {
            let starts = |creator: usize| alive.contains(&creator) && (creator != thread || started.contains(&child));
            if view.birth.is_some_and(|birth| birth.sites.iter().any(|(creator, _)| starts(*creator))) {
                alive.insert(child);
            }
        }
        if alive.len() == before {
            return alive;
        }
    }
}

/// What a thread knows at each of its nodes.
fn solve(threads: &[ThreadView<'_>], thread: usize, entry: Known) -> BTreeMap<NodeId, Known> {
    let graph = threads[thread].graph;
    let mut births: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for (child, view) in threads.iter().enumerate() {
        let sites = view.birth.into_iter().flat_map(|birth| &birth.sites);
        sites.filter(|(c, _)| *c == thread).for_each(|(_, site)| births.entry(*site).or_default().push(child));
    }
    let mut known: BTreeMap<NodeId, Known> = BTreeMap::from([(graph.entry, entry)]);
    let mut work = vec![graph.entry];
    while let Some(at) = work.pop() {
        let mut after = known[&at].clone();
        if let NodeKind::Step(Step::Assume(cond), _) = &graph.node(at).kind {
            after.ended.extend(ended(threads, *cond));
        }
        after.started.extend(births.get(&at).into_iter().flatten());
        for next in graph.node(at).successors() {
            let joined = match known.get(&next) {
                None => after.clone(),
                Some(before) => Known {
                    ended: before.ended.intersection(&after.ended).copied().collect(),
                    started: before.started.union(&after.started).copied().collect(),
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

/// The threads whose end a condition waits for.
fn ended(threads: &[ThreadView<'_>], cond: program::Term) -> Threads {
    let mut ended = Threads::new();
    for literal in cond.conjuncts() {
        let TermKind::Eq(form, 1) = literal.kind() else { continue };
        let [(term, 1)] = form.monomials() else { continue };
        let is = |view: &&ThreadView<'_>| {
            view.birth.is_some_and(|birth| birth.ended.is_some() && term.as_var() == birth.ended)
        };
        ended.extend(threads.iter().position(|view| is(&view)));
    }
    ended
}
