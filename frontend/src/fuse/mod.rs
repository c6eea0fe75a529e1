//! Few, large steps: everything that commutes with other threads' steps is fused with the next access that does not.
//!
//! A transition is a path of the graph: right movers, then at most one shared access (or one whole atomic section) that is no
//! mover, then left movers as long as they are total, that is, assignments and decisions but nothing that can block or be
//! undefined ([`movers`]; steps that touch nothing shared are both). The first part is exact because right movers can wait
//! until the access; the last part because a total left mover can always be taken at once, so nothing that the access made
//! visible is hidden. Every loop head is a cut.
//! A path that ends in an assertion failure is a transition of its own, so a failure does not depend on what would follow.

pub(crate) mod accesses;
pub(crate) mod movers;
mod path;
mod region;
#[cfg(test)]
mod tests;
pub(crate) mod waits;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Definedness, Span, Term, UbKind, VarId};

use crate::calls::Inlined;
use crate::cfg::{Graph, Manner, NodeId, NodeKind, Step};
use crate::visits::Goal;
use accesses::{Contested, RawAccess, inside_sections};
use movers::{Mover, Movers};
use path::Path;
use region::{Region, Regions};
use waits::RawWait;

/// Whether steps are fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fusion {
    /// As far as it is exact.
    #[default]
    On,
    /// Only what touches nothing shared: one access a transition, so that what holds between two steps holds in C as well.
    Local,
    /// One step a transition, for comparison: slow, and meant to behave the same.
    Off,
}

/// More paths than this from one location are cut where they meet.
const MAX_PATHS: usize = 64;
/// More than this, after cutting, are given up on.
const MAX_CUT_PATHS: usize = 8192;

/// A transition before variables and locations are numbered.
#[derive(Clone, Debug)]
pub(crate) struct RawTransition {
    pub(crate) source: NodeId,
    pub(crate) target: NodeId,
    pub(crate) guard: Vec<Term>,
    pub(crate) updates: BTreeMap<VarId, Term>,
    pub(crate) defined: Vec<Definedness>,
    pub(crate) span: Span,
    /// Whether it must wait while another thread is in an atomic section with loops.
    pub(crate) outside: bool,
}

/// What becomes of an atomic section that is entered step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// No section of the program has loops: no variable is needed.
    None,
    /// This variable holds the id of the thread inside.
    By(VarId),
}

/// What the fusion knows about a thread.
pub(crate) struct Context<'a> {
    pub(crate) graph: &'a Graph,
    /// Whether a variable is touched by several threads, by index.
    pub(crate) shared: &'a [bool],
    /// How steps commute, and the thread's number there; nothing if steps are not fused.
    pub(crate) movers: Option<(&'a Movers, usize)>,
    /// The input that stands for the choice of a havoc node.
    pub(crate) inputs: &'a HashMap<NodeId, Term>,
    /// Where control goes from a step that is claimed to be defined, and is not.
    pub(crate) violations: &'a HashMap<NodeId, NodeId>,
    pub(crate) owner: Ownership,
    pub(crate) id: Term,
    pub(crate) fusion: Fusion,
    /// Where undefined behaviour ends every execution: no transition is left to say so.
    pub(crate) endings: &'a RefCell<Vec<(UbKind, Span)>>,
    /// The accesses that may be in conflict with those of others, if that is asked for.
    pub(crate) contested: &'a Contested,
    /// What comes right after what within a step.
    pub(crate) passed: &'a RefCell<BTreeSet<(Span, Span)>>,
    /// Where visits are asked for, steps after which nothing comes are kept: they say where runs end.
    pub(crate) goal: Goal,
}

/// Whether some atomic section of the graph must be entered step by step.
pub(crate) fn needs_owner(graph: &Graph) -> Result<bool, (Span, String)> {
    Ok(Regions::of(graph)?.any_owned())
}

