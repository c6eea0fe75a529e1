//! A counterexample as a table: one column a thread, one line a step.

use check::{State, Trace, TraceStep, check_trace, conflicts, replay};
use frontend::Loaded;
use program::{Access, Bookkeeping, Choice, Owner, Program, Property, Span, ThreadId, Value, VarId, VarKind};

use super::deadlock::{lines, waiters};
use super::line;

/// Which steps are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Those that do something a reader of the C text would call a step.
    Visible,
    /// All.
    Full,
}

/// The widest column, so that three threads fit on a usual screen.
const WIDTH: usize = 38;

/// The table, and what is left out of it.
pub fn text(loaded: &Loaded, trace: &Trace, detail: Detail) -> String {
    let program = &loaded.program;
    let Ok(states) = check_trace(program, trace) else {
        // Checked before it got here.
        return String::new();
    };
    let shown: Vec<usize> =
        (0..trace.steps.len()).filter(|k| detail == Detail::Full || is_visible(program, &trace.steps[*k])).collect();
    let mut text = format!("counterexample: {} steps", trace.steps.len());
    if shown.len() < trace.steps.len() {
        text.push_str(&format!(", {} internal ones left out (--full-trace)", trace.steps.len() - shown.len()));
    }
    text.push('\n');
    text.push_str(&start(program, &states[0]));
    let names: Vec<&str> = program.threads().map(|(_, t)| t.name.as_str()).collect();
    text.push_str(&row("step", names.iter().map(|n| (*n).to_string()).collect()));
    for index in shown {
        let step = &trace.steps[index];
        let column = step.thread.0 as usize;
        for (line, content) in step_lines(loaded, step, &states[index], &states[index + 1]).into_iter().enumerate() {
            let mut cells = vec![String::new(); names.len()];
            cells[column] = cut(&content);
            let number = if line == 0 { (index + 1).to_string() } else { String::new() };
            text.push_str(&row(&number, cells));
        }
    }
    if let Some(cells) = states.last().and_then(|state| conflict(loaded, trace, state)) {
        let most = cells.iter().map(Vec::len).max().unwrap_or_default();
        for line in 0..most {
            let number = if line == 0 { "then" } else { "" };
            let told = cells.iter().map(|lines| lines.get(line).map_or_else(String::new, |told| cut(told)));
            text.push_str(&row(number, told.collect()));
        }
    }
    let run = replay(program, trace.clone()).ok();
    let deadlock = run.iter().flat_map(|run| lines(program, run)).map(|line| format!("deadlock: {line}\n"));
    text.extend(deadlock);
    text.push('\n');
    text
}

/// Where threads end up in conflict: by thread, the source line of its access, what that does, and the calls that it is made within.
pub fn conflict(loaded: &Loaded, trace: &Trace, end: &State) -> Option<Vec<Vec<String>>> {
    let program = &loaded.program;
    let violated = replay(program, trace.clone()).ok()?.violated()?;
    let mut cells = vec![Vec::new(); program.threads().count()];
    for waiter in waiters(program, violated, end) {
        let source = loaded.sources.line(waiter.span).map(str::trim).unwrap_or_default();
        let told = vec![format!("{}: {source}", line(program, waiter.span)), format!("  {}", waiter.sentence(program))];
        cells[waiter.thread.0 as usize] = told;
    }
    if violated.property == Property::NoDeadlock {
        return Some(cells);
    }
    for (thread, access) in racing(program, trace, end) {
        let (manner, deed) = (if access.atomic { "atomic " } else { "" }, if access.writes { "write" } else { "read" });
        let source = loaded.sources.line(access.span).map(str::trim).unwrap_or_default();
        let deed = format!("  about to make this {manner}{deed}{}", within(loaded, access.span));
        let called = |at: &Span| format!("  called at {}{}", line(program, *at), within(loaded, *at));
        let told = [format!("{}: {source}", line(program, access.span)), deed];
        cells[thread.0 as usize] = told.into_iter().chain(access.calls.iter().map(called)).collect();
    }
    cells.iter().any(|told| !told.is_empty()).then_some(cells)
}

/// The accesses of a race that a run leads to, and who is about to make each.
pub fn racing<'p>(program: &'p Program, trace: &Trace, end: &State) -> Vec<(ThreadId, &'p Access)> {
    let violated = replay(program, trace.clone()).ok().and_then(|run| run.violated());
    let Some(violated) = violated.filter(|claim| claim.property == Property::NoDataRace) else { return Vec::new() };
    let conflict = conflicts(program, end).find(|conflict| conflict.claim == violated);
    let mut places: Vec<Span> = violated.places().collect();
    let mut found = Vec::new();
    for thread in conflict.into_iter().flat_map(|conflict| conflict.threads()) {
        let there = |access: &&Access| end.location(thread) == Some(access.location) && places.contains(&access.span);
        let here = program.accesses(thread).iter().filter(there);
        let Some(access) = here.max_by_key(|access| access.writes) else { continue };
        found.push((thread, access));
        // The other access is at the other place.
        let taken = places.iter().position(|span| *span == access.span);
        taken.map(|taken| places.remove(taken));
    }
    found
}

