//! Where blocks may be lost: a pointer is overwritten, a variable ends, a block with pointers in it is freed, a thread ends.
//!
//! A block that is lost stays lost, since nobody has its address. So it is enough to look after what a thread does to its last pointer,
//! before that thread does anything that may keep it from going on. The values that a thread is still to use, of calls and of expressions, lead to
//! blocks like variables do, as long as somebody may read them; after that they are forgotten.

use std::collections::{BTreeMap, BTreeSet};

use program::{Init, IntType, Sort, Span, Term, UbKind, VarId, VarKind};

use super::chains::Chains;
use super::{LeakSites, Locals};
use crate::cfg::{Graph, Manner, Node, NodeId, NodeKind, Step};
use crate::lower::LoweredThread;
use crate::memory::{Memory, Named};

/// Where more blocks are linked than are looked at.
const LONG: &str = "whether blocks are lost, of which many are linked";

/// Adds what says that no block is lost.
pub(super) fn look_for_losses(
    memory: &mut Memory,
    threads: &mut [LoweredThread],
    chains: &Chains,
    sites: &LeakSites,
    results: &[VarId],
) {
    for (number, node) in &sites.forgotten {
        let graph = &mut threads[*number].graph;
        if let NodeKind::Step(Step::Assign(var, _), next) = graph.node(*node).kind
            && !chains.holders.contains(&var)
        {
            graph.nodes[node.0 as usize].kind = NodeKind::Skip(next);
        }
    }
    for (number, thread) in threads.iter_mut().enumerate() {
        let flag = chains.limit.map(|_| flag(memory, number, thread.span));
        let own = |var: &&VarId| memory.cell(**var).home == Some(number) && !memory.is_in_block(**var);
        let own: BTreeSet<VarId> = chains.holders.iter().filter(own).copied().collect();
        let passing = |var: &&VarId| {
            let kind = memory.cell(**var).kind;
            matches!(kind, VarKind::User | VarKind::Temporary) && !sites.declared.contains(var)
        };
        let passing: BTreeSet<VarId> = own.iter().filter(passing).copied().collect();
        let mut ends: BTreeMap<NodeId, Vec<VarId>> = BTreeMap::new();
        for (_, node, locals) in sites.ends.iter().filter(|(thread, ..)| *thread == number) {
            let gone = if *locals == Locals::Gone { own.iter().chain(results).copied().collect() } else { Vec::new() };
            ends.insert(*node, gone.into_iter().filter(|var| chains.holders.contains(var)).collect());
        }
        let graph = &mut thread.graph;
        let last = graph.reachable().into_iter().filter(|at| matches!(graph.node(*at).kind, NodeKind::End));
        ends.extend(last.collect::<Vec<_>>().into_iter().map(|at| (at, own.iter().copied().collect())));
        Events { memory, chains, passing: &passing, flag }.insert(graph, &ends);
    }
}

/// A new variable of a thread's own.
fn flag(memory: &mut Memory, number: usize, span: Span) -> VarId {
    let home = memory.home.replace(number);
    let named = Named { name: "known", span, kind: VarKind::Temporary, private: true };
    let flag = memory.scalar(&named, IntType::new(1, false), Init::Value(Term::int(0)));
    memory.home = home;
    flag
}

struct Events<'a> {
    memory: &'a Memory,
    chains: &'a Chains,
    /// Values of calls and expressions, which lead somewhere as long as they are to be read.
    passing: &'a BTreeSet<VarId>,
    /// The thread's own note that what leads to blocks is known.
    flag: Option<VarId>,
}

