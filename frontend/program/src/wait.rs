//! Waits: where a thread cannot go on before another one does something, and who that is.
//!
//! A thread is blocked where it has not ended and no step of it is enabled, but for those that may happen and are never owed, such as
//! spurious wake-ups; one that is stopped by an assumption or by undefined behaviour is not. A wait is told of a location and of the
//! state there, like an access.

use std::collections::BTreeSet;

use crate::model::{Init, LocationId, Malformed, Owner, Program, Span, ThreadId, VarId};
use crate::template::FIRST_IDENTITY;
use crate::term::{Sort, Term, TermKind};

/// What a thread waits for where it is at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Where the thread is.
    pub location: LocationId,
    /// In which states it cannot go on, over G and V_i.
    pub when: Vec<Term>,
    /// Who can end the wait.
    pub holder: Holder,
    /// The state of what it waits for: a variable, or an element of one.
    pub subject: Term,
    /// What that is: `mutex`, `semaphore`.
    pub kind: &'static str,
    /// Its place in the text.
    pub span: Span,
}

/// Who can end a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Holder {
    /// Who creates the thread: it is not there yet.
    Creator,
    /// Whoever makes a post or a signal, or comes to a barrier.
    Anyone,
    /// The thread with this id, by its end.
    Ending(Term),
    /// The thread with this id, by giving back what it holds.
    Owner(Term),
}

impl Holder {
    /// The id of the thread, where it is one.
    pub fn id(self) -> Option<Term> {
        match self {
            Holder::Ending(id) | Holder::Owner(id) => Some(id),
            Holder::Creator | Holder::Anyone => None,
        }
    }

    /// The same with another id.
    pub fn map(self, id: impl FnOnce(Term) -> Term) -> Holder {
        match self {
            Holder::Ending(term) => Holder::Ending(id(term)),
            Holder::Owner(term) => Holder::Owner(id(term)),
            Holder::Creator | Holder::Anyone => self,
        }
    }
}

impl Wait {
    /// The terms that it depends on.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.when.iter().copied().chain(self.holder.id()).chain([self.subject])
    }
}

impl Program {
    pub(crate) fn validate_wait(&self, thread: ThreadId, wait: &Wait) -> Result<(), Malformed> {
        let owner = |var: VarId| self.vars.get(var.0 as usize).map(|var| var.owner);
        let mine = |var: VarId| owner(var).is_some_and(|o| o == Owner::Global || o == Owner::Local(thread));
        let sorts = wait.when.iter().all(|term| term.sort() == Sort::Bool)
            && wait.holder.id().is_none_or(|id| id.sort() == Sort::Int);
        let exists = (wait.location.0 as usize) < self.thread(thread).locations.len();
        match sorts && exists && wait.terms().flat_map(Term::vars).all(mine) {
            true => Ok(()),
            false => Err(Malformed(format!("a wait at {} is not one of its thread", self.place(wait.span)))),
        }
    }
}

/// Where variables may hold a thread's id: what the thread may own at each of its locations.
///
/// Only the thread itself writes its id, as far as that can be told; then a variable holds it only where some path leads from such a
/// write without another write between.
pub(crate) struct Holdings {
    /// By location, the variables that may; nothing if that is not known of any.
    at: Option<Vec<BTreeSet<VarId>>>,
    /// By location, the variables that certainly do.
    certain: Vec<BTreeSet<VarId>>,
    id: Term,
}

impl Holdings {
    /// What a thread with this id may hold.
    pub(crate) fn of(program: &Program, thread: ThreadId, id: Term) -> Holdings {
        if id.as_int().is_none() && !is_identity(program, id) {
            let certain = vec![BTreeSet::new(); program.thread(thread).locations.len()];
            return Holdings { at: None, certain, id };
        }
        let differs = |value: Term, var: VarId| differs(program, value, var, id);
        let others = program.threads().filter(|(other, _)| *other != thread);
        let mut doubtful: BTreeSet<VarId> =
            program.vars().filter(|(_, var)| !starts_otherwise(program, var.init, id)).map(|(var, _)| var).collect();
        doubtful.extend(program.templates().iter().flat_map(|template| &template.identities));
        for transition in others.flat_map(|(_, other)| &other.transitions) {
            let given = transition.updates.iter().filter(|(var, value)| !differs(*value, *var));
            doubtful.extend(given.map(|(var, _)| *var));
        }
        let certain = certain(program, thread, id);
        let thread = program.thread(thread);
        let mut at: Vec<Option<BTreeSet<VarId>>> = vec![None; thread.locations.len()];
        at[thread.entry.0 as usize] = Some(BTreeSet::new());
        loop {
            let mut changed = false;
            for transition in &thread.transitions {
                let Some(mut held) = at[transition.source.0 as usize].clone() else { continue };
                for (var, value) in &transition.updates {
                    if !differs(*value, *var) {
                        held.insert(*var);
                    } else if value.as_int().is_some() {
                        held.remove(var);
                    }
                }
                let target = &mut at[transition.target.0 as usize];
                changed |= target.as_ref().is_none_or(|known| !held.is_subset(known));
                target.get_or_insert_with(BTreeSet::new).extend(held);
            }
            if !changed {
                break;
            }
        }
        let at = at.into_iter().map(|held| held.unwrap_or_default().union(&doubtful).copied().collect());
        Holdings { at: Some(at.collect()), certain, id }
    }

