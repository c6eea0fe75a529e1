//! CBMC's primitives for a compiler that does not know them. Functions of which nothing is known become tables of what the trace
//! says of them.

use check::Trace;
use frontend::Loaded;
use program::{Array, Bookkeeping, Value, VarKind};

use super::names::theirs;

/// Assertions, assumptions and atomic sections, as macros.
pub const PRIMITIVES: &str = include_str!("cbmc.c");

/// The functions of which nothing is known, with the values that the trace gives them.
pub fn functions(loaded: &Loaded, trace: &Trace, text: &str) -> Result<String, String> {
    let mut out = String::new();
    for (id, var) in loaded.program.vars() {
        if var.kind != VarKind::Control(Bookkeeping::Function) {
            continue;
        }
        let name = var.name.split('[').next().unwrap_or(&var.name);
        let nothing = Array::filled(0);
        let values = match trace.initial.get(&id) {
            Some(Value::Array(values)) => values,
            _ => &nothing,
        };
        let (before, parameter) = prototype(text, name).ok_or_else(|| format!("{name} is not declared"))?;
        let cases: String =
            values.elements.iter().map(|(key, value)| format!("if (key == {key}LL) return {value}LL; ")).collect();
        out.push_str(&format!(
            "THREADER_QUIET {} {}({} key) {{ {cases}return {}LL; }}\n",
            theirs(before),
            theirs(name),
            theirs(parameter),
            values.default
        ));
    }
    Ok(out)
}

/// What a function of one parameter gives, and the parameter's type.
fn prototype<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let at = text.find(name)?;
    let before = text[..at].rsplit([';', '}', '\n']).next()?.trim();
    let (parameter, _) = text[at + name.len()..].trim_start().strip_prefix('(')?.split_once(')')?;
    let (parameter, before) = (parameter.trim(), before.strip_prefix("extern ").unwrap_or(before));
    // A last word after a type is the parameter's name.
    let ty = match parameter.rsplit_once([' ', '*']) {
        Some((ty, word)) if !["int", "long", "char", "short", "unsigned", "signed"].contains(&word) => ty,
        _ => parameter,
    };
    (!before.is_empty()).then_some((before, ty))
}
