//! A violation witness from a trace: who begins which statement when, which threads are created, which values are chosen.

use check::{State, Trace, check_trace, conflicts};
use frontend::Loaded;
use program::{Bookkeeping, LocationId, Program, Span, ThreadId, Transition, Value, VarId, VarKind};

use super::inputs::called;
use super::places::Places;
use super::unknown_function::{application, name};
use super::{Place, Waypoint, WaypointKind};

/// The waypoints of a trace.
pub fn violation(loaded: &Loaded, trace: &Trace) -> Vec<Waypoint> {
    let program = &loaded.program;
    let places = Places::new(loaded);
    let mut created: Vec<ThreadId> = vec![ThreadId(0)];
    let mut all = Vec::new();
    let states = check_trace(program, trace).unwrap_or_default();
    for (index, step) in trace.steps.iter().enumerate() {
        let thread = program.thread(step.thread);
        let Some(transition) = thread.transitions.get(step.transition) else { continue };
        let number = |created: &[ThreadId]| created.iter().position(|t| *t == step.thread).unwrap_or(0);
        let who = u32::try_from(number(&created)).unwrap_or(0);
        let statement = places.carried_out(step.thread, step.transition);
        let function = statement.map_or_else(String::new, |id| places.statement(id).function.clone());
        let began = places.next(step.thread, transition.source);
        let inside = places.is_inside(step.thread, transition.source);
        let fails = thread.location(transition.target).kind.is_error();
        if let Some(id) = began.filter(|id| Some(*id) == statement && !inside && !fails) {
            let first = places.statement(id).first;
            let place = Place { line: first.line, column: first.column, function: function.clone() };
            all.push(Waypoint { kind: WaypointKind::Assumption("1".into()), place, thread: who });
        }
        for input in &transition.inputs {
            let value = step.inputs.get(input);
            if let (Some(place), Value::Int(value)) = (call_end(loaded, *input), value.unwrap_or(&Value::Int(0))) {
                let kind = WaypointKind::FunctionReturn(format!("\\result == {value}"));
                all.push(Waypoint { kind, place: Place { function: function.clone(), ..place }, thread: who });
            }
        }
        if let Some((place, value)) = states.get(index).and_then(|state| returned(loaded, state, transition)) {
            let kind = WaypointKind::FunctionReturn(format!("\\result == {value}"));
            all.push(Waypoint { kind, place: Place { function: function.clone(), ..place }, thread: who });
        }
        if fails {
            all.push(Waypoint {
                kind: WaypointKind::Target,
                place: target(&places, transition, statement),
                thread: who,
            });
            return all;
        }
        for child in started(program, transition) {
            if !created.contains(&child) {
                created.push(child);
                let place = close(loaded, transition.span).unwrap_or(Place {
                    line: transition.span.line,
                    column: transition.span.column,
                    function: String::new(),
                });
                let place = Place { function: function.clone(), ..place };
                all.push(Waypoint { kind: WaypointKind::FunctionEnter, place, thread: who });
            }
        }
    }
    all.extend(states.last().into_iter().flat_map(|end| targets(&places, end, &created)));
    all
}

/// Where two threads are about to do what they must not do at once, if they are.
fn targets(places: &Places<'_>, end: &State, created: &[ThreadId]) -> Vec<Waypoint> {
    let Some(conflict) = conflicts(places.program(), end).next() else { return Vec::new() };
    let target = |thread: ThreadId| {
        let number = created.iter().position(|t| *t == thread).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let place = about(places, thread, end.location(thread)?);
        Some(Waypoint { kind: WaypointKind::Target, place, thread: number })
    };
    conflict.threads().into_iter().filter_map(target).collect()
}

/// The statement that a thread at a location is about to go on with.
pub fn about(places: &Places<'_>, thread: ThreadId, location: LocationId) -> Place {
    let here = places.program().thread(thread).location(location).span;
    match places.next(thread, location).map(|id| places.statement(id)) {
        Some(found) => Place { line: found.first.line, column: found.first.column, function: found.function.clone() },
        None => Place { line: here.line, column: here.column, function: String::new() },
    }
}

fn target(places: &Places<'_>, transition: &Transition, statement: Option<super::places::StatementId>) -> Place {
    match statement.map(|id| places.statement(id)) {
        Some(found) => Place { line: found.first.line, column: found.first.column, function: found.function.clone() },
        None => Place { line: transition.span.line, column: transition.span.column, function: String::new() },
    }
}

/// The threads that a step lets start: those that wait, at their entry, for a variable that the step sets.
pub fn started(program: &Program, transition: &Transition) -> Vec<ThreadId> {
    let sets = |var: VarId| {
        program.var(var).kind == VarKind::Control(Bookkeeping::Started)
            && transition.update(var).is_some_and(|v| v.as_int() == Some(1))
    };
    let waits = |id: &ThreadId| {
        let thread = program.thread(*id);
        thread.from(thread.entry).any(|first| first.guard.iter().any(|g| g.vars().into_iter().any(sets)))
    };
    program.threads().map(|(id, _)| id).filter(waits).collect()
}

/// The closing bracket of the call that chooses this input, if one does.
fn call_end(loaded: &Loaded, input: VarId) -> Option<Place> {
    called(loaded, input).and_then(|_| close(loaded, loaded.program.var(input).span))
}

/// What a function of which nothing is known returns in this step, and the closing bracket of its call.
fn returned(loaded: &Loaded, state: &State, transition: &Transition) -> Option<(Place, i128)> {
    let call = application(&loaded.program, state, transition)?;
    let line = loaded.sources.line(transition.span).filter(|_| transition.span.file == 0)?;
    let before = line.find(name(&loaded.program, call.function)?)?;
    let column = u32::try_from(line[..before].chars().count()).ok()? + 1;
    Some((close(loaded, Span { column, ..transition.span })?, call.result(state)?))
}

/// The bracket that closes the first one that opens after a place.
fn close(loaded: &Loaded, from: Span) -> Option<Place> {
    let text = loaded.sources.text(from.file).filter(|_| from.file == 0)?;
    let mut depth = 0_usize;
    for (line, content) in (1..).zip(text.lines()).skip(from.line.checked_sub(1)? as usize) {
        let skip = if line == from.line { from.column.checked_sub(1)? as usize } else { 0 };
        for (column, c) in (1..).zip(content.chars()).skip(skip) {
            match c {
                '(' => depth += 1,
                ')' if depth == 1 => return Some(Place { line, column, function: String::new() }),
                ')' => depth = depth.checked_sub(1)?,
                ';' if depth == 0 => return None,
                _ => {}
            }
        }
    }
    None
}
