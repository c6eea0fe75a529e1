//! Names of the Program's variables: unique, stable, and close to the C text.

use std::collections::{BTreeMap, BTreeSet};

use program::{Owner, VarId, VarKind};

use crate::lower::LoweredThread;
use crate::memory::Memory;

/// A name for each variable: its C name, behind `thread::` unless it has static storage, `_` before a temporary's.
pub(crate) fn names(
    memory: &Memory,
    owners: &BTreeMap<VarId, Owner>,
    threads: &[(usize, LoweredThread)],
) -> BTreeMap<VarId, String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut copies: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = BTreeMap::new();
    // The C text's names come first, so that none of ours takes one from it.
    let (ours, text): (Vec<_>, Vec<_>) = owners.iter().partition(|(var, _)| !is_of_text(memory.cell(**var).kind));
    for (var, owner) in text.into_iter().chain(ours) {
        let cell = memory.cell(*var);
        let base = match cell.kind {
            VarKind::Temporary => format!("_{}", cell.name.trim_start_matches('_')),
            _ => cell.name.clone(),
        };
        let home = match (cell.home.filter(|_| !matches!(cell.kind, VarKind::Control(_))), owner) {
            (Some(number), _) => threads.iter().find(|(n, _)| *n == number).map(|(_, t)| t.name.as_str()),
            (None, Owner::Input(thread)) => threads.get(thread.0 as usize).map(|(_, t)| t.name.as_str()),
            (None, _) => None,
        };
        let full = match home {
            Some(thread) => format!("{thread}::{base}"),
            None => base,
        };
        let mut name = full.clone();
        // What has been taken stays so: there may be very many copies, and the search goes on where it ended.
        while !taken.insert(name.clone()) {
            let copy = copies.entry(full.clone()).or_insert(1);
            *copy += 1;
            name = format!("{full}.{copy}");
        }
        names.insert(*var, name);
    }
    names
}

fn is_of_text(kind: VarKind) -> bool {
    matches!(kind, VarKind::User | VarKind::Lock)
}
