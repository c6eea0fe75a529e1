//! The guesses: what holds in the states of short runs, and what the program asks.

use std::collections::{BTreeMap, BTreeSet};

use bounded::{Sample, sample};
use program::{IntType, Linear, LocationId, Program, Sort, Term, TermKind, VarId};
use smt::Cancel;

use crate::engines::houdini::control::control;
use crate::refine::observed::at_place;
use crate::system::System;

/// States that are looked at.
const STATES: usize = 4_000;
/// So many variables are compared with each other, and so many guesses are made; the program's own words come first.
const COMPARED: usize = 24;
const MOST: usize = 400;
/// So far from each other are values that are told apart one by one.
const POINTS: i128 = 4;
/// Rings up to this size are looked at element by element.
const RESIDUES: i128 = 8;

/// What may be true somewhere.
pub fn candidates(system: &System<'_>, cancel: &Cancel) -> Vec<Term> {
    let samples = sample(system.program, STATES, &|| cancel.is_cancelled());
    let mut all: Vec<Term> = words(system);
    let relations = relations(system, &samples);
    all.extend(&relations);
    all.extend(residues(system));
    all.extend(bounds(system.program, &samples));
    let mut seen = BTreeSet::new();
    all.retain(|term| seen.insert(*term));
    all.truncate(MOST);
    all
}

/// What guards ask, and the same of a count's next and last value.
fn words(system: &System<'_>) -> Vec<Term> {
    let mut all = Vec::new();
    let control = control(system.program);
    let is_wide = |word: &Term| word.vars().iter().any(|var| !control.contains(var));
    for word in system.words.iter().filter(|word| is_wide(word)) {
        all.push(*word);
        if let TermKind::Le(form, c) = word.kind() {
            let near = [c.checked_sub(1), c.checked_add(1)].into_iter().flatten();
            all.extend(near.map(|c| Term::linear(form.clone()).le(Term::int(c))));
        }
    }
    let is_of_state =
        |word: &Term| word.vars().iter().all(|var| !matches!(system.program.var(*var).owner, program::Owner::Input(_)));
    all.retain(is_of_state);
    all
}

/// Of what is counted on beyond its width, the remainders that the program looks at of any of them, by which rings are indexed.
fn residues(system: &System<'_>) -> Vec<Term> {
    let program = system.program;
    let mut moduli: BTreeSet<(IntType, i128)> = BTreeSet::new();
    for word in &system.words {
        word.visit(&mut |term| {
            if let TermKind::Rem(value, by) = term.kind()
                && let (Some(var), Some(by @ 2..=RESIDUES)) = (value.as_var(), by.as_int())
            {
                moduli.insert((program.var(var).ty, by));
            }
        });
    }
    let of = |var: VarId, by: i128| {
        let rest = program.term(var).rem(Term::int(by));
        (0..by).map(move |c| rest.eq_to(Term::int(c)))
    };
    let counted = wrapping(program);
    let fits = |var: &&VarId, ty: IntType| program.var(**var).ty == ty;
    moduli
        .iter()
        .flat_map(|(ty, by)| counted.iter().filter(|var| fits(var, *ty)).flat_map(|var| of(*var, *by)))
        .collect()
}

/// The equations of all places.
fn relations(system: &System<'_>, samples: &[Sample]) -> BTreeSet<Term> {
    let mut by_place: BTreeMap<&[LocationId], Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        by_place.entry(&sample.place).or_default().push(sample);
    }
    by_place.values().flat_map(|states| at_place(system, &|_| true, states)).collect()
}

/// The variables that do more than remember where a thread has been, and whether they have several values.
fn wide(program: &Program, samples: &[Sample]) -> Vec<(VarId, bool)> {
    let control = control(program);
    let mut values: BTreeMap<VarId, BTreeSet<i128>> = BTreeMap::new();
    for (var, value) in samples.iter().flat_map(|sample| &sample.values) {
        values.entry(*var).or_default().insert(*value);
    }
    let wide = |(var, values): (&VarId, &BTreeSet<i128>)| {
        let is_wide = program.var(*var).sort == Sort::Int && !control.contains(var);
        is_wide.then_some((*var, values.len() > 1))
    };
    values.iter().filter_map(wide).collect()
}

/// What is bounded: a variable, or a difference of two. The difference of what wraps around is one of its type.
struct Form {
    terms: Vec<(VarId, i128)>,
    wraps: Option<IntType>,
}

