//! A derivation as recursion-free Horn clauses, one unknown relation a state and an abstract transition [P]. A relation is over the globals and the own
//! variables of its view's copies; where it is known of other copies, these stand in its arguments.

use std::collections::{BTreeMap, BTreeSet};

use horn::{Atom, Clause, RecursionFree};
use program::{Init, LocationId, Owner, Renaming, Sort, Term, TermKind, ThreadId, VarId};

use super::effect::EffectId;
use super::reach::{Item, NodeId, Origin, Reach};
use super::views::{Mover, Source};
use super::vocabulary::is_told_of;
use crate::encode::Rung;
use crate::system::StepId;

/// A place of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Var(VarId),
    Primed(VarId),
    /// Whether a single thread is at a location.
    At(ThreadId, LocationId),
}

/// Clauses of a derivation, and what their relations stand for.
pub struct Encoding {
    /// The clauses.
    pub system: RecursionFree,
    /// The state or abstract transition of each relation.
    pub items: Vec<Item>,
    columns: Vec<Vec<Column>>,
}

impl Encoding {
    /// The clauses of a derivation, whose items come in order, the error last.
    pub fn new(reach: &Reach<'_, '_>, derivation: &[Item], rung: Rung) -> Encoding {
        let relation: BTreeMap<Item, usize> = derivation.iter().enumerate().map(|(k, id)| (*id, k)).collect();
        let mut encoder = Encoder { reach, rung, relation, locations: BTreeMap::new(), relevant: BTreeSet::new() };
        encoder.survey(derivation);
        let columns: Vec<Vec<Column>> = derivation.iter().map(|id| encoder.columns(*id)).collect();
        let sorts = |columns: &Vec<Column>| columns.iter().map(|c| encoder.sort(*c)).collect();
        let mut system = RecursionFree { relations: columns.iter().map(sorts).collect(), clauses: Vec::new() };
        system.clauses.extend(derivation.iter().map(|id| encoder.clause(*id)));
        if let Some(Item::State(error)) = derivation.last() {
            let body = vec![encoder.state(*error, &|column| encoder.term(column))];
            let constraint = encoder.axioms(*error, None);
            system.clauses.push(Clause { body, constraint, head: None });
        }
        Encoding { system, items: derivation.to_vec(), columns }
    }

    /// A formula over a relation's places as one over the program's variables and locations.
    pub fn read_back(&self, reach: &Reach<'_, '_>, relation: usize, formula: Term) -> Term {
        let columns = &self.columns[relation];
        formula.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, _) => columns.get(var.0 as usize).map(|column| match column {
                Column::Var(var) => Term::var(*var, reach.system.sort(*var)),
                Column::Primed(var) => Term::primed(*var, reach.system.sort(*var)),
                Column::At(thread, location) => reach.system.at(*thread, *location),
            }),
            _ => None,
        })
    }
}

struct Encoder<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    rung: Rung,
    relation: BTreeMap<Item, usize>,
    /// The locations of single threads that occur.
    locations: BTreeMap<ThreadId, BTreeSet<LocationId>>,
    /// The variables that guards depend on; of a template those of its first copy stand for all.
    relevant: BTreeSet<VarId>,
}

