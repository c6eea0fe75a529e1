//! Which steps commute with what other threads do at the same time (Lipton 1975).
//!
//! A step of a thread is a *right mover* if any step of another thread that follows it could as well come before it, a *left
//! mover* if any that precedes it could as well come after it. Right movers, then at most one step that is neither, then left
//! movers are one transition: every execution has one with the same outcome in which they are not interrupted. What makes
//! steps movers here:
//! - nobody else can touch the variable at that moment ([`Concurrency`]), or knows its address: both;
//! - everybody who can, holds one and the same lock ([`Locks`]): both;
//! - taking a lock that is only ever taken and released: right. Giving it back: left;
//! - waiting for a flag that is only ever set: right. Setting it: left. Starts and ends of threads are such flags.
//!
//! A thread that takes a lock and then never goes on is not seen holding it. That hides nothing from a property of reachable
//! places: all it does to others is to keep them waiting, and they may as well not have been scheduled. For deadlocks as a
//! property it would hide something.

mod concurrency;
mod locks;

use std::collections::{BTreeMap, BTreeSet};

use program::{Span, Term, TermKind, VarId};

use super::region::Regions;
use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::prepare::Birth;
pub(crate) use concurrency::Concurrency;
use locks::Locks;

/// How a step commutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    /// With everything.
    Both,
    /// To the right: it may be postponed.
    Right,
    /// To the left: it may be done earlier. It never blocks.
    Left,
    /// Not.
    Neither,
}

/// A thread as this analysis sees it.
pub(crate) struct ThreadView<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) birth: Option<&'a Birth>,
    /// What the locks it holds contain.
    pub(crate) id: Term,
    /// Nodes that touch nothing that another thread can touch at that moment: none knows the address.
    pub(crate) unseen: BTreeSet<NodeId>,
}

/// How every step and atomic section of every thread commutes.
pub(crate) struct Movers {
    movers: Vec<BTreeMap<NodeId, Mover>>,
    /// By thread and node, the variables that somebody else may touch at that moment, who need not hold the same lock.
    unprotected: Vec<BTreeMap<NodeId, BTreeSet<VarId>>>,
    /// By thread, conditions that always hold: that it owns the lock it releases.
    pub(crate) redundant: Vec<BTreeSet<NodeId>>,
}

impl Movers {
    /// Classifies all steps. `shared` says which variables several threads touch.
    pub(crate) fn of(threads: &[ThreadView<'_>], shared: &[bool]) -> Result<Movers, (Span, String)> {
        let regions: Vec<Regions> = threads.iter().map(|t| Regions::of(t.graph)).collect::<Result<_, _>>()?;
        let concurrency = Concurrency::of(threads, shared);
        let locks = Locks::of(threads, &regions, &concurrency);
        let analysis = Analysis { threads, regions: &regions, concurrency: &concurrency, locks: &locks };
        let protected = analysis.protected();
        let directed = analysis.directed(&protected);
        let movers =
            (0..threads.len()).map(|thread| analysis.classify(thread, &protected, &directed)).collect::<Vec<_>>();
        let unprotected = (0..threads.len()).map(|thread| analysis.unprotected(thread, &protected)).collect();
        Ok(Movers { movers, unprotected, redundant: locks.redundant })
    }

    /// Whether somebody else may touch the variable when the thread touches it at the node.
    pub(crate) fn meets(&self, thread: usize, at: NodeId, var: VarId) -> bool {
        self.unprotected[thread].get(&at).is_some_and(|vars| vars.contains(&var))
    }

    /// How the step, or the atomic section that begins, at the node commutes: with nothing, if it was not looked at.
    pub(crate) fn of_node(&self, thread: usize, at: NodeId) -> Mover {
        self.movers[thread].get(&at).copied().unwrap_or(Mover::Neither)
    }
}

struct Analysis<'a> {
    threads: &'a [ThreadView<'a>],
    regions: &'a [Regions],
    concurrency: &'a Concurrency,
    locks: &'a Locks,
}