impl Events<'_> {
    fn insert(&self, graph: &mut Graph, ends: &BTreeMap<NodeId, Vec<VarId>>) {
        let reachable = graph.reachable();
        let needed = self.needed(graph, &reachable);
        let mut changes = Vec::new();
        for at in &reachable {
            for next in graph.node(*at).successors() {
                let over = self.over(graph, &needed, *at, next);
                let loses = !over.is_empty() || self.may_lose(graph.node(*at));
                if loses {
                    let is_last = !self.goes_on(graph, &needed, next);
                    changes.push((*at, next, over, is_last));
                }
            }
        }
        for (at, next, over, is_last) in changes {
            let start = self.look(graph, at, next, &over, is_last);
            redirect(graph, at, next, start);
        }
        for (at, gone) in ends {
            let node = graph.node(*at).clone();
            let moved = graph.push_like(node);
            let start = self.look(graph, moved, moved, gone, true);
            graph.nodes[at.0 as usize].kind = NodeKind::Skip(start);
        }
    }

    /// The values that may still be read, at each node.
    fn needed(&self, graph: &Graph, reachable: &[NodeId]) -> BTreeMap<NodeId, BTreeSet<VarId>> {
        let mut needed: BTreeMap<NodeId, BTreeSet<VarId>> = BTreeMap::new();
        loop {
            let mut changed = false;
            for at in reachable.iter().rev() {
                let node = graph.node(*at);
                let after = node.successors().into_iter().filter_map(|next| needed.get(&next)).flatten();
                let mut here: BTreeSet<VarId> = after.copied().filter(|var| node.writes() != Some(*var)).collect();
                here.extend(node.terms().into_iter().flat_map(Term::vars).filter(|var| self.passing.contains(var)));
                changed |= needed.insert(*at, here.clone()).is_none_or(|before| before != here);
            }
            if !changed {
                return needed;
            }
        }
    }

    /// The values that nobody reads any more once control has gone this way.
    fn over(
        &self,
        graph: &Graph,
        needed: &BTreeMap<NodeId, BTreeSet<VarId>>,
        at: NodeId,
        next: NodeId,
    ) -> BTreeSet<VarId> {
        let mut held = needed.get(&at).cloned().unwrap_or_default();
        held.extend(graph.node(at).writes().filter(|var| self.passing.contains(var)));
        held.retain(|var| !needed.get(&next).is_some_and(|after| after.contains(var)));
        held
    }

    /// Whether a step may take the last pointer to a block away.
    fn may_lose(&self, node: &Node) -> bool {
        let loses = |var: VarId| {
            self.chains.links.contains(&var) || (self.chains.holders.contains(&var) && !self.passing.contains(&var))
        };
        node.writes().is_some_and(loses)
    }

    /// Whether what comes next loses something too, and nothing can come between.
    fn goes_on(&self, graph: &Graph, needed: &BTreeMap<NodeId, BTreeSet<VarId>>, from: NodeId) -> bool {
        let mut at = from;
        for _ in 0..LOOK_AHEAD {
            let node = graph.node(at);
            let next = match &node.kind {
                NodeKind::Skip(next)
                | NodeKind::Step(Step::Assign(..) | Step::Havoc(_) | Step::AtomicBegin | Step::AtomicEnd, next) => {
                    *next
                }
                _ => return false,
            };
            if self.may_lose(node) || !self.over(graph, needed, at, next).is_empty() {
                return true;
            }
            at = next;
        }
        false
    }

    /// Variables are forgotten, and then every block is led to.
    fn look<'v>(
        &self,
        graph: &mut Graph,
        like: NodeId,
        next: NodeId,
        over: impl IntoIterator<Item = &'v VarId>,
        is_last: bool,
    ) -> NodeId {
        let span = graph.node(like).span;
        let mut start = next;
        if is_last {
            let all_found = Term::and(self.chains.counts.iter().map(|(left, reached)| (*left).le(*reached)));
            let few = self.chains.limit.map(|(total, most)| (total.le(Term::int(most)), self.flag));
            if let Some((few, Some(flag))) = few {
                let known = Term::ite(Term::or([few, all_found]), Term::int(1), Term::int(0));
                let beyond = hidden(graph, NodeKind::Unfollowed(LONG), span);
                let is_known = self.memory.term(flag).eq_to(Term::int(1));
                start = hidden(graph, NodeKind::Branch(is_known, start, beyond), span);
                start = hidden(graph, NodeKind::Step(Step::Assign(flag, known), start), span);
            }
            for (left, reached) in &self.chains.counts {
                let found = (*left).le(*reached);
                let found = few.map_or(found, |(few, _)| Term::or([few.not(), found]));
                start = hidden(graph, NodeKind::Step(Step::Check(found, UbKind::Lost), start), span);
            }
        }
        for var in over {
            let nothing = match self.memory.cell(*var).sort {
                Sort::Array => Term::const_array(Term::int(0)),
                _ => Term::int(0),
            };
            start = hidden(graph, NodeKind::Step(Step::Assign(*var, nothing), start), span);
        }
        start
    }
}

/// So many steps are looked at for another one that may lose a block.
const LOOK_AHEAD: usize = 12;

/// A node that touches nothing of what C calls memory.
fn hidden(graph: &mut Graph, kind: NodeKind, span: Span) -> NodeId {
    graph.push_like(Node { kind, span, manner: Manner::Birth })
}

/// Control that went from one node to another goes to a third.
fn redirect(graph: &mut Graph, at: NodeId, from: NodeId, to: NodeId) {
    match &mut graph.nodes[at.0 as usize].kind {
        NodeKind::Skip(next) | NodeKind::Step(_, next) if *next == from => *next = to,
        NodeKind::Branch(_, then, otherwise) => {
            for next in [then, otherwise] {
                if *next == from {
                    *next = to;
                }
            }
        }
        _ => {}
    }
}
