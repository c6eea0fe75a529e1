//! The guesses that hold wherever runs come, by place.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use abstraction::{Engine, Goals, Literal, PredicateSet, Valuation, abstract_state};
use check::{Certificate, Invariant};
use program::{Init, LocationId, Sort, Term, ThreadId, VarId};
use smt::Cancel;

use crate::engines::houdini::control::control;
use crate::options::Statistics;
use crate::system::{StepId, System};

/// Where all threads are, and what control variables hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    at: Vec<LocationId>,
    control: Vec<Term>,
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Places.
    pub places: usize,
    /// Entailments.
    pub queries: u64,
    /// Those that Z3 is asked.
    pub solver_queries: u64,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What is left holds of all runs, and none violates a claim.
    Closed,
    /// What is left does not exclude an error.
    Error,
    /// The limit is reached, or someone asked to stop.
    Stopped,
}

/// What is known of each place.
pub struct Fixpoint<'s, 'p> {
    system: &'s System<'p>,
    threads: Vec<ThreadId>,
    control: Vec<VarId>,
    guesses: PredicateSet,
    engine: Engine,
    goals: BTreeMap<StepId, Goals>,
    guards: BTreeMap<StepId, Vec<Literal>>,
    known: BTreeMap<Place, Valuation>,
}

impl<'s, 'p> Fixpoint<'s, 'p> {
    /// One that has not begun.
    pub fn new(system: &'s System<'p>, guesses: Vec<Term>) -> Fixpoint<'s, 'p> {
        let mut set = PredicateSet::default();
        guesses.into_iter().for_each(|guess| _ = set.insert(guess));
        Fixpoint {
            system,
            threads: system.threads().collect(),
            control: control(system.program).into_iter().collect(),
            guesses: set,
            engine: Engine::new(system.ranges()),
            goals: BTreeMap::new(),
            guards: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    /// What it took.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            states: self.known.len(),
            predicates: self.guesses.len(),
            entailment: self.engine.counters(),
            ..Statistics::default()
        }
    }

    /// Weakens what is known until no step breaks it.
    pub fn run(&mut self, limits: &Limits, cancel: &Cancel) -> End {
        let Some((place, value)) = self.initial() else { return End::Stopped };
        if self.is_error(&place, &value) {
            return End::Error;
        }
        self.known.insert(place.clone(), value);
        let (mut todo, mut open) = (VecDeque::from([place.clone()]), BTreeSet::from([place]));
        while let Some(place) = todo.pop_front() {
            open.remove(&place);
            if self.is_over(limits) || cancel.is_cancelled() {
                return End::Stopped;
            }
            for (next, value) in self.successors(&place) {
                let joined = match self.known.get(&next) {
                    Some(known) if value.refines(known) => continue,
                    Some(known) => common(known, &value, self.guesses.len()),
                    None => value,
                };
                if self.is_error(&next, &joined) {
                    log::debug!("houdini: an error at {:?} with {}", next.at, self.show(&next, &joined));
                    return End::Error;
                }
                self.known.insert(next.clone(), joined);
                if open.insert(next.clone()) {
                    todo.push_back(next);
                }
            }
        }
        End::Closed
    }

    fn is_over(&self, limits: &Limits) -> bool {
        let asked = self.engine.counters();
        self.known.len() > limits.places || asked.queries > limits.queries || asked.solver > limits.solver_queries
    }

    fn show(&self, place: &Place, value: &Valuation) -> String {
        self.system.show(Term::and(self.said(place, value)))
    }

    fn initial(&mut self) -> Option<(Place, Valuation)> {
        let program = self.system.program;
        let at = self.threads.iter().map(|thread| program.thread(*thread).entry).collect();
        let value = |var: &VarId| match program.var(*var).init {
            Init::Value(value) => Some(value),
            Init::Arbitrary => None,
        };
        let place = Place { at, control: self.control.iter().map(value).collect::<Option<_>>()? };
        let literals: Vec<Literal> = self.system.initial().into_iter().map(|term| self.engine.literal(term)).collect();
        let premises = self.engine.premises(literals);
        let goals = Goals::new(&mut self.engine, &self.guesses, |term| term);
        Some((place, abstract_state(&mut self.engine, &premises, None, &goals)))
    }

