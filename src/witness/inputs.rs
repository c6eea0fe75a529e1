//! Which call chooses an input: of a nondeterministic function, or of one without a body, which returns anything.

use frontend::Loaded;
use program::{Choice, VarId, VarKind};

/// The name of the function whose call in the main file chooses this input.
pub fn called(loaded: &Loaded, input: VarId) -> Option<&str> {
    let var = loaded.program.var(input);
    let line = loaded.sources.line(var.span).filter(|_| var.span.file == 0)?;
    let (at, _) = line.char_indices().nth(var.span.column.checked_sub(1)? as usize)?;
    let end = line[at..].find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (name, rest) = line[at..].split_at(end);
    let chooses = ["__VERIFIER_nondet_", "nondet_"].iter().any(|prefix| name.starts_with(prefix));
    let calls = rest.trim_start().starts_with('(') && (chooses || kind(&var.name) == name);
    (calls && var.kind == VarKind::Input(Choice::Returned)).then_some(name)
}

/// What an input is of: its name without its thread and its number.
fn kind(name: &str) -> &str {
    let own = name.rsplit("::").next().unwrap_or(name);
    let base = match own.rsplit_once('.') {
        Some((base, number)) if number.chars().all(|c| c.is_ascii_digit()) => base,
        _ => own,
    };
    base.strip_prefix("any_").unwrap_or(base)
}
