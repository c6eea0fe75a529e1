//! Smaller proofs: literals and alternatives that the rule's obligations do not need are dropped.
//!
//! A proof as it is found says all that abstraction kept track of. To drop a literal makes an assertion weaker: what it concludes is easier to
//! show, what follows from it is harder. Obligations are therefore asked again, those whose text has changed, and where one fails, the
//! assertions among its premises get back what they had lost. What is left has been accepted by the checker's own tableau; who wants a
//! `Proof` has it checked once more, from the beginning.

use std::collections::{BTreeMap, BTreeSet};

use check::{Certificate, Condition, Invariant, Obligation, Tableau, obligations, obligations_of};
use program::{Linear, LocationId, Program, Term, TermKind, ThreadId, VarId};
use rustc_hash::FxHashSet;

use crate::cubes::{self, bounds};
use crate::environments::{Scope, environments};
use crate::options::Options;

/// Literals that the tableau looks at, at most: counted, so that the same proof comes out the same every time. About a second.
const EFFORT: u64 = 8_000_000;
/// Proofs with more implications than this stay as they are: what changes one literal of them takes too long.
const LARGE: usize = 12_000;
/// To write an implication counts like so many literals, and to ask about one, too.
const WRITTEN: u64 = 100;

/// A formula of a certificate: the assertion with this number, where its threads are there.
type Part = (usize, Vec<LocationId>);

/// How soon an assertion should do without what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Where other threads are.
    Place,
    /// Variables that its threads never write.
    Foreign,
    /// Variables that others write, too.
    Shared,
    /// Variables that its threads alone write.
    Own,
}

/// Alternatives, each a conjunction of literals.
type Cubes = Vec<Vec<Term>>;

/// What literals that are dropped together speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Form(&'static Linear),
    Other(Term),
}

fn subject(literal: Term) -> Subject {
    match bounds(literal) {
        Some((form, _)) => Subject::Form(form),
        None => Subject::Other(match literal.kind() {
            TermKind::Not(inner) => *inner,
            _ => literal,
        }),
    }
}

/// The same proof with less in it, as far as the limit on work goes. It has to be checked again.
pub fn minimised(program: &Program, certificate: &Certificate, options: &Options) -> Certificate {
    match certificate {
        // What others do is told exactly by their steps: assertions are made smaller against these, and environments made of them.
        Certificate::RelyGuarantee { invariants, .. } if program.templates().is_empty() => {
            let direct = Certificate::OwickiGries(invariants.clone());
            let Some(mut smaller) = Minimiser::new(program, &direct, options, Known::Nothing) else {
                return certificate.clone();
            };
            smaller.run();
            let invariants = smaller.certificate(&smaller.parts).invariants().to_vec();
            let scope = if certificate.is_modular(program) { Scope::Globals } else { Scope::All };
            let environment = environments(program, &invariants, scope, options);
            Certificate::RelyGuarantee { invariants, environment }
        }
        // Environments of any number of threads take too long to be asked about again and again.
        Certificate::RelyGuarantee { .. } => certificate.clone(),
        Certificate::Monolithic(_) | Certificate::OwickiGries(_) => {
            let Some(mut smaller) = Minimiser::new(program, certificate, options, Known::Valid) else {
                return certificate.clone();
            };
            smaller.run();
            smaller.certificate(&smaller.parts)
        }
    }
}

/// What is known of the implications that a certificate owes.
enum Known {
    Valid,
    Nothing,
}

fn writers(program: &Program) -> BTreeMap<VarId, BTreeSet<ThreadId>> {
    let mut all: BTreeMap<VarId, BTreeSet<ThreadId>> = BTreeMap::new();
    for (id, thread) in program.threads() {
        for (var, _) in thread.transitions.iter().flat_map(|transition| &transition.updates) {
            all.entry(*var).or_default().insert(id);
        }
    }
    all
}

fn key(obligation: Obligation) -> (Vec<Term>, Term) {
    (obligation.premises, obligation.conclusion)
}

fn parts(certificate: &Certificate) -> BTreeMap<Part, Cubes> {
    let mut all = BTreeMap::new();
    for (index, invariant) in certificate.invariants().iter().enumerate() {
        all.extend(invariant.at.iter().map(|(place, formula)| ((index, place.clone()), cubes(*formula))));
    }
    all
}

