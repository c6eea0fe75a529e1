//! Sets of small indices.

use smallvec::SmallVec;

/// A set of indices below a fixed size. Those below 128, which few vocabularies go beyond, need no allocation: states are
/// compared with each other more often than anything else is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet(SmallVec<[u64; 2]>);

impl BitSet {
    /// The empty set of indices below `size`.
    pub fn new(size: usize) -> BitSet {
        BitSet(SmallVec::from_elem(0, size.div_ceil(64)))
    }
    /// Adds an index.
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
    /// Whether the index is in the set.
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }
    /// The indices below `size`, all of them.
    pub fn full(size: usize) -> BitSet {
        let mut all = BitSet::new(size);
        (0..size).for_each(|index| all.insert(index));
        all
    }
    /// Whether some index is in both. Both have the same size.
    pub fn intersects(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
    /// The indices in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    64 * word + bit
                })
            })
        })
    }
    /// Whether every index of `self` is in `other`. Both have the same size.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}
