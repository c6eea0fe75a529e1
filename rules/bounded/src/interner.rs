//! Byte strings that are kept once, with numbers for names, and the encoding of integers in them.

/// Byte strings in the order in which they were met, one after the other in one block of memory.
#[derive(Default)]
pub(crate) struct Interner {
    bytes: Vec<u8>,
    /// Where each string ends.
    ends: Vec<u32>,
    /// Open addressing: a string's number and 32 bits of its hash, or [`EMPTY`].
    table: Vec<(u32, u32)>,
}

const EMPTY: u32 = u32::MAX;

impl Interner {
    /// The string's number; nothing if the block is full.
    pub(crate) fn intern(&mut self, string: &[u8]) -> Option<u32> {
        if self.ends.len() * 3 >= self.table.len() * 2 {
            self.grow();
        }
        let tag = (hash(string) >> 32) as u32;
        let mask = self.table.len() - 1;
        let mut at = tag as usize & mask;
        loop {
            let (id, known) = self.table[at];
            if id == EMPTY {
                break;
            }
            if known == tag && self.get(id) == string {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
        let end = u32::try_from(self.bytes.len() + string.len()).ok()?;
        let id = u32::try_from(self.ends.len()).ok().filter(|id| *id != EMPTY)?;
        self.bytes.extend_from_slice(string);
        self.ends.push(end);
        self.table[at] = (id, tag);
        Some(id)
    }

    /// The string with this number.
    pub(crate) fn get(&self, id: u32) -> &[u8] {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.bytes[start as usize..self.ends[id as usize] as usize]
    }

    /// How many strings there are.
    pub(crate) fn count(&self) -> u32 {
        program::number(self.ends.len())
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>() + self.table.len() * size_of::<(u32, u32)>()
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        let mut table = vec![(EMPTY, 0); size];
        for (id, tag) in self.table.iter().filter(|(id, _)| *id != EMPTY) {
            let mut at = *tag as usize & (size - 1);
            while table[at].0 != EMPTY {
                at = (at + 1) & (size - 1);
            }
            table[at] = (*id, *tag);
        }
        self.table = table;
    }
}

/// A hash of all bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut state = bytes.len() as u64;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        state = mix(state ^ word);
    }
    let rest = words.remainder().iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    mix(state ^ rest)
}

/// Spreads 64 bits over 64 bits.
pub(crate) fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93u128;
    let folded = product ^ (product >> 64);
    (folded & u128::from(u64::MAX)) as u64
}

/// Appends an integer, small ones in few bytes.
pub(crate) fn put(out: &mut Vec<u8>, value: u64) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push((rest & 0x7f) as u8);
}

/// Takes an integer from the front.
pub(crate) fn take(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
        shift += 7;
    }
    value
}

/// Integers near zero, of either sign, as small ones.
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// The inverse of [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_has_one_number() {
        let mut interner = Interner::default();
        let strings: Vec<Vec<u8>> = (0..1000u32).map(|k| k.to_le_bytes()[..(k % 5) as usize].to_vec()).collect();
        let ids: Vec<Option<u32>> = strings.iter().map(|string| interner.intern(string)).collect();
        for (string, id) in strings.iter().zip(&ids) {
            assert_eq!(interner.intern(string), *id);
            assert_eq!(interner.get(id.expect("there is room")), string.as_slice());
        }
    }

    #[test]
    fn integers_are_read_as_written() {
        for value in [0, 1, -1, 63, 64, -65, i64::MAX, i64::MIN, 1 << 40] {
            let mut bytes = Vec::new();
            put(&mut bytes, zigzag(value));
            let mut rest = bytes.as_slice();
            assert_eq!(unzigzag(take(&mut rest)), value);
            assert!(rest.is_empty());
        }
    }
}