impl Encoder<'_, '_, '_> {
    fn survey(&mut self, derivation: &[Item]) {
        let system = self.reach.system;
        let steps: BTreeSet<StepId> = derivation.iter().filter_map(|item| step_of(self.reach, *item)).collect();
        for thread in self.singles() {
            self.locations.entry(thread).or_default().insert(system.program.thread(thread).entry);
        }
        let first = first_copies(self.reach);
        for step in &steps {
            let transition = system.transition(*step);
            if let Some(locations) = self.locations.get_mut(&step.thread) {
                locations.extend([transition.source, transition.target]);
            }
            self.relevant.extend(system.guard(*step).into_iter().flat_map(Term::vars).map(|var| first.var(var)));
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
        self.relevant.retain(|var| !matches!(system.program.var(*var).owner, Owner::Input(_)));
        let relevant = system.program.state_vars().map(|(var, _)| var);
        self.relevant = relevant.filter(|var| self.relevant.contains(&first.var(*var))).collect();
    }

    fn singles(&self) -> Vec<ThreadId> {
        self.reach.system.threads().filter(|t| self.reach.system.program.template_of(*t).is_none()).collect()
    }

    fn columns(&self, item: Item) -> Vec<Column> {
        let system = self.reach.system;
        let view = match item {
            Item::State(id) => self.reach.node(id).view,
            Item::Effect(id) => self.reach.effects.all[id.0].watcher,
        };
        let own = &self.reach.views.view(view).threads;
        let visible = |var: &&VarId| match system.owner(**var) {
            None => true,
            Some(thread) if own.contains(&thread) => true,
            Some(thread) => self.rung == Rung::Full && system.program.template_of(thread).is_none(),
        };
        let told = |var: &&VarId| matches!(item, Item::State(_)) || is_told_of(system, self.reach.views, view, **var);
        let seen: Vec<&VarId> = self.relevant.iter().filter(visible).filter(told).collect();
        let mut columns: Vec<Column> = seen.iter().map(|var| Column::Var(**var)).collect();
        if let Item::Effect(_) = item {
            let foreign = seen.iter().filter(|var| system.owner(***var).is_none_or(|t| !own.contains(&t)));
            columns.extend(foreign.map(|var| Column::Primed(**var)));
        }
        if self.rung >= Rung::Locations {
            for (thread, locations) in self.locations.iter().filter(|(thread, _)| !own.contains(thread)) {
                columns.extend(locations.iter().map(|location| Column::At(*thread, *location)));
            }
        }
        columns
    }

    fn sort(&self, column: Column) -> Sort {
        match column {
            Column::Var(var) | Column::Primed(var) => self.reach.system.sort(var),
            Column::At(..) => Sort::Bool,
        }
    }

    /// The variable that stands for a place inside a clause.
    fn term(&self, column: Column) -> Term {
        match column {
            Column::Var(var) => Term::var(var, self.sort(column)),
            Column::Primed(var) => Term::primed(var, self.sort(column)),
            Column::At(thread, location) => {
                let base = self.reach.system.program.var_count() + self.reach.system.threads().count();
                let before: usize = self.locations.range(..thread).map(|(_, l)| l.len()).sum();
                let within = self.locations.get(&thread).map_or(0, |l| l.range(..location).count());
                Term::var(VarId(program::number(base + before + within)), Sort::Bool)
            }
        }
    }

    fn atom(&self, item: Item, argument: &dyn Fn(Column) -> Term) -> Atom {
        Atom { relation: self.relation[&item], arguments: self.columns(item).into_iter().map(argument).collect() }
    }
    fn state(&self, id: NodeId, argument: &dyn Fn(Column) -> Term) -> Atom {
        self.atom(Item::State(id), argument)
    }

    fn clause(&self, item: Item) -> Clause {
        let id = match item {
            Item::State(id) => id,
            Item::Effect(id) => return self.guarantee(id),
        };
        match &self.reach.node(id).origin {
            Origin::Initial => self.initial(id),
            Origin::Step { parent, step, .. } => self.own_step(id, *parent, *step),
            Origin::Environment { parent, mover, sources, step } => {
                self.interference(id, *parent, *mover, sources, *step)
            }
            Origin::Rely { parent, effect } => self.rely(id, *parent, *effect),
            Origin::Symmetric { parent, symmetry } => self.exchange(id, *parent, *symmetry),
        }
    }

    /// init -> R_n.
    fn initial(&self, id: NodeId) -> Clause {
        let program = self.reach.system.program;
        let mut constraint = self.axioms(id, None);
        for column in self.columns(Item::State(id)) {
            if let Column::Var(var) = column
                && program.var(var).init == Init::Arbitrary
            {
                constraint.extend(self.reach.system.range(var));
            }
        }
        let starts = |var: VarId| match program.var(var).init {
            Init::Value(value) => value,
            Init::Arbitrary => self.term(Column::Var(var)),
        };
        let constraint = constraint.into_iter().map(|term| term.substitute(&|var, _| Some(starts(var)))).collect();
        let head = self.state(id, &|column| match column {
            Column::Var(var) => starts(var),
            Column::At(thread, location) => Term::bool(program.thread(thread).entry == location),
            Column::Primed(_) => self.term(column),
        });
        Clause { body: Vec::new(), constraint, head: Some(head) }
    }

    /// R_p and rho_i -> R_n'.
    fn own_step(&self, id: NodeId, parent: NodeId, step: StepId) -> Clause {
        let body = vec![self.state(parent, &|column| self.term(column))];
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(parent, None));
        let head = self.state(id, &|column| self.after(column, step));
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p and all that is known of the mover and rho_m -> R_n'.
    fn interference(&self, id: NodeId, parent: NodeId, mover: usize, sources: &[NodeId], step: StepId) -> Clause {
        let watcher = self.reach.node(parent);
        let what: &Mover = &self.reach.views.view(watcher.view).movers[mover];
        let here = self.reach.system.transition(step).source;
        let mut body = vec![self.state(parent, &|column| self.located(column, step.thread, here))];
        for (source, node) in what.sources.iter().zip(sources) {
            body.push(self.state(*node, &|column| self.watched(renamed(source, column), parent)));
        }
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(parent, Some((what.thread, here))));
        let head = self.state(id, &|column| self.after(column, step));
        Clause { body, constraint, head: Some(head) }
    }

    /// All that is known of the mover and rho_m -> E_e.
    fn guarantee(&self, id: EffectId) -> Clause {
        let effect = &self.reach.effects.all[id.0];
        let view = self.reach.views.view(effect.watcher);
        let what: &Mover = &view.movers[effect.mover];
        let here = self.reach.system.transition(effect.step).source;
        let program = self.reach.system.program;
        let known = what.sources.iter().zip(&effect.sources);
        let body =
            known.map(|(source, node)| self.state(*node, &|column| self.term(renamed(source, column)))).collect();
        let mut placed = vec![(what.thread, here)];
        placed.extend(view.threads.iter().zip(&effect.place).filter_map(|(thread, l)| Some((*thread, (*l)?))));
        let mut constraint = self.constraint(effect.step);
        constraint.extend(program.axioms(&placed));
        constraint.extend(program.identities_differ(&[view.threads.as_slice(), &[what.thread]].concat()));
        let head = self.atom(Item::Effect(id), &|column| match column {
            Column::Primed(var) => self.after(Column::Var(var), effect.step),
            _ => self.term(column),
        });
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p and E_e and V_W = V_W' -> R_n'.
    fn rely(&self, id: NodeId, parent: NodeId, effect_id: EffectId) -> Clause {
        let effect = &self.reach.effects.all[effect_id.0];
        let transition = self.reach.system.transition(effect.step);
        let watcher = self.state(parent, &|column| self.located(column, effect.step.thread, transition.source));
        let told = self.atom(Item::Effect(effect_id), &|column| self.watched(column, parent));
        let primed = self.columns(Item::Effect(effect_id));
        let head = self.state(id, &|column| match column {
            Column::Var(var) if primed.contains(&Column::Primed(var)) => self.term(Column::Primed(var)),
            _ => self.located(column, effect.step.thread, transition.target),
        });
        Clause { body: vec![watcher, told], constraint: self.axioms(parent, None), head: Some(head) }
    }

    /// R_p -> R_n with copies exchanged.
    fn exchange(&self, id: NodeId, parent: NodeId, symmetry: usize) -> Clause {
        let view = self.reach.views.view(self.reach.node(parent).view);
        let renaming = &view.symmetries[symmetry].renaming;
        let body = vec![self.state(parent, &|column| self.term(column))];
        let back = inverse(self.reach, &view.threads, renaming);
        let head = self.state(id, &|column| match column {
            Column::Var(var) => self.term(Column::Var(back.var(var))),
            at => self.term(at),
        });
        Clause { body, constraint: Vec::new(), head: Some(head) }
    }

    /// What is known of a state's threads, and of one more, whatever the program.
    fn axioms(&self, id: NodeId, more: Option<(ThreadId, LocationId)>) -> Vec<Term> {
        let state = self.reach.node(id);
        let threads = self.reach.views.view(state.view).threads.iter().copied();
        let placed: Vec<(ThreadId, LocationId)> = threads.zip(state.place.iter().copied()).chain(more).collect();
        self.reach.system.program.axioms(&placed)
    }

    /// The place's value where a thread is known to be at a location.
    fn located(&self, column: Column, thread: ThreadId, here: LocationId) -> Term {
        match column {
            Column::At(t, location) if t == thread => Term::bool(location == here),
            _ => self.term(column),
        }
    }

    /// The place's value where the threads of a state are known to be at its place.
    fn watched(&self, column: Column, state: NodeId) -> Term {
        let state = self.reach.node(state);
        let threads = &self.reach.views.view(state.view).threads;
        match column {
            Column::At(thread, location) => match threads.iter().position(|t| *t == thread) {
                Some(slot) => Term::bool(state.place[slot] == location),
                None => self.term(column),
            },
            _ => self.term(column),
        }
    }

    /// The place's value after a step.
    fn after(&self, column: Column, step: StepId) -> Term {
        match column {
            Column::Var(var) => self.reach.system.value_after(step, var).unwrap_or_else(|| self.term(column)),
            _ => self.located(column, step.thread, self.reach.system.transition(step).target),
        }
    }

    /// The step's guard, and the ranges of its inputs.
    fn constraint(&self, step: StepId) -> Vec<Term> {
        let mut constraint = self.reach.system.guard(step);
        let inputs = &self.reach.system.transition(step).inputs;
        constraint.extend(inputs.iter().filter_map(|input| self.reach.system.range(*input)));
        constraint
    }
}

/// The step of an item.
pub fn step_of(reach: &Reach<'_, '_>, item: Item) -> Option<StepId> {
    match item {
        Item::Effect(id) => Some(reach.effects.all[id.0].step),
        Item::State(id) => match reach.node(id).origin {
            Origin::Step { step, .. } | Origin::Environment { step, .. } => Some(step),
            _ => None,
        },
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
fn first_copies(reach: &Reach<'_, '_>) -> Renaming {
    let program = reach.system.program;
    let to_first = program.templates().iter().flat_map(|t| t.copies.iter().map(|copy| (*copy, t.copies[0])));
    program.renaming(&to_first.collect::<Vec<_>>(), &|thread| reach.system.location_var(thread))
}

fn inverse(reach: &Reach<'_, '_>, threads: &[ThreadId], renaming: &Renaming) -> Renaming {
    let pairs: Vec<(ThreadId, ThreadId)> = threads.iter().map(|t| (renaming.thread(*t), *t)).collect();
    reach.system.program.renaming(&pairs, &|thread| reach.system.location_var(thread))
}
