//! Members of a union that share bytes: what a write through one means for the others.
//!
//! Every member has scalars of its own, so that reading the member last written needs no arithmetic; a write computes
//! what the others show from then on, exactly, in the same step. Bytes are in little-endian order, as on x86.

use program::{IntType, Term, VarId};

use super::{Cells, Leaf, Memory, ObjectId};

/// A variable, the element of it if it is an array, and what it becomes.
pub(crate) type Write = (VarId, Option<Term>, Term);

/// Bits of an object: the first, and how many.
#[derive(Clone, Copy)]
struct Bits {
    first: u64,
    width: u64,
}

impl Bits {
    fn end(self) -> u64 {
        self.first + self.width
    }
    fn overlaps(self, other: Bits) -> bool {
        self.first < other.end() && other.first < self.end()
    }
    fn contains(self, other: Bits) -> bool {
        self.first <= other.first && other.end() <= self.end()
    }
}

impl Leaf {
    /// The bits of its first element.
    fn bits(&self) -> Bits {
        let width = if self.sync || self.is_bool() { self.shape.size * 8 } else { u64::from(self.shape.ty.bits) };
        // The parts of a pthread object are told apart by numbers that are no bits.
        let bit = if self.sync { 0 } else { u64::from(self.shape.bit) };
        Bits { first: self.offset * 8 + bit, width }
    }

    /// A whole `_Bool`: which value it shows of other bytes than 0 and 1 is nothing to rely on.
    fn is_bool(&self) -> bool {
        self.shape.ty.bits == 1 && !self.field
    }

    /// The bits of an element.
    fn element_bits(&self, number: u64) -> Bits {
        let bytes: u64 = self.digits(number).iter().zip(&self.dims).map(|(digit, (stride, _))| digit * stride).sum();
        let first = self.bits();
        Bits { first: first.first + bytes * 8, ..first }
    }

    /// Bytes from the first element's start to the last one's end.
    fn extent(&self) -> Bits {
        let last = self.element_bits(self.count().saturating_sub(1));
        Bits { first: self.bits().first, width: last.end() - self.bits().first }
    }

    /// Whether some element shares bits with some element of the other.
    fn shares(&self, other: &Leaf) -> bool {
        // The parts of one pthread object lie in the same place without sharing anything.
        if self.sync && other.sync && self.offset == other.offset && self.shape.size == other.shape.size {
            return false;
        }
        if self.dims == other.dims {
            return self.bits().overlaps(other.bits());
        }
        self.extent().overlaps(other.extent()) && self.shape.size > 0 && other.shape.size > 0 && self.touches(other)
    }

    /// As `shares`, for leaves whose extents overlap though they lie in different arrays.
    fn touches(&self, other: &Leaf) -> bool {
        const MANY: u64 = 256;
        if self.count() > MANY || other.count() > MANY {
            // A row of structs, each with arrays of its own: told apart by where they lie within one.
            return match (self.dims.first(), other.dims.first()) {
                (Some(a), Some(b)) if a == b => self.inner().shares(&other.inner()),
                _ => true,
            };
        }
        (0..self.count()).any(|a| (0..other.count()).any(|b| self.element_bits(a).overlaps(other.element_bits(b))))
    }

    /// The leaf without its outermost dimension.
    fn inner(&self) -> Leaf {
        Leaf { dims: self.dims[1..].to_vec(), ..self.clone() }
    }

    /// Whether the values of both follow from each other, element by element.
    fn converts(&self, other: &Leaf) -> bool {
        let integers = !self.sync && !other.sync && !self.is_bool() && !other.is_bool();
        let split = |leaf: &Leaf| matches!(leaf.cells, Cells::Split(_));
        integers && (self.dims == other.dims || (split(self) && split(other)))
    }
}

