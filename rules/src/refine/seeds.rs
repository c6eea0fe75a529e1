//! What transition predicates start with: what movers' steps evidently do to what views can see.

use std::collections::BTreeSet;

use abstraction::PredicateSet;
use program::{Sort, Term, TermKind, ThreadId, VarId};

use crate::refine::vocabulary::Vocabulary;
use crate::rule::views::{Source, View, Views};
use crate::system::System;

/// Adds to the transition predicates what the movers' steps evidently do to what the views can see: their frames, updates and
/// guards, and what the movers know of it. Next to instances, what they make of the views' own predicates is added, too.
pub fn seed(system: &System<'_>, views: &Views, vocabulary: &mut Vocabulary) {
    for id in views.ids() {
        let view = views.view(id);
        let known = vocabulary.predicates[id.0].set().clone();
        for (mover, what) in view.movers.iter().enumerate() {
            let mut all = evident(system, what.thread, &view.threads, &known);
            if !system.program.templates().is_empty() {
                let told = known.items().iter().copied().filter(|term| is_told(system, view, *term));
                all.extend(told.flat_map(|term| [term, primed(system, view, term)]));
            }
            all.extend(what.sources.iter().flat_map(|source| shared(vocabulary, source, &known)));
            all.retain(|term| is_told(system, view, *term));
            let set = vocabulary.transition.entry((id, mover)).or_default();
            all.into_iter().for_each(|term| _ = set.insert(term));
        }
    }
}

/// What is known of a mover about variables that the watcher can see: it is often why a step is harmless.
fn shared(vocabulary: &Vocabulary, source: &Source, seen: &PredicateSet) -> Vec<Term> {
    let items = vocabulary.predicates[source.view.0].set().items().iter().map(|term| source.renaming.term(*term));
    items.filter(|term| term.vars().is_subset(seen.vars())).collect()
}

/// Whether what a mover does to a view may be described in these terms. Next to instances it is described in terms of globals, of
/// other single threads, and of the view's own instances, of which the mover's sources know something.
fn is_told(system: &System<'_>, view: &View, term: Term) -> bool {
    let told_of = |var: VarId| match system.owner(var) {
        None => true,
        Some(thread) if system.program.template_of(thread).is_none() => !view.threads.contains(&thread),
        Some(thread) => view.threads.contains(&thread) && system.located_thread(var).is_none(),
    };
    let mut fine = true;
    term.visit(&mut |leaf| {
        if let TermKind::Var(var, _) | TermKind::Primed(var, _) = leaf.kind() {
            fine &= told_of(*var);
        }
    });
    fine || system.program.templates().is_empty()
}

/// The formula about the state after a step of a mover: the view's own variables keep their values.
fn primed(system: &System<'_>, view: &View, term: Term) -> Term {
    term.substitute(&|var, sort| match system.owner(var) {
        Some(thread) if view.threads.contains(&thread) => None,
        _ => Some(Term::primed(var, sort)),
    })
}

/// What thread j's steps evidently do to what the watcher can see: frames x' = x, updates x' = e or their direction, guards.
fn evident(system: &System<'_>, mover: ThreadId, watcher: &[ThreadId], seen: &PredicateSet) -> Vec<Term> {
    let foreign = |var: &VarId| system.owner(*var).is_none_or(|thread| !watcher.contains(&thread));
    let visible: BTreeSet<VarId> = seen.vars().iter().copied().filter(foreign).collect();
    let speaks = |term: Term| term.vars().iter().all(|v| system.owner(*v).is_none() || visible.contains(v));
    let mut all = Vec::new();
    for var in &visible {
        let sort = system.sort(*var);
        let next = Term::primed(*var, sort);
        all.push(next.eq_to(Term::var(*var, sort)));
        if *var == system.location_var(mover) {
            for (location, _) in system.program.thread(mover).locations() {
                all.push(system.at(mover, location));
                all.push(next.eq_to(Term::int(i128::from(location.0))));
            }
        }
        for value in system.program.thread(mover).transitions.iter().filter_map(|transition| transition.update(*var)) {
            if speaks(value) {
                all.push(next.eq_to(value));
            } else if sort == Sort::Int {
                // What it becomes cannot be said; whether it grows can.
                let before = Term::var(*var, sort);
                all.extend([next.le(before), before.le(next)]);
            }
        }
    }
    for transition in &system.program.thread(mover).transitions {
        let sees = |term: &Term| speaks(*term) && term.vars().iter().any(|v| visible.contains(v));
        all.extend(transition.guard.iter().copied().filter(sees));
    }
    all
}
