//! What the C text can say of a variable at a statement.

use frontend::Loaded;
use frontend::hir::DataModel;
use frontend::source::{StatementKind, StatementPlace};
use program::{IntType, Owner, Sort, Span, ThreadId, Var, VarId, VarKind};

use super::expression::Width;

/// A variable's C text at a statement that a thread carries out, if it can be named there and its value means in C what it means
/// in the Program.
pub fn c_value(loaded: &Loaded, var: VarId, thread: ThreadId, statement: &StatementPlace) -> Option<(String, Width)> {
    let program = &loaded.program;
    let declared = program.var(var);
    if declared.kind != VarKind::User || declared.sort != Sort::Int || is_handle(loaded, declared.ty) {
        return None;
    }
    let own = format!("{}::", program.thread(thread).name);
    let local = |other: &Var| other.name.starts_with(&own);
    if declared.name.contains("::") && !local(declared) {
        return None;
    }
    let text = |other: &Var| other.name.strip_prefix(&own).unwrap_or(&other.name).to_string();
    let name = text(declared);
    let in_scope = |other: &Var| in_scope(loaded, other.span, local(other), statement);
    // Another variable of the same name may be the one that the text means there.
    let rival = |other: &Var| {
        base(&text(other)) == base(&name) && (base(&other.name) != base(&declared.name) || is_copy(&other.name))
    };
    let ambiguous = program.state_vars().any(|(id, other)| id != var && rival(other) && in_scope(other));
    let foreign = matches!(declared.owner, Owner::Input(_));
    // Members of a union share their memory in C, but are variables of their own in the Program.
    let shared = name.contains('.') && has_union(loaded);
    // C leaves access to a member of an `_Atomic` struct undefined.
    let sealed = name.contains('.') && loaded.sealed.contains(base(&name));
    (!foreign && !ambiguous && !shared && !sealed && is_expression(&name) && in_scope(declared))
        .then(|| (name, width(declared.ty)))
}

/// Whether a union is declared anywhere.
fn has_union(loaded: &Loaded) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let files = 0..program::number(loaded.sources.names().len());
    let mut texts = files.filter_map(|file| loaded.sources.text(file));
    texts.any(|text| text.split(|c| !is_word(c)).any(|word| word == "union"))
}

/// Handles and pointers have other values in C than in the Program. Their types are told from others by size alone.
fn is_handle(loaded: &Loaded, ty: IntType) -> bool {
    let keys = || loaded.sources.text(0).is_some_and(|text| text.contains("pthread_key_t") || text.contains("tss_t"));
    let bits = if loaded.data_model == DataModel::Ilp32 || keys() { 32 } else { 64 };
    ty.bits >= bits && ty.least() == 0
}

fn width(ty: IntType) -> Width {
    match (ty.bits, ty.least() < 0) {
        (0..=31, _) | (32, true) => Width::Int,
        (32, false) => Width::Narrow,
        _ => Width::Long,
    }
}

/// Whether a name is a C expression such as `x`, `s.f` or `a[2]`.
fn is_expression(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // Such members are of types of our own headers; other headers name them otherwise.
    let own = text.contains(".__");
    starts && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c)) && !is_copy(text) && !own
}

/// The Program's second variable of a name is `x.2`.
fn is_copy(name: &str) -> bool {
    name.split('.').skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

fn base(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// Whether what is declared at a place can be named at a statement.
pub fn in_scope(loaded: &Loaded, declaration: Span, is_local: bool, statement: &StatementPlace) -> bool {
    let position = |span: Span| (span.line, span.column);
    if declaration.file != statement.first.file || position(declaration) >= position(statement.first) {
        return false;
    }
    let blocks = || loaded.statements.iter().filter(|s| s.kind == StatementKind::Compound);
    // What the head of a loop declares is known in the loop.
    let scopes =
        || loaded.statements.iter().filter(|s| matches!(s.kind, StatementKind::Compound | StatementKind::OtherLoop));
    match scopes().rfind(|scope| scope.contains(declaration)) {
        Some(block) => block.contains(statement.first),
        None if is_local => {
            // A parameter: of the function whose body comes next.
            let body = blocks().find(|block| position(block.first) > position(declaration));
            body.is_some_and(|body| body.contains(statement.first))
        }
        None => true,
    }
}
