//! Ghost variables: what invariants say of locks, of threads that have started, of counts, and of other threads' positions.
//!
//! A lock is known as taken or free, a thread as created or not. What is counted (readers of a lock, a semaphore, instances at
//! certain locations) is known exactly, if each change goes with a statement. A position is known as the last statement that the thread has
//! carried out in one step: ghosts change with statements, and a Program's locations are finer. So what a ghost says is weaker
//! than what the invariant says of the location, which keeps it true.

use std::collections::{BTreeMap, BTreeSet};

use check::location_var;
use program::{
    Bookkeeping, FIRST_IDENTITY, Init, LocationId, Owner, Program, Sort, Term, TermKind, ThreadId, Transition, Value,
    VarId, VarKind,
};

use super::cases::{Quantity, Range};
use super::expression::Ghost;
use super::passages::Passages;
use super::places::{Places, StatementId};
use super::{GhostUpdate, GhostVariable, Place};

/// A ghost for one variable of the Program, or for one thread's location.
struct Known {
    name: String,
    /// Its value after each statement that changes it.
    updates: BTreeMap<StatementId, i128>,
    /// What the variable may be, and what the ghost may be then.
    values: Vec<(i128, BTreeSet<i128>)>,
}

/// All ghosts that a program can have.
pub struct Ghosts {
    known: BTreeMap<VarId, Known>,
    exact: BTreeMap<VarId, Exact>,
}

/// A ghost that has the very value of a variable of the Program.
struct Exact {
    name: String,
    initial: i128,
    changes: BTreeMap<StatementId, Change>,
}

/// What a statement does to a count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Set(i128),
    Add(i128),
}

impl Ghosts {
    /// Finds the ghosts of a program.
    /// `places` are those of the proof.
    pub fn new(places: &Places<'_>, passages: &Passages<'_>) -> Ghosts {
        let statements = places.statements().map(|(id, _)| id);
        let steps: BTreeSet<StatementId> =
            statements.filter(|s| passages.is_one_access(*s) && places.is_one_step(*s)).collect();
        let program = places.program();
        let mut known = BTreeMap::new();
        let mut exact = BTreeMap::new();
        for (id, var) in program.state_vars() {
            let is_start = var.kind == VarKind::Control(Bookkeeping::Started);
            let zero = matches!(var.init, Init::Value(value) if value.as_int() == Some(0));
            let flag = zero && (var.kind == VarKind::Lock || is_start);
            if let Some(updates) = flag.then(|| constant_updates(places, &steps, id)).flatten() {
                let most = if is_start { 1 } else { i128::try_from(program.threads().count()).unwrap_or(0) + 1 };
                let instances = (FIRST_IDENTITY..FIRST_IDENTITY + 2).filter(|_| !is_start);
                let values = (0..=most).chain(instances).map(|v| (v, BTreeSet::from([v.min(1)]))).collect();
                let suffix = if is_start { "" } else { "_locked" };
                known.insert(id, Known { name: format!("{}{suffix}", identifier(&var.name)), updates, values });
            } else if let Some(count) = count(places, &steps, id) {
                exact.insert(id, count);
            }
        }
        for (thread, _) in program.threads() {
            if let Some(position) = position(places, &steps, thread) {
                known.insert(location_var(program, thread), position);
            }
        }
        let mut ghosts = Ghosts { known, exact };
        ghosts.drop_ambiguous(places.text());
        ghosts
    }

    /// Two ghosts of one name, or one whose name the program has, would be taken for one another.
    fn drop_ambiguous(&mut self, text: &str) {
        let names = || self.known.values().map(|k| &k.name).chain(self.exact.values().map(|e| &e.name));
        let doubtful = |name: &String| text.contains(name.as_str()) || names().filter(|n| *n == name).count() > 1;
        let dropped: BTreeSet<String> = names().filter(|name| doubtful(name)).cloned().collect();
        self.known.retain(|_, known| !dropped.contains(&known.name));
        self.exact.retain(|_, exact| !dropped.contains(&exact.name));
    }

