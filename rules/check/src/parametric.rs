//! The conditions on a proof about any number of threads, whatever that number.
//!
//! An assertion is about a single thread, or about `level` instances of templates; it speaks of these, of single threads and of
//! the globals, and says that it holds of any such instances in any order. That this is so is shown by induction over a run's steps.
//! Let it hold of all instances before a step, and consider an assertion about some of them. If one of them makes the step, the
//! assertion itself is what is known about it (Step). If another thread m does, then what is known besides are the assertions
//! about m and all but one of the assertion's own threads (Interference). Which instances these are does not matter: instances of
//! a template differ in nothing but the names of their own variables, so `level` copies and one more for m stand for all of them.
//! There are always that many, since an instance that has not been started is one at its entry (so no assertion is vacuous).
//! That an instance is created is a step of its creator, single or of a template, after which the instance may leave its entry: so
//! that the creator's assertion and the step imply the new instance's is the Interference of the step with an assertion at the
//! entry (or Step, if the assertion is about both), and is named so.
//! Since all instances are there from the start, instances that share nothing are told apart by their ids alone, which no two have
//! in common, and an instance that is at a counted location is counted, besides those counted at fewer locations that do not include
//! its own: [`Program::axioms`]. That there are at most as many instances as ids is assumed (README, assumption 12), and used where
//! those who have ended are counted, too.
//!
//! The argument is that of thread modularity at many levels (Hoenicke, Majumdar, Podelski, POPL 2017); for level 1 it is the rule of
//! Owicki and Gries with one assertion for all threads of a kind.

use program::{Init, LocationId, Owner, Program, Renaming, Sort, Term, TermKind, ThreadId, Transition};

use crate::certificate::{Certificate, Invariant};
use crate::environment::Environment;
use crate::location::{at, location_var};
use crate::obligation::{Condition, Moment, Obligation, Rejection, Validity, after, relation, value_after};

/// Everything that must be valid for the assertions to be a proof of a program with templates.
pub fn obligations(program: &Program, certificate: &Certificate) -> Result<Vec<Obligation>, Rejection> {
    let (invariants, environment) = match certificate {
        Certificate::Monolithic(_) => return reject("a monolithic proof cannot be about any number of threads"),
        Certificate::OwickiGries(invariants) => (invariants, None),
        Certificate::RelyGuarantee { invariants, environment } => (invariants, Some(environment)),
    };
    let owed = Owed { program, invariants };
    owed.well_formed(environment)?;
    let mut all = Vec::new();
    for (index, invariant) in invariants.iter().enumerate() {
        all.push(owed.initial(invariant));
        for (place, formula) in &invariant.at {
            owed.steps(invariant, place, *formula, &mut all);
            match environment {
                None => owed.movers(invariant).into_iter().for_each(|mover| {
                    owed.interference(invariant, place, *formula, mover, &mut all);
                }),
                Some(environment) => owed.rely(invariant, place, *formula, &environment[index], &mut all),
            }
            owed.safe(invariant, place, *formula, &mut all);
        }
        if let Some(environment) = environment {
            owed.guarantee(invariant, &environment[index], &mut all);
        }
    }
    Ok(all)
}

fn reject<T>(what: impl Into<String>) -> Result<T, Rejection> {
    let message = what.into();
    Err(Rejection { condition: Condition::Form(message.clone()), validity: Validity::Invalid, message })
}

struct Owed<'a> {
    program: &'a Program,
    invariants: &'a [Invariant],
}

/// Of which kind a thread is: its template, or itself.
type Kind = (Option<usize>, Option<ThreadId>);

