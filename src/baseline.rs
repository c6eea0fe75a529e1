//! Known violations that a project has accepted for now: a file that names them, so that only new ones count.
//!
//! One line is one claim, a JSON array: the property, then file, function and text of the line, and for a claim about two places those of
//! the other. Line numbers are left out, since they change with every edit above. Empty lines and lines that begin with `#` are skipped.

use std::collections::BTreeSet;
use std::path::Path;

use frontend::Loaded;
use program::{Claim, ClaimId, Property, Span};
use serde_json::Value as Json;

/// A claim as a baseline names it.
type Entry = Vec<String>;

/// The claims of a program that a baseline accepts.
pub struct Accepted {
    /// Which.
    pub claims: BTreeSet<ClaimId>,
    /// Their entries.
    entries: BTreeSet<Entry>,
    /// How many entries are about no claim of the program.
    pub stale: usize,
}

/// What a file accepts of the claims of a text's programs, or what is wrong with the file, and where.
pub fn read(path: &Path, lowered: &[Loaded]) -> Result<Accepted, String> {
    let text = crate::check::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let entries = parse(&text).map_err(|(line, column, what)| format!("{}:{line}:{column}: {what}", path.display()))?;
    let all = lowered.iter().flat_map(|loaded| loaded.program.claims().iter().map(move |claim| (loaded, claim)));
    let named = all.map(|(loaded, claim)| (claim.id, entry(loaded, claim)));
    let found: Vec<(ClaimId, Entry)> = named.filter(|(_, entry)| entries.contains(entry)).collect();
    let claims = found.iter().map(|(claim, _)| *claim).collect();
    let live: BTreeSet<Entry> = found.into_iter().map(|(_, entry)| entry).collect();
    let stale = entries.len() - live.len();
    Ok(Accepted { claims, entries: live, stale })
}

/// The text of a baseline that accepts these violations beside what was accepted already.
pub fn write<'a>(accepted: Option<&Accepted>, violations: impl Iterator<Item = (&'a Loaded, &'a Claim)>) -> String {
    let mut entries: BTreeSet<Entry> = accepted.map(|accepted| accepted.entries.clone()).unwrap_or_default();
    entries.extend(violations.map(|(loaded, claim)| entry(loaded, claim)));
    let lines = entries.into_iter().map(|entry| format!("{}\n", Json::from(entry)));
    format!(
        "# Violations that are known: property, then file, function and line of each place.\n{}",
        lines.collect::<String>()
    )
}

fn entry(loaded: &Loaded, claim: &Claim) -> Entry {
    let place = |span: Span| {
        let file = loaded.program.files().get(span.file as usize).map_or("", String::as_str);
        let name = Path::new(file).file_name().map_or_else(|| file.into(), |name| name.to_string_lossy().into_owned());
        let function = loaded.statements.iter().rfind(|statement| statement.contains(span));
        let function = function.map_or(&claim.function, |statement| &statement.function);
        [name, function.clone(), loaded.sources.line(span).unwrap_or("").trim().to_string()]
    };
    [claim.id.property.name().to_string()].into_iter().chain(claim.id.places().flat_map(place)).collect()
}

fn parse(text: &str) -> Result<BTreeSet<Entry>, (usize, usize, String)> {
    let mut all = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let value: Json = serde_json::from_str(line).map_err(|error| {
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or(&what).to_string();
            (number, error.column().max(1), what)
        })?;
        let malformed = || (number, 1, "not an array of strings".to_string());
        let strings = value.as_array().ok_or_else(malformed)?.iter().map(|item| item.as_str().map(str::to_string));
        let entry: Entry = strings.collect::<Option<_>>().ok_or_else(malformed)?;
        if !Property::ALL.iter().any(|property| entry.first().is_some_and(|name| name == property.name())) {
            return Err((number, 2, "it begins with no property's name".into()));
        }
        if ![4, 7].contains(&entry.len()) {
            let what = format!("{} strings instead of 4, or 7 for two places", entry.len());
            return Err((number, 1, what));
        }
        all.insert(entry);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let wrong = |text: &str| parse(text).unwrap_err();
        assert_eq!(wrong("# ok\n\n[\"no-overflow\", \"a.c\", "), (3, 23, "EOF while parsing a value".into()));
        assert_eq!(wrong("{}"), (1, 1, "not an array of strings".into()));
        assert_eq!(wrong("[\"no-overflow\", 1]"), (1, 1, "not an array of strings".into()));
        assert_eq!(wrong("[\"overflow\", \"a.c\", \"f\", \"x\"]"), (1, 2, "it begins with no property's name".into()));
        assert_eq!(wrong("[\"no-overflow\"]"), (1, 1, "1 strings instead of 4, or 7 for two places".into()));
        assert_eq!(parse("[\"no-overflow\", \"a.c\", \"f\", \"x++;\"]\n").unwrap().len(), 1);
    }
}