impl Analysis<'_> {
    /// The steps outside atomic sections, and the sections, each as its first node with all of its nodes.
    fn units(&self, thread: usize) -> Vec<(NodeId, Vec<NodeId>)> {
        let (graph, regions) = (self.threads[thread].graph, &self.regions[thread]);
        let mut units = Vec::new();
        for at in graph.reachable() {
            if regions.begins(at) {
                units.push((at, regions.inside(at).collect()));
            } else if regions.depth(at) == 0 && matches!(graph.node(at).kind, NodeKind::Step(..)) {
                units.push((at, vec![at]));
            }
        }
        units
    }

    /// The variables that are touched under one and the same lock whenever somebody else could touch them.
    fn protected(&self) -> BTreeSet<VarId> {
        let mut held: BTreeMap<VarId, BTreeSet<VarId>> = BTreeMap::new();
        for (thread, view) in self.threads.iter().enumerate() {
            for at in view.graph.reachable() {
                for var in self.concurrency.conflicts(thread, at) {
                    let here = self.locks.held(thread, at);
                    match held.get_mut(&var) {
                        Some(locks) => locks.retain(|lock| here.contains(lock)),
                        None => {
                            held.insert(var, here.clone());
                        }
                    }
                }
            }
        }
        // A lock does not protect itself: whoever waits for it does not hold it, and whoever trusts it relies on its writers.
        held.into_iter().filter(|(var, locks)| !locks.is_empty() && !self.locks.is_lock(*var)).map(|(v, _)| v).collect()
    }

    fn unprotected(&self, thread: usize, protected: &BTreeSet<VarId>) -> BTreeMap<NodeId, BTreeSet<VarId>> {
        let nodes = self.threads[thread].graph.reachable().into_iter();
        nodes.map(|at| (at, self.touched(thread, &[at], protected))).filter(|(_, vars)| !vars.is_empty()).collect()
    }

    fn touched(&self, thread: usize, nodes: &[NodeId], protected: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        let all = nodes.iter().flat_map(|at| self.concurrency.conflicts(thread, *at));
        all.filter(|var| !protected.contains(var)).collect()
    }

    /// The locks and flags all of whose uses have a direction.
    fn directed(&self, protected: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        let mut directed = BTreeSet::new();
        let mut undirected = BTreeSet::new();
        for thread in 0..self.threads.len() {
            for (begin, nodes) in self.units(thread) {
                for var in self.touched(thread, &nodes, protected) {
                    match self.direction(thread, begin, &nodes, var) {
                        Mover::Neither => undirected.insert(var),
                        _ => directed.insert(var),
                    };
                }
            }
        }
        directed.difference(&undirected).copied().collect()
    }

    /// How a step or section commutes as far as one variable goes, if all its other uses are like that.
    fn direction(&self, thread: usize, begin: NodeId, nodes: &[NodeId], var: VarId) -> Mover {
        if self.regions[thread].begins(begin) && self.regions[thread].is_stepwise(begin) {
            return Mover::Neither;
        }
        match self.locks.is_lock(var) {
            true => self.locks.direction(thread, begin, nodes, var, self.threads[thread].graph),
            false => flag_direction(self.threads[thread].graph, nodes, var),
        }
    }

    fn classify(
        &self,
        thread: usize,
        protected: &BTreeSet<VarId>,
        directed: &BTreeSet<VarId>,
    ) -> BTreeMap<NodeId, Mover> {
        let mut movers = BTreeMap::new();
        for (begin, nodes) in self.units(thread) {
            let mut mover = Mover::Both;
            for var in self.touched(thread, &nodes, protected) {
                let one = match directed.contains(&var) {
                    true => self.direction(thread, begin, &nodes, var),
                    false => Mover::Neither,
                };
                mover = match (mover, one) {
                    (Mover::Both, one) => one,
                    (mover, one) if mover == one => mover,
                    _ => Mover::Neither,
                };
            }
            if mover == Mover::Left && self.may_block(thread, &nodes) {
                mover = Mover::Neither;
            }
            // A section with loops is seen by others as long as it lasts.
            if self.regions[thread].begins(begin) && self.regions[thread].is_stepwise(begin) {
                mover = Mover::Neither;
            }
            movers.insert(begin, mover);
        }
        movers
    }

    fn may_block(&self, thread: usize, nodes: &[NodeId]) -> bool {
        let graph = self.threads[thread].graph;
        nodes.iter().any(|at| {
            matches!(graph.node(*at).kind, NodeKind::Stuck | NodeKind::Step(Step::Assume(_) | Step::Check(..), _))
                && !self.locks.redundant[thread].contains(at)
        })
    }
}

/// Waiting until the flag is 1, or setting it to 1.
fn flag_direction(graph: &Graph, nodes: &[NodeId], flag: VarId) -> Mover {
    let mut mover = None;
    for at in nodes {
        let node = graph.node(*at);
        let reads = node.terms().iter().any(|term| term.vars().contains(&flag));
        let writes = node.writes() == Some(flag);
        let one = match &node.kind {
            NodeKind::Step(Step::Assign(_, value), _) if writes && value.as_int() == Some(1) => Mover::Left,
            NodeKind::Step(Step::Assume(cond), _) if cond.conjuncts().iter().all(|c| is_set(*c, flag)) => Mover::Right,
            _ if reads || writes => return Mover::Neither,
            _ => continue,
        };
        if mover.is_some_and(|other| other != one) {
            return Mover::Neither;
        }
        mover = Some(one);
    }
    mover.unwrap_or(Mover::Neither)
}

/// `flag == 1`, or a condition on other variables.
fn is_set(literal: Term, flag: VarId) -> bool {
    if !literal.vars().contains(&flag) {
        return true;
    }
    match literal.kind() {
        TermKind::Eq(form, 1) => matches!(form.monomials(), [(term, 1)] if term.as_var() == Some(flag)),
        _ => false,
    }
}
