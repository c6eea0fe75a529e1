//! What the rules' clauses share: states as terms over a clause's variables, initial states, steps.

use std::collections::{BTreeMap, BTreeSet};

use horn::{Application, Argument, RelationId, Variables};
use program::{
    Conflict, Init, IntType, LocationId, Program, Sort, Standing, Term, TermKind, ThreadId, Transition, VarId, Way,
};

use crate::rule::Vocabulary;

/// A component of the state: a variable or a thread's location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A variable of G or of some V_i.
    Var(VarId),
    /// pc_i.
    Location(ThreadId),
}

/// All of V: variables in the program's order, then the locations.
pub(super) fn all_places(program: &Program) -> Vec<Place> {
    let vars = program.state_vars().map(|(id, _)| Place::Var(id));
    vars.chain(program.threads().map(|(id, _)| Place::Location(id))).collect()
}

/// G.
pub(super) fn global_places(program: &Program) -> Vec<Place> {
    program.globals().map(Place::Var).collect()
}

/// What R_i is over: G, V_i and pc_i, or all of V.
pub(super) fn thread_places(program: &Program, thread: ThreadId, vocabulary: Vocabulary) -> Vec<Place> {
    match vocabulary {
        Vocabulary::Full => all_places(program),
        Vocabulary::Modular => {
            let vars = program.globals().chain(program.locals(thread)).map(Place::Var);
            vars.chain([Place::Location(thread)]).collect()
        }
    }
}

fn name(program: &Program, place: Place) -> String {
    match place {
        Place::Var(var) => program.var(var).name.clone(),
        Place::Location(thread) => format!("pc_{}", thread.0),
    }
}

fn sort(program: &Program, place: Place) -> Sort {
    match place {
        Place::Var(var) => program.var(var).sort,
        Place::Location(_) => Sort::Int,
    }
}

/// The places as arguments of a relation, with `suffix` after their names.
pub(super) fn arguments(program: &Program, places: &[Place], suffix: &str) -> Vec<Argument> {
    let argument = |p: &Place| Argument { name: name(program, *p) + suffix, sort: sort(program, *p) };
    places.iter().map(argument).collect()
}

/// A state, or the part of one that a clause speaks about: a term over the clause's variables for each place.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    values: BTreeMap<Place, Term>,
}

impl State {
    /// An arbitrary state over `places`. New variables are named after them, with `suffix`.
    pub(super) fn arbitrary(program: &Program, places: &[Place], suffix: &str, variables: &mut Variables) -> State {
        let mut state = State::default();
        state.renew(program, places, suffix, variables);
        state
    }

    /// An arbitrary state over `places` in which these threads are there.
    pub(super) fn at(
        program: &Program,
        places: &[Place],
        at: &[(ThreadId, LocationId)],
        variables: &mut Variables,
    ) -> State {
        let is_placed = |place: &Place| at.iter().any(|(thread, _)| *place == Place::Location(*thread));
        let others: Vec<Place> = places.iter().copied().filter(|place| !is_placed(place)).collect();
        let mut state = State::arbitrary(program, &others, "", variables);
        at.iter().for_each(|(thread, location)| state.locate(*thread, *location));
        state
    }

    /// An arbitrary state over `places` that is an error of this kind, and what holds then.
    pub(super) fn failing(
        program: &Program,
        places: &[Place],
        error: &Error<'_>,
        variables: &mut Variables,
    ) -> (State, Term) {
        let state = State::at(program, places, &error.at, variables);
        let bind = |term: &Term| term.substitute(&|var, _| Some(state.values[&Place::Var(var)]));
        let way = |thread: ThreadId, way: &Way| {
            let there = state.values[&Place::Location(thread)].eq_to(Term::int(i128::from(way.location.0)));
            Term::and([there].into_iter().chain(way.when.iter().map(bind)))
        };
        let among = error.among.iter().map(|s| Term::or(s.ways.iter().map(|w| way(s.thread, w))));
        let condition = Term::and(error.condition.iter().map(bind).chain(among));
        (state, condition)
    }

    /// Gives `places` new arbitrary values, each once.
    pub(super) fn renew(&mut self, program: &Program, places: &[Place], suffix: &str, variables: &mut Variables) {
        for place in places.iter().copied().collect::<BTreeSet<_>>() {
            let value = variables.fresh(name(program, place) + suffix, sort(program, place));
            self.values.insert(place, value);
        }
    }

    fn locate(&mut self, thread: ThreadId, location: LocationId) {
        self.values.insert(Place::Location(thread), Term::int(i128::from(location.0)));
    }

    /// The relation applied to this state's values at `places`.
    ///
    /// # Panics
    /// If the state lacks one of them: the rule asked for a relation over more than its clause speaks about.
    pub(super) fn apply(&self, relation: RelationId, places: &[Place]) -> Application {
        Application::new(relation, self.values(places))
    }

    /// Values at `places`; panics as [`State::apply`] does.
    pub(super) fn values(&self, places: &[Place]) -> Vec<Term> {
        places.iter().map(|place| self.values[place]).collect()
    }
}

/// init over `places`: each variable's initial value, an arbitrary one in its range; every thread at its entry.
pub(super) fn initial(program: &Program, places: &[Place], variables: &mut Variables) -> (State, Term) {
    let mut state = State::default();
    let mut ranges = Vec::new();
    for place in places {
        match *place {
            Place::Location(thread) => state.locate(thread, program.thread(thread).entry),
            Place::Var(id) => {
                let value = match program.var(id).init {
                    Init::Value(value) => value,
                    Init::Arbitrary => {
                        let value = variables.fresh(program.var(id).name.clone(), program.var(id).sort);
                        ranges.extend(range(value, program.var(id).ty));
                        value
                    }
                };
                state.values.insert(*place, value);
            }
        }
    }
    (state, Term::and(ranges))
}

