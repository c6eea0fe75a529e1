//! Ids of threads that are given out again.
//!
//! A `pthread_t` names a thread until it has ended and has been joined or is detached; then another thread may get it. Where a program
//! compares ids, and creates threads after others are gone, each thread gets either an id of its own or that of one that is gone.

use std::collections::{BTreeMap, HashMap};

use program::{Bookkeeping, Init, IntType, Term, VarId, VarKind};

use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::lower::{Instance, LoweredThread, Site};
use crate::memory::{Memory, Named};

/// What becomes of the id of a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    /// The id that it has got.
    id: VarId,
    /// [`NONE`], [`HELD`], [`FREE`] or [`TAKEN`].
    state: VarId,
    /// Whether it has been detached.
    detached: VarId,
    /// Whether it has ended.
    ended: VarId,
}

/// The thread has not been created yet.
const NONE: i128 = 0;
/// It names the thread.
const HELD: i128 = 1;
/// The thread has been joined.
const FREE: i128 = 2;
/// Another thread has got it since.
const TAKEN: i128 = 3;

impl Life {
    /// That the id still names the thread.
    pub(crate) fn is_held(&self, memory: &Memory) -> Term {
        memory.term(self.state).eq_to(Term::int(HELD))
    }
    /// The thread has been joined.
    pub(crate) fn joined(&self) -> Step {
        Step::Assign(self.state, Term::int(FREE))
    }
    /// The thread has been detached.
    pub(crate) fn detached(&self) -> Step {
        Step::Assign(self.detached, Term::int(1))
    }
}

/// Whether a thread may be created when another has been joined or detached.
pub(crate) fn are_reusable(threads: &[LoweredThread], sites: &[(usize, Site)]) -> bool {
    let ends = |graph: &Graph| -> Vec<NodeId> {
        let reachable = graph.reachable().into_iter();
        reachable.filter(|id| matches!(graph.node(*id).kind, NodeKind::Step(Step::Await(_), _))).collect()
    };
    let creates = |number: usize| sites.iter().any(|(_, (creator, _))| *creator == number);
    (0..threads.len()).any(|number| {
        let graph = &threads[number].graph;
        let ends = ends(graph);
        let later = graph.reachable_from(ends.iter().copied());
        let own = sites.iter().any(|(_, (creator, site))| *creator == number && later.contains(site));
        !ends.is_empty() && (own || (0..threads.len()).any(|other| other != number && creates(other)))
    })
}

/// Lets each thread that is created get the id of one that is gone. `values` says what the handle of each is: from here on, what it
/// has got.
pub(crate) fn reuse(
    memory: &mut Memory,
    threads: &mut [LoweredThread],
    instances: &[Instance],
    sites: &[(usize, Site)],
    values: &mut HashMap<VarId, Term>,
) -> BTreeMap<usize, Life> {
    let mut lives = BTreeMap::new();
    for (number, instance) in instances.iter().enumerate() {
        let Some(ended) = instance.control.as_ref().and_then(|control| control.ended) else { continue };
        let Some(handle) = instance.handle.as_var() else { continue };
        let name = memory.cell(handle).name.clone();
        let mut variable = |name: String, ty: IntType| {
            let named =
                Named { name: &name, span: instance.span, kind: VarKind::Control(Bookkeeping::Place), private: false };
            memory.scalar(&named, ty, Init::Value(Term::int(NONE)))
        };
        let life = Life {
            id: variable(format!("given({name})"), IntType::new(64, false)),
            state: variable(format!("state({name})"), IntType::new(2, false)),
            detached: variable(format!("detached({name})"), IntType::new(1, false)),
            ended,
        };
        lives.insert(number, (life, handle));
    }
    let known: BTreeMap<usize, Life> = lives.iter().map(|(number, (life, _))| (*number, *life)).collect();
    for (child, (creator, site)) in sites {
        let Some((life, handle)) = lives.get(child) else { continue };
        let others: Vec<Life> = known.iter().filter(|(number, _)| *number != child).map(|(_, life)| *life).collect();
        let own = values.get(handle).copied().unwrap_or(Term::int(0));
        choose(memory, &mut threads[*creator].graph, *site, (life, own), &others);
    }
    for (life, handle) in lives.values() {
        values.insert(*handle, memory.term(life.id));
    }
    known
}

/// Behind the node, which starts a thread, chooses its id: its own, or that of one of the others if it is gone.
fn choose(memory: &mut Memory, graph: &mut Graph, site: NodeId, (life, own): (&Life, Term), others: &[Life]) {
    let NodeKind::Step(start, next) = graph.node(site).kind.clone() else { return };
    let span = graph.node(site).span;
    let step = |graph: &mut Graph, step: Step, next: NodeId| graph.push(NodeKind::Step(step, next), span);
    let next = step(graph, Step::Assign(life.state, Term::int(HELD)), next);
    let mut first = step(graph, Step::Assign(life.id, own), next);
    for other in others {
        let taken = step(graph, Step::Assign(other.state, Term::int(TAKEN)), next);
        let given = step(graph, Step::Assign(life.id, memory.term(other.id)), taken);
        let is = |var: VarId, value: i128| memory.term(var).eq_to(Term::int(value));
        // Otherwise it is not gone, and this choice is none.
        let ended = graph.push(NodeKind::Branch(is(other.ended, 1), given, first), span);
        let detached = graph.push(NodeKind::Branch(is(other.detached, 1), ended, first), span);
        let held = graph.push(NodeKind::Branch(is(other.state, HELD), detached, first), span);
        let gone = graph.push(NodeKind::Branch(is(other.state, FREE), given, held), span);
        let named = Named { name: "reuse", span, kind: VarKind::Temporary, private: true };
        let wanted = memory.scalar(&named, IntType::new(1, false), Init::Arbitrary);
        let decide = graph.push(NodeKind::Branch(memory.term(wanted).eq_to(Term::int(1)), gone, first), span);
        first = step(graph, Step::Havoc(wanted), decide);
    }
    graph.nodes[site.0 as usize].kind = NodeKind::Step(start, first);
}