impl Owed<'_> {
    fn kind(&self, thread: ThreadId) -> Kind {
        match self.program.template_of(thread) {
            Some((template, _)) => (Some(template), None),
            None => (None, Some(thread)),
        }
    }

    /// init -> R.
    fn initial(&self, invariant: &Invariant) -> Obligation {
        let mut premises = Vec::new();
        for (id, var) in self.program.state_vars() {
            if let Init::Value(value) = var.init {
                premises.push(self.program.term(id).eq_to(value));
            }
        }
        premises.extend(self.program.threads().map(|(id, thread)| at(self.program, id, thread.entry)));
        let entry: Vec<LocationId> = invariant.threads.iter().map(|t| self.program.thread(*t).entry).collect();
        premises.extend(self.program.axioms(&placed(&invariant.threads, &entry)));
        let condition = self.condition("the initial states are not within", invariant);
        Obligation { condition, premises, conclusion: invariant.here(&entry) }
    }

    /// R and rho -> R', for a step of one of its threads.
    fn steps(&self, invariant: &Invariant, place: &[LocationId], formula: Term, all: &mut Vec<Obligation>) {
        for (slot, thread) in invariant.threads.iter().enumerate() {
            for transition in self.program.thread(*thread).from(place[slot]) {
                let mut premises = self.located(&invariant.threads, place, formula);
                premises.extend(self.program.axioms(&placed(&invariant.threads, place)));
                premises.extend(relation(transition));
                let mut next = place.to_vec();
                next[slot] = transition.target;
                let conclusion = after(self.program, invariant.here(&next), *thread, transition);
                let condition = self.condition(&self.leaves(*thread, transition), invariant);
                all.push(Obligation { condition, premises, conclusion });
            }
        }
    }

    /// Who else may move: every single thread, and of each template an instance that the assertion is not about.
    fn movers(&self, invariant: &Invariant) -> Vec<ThreadId> {
        let own = &invariant.threads;
        let singles = self.program.threads().map(|(id, _)| id).filter(|t| self.program.template_of(*t).is_none());
        let fresh = self.program.templates().iter().filter_map(|t| t.copies.iter().find(|copy| !own.contains(copy)));
        singles.filter(|thread| !own.contains(thread)).chain(fresh.copied()).collect()
    }

    /// R and what is known of m and rho_m -> R'.
    fn interference(
        &self,
        invariant: &Invariant,
        place: &[LocationId],
        formula: Term,
        mover: ThreadId,
        all: &mut Vec<Obligation>,
    ) {
        for transition in &self.program.thread(mover).transitions {
            let conclusion = after(self.program, formula, mover, transition);
            // A step that touches nothing the formula speaks of keeps it; that of a creation is owed all the same.
            if conclusion == formula && self.program.created_by(transition).is_none() {
                continue;
            }
            let mut premises = self.located(&invariant.threads, place, formula);
            let mut known = placed(&invariant.threads, place);
            known.push((mover, transition.source));
            for threads in self.companies(invariant, mover) {
                premises.push(self.known(&threads, &known));
            }
            premises.extend(self.program.axioms(&known));
            premises.push(at(self.program, mover, transition.source));
            premises.extend(relation(transition));
            let what = format!("{} disturbs", self.named(mover, transition));
            all.push(Obligation { condition: self.condition(&what, invariant), premises, conclusion });
        }
    }

    /// What is known of m and rho_m -> E, for all who may move. E speaks of the assertion's own threads too: that they are other
    /// instances than m is known.
    fn guarantee(&self, invariant: &Invariant, environment: &[Term], all: &mut Vec<Obligation>) {
        let allowed = Term::or(environment.iter().copied());
        for mover in self.movers(invariant) {
            for transition in &self.program.thread(mover).transitions {
                let conclusion = allowed.rewrite(&|leaf| match leaf.kind() {
                    TermKind::Primed(var, sort) => Some(value_after(self.program, *var, *sort, mover, transition)),
                    _ => None,
                });
                let what = format!("{} is not within what is allowed next to", self.named(mover, transition));
                for mut known in self.places(invariant, mover) {
                    known.push((mover, transition.source));
                    let companies = self.companies(invariant, mover);
                    let mut premises: Vec<Term> = companies.iter().map(|threads| self.known(threads, &known)).collect();
                    premises.extend(self.program.axioms(&known));
                    premises.extend(self.program.identities_differ(&[invariant.threads.as_slice(), &[mover]].concat()));
                    premises.extend(known.iter().map(|(thread, location)| at(self.program, *thread, *location)));
                    premises.extend(relation(transition));
                    let condition = self.condition(&what, invariant);
                    all.push(Obligation { condition, premises, conclusion });
                }
            }
        }
    }

    /// All places of the assertion's own threads that what is known of a mover speaks of: none, or all of them.
    fn places(&self, invariant: &Invariant, mover: ThreadId) -> Vec<Vec<(ThreadId, LocationId)>> {
        let mut all: Vec<Vec<(ThreadId, LocationId)>> = vec![Vec::new()];
        let companies = self.companies(invariant, mover);
        for thread in invariant.threads.iter().filter(|thread| companies.iter().any(|threads| threads.contains(thread)))
        {
            let locations: Vec<LocationId> = self.program.thread(*thread).locations().map(|(id, _)| id).collect();
            let at = |place: &Vec<(ThreadId, LocationId)>| -> Vec<Vec<(ThreadId, LocationId)>> {
                locations.iter().map(|l| place.iter().copied().chain([(*thread, *l)]).collect()).collect()
            };
            all = all.iter().flat_map(at).collect();
        }
        all
    }

    /// R and E, the own variables of R's threads unchanged -> R'.
    fn rely(
        &self,
        invariant: &Invariant,
        place: &[LocationId],
        formula: Term,
        environment: &[Term],
        all: &mut Vec<Obligation>,
    ) {
        let (disturbance, conclusion) =
            Environment::new(self.program, &invariant.threads, environment).disturbs(formula);
        let mut premises = self.located(&invariant.threads, place, formula);
        premises.extend(self.program.axioms(&placed(&invariant.threads, place)));
        premises.push(disturbance);
        let condition = self.condition("the environment leaves", invariant);
        all.push(Obligation { condition, premises, conclusion });
    }

    /// The threads of the assertions that are about the mover and otherwise about threads of this one.
    fn companies(&self, invariant: &Invariant, mover: ThreadId) -> Vec<Vec<ThreadId>> {
        let own = &invariant.threads;
        let Some((template, _)) = self.program.template_of(mover) else { return vec![vec![mover]] };
        if self.program.template_of(own[0]).is_none() {
            let copies = &self.program.templates()[template].copies;
            let strangers = copies.iter().copied().filter(|copy| *copy != mover).take(self.level() - 1);
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

    /// The assertion about threads of which some are known to be somewhere.
    fn known(&self, threads: &[ThreadId], known: &[(ThreadId, LocationId)]) -> Term {
        let kinds: Vec<Kind> = threads.iter().map(|t| self.kind(*t)).collect();
        let about = |i: &&Invariant| i.threads.iter().map(|t| self.kind(*t)).eq(kinds.iter().copied());
        let Some(invariant) = self.invariants.iter().find(about) else { return Term::bool(true) };
        let pairs: Vec<(ThreadId, ThreadId)> = invariant.threads.iter().copied().zip(threads.iter().copied()).collect();
        let renaming: Renaming = self.program.renaming(&pairs, &|thread| location_var(self.program, thread));
        let possible = |place: &&Vec<LocationId>| {
            threads.iter().zip(*place).all(|(thread, l)| known.iter().all(|(t, here)| t != thread || here == l))
        };
        let places = invariant.at.keys().filter(possible);
        Term::or(places.map(|place| Term::and(self.located(threads, place, renaming.term(invariant.here(place))))))
    }

    /// R and err -> false.
    fn safe(&self, invariant: &Invariant, place: &[LocationId], formula: Term, all: &mut Vec<Obligation>) {
        let is_error = |(thread, location): (&ThreadId, &LocationId)| {
            self.program.thread(*thread).location(*location).kind.is_error()
        };
        if invariant.threads.iter().zip(place).any(is_error) {
            let mut premises = self.located(&invariant.threads, place, formula);
            premises.extend(self.program.axioms(&placed(&invariant.threads, place)));
            let condition = self.condition("an error is admitted by", invariant);
            all.push(Obligation { condition, premises, conclusion: Term::bool(false) });
        }
    }

    fn located(&self, threads: &[ThreadId], place: &[LocationId], formula: Term) -> Vec<Term> {
        let mut all: Vec<Term> = threads.iter().zip(place).map(|(thread, l)| at(self.program, *thread, *l)).collect();
        all.extend(formula.conjuncts());
        if formula.as_bool() == Some(false) {
            all.push(formula);
        }
        all
    }

    fn level(&self) -> usize {
        self.program.templates().iter().map(|template| template.copies.len()).min().unwrap_or(2) - 1
    }

    fn named(&self, thread: ThreadId, transition: &Transition) -> String {
        let (name, line) = (&self.program.thread(thread).name, transition.span.line);
        match self.program.created_by(transition) {
            Some(template) => format!("the creation of {} by {name} at line {line}", template.name),
            None => format!("the step of {name} at line {line}"),
        }
    }
    fn leaves(&self, thread: ThreadId, transition: &Transition) -> String {
        format!("{} leaves", self.named(thread, transition))
    }
    fn condition(&self, what: &str, invariant: &Invariant) -> Condition {
        let names: Vec<&str> = invariant.threads.iter().map(|t| self.program.thread(*t).name.as_str()).collect();
        Condition::Parametric(format!("{what} the assertion about {}", names.join(", ")))
    }

    /// There is an assertion about every single thread and about every choice of `level` instances, each about the first copies;
    /// and it speaks of its own threads and of what is one for all.
    fn well_formed(&self, environment: Option<&Vec<Vec<Term>>>) -> Result<(), Rejection> {
        let level = self.level();
        if self.program.templates().iter().any(|template| template.copies.len() != level + 1) {
            return reject("the templates do not have the same number of copies");
        }
        let mut wanted: Vec<Vec<ThreadId>> = self.program.threads().map(|(id, _)| vec![id]).collect();
        wanted.retain(|threads| self.program.template_of(threads[0]).is_none());
        wanted.extend(choices(self.program, level));
        let mut found: Vec<Vec<ThreadId>> = self.invariants.iter().map(|i| i.threads.clone()).collect();
        wanted.sort();
        found.sort();
        if wanted != found {
            return reject("the assertions are not one for each single thread and each choice of instances");
        }
        for invariant in self.invariants {
            for (place, formula) in &invariant.at {
                let exists =
                    |(t, l): (&ThreadId, &LocationId)| (l.0 as usize) < self.program.thread(*t).locations.len();
                if place.len() != invariant.threads.len() || !invariant.threads.iter().zip(place).all(exists) {
                    return reject("an assertion speaks of a location that does not exist");
                }
                if !self.speaks_of(*formula, &invariant.threads, Moment::Before) {
                    return reject("an assertion speaks of something that it is not about");
                }
            }
        }
        if let Some(environment) = environment {
            if environment.len() != self.invariants.len() {
                return reject("the environments are not one for each assertion");
            }
            for (invariant, allowed) in self.invariants.iter().zip(environment) {
                if !allowed.iter().all(|e| self.speaks_of(*e, &invariant.threads, Moment::BeforeAndAfter)) {
                    return reject("an environment speaks of something that its assertion is not about");
                }
            }
        }
        Ok(())
    }

    fn speaks_of(&self, formula: Term, own: &[ThreadId], moment: Moment) -> bool {
        let mut fine = formula.sort() == Sort::Bool;
        let mine = |thread: ThreadId| own.contains(&thread) || self.program.template_of(thread).is_none();
        formula.visit(&mut |leaf| match leaf.kind() {
            TermKind::Var(var, sort) | TermKind::Primed(var, sort) => {
                fine &= moment == Moment::BeforeAndAfter || matches!(leaf.kind(), TermKind::Var(..));
                fine &= match (var.0 as usize).checked_sub(self.program.var_count()) {
                    Some(thread) => {
                        let thread = ThreadId(program::number(thread));
                        (thread.0 as usize) < self.program.threads().count() && mine(thread) && *sort == Sort::Int
                    }
                    None => {
                        let declared = self.program.var(*var);
                        declared.sort == *sort
                            && match declared.owner {
                                Owner::Global => true,
                                Owner::Local(thread) => mine(thread),
                                Owner::Input(_) => false,
                            }
                    }
                }
            }
            _ => {}
        });
        fine
    }
}

fn placed(threads: &[ThreadId], place: &[LocationId]) -> Vec<(ThreadId, LocationId)> {
    threads.iter().copied().zip(place.iter().copied()).collect()
}

/// All choices of `level` instances, sorted by template, as the first copies of each.
fn choices(program: &Program, level: usize) -> Vec<Vec<ThreadId>> {
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for _ in 0..level {
        let grown = |choice: &Vec<(usize, usize)>| -> Vec<Vec<(usize, usize)>> {
            let (last, copies) = choice.last().copied().unwrap_or((0, 0));
            let next =
                |template: usize| (template, if template == last && !choice.is_empty() { copies + 1 } else { 0 });
            (last..program.templates().len()).map(|t| choice.iter().copied().chain([next(t)]).collect()).collect()
        };
        all = all.iter().flat_map(grown).collect();
    }
    let threads =
        |choice: Vec<(usize, usize)>| choice.iter().map(|(t, c)| program.templates()[*t].copies[*c]).collect();
    all.into_iter().map(threads).collect()
}
