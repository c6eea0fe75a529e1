//! A derivation as recursion-free Horn clauses [P]: one unknown relation a state and an abstract transition; one clause a recorded
//! step, with the exact rho_j; the error is the query. A relation is over the globals and the own variables of its view's threads;
//! where it is known of other copies, these stand in its arguments.

use std::collections::{BTreeMap, BTreeSet};

use horn::{Atom, Clause, RecursionFree};
use program::{Init, LocationId, Owner, Renaming, Sort, Term, TermKind, ThreadId, VarId};

use crate::refine::derivation::{Derivation, Item, Made};
use crate::refine::setting::Setting;
use crate::rule::views::{Mover, Source};
use crate::system::StepId;

/// What the unknowns may speak of: the rungs of the ladder of design section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// R over G and its threads' own variables, E over G and G' and the own variables of instances.
    Modular,
    /// With the locations of other threads of which there is one.
    Locations,
    /// With all of their variables.
    Full,
}

/// A place of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Var(VarId),
    Primed(VarId),
    /// Whether the thread is at the location. A truth value each, so that the solver sees classes and no order.
    At(ThreadId, LocationId),
}

/// Clauses of a derivation, a relation for each of its items.
pub struct Encoding {
    /// What the unknowns speak of.
    pub rung: Rung,
    /// The clauses.
    pub system: RecursionFree,
    /// The variables that guards depend on.
    pub relevant: BTreeSet<VarId>,
    columns: Vec<Vec<Column>>,
}

impl Encoding {
    /// The clauses of a derivation.
    pub fn new(setting: Setting<'_, '_>, derivation: &Derivation, rung: Rung) -> Encoding {
        let mut encoder = Encoder {
            setting,
            items: &derivation.items,
            rung,
            columns: Vec::new(),
            locations: BTreeMap::new(),
            relevant: BTreeSet::new(),
            shares: BTreeSet::new(),
        };
        encoder.survey(derivation);
        encoder.columns = derivation.items.iter().map(|item| encoder.columns(item)).collect();
        let sorts = |columns: &Vec<Column>| columns.iter().map(|c| encoder.sort(*c)).collect();
        let relations = encoder.columns.iter().map(sorts).collect();
        let mut clauses: Vec<Clause> = (0..derivation.items.len()).map(|index| encoder.clause(index)).collect();
        if let Some(error) = derivation.items.len().checked_sub(1) {
            let body = vec![encoder.atom(error, &|column| encoder.term(column))];
            clauses.push(Clause { body, constraint: encoder.axioms(error, None), head: None });
        }
        Encoding {
            rung,
            system: RecursionFree { relations, clauses },
            relevant: encoder.relevant,
            columns: encoder.columns,
        }
    }

    /// A formula over a relation's places as one over the program's variables and locations.
    pub fn read_back(&self, setting: Setting<'_, '_>, relation: usize, formula: Term) -> Term {
        let columns = &self.columns[relation];
        formula.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, _) => columns.get(var.0 as usize).map(|column| match column {
                Column::Var(var) => Term::var(*var, setting.system.sort(*var)),
                Column::Primed(var) => Term::primed(*var, setting.system.sort(*var)),
                Column::At(thread, location) => setting.system.at(*thread, *location),
            }),
            _ => None,
        })
    }
}

struct Encoder<'r, 'a, 'p> {
    setting: Setting<'a, 'p>,
    items: &'r [Item],
    rung: Rung,
    columns: Vec<Vec<Column>>,
    /// The locations that occur, of threads of which there is one.
    locations: BTreeMap<ThreadId, BTreeSet<LocationId>>,
    /// The variables that guards depend on; of a template those of its first copy stand for all.
    relevant: BTreeSet<VarId>,
    /// Those that say what a thread has added to a counter.
    shares: BTreeSet<VarId>,
}

