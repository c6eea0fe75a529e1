//! Ghost variables: what invariants say of locks, of threads that have started, and of other threads' positions.
//!
//! A lock is known as taken or free, a thread as created or not. A position is known as the last statement that the thread has
//! carried out in one step: ghosts change with statements, and a Program's locations are finer. So what a ghost says is weaker
//! than what the invariant says of the location, which keeps it true.

use std::collections::{BTreeMap, BTreeSet};

use check::location_var;
use program::{Init, LocationId, Program, Term, ThreadId, Value, VarId, VarKind};

use super::expression::Ghost;
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
}

impl Ghosts {
    /// Finds the ghosts of a program.
    pub fn new(places: &Places<'_>) -> Ghosts {
        let program = places.program();
        let mut known = BTreeMap::new();
        for (id, var) in program.state_vars() {
            let is_start = var.kind == VarKind::Control && var.name.starts_with("started(");
            let zero = matches!(var.init, Init::Value(value) if value.as_int() == Some(0));
            if !zero || (var.kind != VarKind::Lock && !is_start) {
                continue;
            }
            if let Some(updates) = constant_updates(places, id) {
                let most = if is_start { 1 } else { i128::try_from(program.threads().count()).unwrap_or(0) + 1 };
                let values = (0..=most).map(|v| (v, BTreeSet::from([v.min(1)]))).collect();
                let suffix = if is_start { "" } else { "_locked" };
                known.insert(id, Known { name: format!("{}{suffix}", identifier(&var.name)), updates, values });
            }
        }
        for (thread, _) in program.threads() {
            if let Some(position) = position(places, thread) {
                known.insert(location_var(program, thread), position);
            }
        }
        Ghosts { known }
    }

    /// What conditions on one variable say in terms of its ghost.
    pub fn says(&self, program: &Program, var: VarId, conditions: &[Term], used: &mut BTreeSet<VarId>) -> Ghost {
        let is_location = var.0 as usize >= program.var_count();
        let hidden = is_location || matches!(program.var(var).kind, VarKind::Lock | VarKind::Control);
        let Some(known) = self.known.get(&var) else {
            return if hidden { Ghost::Says(None) } else { Ghost::None };
        };
        let holds = |value: i128| {
            let at = |_: VarId| Some(Value::Int(value));
            conditions.iter().all(|condition| condition.eval_bool(&at) != Ok(false))
        };
        let possible: BTreeSet<i128> = known
            .values
            .iter()
            .filter(|(value, _)| holds(*value))
            .flat_map(|(_, ghost)| ghost.iter().copied())
            .collect();
        let all: BTreeSet<i128> = known.values.iter().flat_map(|(_, ghost)| ghost.iter().copied()).collect();
        if possible == all {
            return Ghost::Says(None);
        }
        used.insert(var);
        let texts: Vec<String> = possible.iter().map(|value| format!("{} == {value}", known.name)).collect();
        Ghost::Says(Some(match texts.len() {
            0 => "0".into(),
            1 => texts[0].clone(),
            _ => format!("({})", texts.join(" || ")),
        }))
    }

    /// Declarations and updates of the ghosts that are used.
    pub fn instrumentation(
        &self,
        used: &BTreeSet<VarId>,
        place: &dyn Fn(StatementId) -> Place,
    ) -> (Vec<GhostVariable>, Vec<GhostUpdate>) {
        let mut variables = Vec::new();
        let mut updates = Vec::new();
        for known in used.iter().filter_map(|var| self.known.get(var)) {
            variables.push(GhostVariable { name: known.name.clone(), ty: "int".into(), initial: "0".into() });
            for (statement, value) in &known.updates {
                updates.push(GhostUpdate {
                    place: place(*statement),
                    variable: known.name.clone(),
                    value: value.to_string(),
                });
            }
        }
        updates.sort_by(|a, b| a.place.cmp(&b.place));
        (variables, updates)
    }
}

fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("threader_{}", plain.trim_matches('_'))
}

/// Zero or one after each statement that changes the variable; nothing if a change is not one step of a statement, or if the
/// same statement changes it differently, or not always.
fn constant_updates(places: &Places<'_>, var: VarId) -> Option<BTreeMap<StatementId, i128>> {
    let mut updates = BTreeMap::new();
    for (thread, k, step) in places.steps() {
        let Some(value) = step.update(var) else { continue };
        let statement = places.carried_out(thread, k).filter(|s| places.is_one_step(*s))?;
        let value = value.as_int()?.min(1);
        if *updates.entry(statement).or_insert(value) != value {
            return None;
        }
    }
    // Whoever carries out one of these statements must make this change.
    let unchanged = places.steps().any(|(thread, k, step)| {
        let statement = places.carried_out(thread, k);
        statement.is_some_and(|s| updates.contains_key(&s)) && step.update(var).is_none()
    });
    (!unchanged).then_some(updates)
}

/// The last statement that a thread has carried out in one step: numbered from 1, 0 at first. Only for a thread that shares no
/// statement with another.
fn position(places: &Places<'_>, thread: ThreadId) -> Option<Known> {
    let program = places.program();
    let t = program.thread(thread);
    let foreign = |statement: StatementId| {
        places.steps().any(|(other, k, _)| other != thread && places.carried_out(other, k) == Some(statement))
    };
    let mut numbers: BTreeMap<StatementId, i128> = BTreeMap::new();
    for k in 0..t.transitions.len() {
        if let Some(statement) = places.carried_out(thread, k).filter(|s| places.is_one_step(*s) && !foreign(*s)) {
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