    /// What a place is known to be.
    fn said(&self, place: &Place, value: &Valuation) -> Vec<Term> {
        let held = self.control.iter().zip(&place.control).map(|(var, value)| self.holds(*var, *value));
        held.chain(value.literals(&self.guesses)).collect()
    }

    fn holds(&self, var: VarId, value: Term) -> Term {
        let term = self.system.program.term(var);
        match (self.system.sort(var), value.as_bool()) {
            (Sort::Bool, Some(false)) => term.not(),
            (Sort::Bool, _) => term,
            _ => term.eq_to(value),
        }
    }

    fn literals(&mut self, place: &Place, value: &Valuation) -> Vec<Literal> {
        self.said(place, value).into_iter().map(|term| self.engine.literal(term)).collect()
    }

    /// Whether a claim is violated at a place, as far as is known.
    fn is_error(&mut self, place: &Place, value: &Valuation) -> bool {
        let mut at = self.threads.iter().zip(&place.at);
        if at.any(|(thread, location)| self.system.is_error(*thread, *location)) {
            return true;
        }
        let location = |thread: ThreadId| place.at.get(thread.0 as usize).copied();
        let conflicts = self.system.program.conflicts().iter();
        let there: Vec<_> = conflicts.filter_map(|conflict| conflict.when(location)).collect();
        if there.is_empty() {
            return false;
        }
        let known = self.literals(place, value);
        there.into_iter().any(|when| {
            let more: Vec<Literal> = when.iter().map(|term| self.engine.literal(*term)).collect();
            let premises = self.engine.premises(known.iter().chain(&more).copied());
            self.engine.satisfiable(&premises)
        })
    }

    /// Where the steps from a place lead, and what is known there then.
    fn successors(&mut self, place: &Place) -> Vec<(Place, Valuation)> {
        let Some(value) = self.known.get(place).cloned() else { return Vec::new() };
        let known = self.literals(place, &value);
        let mut all = Vec::new();
        for (slot, thread) in self.threads.clone().into_iter().enumerate() {
            for step in self.system.steps_from(thread, place.at[slot]).collect::<Vec<_>>() {
                let guard = self.guard(step);
                let premises = self.engine.premises(known.iter().chain(&guard).copied());
                if !self.engine.satisfiable(&premises) {
                    continue;
                }
                self.prepare(step);
                let after = abstract_state(&mut self.engine, &premises, Some(&value), &self.goals[&step]);
                all.push((self.next(place, slot, step), after));
            }
        }
        all
    }

    fn guard(&mut self, step: StepId) -> Vec<Literal> {
        if !self.guards.contains_key(&step) {
            let guard = self.system.guard(step).into_iter().flat_map(|term| term.conjuncts());
            let literals = guard.map(|term| self.engine.literal(term)).collect();
            self.guards.insert(step, literals);
        }
        self.guards[&step].clone()
    }

    fn prepare(&mut self, step: StepId) {
        if !self.goals.contains_key(&step) {
            let system = self.system;
            let goals = Goals::new(&mut self.engine, &self.guesses, |term| system.before(step, term));
            self.goals.insert(step, goals);
        }
    }

    fn next(&self, place: &Place, slot: usize, step: StepId) -> Place {
        let transition = self.system.transition(step);
        let mut next = place.clone();
        next.at[slot] = transition.target;
        for (var, value) in self.control.iter().zip(&mut next.control) {
            *value = transition.update(*var).unwrap_or(*value);
        }
        next
    }

    /// What is left as a proof.
    pub fn certificate(&self) -> Certificate {
        let mut at: BTreeMap<Vec<LocationId>, BTreeSet<Term>> = BTreeMap::new();
        for (place, value) in &self.known {
            at.entry(place.at.clone()).or_default().insert(Term::and(self.said(place, value)));
        }
        let at = at.into_iter().map(|(place, cubes)| (place, Term::or(cubes))).collect();
        Certificate::Monolithic(Invariant { threads: self.threads.clone(), at })
    }
}

/// What both know.
fn common(a: &Valuation, b: &Valuation, size: usize) -> Valuation {
    let mut both = Valuation::new(size);
    for index in 0..size {
        if let Some(value) = a.get(index).filter(|value| b.get(index) == Some(*value)) {
            both.set(index, value);
        }
    }
    both
}
