//! A derivation as recursion-free Horn clauses [P]: one unknown relation a state and, under rely-guarantee, one an environment
//! transition; one clause a recorded step, with the exact rho_j; the error is the query.

use std::collections::{BTreeMap, BTreeSet};

use horn::{Atom, Clause, RecursionFree};
use program::{Init, LocationId, Owner, Sort, Term, TermKind, ThreadId, VarId};

use crate::derivation::{Derivation, Item};
use crate::effect::{Effect, EffectId};
use crate::reach::{NodeId, Origin, Reach};
use crate::system::StepId;

/// What the unknowns may speak of: the rungs of the ladder of design section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// R_n over G and V_i, E_e over G and G'.
    Modular,
    /// With the other threads' locations.
    Locations,
    /// All of V.
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

/// Clauses of a derivation, and what their relations stand for.
pub struct Encoding {
    /// The clauses.
    pub system: RecursionFree,
    /// The item of each relation.
    pub items: Vec<Item>,
    /// The variables that guards depend on.
    pub relevant: BTreeSet<VarId>,
    columns: Vec<Vec<Column>>,
}

/// How environment steps are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// R_i and R_j and rho_j -> R_i' [T, Eq. 2].
    Direct,
    /// R_j and rho_j -> E_i and R_i and E_i -> R_i' [T, Eq. 3].
    Transitions,
}

impl Encoding {
    /// The clauses of a derivation.
    pub fn new(reach: &Reach<'_, '_>, derivation: &Derivation, rung: Rung, environment: Environment) -> Encoding {
        let wanted = |item: &&Item| environment == Environment::Transitions || matches!(item, Item::State(_));
        let items: Vec<Item> = derivation.items.iter().filter(wanted).copied().collect();
        let relation: BTreeMap<Item, usize> = items.iter().enumerate().map(|(k, item)| (*item, k)).collect();
        let mut encoder = Encoder {
            reach,
            rung,
            relation,
            locations: BTreeMap::new(),
            relevant: BTreeSet::new(),
            shares: BTreeSet::new(),
        };
        encoder.survey(derivation);
        let columns: Vec<Vec<Column>> = items.iter().map(|item| encoder.columns(*item)).collect();
        let sorts = |columns: &Vec<Column>| columns.iter().map(|c| encoder.sort(*c)).collect();
        let mut system = RecursionFree { relations: columns.iter().map(sorts).collect(), clauses: Vec::new() };
        for item in &items {
            system.clauses.push(encoder.clause(*item));
        }
        if let Some(Item::State(error)) = items.last() {
            let body = vec![encoder.state(*error, &|column| encoder.term(column))];
            system.clauses.push(Clause { body, constraint: Vec::new(), head: None });
        }
        let relevant = std::mem::take(&mut encoder.relevant);
        Encoding { system, items, relevant, columns }
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
    /// The locations that occur, by thread.
    locations: BTreeMap<ThreadId, BTreeSet<LocationId>>,
    /// The variables that guards depend on.
    relevant: BTreeSet<VarId>,
    /// Those that say what a thread has added to a counter.
    shares: BTreeSet<VarId>,
}

impl Encoder<'_, '_, '_> {
    /// Finds the locations that occur and the variables that matter: those that guards read, and those that their values come from.
    fn survey(&mut self, derivation: &Derivation) {
        let mut steps: BTreeSet<StepId> = BTreeSet::new();
        for item in &derivation.items {
            match item {
                Item::State(id) => {
                    if let Origin::Step { step, .. } = self.reach.node(*id).origin {
                        steps.insert(step);
                    }
                }
                Item::Effect(id) => {
                    steps.insert(self.reach.graph.effects[id.0].step);
                }
            }
        }
        for thread in self.reach.system.threads() {
            self.locations.entry(thread).or_default().insert(self.reach.system.program.thread(thread).entry);
        }
        for step in &steps {
            let transition = self.reach.system.transition(*step);
            self.locations.entry(step.thread).or_default().extend([transition.source, transition.target]);
            self.relevant.extend(self.reach.system.guard(*step).into_iter().flat_map(Term::vars));
        }
        loop {
            let before = self.relevant.len();
            for step in &steps {
                for (var, value) in &self.reach.system.transition(*step).updates {
                    if self.relevant.contains(var) {
                        self.relevant.extend(value.vars());
                    }
                }
            }
            if self.relevant.len() == before {
                break;
            }
        }
        for counter in &self.reach.system.counters {
            if self.relevant.contains(&counter.var) && self.reach.graph.vocabularies.knows(self.reach.system, counter) {
                self.relevant.extend(counter.shares.iter().map(|share| share.var));
                self.shares.extend(counter.shares.iter().map(|share| share.var));
            }
        }
        self.relevant.retain(|var| !matches!(self.reach.system.program.var(*var).owner, Owner::Input(_)));
    }

