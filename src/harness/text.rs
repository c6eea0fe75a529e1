//! What the C text says by itself: which functions it calls, declares and defines.

use super::places::is_word;

/// Where a text has a name followed by an opening bracket: what follows the name.
pub fn mentions<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back().is_none_or(|c| !is_word(c));
        let rest = text[at + name.len()..].trim_start();
        (before && rest.starts_with('(')).then_some(rest)
    })
}

/// Whether a function is called, declared or defined.
pub fn is_called(text: &str, name: &str) -> bool {
    mentions(text, name).next().is_some()
}

/// Whether a function has a body.
pub fn is_defined(text: &str, name: &str) -> bool {
    mentions(text, name).any(|rest| rest.split_once(')').is_some_and(|(_, after)| after.trim_start().starts_with('{')))
}

/// The declaration of a function in the text, without what follows its parameters.
pub fn prototype(text: &str, name: &str) -> Option<String> {
    mentions(text, name).find_map(|rest| {
        let at = text.len() - rest.len();
        let (parameters, after) = rest.split_once(')')?;
        let before = text[..at].trim_end().strip_suffix(name)?.rsplit([';', '}', '{', '\n']).next()?.trim();
        let is_type = |word: &str| {
            !["return", "else", "do", "goto"].contains(&word)
                && word.chars().all(|c| c.is_alphanumeric() || "_*".contains(c))
        };
        let declares =
            !before.is_empty() && before.split_whitespace().all(is_type) && !after.trim_start().starts_with('{');
        let ty = before.trim_start_matches("extern").trim();
        declares.then(|| format!("{ty} {name}{parameters})"))
    })
}
