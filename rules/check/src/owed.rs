//! What a certificate owes, for a number of threads that is known and for any number.
//!
//! A transition is its guard, its definedness conditions and its assignment; ranges of variables are invariants of every
//! execution ([`program::Var::ty`]) and premises of every implication.
//!
//! An assertion R is about all threads, or about one thread, or about `level` instances of templates. It holds by induction over a
//! run's steps. Let all assertions hold before a step. If a thread that R is about makes it, R itself is what is known (Step). If
//! another thread m does, then what is known besides are the assertions about m (Interference). Threads of which there is one are
//! what [T, Fig. 2] has: R_i and R_j and rho_j -> R_i'.
//!
//! An assertion about instances speaks of these, of threads of which there is one, and of the globals, and says that it holds of
//! any such instances in any order. What is known of a mover next to them are the assertions about the mover and all but one of
//! their threads. Which instances these are does not matter: instances of a template differ in nothing but the names of their own
//! variables, so `level` copies and one more for m stand for all of them. There are always that many, since an instance that has
//! not been started is one at its entry (so no assertion is vacuous).
//! That an instance is created is a step of its creator, single or of a template, after which the instance may leave its entry: so
//! that the creator's assertion and the step imply the new instance's is the Interference of the step with an assertion at the
//! entry (or Step, if the assertion is about both), and is named so.
//! Since all instances are there from the start, instances that share nothing are told apart by their ids alone, which no two have
//! in common, and an instance that is at a counted location is counted, besides those counted at fewer locations that do not include
//! its own: [`Program::axioms`], of which there are none without templates. That there are at most as many instances as ids is
//! assumed (README, assumption 12), and used where those who have ended are counted, too.
//!
//! An error may be about several threads at once ([`program::Conflict`]): the assertions about all of them hold when they meet, so that it
//! is enough if these exclude it. Of two instances, any two copies stand for all.
//!
//! The argument is that of thread modularity at many levels (Hoenicke, Majumdar, Podelski, POPL 2017); for level 1 it is the rule of
//! Owicki and Gries with one assertion for all threads of a kind.

use std::cell::RefCell;
use std::collections::HashMap;

use program::{Conflict, Init, LocationId, Program, Sort, Standing, Term, TermKind, ThreadId, Transition, VarId};

use crate::certificate::{Certificate, Invariant};
use crate::environment::Environment;
use crate::form::level;
use crate::location::{at, location_var};
use crate::obligation::{Condition, Obligation};

/// A certificate that is well formed, and the implications it owes.
pub(crate) struct Owed<'a> {
    program: &'a Program,
    certificate: &'a Certificate,
    /// What is known of threads, some of them somewhere: the same is asked for each step of a mover.
    known: RefCell<HashMap<Company, Vec<Term>>>,
    /// Which assertions have changed, by index and place, if only what they are part of is asked for.
    changed: Option<&'a Changed<'a>>,
    all: Vec<Obligation>,
}

/// Whether an assertion has changed at a place.
pub(crate) type Changed<'a> = dyn Fn(usize, &[LocationId]) -> bool + 'a;

/// Threads of which some are known to be somewhere.
type Company = Vec<(ThreadId, Option<LocationId>)>;

/// Threads that are somewhere.
type Placed = Vec<(ThreadId, LocationId)>;

/// Of which kind a thread is: its template, or itself.
type Kind = (Option<usize>, Option<ThreadId>);

