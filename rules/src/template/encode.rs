//! A derivation as recursion-free Horn clauses, one unknown relation a state [P]. A relation is over the globals and the own
//! variables of its view's copies; where it is known of other copies, these stand in its arguments.

use std::collections::{BTreeMap, BTreeSet};

use horn::{Atom, Clause, RecursionFree};
use program::{Init, LocationId, Owner, Renaming, Sort, Term, TermKind, ThreadId, VarId};

use super::reach::{NodeId, Origin, Reach};
use super::views::Mover;
use crate::encode::Rung;
use crate::system::StepId;

/// A place of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Var(VarId),
    /// Whether a single thread is at a location.
    At(ThreadId, LocationId),
}

/// Clauses of a derivation, and what their relations stand for.
pub struct Encoding {
    /// The clauses.
    pub system: RecursionFree,
    /// The state of each relation.
    pub nodes: Vec<NodeId>,
    columns: Vec<Vec<Column>>,
}

impl Encoding {
    /// The clauses of a derivation, whose states come in order, the error last.
    pub fn new(reach: &Reach<'_, '_>, derivation: &[NodeId], rung: Rung) -> Encoding {
        let relation: BTreeMap<NodeId, usize> = derivation.iter().enumerate().map(|(k, id)| (*id, k)).collect();
        let mut encoder = Encoder { reach, rung, relation, locations: BTreeMap::new(), relevant: BTreeSet::new() };
        encoder.survey(derivation);
        let columns: Vec<Vec<Column>> = derivation.iter().map(|id| encoder.columns(*id)).collect();
        let sorts = |columns: &Vec<Column>| columns.iter().map(|c| encoder.sort(*c)).collect();
        let mut system = RecursionFree { relations: columns.iter().map(sorts).collect(), clauses: Vec::new() };
        system.clauses.extend(derivation.iter().map(|id| encoder.clause(*id)));
        if let Some(error) = derivation.last() {
            let body = vec![encoder.atom(*error, &|column| encoder.term(column))];
            let constraint = encoder.axioms(*error, None);
            system.clauses.push(Clause { body, constraint, head: None });
        }
        Encoding { system, nodes: derivation.to_vec(), columns }
    }

    /// A formula over a relation's places as one over the program's variables and locations.
    pub fn read_back(&self, reach: &Reach<'_, '_>, relation: usize, formula: Term) -> Term {
        let columns = &self.columns[relation];
        formula.rewrite(&|leaf| match leaf.kind() {
            TermKind::Var(var, _) => columns.get(var.0 as usize).map(|column| match column {
                Column::Var(var) => Term::var(*var, reach.system.sort(*var)),
                Column::At(thread, location) => reach.system.at(*thread, *location),
            }),
            _ => None,
        })
    }
}

struct Encoder<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    rung: Rung,
    relation: BTreeMap<NodeId, usize>,
    /// The locations of single threads that occur.
    locations: BTreeMap<ThreadId, BTreeSet<LocationId>>,
    /// The variables that guards depend on; of a template those of its first copy stand for all.
    relevant: BTreeSet<VarId>,
}

