//! Values as a reader thinks of them: what a pointer points to, who holds a lock, which character a number is.

use frontend::{Loaded, Region, RegionKind};
use program::{Span, Value, VarId, VarKind};

/// Elements of an array that are shown, at most.
const SHOWN: usize = 8;

/// The value of a variable for readers.
pub fn text(loaded: &Loaded, var: VarId, value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => number(loaded, var, *value),
        Value::Array(array) => {
            let element = |value: &i128| number(loaded, var, *value);
            let some = array.elements.iter().take(SHOWN).map(|(i, v)| format!("[{i}] = {}", element(v)));
            format!("{{{}, rest {}}}", some.collect::<Vec<_>>().join(", "), element(&array.default))
        }
    }
}

fn number(loaded: &Loaded, var: VarId, value: i128) -> String {
    let (known, legend) = (loaded.program.var(var), &loaded.legend);
    if known.kind == VarKind::Lock {
        let holder = legend.thread(value).map(|thread| &loaded.program.thread(thread).name);
        return match (value, holder) {
            (0, _) => "free".into(),
            (_, Some(holder)) => format!("held by {holder}"),
            (value, None) => value.to_string(),
        };
    }
    if legend.pointers.contains(&known.name) {
        return pointer(loaded, value).unwrap_or_else(|| value.to_string());
    }
    match u8::try_from(value).map(char::from) {
        Ok(character) if legend.characters.contains(&known.name) && (' '..='~').contains(&character) => {
            format!("{value} '{character}'")
        }
        _ => value.to_string(),
    }
}

/// What an address points to: `&queue.head`, `block of chan.c:72 #2`; nothing for one that points nowhere.
fn pointer(loaded: &Loaded, address: i128) -> Option<String> {
    if address == 0 {
        return Some("null".into());
    }
    let (region, offset) = loaded.legend.at(address)?;
    Some(match &region.kind {
        RegionKind::Function(name) => name.clone(),
        RegionKind::Literal => "a string literal".into(),
        RegionKind::Variable(name) => format!("&{name}{}", within(region, offset)),
        RegionKind::Block(span, before) => {
            let (index, rest) = match region.stride.filter(|stride| *stride > 0) {
                Some(stride) => (Some(offset / stride), offset % stride),
                None => (has_namesakes(loaded, *span).then_some(*before as u64), offset),
            };
            let which = index.map_or_else(String::new, |index| format!(" #{}", index + 1));
            let part = if rest == 0 { String::new() } else { format!(" at {}", within(region, rest)) };
            format!("block of {}{which}{part}", short(loaded, *span))
        }
    })
}

/// Whether blocks of several allocations come from one place of the text.
fn has_namesakes(loaded: &Loaded, span: Span) -> bool {
    let from_there = |region: &&Region| matches!(region.kind, RegionKind::Block(other, _) if other == span);
    loaded.legend.regions.iter().filter(from_there).count() > 1
}

/// The part of an object that begins so many bytes after it; the object itself has no name behind its own.
fn within(region: &Region, offset: u64) -> String {
    if offset == 0 {
        return String::new();
    }
    let part = region.parts.iter().find(|(at, _)| *at == offset);
    part.map_or_else(|| format!(" + {offset} bytes"), |(_, name)| name.clone())
}

/// A place behind the last part of its file's path.
fn short(loaded: &Loaded, span: Span) -> String {
    let file = loaded.sources.name(span.file);
    format!("{}:{}", file.rsplit('/').next().unwrap_or(file), span.line)
}
