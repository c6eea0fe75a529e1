//! Concrete arrays, hash-consed: two arrays are equal iff their ids are.
//!
//! An array is a default and pages of elements that differ from it. Pages are shared, so that to replace one element of a long
//! array costs one page and a list of their numbers.

use rustc_hash::FxHashMap;

use crate::machine::Word;

/// Elements a page.
const PAGE: i64 = 32;

/// An array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ArrayId(pub(crate) u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Contents {
    default: Word,
    /// By number, those that are not the default everywhere.
    pages: Box<[(i64, u32)]>,
}

/// All arrays that a search has met.
#[derive(Clone, Default)]
pub(crate) struct Arrays {
    /// Without the defaults at the end.
    pages: Vec<Box<[Word]>>,
    page_ids: FxHashMap<Box<[Word]>, u32>,
    contents: Vec<Contents>,
    ids: FxHashMap<Contents, u32>,
    bytes: usize,
}

impl Arrays {
    /// The array that holds one value everywhere.
    pub(crate) fn filled(&mut self, default: Word) -> ArrayId {
        self.intern(Contents { default, pages: Box::new([]) })
    }

    pub(crate) fn default_of(&self, array: ArrayId) -> Word {
        self.contents[array.0 as usize].default
    }

    pub(crate) fn get(&self, array: ArrayId, index: i64) -> Word {
        let contents = &self.contents[array.0 as usize];
        let (page, offset) = place(index);
        match contents.pages.binary_search_by_key(&page, |(number, _)| *number) {
            Ok(found) => self.pages[contents.pages[found].1 as usize].get(offset).copied().unwrap_or(contents.default),
            Err(_) => contents.default,
        }
    }

    /// The array with one element replaced.
    pub(crate) fn set(&mut self, array: ArrayId, index: i64, value: Word) -> ArrayId {
        if self.get(array, index) == value {
            return array;
        }
        let contents = &self.contents[array.0 as usize];
        let (page, offset) = place(index);
        let found = contents.pages.binary_search_by_key(&page, |(number, _)| *number);
        let default = contents.default;
        let mut elements: Vec<Word> = match found {
            Ok(at) => self.pages[contents.pages[at].1 as usize].to_vec(),
            Err(_) => Vec::new(),
        };
        if elements.len() <= offset {
            elements.resize(offset + 1, default);
        }
        elements[offset] = value;
        while elements.last() == Some(&default) {
            elements.pop();
        }
        let mut pages = contents.pages.to_vec();
        match (found, elements.is_empty()) {
            (Ok(at), true) => drop(pages.remove(at)),
            (Ok(at), false) => pages[at].1 = self.page(elements.into()),
            (Err(at), _) => pages.insert(at, (page, self.page(elements.into()))),
        }
        self.intern(Contents { default, pages: pages.into() })
    }

    /// The array with another default: elements that had the old one have the new one.
    pub(crate) fn with_default(&mut self, array: ArrayId, default: Word) -> ArrayId {
        let elements: Vec<(i64, Word)> = self.elements(array).collect();
        let filled = self.filled(default);
        elements.into_iter().fold(filled, |array, (index, value)| self.set(array, index, value))
    }

    /// The elements that differ from the default, in order.
    pub(crate) fn elements(&self, array: ArrayId) -> impl Iterator<Item = (i64, Word)> + '_ {
        let contents = &self.contents[array.0 as usize];
        contents.pages.iter().flat_map(move |(number, page)| {
            let elements = (0..).zip(self.pages[*page as usize].iter());
            elements.filter(|(_, value)| **value != contents.default).map(move |(k, value)| (number * PAGE + k, *value))
        })
    }

    /// Memory in use, about.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    fn page(&mut self, elements: Box<[Word]>) -> u32 {
        if let Some(id) = self.page_ids.get(&elements) {
            return *id;
        }
        let id = program::number(self.pages.len());
        self.bytes += 2 * elements.len() * size_of::<Word>() + 48;
        self.pages.push(elements.clone());
        self.page_ids.insert(elements, id);
        id
    }

    fn intern(&mut self, contents: Contents) -> ArrayId {
        if let Some(id) = self.ids.get(&contents) {
            return ArrayId(*id);
        }
        let id = program::number(self.contents.len());
        self.bytes += 2 * contents.pages.len() * size_of::<(i64, u32)>() + 64;
        self.contents.push(contents.clone());
        self.ids.insert(contents, id);
        ArrayId(id)
    }
}

/// The page that an element is on, and its place there.
fn place(index: i64) -> (i64, usize) {
    let offset = index.rem_euclid(PAGE);
    (index.div_euclid(PAGE), usize::try_from(offset).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_arrays_have_one_id() {
        let mut arrays = Arrays::default();
        let zero = arrays.filled(0);
        let once = arrays.set(zero, -5, 7);
        let twice = arrays.set(once, 1000, 3);
        let other = arrays.set(zero, 1000, 3);
        assert_eq!(arrays.set(other, -5, 7), twice);
        assert_eq!(arrays.set(twice, 1000, 0), once);
        assert_eq!(arrays.set(once, -5, 0), zero);
        assert_eq!((arrays.get(twice, -5), arrays.get(twice, 1000), arrays.get(twice, 999)), (7, 3, 0));
        assert_eq!(arrays.elements(twice).collect::<Vec<_>>(), [(-5, 7), (1000, 3)]);
        let ones = arrays.with_default(twice, 1);
        assert_eq!((arrays.get(ones, -5), arrays.get(ones, 0)), (7, 1));
    }
}