    /// Whether a ghost has the variable's very value.
    pub fn is_exact(&self, var: VarId) -> bool {
        self.exact.contains_key(&var)
    }

    /// The name of the ghost that has the variable's very value.
    pub fn exact(&self, var: VarId) -> Option<&str> {
        self.exact.get(&var).map(|found| found.name.as_str())
    }

    /// What conditions on one variable say in terms of its ghost.
    pub fn says(&self, program: &Program, var: VarId, conditions: &[Term]) -> Ghost {
        let is_location = var.0 as usize >= program.var_count();
        let hidden = is_location || matches!(program.var(var).kind, VarKind::Lock | VarKind::Control(_));
        let Some(known) = self.known.get(&var) else {
            return if hidden && !self.exact.contains_key(&var) { Ghost::Says(None) } else { Ghost::None };
        };
        let holds = |value: i128| {
            let at = |_: VarId| Some(Value::Int(value));
            conditions.iter().all(|condition| condition.eval_bool(&at) != Ok(false))
        };
        let mut possible: BTreeSet<i128> = known
            .values
            .iter()
            .filter(|(value, _)| holds(*value))
            .flat_map(|(_, ghost)| ghost.iter().copied())
            .collect();
        // Of a lock's owners those that the conditions single out count as well, whoever they are.
        if !is_location && bounds(conditions).into_iter().any(|value| value > 0 && holds(value)) {
            possible.insert(1);
        }
        let all: BTreeSet<i128> = known.values.iter().flat_map(|(_, ghost)| ghost.iter().copied()).collect();
        if possible == all {
            return Ghost::Says(None);
        }
        let quantity = Quantity { text: known.name.clone(), domain: Some(Range::of(all)) };
        Ghost::Says(Some((quantity, Range::of(possible))))
    }

    /// Declarations and updates of the ghosts that are used.
    pub fn instrumentation(
        &self,
        used: &dyn Fn(&str) -> bool,
        place: &dyn Fn(StatementId) -> Place,
    ) -> (Vec<GhostVariable>, Vec<GhostUpdate>) {
        let mut variables = Vec::new();
        let mut updates = Vec::new();
        for known in self.known.values().filter(|known| used(&known.name)) {
            variables.push(GhostVariable { name: known.name.clone(), ty: "int".into(), initial: "0".into() });
            for (statement, value) in &known.updates {
                updates.push(GhostUpdate {
                    place: place(*statement),
                    variable: known.name.clone(),
                    value: value.to_string(),
                });
            }
        }
        for exact in self.exact.values().filter(|exact| used(&exact.name)) {
            let (name, initial) = (exact.name.clone(), exact.initial.to_string());
            variables.push(GhostVariable { name, ty: "int".into(), initial });
            for (statement, change) in &exact.changes {
                let value = match change {
                    Change::Set(value) => value.to_string(),
                    Change::Add(value) if *value < 0 => format!("{} - {}", exact.name, value.unsigned_abs()),
                    Change::Add(value) => format!("{} + {value}", exact.name),
                };
                updates.push(GhostUpdate { place: place(*statement), variable: exact.name.clone(), value });
            }
        }
        updates.sort_by(|a, b| a.place.cmp(&b.place));
        (variables, updates)
    }
}

/// The constants that conditions compare with, and their neighbours.
fn bounds(conditions: &[Term]) -> BTreeSet<i128> {
    let mut all = BTreeSet::new();
    for condition in conditions {
        condition.visit(&mut |term| {
            if let TermKind::Le(_, bound) | TermKind::Eq(_, bound) = term.kind() {
                all.extend([bound.abs() - 1, bound.abs(), bound.abs() + 1]);
            }
        });
    }
    all
}

fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("threader_{}", plain.trim_matches('_'))
}

