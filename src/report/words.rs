//! Formulas of a proof as C says them, with the places of other threads as lines.

use std::collections::{BTreeMap, BTreeSet};

use check::variable_name;
use program::{LocationId, LocationKind, Program, Term, TermKind, ThreadId, Value, VarId, display};

/// The alternatives of a formula, as few as say the same: those that differ only in where a thread is are one.
pub fn alternatives(program: &Program, formula: Term, own: &[ThreadId]) -> Vec<String> {
    let simple = rules::joined(formula);
    let cubes = match simple.kind() {
        TermKind::Or(items) => items.to_vec(),
        _ => vec![simple],
    };
    let mut all: Vec<Told> = Vec::new();
    for told in cubes.into_iter().map(|cube| Told::of(program, cube)) {
        match all.iter_mut().find(|other| other.differs_in_one_place(&told)) {
            Some(other) => other.include(&told),
            None => all.push(told),
        }
    }
    all.iter().map(|told| told.text(program, own)).collect()
}

/// A conjunction: what it says of values, then where other threads are.
pub fn conjunction(program: &Program, cube: Term) -> String {
    Told::of(program, cube).text(program, &[])
}

/// What a conjunction says.
struct Told {
    /// Of values.
    values: BTreeSet<Term>,
    /// Of where other threads are.
    places: BTreeMap<ThreadId, BTreeSet<LocationId>>,
}

impl Told {
    fn of(program: &Program, cube: Term) -> Told {
        let mut literals: BTreeMap<ThreadId, Vec<Term>> = BTreeMap::new();
        let mut values = BTreeSet::new();
        for literal in cube.conjuncts() {
            match whose_place(program, literal) {
                Some(thread) => literals.entry(thread).or_default().push(literal),
                None => _ = values.insert(literal),
            }
        }
        if cube.as_bool() == Some(false) {
            values.insert(cube);
        }
        let places = literals.iter().map(|(thread, literals)| (*thread, inside(program, *thread, literals)));
        Told { values, places: places.collect() }
    }

    fn differs_in_one_place(&self, other: &Told) -> bool {
        let same = self.values == other.values && self.places.keys().eq(other.places.keys());
        same && self.places.iter().filter(|(thread, places)| other.places.get(thread) != Some(places)).count() <= 1
    }

    fn include(&mut self, other: &Told) {
        for (thread, places) in &mut self.places {
            places.extend(other.places.get(thread).into_iter().flatten());
        }
    }

    /// In words. The variables of the one thread that it is about are called as that thread calls them.
    fn text(&self, program: &Program, own: &[ThreadId]) -> String {
        let prefix = match own {
            [thread] => format!("{}::", program.thread(*thread).name),
            _ => String::new(),
        };
        let names = |var: VarId| {
            let name = variable_name(program, var);
            name.strip_prefix(&prefix).map_or(name.clone(), str::to_string)
        };
        let values = || display(Term::and(self.values.iter().copied()), &names).to_string();
        let places = self.places.iter().filter_map(|(thread, inside)| place(program, *thread, inside));
        let all: Vec<String> = (!self.values.is_empty()).then(values).into_iter().chain(places).collect();
        if all.is_empty() { "true".into() } else { all.join(" && ") }
    }
}

/// The thread of whose location alone a literal speaks.
fn whose_place(program: &Program, literal: Term) -> Option<ThreadId> {
    let vars = literal.vars();
    let mut vars = vars.iter();
    let (Some(var), None) = (vars.next(), vars.next()) else { return None };
    let thread = (var.0 as usize).checked_sub(program.var_count())?;
    let thread = ThreadId(u32::try_from(thread).ok()?);
    let mut is_primed = false;
    literal.visit(&mut |leaf| is_primed |= matches!(leaf.kind(), TermKind::Primed(..)));
    (!is_primed && program.threads().any(|(id, _)| id == thread)).then_some(thread)
}

/// The locations of a thread at which these hold.
fn inside(program: &Program, thread: ThreadId, literals: &[Term]) -> BTreeSet<LocationId> {
    let holds = |location: &LocationId| {
        let value = |_: VarId| Some(Value::Int(i128::from(location.0)));
        literals.iter().all(|literal| literal.eval(&value) == Ok(Value::Bool(true)))
    };
    program.thread(thread).locations().map(|(id, _)| id).filter(holds).collect()
}

/// Where a thread is: `second at 35, 38`, or `second not at 47` if that is shorter; nothing if it may be anywhere.
fn place(program: &Program, thread: ThreadId, inside: &BTreeSet<LocationId>) -> Option<String> {
    // Nobody is at an error.
    let told = program.thread(thread).locations().filter(|(_, location)| !location.kind.is_error());
    let (inside, outside): (Vec<LocationId>, Vec<LocationId>) =
        told.map(|(id, _)| id).partition(|id| inside.contains(id));
    let name = &program.thread(thread).name;
    match (inside.len(), outside.len()) {
        (_, 0) => None,
        (inside_count, outside_count) if outside_count < inside_count => {
            Some(format!("{name} not at {}", lines(program, thread, &outside)))
        }
        _ => Some(format!("{name} at {}", lines(program, thread, &inside))),
    }
}

/// Locations as lines of C, each once. Where a line has several, a letter says which.
fn lines(program: &Program, thread: ThreadId, locations: &[LocationId]) -> String {
    let all: BTreeSet<(u32, u32, String)> = locations.iter().map(|id| named(program, thread, *id)).collect();
    all.into_iter().map(|(_, _, name)| name).collect::<Vec<_>>().join(", ")
}

fn named(program: &Program, thread: ThreadId, id: LocationId) -> (u32, u32, String) {
    let thread = program.thread(thread);
    let location = thread.location(id);
    match location.kind {
        LocationKind::End => (u32::MAX, 0, "its end".into()),
        LocationKind::Unmodelled => (u32::MAX, 1, "what is not modelled".into()),
        LocationKind::Error(_) => (u32::MAX, 2, "an error".into()),
        LocationKind::Plain => {
            let line = (location.span.file, location.span.line);
            let same = |(_, other): &(LocationId, &program::Location)| {
                other.kind == LocationKind::Plain && (other.span.file, other.span.line) == line
            };
            let same: Vec<LocationId> = thread.locations().filter(same).map(|(id, _)| id).collect();
            let letter = match same.iter().position(|other| *other == id) {
                Some(k) if same.len() > 1 => ('a'..='z').nth(k).map_or_else(|| format!(".{k}"), String::from),
                _ => String::new(),
            };
            (location.span.file, location.span.line, format!("{}{letter}", super::line(program, location.span)))
        }
    }
}
