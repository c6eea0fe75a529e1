//! Compiled steps of threads.

use std::collections::{BTreeMap, BTreeSet};

use check::at;
use program::{
    Conflict, IntType, LocationId, LocationKind, Owner, Program, Sort, Span, Term, ThreadId, Transition, UbKind, VarId,
};

use super::code::Names;
use super::liveness::Liveness;
use super::loops::back_edges;
use super::{Counting, Holds, LocationCode, Machine, NodeId, Slot, Solo, Touch};

/// A formula, compiled, and as it is in the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conjunct {
    pub(crate) node: NodeId,
    pub(crate) term: Term,
    /// Whether it speaks of an input of the step.
    pub(crate) reads_input: bool,
}

/// A new value for a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    pub(crate) slot: Slot,
    pub(crate) node: NodeId,
    pub(crate) term: Term,
    /// What the slot takes over, to be chosen when it is read.
    pub(crate) deferred: Option<Deferred>,
}

/// A value that nobody else has, and that need not have been chosen yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deferred {
    /// An input, by its position.
    Input(u32),
    /// What a local holds that does not matter any more.
    Local(Slot),
}

/// A value chosen by a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) var: VarId,
    pub(crate) ty: IntType,
    pub(crate) sort: Sort,
    /// Whether what the step assigns depends on it.
    pub(crate) is_assigned: bool,
    /// Whether some variable takes it over, and it is chosen when that one is read.
    pub(crate) is_deferred: bool,
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) thread: u32,
    /// Index into the thread's transitions; none where it is the error that threads are in conflict.
    pub(crate) transition: Option<u32>,
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) kind: LocationKind,
    /// Whether it goes back to the head of a loop, and where that is counted.
    pub(crate) is_back: bool,
    pub(crate) counter: Option<Slot>,
    pub(crate) inputs: Box<[Input]>,
    pub(crate) guard: Box<[Conjunct]>,
    pub(crate) defined: Box<[(Conjunct, UbKind, Span)]>,
    pub(crate) updates: Box<[Update]>,
    /// Locals whose values do not matter any more.
    pub(crate) resets: Box<[Slot]>,
    /// The globals that it touches.
    pub(crate) touch: Touch,
}

/// Compiles a thread's locations and steps.
pub(super) fn compile_thread(machine: &mut Machine<'_>, id: ThreadId, liveness: &Liveness, counting: Counting) {
    let thread = machine.program.thread(id);
    let back = back_edges(thread);
    let mut by_source: Vec<Vec<usize>> = vec![Vec::new(); thread.locations.len()];
    for (index, step) in thread.transitions.iter().enumerate() {
        by_source[step.source.0 as usize].push(index);
    }
    let mut counters: BTreeMap<u32, Slot> = BTreeMap::new();
    for ((place, location), outgoing) in thread.locations().zip(by_source) {
        let start = program::number(machine.steps.len());
        let conflicts = machine.program.conflicts().iter().filter(|conflict| conflict.is_at(id, place));
        let conflicts: Vec<Step> = conflicts.map(|conflict| in_conflict(machine, id, place, conflict)).collect();
        machine.steps.extend(conflicts);
        for index in outgoing {
            let mut step = compile(machine, id, index, liveness);
            step.is_back = back[index];
            if step.is_back && counting == Counting::Loops {
                let new = || machine.add_slot(Holds::Count, IntType::new(32, false), 0);
                step.counter = Some(*counters.entry(step.target).or_insert_with(new));
            }
            machine.steps.push(step);
        }
        let steps = start..program::number(machine.steps.len());
        let code = LocationCode { span: location.span, steps, future: 0, solo: Solo::Never, touch: Touch::default() };
        machine.threads[id.0 as usize].locations.push(code);
    }
}

/// The error that a thread at a location is in conflict with others, as a step of it.
fn in_conflict(machine: &mut Machine<'_>, id: ThreadId, location: LocationId, conflict: &Conflict) -> Step {
    let names = Names { slots: &machine.slots, slot_of: &machine.slot_of, inputs: &[] };
    let program = machine.program;
    let others = conflict.at.iter().filter(|standing| standing.thread != id);
    let others = others.map(|standing| standing.formula(&|thread, location| at(program, thread, location)));
    let own = conflict.standing(id).and_then(|standing| standing.when(location)).unwrap_or_default();
    let code = &mut machine.code;
    let conjunct = |term: Term| Conjunct { node: code.compile(term, &names), term, reads_input: false };
    Step {
        thread: id.0,
        transition: None,
        source: location.0,
        target: location.0,
        kind: LocationKind::Error(conflict.claim.property),
        is_back: false,
        counter: None,
        inputs: Box::default(),
        guard: own.into_iter().chain(others).chain(conflict.condition.iter().copied()).map(conjunct).collect(),
        defined: Box::default(),
        updates: Box::default(),
        resets: Box::default(),
        touch: Touch::default(),
    }
}

