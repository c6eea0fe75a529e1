//! Running lowered programs, and finding C's variables in them.

use std::path::Path;

use check::{RunEnd, State, blank, initial, run};
use frontend::{Loaded, Options, load};
use program::{Bookkeeping, Program, Sort, Value, Var, VarId, VarKind};

/// Steps after which a single-threaded program counts as endless: the generated ones are bounded by construction.
const STEPS: usize = 2_000_000;

/// The program of a file, or a message that says why there is none.
pub fn lower(path: &Path, options: &Options) -> Result<Loaded, String> {
    load(path, options).map_err(|error| {
        let diagnostic = &error.failure.0;
        let line = diagnostic.span.map_or(String::new(), |span| format!(":{}", span.line));
        format!("{}{line}: {:?}: {}", path.display(), diagnostic.code, diagnostic.message)
    })
}

/// Writes the text to a file and lowers it.
pub fn lower_text(dir: &Path, name: &str, text: &str, options: &Options) -> Result<Loaded, String> {
    let path = dir.join(format!("{name}.c"));
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    lower(&path, options)
}

/// Runs main, the only thread, to its end.
pub fn run_to_end(program: &Program) -> Result<State, String> {
    let main = match program.threads().collect::<Vec<_>>().as_slice() {
        [(main, _)] => *main,
        threads => return Err(format!("{} threads instead of one", threads.len())),
    };
    // Objects may lie anywhere, but not in one place.
    let start = |id: VarId, var: &Var| match var.kind {
        VarKind::Control(Bookkeeping::Place) => Value::Int((1 << 30) + (i128::from(id.0) << 20)),
        _ => blank(var.sort),
    };
    let start = initial(program, &mut |id, var| start(id, var)).map_err(|error| error.to_string())?;
    let (state, outcome) = run(program, start, main, STEPS, &|input| blank(program.var(input).sort));
    match outcome {
        Ok(RunEnd::Ended) => Ok(state),
        Ok(end) => Err(format!("main ends with {end:?} at {}", place(program, &state))),
        Err(error) => Err(format!("{error}, at {}", place(program, &state))),
    }
}

fn place(program: &Program, state: &State) -> String {
    let spans = program.threads().map(|(id, thread)| state.location(id).map(|l| thread.location(l).span));
    spans.map(|span| span.map_or("?".into(), |span| program.place(span))).collect::<Vec<_>>().join(", ")
}

/// The value of a C object in a state: `x`, `a[2]`, `s.f`.
///
/// A global that one thread alone touches may have become its local, under its own name or one with a prefix; an array may
/// be split into one variable an element, or be one array variable, with the dimensions flattened row by row.
pub fn value_of(program: &Program, state: &State, name: &str) -> Result<i128, String> {
    if let Some(var) = find(program, name) {
        return match state.value(var) {
            Some(Value::Int(value)) => Ok(*value),
            Some(Value::Bool(value)) => Ok(i128::from(*value)),
            other => Err(format!("{name} holds {other:?}")),
        };
    }
    if let Some((array, index)) = name.strip_suffix(']').and_then(|n| n.rsplit_once('['))
        && let (Some(var), Ok(index)) = (find(program, array), index.parse::<i128>())
        && let Some(Value::Array(values)) = state.value(var)
    {
        return Ok(values.get(index));
    }
    let known: Vec<&str> = program.state_vars().map(|(_, var)| var.name.as_str()).take(40).collect();
    Err(format!("no variable {name} among {}", known.join(", ")))
}

/// The state variable with this name, or the only one whose name ends with `::` and this name.
fn find(program: &Program, name: &str) -> Option<VarId> {
    if let Some((id, _)) = program.state_vars().find(|(_, var)| var.name == name) {
        return Some(id);
    }
    let suffix = format!("::{name}");
    let mut candidates = program.state_vars().filter(|(_, var)| var.name.ends_with(&suffix)).map(|(id, _)| id);
    let first = candidates.next()?;
    candidates.next().is_none().then_some(first)
}

/// Whether a variable is an array, for those who enumerate values.
pub fn is_array(program: &Program, var: VarId) -> bool {
    program.var(var).sort == Sort::Array
}
