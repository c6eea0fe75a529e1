//! Variables of functions that several threads use. The scheduler is told their addresses where they are declared.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use frontend::Loaded;
use frontend::source::StatementKind;
use program::{Span, Var};

use super::names::theirs;
use super::objects::{is_memory, is_object, is_static, lvalue, thread};
use super::places::{is_word, offset};

/// A variable of a function, or a part of it.
pub struct Local<'v> {
    declaration: Span,
    /// Where in the text its address is known.
    known: usize,
    /// Its C expression there.
    expression: &'v str,
}

impl Local<'_> {
    /// What it is called, whoever runs the function: `7:9.x`.
    pub fn name(&self) -> String {
        let end = self.expression.find(['.', '[']).unwrap_or(self.expression.len());
        format!("{}:{}{}", self.declaration.line, self.declaration.column, &self.expression[end..])
    }
}

/// The declaration of a function's variable, if there is a place in the text after it: not for what the head of a loop declares, or
/// a macro, or another file.
pub fn declared<'v>(loaded: &Loaded, var: &'v Var) -> Option<Local<'v>> {
    let (text, declaration) = (loaded.sources.text(0)?, var.span);
    let expression = lvalue(loaded, var);
    let at = offset(text, declaration).filter(|_| declaration.file == 0)?;
    let base = expression.split(['.', '[']).next().filter(|base| !base.is_empty() && base.chars().all(is_word))?;
    if !text[at..].strip_prefix(base)?.starts_with(|c| !is_word(c)) {
        return None;
    }
    let around = loaded.statements.iter().rfind(|s| s.contains(declaration));
    let known = match around {
        Some(statement) if statement.kind == StatementKind::Declaration => offset(text, statement.last)?,
        Some(_) => return None,
        // A parameter, of the function whose body comes next.
        None => {
            let after = |span: Span| (span.line, span.column) > (declaration.line, declaration.column);
            let body = loaded.statements.iter().find(|s| s.first.file == 0 && after(s.first))?;
            offset(text, body.first).filter(|_| body.kind == StatementKind::Compound)?
        }
    };
    (text[known..].starts_with([';', '{'])).then_some(Local { declaration, known: known + 1, expression })
}

/// What to put where in the text so that the scheduler learns the addresses, and when their blocks end.
pub fn locals(loaded: &Loaded) -> Vec<(Range<usize>, String)> {
    let mut all: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let memory = loaded.program.vars().map(|(_, var)| var).filter(|var| is_memory(var) && !is_static(loaded, var));
    for var in memory {
        let Some(local) = declared(loaded, var) else { continue };
        let whose = if thread(loaded, var).is_some() { "threader_self" } else { "-1" };
        let (name, expression) = (theirs(&local.name()), theirs(local.expression));
        let call = format!(" threader_declare({whose}, \"{name}\", (void *)&{expression}, sizeof {expression});");
        // Its parts end with it; what all threads share does not end.
        if thread(loaded, var).is_some() {
            let whole = theirs(local.expression.split(['.', '[']).next().unwrap_or(local.expression));
            all.entry(local.known).or_default().insert(format!(
                " struct threader_scope threader_scope_{}_{} __attribute__((cleanup(threader_scope_end))) = \
                 threader_scope((void *)&{whole}, sizeof {whole});",
                var.span.line, var.span.column
            ));
        }
        if is_object(var) {
            all.entry(local.known).or_default().insert(call);
        }
    }
    all.into_iter().map(|(at, calls)| (at..at, calls.into_iter().collect())).collect()
}