/// Whether a step of a small atomic section lies in another one around it.
pub(crate) fn is_nested(graph: &Graph, at: NodeId) -> Result<bool, (Span, String)> {
    Ok(Regions::of(graph)?.depth(at) > 1)
}

/// A thread's transitions, from its entry on, ordered by source; where it is about to make contested accesses; and where it waits.
pub(crate) struct Fused {
    pub(crate) transitions: Vec<RawTransition>,
    pub(crate) accesses: Vec<RawAccess>,
    pub(crate) waits: Vec<RawWait>,
}

/// Fuses the steps of a thread.
pub(crate) fn fuse(context: &Context) -> Result<Fused, (Span, String)> {
    let regions = Regions::of(context.graph)?;
    let mut fuser = Fuser {
        context,
        cuts: loop_heads(context.graph),
        joins: joins(context.graph),
        sections: inside_sections(context.graph, &regions),
        calls: context.graph.calls_around(context.contested.keys().copied()),
        regions,
        limit: MAX_PATHS,
        accesses: RefCell::default(),
        waits: RefCell::default(),
    };
    loop {
        match fuser.all() {
            Some(transitions) => {
                let accesses = fuser.accesses.take().into_iter().collect();
                return Ok(Fused { transitions, accesses, waits: fuser.waits.take().into_iter().collect() });
            }
            None if fuser.cut_at_joins() || fuser.cut_after_sections() => {}
            None => {
                let span = context.graph.node(context.graph.entry).span;
                return Err((span, "a function with so many paths between two shared accesses".into()));
            }
        }
    }
}

struct Fuser<'a> {
    context: &'a Context<'a>,
    cuts: BTreeSet<NodeId>,
    joins: BTreeSet<NodeId>,
    /// Nodes inside atomic sections of the text.
    sections: BTreeSet<NodeId>,
    /// The calls around contested accesses.
    calls: HashMap<NodeId, Vec<Inlined>>,
    regions: Regions,
    limit: usize,
    /// What was found of contested accesses.
    accesses: RefCell<BTreeSet<RawAccess>>,
    /// What was found of waits.
    waits: RefCell<BTreeSet<RawWait>>,
}