impl Encoder<'_, '_, '_> {
    fn survey(&mut self, derivation: &[NodeId]) {
        let system = self.reach.system;
        let mut steps: BTreeSet<StepId> = BTreeSet::new();
        for id in derivation {
            if let Origin::Step { step, .. } | Origin::Environment { step, .. } = self.reach.node(*id).origin {
                steps.insert(step);
            }
        }
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

    fn columns(&self, id: NodeId) -> Vec<Column> {
        let system = self.reach.system;
        let own = &self.reach.views.view(self.reach.node(id).view).threads;
        let visible = |var: &&VarId| match system.owner(**var) {
            None => true,
            Some(thread) if own.contains(&thread) => true,
            Some(thread) => self.rung == Rung::Full && system.program.template_of(thread).is_none(),
        };
        let mut columns: Vec<Column> = self.relevant.iter().filter(visible).map(|var| Column::Var(*var)).collect();
        if self.rung >= Rung::Locations {
            for (thread, locations) in self.locations.iter().filter(|(thread, _)| !own.contains(thread)) {
                columns.extend(locations.iter().map(|location| Column::At(*thread, *location)));
            }
        }
        columns
    }

    fn sort(&self, column: Column) -> Sort {
        match column {
            Column::Var(var) => self.reach.system.sort(var),
            Column::At(..) => Sort::Bool,
        }
    }

    /// The variable that stands for a place inside a clause.
    fn term(&self, column: Column) -> Term {
        match column {
            Column::Var(var) => Term::var(var, self.sort(column)),
            Column::At(thread, location) => {
                let base = self.reach.system.program.vars().count() + self.reach.system.threads().count();
                let before: usize = self.locations.range(..thread).map(|(_, l)| l.len()).sum();
                let within = self.locations.get(&thread).map_or(0, |l| l.range(..location).count());
                Term::var(VarId(u32::try_from(base + before + within).unwrap_or(u32::MAX)), Sort::Bool)
            }
        }
    }

    fn atom(&self, id: NodeId, argument: &dyn Fn(Column) -> Term) -> Atom {
        Atom { relation: self.relation[&id], arguments: self.columns(id).into_iter().map(argument).collect() }
    }

    fn clause(&self, id: NodeId) -> Clause {
        match &self.reach.node(id).origin {
            Origin::Initial => self.initial(id),
            Origin::Step { parent, step, .. } => self.own_step(id, *parent, *step),
            Origin::Environment { parent, mover, sources, step } => {
                self.interference(id, *parent, *mover, sources, *step)
            }
            Origin::Symmetric { parent, symmetry } => self.exchange(id, *parent, *symmetry),
        }
    }

    /// init -> R_n.
    fn initial(&self, id: NodeId) -> Clause {
        let program = self.reach.system.program;
        let mut constraint = self.axioms(id, None);
        for column in self.columns(id) {
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
        let head = self.atom(id, &|column| match column {
            Column::Var(var) => starts(var),
            Column::At(thread, location) => Term::bool(program.thread(thread).entry == location),
        });
        Clause { body: Vec::new(), constraint, head: Some(head) }
    }

    /// R_p and rho_i -> R_n'.
    fn own_step(&self, id: NodeId, parent: NodeId, step: StepId) -> Clause {
        let body = vec![self.atom(parent, &|column| self.term(column))];
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(parent, None));
        let head = self.atom(id, &|column| self.after(column, step));
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p and all that is known of the mover and rho_m -> R_n'.
    fn interference(&self, id: NodeId, parent: NodeId, mover: usize, sources: &[NodeId], step: StepId) -> Clause {
        let watcher = self.reach.node(parent);
        let what: &Mover = &self.reach.views.view(watcher.view).movers[mover];
        let here = self.reach.system.transition(step).source;
        let mut body = vec![self.atom(parent, &|column| self.located(column, step.thread, here))];
        for (source, node) in what.sources.iter().zip(sources) {
            body.push(self.atom(*node, &|column| {
                let column = match column {
                    Column::Var(var) => Column::Var(source.renaming.var(var)),
                    at => at,
                };
                self.watched(column, parent)
            }));
        }
        let mut constraint = self.constraint(step);
        constraint.extend(self.axioms(parent, Some((what.thread, here))));
        let head = self.atom(id, &|column| self.after(column, step));
        Clause { body, constraint, head: Some(head) }
    }

    /// R_p -> R_n with copies exchanged.
    fn exchange(&self, id: NodeId, parent: NodeId, symmetry: usize) -> Clause {
        let view = self.reach.views.view(self.reach.node(parent).view);
        let renaming = &view.symmetries[symmetry].renaming;
        let body = vec![self.atom(parent, &|column| self.term(column))];
        let back = inverse(self.reach, &view.threads, renaming);
        let head = self.atom(id, &|column| match column {
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
            Column::Var(_) => self.term(column),
        }
    }

    /// The place's value after a step.
    fn after(&self, column: Column, step: StepId) -> Term {
        match column {
            Column::Var(var) => self.reach.system.value_after(step, var).unwrap_or_else(|| self.term(column)),
            Column::At(..) => self.located(column, step.thread, self.reach.system.transition(step).target),
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