/// Zero or one after each statement that changes the variable; nothing if a change is not one step of a statement, or if the
/// same statement changes it differently, or not always.
fn constant_updates(
    places: &Places<'_>,
    steps: &BTreeSet<StatementId>,
    var: VarId,
) -> Option<BTreeMap<StatementId, i128>> {
    let mut updates = BTreeMap::new();
    for (thread, k, step) in places.steps() {
        let Some(value) = step.update(var) else { continue };
        let statement = places.carried_out(thread, k).filter(|s| steps.contains(s))?;
        let is_identity = |var: VarId| places.program().templates().iter().any(|t| t.identities.contains(&var));
        let value = value.as_int().or_else(|| value.as_var().filter(|v| is_identity(*v)).map(|_| 1))?.min(1);
        if *updates.entry(statement).or_insert(value) != value {
            return None;
        }
    }
    always(places, var, |statement| updates.contains_key(&statement)).then_some(updates)
}

/// Whether all who carry out one of these statements change the variable.
fn always(places: &Places<'_>, var: VarId, among: impl Fn(StatementId) -> bool) -> bool {
    let unchanged = |(thread, k, step): (ThreadId, usize, &Transition)| {
        places.carried_out(thread, k).is_some_and(&among) && step.update(var).is_none()
    };
    !places.steps().any(unchanged)
}

/// The ghost of a count, which statements set to constants or change by constants. Only what synchronisation objects hold is one,
/// and what counts instances: other hidden values are addresses, or change with the end of a thread, after which no statement comes.
fn count(places: &Places<'_>, steps: &BTreeSet<StatementId>, var: VarId) -> Option<Exact> {
    let program = places.program();
    let declared = program.var(var);
    let counts = declared.kind == VarKind::Lock || program.counters().iter().any(|(_, counter)| *counter == var);
    let initial = match declared.init {
        Init::Value(value) => value.as_int().filter(|v| i32::try_from(*v).is_ok())?,
        Init::Arbitrary => return None,
    };
    if !counts || declared.owner != Owner::Global || declared.sort != Sort::Int {
        return None;
    }
    let mut changes = BTreeMap::new();
    for (thread, k, step) in places.steps() {
        let Some(value) = step.update(var) else { continue };
        let statement = places.carried_out(thread, k).filter(|s| steps.contains(s))?;
        let added = || value.sub(program.term(var)).as_int().map(Change::Add);
        let change = value.as_int().map(Change::Set).or_else(added)?;
        if *changes.entry(statement).or_insert(change) != change {
            return None;
        }
    }
    let known = always(places, var, |statement| changes.contains_key(&statement));
    known.then(|| Exact { name: identifier(&declared.name), initial, changes })
}

/// The last statement that a thread has carried out in one step: numbered from 1, 0 at first. Only for a thread that shares no
/// statement with another.
fn position(places: &Places<'_>, steps: &BTreeSet<StatementId>, thread: ThreadId) -> Option<Known> {
    let program = places.program();
    let t = program.thread(thread);
    let foreign = |statement: StatementId| {
        places.steps().any(|(other, k, _)| other != thread && places.carried_out(other, k) == Some(statement))
    };
    let mut numbers: BTreeMap<StatementId, i128> = BTreeMap::new();
    for k in 0..t.transitions.len() {
        if let Some(statement) = places.carried_out(thread, k).filter(|s| steps.contains(s) && !foreign(*s)) {
            let next = i128::try_from(numbers.len()).ok()? + 1;
            numbers.entry(statement).or_insert(next);
        }
    }
    let mut marks: Vec<BTreeSet<i128>> = vec![BTreeSet::new(); t.locations.len()];
    marks[t.entry.0 as usize].insert(0);
    let mut changed = true;
    while changed {
        changed = false;
        for (k, step) in t.transitions.iter().enumerate() {
            let passed = places.carried_out(thread, k).and_then(|s| numbers.get(&s));
            let coming = match passed {
                Some(number) => BTreeSet::from([*number]),
                None => marks[step.source.0 as usize].clone(),
            };
            let here = &mut marks[step.target.0 as usize];
            let before = here.len();
            here.extend(coming);
            changed |= here.len() > before;
        }
    }
    let values = (0..).zip(marks).collect();
    let name = format!("{}_at", identifier(&t.name));
    (!numbers.is_empty() && t.locations.get(LocationId(0).0 as usize).is_some()).then_some(Known {
        name,
        updates: numbers,
        values,
    })
}
