//! Names of ours in a harness, which must be none of the program's.

use frontend::{Loaded, Options};

/// How all names of ours begin, unless the program has such names.
const OURS: &str = "threader";
/// Stands before the underscores of the program's names in text of ours, so that they are not taken for ours.
const MARK: char = '\u{1}';

/// A beginning of names that neither the program nor its command line has.
pub fn ours(loaded: &Loaded, options: &Options) -> String {
    let files = (0..).zip(loaded.sources.names()).filter(|(_, name)| !name.starts_with("<threader>/"));
    let texts = files.filter_map(|(file, _)| loaded.sources.text(file));
    let texts = texts.chain(options.flags.defines.iter().map(String::as_str));
    let texts: Vec<String> = texts.map(str::to_lowercase).collect();
    let free = |ours: &String| !texts.iter().any(|text| text.contains(&format!("{ours}_")));
    let numbered = (2..).map(|number| format!("{OURS}{number}"));
    [OURS.to_string()].into_iter().chain(numbered).find(free).unwrap_or_else(|| OURS.to_string())
}

/// A name of the program for text of ours.
pub fn theirs(name: &str) -> String {
    name.replace('_', &format!("{MARK}_"))
}

/// Text of ours with another beginning of its names, and the program's as they are.
pub fn renamed(text: &str, ours: &str) -> String {
    let of = |name: &str| format!("{name}_");
    let text = text.replace(&of(OURS), &of(ours)).replace(&of(&OURS.to_uppercase()), &of(&ours.to_uppercase()));
    text.replace(MARK, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_names_stay() {
        let text = format!("THREADER_QUIET int threader_self = {};", theirs("threader_self"));
        assert_eq!(renamed(&text, "threader2"), "THREADER2_QUIET int threader2_self = threader_self;");
    }
}
