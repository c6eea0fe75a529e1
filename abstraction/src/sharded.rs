//! A table that several workers read and write at once.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// More parts than workers, so that two seldom want the same.
const SHARDS: usize = 64;

/// A map in parts, each behind a lock of its own.
pub(crate) struct Sharded<K, V> {
    shards: Vec<Shard<K, V>>,
}

/// Locks that are taken by different workers share no cache line.
#[repr(align(64))]
struct Shard<K, V>(Mutex<Part<K, V>>);

/// A part of the table.
pub(crate) struct Part<K, V> {
    /// What it holds.
    pub(crate) map: FxHashMap<K, V>,
    /// How often it was asked.
    pub(crate) asked: u64,
    /// How often it knew.
    pub(crate) known: u64,
}

impl<K: Hash + Eq, V> Default for Sharded<K, V> {
    fn default() -> Self {
        let part = || Part { map: FxHashMap::default(), asked: 0, known: 0 };
        Sharded { shards: (0..SHARDS).map(|_| Shard(Mutex::new(part()))).collect() }
    }
}

impl<K: Hash + Eq, V> Sharded<K, V> {
    /// The part for keys of this number; whoever asks for a key gives the same number each time.
    pub(crate) fn part(&self, number: u32) -> MutexGuard<'_, Part<K, V>> {
        // Neighbouring numbers go to different parts, and so do those that differ in high bits alone.
        let mixed = number.wrapping_mul(0x9E37_79B1) >> 16;
        self.shards[mixed as usize % SHARDS].0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// How often all parts were asked, and how often they knew.
    pub(crate) fn totals(&self) -> (u64, u64) {
        let parts = self.shards.iter().map(|shard| shard.0.lock().unwrap_or_else(PoisonError::into_inner));
        parts.fold((0, 0), |(asked, known), part| (asked + part.asked, known + part.known))
    }
}