impl Form {
    fn all(program: &Program, samples: &[Sample]) -> Vec<Form> {
        let wide = wide(program, samples);
        let vars: Vec<VarId> = wide.iter().filter(|(_, varies)| *varies).map(|(var, _)| *var).take(COMPARED).collect();
        let pairs = vars.iter().enumerate().flat_map(|(k, x)| vars[k + 1..].iter().map(move |y| (*x, *y)));
        let wrapping = wrapping(program);
        let wraps = |x: VarId, y: VarId| {
            let (a, b) = (program.var(x).ty, program.var(y).ty);
            (a.bits == b.bits && [x, y].iter().all(|var| wrapping.contains(var))).then_some(IntType::new(a.bits, true))
        };
        let differences = pairs.map(|(x, y)| Form { terms: vec![(x, 1), (y, -1)], wraps: wraps(x, y) });
        let alone = wide.iter().map(|(var, _)| Form { terms: vec![(*var, 1)], wraps: None });
        alone.chain(differences).collect()
    }

    fn value(&self, sample: &Sample) -> Option<i128> {
        let sum = self.terms.iter().try_fold(0, |sum, (var, c)| Some(sum + sample.value(*var)? * c))?;
        Some(self.wraps.map_or(sum, |ty| ty.wrap(sum)))
    }

    fn term(&self, program: &Program) -> Option<Term> {
        let add = |sum: Linear, (var, c): &(VarId, i128)| sum.add_scaled(*c, &Linear::of(program.term(*var)));
        let sum = Term::linear(self.terms.iter().try_fold(Linear::constant(0), add)?);
        Some(self.wraps.map_or(sum, |ty| sum.wrap(ty)))
    }
}

/// The variables that are counted on beyond their widths, and copies of them.
fn wrapping(program: &Program) -> BTreeSet<VarId> {
    let steps = || program.threads().flat_map(|(_, thread)| &thread.transitions).flat_map(|step| &step.updates);
    let mut all = BTreeSet::new();
    loop {
        let known = all.len();
        for (var, value) in steps() {
            let wraps = match value.kind() {
                TermKind::Wrap(..) => true,
                TermKind::Var(copied, _) => all.contains(copied),
                _ => false,
            };
            if wraps {
                all.insert(*var);
            }
        }
        if all.len() == known {
            return all;
        }
    }
}

/// The least and greatest values of variables and of their differences, by place, where longer runs have none beyond those of shorter
/// ones; and of variables, and of differences that wrap around, all values, if they are few.
fn bounds(program: &Program, samples: &[Sample]) -> BTreeSet<Term> {
    let mut all = BTreeSet::new();
    for form in Form::all(program, samples) {
        let mut extremes: BTreeMap<&[LocationId], Extremes> = BTreeMap::new();
        for (number, sample) in samples.iter().enumerate() {
            if let Some(value) = form.value(sample) {
                extremes.entry(&sample.place).or_default().add(value, number < samples.len() / 2);
            }
        }
        let Some(term) = form.term(program) else { continue };
        for extremes in extremes.values() {
            let (least, greatest) = extremes.stable();
            all.extend(least.map(|c| Term::int(c).le(term)));
            all.extend(greatest.map(|c| term.le(Term::int(c))));
            if let (Some(least), Some(greatest)) = (least, greatest)
                && (form.wraps.is_some() || form.terms.len() == 1)
                && greatest - least <= POINTS
            {
                all.extend((least..=greatest).map(|c| term.eq_to(Term::int(c))));
            }
        }
    }
    all
}

/// The least and the greatest of some values, of shorter runs and of all.
#[derive(Default)]
struct Extremes {
    short: Option<(i128, i128)>,
    all: Option<(i128, i128)>,
}

impl Extremes {
    fn add(&mut self, value: i128, is_short: bool) {
        let widen = |to: &mut Option<(i128, i128)>| {
            let (low, high) = to.unwrap_or((value, value));
            *to = Some((low.min(value), high.max(value)));
        };
        widen(&mut self.all);
        if is_short {
            widen(&mut self.short);
        }
    }
    fn stable(&self) -> (Option<i128>, Option<i128>) {
        match (self.short, self.all) {
            (Some((low, high)), Some((least, greatest))) => {
                ((low == least).then_some(low), (high == greatest).then_some(high))
            }
            _ => (None, None),
        }
    }
}