impl<'a> Owed<'a> {
    /// Nothing yet.
    pub(crate) fn new(program: &'a Program, certificate: &'a Certificate) -> Owed<'a> {
        Owed { program, certificate, known: RefCell::default(), changed: None, all: Vec::new() }
    }

    /// Leaves out steps and interference between assertions that have not changed: who asks has seen that they are valid.
    pub(crate) fn only_of(self, changed: &'a Changed<'a>) -> Owed<'a> {
        Owed { changed: Some(changed), ..self }
    }

    fn is_owed(&self, index: usize, place: &[LocationId]) -> bool {
        self.changed.is_none_or(|changed| changed(index, place))
    }

    /// Whether what is known of a mover at a location has changed. Of instances of templates it may have, wherever they are.
    fn is_owed_by(&self, mover: ThreadId, location: LocationId) -> bool {
        let about = |invariant: &Invariant| invariant.threads == [mover];
        match self.certificate.invariants().iter().position(about) {
            Some(index) if self.program.templates().is_empty() => self.is_owed(index, &[location]),
            _ => true,
        }
    }

    /// The conditions of the certificate's rule.
    pub(crate) fn all(mut self) -> Vec<Obligation> {
        for (index, invariant) in self.certificate.invariants().iter().enumerate() {
            self.initial(index, invariant);
            self.steps(index, invariant);
            match self.certificate {
                Certificate::Monolithic(_) => {}
                Certificate::OwickiGries(_) => self.interference(index, invariant),
                Certificate::RelyGuarantee { environment, .. } => {
                    self.guarantee(index, invariant, &environment[index]);
                    self.rely(index, invariant, &environment[index]);
                }
            }
            self.safe(index, invariant);
        }
        for (index, conflict) in self.program.conflicts().iter().enumerate() {
            self.apart(index, conflict);
        }
        self.all
    }

    fn owe(&mut self, condition: Condition, premises: Vec<Term>, conclusion: Term) {
        self.all.push(Obligation { condition, premises, conclusion });
    }

    /// init -> R.
    fn initial(&mut self, index: usize, invariant: &Invariant) {
        let mut premises = Vec::new();
        for (id, var) in self.program.state_vars() {
            if let Init::Value(value) = var.init {
                premises.push(self.program.term(id).eq_to(value));
            }
        }
        premises.extend(self.program.threads().map(|(id, thread)| at(self.program, id, thread.entry)));
        let entry: Vec<LocationId> = invariant.threads.iter().map(|t| self.program.thread(*t).entry).collect();
        premises.extend(self.program.axioms(&placed(&invariant.threads, &entry)));
        self.owe(Condition::Initial(index), premises, invariant.here(&entry));
    }

    /// R and rho_i -> R', for a step of one of its threads.
    fn steps(&mut self, index: usize, invariant: &Invariant) {
        for (place, formula) in &invariant.at {
            for (slot, thread) in invariant.threads.iter().enumerate() {
                for (t, transition) in self.steps_of(*thread).filter(|(_, t)| t.source == place[slot]) {
                    let mut next = place.clone();
                    next[slot] = transition.target;
                    if !self.is_owed(index, place) && !self.is_owed(index, &next) {
                        continue;
                    }
                    let mut premises = self.holds(invariant, place, *formula);
                    premises.extend(relation(transition));
                    let conclusion = self.value_of(invariant.here(&next), *thread, transition);
                    self.owe(Condition::Step(index, *thread, t), premises, conclusion);
                }
            }
        }
    }

    /// R and what is known of m and rho_m -> R'.
    fn interference(&mut self, index: usize, invariant: &Invariant) {
        for (place, formula) in &invariant.at {
            for mover in self.movers(invariant) {
                let companies = self.companies(invariant, mover);
                for (t, transition) in self.steps_of(mover) {
                    if !self.is_owed(index, place) && !self.is_owed_by(mover, transition.source) {
                        continue;
                    }
                    let conclusion = self.value_of(*formula, mover, transition);
                    // A step that touches nothing the formula speaks of keeps it; that of a creation is owed all the same.
                    if conclusion == *formula && self.program.created_by(transition).is_none() {
                        continue;
                    }
                    let mut known = placed(&invariant.threads, place);
                    known.push((mover, transition.source));
                    let mut premises = self.located(&invariant.threads, place, *formula);
                    premises.extend(self.of_mover(&companies, &known, transition));
                    self.owe(Condition::Interference(index, place[0], mover, t), premises, conclusion);
                }
            }
        }
    }

    /// What is known of m and rho_m -> E, for all who may move. E speaks of the assertion's own threads too: that they are other
    /// instances than m is known.
    fn guarantee(&mut self, index: usize, invariant: &Invariant, environment: &[Term]) {
        let allowed = Term::or(environment.iter().copied());
        for mover in self.movers(invariant) {
            let companies = self.companies(invariant, mover);
            let present = [invariant.threads.as_slice(), &[mover]].concat();
            for (t, transition) in self.steps_of(mover) {
                let conclusion = allowed.rewrite(&|leaf| match leaf.kind() {
                    TermKind::Primed(var, sort) => Some(self.value_after(*var, *sort, mover, transition)),
                    _ => None,
                });
                for mut known in self.places(invariant, &companies) {
                    known.push((mover, transition.source));
                    let mut premises = self.of_mover(&companies, &known, transition);
                    premises.extend(self.program.identities_differ(&present));
                    self.owe(Condition::Guarantee(index, mover, t), premises, conclusion);
                }
            }
        }
    }

    /// R and E, the own variables of R's threads unchanged -> R'.
    fn rely(&mut self, index: usize, invariant: &Invariant, environment: &[Term]) {
        let environment = Environment::new(self.program, &invariant.threads, environment);
        for (place, formula) in &invariant.at {
            let mut premises = self.holds(invariant, place, *formula);
            let (disturbance, conclusion) = environment.disturbs(*formula);
            premises.push(disturbance);
            self.owe(Condition::Rely(index, place[0]), premises, conclusion);
        }
    }

    /// R and err -> false. Where the number of threads is known, all assertions hold of all threads: R_1 and .. and R_N and
    /// err -> false.
    fn safe(&mut self, index: usize, invariant: &Invariant) {
        for (place, formula) in &invariant.at {
            for (thread, location) in invariant.threads.iter().zip(place) {
                if !self.program.thread(*thread).location(*location).kind.is_error() {
                    continue;
                }
                let mut premises = self.holds(invariant, place, *formula);
                if self.program.templates().is_empty() {
                    let others = self.certificate.invariants().iter().enumerate().filter(|(j, _)| *j != index);
                    premises.extend(others.flat_map(|(_, other)| self.known(&other.threads, &[])));
                }
                self.owe(Condition::Safe(*thread, *location), premises, Term::bool(false));
            }
        }
    }

    /// R_i and R_j and .. and err -> false, where err is about several threads: what is known of them excludes that they are in conflict.
    /// Where each is at one location, what is known of it there is told; else that it is at one of several is a premise.
    fn apart(&mut self, index: usize, conflict: &Conflict) {
        let threads = conflict.threads();
        let told: Vec<Vec<Term>> = match self.certificate {
            Certificate::Monolithic(invariant) => {
                let here = |(place, formula): (&Vec<LocationId>, &Term)| {
                    let placed = placed(&invariant.threads, place);
                    let location = |thread| placed.iter().find(|(t, _)| *t == thread).map(|(_, location)| *location);
                    let mut premises = conflict.when(location)?;
                    premises.extend(self.holds(invariant, place, *formula));
                    Some(premises)
                };
                invariant.at.iter().filter_map(here).collect()
            }
            _ => {
                let only = |standing: &Standing| match standing.ways.as_slice() {
                    [way] => Some((standing.thread, way.location)),
                    _ => None,
                };
                let known: Placed = conflict.at.iter().filter_map(only).collect();
                let companies = self.companies_of(&threads);
                let mut premises: Vec<Term> =
                    companies.iter().flat_map(|company| self.known(company, &known)).collect();
                let at = |thread, location| at(self.program, thread, location);
                premises.extend(conflict.at.iter().flat_map(|standing| conjuncts(standing.formula(&at))));
                premises.extend(&conflict.condition);
                premises.extend(self.program.axioms(&known));
                vec![premises]
            }
        };
        for mut premises in told {
            premises.extend(self.program.identities_differ(&threads));
            self.owe(Condition::Apart(index), premises, Term::bool(false));
        }
    }

    /// The threads of assertions about these: each of which there is one by itself; of instances all together, with strangers if
    /// assertions are about more, or each by itself, if they are about fewer.
    fn companies_of(&self, threads: &[ThreadId]) -> Vec<Vec<ThreadId>> {
        let (singles, instances): (Vec<ThreadId>, Vec<ThreadId>) =
            threads.iter().partition(|thread| self.program.template_of(**thread).is_none());
        let level = level(self.program);
        let parts: Vec<&[ThreadId]> =
            if instances.len() <= level { vec![&instances] } else { instances.chunks(1).collect() };
        let with_strangers = |part: &[ThreadId]| {
            let copies = self.program.templates().iter().flat_map(|template| &template.copies);
            let strangers = copies.filter(|copy| !part.contains(copy)).take(level - part.len());
            let mut company: Vec<ThreadId> = part.iter().chain(strangers).copied().collect();
            company.sort_by_key(|thread| self.kind(*thread));
            company
        };
        let parts = parts.into_iter().filter(|part| !part.is_empty()).map(with_strangers);
        singles.iter().map(|single| vec![*single]).chain(parts).collect()
    }

    fn steps_of(&self, thread: ThreadId) -> impl Iterator<Item = (usize, &'a Transition)> + use<'a> {
        self.program.thread(thread).transitions.iter().enumerate()
    }

    /// Who else may move: every single thread, and of each template an instance that the assertion is not about.
    fn movers(&self, invariant: &Invariant) -> Vec<ThreadId> {
        let own = &invariant.threads;
        let singles = self.program.threads().map(|(id, _)| id).filter(|t| self.program.template_of(*t).is_none());
        let fresh = self.program.templates().iter().filter_map(|t| t.copies.iter().find(|copy| !own.contains(copy)));
        singles.filter(|thread| !own.contains(thread)).chain(fresh.copied()).collect()
    }

    /// The threads of the assertions that are about the mover and otherwise about threads of this one.
    fn companies(&self, invariant: &Invariant, mover: ThreadId) -> Vec<Vec<ThreadId>> {
        let own = &invariant.threads;
        let Some((template, _)) = self.program.template_of(mover) else { return vec![vec![mover]] };
        if self.program.template_of(own[0]).is_none() {
            let copies = &self.program.templates()[template].copies;
            let strangers = copies.iter().copied().filter(|copy| *copy != mover).take(level(self.program) - 1);
            return vec![[mover].into_iter().chain(strangers).collect()];
        }
        let replaced = |slot: usize| {
            let mut threads = own.clone();
            threads[slot] = mover;
            threads.sort_by_key(|thread| self.kind(*thread));
            threads
        };
        (0..own.len()).map(replaced).collect()
    }

    fn kind(&self, thread: ThreadId) -> Kind {
        match self.program.template_of(thread) {
            Some((template, _)) => (Some(template), None),
            None => (None, Some(thread)),
        }
    }

    /// All places of the assertion's own threads that what is known of a mover speaks of: none, or all of them.
    fn places(&self, invariant: &Invariant, companies: &[Vec<ThreadId>]) -> Vec<Placed> {
        let mut all: Vec<Placed> = vec![Vec::new()];
        for thread in invariant.threads.iter().filter(|thread| companies.iter().any(|threads| threads.contains(thread)))
        {
            let locations: Vec<LocationId> = self.program.thread(*thread).locations().map(|(id, _)| id).collect();
            let at = |place: &Placed| -> Vec<Placed> {
                locations.iter().map(|l| place.iter().copied().chain([(*thread, *l)]).collect()).collect()
            };
            all = all.iter().flat_map(at).collect();
        }
        all
    }

    /// What is known where a mover, last of the placed threads, makes a step: rho_m, the assertions about its companies, and where
    /// the threads are.
    fn of_mover(&self, companies: &[Vec<ThreadId>], known: &[(ThreadId, LocationId)], step: &Transition) -> Vec<Term> {
        let mut all: Vec<Term> = companies.iter().flat_map(|threads| self.known(threads, known)).collect();
        all.extend(self.program.axioms(known));
        all.extend(known.iter().map(|(thread, location)| at(self.program, *thread, *location)));
        all.extend(relation(step));
        all
    }

    /// The assertion about threads of which some are known to be somewhere, conjunct by conjunct.
    fn known(&self, threads: &[ThreadId], known: &[(ThreadId, LocationId)]) -> Vec<Term> {
        let somewhere = |thread: &ThreadId| known.iter().find(|(t, _)| t == thread).map(|(_, location)| *location);
        let key: Company = threads.iter().map(|t| (*t, somewhere(t))).collect();
        if let Some(told) = self.known.borrow().get(&key) {
            return told.clone();
        }
        let told = conjuncts(self.about(&key));
        self.known.borrow_mut().insert(key, told.clone());
        told
    }

    fn about(&self, threads: &[(ThreadId, Option<LocationId>)]) -> Term {
        let kinds = || threads.iter().map(|(thread, _)| self.kind(*thread));
        let about = |i: &&Invariant| i.threads.iter().map(|t| self.kind(*t)).eq(kinds());
        let Some(invariant) = self.certificate.invariants().iter().find(about) else { return Term::bool(true) };
        let names: Vec<ThreadId> = threads.iter().map(|(thread, _)| *thread).collect();
        let pairs: Vec<(ThreadId, ThreadId)> = invariant.threads.iter().copied().zip(names.iter().copied()).collect();
        let renaming = self.program.renaming(&pairs, &|thread| location_var(self.program, thread));
        let possible = |place: &&Vec<LocationId>| {
            threads.iter().zip(*place).all(|((_, known), location)| known.is_none_or(|here| here == *location))
        };
        let places = invariant.at.keys().filter(possible);
        Term::or(places.map(|place| Term::and(self.located(&names, place, renaming.term(invariant.here(place))))))
    }

    /// R at a place, and what is known of its threads there whatever the program.
    fn holds(&self, invariant: &Invariant, place: &[LocationId], formula: Term) -> Vec<Term> {
        let mut all = self.located(&invariant.threads, place, formula);
        all.extend(self.program.axioms(&placed(&invariant.threads, place)));
        all
    }

    /// The formula at a place, and the locations it is about.
    fn located(&self, threads: &[ThreadId], place: &[LocationId], formula: Term) -> Vec<Term> {
        let mut all: Vec<Term> = threads.iter().zip(place).map(|(thread, l)| at(self.program, *thread, *l)).collect();
        all.extend(conjuncts(formula));
        all
    }

    /// What the formula says about the state after the step, as a formula about the state before.
    fn value_of(&self, formula: Term, thread: ThreadId, transition: &Transition) -> Term {
        formula.substitute(&|var, sort| Some(self.value_after(var, sort, thread, transition)))
    }

    fn value_after(&self, var: VarId, sort: Sort, thread: ThreadId, transition: &Transition) -> Term {
        if var == location_var(self.program, thread) {
            return Term::int(i128::from(transition.target.0));
        }
        transition.update(var).unwrap_or_else(|| Term::var(var, sort))
    }
}

fn placed(threads: &[ThreadId], place: &[LocationId]) -> Placed {
    threads.iter().copied().zip(place.iter().copied()).collect()
}

/// The conjuncts of a formula; false is one.
fn conjuncts(formula: Term) -> Vec<Term> {
    if formula.as_bool() == Some(false) { vec![formula] } else { formula.conjuncts() }
}

/// What a step requires: its guard, and that it is defined.
fn relation(transition: &Transition) -> Vec<Term> {
    transition.guard.iter().copied().chain(transition.defined.iter().map(|d| d.condition)).collect()
}
