//! What a text violates, claim by claim, by exploring what it is lowered to.

use std::collections::BTreeSet;
use std::path::Path;

use frontend::{Fusion, Options, PropertySource};
use program::{ClaimId, Property};

use super::explore::{self, SMALL};
use super::lowered::lower_text;

/// The lines of violated claims of these properties, found in programs that ask one claim each.
pub fn found(
    dir: &Path,
    name: &str,
    text: &str,
    properties: &[Property],
    fusion: Fusion,
) -> Result<BTreeSet<(u32, Property)>, String> {
    let names: Vec<String> = properties.iter().map(|property| property.name().to_string()).collect();
    let asking = |unasked: BTreeSet<ClaimId>| Options {
        property: PropertySource::Names(names.clone()),
        fusion,
        unasked,
        ..Options::default()
    };
    let all = lower_text(dir, name, text, &asking(BTreeSet::new()))?;
    let all: BTreeSet<ClaimId> = all.program.claims().iter().map(|claim| claim.id).collect();
    let mut found = BTreeSet::new();
    for claim in &all {
        let unasked = all.iter().copied().filter(|other| other != claim).collect();
        let one = lower_text(dir, name, text, &asking(unasked))?;
        let explored = explore::explore(&one.program, &[], &SMALL, 200_000)?;
        if !explored.failures.is_empty() {
            found.insert((claim.span.line, claim.property));
        }
    }
    Ok(found)
}

/// Whether it is not decided, of a text, what is asked for.
pub fn is_undecided(dir: &Path, name: &str, text: &str, properties: &[Property]) -> bool {
    let names = properties.iter().map(|property| property.name().to_string()).collect();
    let options = Options { property: PropertySource::Names(names), ..Options::default() };
    lower_text(dir, name, text, &options).is_ok_and(|loaded| loaded.undecided.is_some())
}
