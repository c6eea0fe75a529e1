//! Hash-consing: structurally equal terms are one allocation, so equality and hashing are pointer operations.
//!
//! Nodes live as long as the process. Terms are therefore `Copy` and can be shared between threads without counting;
//! a verifier's run is short, and every term it builds is likely to be met again.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::term::{Node, Sort, Term, TermKind};

const SHARDS: usize = 64;

struct Entry(&'static Node);

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0.kind == other.0.kind
    }
}
impl Eq for Entry {}
impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.kind.hash(state);
    }
}
impl std::borrow::Borrow<TermKind> for Entry {
    fn borrow(&self) -> &TermKind {
        &self.0.kind
    }
}

struct Table {
    shards: Vec<Mutex<FxHashSet<Entry>>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table { shards: (0..SHARDS).map(|_| Mutex::new(FxHashSet::default())).collect() })
}

/// The unique term of this kind. Callers have normalised `kind` already.
pub(crate) fn intern(kind: TermKind, sort: Sort) -> Term {
    let table = table();
    let shard = (FxBuildHasher.hash_one(&kind) >> 32) as usize % SHARDS;
    // A panic while the lock was held cannot have left a half-inserted entry: insertion is the last step.
    let mut set = table.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(entry) = set.get(&kind) {
        return Term(entry.0);
    }
    let node: &'static Node = Box::leak(Box::new(Node { kind, sort }));
    set.insert(Entry(node));
    Term(node)
}
