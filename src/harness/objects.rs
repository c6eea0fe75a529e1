//! What the scheduler of a harness knows of memory: the Program's variables as C expressions that the file can name at its end,
//! variables of functions by their declarations, parts of blocks by the line that allocates them, and the rest.

use std::collections::BTreeSet;

use frontend::Loaded;
use program::{Owner, Sort, ThreadId, Var, VarKind};

use super::locals;
use super::names::theirs;

/// What cannot be told from other memory.
const NAMELESS: &str = "?";

/// Whether accesses to a variable are steps.
pub fn is_object(var: &Var) -> bool {
    var.owner == Owner::Global && is_memory(var)
}

/// Whether a variable is memory of the program.
pub fn is_memory(var: &Var) -> bool {
    matches!(var.kind, VarKind::User | VarKind::Lock)
}

/// The name of the memory that a variable stands for: `a[1].x`; `$2:7:9.x` for a part of what is declared in line 7, column 9, by
/// thread 2 (-1 for what all threads share); `@12:2+8` for what begins at the ninth byte of a block that thread 2 allocates in
/// line 12, `@12:2` for something in it; or `?`.
pub fn object(loaded: &Loaded, var: &Var) -> String {
    let thread = thread(loaded, var).map_or(-1, |thread| i64::from(thread.0));
    if let Some(line) = block(&var.name) {
        let offset = loaded.offsets.get(&var.name).map_or_else(String::new, |bytes| format!("+{bytes}"));
        return format!("@{line}:{thread}{offset}");
    }
    if is_static(loaded, var) {
        return theirs(lvalue(loaded, var));
    }
    match locals::declared(loaded, var) {
        Some(local) => format!("${thread}:{}", theirs(&local.name())),
        None => NAMELESS.into(),
    }
}

/// The thread that a variable belongs to.
pub fn thread(loaded: &Loaded, var: &Var) -> Option<ThreadId> {
    let (own, _) = var.name.split_once("::")?;
    loaded.program.threads().find(|(_, thread)| thread.name == own).map(|(id, _)| id)
}

/// Whether a variable can be named at the end of the file.
pub fn is_static(loaded: &Loaded, var: &Var) -> bool {
    !var.name.contains("::") && !loaded.statements.iter().any(|s| s.contains(var.span))
}

/// The line that allocates the block which a variable is a part of.
fn block(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once("block@")?;
    Some(rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or(rest))
}

/// The longest C expression that names a variable or something around it, where it can be named.
pub fn lvalue<'v>(loaded: &Loaded, var: &'v Var) -> &'v str {
    let mut name = var.name.rsplit("::").next().unwrap_or(&var.name);
    // An array as a whole is named with its length.
    if var.sort != Sort::Int {
        name = name.rsplit_once('[').map_or(name, |(array, _)| array);
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
    // The second variable of a name has a number, and what we know of a lock beside its owner has brackets.
    let named = !part.starts_with(|c: char| c.is_ascii_digit()) && part.chars().all(is_word);
    // What looks like a bit-field is taken for one.
    let is_bit_field = |text: &str| {
        text.match_indices(part).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + part.len()..].trim_start());
            !before.is_some_and(is_word) && after.starts_with(':')
        })
    };
    // Members of types of our own headers have other names in the system's.
    let texts = || (0..).zip(loaded.sources.names()).filter(|(_, name)| !name.starts_with("<threader>/"));
    let texts = || texts().filter_map(|(file, _)| loaded.sources.text(file));
    let of_program = || texts().any(|text| text.split(|c| !is_word(c)).any(|word| word == part));
    named && of_program() && !texts().any(is_bit_field)
}

/// All that has a name: shared or not, so that what is not shared is not taken for something else.
pub fn objects(loaded: &Loaded) -> BTreeSet<String> {
    let memory = loaded.program.vars().filter(|(_, var)| is_memory(var));
    let mut all: BTreeSet<String> = memory.map(|(_, var)| object(loaded, var)).collect();
    all.retain(|name| name != NAMELESS && !name.starts_with('$'));
    let around: Vec<String> = all.iter().filter_map(|name| Some(name.split(['.', '[']).next()?.to_string())).collect();
    all.extend(around);
    all
}
