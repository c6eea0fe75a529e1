//! Functions that are atomic by their names, for a compiler that does not know that: their bodies begin with a section that ends
//! wherever they are left.

use std::ops::Range;

use frontend::Loaded;
use frontend::source::StatementKind;

use super::places::offset;

const PREFIX: &str = "__VERIFIER_atomic_";
const SECTION: &str =
    " int threader_section __attribute__((cleanup(threader_section_end))) = threader_section_begin();";

/// What to put where in the text so that atomic functions are atomic, or which one cannot be made so.
pub fn sections(loaded: &Loaded, text: &str) -> Result<Vec<(Range<usize>, String)>, String> {
    let mut edits = Vec::new();
    let mut before = "";
    for statement in &loaded.statements {
        let function = statement.function.as_str();
        // A function's body comes before the statements inside it.
        if std::mem::replace(&mut before, function) == function || !function.starts_with(PREFIX) {
            continue;
        }
        let body = offset(text, statement.first).filter(|at| {
            statement.first.file == 0 && statement.kind == StatementKind::Compound && text[*at..].starts_with('{')
        });
        let body = body.ok_or_else(|| format!("{function} is atomic, and its body is not in the text itself"))?;
        edits.push((body + 1..body + 1, SECTION.to_string()));
    }
    Ok(edits)
}
