//! Reads of what has no value yet: locals without an initialiser, and pointers in blocks of malloc.
//!
//! Such a variable gets a shadow that says whether it has been written since it came to life, and every read a condition on it. Most reads
//! need none: on no way from the variable's beginning to them it is unwritten. A shadow is set before the write and asked before the
//! read, so that no step has to do both: whoever reads between the two could have read before, too. Copies of whole
//! structs, and of bytes, read nothing in this sense: they copy the shadows as well.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Bookkeeping, Init, IntType, Sort, Span, Term, TermKind, UbKind, VarId, VarKind};

use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::lower::LoweredThread;
use crate::memory::{Cells, Memory, Shape};

/// What the lowering knows of values that are not there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unwritten {
    /// Steps at which locals come to life without a value: thread number and node.
    pub(crate) births: Vec<(usize, NodeId)>,
    /// Temporaries that hold parts of what is copied as a whole.
    pub(crate) copied: BTreeSet<VarId>,
}

/// Adds the conditions. To be asked when accesses have become case splits.
pub(crate) fn check_reads(
    memory: &mut Memory,
    threads: &mut [LoweredThread],
    unwritten: &Unwritten,
) -> Result<(), Failure> {
    let births: BTreeSet<(usize, NodeId)> = unwritten.births.iter().copied().collect();
    let candidates = candidates(memory, threads, &births);
    let mut watched = BTreeSet::new();
    for (var, local) in &candidates {
        if needs_shadow(memory, threads, *var, *local, &births, unwritten) {
            watched.insert(*var);
        }
    }
    if watched.is_empty() {
        return Ok(());
    }
    let mut shadows = HashMap::new();
    for var in watched.iter().chain(&unwritten.copied) {
        shadows.insert(*var, shadow(memory, *var));
    }
    for (number, thread) in threads.iter_mut().enumerate() {
        let instrument = Instrument { memory, watched: &watched, shadows: &shadows, copied: &unwritten.copied };
        for index in 0..thread.graph.nodes.len() {
            let at = NodeId(program::number(index));
            instrument.node(&mut thread.graph, at, births.contains(&(number, at)))?;
        }
    }
    Ok(())
}

/// Whether a scalar without a value is one that nobody may read: `unsigned char` has any value, and so have integers in blocks.
fn matters(shape: Shape, local: bool) -> bool {
    let bytes = !shape.ty.signed && shape.ty.bits == 8;
    shape.pointer || (local && !bytes)
}

/// Variables that come to life without a value, and whether they are locals.
fn candidates(memory: &Memory, threads: &[LoweredThread], births: &BTreeSet<(usize, NodeId)>) -> BTreeMap<VarId, bool> {
    let born: BTreeSet<VarId> =
        births.iter().filter_map(|(number, at)| threads[*number].graph.node(*at).writes()).collect();
    let mut found = BTreeMap::new();
    for object in &memory.objects {
        let heap = object.heap.is_some();
        for leaf in object.leaves.iter().filter(|leaf| matters(leaf.shape, !heap)) {
            let cells = match &leaf.cells {
                Cells::Split(cells) => cells.clone(),
                Cells::Array(cell) => vec![*cell],
            };
            let fresh = |cell: &VarId| match heap {
                true => memory.cell(*cell).init == Init::Arbitrary,
                false => born.contains(cell),
            };
            let user = |cell: &VarId| memory.cell(*cell).kind == VarKind::User;
            found.extend(cells.into_iter().filter(fresh).filter(user).map(|cell| (cell, !heap)));
        }
    }
    found
}

/// Whether some read may come before a write.
fn needs_shadow(
    memory: &Memory,
    threads: &[LoweredThread],
    var: VarId,
    local: bool,
    births: &BTreeSet<(usize, NodeId)>,
    unwritten: &Unwritten,
) -> bool {
    let is_array = memory.cell(var).sort == Sort::Array;
    let mentions = |thread: &LoweredThread, at: NodeId| {
        let node = thread.graph.node(at);
        node.writes() == Some(var) || node.terms().iter().any(|term| term.vars().contains(&var))
    };
    let users: Vec<usize> = (0..threads.len())
        .filter(|number| {
            let thread = &threads[*number];
            thread.graph.reachable().into_iter().any(|at| mentions(thread, at))
        })
        .collect();
    // A copy is a read in so far as it passes on that there is no value.
    let reads = |graph: &Graph, at: NodeId| {
        let node = graph.node(at);
        node.terms().iter().any(|term| read_places(*term, var, node.writes()).is_none_or(|p| !p.is_empty()))
    };
    let [only] = users.as_slice() else {
        let read = |number: &usize| {
            let graph = &threads[*number].graph;
            graph.reachable().into_iter().any(|at| reads(graph, at))
        };
        return users.iter().any(read);
    };
    let graph = &threads[*only].graph;
    let starts: Vec<NodeId> = match local {
        true => births
            .iter()
            .filter(|(number, at)| number == only && graph.node(*at).writes() == Some(var))
            .flat_map(|(_, at)| graph.node(*at).successors())
            .collect(),
        false => vec![graph.entry],
    };
    // An array has a value only where it was written: any read may be of another element. So does what copies an unwritten one.
    let mut seen = BTreeSet::new();
    let mut open = starts;
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if reads(graph, at) {
            return true;
        }
        let node = graph.node(at);
        let carries = node.terms().iter().any(|term| term.vars().iter().any(|v| unwritten.copied.contains(v)));
        if is_array || node.writes() != Some(var) || carries {
            open.extend(node.successors());
        }
    }
    false
}

