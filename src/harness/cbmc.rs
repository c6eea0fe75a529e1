//! CBMC's primitives for a compiler that does not know them: statements that are threads become nested functions with copies of
//! the locals, functions of which nothing is known become tables of what the trace says of them.

use check::Trace;
use frontend::Loaded;
use frontend::source::StatementPlace;
use program::{Array, Span, Value};

/// Assertions, assumptions and atomic sections, as macros.
pub const PRIMITIVES: &str = include_str!("cbmc.c");

const ASYNC: &str = "__CPROVER_ASYNC";
const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// The text with every `__CPROVER_ASYNC_1: statement` made a thread of pthreads. Lines stay where they are.
pub fn with_threads(loaded: &Loaded, text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = 0;
    while let Some(found) = text[rest..].find(ASYNC) {
        let label = rest + found;
        let line = text[..label].matches('\n').count() + 1;
        let lost = || format!("the statement of {ASYNC} in line {line} is not found");
        let colon = label + text[label..].find(':').ok_or_else(lost)? + 1;
        let first = colon + text[colon..].find(|c: char| !c.is_whitespace()).ok_or_else(lost)?;
        let begins = |s: &&StatementPlace| s.first.file == 0 && offset(text, s.first) == Some(first);
        let statement = loaded.statements.iter().find(begins).ok_or_else(lost)?;
        let end = offset(text, statement.last).ok_or_else(lost)? + 1;
        let body = &text[first..end];
        let names = copied(loaded, statement, body);
        let fields: String = names.iter().map(|name| format!("__typeof__({name}) {name}; ")).collect();
        let copies = |from: &str, to: &str| -> String {
            let copy = |name: &String| format!("threader_snapshot(&{to}{name}, &{from}{name}, sizeof {name}); ");
            names.iter().map(copy).collect()
        };
        let own: String = names.iter().map(|name| format!("__typeof__(threader_given->{name}) {name}; ")).collect();
        out.push_str(&text[rest..label]);
        out.push_str(&format!(
            "{{ struct threader_locals {{ {fields}char end; }} *threader_locals = malloc(sizeof *threader_locals); {} \
             void *threader_statement(void *threader_argument) {{ struct threader_locals *threader_given = threader_argument; \
             {own}{}{}{body} return 0; }} \
             pthread_t threader_new; threader_create(&threader_new, 0, threader_statement, threader_locals); }}",
            copies("", "threader_locals->"),
            copies("threader_given->", ""),
            text[colon..first].matches('\n').collect::<String>(),
        ));
        rest = end;
    }
    out.push_str(&text[rest..]);
    Ok(out)
}

/// The locals that a statement names, other than those it declares itself. One whose address is taken is not copied: it is the
/// same for all threads.
fn copied(loaded: &Loaded, statement: &StatementPlace, body: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<String> = Vec::new();
    for word in body.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
        let declared = loaded.program.vars().any(|(_, var)| {
            let name = var.name.rsplit("::").next().unwrap_or(&var.name);
            let outside = loaded.statements.iter().any(|s| s.contains(var.span) && s.function == statement.function);
            name.split(['.', '[']).next() == Some(word) && outside && !statement.contains(var.span)
        });
        let shared = loaded.sources.text(0).is_some_and(|text| {
            text.match_indices(&format!("&{word}"))
                .any(|(at, found)| !text[at + found.len()..].starts_with(is_word) && !text[..at].ends_with('&'))
        });
        if declared && !shared && !names.iter().any(|name| name == word) {
            names.push(word.to_string());
        }
    }
    names
}

fn offset(text: &str, at: Span) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(at.line.checked_sub(1)? as usize).map(str::len).sum();
    let line = text.get(start..)?.lines().next()?;
    let (within, _) = line.char_indices().nth(at.column.checked_sub(1)? as usize)?;
    Some(start + within)
}

/// The functions of which nothing is known, with the values that the trace gives them.
pub fn functions(loaded: &Loaded, trace: &Trace, text: &str) -> Result<String, String> {
    let mut out = String::new();
    for (id, var) in loaded.program.vars() {
        let name = var.name.split('[').next().unwrap_or(&var.name);
        if !name.starts_with(UNINTERPRETED) {
            continue;
        }
        let nothing = Array::filled(0);
        let values = match trace.initial.get(&id) {
            Some(Value::Array(values)) => values,
            _ => &nothing,
        };
        let (before, parameter) = prototype(text, name).ok_or_else(|| format!("{name} is not declared"))?;
        let cases: String =
            values.elements.iter().map(|(key, value)| format!("if (key == {key}LL) return {value}LL; ")).collect();
        out.push_str(&format!(
            "THREADER_QUIET {before} {name}({parameter} key) {{ {cases}return {}LL; }}\n",
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
