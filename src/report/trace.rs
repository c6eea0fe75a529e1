//! A counterexample as a table: one column a thread, one line a step.

use check::{State, Trace, TraceStep, check_trace, conflicts, replay};
use frontend::Loaded;
use program::{
    Access, Bookkeeping, Choice, LocationId, Owner, Program, Property, Span, ThreadId, Value, VarId, VarKind,
};

use super::deadlock::{lines, waiters};
use super::line;
use super::table::{self, Row};
use super::value;

/// Which steps are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Those that do something a reader of the C text would call a step.
    Visible,
    /// All.
    Full,
}

/// The table, and what is left out of it.
pub fn text(loaded: &Loaded, trace: &Trace, detail: Detail) -> String {
    let program = &loaded.program;
    let Ok(states) = check_trace(program, trace) else {
        // Checked before it got here.
        return String::new();
    };
    let shown: Vec<usize> =
        (0..trace.steps.len()).filter(|k| detail == Detail::Full || is_visible(program, &trace.steps[*k])).collect();
    let mut text = match trace.steps.len() {
        0 => "counterexample: no step is needed".to_string(),
        1 => "counterexample: 1 step".to_string(),
        steps => format!("counterexample: {steps} steps"),
    };
    if shown.len() < trace.steps.len() {
        let ones = match trace.steps.len() - shown.len() {
            1 => "1 internal one".into(),
            number => format!("{number} internal ones"),
        };
        text.push_str(&format!(", {ones} left out (--full-trace)"));
    }
    text.push('\n');
    text.push_str(&start(loaded, &states[0]));
    let names: Vec<&str> = program.threads().map(|(_, t)| t.name.as_str()).collect();
    let rows = rows(loaded, trace, &states, &shown);
    text.push_str(&table::text(&names, &rows, table::columns()));
    let run = replay(program, trace.clone()).ok();
    let deadlock = run.iter().flat_map(|run| lines(program, run)).map(|line| format!("deadlock: {line}\n"));
    text.extend(deadlock);
    text.push('\n');
    text
}

/// The lines of the table: the steps, then what threads are about to do that are in conflict, or what fails at once.
fn rows(loaded: &Loaded, trace: &Trace, states: &[State], shown: &[usize]) -> Vec<Row> {
    let program = &loaded.program;
    let mut rows = Vec::new();
    for index in shown {
        let step = &trace.steps[*index];
        let lines = step_lines(loaded, step, &states[*index], &states[index + 1]);
        rows.extend(lines.into_iter().enumerate().map(|(line, content)| {
            let label = if line == 0 { (index + 1).to_string() } else { String::new() };
            Row::of(label, step.thread.0 as usize, content)
        }));
    }
    let end = states.last();
    if let Some(cells) = end.and_then(|state| conflict(loaded, trace, state)) {
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
            let label = if line == 0 { "then" } else { "" };
            let told = cells.iter().enumerate().filter_map(|(k, lines)| Some((k, lines.get(line)?.clone())));
            rows.push(Row { label: label.into(), cells: told.collect() });
        }
    }
    if trace.steps.is_empty() {
        let failing = end.and_then(|state| failing(program, state));
        if let Some((thread, location)) = failing {
            let span = program.thread(thread).location(location).span;
            rows.push(Row::of("at 0", thread.0 as usize, source_line(loaded, span)));
            rows.push(Row::of("", thread.0 as usize, FAILS.into()));
        }
    }
    rows
}

/// What stands where a claim is violated.
const FAILS: &str = "  ERROR";

/// The thread that is at an error, and where that is.
pub fn failing(program: &Program, state: &State) -> Option<(ThreadId, LocationId)> {
    program.threads().find_map(|(id, thread)| {
        let location = state.location(id)?;
        thread.locations.get(location.0 as usize)?.kind.is_error().then_some((id, location))
    })
}

/// A line of the text behind its number.
fn source_line(loaded: &Loaded, span: Span) -> String {
    let source = loaded.sources.line(span).map(str::trim).unwrap_or_default();
    format!("{}: {source}", line(&loaded.program, span))
}

/// Where threads end up in conflict: by thread, the source line of its access, what that does, and the calls that it is made within.
pub fn conflict(loaded: &Loaded, trace: &Trace, end: &State) -> Option<Vec<Vec<String>>> {
    let program = &loaded.program;
    let violated = replay(program, trace.clone()).ok()?.violated()?;
    let mut cells = vec![Vec::new(); program.threads().count()];
    for waiter in waiters(program, violated, end) {
        let told = vec![source_line(loaded, waiter.span), format!("  {}", waiter.sentence(program))];
        cells[waiter.thread.0 as usize] = told;
    }
    if violated.property == Property::NoDeadlock {
        return Some(cells);
    }
    for (thread, access) in racing(program, trace, end) {
        let (manner, deed) = (if access.atomic { "atomic " } else { "" }, if access.writes { "write" } else { "read" });
        let deed = format!("  about to make this {manner}{deed}{}", within(loaded, access.span));
        let called = |at: &Span| format!("  called at {}{}", line(program, *at), within(loaded, *at));
        let told = [source_line(loaded, access.span), deed];
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

/// Values of C variables that may start with anything, where they are not zero.
fn start(loaded: &Loaded, state: &State) -> String {
    let program = &loaded.program;
    let chosen =
        program.state_vars().filter(|(_, var)| var.init == program::Init::Arbitrary && var.kind == VarKind::User);
    let values: Vec<String> = chosen
        .filter(|(id, _)| state.value(*id).is_some_and(|value| *value != Value::Int(0)))
        .filter_map(|(id, var)| Some(format!("{} = {}", var.name, value::text(loaded, id, state.value(id)?))))
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
    let mut lines = vec![source_line(loaded, transition.span)];
    let own = format!("{}::", thread.name);
    let label = |var: VarId| {
        let name = &program.var(var).name;
        name.strip_prefix(&own).unwrap_or(name).to_string()
    };
    for input in &transition.inputs {
        let value = step.inputs.get(input).map_or_else(|| "0".into(), |chosen| value::text(loaded, *input, chosen));
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
            let told = |value: Option<&Value>| value.map_or_else(String::new, |value| value::text(loaded, *var, value));
            let (old, new) = (told(old), told(new));
            lines.push(format!("  {}: {old} -> {new}", label(*var)));
        }
    }
    let target = thread.location(transition.target);
    if target.kind.is_error() {
        // A step may be about the statements before the one that fails, too.
        if (target.span.file, target.span.line) != (transition.span.file, transition.span.line) {
            lines.push(source_line(loaded, target.span));
        }
        lines.push(FAILS.into());
    }
    lines
}