    fn columns(&self, item: Item) -> Vec<Column> {
        let own: &[ThreadId] = match item {
            Item::State(id) => &self.reach.graph.components[self.reach.node(id).component.0],
            // The mover's location is explicit in an environment transition.
            Item::Effect(id) => std::slice::from_ref(&self.reach.graph.effects[id.0].step.thread),
        };
        let owner = |var: &VarId| self.reach.system.owner(*var);
        let visible = |var: &&VarId| {
            self.rung == Rung::Full
                || self.shares.contains(var)
                || owner(var).is_none_or(|t| own.contains(&t) && matches!(item, Item::State(_)))
        };
        let mut columns: Vec<Column> = self.relevant.iter().filter(visible).map(|var| Column::Var(*var)).collect();
        if let Item::Effect(id) = item {
            let watcher = &self.reach.graph.components[self.reach.graph.effects[id.0].watcher.0];
            let changed = |var: &&VarId| visible(var) && owner(var).is_none_or(|t| !watcher.contains(&t));
            columns.extend(self.relevant.iter().filter(changed).map(|var| Column::Primed(*var)));
        }
        if self.rung >= Rung::Locations {
            for (thread, locations) in &self.locations {
                if !own.contains(thread) {
                    columns.extend(locations.iter().map(|location| Column::At(*thread, *location)));
                }
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
        match item {
            Item::State(id) => match self.reach.node(id).origin {
                Origin::Initial => self.initial(id),
                Origin::Step { parent, step } => self.own_step(id, parent, step),
                Origin::Environment { parent, effect } => {
                    if self.relation.contains_key(&Item::Effect(effect)) {
                        self.rely(id, parent, effect)
                    } else {
                        self.interference(id, parent, &self.reach.graph.effects[effect.0])
                    }
                }
            },
            Item::Effect(id) => self.guarantee(id),
        }
    }

    /// init -> R_n.
    fn initial(&self, id: NodeId) -> Clause {
        let program = self.reach.system.program;
        let mut constraint = Vec::new();
        for column in self.columns(Item::State(id)) {
            if let Column::Var(var) = column
                && program.var(var).init == Init::Arbitrary
            {
                constraint.extend(self.reach.system.range(var));
            }
        }
        let head = self.state(id, &|column| match column {
            Column::Var(var) => match program.var(var).init {
                Init::Value(value) => value,
                Init::Arbitrary => self.term(column),
            },
            Column::At(thread, location) => Term::bool(program.thread(thread).entry == location),
            Column::Primed(_) => self.term(column),
        });
        Clause { body: Vec::new(), constraint, head: Some(head) }
    }

    /// R_p and rho_i -> R_n'.
    fn own_step(&self, id: NodeId, parent: NodeId, step: StepId) -> Clause {
        let body = vec![self.state(parent, &|column| self.term(column))];
        let head = self.state(id, &|column| self.after(column, step));
        Clause { body, constraint: self.constraint(step), head: Some(head) }
    }

    /// R_p and R_t and rho_j -> R_n'.
    fn interference(&self, id: NodeId, parent: NodeId, effect: &Effect) -> Clause {
        let step = effect.step;
        let source = self.reach.system.transition(step).source;
        let watcher = self.state(parent, &|column| self.located(column, step.thread, source));
        let mover = self.state(effect.source, &|column| self.watched(column, parent));
        let head = self.state(id, &|column| self.after(column, step));
        Clause { body: vec![watcher, mover], constraint: self.constraint(step), head: Some(head) }
    }

    /// R_t and rho_j -> E_e.
    fn guarantee(&self, id: EffectId) -> Clause {
        let effect = &self.reach.graph.effects[id.0];
        let body = vec![self.state(effect.source, &|column| self.term(column))];
        let head = self.atom(Item::Effect(id), &|column| match column {
            Column::Primed(var) => self.after(Column::Var(var), effect.step),
            _ => self.term(column),
        });
        Clause { body, constraint: self.constraint(effect.step), head: Some(head) }
    }

    /// R_p and E_e and V_i = V_i' -> R_n'.
    fn rely(&self, id: NodeId, parent: NodeId, effect_id: EffectId) -> Clause {
        let effect = &self.reach.graph.effects[effect_id.0];
        let transition = self.reach.system.transition(effect.step);
        let watcher = self.state(parent, &|column| self.located(column, effect.step.thread, transition.source));
        let environment = self.atom(Item::Effect(effect_id), &|column| self.watched(column, parent));
        let primed = self.columns(Item::Effect(effect_id));
        let head = self.state(id, &|column| match column {
            Column::Var(var) if primed.contains(&Column::Primed(var)) => self.term(Column::Primed(var)),
            _ => self.located(column, effect.step.thread, transition.target),
        });
        Clause { body: vec![watcher, environment], constraint: Vec::new(), head: Some(head) }
    }

    /// The place's value where one thread is known to be at a location.
    fn located(&self, column: Column, thread: ThreadId, here: LocationId) -> Term {
        match column {
            Column::At(t, location) if t == thread => Term::bool(location == here),
            _ => self.term(column),
        }
    }

    /// The place's value where the threads of a state are known to be at its place.
    fn watched(&self, column: Column, state: NodeId) -> Term {
        let state = self.reach.node(state);
        let threads = &self.reach.graph.components[state.component.0];
        match column {
            Column::At(thread, location) => match threads.iter().position(|t| *t == thread) {
                Some(position) => Term::bool(state.place[position] == location),
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
