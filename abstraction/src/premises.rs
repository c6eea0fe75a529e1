//! What entailment is asked about: conjunctions of literals, split into parts that share no variable, and their plainest bounds.

use std::cmp::Ordering;
use std::sync::atomic::{self, AtomicU32};

use linear::{Literal, Symbol};
use program::VarId;
use smallvec::SmallVec;

/// The number of a conjunction.
pub(crate) type Number = u32;

/// A conjunction of premises, split into components that share no variable.
#[derive(Clone, Debug, Default)]
pub struct Premises {
    /// The literals of one component after another, each sorted.
    pub(crate) literals: Vec<Literal>,
    /// Where each component ends, and its number, where it has been asked about.
    pub(crate) components: SmallVec<[(u32, Numbered); 8]>,
    /// The component of each symbol, sorted by symbol.
    pub(crate) of_symbol: Vec<(Symbol, u32)>,
}

/// The number of a conjunction, once it is known. Whoever finds it writes the same.
#[derive(Debug)]
pub(crate) struct Numbered(AtomicU32);

impl Numbered {
    const UNKNOWN: u32 = u32::MAX;

    /// The number, if it is known.
    pub(crate) fn get(&self) -> Option<Number> {
        let number = self.0.load(atomic::Ordering::Relaxed);
        (number != Numbered::UNKNOWN).then_some(number)
    }
    /// Keeps the number.
    pub(crate) fn set(&self, number: Number) {
        self.0.store(number, atomic::Ordering::Relaxed);
    }
}

impl Default for Numbered {
    fn default() -> Self {
        Numbered(AtomicU32::new(Numbered::UNKNOWN))
    }
}

impl Clone for Numbered {
    fn clone(&self) -> Self {
        Numbered(AtomicU32::new(self.0.load(atomic::Ordering::Relaxed)))
    }
}

impl Premises {
    /// The literals of a component.
    pub(crate) fn component(&self, component: usize) -> &[Literal] {
        let end = |k: usize| self.components[k].0 as usize;
        let start = if component == 0 { 0 } else { end(component - 1) };
        &self.literals[start..end(component)]
    }
    /// The components that these symbols belong to.
    pub(crate) fn components_of(&self, symbols: &[Symbol]) -> SmallVec<[u32; 8]> {
        let mut found = SmallVec::new();
        for symbol in symbols {
            if let Ok(k) = self.of_symbol.binary_search_by_key(symbol, |(s, _)| *s) {
                let component = self.of_symbol[k].1;
                if !found.contains(&component) {
                    found.push(component);
                }
            }
        }
        found
    }
}

/// Lower and upper bounds of single symbols, sorted by symbol: what a conjunction says most plainly. Millions of pairs are compared,
/// so they are small; a bound beyond 64 bits is the nearest that is not.
#[derive(Clone, Debug, Default)]
pub struct Bounds(Vec<(Symbol, i64, i64)>);

impl Bounds {
    /// Makes one of the bounds that single literals state.
    pub(crate) fn new(mut all: Vec<(Symbol, i128, i128)>) -> Bounds {
        all.sort_unstable();
        let mut merged: Vec<(Symbol, i64, i64)> = Vec::with_capacity(all.len());
        for (symbol, low, high) in all {
            let (low, high) = (nearest(low), nearest(high));
            match merged.last_mut() {
                Some(last) if last.0 == symbol => *last = (symbol, last.1.max(low), last.2.min(high)),
                _ => merged.push((symbol, low, high)),
            }
        }
        Bounds(merged)
    }
    /// The only value that a variable can have.
    pub fn value(&self, var: VarId) -> Option<i128> {
        let k = self.0.binary_search_by_key(&symbol_of(var), |(symbol, ..)| *symbol).ok()?;
        let (_, low, high) = self.0[k];
        // The outermost numbers stand for all beyond them.
        (low == high && low != i64::MIN && high != i64::MAX).then_some(i128::from(low))
    }
    /// Whether some symbol cannot satisfy both.
    pub fn contradict(&self, other: &Bounds) -> bool {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some((x, low, high)), Some((y, least, most))) = (a.peek(), b.peek()) {
            match x.cmp(y) {
                Ordering::Less => _ = a.next(),
                Ordering::Greater => _ = b.next(),
                Ordering::Equal if low.max(least) > high.min(most) => return true,
                Ordering::Equal => _ = (a.next(), b.next()),
            }
        }
        false
    }
}

/// What a bound says within 64 bits. Whatever is beyond it is compatible with it: no bound becomes stricter.
fn nearest(bound: i128) -> i64 {
    i64::try_from(bound).unwrap_or(if bound < 0 { i64::MIN } else { i64::MAX })
}

/// The symbol of a variable; that of its value after a step is the next.
pub(crate) fn symbol_of(var: VarId) -> Symbol {
    2 * var.0 + 2
}