fn cubes(formula: Term) -> Cubes {
    match formula.kind() {
        TermKind::Or(items) => items.iter().map(|cube| cube.conjuncts()).collect(),
        _ if formula.as_bool() == Some(false) => Vec::new(),
        _ => vec![formula.conjuncts()],
    }
}

struct Minimiser<'a> {
    program: &'a Program,
    options: &'a Options,
    tableau: Tableau,
    /// Implications that are known to be valid.
    valid: FxHashSet<(Vec<Term>, Term)>,
    /// What was done beside the tableau's work.
    written: u64,
    /// What is left so far.
    parts: BTreeMap<Part, Cubes>,
    /// The certificate that it is made from.
    form: Certificate,
    /// Who writes what.
    writers: BTreeMap<VarId, BTreeSet<ThreadId>>,
}

impl<'a> Minimiser<'a> {
    /// One that has dropped nothing yet; none for a proof that is too large, or that the tableau does not understand.
    fn new(program: &'a Program, form: &Certificate, options: &'a Options, known: Known) -> Option<Minimiser<'a>> {
        let owed = obligations(program, form).ok().filter(|owed| owed.len() <= LARGE)?;
        let mut minimiser = Minimiser {
            program,
            options,
            tableau: Tableau::default(),
            valid: FxHashSet::default(),
            written: 0,
            parts: parts(form),
            form: form.clone(),
            writers: writers(program),
        };
        match known {
            Known::Valid => minimiser.valid = owed.into_iter().map(key).collect(),
            Known::Nothing
                if !minimiser
                    .failing(&minimiser.parts.clone(), &minimiser.parts.keys().cloned().collect(), 1)
                    .is_empty() =>
            {
                return None;
            }
            Known::Nothing => {}
        }
        Some(minimiser)
    }

    fn run(&mut self) {
        // As long as each thread says all it knows of its own variables, others need not.
        for most in [Rank::Shared, Rank::Own] {
            // Whole subjects first: what is needed nowhere, or in a few places only; then what is not needed beside something else.
            for (index, what) in self.subjects() {
                if self.rank(index, what) <= most {
                    self.drop_subject(index, what, None);
                }
            }
            for (index, what) in self.subjects() {
                if self.rank(index, what) > most {
                    continue;
                }
                for beside in self.literals(index) {
                    if subject(beside) != what {
                        self.drop_subject(index, what, Some(beside));
                    }
                }
            }
            // Then, as long as that helps, place by place and alternative by alternative.
            loop {
                let before = self.size();
                let all: Vec<Part> = self.parts.keys().cloned().collect();
                for part in all.iter().rev() {
                    self.drop_within(part, most);
                }
                if self.size() == before || self.is_over() {
                    break;
                }
            }
        }
        log::debug!("a smaller proof: effort {}, {} literals and alternatives left", self.effort(), self.size());
    }

    fn is_over(&self) -> bool {
        self.effort() > EFFORT || self.options.cancel.is_cancelled()
    }

    fn effort(&self) -> u64 {
        self.written + self.tableau.spent()
    }

    fn size(&self) -> usize {
        self.parts.values().flatten().map(|cube| 1 + cube.len()).sum()
    }

    /// What each assertion speaks of, in the order in which it is dropped.
    fn subjects(&self) -> Vec<(usize, Subject)> {
        let mut all: BTreeMap<(usize, Subject), usize> = BTreeMap::new();
        for (part, cubes) in &self.parts {
            for literal in cubes.iter().flatten() {
                *all.entry((part.0, subject(*literal))).or_default() += 1;
            }
        }
        let mut all: Vec<((usize, Subject), usize)> = all.into_iter().collect();
        all.sort_by_key(|((index, subject), times)| {
            (self.rank(*index, *subject), std::cmp::Reverse(*times), *index, *subject)
        });
        all.into_iter().map(|(what, _)| what).collect()
    }

    /// In which order an assertion does without a subject: others' places first, since a proof without them is thread-modular; then what its
    /// threads never write, for whoever writes it knows it best; their own variables last.
    fn rank(&self, index: usize, subject: Subject) -> Rank {
        let term = match subject {
            Subject::Form(form) => Term::linear(form.clone()),
            Subject::Other(term) => term,
        };
        let own = &self.form.invariants()[index].threads;
        let rank = |var: &VarId| {
            if (var.0 as usize) >= self.program.var_count() {
                return Rank::Place;
            }
            let writers = || self.writers.get(var).into_iter().flatten();
            let (inside, outside) = (writers().any(|t| own.contains(t)), writers().any(|t| !own.contains(t)));
            match (inside, outside) {
                (false, _) => Rank::Foreign,
                (true, true) => Rank::Shared,
                (true, false) => Rank::Own,
            }
        };
        term.vars().iter().map(rank).min().unwrap_or(Rank::Foreign)
    }

    /// The literals of an assertion, wherever they are.
    fn literals(&self, index: usize) -> BTreeSet<Term> {
        let of_index = self.parts.iter().filter(|(part, _)| part.0 == index);
        of_index.flat_map(|(_, cubes)| cubes.iter().flatten().copied()).collect()
    }

    /// Drops what an assertion says of a subject, beside a literal if one is given, wherever it can be.
    fn drop_subject(&mut self, index: usize, what: Subject, beside: Option<Term>) {
        let is_meant = |cube: &Vec<Term>| beside.is_none_or(|literal| cube.contains(&literal));
        let speaks = |cubes: &Cubes| {
            cubes.iter().any(|cube| is_meant(cube) && cube.iter().any(|literal| subject(*literal) == what))
        };
        let of_index = |part: &Part| part.0 == index;
        let mut dropped: BTreeSet<Part> = self
            .parts
            .iter()
            .filter(|(part, cubes)| of_index(part) && speaks(cubes))
            .map(|(part, _)| part.clone())
            .collect();
        while !dropped.is_empty() && !self.is_over() {
            let mut parts = self.parts.clone();
            for part in &dropped {
                if let Some(cubes) = parts.get_mut(part) {
                    let dropped = |cube: &Vec<Term>, literal: Term| is_meant(cube) && subject(literal) == what;
                    *cubes = without(cubes, dropped);
                }
            }
            let failing = self.failing(&parts, &dropped, usize::MAX);
            if failing.is_empty() {
                self.parts = parts;
                return;
            }
            let before = dropped.len();
            for condition in failing {
                let culprit = self.premises(&condition, &parts).into_iter().find(|part| dropped.contains(part));
                culprit.map(|part| dropped.remove(&part));
            }
            if dropped.len() == before {
                return;
            }
        }
    }

    /// Drops from one formula what it need not say: of each subject; then alternative by alternative, the whole of it, or what it says of a
    /// subject.
    fn drop_within(&mut self, part: &Part, most: Rank) {
        for what in self.subjects_of(part, None, most) {
            let smaller = without(&self.parts[part], |_, literal| subject(literal) == what);
            self.try_with(part, smaller);
        }
        let mut k = 0;
        while k < self.parts[part].len() && !self.is_over() {
            let mut fewer = self.parts[part].clone();
            fewer.remove(k);
            if !fewer.is_empty() && self.try_with(part, fewer) {
                continue;
            }
            let dropped = self.subjects_of(part, Some(k), most).into_iter().any(|what| {
                let mut weaker = self.parts[part].clone();
                weaker[k].retain(|literal| subject(*literal) != what);
                self.try_with(part, without(&weaker, |_, _| false))
            });
            // Alternatives may have become others, and fewer.
            k = if dropped { 0 } else { k + 1 };
        }
    }

    /// What a formula, or one alternative of it, speaks of, in the order in which it is dropped.
    fn subjects_of(&self, part: &Part, alternative: Option<usize>, most: Rank) -> Vec<Subject> {
        let Some(cubes) = self.parts.get(part) else { return Vec::new() };
        let cubes = match alternative {
            Some(k) => cubes.get(k..=k).unwrap_or_default(),
            None => cubes.as_slice(),
        };
        let all: BTreeSet<Subject> = cubes.iter().flatten().map(|literal| subject(*literal)).collect();
        let mut all: Vec<Subject> = all.into_iter().filter(|subject| self.rank(part.0, *subject) <= most).collect();
        all.sort_by_key(|subject| (self.rank(part.0, *subject), *subject));
        all
    }

    /// Puts these alternatives in the place of others, if they are enough and say less.
    fn try_with(&mut self, part: &Part, cubes: Cubes) -> bool {
        let size = |cubes: &Cubes| cubes.iter().map(|cube| 1 + cube.len()).sum::<usize>();
        if self.is_over() || self.parts.get(part).is_none_or(|before| size(before) <= size(&cubes)) {
            return false;
        }
        let mut parts = self.parts.clone();
        parts.insert(part.clone(), cubes);
        let accepted = self.failing(&parts, &BTreeSet::from([part.clone()]), 1).is_empty();
        if accepted {
            self.parts = parts;
        }
        accepted
    }

    /// The conditions, not more than so many, that are not seen to be valid where some formulas have changed.
    fn failing(&mut self, parts: &BTreeMap<Part, Cubes>, changed: &BTreeSet<Part>, most: usize) -> Vec<Condition> {
        let certificate = self.certificate(parts);
        let has_changed = |index: usize, place: &[LocationId]| changed.contains(&(index, place.to_vec()));
        let owed = obligations_of(self.program, &certificate, &has_changed);
        self.written += WRITTEN * owed.len() as u64;
        let mut failing = Vec::new();
        for obligation in owed {
            let key = (obligation.premises, obligation.conclusion);
            if self.valid.contains(&key) {
                continue;
            }
            self.written += WRITTEN;
            if !self.is_over() && self.tableau.proves(&key.0, key.1) {
                self.valid.insert(key);
                continue;
            }
            failing.push(obligation.condition);
            if failing.len() >= most || self.is_over() {
                break;
            }
        }
        failing
    }

    /// The formulas among the premises of a condition, those first that it is about.
    fn premises(&self, condition: &Condition, parts: &BTreeMap<Part, Cubes>) -> Vec<Part> {
        let of_step = |thread: ThreadId, t: usize| {
            let step = self.program.thread(thread).transitions.get(t);
            step.map_or_else(Vec::new, |step| self.about(thread, step.source, parts))
        };
        match condition {
            Condition::Step(_, thread, t) => of_step(*thread, *t),
            Condition::Interference(index, location, mover, t) => {
                let here = |part: &&Part| part.0 == *index && part.1.first() == Some(location);
                parts.keys().filter(here).cloned().chain(of_step(*mover, *t)).collect()
            }
            Condition::Safe(..) | Condition::Apart(_) => parts.keys().cloned().collect(),
            // Assertions are looked at against steps alone, and what starts a run has no assertion before it.
            Condition::Guarantee(..) | Condition::Rely(..) | Condition::Initial(_) | Condition::Form(_) => Vec::new(),
        }
    }

    /// The formulas that say something of a thread, or of an instance like it, at a location.
    fn about(&self, thread: ThreadId, location: LocationId, parts: &BTreeMap<Part, Cubes>) -> Vec<Part> {
        let template = |thread: ThreadId| self.program.template_of(thread).map(|(template, _)| template);
        let is_like =
            |other: ThreadId| other == thread || (template(other).is_some() && template(other) == template(thread));
        let here = |(index, place): &&Part| {
            let threads = &self.form.invariants()[*index].threads;
            threads.iter().zip(place).any(|(other, at)| *at == location && is_like(*other))
        };
        parts.keys().filter(here).cloned().collect()
    }

    fn certificate(&self, parts: &BTreeMap<Part, Cubes>) -> Certificate {
        let formula = |part: Part, before: Term| {
            parts.get(&part).map_or(before, |cubes| Term::or(cubes.iter().map(|cube| Term::and(cube.iter().copied()))))
        };
        let of = |(index, invariant): (usize, &Invariant)| Invariant {
            threads: invariant.threads.clone(),
            at: invariant.at.iter().map(|(p, f)| (p.clone(), formula((index, p.clone()), *f))).collect(),
        };
        let mut invariants: Vec<Invariant> = self.form.invariants().iter().enumerate().map(of).collect();
        match &self.form {
            Certificate::Monolithic(before) => {
                Certificate::Monolithic(invariants.pop().unwrap_or_else(|| before.clone()))
            }
            Certificate::OwickiGries(_) | Certificate::RelyGuarantee { .. } => Certificate::OwickiGries(invariants),
        }
    }
}

/// The same formula with as few alternatives as say the same.
pub fn joined(formula: Term) -> Term {
    let of = cubes::joined(cubes(formula));
    Term::or(of.into_iter().map(Term::and))
}

/// The alternatives without some literals, as few of them as say the same.
fn without(all: &Cubes, dropped: impl Fn(&Vec<Term>, Term) -> bool) -> Cubes {
    let kept =
        |cube: &Vec<Term>| cube.iter().copied().filter(|literal| !dropped(cube, *literal)).collect::<Vec<Term>>();
    cubes::joined(all.iter().map(kept))
}
