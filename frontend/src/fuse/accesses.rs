//! Which accesses may be in conflict with those of other threads, and where a thread is about to make them.
//!
//! An access that may be is the first of its transition that others can notice: a state exists in which the thread is about to make
//! it, and what comes before in the transition is the thread's own business, or commutes with all that others do. So whether it
//! is about to can be said of the state in which the transition starts.

use std::collections::{BTreeMap, BTreeSet};

use program::{Bookkeeping, Span, Term, TermKind, VarId, VarKind};

use super::movers::Movers;
use super::region::Regions;
use crate::cfg::{Graph, Manner, NodeId, NodeKind, Step};
use crate::memory::Memory;

/// By node, the variables that it touches while another thread may touch them too, such that it may matter.
pub(crate) type Contested = BTreeMap<NodeId, BTreeSet<VarId>>;

/// An access before variables and locations are numbered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RawAccess {
    /// Where the transition starts that makes it.
    pub(crate) source: NodeId,
    /// In which states it does.
    pub(crate) when: Vec<Term>,
    pub(crate) var: VarId,
    /// Which element, if it is one of several.
    pub(crate) index: Option<Term>,
    pub(crate) writes: bool,
    pub(crate) atomic: bool,
    pub(crate) in_section: bool,
    pub(crate) span: Span,
    pub(crate) calls: Vec<Span>,
}

impl RawAccess {
    /// The variables that it depends on.
    pub(crate) fn reads(&self) -> impl Iterator<Item = VarId> + '_ {
        self.when.iter().copied().chain(self.index).flat_map(Term::vars)
    }
}

/// What a node does to a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    thread: usize,
    writes: bool,
    atomic: bool,
    in_section: bool,
}

impl Use {
    fn races(self, other: Use) -> bool {
        let ordered = (self.atomic && other.atomic) || (self.in_section && other.in_section);
        self.thread != other.thread && (self.writes || other.writes) && !ordered
    }
}

/// By thread, the accesses that may be in conflict. `shared` says which variables several threads touch.
pub(crate) fn contested(
    memory: &Memory,
    graphs: &[&Graph],
    shared: &[bool],
    movers: Option<&Movers>,
) -> Result<Vec<Contested>, (Span, String)> {
    let runs = memory.runs();
    let run = |var: VarId| runs.get(&var).copied().unwrap_or(var);
    // Who touches one field is not known to keep away from those who touch another.
    let fields: BTreeSet<VarId> = runs.iter().flat_map(|(field, first)| [*field, *first]).collect();
    let mut uses: BTreeMap<VarId, BTreeSet<Use>> = BTreeMap::new();
    let mut found: Vec<Vec<(NodeId, VarId, Use)>> = Vec::new();
    for (thread, graph) in graphs.iter().enumerate() {
        let sections = inside_sections(graph, &Regions::of(graph)?);
        let mut here = Vec::new();
        for at in graph.reachable().into_iter().filter(|at| graph.node(*at).manner != Manner::Birth) {
            let (atomic, in_section) = (graph.node(at).manner == Manner::Atomic, sections.contains(&at));
            for (var, writes) in touched(graph, at) {
                let is_shared = shared.get(var.0 as usize).copied().unwrap_or(true);
                let is_alone = movers.is_some_and(|movers| !movers.meets(thread, at, var));
                let may_meet = fields.contains(&var) || (is_shared && !is_alone);
                if may_meet && is_data(memory.cell(var).kind) {
                    let one = Use { thread, writes, atomic, in_section };
                    uses.entry(run(var)).or_default().insert(one);
                    here.push((at, var, one));
                }
            }
        }
        found.push(here);
    }
    let matters = |var: VarId, one: Use| uses[&run(var)].iter().any(|other| one.races(*other));
    let kept = found.into_iter().map(|here| {
        let mut contested = Contested::new();
        for (at, var, _) in here.into_iter().filter(|(_, var, one)| matters(*var, *one)) {
            contested.entry(at).or_default().insert(var);
        }
        contested
    });
    Ok(kept.collect())
}

/// What C calls memory; whether a block has been freed goes for all of its bytes.
fn is_data(kind: VarKind) -> bool {
    matches!(kind, VarKind::User | VarKind::Lock | VarKind::Control(Bookkeeping::Freed))
}

/// The nodes inside atomic sections of the text.
pub(super) fn inside_sections(graph: &Graph, regions: &Regions) -> BTreeSet<NodeId> {
    graph.sections.iter().flat_map(|begin| regions.inside(*begin)).collect()
}

/// The variables that a node touches, and whether it writes them.
fn touched(graph: &Graph, at: NodeId) -> BTreeMap<VarId, bool> {
    let node = graph.node(at);
    let mut touched: BTreeMap<VarId, bool> =
        node.terms().iter().flat_map(|term| term.vars()).map(|var| (var, false)).collect();
    if let Some(var) = node.writes() {
        touched.insert(var, true);
    }
    touched
}

/// The elements of a variable that a node touches, all or the variable itself if there is none, and whether it writes them.
pub(super) fn elements(graph: &Graph, at: NodeId, var: VarId) -> (Vec<Option<Term>>, bool) {
    let node = graph.node(at);
    if node.writes() == Some(var) {
        let index = match &node.kind {
            NodeKind::Step(Step::Assign(_, term), _) => match term.kind() {
                TermKind::Store(array, index, _) if array.as_var() == Some(var) => Some(*index),
                _ => None,
            },
            _ => None,
        };
        return (vec![index], true);
    }
    let mut read = Vec::new();
    node.terms().iter().for_each(|term| elements_in(*term, var, &mut read));
    (read, false)
}

fn elements_in(term: Term, var: VarId, read: &mut Vec<Option<Term>>) {
    match term.kind() {
        TermKind::Select(array, index) if array.as_var() == Some(var) => {
            read.push(Some(*index));
            elements_in(*index, var, read);
        }
        _ if term.as_var() == Some(var) => read.push(None),
        _ => term.children().into_iter().for_each(|part| elements_in(part, var, read)),
    }
}