fn compile(machine: &mut Machine<'_>, id: ThreadId, index: usize, liveness: &Liveness) -> Step {
    let program = machine.program;
    let step = &program.thread(id).transitions[index];
    let live = |var: VarId| liveness.is_live(program, var, id, step.target);
    let kept: Vec<(VarId, Term)> = step.updates.iter().copied().filter(|(var, _)| live(*var)).collect();
    let inputs: Vec<Input> = step.inputs.iter().map(|var| input(machine, step, &kept, *var)).collect();
    let typed: Vec<(VarId, IntType)> = inputs.iter().map(|input| (input.var, input.ty)).collect();
    let names = Names { slots: &machine.slots, slot_of: &machine.slot_of, inputs: &typed };
    let code = &mut machine.code;
    let reads_input = |term: Term| typed.iter().any(|(input, _)| term.vars().contains(input));
    let mut conjunct = |term: Term| Conjunct { node: code.compile(term, &names), term, reads_input: reads_input(term) };
    let guard = step.guard.iter().map(|term| conjunct(*term)).collect();
    let defined = step.defined.iter().map(|d| (conjunct(d.condition), d.kind, d.span)).collect();
    let updates = kept.iter().filter_map(|(var, term)| {
        let slot = names.slot_of[var.0 as usize]?;
        let taken = inputs.iter().position(|input| input.is_deferred && term.as_var() == Some(input.var));
        let local =
            || names.slot_of[moved(program, step, &kept, *var, *term, liveness.locals(id, step.target))?.0 as usize];
        let deferred = taken.map(program::number).map(Deferred::Input).or_else(|| local().map(Deferred::Local));
        Some(Update { slot, node: code.compile(*term, &names), term: *term, deferred })
    });
    let updates = updates.collect();
    let written = |var: &VarId| kept.iter().any(|(target, _)| target == var);
    let (before, after) = (liveness.locals(id, step.source), liveness.locals(id, step.target));
    let resets = before.difference(after).filter(|var| !written(var));
    let resets = resets.filter_map(|var| machine.slot_of[var.0 as usize]).collect();
    Step {
        thread: id.0,
        transition: Some(program::number(index)),
        source: step.source.0,
        target: step.target.0,
        kind: program.thread(id).location(step.target).kind,
        is_back: false,
        counter: None,
        inputs: inputs.into(),
        guard,
        defined,
        updates,
        resets,
        touch: Touch::default(),
    }
}

/// The local that is only copied, into one variable of the same type, and does not matter afterwards.
fn moved(
    program: &Program,
    step: &Transition,
    kept: &[(VarId, Term)],
    target: VarId,
    term: Term,
    live: &BTreeSet<VarId>,
) -> Option<VarId> {
    let source = term.as_var()?;
    let (from, to) = (program.var(source), program.var(target));
    let is_alike = matches!(from.owner, Owner::Local(_)) && (from.sort, from.ty) == (Sort::Int, to.ty);
    let uses = kept.iter().filter(|(_, term)| term.vars().contains(&source)).count();
    (is_alike && to.sort == Sort::Int && uses == 1 && !is_tested(step, source) && !live.contains(&source))
        .then_some(source)
}

fn is_tested(step: &Transition, var: VarId) -> bool {
    let mut conditions = step.guard.iter().copied().chain(step.defined.iter().map(|d| d.condition));
    conditions.any(|term| term.vars().contains(&var))
}

/// An input that is only copied, into one variable of the same type, is chosen when that variable is read.
fn input(machine: &Machine<'_>, step: &Transition, kept: &[(VarId, Term)], var: VarId) -> Input {
    let declared = machine.program.var(var);
    let uses: Vec<&(VarId, Term)> = kept.iter().filter(|(_, term)| term.vars().contains(&var)).collect();
    let is_copied = match uses.as_slice() {
        [(target, term)] => {
            let target = machine.program.var(*target);
            term.as_var() == Some(var) && (target.sort, target.ty) == (Sort::Int, declared.ty)
        }
        _ => false,
    };
    let is_deferred = is_copied && !is_tested(step, var);
    let (sort, ty) = (declared.sort, declared.ty);
    Input { var, ty, sort, is_assigned: !uses.is_empty() && !is_deferred, is_deferred }
}
