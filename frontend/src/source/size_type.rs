//! The data model that a preprocessed text was made for: its own definition of `size_t` tells.

use super::token::{Kind, tokenize};
use crate::hir::DataModel;

/// The data model in which `size_t` has the type that the text gives it, if it does.
pub(crate) fn inferred_model(text: &str) -> Option<DataModel> {
    let tokens = tokenize(text).tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.start..token.end]);
    let is_defined = |at: &usize| word(*at) == "size_t" && word(at + 1) == ";" && tokens[*at].kind == Kind::Word;
    (0..tokens.len()).filter(is_defined).find_map(|at| {
        let mut words: Vec<&str> = (0..at).rev().map(word).take_while(|w| *w != "typedef").take(4).collect();
        let begun = at.checked_sub(words.len() + 1).map(word) == Some("typedef");
        words.sort_unstable();
        match words.as_slice() {
            ["int", "unsigned"] | ["unsigned"] if begun => Some(DataModel::Ilp32),
            ["int", "long", "unsigned"] | ["long", "unsigned"] if begun => Some(DataModel::Lp64),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_t_tells() {
        assert_eq!(inferred_model("typedef unsigned int size_t;"), Some(DataModel::Ilp32));
        assert_eq!(inferred_model("int x; typedef long unsigned int size_t;"), Some(DataModel::Lp64));
        assert_eq!(inferred_model("typedef unsigned long size_t; int main() {}"), Some(DataModel::Lp64));
        assert_eq!(inferred_model("unsigned int size_t;"), None);
        assert_eq!(inferred_model("typedef __size size_t; size_t x;"), None);
        assert_eq!(inferred_model("size_t;"), None);
    }
}