impl Fuser<'_> {
    fn all(&self) -> Option<Vec<RawTransition>> {
        let graph = self.context.graph;
        let mut done: BTreeSet<NodeId> = BTreeSet::new();
        let mut work = vec![graph.resolve(graph.entry)];
        let mut transitions = Vec::new();
        self.accesses.take();
        self.waits.take();
        while let Some(source) = work.pop() {
            if !done.insert(source) {
                continue;
            }
            let found = self.from(source)?;
            work.extend(found.iter().rev().map(|t| t.target));
            transitions.extend(found);
        }
        Some(transitions)
    }

    /// Cuts at every join as well; false if that was done already.
    fn cut_at_joins(&mut self) -> bool {
        let before = self.cuts.len();
        self.cuts.extend(self.joins.iter().copied());
        let raised = self.limit < MAX_CUT_PATHS;
        self.limit = MAX_CUT_PATHS;
        raised || self.cuts.len() > before
    }

    /// Cuts where atomic sections end, too, in which ways may meet that a cut cannot part; false if that was done already.
    fn cut_after_sections(&mut self) -> bool {
        let graph = self.context.graph;
        let before = self.cuts.len();
        let ends = graph.reachable().into_iter().filter(|at| self.regions.ends(*at));
        let after: Vec<NodeId> = ends.flat_map(|at| graph.node(at).successors()).map(|at| graph.resolve(at)).collect();
        self.cuts.extend(after);
        self.cuts.len() > before
    }

    /// The transitions from one location; nothing if there are too many.
    fn from(&self, source: NodeId) -> Option<Vec<RawTransition>> {
        let graph = self.context.graph;
        let mut stack = vec![(source, Path::new(source, self.regions.is_owned(source)))];
        let mut found = Vec::new();
        while let Some((at, path)) = stack.pop() {
            if found.len() + stack.len() > self.limit {
                return None;
            }
            let at = graph.resolve(at);
            if path.moved && self.stops(at, &path) {
                found.extend(self.finish(source, at, path));
                continue;
            }
            match &graph.node(at).kind {
                NodeKind::End | NodeKind::Error(_) | NodeKind::Unfollowed(_) | NodeKind::Stuck => {
                    if path.moved {
                        found.extend(self.finish(source, at, path));
                    }
                }
                // A loop of skips: an endless loop without effect.
                NodeKind::Skip(_) => {
                    if path.moved {
                        found.extend(self.finish(source, at, path));
                    }
                }
                NodeKind::Unsupported(_) => {}
                NodeKind::Branch(cond, then, otherwise) => {
                    stack.extend(self.decide(&path, at, *cond, *then, *otherwise));
                }
                NodeKind::Step(Step::Check(cond, _), next) if self.context.violations.contains_key(&at) => {
                    let mut path = path;
                    self.access(&mut path, at);
                    stack.extend(self.decide(&path, at, *cond, *next, self.context.violations[&at]));
                }
                NodeKind::Step(step, next) => {
                    let mut path = path;
                    if self.perform(&mut path, at, step) {
                        stack.push((*next, path));
                    } else if let (Step::Check(_, kind), Goal::Visits) = (step, self.context.goal) {
                        let span = graph.node(at).span;
                        path.defined.push(Definedness { condition: Term::bool(false), kind: *kind, span });
                        // Nothing stands behind what is undefined in the graph already.
                        found.extend(self.finish(source, if at == source { *next } else { at }, path));
                    }
                }
            }
        }
        Some(found)
    }

    /// The ways on from a decision.
    fn decide(&self, path: &Path, at: NodeId, cond: Term, then: NodeId, otherwise: NodeId) -> Vec<(NodeId, Path)> {
        let cond = path.value(cond);
        let mut ways = Vec::new();
        for (target, cond) in [(otherwise, cond.not()), (then, cond)] {
            let mut arm = path.clone();
            if arm.require(cond) {
                self.take(&mut arm, at);
                ways.push((target, arm));
            }
        }
        ways
    }

    /// Whether a path that has taken a step ends before this node.
    fn stops(&self, at: NodeId, path: &Path) -> bool {
        if path.inside == Some(Region::Whole) {
            return false;
        }
        if self.cuts.contains(&at) && !self.regions.is_whole(at) {
            return true;
        }
        if path.inside == Some(Region::Owned) {
            return false;
        }
        // Whether a contested access is about to be made, and whether a thread waits, is to be seen from the state.
        if path.is_undecided && (self.is_contested(at) || self.waits(at)) {
            return true;
        }
        match &self.context.graph.node(at).kind {
            NodeKind::Step(..) if path.committed => {
                matches!(self.mover(at), Mover::Right | Mover::Neither) || self.may_block(at)
            }
            NodeKind::Step(..) | NodeKind::Branch(..) => self.context.fusion == Fusion::Off,
            _ => false,
        }
    }

    /// How the step, or the atomic section that begins, at the node commutes.
    fn mover(&self, at: NodeId) -> Mover {
        if self.is_contested(at) {
            return Mover::Neither;
        }
        if let Some((movers, thread)) = self.context.movers {
            return movers.of_node(thread, at);
        }
        let node = self.context.graph.node(at);
        let shared = |var: &VarId| self.is_shared(*var);
        let accesses = match node.kind {
            NodeKind::Step(Step::AtomicBegin, _) => self.regions.begins(at),
            _ => node.writes().iter().any(shared) || node.terms().iter().any(|t| t.vars().iter().any(shared)),
        };
        if accesses { Mover::Neither } else { Mover::Both }
    }

    /// Whether the step, or something in the atomic section that begins, at the node may be in conflict.
    fn is_contested(&self, at: NodeId) -> bool {
        let contested = self.context.contested;
        !contested.is_empty()
            && (contested.contains_key(&at) || self.regions.inside(at).any(|inner| contested.contains_key(&inner)))
    }

    /// Whether a thread may wait at the node, or in the atomic section that begins there.
    fn waits(&self, at: NodeId) -> bool {
        let waits = |at: NodeId| matches!(self.context.graph.node(at).kind, NodeKind::Step(Step::Wait(_), _));
        waits(at) || self.regions.inside(at).any(waits)
    }

    /// Notes the contested accesses that a path is about to make at a node.
    fn contest(&self, path: &Path, at: NodeId) {
        let Some(vars) = self.context.contested.get(&at) else { return };
        let node = self.context.graph.node(at);
        let mut when = path.guard.clone();
        when.extend(path.defined.iter().map(|defined| defined.condition));
        // The outermost is the thread's own function, which nobody calls.
        let calls = self.calls.get(&at).and_then(|calls| calls.split_last()).map_or(&[][..], |(_, calls)| calls);
        let calls: Vec<Span> = calls.iter().map(|call| call.at).collect();
        for var in vars {
            let (indices, writes) = accesses::elements(self.context.graph, at, *var);
            for index in indices {
                self.accesses.borrow_mut().insert(RawAccess {
                    source: path.source,
                    when: when.clone(),
                    var: *var,
                    index: index.map(|index| path.value(index)),
                    writes,
                    atomic: node.manner == Manner::Atomic,
                    in_section: self.sections.contains(&at),
                    span: node.span,
                    calls: calls.clone(),
                });
            }
        }
    }

    /// Whether the step, or the atomic section that begins, at the node may not come to its end, be it that a claim is violated
    /// within. Of a section nothing is seen then, but what came before it is.
    fn may_block(&self, at: NodeId) -> bool {
        let blocks = |at: NodeId| {
            let kind = &self.context.graph.node(at).kind;
            matches!(kind, NodeKind::Stuck | NodeKind::Error(_) | NodeKind::Step(Step::Assume(_) | Step::Check(..), _))
        };
        if self.regions.begins(at) { self.regions.inside(at).any(blocks) } else { blocks(at) }
    }

    fn is_shared(&self, var: VarId) -> bool {
        self.context.shared.get(var.0 as usize).copied().unwrap_or(true)
    }

    /// Takes a step; false if the path is impossible.
    fn perform(&self, path: &mut Path, at: NodeId, step: &Step) -> bool {
        let span = self.context.graph.node(at).span;
        self.access(path, at);
        self.take(path, at);
        match step {
            Step::Assign(var, term) => {
                let value = path.value(*term);
                path.assign(*var, value);
                path.wrote_shared |= path.committed && self.is_shared(*var);
                true
            }
            Step::Havoc(var) => match self.context.inputs.get(&at) {
                Some(input) => {
                    path.is_undecided = true;
                    path.assign(*var, *input);
                    path.wrote_shared |= path.committed && self.is_shared(*var);
                    true
                }
                None => true,
            },
            Step::Assume(cond) => {
                let cond = path.value(*cond);
                path.require(cond)
            }
            Step::Check(cond, kind) => {
                let condition = path.value(*cond);
                let possible = path.demand(Definedness { condition, kind: *kind, span });
                if !possible {
                    self.context.endings.borrow_mut().push((*kind, span));
                }
                possible
            }
            Step::Wait(wait) => {
                self.waits.borrow_mut().extend(RawWait::on(path, *wait, span));
                true
            }
            Step::AtomicBegin => self.enter(path, at),
            Step::AtomicEnd => self.exit(path, at),
            // Resolved before; nothing is left to do.
            Step::Load(..) | Step::Store(..) | Step::Await(..) => true,
        }
    }

    /// Notes what others may see of a step.
    fn access(&self, path: &mut Path, at: NodeId) {
        self.contest(path, at);
        let span = self.context.graph.node(at).span;
        if path.inside.is_none() {
            match self.mover(at) {
                Mover::Both => {}
                Mover::Right => {
                    path.access(span);
                    path.is_undecided = true;
                }
                Mover::Left | Mover::Neither => {
                    path.access(span);
                    path.committed = true;
                }
            }
        }
    }

    /// Notes that a path goes on from a node. What large steps pass nobody asks for.
    fn take(&self, path: &mut Path, at: NodeId) {
        let span = self.context.graph.node(at).span;
        path.step(span);
        if self.context.fusion != Fusion::On {
            match self.context.graph.node(at).kind {
                NodeKind::Step(Step::AtomicBegin, _) => path.section = Some(span),
                // The call of an atomic function is over: it was entered where it began.
                NodeKind::Step(Step::AtomicEnd, _) if path.section == Some(span) => return,
                _ => {}
            }
            path.pass(span);
        }
    }

    fn enter(&self, path: &mut Path, at: NodeId) -> bool {
        if !self.regions.begins(at) {
            return true;
        }
        path.inside = Some(self.regions.kind(at));
        match (path.inside, self.context.owner) {
            (Some(Region::Owned), Ownership::By(owner)) => {
                let held = path.value(Term::var(owner, program::Sort::Int));
                path.assign(owner, self.context.id);
                path.require(held.eq_to(Term::int(0)))
            }
            _ => true,
        }
    }

    fn exit(&self, path: &mut Path, at: NodeId) -> bool {
        if !self.regions.ends(at) {
            return true;
        }
        if let (Some(Region::Owned), Ownership::By(owner)) = (path.inside, self.context.owner) {
            path.assign(owner, Term::int(0));
            path.wrote_shared = true;
        }
        path.committed |= path.inside == Some(Region::Owned);
        path.inside = None;
        true
    }

    /// The path as a transition, if it is worth one.
    fn finish(&self, source: NodeId, target: NodeId, path: Path) -> Option<RawTransition> {
        self.context.passed.borrow_mut().extend(path.passed.iter().copied());
        let kind = &self.context.graph.node(target).kind;
        let leads_nowhere = matches!(kind, NodeKind::Stuck)
            && (path.inside == Some(Region::Whole) || (!path.wrote_shared && self.context.goal == Goal::Violations));
        if leads_nowhere || (source == target && path.updates.is_empty()) {
            return None;
        }
        let started_inside = self.regions.is_owned(source);
        let span = path.span();
        Some(RawTransition {
            source,
            target,
            guard: path.guard,
            updates: path.updates,
            defined: path.defined,
            span,
            outside: path.accessed_outside && !started_inside,
        })
    }
}

