//! CBMC's statements that are threads, for a compiler that does not know them: each becomes a nested function with copies of the
//! locals, which a thread of pthreads runs. The executions of tests/executions.rs use the same.

use std::ops::Range;

use frontend::Loaded;
use frontend::source::StatementPlace;

use super::places::{is_word, offset};

const ASYNC: &str = "__CPROVER_ASYNC";

/// What to put where in the text so that every `__CPROVER_ASYNC_1: statement` starts a thread. Lines stay where they are.
pub fn asynchronous(loaded: &Loaded, text: &str) -> Result<Vec<(Range<usize>, String)>, String> {
    let mut edits = Vec::new();
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
        let names = copied(loaded, statement, &text[first..end]);
        let fields: String = names.iter().map(|name| format!("__typeof__({name}) {name}; ")).collect();
        let copies = |from: &str, to: &str| -> String {
            let copy = |name: &String| format!("threader_snapshot(&{to}{name}, &{from}{name}, sizeof {name}); ");
            names.iter().map(copy).collect()
        };
        let own: String = names.iter().map(|name| format!("__typeof__(threader_given->{name}) {name}; ")).collect();
        let before = format!(
            "{{ struct threader_locals {{ {fields}char end; }} *threader_locals = malloc(sizeof *threader_locals); {} \
             void *threader_statement(void *threader_argument) {{ struct threader_locals *threader_given = threader_argument; \
             {own}{}{}",
            copies("", "threader_locals->"),
            copies("threader_given->", ""),
            text[colon..first].matches('\n').collect::<String>(),
        );
        let after = " return 0; } pthread_t threader_thread; \
                     threader_create(&threader_thread, 0, threader_statement, threader_locals); }";
        edits.push((label..first, before));
        edits.push((end..end, after.to_string()));
        rest = end;
    }
    Ok(edits)
}

/// The locals that a statement names, other than those it declares itself. One whose address is taken is not copied: it is the
/// same for all threads.
fn copied(loaded: &Loaded, statement: &StatementPlace, body: &str) -> Vec<String> {
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