impl Memory {
    /// Finds out which leaves of an object share bytes, when it has been cut.
    pub(super) fn overlaps(leaves: &[Leaf]) -> Vec<(usize, usize)> {
        let pairs = (0..leaves.len()).flat_map(|a| (a + 1..leaves.len()).map(move |b| (a, b)));
        pairs.filter(|(a, b)| leaves[*a].shares(&leaves[*b])).collect()
    }

    /// The leaves that share bytes with this one.
    fn others(&self, object: ObjectId, leaf: usize) -> impl Iterator<Item = usize> + '_ {
        self.object(object).shared_bytes.iter().filter_map(move |(a, b)| match leaf {
            _ if *a == leaf => Some(*b),
            _ if *b == leaf => Some(*a),
            _ => None,
        })
    }

    /// Whether a write to the leaf changes what others show.
    pub(crate) fn is_viewed(&self, object: ObjectId, leaf: usize) -> bool {
        let leaves = &self.object(object).leaves;
        self.others(object, leaf).any(|other| leaves[leaf].converts(&leaves[other]))
    }

    /// Leaves that share bytes with this one, but whose values do not follow from its own: only one of them may be used.
    pub(crate) fn rivals(&self, object: ObjectId, leaf: usize) -> Vec<usize> {
        let leaves = &self.object(object).leaves;
        self.others(object, leaf).filter(|other| !leaves[leaf].converts(&leaves[*other])).collect()
    }

    /// What a write of `value` to an element of a leaf makes of the other views of its bytes.
    pub(crate) fn views(&self, object: ObjectId, leaf: usize, number: Term, value: Term) -> Vec<Write> {
        let leaves = &self.object(object).leaves;
        let source = &leaves[leaf];
        let mut writes = Vec::new();
        for other in self.others(object, leaf).filter(|other| source.converts(&leaves[*other])) {
            let target = &leaves[other];
            match (&target.cells, number.as_int().and_then(|n| u64::try_from(n).ok())) {
                (Cells::Array(var), _) => {
                    let old = self.term(*var).select(number);
                    let seen = seen(source, source.bits(), target, target.bits(), value, old);
                    writes.extend(seen.map(|value| (*var, Some(number), value)));
                }
                (Cells::Split(vars), Some(number)) => {
                    let written = source.element_bits(number);
                    for (index, var) in (0u64..).zip(vars) {
                        let shown = target.element_bits(index);
                        if written.overlaps(shown) {
                            let seen = seen(source, written, target, shown, value, self.term(*var));
                            writes.extend(seen.map(|value| (*var, None, value)));
                        }
                    }
                }
                (Cells::Split(_), None) => {}
            }
        }
        writes
    }
}

/// What a view shows after `value` has been written to the source's bits; nothing if it shows nothing new.
fn seen(source: &Leaf, written: Bits, target: &Leaf, shown: Bits, value: Term, old: Term) -> Option<Term> {
    let power = |bits: u64| Term::int(1_i128.checked_shl(u32::try_from(bits).unwrap_or(127)).unwrap_or(i128::MAX));
    let natural = |term: Term, leaf: &Leaf| {
        if leaf.shape.ty.signed { term.wrap(IntType::new(leaf.shape.ty.bits, false)) } else { term }
    };
    let result = |natural: Term, fits: bool| {
        if target.shape.ty.signed || !fits { natural.wrap(target.shape.ty) } else { natural }
    };
    let raw = natural(value, source);
    if written.contains(shown) {
        let above = if shown.first == written.first { raw } else { raw.div(power(shown.first - written.first)) };
        return Some(result(above, shown.end() == written.end()));
    }
    let before = natural(old, target);
    // The common part, cut out of both and put in place.
    let first = written.first.max(shown.first);
    let width = written.end().min(shown.end()) - first;
    let cut = |term: Term, from: u64| {
        let high = if from == 0 { term } else { term.div(power(from)) };
        high.rem(power(width))
    };
    let (new, gone) = (cut(raw, first - written.first), cut(before, first - shown.first));
    let shift = power(first - shown.first);
    Some(result(before.sub(gone.mul(shift)).add(new.mul(shift)), true))
}