    /// Whether this may be the thread's id where it is at a location.
    pub(crate) fn may_be(&self, location: LocationId, owner: Term) -> bool {
        let Some(at) = &self.at else { return true };
        let held = &at[location.0 as usize];
        match owner.kind() {
            TermKind::Var(var, _) => held.contains(var),
            TermKind::Select(array, _) => array.as_var().is_none_or(|var| held.contains(&var)),
            _ => owner.as_int().is_none() || owner == self.id,
        }
    }
}

impl Holdings {
    /// The variables that hold the thread's id wherever it is at a location.
    pub(crate) fn must_be(&self, location: LocationId) -> &BTreeSet<VarId> {
        &self.certain[location.0 as usize]
    }
}

/// By location, what holds a thread's id however it came there. Nobody else writes a variable that does: each such step asks for another
/// value first.
fn certain(program: &Program, thread: ThreadId, id: Term) -> Vec<BTreeSet<VarId>> {
    let others = program.threads().filter(|(other, _)| *other != thread);
    let mut disturbed: BTreeSet<VarId> = BTreeSet::new();
    for step in others.flat_map(|(_, other)| &other.transitions) {
        let asked: Vec<Term> =
            step.guard.iter().copied().chain(step.defined.iter().flat_map(|d| d.condition.conjuncts())).collect();
        let is_asked = |var: VarId| asked.iter().any(|literal| excludes(program, *literal, var, id));
        disturbed.extend(step.updates.iter().map(|(var, _)| *var).filter(|var| !is_asked(*var)));
    }
    let thread = program.thread(thread);
    let mut at: Vec<Option<BTreeSet<VarId>>> = vec![None; thread.locations.len()];
    at[thread.entry.0 as usize] = Some(BTreeSet::new());
    loop {
        let mut changed = false;
        for step in &thread.transitions {
            let Some(mut held) = at[step.source.0 as usize].clone() else { continue };
            for (var, value) in &step.updates {
                let holds = *value == id && !disturbed.contains(var);
                _ = if holds { held.insert(*var) } else { held.remove(var) };
            }
            let target = &mut at[step.target.0 as usize];
            let common = target.as_ref().map_or_else(|| held.clone(), |known| known & &held);
            changed |= target.as_ref() != Some(&common);
            *target = Some(common);
        }
        if !changed {
            break;
        }
    }
    at.into_iter().map(Option::unwrap_or_default).collect()
}

/// Whether a literal says that a variable holds another id than this, or none.
fn excludes(program: &Program, literal: Term, var: VarId, id: Term) -> bool {
    let TermKind::Eq(form, bound) = literal.kind() else { return false };
    let [(only, factor)] = form.monomials() else { return false };
    only.as_var() == Some(var) && factor.abs() == 1 && is_other(program, Term::int(bound * factor), id)
}

/// Whether this is the id of an instance of a template.
fn is_identity(program: &Program, id: Term) -> bool {
    id.as_var().is_some_and(|var| program.templates().iter().any(|template| template.identities.contains(&var)))
}

/// Whether a number, or the id of an instance, is certainly not this id.
pub(crate) fn is_other(program: &Program, value: Term, id: Term) -> bool {
    match (value.as_int(), id.as_int()) {
        (Some(value), Some(id)) => value != id,
        (Some(number), None) => is_identity(program, id) && number < FIRST_IDENTITY,
        (None, Some(number)) => is_identity(program, value) && number < FIRST_IDENTITY,
        (None, None) => is_identity(program, value) && is_identity(program, id) && value != id,
    }
}

pub(crate) fn starts_otherwise(program: &Program, init: Init, id: Term) -> bool {
    match init {
        Init::Value(value) => match value.kind() {
            TermKind::ConstArray(element) => is_other(program, *element, id),
            _ => is_other(program, value, id),
        },
        Init::Arbitrary => false,
    }
}

/// Whether writing this value to the variable leaves the id in it at no more places than before.
fn differs(program: &Program, value: Term, var: VarId, id: Term) -> bool {
    let differs = |value: Term| differs(program, value, var, id);
    match value.kind() {
        TermKind::Store(array, _, element) => differs(*array) && differs(*element),
        TermKind::Ite(_, then, otherwise) => differs(*then) && differs(*otherwise),
        _ => value.as_var() == Some(var) || is_other(program, value, id),
    }
}