/// rho_thread restricted to `transition`, from `before`: the state after, and the condition on the state before.
///
/// Values stay in their types' ranges without being told to, because initial values and inputs are, and definedness
/// keeps results so. Only the elements of arbitrary arrays are not (that would need a quantifier): there, each element that
/// the step reads is in range, which is as good, since nothing depends on the others.
pub(super) fn step(
    program: &Program,
    thread: ThreadId,
    transition: &Transition,
    before: &State,
    variables: &mut Variables,
) -> (Term, State) {
    let mut values: BTreeMap<VarId, Term> = BTreeMap::new();
    let mut condition = Vec::new();
    for input in &transition.inputs {
        let var = program.var(*input);
        let value = variables.fresh(var.name.clone(), var.sort);
        condition.extend(range(value, var.ty));
        values.insert(*input, value);
    }
    // A term must not slip through unbound: its ids would then be taken for the clause's.
    let value_of = |var: VarId| values.get(&var).copied().unwrap_or_else(|| before.values[&Place::Var(var)]);
    let bind = |term: Term| term.substitute(&|var, _| Some(value_of(var)));
    condition.extend(transition.guard.iter().map(|g| bind(*g)));
    condition.extend(transition.defined.iter().map(|d| bind(d.condition)));
    condition.extend(reads(program, transition).into_iter().map(bind));
    let mut after = before.clone();
    for (var, value) in &transition.updates {
        after.values.insert(Place::Var(*var), bind(*value));
    }
    after.locate(thread, transition.target);
    (Term::and(condition), after)
}

/// `low <= value <= high`, for an integer.
fn range(value: Term, ty: IntType) -> Option<Term> {
    (value.sort() == Sort::Int).then(|| value.within(ty.least(), ty.greatest()))
}

/// That each array element which the step reads is in its type's range.
fn reads(program: &Program, transition: &Transition) -> Vec<Term> {
    let mut elements: BTreeSet<(VarId, Term)> = BTreeSet::new();
    let terms = transition.guard.iter().copied().chain(transition.updates.iter().map(|(_, value)| *value));
    for term in terms.chain(transition.defined.iter().map(|d| d.condition)) {
        term.visit(&mut |t| {
            if let TermKind::Select(array, index) = t.kind() {
                roots(*array, &mut |var| {
                    elements.insert((var, *index));
                });
            }
        });
    }
    let in_range = |(var, index): (VarId, Term)| range(program.term(var).select(index), program.var(var).ty);
    elements.into_iter().filter_map(in_range).collect()
}

/// The array variables from which an element of `array` may stem.
fn roots(array: Term, found: &mut impl FnMut(VarId)) {
    match array.kind() {
        TermKind::Var(var, _) => found(*var),
        TermKind::Store(inner, _, _) => roots(*inner, found),
        TermKind::Ite(_, a, b) => {
            roots(*a, found);
            roots(*b, found);
        }
        _ => {}
    }
}

/// The transitions of a thread that can be taken at all.
pub(super) fn possible(program: &Program, thread: ThreadId) -> impl Iterator<Item = &Transition> {
    program.thread(thread).transitions.iter().filter(|t| !t.is_undefined())
}

/// A part of err: where threads are, and what holds then.
pub(super) struct Error<'p> {
    at: Vec<(ThreadId, LocationId)>,
    condition: Vec<Term>,
    /// Threads that are at one of several locations.
    among: Vec<&'p Standing>,
}

/// err, taken apart: every thread with each of its error locations, and every conflict.
pub(super) fn errors(program: &Program) -> Vec<Error<'_>> {
    let alone = program.threads().flat_map(|(id, thread)| {
        let errors = thread.locations().filter(|(_, l)| l.kind.is_error());
        errors.map(move |(location, _)| Error { at: vec![(id, location)], condition: Vec::new(), among: Vec::new() })
    });
    alone.chain(program.conflicts().iter().map(together)).collect()
}

fn together(conflict: &Conflict) -> Error<'_> {
    let mut error = Error { at: Vec::new(), condition: conflict.condition.clone(), among: Vec::new() };
    for standing in &conflict.at {
        match standing.ways.as_slice() {
            [only] => {
                error.at.push((standing.thread, only.location));
                error.condition.extend(&only.when);
            }
            _ => error.among.push(standing),
        }
    }
    error
}

/// `thread 1 t2`.
pub(super) fn thread_name(program: &Program, thread: ThreadId) -> String {
    format!("thread {} {}", thread.0, program.thread(thread).name)
}

/// `thread 1 t2: L3 -> L4, peterson.c:14`.
pub(super) fn step_name(program: &Program, thread: ThreadId, t: &Transition) -> String {
    let who = thread_name(program, thread);
    format!("{who}: L{} -> L{}, {}", t.source.0, t.target.0, program.place(t.span))
}

/// `thread 1 t2 at the error L3, peterson.c:20`.
pub(super) fn error_name(program: &Program, error: &Error<'_>) -> String {
    let kind = if error.at.len() + error.among.len() > 1 { "the conflict" } else { "the error" };
    let name = |(thread, location): &(ThreadId, LocationId)| {
        let place = program.place(program.thread(*thread).location(*location).span);
        format!("{} at {kind} L{}, {place}", thread_name(program, *thread), location.0)
    };
    let among = error.among.iter().map(|standing| format!("{} at the conflict", thread_name(program, standing.thread)));
    error.at.iter().map(name).chain(among).collect::<Vec<_>>().join(" and ")
}