/// The targets of back edges of a depth-first search: every cycle has one.
fn loop_heads(graph: &Graph) -> BTreeSet<NodeId> {
    let mut heads = BTreeSet::new();
    let mut state: HashMap<NodeId, bool> = HashMap::new();
    // true: on the current branch of the search; false: left for good.
    let entry = graph.resolve(graph.entry);
    let mut stack: Vec<(NodeId, usize)> = vec![(entry, 0)];
    state.insert(entry, true);
    while let Some((at, index)) = stack.pop() {
        let successors = graph.node(at).successors();
        match successors.get(index) {
            None => {
                state.insert(at, false);
            }
            Some(next) => {
                stack.push((at, index + 1));
                let next = graph.resolve(*next);
                match state.get(&next) {
                    Some(true) => {
                        heads.insert(next);
                    }
                    Some(false) => {}
                    None => {
                        state.insert(next, true);
                        stack.push((next, 0));
                    }
                }
            }
        }
    }
    heads
}

/// Nodes that several others lead to.
fn joins(graph: &Graph) -> BTreeSet<NodeId> {
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    for id in graph.reachable() {
        if matches!(graph.node(id).kind, NodeKind::Skip(_)) {
            continue;
        }
        let targets: BTreeSet<NodeId> = graph.node(id).successors().into_iter().map(|n| graph.resolve(n)).collect();
        for target in targets {
            *counts.entry(target).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, n)| *n > 1).map(|(id, _)| id).collect()
}
