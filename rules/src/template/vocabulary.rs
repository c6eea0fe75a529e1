//! What an abstraction over views knows: predicates of each view and, under rely-guarantee, of what movers do to it.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::PredicateSet;
use program::{Linear, Term, TermKind, VarId};

use super::counters::counted;
use super::views::{Source, View, ViewId, Views};
use crate::rely_guarantee::seeds;
use crate::system::System;

/// The predicates.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// Of states, by view.
    pub predicates: Vec<PredicateSet>,
    /// Of transitions, by watching view and mover.
    pub transition: BTreeMap<(ViewId, usize), PredicateSet>,
    /// What has as many values as there are instances: constants say little of it.
    counted: BTreeSet<VarId>,
}

impl Vocabulary {
    /// Nothing but these predicates, of every view that they are about.
    pub fn new(system: &System<'_>, views: &Views, start: impl IntoIterator<Item = Term>) -> Vocabulary {
        let start: Vec<Term> = start.into_iter().collect();
        let of = |view: &View| {
            let mine = |var: VarId| system.owner(var).is_none_or(|thread| view.threads.contains(&thread));
            let mut set = PredicateSet::default();
            let known = start.iter().filter(|term| term.vars().into_iter().all(mine));
            known.for_each(|term| _ = set.insert(*term));
            set
        };
        let predicates = views.all.iter().map(of).collect();
        Vocabulary { predicates, transition: BTreeMap::new(), counted: counted(system.program) }
    }

    /// Whether a linear form is how many there are of something.
    pub fn is_count(&self, form: &Linear) -> bool {
        let mut atoms = form.atoms();
        let single = atoms.next().and_then(Term::as_var).is_some_and(|var| self.counted.contains(&var));
        single && atoms.next().is_none()
    }

    /// Adds to the transition predicates what the movers' steps evidently do to what the views can see: their frames, updates and
    /// guards, and what they make of the views' own predicates.
    pub fn seed(&mut self, system: &System<'_>, views: &Views) {
        for id in views.ids() {
            let view = views.view(id);
            let known = self.predicates[id.0].clone();
            for (mover, what) in view.movers.iter().enumerate() {
                let mut all = seeds(system, what.thread, &view.threads, &known);
                let told = known.items().iter().copied().filter(|term| is_told(system, views, id, *term));
                all.extend(told.flat_map(|term| [term, primed(system, views, id, term)]));
                all.extend(what.sources.iter().flat_map(|source| self.shared(source, &known)));
                all.retain(|term| is_told(system, views, id, *term));
                let set = self.transition.entry((id, mover)).or_default();
                all.into_iter().for_each(|term| _ = set.insert(term));
            }
        }
    }

    /// What is known of a mover about variables that the watcher can see: it is often why a step is harmless.
    fn shared(&self, source: &Source, seen: &PredicateSet) -> Vec<Term> {
        let items = self.predicates[source.view.0].items().iter().map(|term| source.renaming.term(*term));
        items.filter(|term| term.vars().is_subset(seen.vars())).collect()
    }
}

/// Whether what a mover does to a view may be described in these terms: of globals, of other single threads, and of the view's own
/// instances, of which the mover's sources know something.
pub fn is_told(system: &System<'_>, views: &Views, view: ViewId, term: Term) -> bool {
    let mut fine = true;
    term.visit(&mut |leaf| {
        if let TermKind::Var(var, _) | TermKind::Primed(var, _) = leaf.kind() {
            fine &= is_told_of(system, views, view, *var);
        }
    });
    fine
}

/// The same of one variable.
pub fn is_told_of(system: &System<'_>, views: &Views, view: ViewId, var: VarId) -> bool {
    let own = &views.view(view).threads;
    match system.owner(var) {
        None => true,
        Some(thread) if system.program.template_of(thread).is_none() => !own.contains(&thread),
        Some(thread) => own.contains(&thread) && system.located_thread(var).is_none(),
    }
}

/// The formula about the state after a step of a mover: the view's own variables keep their values.
fn primed(system: &System<'_>, views: &Views, view: ViewId, term: Term) -> Term {
    let own = &views.view(view).threads;
    term.substitute(&|var, sort| match system.owner(var) {
        Some(thread) if own.contains(&thread) => None,
        _ => Some(Term::primed(var, sort)),
    })
}