impl Encoder<'_, '_, '_> {
    /// Finds the locations that occur and the variables that matter: those that guards read, and those that their values come from.
    fn survey(&mut self, derivation: &Derivation) {
        let system = self.setting.system;
        for thread in system.threads().filter(|thread| system.program.template_of(*thread).is_none()) {
            self.locations.entry(thread).or_default().insert(system.program.thread(thread).entry);
        }
        let (steps, first) = (derivation.steps(), first_copies(self.setting));
        for step in &steps {
            let transition = system.transition(*step);
            if let Some(locations) = self.locations.get_mut(&step.thread) {
                locations.extend([transition.source, transition.target]);
            }
            self.relevant.extend(system.guard(*step).into_iter().flat_map(Term::vars).map(|var| first.var(var)));
        }
        if let Some((conflict, ways)) = derivation.conflict() {
            let conflict = &system.program.conflicts()[conflict];
            for (thread, location) in conflict.places(ways) {
                self.locations.entry(thread).and_modify(|locations| _ = locations.insert(location));
            }
            let read = conflict.conditions(ways).into_iter().flat_map(Term::vars);
            self.relevant.extend(read.map(|var| first.var(var)));
        }
        // Axioms speak of identities and counters.
        let templates = system.program.templates().iter();
        self.relevant.extend(templates.filter_map(|template| template.identities.first()));
        self.relevant.extend(system.program.counters().iter().map(|(_, var)| *var));
        loop {
            let before = self.relevant.len();
            for step in &steps {
                for (var, value) in &system.transition(*step).updates {
                    if self.relevant.contains(&first.var(*var)) {
                        self.relevant.extend(value.vars().into_iter().map(|var| first.var(var)));
                    }
                }
            }
            if self.relevant.len() == before {
                break;
            }
        }
        for counter in &system.counters {
            if self.relevant.contains(&counter.var) && self.setting.vocabulary.knows(system, counter) {
                self.relevant.extend(counter.shares.iter().map(|share| share.var));
                self.shares.extend(counter.shares.iter().map(|share| share.var));
            }
        }
        self.relevant.retain(|var| !matches!(system.program.var(*var).owner, Owner::Input(_)));
        let relevant = system.program.state_vars().map(|(var, _)| var);
        self.relevant = relevant.filter(|var| self.relevant.contains(&first.var(*var))).collect();
    }

    fn is_single(&self, thread: ThreadId) -> bool {
        self.setting.system.program.template_of(thread).is_none()
    }

    fn columns(&self, item: &Item) -> Vec<Column> {
        let system = self.setting.system;
        let view = self.setting.views.view(item.view);
        let own = &view.threads;
        // Of instances, only the view's own are known. An abstract transition says of single threads what other threads know of them.
        let visible = |var: &&VarId| match system.owner(**var) {
            None => true,
            Some(thread) if self.is_single(thread) => {
                let is_own = own.contains(&thread) && !item.is_transition();
                is_own || self.rung == Rung::Full || self.shares.contains(var)
            }
            Some(thread) => own.contains(&thread),
        };
        let seen: Vec<VarId> = self.relevant.iter().filter(visible).copied().collect();
        let mut columns: Vec<Column> = seen.iter().map(|var| Column::Var(*var)).collect();
        // Whose locations are explicit.
        let mut located = own.as_slice();
        if let Made::Transition { mover, .. } = &item.made {
            let foreign = seen.iter().filter(|var| system.owner(**var).is_none_or(|thread| !own.contains(&thread)));
            columns.extend(foreign.map(|var| Column::Primed(*var)));
            located = std::slice::from_ref(&view.movers[*mover].thread);
        }
        if self.rung >= Rung::Locations {
            for (thread, locations) in self.locations.iter().filter(|(thread, _)| !located.contains(thread)) {
                columns.extend(locations.iter().map(|location| Column::At(*thread, *location)));
            }
        }
        columns
    }

    fn sort(&self, column: Column) -> Sort {
        match column {
            Column::Var(var) | Column::Primed(var) => self.setting.system.sort(var),
            Column::At(..) => Sort::Bool,
        }
    }

    /// The variable that stands for a place inside a clause.
    fn term(&self, column: Column) -> Term {
        match column {
            Column::Var(var) => Term::var(var, self.sort(column)),
            Column::Primed(var) => Term::primed(var, self.sort(column)),
            Column::At(thread, location) => {
                let base = self.setting.system.program.var_count() + self.setting.system.threads().count();
                let before: usize = self.locations.range(..thread).map(|(_, l)| l.len()).sum();
                let within = self.locations.get(&thread).map_or(0, |l| l.range(..location).count());
                Term::var(VarId(program::number(base + before + within)), Sort::Bool)
            }
        }
    }

    fn atom(&self, item: usize, argument: &dyn Fn(Column) -> Term) -> Atom {
        Atom { relation: item, arguments: self.columns[item].iter().copied().map(argument).collect() }
    }

    fn clause(&self, index: usize) -> Clause {
        match &self.items[index].made {
            Made::Initial => self.initial(index),
            Made::Step { parent, step, .. } => self.own_step(index, *parent, *step),
            Made::Interference { parent, mover, sources, step } => {
                self.interference(index, *parent, *mover, sources, *step)
            }
            Made::Transition { mover, sources, step } => self.guarantee(index, *mover, sources, *step),
            Made::Rely { parent, transition, step } => self.rely(index, *parent, *transition, *step),
            Made::Symmetric { parent, symmetry } => self.exchange(index, *parent, *symmetry),
            Made::Encounter { parent, others, conflict, ways } => {
                self.encounter(index, *parent, others, (*conflict, ways))
            }
        }
    }

    /// init -> R_n.
    fn initial(&self, id: usize) -> Clause {
        let program = self.setting.system.program;
        let mut constraint = self.axioms(id, None);
        for column in self.columns[id].iter().copied() {
            if let Column::Var(var) = column
                && program.var(var).init == Init::Arbitrary
            {
                constraint.extend(self.setting.system.range(var));
            }
        }
        let starts = |var: VarId| match program.var(var).init {
            Init::Value(value) => value,
            Init::Arbitrary => self.term(Column::Var(var)),
        };
        let constraint = constraint.into_iter().map(|term| term.substitute(&|var, _| Some(starts(var)))).collect();
        let head = self.atom(id, &|column| match column {
            Column::Var(var) => starts(var),
            Column::At(thread, location) => Term::bool(program.thread(thread).entry == location),
            Column::Primed(_) => self.term(column),
        });
        Clause { body: Vec::new(), constraint, head: Some(head) }
    }

    /// R_p and rho_i -> R_n'.
    fn own_step(&self, id: usize, parent: usize, step: StepId) -> Clause {
        let body = vec![self.atom(parent, &|column| self.term(column))];
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(parent, None));
        let head = self.atom(id, &|column| self.after(column, step));
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p and all that is known of the mover and rho_m -> R_n'.
    fn interference(&self, id: usize, parent: usize, mover: usize, sources: &[usize], step: StepId) -> Clause {
        let what: &Mover = &self.setting.views.view(self.items[parent].view).movers[mover];
        let here = self.setting.system.transition(step).source;
        let mut body = vec![self.atom(parent, &|column| self.located(column, step.thread, here))];
        for (source, item) in what.sources.iter().zip(sources) {
            body.push(self.atom(*item, &|column| self.watched(renamed(source, column), parent)));
        }
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(parent, Some((what.thread, here))));
        let head = self.atom(id, &|column| self.after(column, step));
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p and all that is known of who else is in the conflict, and err -> the error.
    fn encounter(
        &self,
        id: usize,
        parent: usize,
        others: &[(usize, Vec<usize>)],
        (conflict, ways): (usize, &[usize]),
    ) -> Clause {
        let system = self.setting.system;
        let conflict = &system.program.conflicts()[conflict];
        let view = self.setting.views.view(self.items[parent].view);
        let places = conflict.places(ways);
        let strangers: Vec<(ThreadId, LocationId)> =
            places.into_iter().filter(|(thread, _)| !view.threads.contains(thread)).collect();
        let known = |column: Column| match column {
            Column::At(thread, location) => match strangers.iter().find(|(stranger, _)| *stranger == thread) {
                Some((_, here)) => Term::bool(location == *here),
                None => self.watched(column, parent),
            },
            _ => self.term(column),
        };
        let mut body = vec![self.atom(parent, &known)];
        for (mover, sources) in others {
            for (source, item) in view.movers[*mover].sources.iter().zip(sources) {
                body.push(self.atom(*item, &|column| known(renamed(source, column))));
            }
        }
        let mut constraint = conflict.conditions(ways);
        constraint.extend(self.axioms(parent, strangers.first().copied()));
        constraint.extend(system.program.identities_differ(&conflict.threads()));
        Clause { body, constraint, head: Some(self.atom(id, &known)) }
    }

    /// All that is known of the mover and rho_m -> E_e.
    fn guarantee(&self, id: usize, mover: usize, sources: &[usize], step: StepId) -> Clause {
        let view = self.setting.views.view(self.items[id].view);
        let what: &Mover = &view.movers[mover];
        let system = self.setting.system;
        let known = what.sources.iter().zip(sources);
        let body = known.map(|(source, item)| self.atom(*item, &|column| self.term(renamed(source, column)))).collect();
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(id, Some((what.thread, system.transition(step).source))));
        constraint.extend(system.program.identities_differ(&[view.threads.as_slice(), &[what.thread]].concat()));
        let head = self.atom(id, &|column| match column {
            Column::Primed(var) => self.after(Column::Var(var), step),
            _ => self.term(column),
        });
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p and E_e and V_W = V_W' -> R_n'.
    fn rely(&self, id: usize, parent: usize, effect: usize, step: StepId) -> Clause {
        let transition = self.setting.system.transition(step);
        let watcher = self.atom(parent, &|column| self.located(column, step.thread, transition.source));
        let told = self.atom(effect, &|column| self.watched(column, parent));
        let primed = &self.columns[effect];
        let head = self.atom(id, &|column| match column {
            Column::Var(var) if primed.contains(&Column::Primed(var)) => self.term(Column::Primed(var)),
            _ => self.located(column, step.thread, transition.target),
        });
        Clause { body: vec![watcher, told], constraint: self.axioms(parent, None), head: Some(head) }
    }

    /// R_p -> R_n with copies exchanged.
    fn exchange(&self, id: usize, parent: usize, symmetry: usize) -> Clause {
        let view = self.setting.views.view(self.items[parent].view);
        let renaming = &view.symmetries[symmetry].renaming;
        let body = vec![self.atom(parent, &|column| self.term(column))];
        let back = inverse(self.setting, &view.threads, renaming);
        let head = self.atom(id, &|column| match column {
            Column::Var(var) => self.term(Column::Var(back.var(var))),
            at => self.term(at),
        });
        Clause { body, constraint: Vec::new(), head: Some(head) }
    }

    /// What is known of an item's threads, and of one more, whatever the program.
    fn axioms(&self, id: usize, more: Option<(ThreadId, LocationId)>) -> Vec<Term> {
        let item = &self.items[id];
        let threads = self.setting.views.view(item.view).threads.iter();
        let placed = threads.zip(&item.place).filter_map(|(thread, location)| Some((*thread, (*location)?)));
        self.setting.system.program.axioms(&placed.chain(more).collect::<Vec<_>>())
    }

    /// The place's value where a thread is known to be at a location.
    fn located(&self, column: Column, thread: ThreadId, here: LocationId) -> Term {
        match column {
            Column::At(t, location) if t == thread => Term::bool(location == here),
            _ => self.term(column),
        }
    }

    /// The place's value where the threads of a state are known to be at its place.
    fn watched(&self, column: Column, state: usize) -> Term {
        let state = &self.items[state];
        let threads = &self.setting.views.view(state.view).threads;
        match column {
            Column::At(thread, location) => match threads.iter().position(|t| *t == thread) {
                Some(slot) => Term::bool(state.place[slot] == Some(location)),
                None => self.term(column),
            },
            _ => self.term(column),
        }
    }

    /// The place's value after a step.
    fn after(&self, column: Column, step: StepId) -> Term {
        match column {
            Column::Var(var) => self.setting.system.value_after(step, var).unwrap_or_else(|| self.term(column)),
            _ => self.located(column, step.thread, self.setting.system.transition(step).target),
        }
    }

    /// The step's guard, and the ranges of its inputs.
    fn constraint(&self, step: StepId) -> Vec<Term> {
        let mut constraint = self.setting.system.guard(step);
        let inputs = &self.setting.system.transition(step).inputs;
        constraint.extend(inputs.iter().filter_map(|input| self.setting.system.range(*input)));
        constraint
    }
}

/// A place of a view's relation where others stand in the place of its threads.
fn renamed(source: &Source, column: Column) -> Column {
    match column {
        Column::Var(var) => Column::Var(source.renaming.var(var)),
        other => other,
    }
}

/// Every copy's variables as those of the first.
fn first_copies(setting: Setting<'_, '_>) -> Renaming {
    let program = setting.system.program;
    let to_first = program.templates().iter().flat_map(|t| t.copies.iter().map(|copy| (*copy, t.copies[0])));
    program.renaming(&to_first.collect::<Vec<_>>(), &|thread| setting.system.location_var(thread))
}

fn inverse(setting: Setting<'_, '_>, threads: &[ThreadId], renaming: &Renaming) -> Renaming {
    let pairs: Vec<(ThreadId, ThreadId)> = threads.iter().map(|t| (renaming.thread(*t), *t)).collect();
    setting.system.program.renaming(&pairs, &|thread| setting.system.location_var(thread))
}
