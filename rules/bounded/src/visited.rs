//! The states visited, each with what was left of the bounds.

use rustc_hash::FxHashMap;

use crate::bounds::{Bounds, Hashing};
use crate::interner::{Interner, mix, put, zigzag};
use crate::memory::Last;

/// What is left of the bounds of a run. No bound is the greatest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) preemptions: u16,
    pub(crate) contexts: u16,
    pub(crate) steps: u32,
}

/// No bound.
const UNBOUNDED: u16 = u16::MAX;

impl Left {
    /// What is left before the first step.
    pub(crate) fn of(bounds: &Bounds) -> Left {
        let short = |bound: Option<u32>| match bound {
            Some(bound) => u16::try_from(bound).unwrap_or(UNBOUNDED - 1).min(UNBOUNDED - 1),
            None => UNBOUNDED,
        };
        Left {
            preemptions: short(bounds.preemptions),
            contexts: short(bounds.contexts),
            steps: bounds.steps.unwrap_or(u32::MAX),
        }
    }

    /// Whether whoever may go on with this much may go on as much as the other.
    fn covers(self, other: Left) -> bool {
        self.preemptions >= other.preemptions && self.contexts >= other.contexts && self.steps >= other.steps
    }

    /// After a step that spends so many preemptions and switches; nothing if there is not as much left.
    pub(crate) fn after(self, preemptions: u16, contexts: u16) -> Option<Left> {
        let spend = |left: u16, cost: u16| if left == UNBOUNDED { Some(left) } else { left.checked_sub(cost) };
        Some(Left {
            preemptions: spend(self.preemptions, preemptions)?,
            contexts: spend(self.contexts, contexts)?,
            steps: if self.steps == u32::MAX { u32::MAX } else { self.steps.checked_sub(1)? },
        })
    }

    /// Whether switches cost nothing.
    pub(crate) fn is_free_to_switch(self) -> bool {
        self.preemptions == UNBOUNDED && self.contexts == UNBOUNDED
    }
}

/// A set of threads, of the first 64.
pub(crate) type Threads = u64;

/// Whether a state has to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// For the first time, or with more left than before.
    New,
    /// Again, for these threads, which slept before.
    Awakened(Threads),
    /// It was visited with at least as much left.
    Covered,
    /// There is no room to remember it.
    Full,
}

/// What a state is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A number that no other state has.
    Contents(u32),
    /// A hash.
    Fingerprint(u64),
}

/// The states visited.
pub(crate) struct Visited {
    limit: usize,
    states: usize,
    kind: Kind,
}

enum Kind {
    /// By contents and active thread. The lists are for states visited with one bound's rest larger, another's smaller.
    Exact {
        best: FxHashMap<(u32, u32), Left>,
        others: FxHashMap<(u32, u32), Vec<Left>>,
    },
    Bits(Vec<u64>),
    /// By contents, with the threads that slept in every visit so far.
    Asleep(FxHashMap<u32, Threads>),
}

/// Whether threads sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sleep {
    Never,
    Independent,
}

impl Visited {
    pub(crate) fn new(hashing: Hashing, sleep: Sleep, limit: usize) -> Visited {
        let kind = match hashing {
            Hashing::Exact if sleep == Sleep::Independent => Kind::Asleep(FxHashMap::default()),
            Hashing::Exact => Kind::Exact { best: FxHashMap::default(), others: FxHashMap::default() },
            Hashing::Bitstate(size) => Kind::Bits(vec![0; 1 << size.clamp(6, 36).saturating_sub(6)]),
        };
        Visited { limit, states: 0, kind }
    }

    /// How many states were remembered.
    pub(crate) fn states(&self) -> usize {
        self.states
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Exact { best, others } => {
                let entry = size_of::<((u32, u32), Left)>() + 1;
                best.capacity() * 8 / 7 * entry + others.len() * 64
            }
            Kind::Bits(bits) => bits.len() * 8,
            Kind::Asleep(known) => known.capacity() * 8 / 7 * (size_of::<(u32, Threads)>() + 1),
        }
    }

    /// The part of that which was asked for, and does not grow.
    pub(crate) fn fixed(&self) -> usize {
        if matches!(self.kind, Kind::Bits(_)) { self.bytes() } else { 0 }
    }

    /// Looks a state up, and remembers it. The last step, and what is left, belong to it.
    pub(crate) fn enter(&mut self, state: Name, last: Last, left: Left, asleep: Threads) -> Visit {
        let active = last.thread << 1 | u32::from(last.is_back);
        match (&mut self.kind, state) {
            (Kind::Exact { best, others }, Name::Contents(contents)) => {
                let key = (contents, active);
                if let Some(known) = best.get_mut(&key) {
                    if known.covers(left) {
                        return Visit::Covered;
                    }
                    if left.covers(*known) {
                        *known = left;
                        return Visit::New;
                    }
                    let list = others.entry(key).or_default();
                    if list.iter().any(|known| known.covers(left)) {
                        return Visit::Covered;
                    }
                    list.retain(|known| !left.covers(*known));
                    list.push(left);
                    return Visit::New;
                }
                if self.states >= self.limit {
                    return Visit::Full;
                }
                best.insert(key, left);
            }
            (Kind::Bits(bits), Name::Fingerprint(name)) => {
                let left = u64::from(left.preemptions) << 48 | u64::from(left.contexts) << 32 | u64::from(left.steps);
                let hash = mix(mix(name ^ u64::from(active)) ^ left);
                if !set_bit(bits, hash) & !set_bit(bits, mix(hash)) {
                    return Visit::Covered;
                }
            }
            (Kind::Asleep(known), Name::Contents(contents)) => {
                // What slept before and does not sleep now has not been looked at from here.
                if let Some(slept) = known.get_mut(&contents) {
                    let awakened = *slept & !asleep;
                    *slept &= asleep;
                    return if awakened == 0 { Visit::Covered } else { Visit::Awakened(awakened) };
                }
                if self.states >= self.limit {
                    return Visit::Full;
                }
                known.insert(contents, asleep);
            }
            // Names are made for the kind in use.
            _ => return Visit::Full,
        }
        self.states += 1;
        Visit::New
    }
}

/// Sets a bit; whether it was not set.
fn set_bit(bits: &mut [u64], hash: u64) -> bool {
    let place = usize::try_from(hash >> 6).unwrap_or(0) & (bits.len() - 1);
    let bit = 1 << (hash & 63);
    let is_new = bits[place] & bit == 0;
    bits[place] |= bit;
    is_new
}

/// Names for the observed part of states: locations, and the values of terms.
#[derive(Default)]
pub(crate) struct Observed {
    known: Interner,
    buffer: Vec<u8>,
}

impl Observed {
    /// The number of what `write` and the values say.
    pub(crate) fn name(&mut self, values: &[i64], write: impl FnOnce(&mut Vec<u8>)) -> Option<u32> {
        self.buffer.clear();
        write(&mut self.buffer);
        values.iter().for_each(|value| put(&mut self.buffer, zigzag(*value)));
        self.known.intern(&self.buffer)
    }
}
