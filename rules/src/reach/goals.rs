//! What predicates become under steps and effects: made once, by whoever has the engine, and looked up by workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use abstraction::{Bounds, Goals, Literal, PredicateSet};
use program::{Term, VarId};
use rustc_hash::FxHashMap;

use super::Reach;
use crate::rule::views::ViewId;
use crate::system::{Rewrite, StepId, System};

/// Everything that was made.
#[derive(Default)]
pub(crate) struct GoalTable {
    guards: FxHashMap<StepId, Guard>,
    of_step: FxHashMap<(StepId, ViewId), Arc<Goals>>,
    of_transition: FxHashMap<(StepId, ViewId), Arc<Goals>>,
    of_environment: FxHashMap<(ViewId, BTreeMap<VarId, Term>), Arc<Goals>>,
    /// Steps that do the same to a view's predicates have the same goals.
    interned: FxHashMap<(ViewId, Goals), Arc<Goals>>,
    /// Whether a step changes a variable that a view speaks of.
    changes: FxHashMap<(StepId, ViewId), bool>,
    /// What a rule must look at to see a step's effect on a view.
    visible: FxHashMap<(StepId, ViewId), Arc<[VarId]>>,
}

/// A step's guard.
pub(crate) struct Guard {
    pub(crate) literals: Vec<Literal>,
    /// The bounds among them: most steps that are impossible contradict a state by these alone.
    pub(crate) bounds: Bounds,
}

impl GoalTable {
    /// The guard of a step that has been prepared.
    pub(crate) fn guard(&self, step: StepId) -> &Guard {
        &self.guards[&step]
    }
    /// The preconditions of a view's predicates under a step that has been prepared.
    pub(crate) fn of_step(&self, step: StepId, view: ViewId) -> &Arc<Goals> {
        &self.of_step[&(step, view)]
    }
    /// What transition predicates say of a step that has been prepared.
    pub(crate) fn of_transition(&self, step: StepId, watcher: ViewId) -> &Goals {
        &self.of_transition[&(step, watcher)]
    }
    /// Whether a step that has been prepared changes a variable that a view speaks of.
    pub(crate) fn changes(&self, step: StepId, watcher: ViewId) -> bool {
        self.changes[&(step, watcher)]
    }
    /// What a watcher's view of a step that has been prepared depends on.
    pub(crate) fn visible(&self, step: StepId, watcher: ViewId) -> &[VarId] {
        &self.visible[&(step, watcher)]
    }
    fn intern(&mut self, view: ViewId, goals: Goals) -> Arc<Goals> {
        self.interned.entry((view, goals.clone())).or_insert_with(|| Arc::new(goals)).clone()
    }
}

impl Reach<'_, '_> {
    /// Makes a step's guard as literals.
    pub(crate) fn prepare_guard(&mut self, step: StepId) {
        let (system, engine) = (self.system, &mut *self.engine);
        let make = || {
            let literals: Vec<Literal> = system.guard(step).iter().map(|term| engine.literal(*term)).collect();
            Guard { bounds: engine.bounds(&literals), literals }
        };
        self.graph.goals.guards.entry(step).or_insert_with(make);
    }

    /// Makes the preconditions of a view's predicates under a step.
    pub(crate) fn prepare_step_goals(&mut self, step: StepId, view: ViewId) {
        if self.graph.goals.of_step.contains_key(&(step, view)) {
            return;
        }
        let system = self.system;
        let predicates = self.graph.vocabulary.predicates[view.0].set();
        let goals = Goals::new(self.engine, predicates, |term| system.before(step, term));
        let goals = self.graph.goals.intern(view, goals);
        self.graph.goals.of_step.insert((step, view), goals);
    }

    /// Makes what the transition predicates of a step's thread say about the step, as formulas about the state before.
    pub(crate) fn prepare_transition_goals(&mut self, step: StepId, watcher: ViewId, mover: usize) {
        let system = self.system;
        let empty = PredicateSet::default();
        let predicates = self.graph.vocabulary.transition.get(&(watcher, mover)).unwrap_or(&empty);
        let engine = &mut *self.engine;
        let make = || Arc::new(Goals::new(engine, predicates, |term| system.of_step(step, term)));
        self.graph.goals.of_transition.entry((step, watcher)).or_insert_with(make);
    }

    /// Finds out whether a step changes a variable that a watcher's predicates speak of.
    pub(crate) fn prepare_changes(&mut self, step: StepId, watcher: ViewId) {
        let (system, vars) = (self.system, self.graph.vocabulary.predicates[watcher.0].set().vars());
        let changed = |var: &VarId| system.value_after(step, *var).is_some_and(|value| value.as_var() != Some(*var));
        self.graph.goals.changes.entry((step, watcher)).or_insert_with(|| vars.iter().any(changed));
    }

    /// Makes what a step depends on, as far as the watcher's predicates show it.
    pub(crate) fn prepare_visible(&mut self, step: StepId, watcher: ViewId) {
        if self.graph.goals.visible.contains_key(&(step, watcher)) {
            return;
        }
        let mut vars = before_and_after(self.system, step, self.graph.vocabulary.predicates[watcher.0].set());
        // The mover may know something about the watcher's own location or variables.
        for thread in &self.graph.views.view(watcher).threads {
            vars.insert(self.system.location_var(*thread));
            vars.extend(self.system.program.locals(*thread));
        }
        // How many there are is known of the watcher and the mover together.
        vars.extend(self.system.program.counters().iter().map(|(_, var)| *var));
        self.graph.goals.visible.insert((step, watcher), vars.into_iter().collect());
    }

    /// Makes what the transition predicates between a step's thread and a watcher say about the step depends on.
    pub(crate) fn prepare_spoken_of(&mut self, step: StepId, watcher: ViewId, mover: usize) {
        let (system, predicates) = (self.system, self.graph.vocabulary.transition.get(&(watcher, mover)));
        let make = || predicates.into_iter().flat_map(|set| before_and_after(system, step, set)).collect();
        self.graph.goals.visible.entry((step, watcher)).or_insert_with(make);
    }

    /// The preconditions of a view's predicates under an environment transition that gives variables these values, and
    /// all others that the view's threads do not own any value.
    pub(crate) fn environment_goals(&mut self, watcher: ViewId, after: BTreeMap<VarId, Term>) -> Arc<Goals> {
        let system = self.system;
        let own = &self.graph.views.view(watcher).threads;
        let predicates = self.graph.vocabulary.predicates[watcher.0].set();
        let key = (watcher, after);
        if let Some(goals) = self.graph.goals.of_environment.get(&key) {
            return goals.clone();
        }
        let after = |var: VarId, sort| match system.owner(var) {
            Some(thread) if own.contains(&thread) => None,
            _ => Some(key.1.get(&var).copied().unwrap_or_else(|| Term::primed(var, sort))),
        };
        let by = Rewrite::Disturbed(system.number_of(&key.1), watcher.0);
        let goals = Goals::new(self.engine, predicates, |term| system.rewritten(by, term, || term.substitute(&after)));
        let goals = self.graph.goals.intern(watcher, goals);
        self.graph.goals.of_environment.insert(key, goals.clone());
        goals
    }
}

/// The variables of predicates, and what their values after a step depend on.
fn before_and_after(system: &System<'_>, step: StepId, predicates: &PredicateSet) -> BTreeSet<VarId> {
    let after = predicates.vars().iter().filter_map(|var| system.value_after(step, *var));
    let mut vars: BTreeSet<VarId> = after.flat_map(Term::vars).collect();
    vars.extend(predicates.vars());
    vars
}
