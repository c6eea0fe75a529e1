//! What the scheduler of a harness knows of memory: the Program's variables as C expressions that the file can name at its end,
//! parts of blocks by the line that allocates them and their distance from the beginning, and the rest.

use std::collections::BTreeSet;

use frontend::Loaded;
use program::{Owner, Sort, Var, VarKind};

/// What is in functions: it has no name at the end of the file.
const NAMELESS: &str = "?";

/// Whether accesses to a variable are steps.
pub fn is_object(var: &Var) -> bool {
    var.owner == Owner::Global && is_memory(var)
}

fn is_memory(var: &Var) -> bool {
    matches!(var.kind, VarKind::User | VarKind::Lock)
}

/// The name of the memory that a variable stands for: `a[1].x`, `@12+8` for what begins at the ninth byte of a block of line 12,
/// `@12` for something in it, or `?`.
pub fn object(loaded: &Loaded, var: &Var) -> String {
    if let Some(line) = block(&var.name) {
        let offset = loaded.offsets.get(&var.name).map_or_else(String::new, |bytes| format!("+{bytes}"));
        return format!("@{line}{offset}");
    }
    let inside = loaded.statements.iter().any(|s| s.contains(var.span));
    if inside || var.name.contains("::") { NAMELESS.into() } else { lvalue(loaded, var).to_string() }
}

/// The line that allocates the block which a variable is a part of.
fn block(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once("block@")?;
    Some(rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or(rest))
}

/// The longest C expression that names a variable or something around it.
fn lvalue<'v>(loaded: &Loaded, var: &'v Var) -> &'v str {
    let mut name = var.name.as_str();
    // An array as a whole is named with its length.
    if var.sort != Sort::Int {
        name = name.rsplit_once('[').map_or(name, |(array, _)| array);
    }
    // What we know of a lock beside its owner is no member in C.
    if var.kind == VarKind::Lock {
        let part = |last: &str| ["depth", "type", "serial", "taker"].contains(&last) || last.ends_with(')');
        name = name.rsplit_once('.').filter(|(_, last)| part(last)).map_or(name, |(lock, _)| lock);
    }
    let mut end = 0;
    for (at, c) in name.char_indices().chain([(name.len(), '.')]) {
        if c == '.' || c == '[' {
            let part = name[end..at].trim_start_matches('.');
            if end > 0 && !is_addressable(loaded, part) {
                return &name[..end];
            }
            end = at;
        }
    }
    name
}

/// Whether a part of a name is an index, or a member that C has in this way and whose address can be taken.
fn is_addressable(loaded: &Loaded, part: &str) -> bool {
    if let Some(index) = part.strip_prefix('[') {
        return index.strip_suffix(']').is_some_and(|i| !i.is_empty() && i.chars().all(|c| c.is_ascii_digit()));
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // Members of types of our own headers have other names in the system's, and the second variable of a name has a number.
    let named = !part.starts_with("__") && !part.starts_with(|c: char| c.is_ascii_digit()) && part.chars().all(is_word);
    // What looks like a bit-field is taken for one.
    let is_bit_field = |text: &str| {
        text.match_indices(part).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + part.len()..].trim_start());
            !before.is_some_and(is_word) && after.starts_with(':')
        })
    };
    let files = 0..u32::try_from(loaded.sources.names().len()).unwrap_or(u32::MAX);
    named && !files.filter_map(|file| loaded.sources.text(file)).any(is_bit_field)
}

/// All that has a name: shared or not, so that what is not shared is not taken for something else.
pub fn objects(loaded: &Loaded) -> BTreeSet<String> {
    let memory = loaded.program.vars().filter(|(_, var)| is_memory(var));
    let mut all: BTreeSet<String> = memory.map(|(_, var)| object(loaded, var)).collect();
    all.remove(NAMELESS);
    let around: Vec<String> = all.iter().filter_map(|name| Some(name.split(['.', '[']).next()?.to_string())).collect();
    all.extend(around);
    all
}