/// Where a term reads a variable: at an index, or as it is. Nothing if it does so in a way that is not known; a write of an element to the
/// array itself is no read.
fn read_places(term: Term, var: VarId, written: Option<VarId>) -> Option<Vec<Option<Term>>> {
    let mut places = Vec::new();
    collect(term, var, written == Some(var), &mut places).then_some(places)
}

fn collect(term: Term, var: VarId, target: bool, places: &mut Vec<Option<Term>>) -> bool {
    match term.kind() {
        TermKind::Var(found, sort) if *found == var => {
            if *sort == Sort::Int {
                places.push(None);
            }
            *sort == Sort::Int || target
        }
        TermKind::Select(array, index) if array.as_var() == Some(var) => {
            places.push(Some(*index));
            collect(*index, var, false, places)
        }
        TermKind::Store(array, index, value) => {
            collect(*array, var, target, places)
                && collect(*index, var, false, places)
                && collect(*value, var, false, places)
        }
        _ => term.children().into_iter().all(|child| collect(child, var, false, places)),
    }
}

/// What says whether a variable, or which of its elements, has been written.
fn shadow(memory: &mut Memory, var: VarId) -> VarId {
    let cell = memory.cell(var).clone();
    let unwritten = match cell.sort {
        Sort::Array => Term::const_array(Term::int(0)),
        _ => Term::int(0),
    };
    memory.shadow(var, &format!("written({})", cell.name), IntType::new(1, false), Init::Value(unwritten))
}

struct Instrument<'a> {
    memory: &'a Memory,
    watched: &'a BTreeSet<VarId>,
    shadows: &'a HashMap<VarId, VarId>,
    copied: &'a BTreeSet<VarId>,
}

impl Instrument<'_> {
    fn term(&self, var: VarId, place: Option<Term>) -> Option<Term> {
        let shadow = self.memory.term(*self.shadows.get(&var)?);
        Some(place.map_or(shadow, |index| shadow.select(index)))
    }

    /// Puts what the shadows need before a node.
    fn node(&self, graph: &mut Graph, at: NodeId, birth: bool) -> Result<(), Failure> {
        let node = graph.node(at).clone();
        let written = node.writes();
        let copies = written.is_some_and(|var| self.copied.contains(&var));
        let mut steps = Vec::new();
        let mut seen = Vec::new();
        for term in node.terms() {
            for var in term.vars().into_iter().filter(|var| self.watched.contains(var)) {
                let Some(places) = read_places(term, var, written) else { return Err(refused(node.span)) };
                seen.extend(places.into_iter().filter_map(|place| self.term(var, place)));
            }
        }
        if !copies {
            steps.extend(seen.iter().map(|bit| Step::Check(bit.eq_to(Term::int(1)), UbKind::Uninitialised)));
        }
        steps.extend(self.set(&node.kind, copies, &seen, birth));
        if steps.is_empty() {
            return Ok(());
        }
        let moved = graph.push_like(node.clone());
        let first = steps.into_iter().rev().fold(moved, |next, step| graph.push(NodeKind::Step(step, next), node.span));
        graph.nodes[at.0 as usize].kind = NodeKind::Skip(first);
        Ok(())
    }

    /// What a write means for its shadow.
    fn set(&self, kind: &NodeKind, copies: bool, seen: &[Term], birth: bool) -> Option<Step> {
        let NodeKind::Step(step, _) = kind else { return None };
        let (var, value) = match step {
            Step::Assign(var, value) => (*var, Some(*value)),
            Step::Havoc(var) => (*var, None),
            _ => return None,
        };
        if !copies && !self.watched.contains(&var) {
            return None;
        }
        let shadow = *self.shadows.get(&var)?;
        let whole = |bit: Term| match self.memory.cell(var).sort {
            Sort::Array => Term::const_array(bit),
            _ => bit,
        };
        if birth {
            return Some(Step::Assign(shadow, whole(Term::int(0))));
        }
        // What is copied is as good as it was there.
        let given = |value: Term| {
            let vars = value.vars();
            let carried = vars.iter().find(|v| self.copied.contains(v)).and_then(|v| self.term(*v, None));
            carried.unwrap_or(Term::int(1))
        };
        let bits = match value.map(|value| (value, value.kind())) {
            _ if copies => seen.first().copied().unwrap_or(Term::int(1)),
            Some((_, TermKind::Store(array, index, element))) if array.as_var() == Some(var) => {
                self.memory.term(shadow).store(*index, given(*element))
            }
            Some((value, _)) => whole(given(value)),
            None => whole(Term::int(1)),
        };
        Some(Step::Assign(shadow, bits))
    }
}

fn refused(span: Span) -> Failure {
    Diagnostic::new(Code::Unsupported, "a use of a whole array whose elements may have no values").at(span).into()
}

impl Memory {
    /// A variable beside another, which belongs to the same thread and has as many elements.
    fn shadow(&mut self, var: VarId, name: &str, ty: IntType, init: Init) -> VarId {
        let cell = self.cell(var).clone();
        let home = std::mem::replace(&mut self.home, cell.home);
        let kind = VarKind::Control(Bookkeeping::Other);
        let named = crate::memory::Named { name, span: cell.span, kind, private: false };
        let shadow = self.scalar(&named, ty, init);
        self.home = home;
        let slot = self.cell_mut(shadow);
        (slot.sort, slot.length) = (cell.sort, cell.length);
        shadow
    }
}