/// The function of a place in the text.
fn within(loaded: &Loaded, span: Span) -> String {
    let statement = loaded.statements.iter().rfind(|statement| statement.contains(span));
    statement.map_or_else(String::new, |statement| format!(", in {}", statement.function))
}

fn row(number: &str, cells: Vec<String>) -> String {
    let columns: Vec<String> = cells.into_iter().map(|cell| format!("{cell:<WIDTH$}")).collect();
    format!("{number:>5}  {}", columns.join("  ")).trim_end().to_string() + "\n"
}

/// Values of C variables that may start with anything, where they are not zero.
fn start(program: &Program, state: &State) -> String {
    let chosen =
        program.state_vars().filter(|(_, var)| var.init == program::Init::Arbitrary && var.kind == VarKind::User);
    let values: Vec<String> = chosen
        .filter(|(id, _)| state.value(*id).is_some_and(|value| *value != Value::Int(0)))
        .filter_map(|(id, var)| Some(format!("{} = {}", var.name, value_text(state.value(id)?))))
        .collect();
    if values.is_empty() { String::new() } else { format!("starting with {}\n", values.join(", ")) }
}

/// Whether a step changes a C variable or a lock, starts a thread, reads a shared variable, chooses a value or fails.
fn is_visible(program: &Program, step: &TraceStep) -> bool {
    let thread = program.thread(step.thread);
    let Some(transition) = thread.transitions.get(step.transition) else { return true };
    let spoken = |var: VarId| {
        let var = program.var(var);
        matches!(var.kind, VarKind::User | VarKind::Lock | VarKind::Input(_))
    };
    let shared = |var: VarId| program.var(var).owner == Owner::Global && spoken(var);
    thread.location(transition.target).kind.is_error()
        || transition
            .updates
            .iter()
            .any(|(var, _)| spoken(*var) || program.var(*var).kind == VarKind::Control(Bookkeeping::Started))
        || transition.guard.iter().any(|g| g.vars().into_iter().any(shared))
}

/// The source line, then what was chosen and what changed, each a line.
pub fn step_lines(loaded: &Loaded, step: &TraceStep, before: &State, after: &State) -> Vec<String> {
    let program = &loaded.program;
    let thread = program.thread(step.thread);
    let Some(transition) = thread.transitions.get(step.transition) else { return Vec::new() };
    let source = loaded.sources.line(transition.span).map(str::trim).unwrap_or_default();
    let mut lines = vec![format!("{}: {source}", line(program, transition.span))];
    let own = format!("{}::", thread.name);
    let label = |var: VarId| {
        let name = &program.var(var).name;
        name.strip_prefix(&own).unwrap_or(name).to_string()
    };
    for input in &transition.inputs {
        let value = step.inputs.get(input).map_or_else(|| "0".into(), value_text);
        lines.push(match program.var(*input).kind {
            VarKind::Input(Choice::Reuse) if value == "0" => continue,
            VarKind::Input(Choice::Reuse) => "  chosen: memory that was freed".into(),
            VarKind::Input(Choice::Arguments) => format!("  chosen: argc == {value}"),
            _ => format!("  chosen: {value}"),
        });
    }
    for (var, _) in &transition.updates {
        let (old, new) = (before.value(*var), after.value(*var));
        let is_told =
            matches!(program.var(*var).kind, VarKind::User | VarKind::Lock | VarKind::Control(Bookkeeping::Freed));
        if is_told && old != new {
            let (old, new) = (old.map(value_text).unwrap_or_default(), new.map(value_text).unwrap_or_default());
            lines.push(format!("  {}: {old} -> {new}", label(*var)));
        }
    }
    if thread.location(transition.target).kind.is_error() {
        lines.push("  ERROR".into());
    }
    lines
}

/// A value for readers.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Array(array) => {
            let some: Vec<String> = array.elements.iter().take(8).map(|(i, v)| format!("[{i}] = {v}")).collect();
            format!("{{{}, rest {}}}", some.join(", "), array.default)
        }
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= WIDTH {
        return text.to_string();
    }
    text.chars().take(WIDTH - 2).chain("..".chars()).collect()
}
