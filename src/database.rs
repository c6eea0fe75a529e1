//! Compilation databases (`compile_commands.json`): the C files of a project, with what the compiler is told about each. Of the
//! commands only flags of our own list are taken: nothing of them is run, and no file that they name is read but for `#include`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;
use frontend::Input;
use serde_json::Value as Json;

use crate::arguments::FlagArguments;
use crate::flags::{Flag, add, flag};

/// Longer databases are not read.
const LONGEST: u64 = 256 << 20;

/// Whether a path names a compilation database.
pub fn is_database(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "json")
}

/// An entry: a file, and what a compiler would be told.
pub struct Entry {
    pub input: Input,
    pub flags: FlagArguments,
}

/// The C files of a database, in its order, each once.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let shown = path.display();
    let unreadable = |why: String| format!("cannot read {shown}: {why}");
    let length = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if length > LONGEST {
        return Err(unreadable(format!("it is longer than {LONGEST} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let malformed = |why: String| format!("{shown} is no compilation database: {why}");
    let json: Json = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    let list = json.as_array().ok_or_else(|| malformed("it is no list".into()))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut entries: Vec<Entry> = Vec::new();
    for (index, json) in list.iter().enumerate() {
        let wrong = |why: String| malformed(format!("entry {}: {why}", index + 1));
        let file = json["file"].as_str().ok_or_else(|| wrong("it has no \"file\"".into()))?;
        if Path::new(file).extension().is_none_or(|e| e != "c" && e != "i") {
            continue;
        }
        let directory = shortened(&beside.join(json["directory"].as_str().unwrap_or("")));
        let file = shortened(&directory.join(file));
        if entries.iter().any(|entry| entry.input.path == file) {
            continue;
        }
        let flags = flags(&words(json).map_err(wrong)?, &directory).map_err(|why| wrong(format!("{file:?}: {why}")))?;
        entries.push(Entry { input: Input { path: file, flags: flags.flags() }, flags });
    }
    if entries.is_empty() {
        return Err(malformed("it names no C file".into()));
    }
    Ok(entries)
}

/// The words of an entry's command.
fn words(entry: &Json) -> Result<Vec<String>, String> {
    if let Some(list) = entry["arguments"].as_array() {
        let text = |word: &Json| word.as_str().map(str::to_string).ok_or("an argument is no string".to_string());
        return list.iter().map(text).collect();
    }
    let command = entry["command"].as_str().ok_or("it has neither \"arguments\" nor \"command\"")?;
    split(command).ok_or_else(|| "its command has a quotation mark too many".into())
}

/// A command as a shell takes it apart, without expanding anything.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().push(letters.next()?),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// What of a command we take. The compiler itself, the file and all flags that we do not know are left out.
fn flags(words: &[String], directory: &Path) -> Result<FlagArguments, String> {
    let words: Vec<OsString> = words.iter().skip(1).map(OsString::from).collect();
    let mut taken: Vec<OsString> = vec!["flags".into()];
    let mut rest = words.as_slice();
    while let [first, ..] = rest {
        if first.to_string_lossy().starts_with('@') {
            return Err(format!("{} is a response file, which is not read", first.display()));
        }
        if first == "-o" {
            rest = rest.get(2..).unwrap_or(&[]);
            continue;
        }
        let (flag, count) = flag(rest);
        match flag {
            Flag::Ours(ours) => add(&mut taken, ours),
            Flag::Refused(why) => return Err(why),
            Flag::Ignored | Flag::Unknown => {}
        }
        rest = rest.get(count..).unwrap_or(&[]);
    }
    let parsed = Wrapped::try_parse_from(taken).map_err(|error| error.to_string().trim().replace('\n', " "))?;
    Ok(parsed.flags.within(directory))
}

#[derive(Parser)]
#[command(name = "flags", disable_help_flag = true)]
struct Wrapped {
    #[command(flatten)]
    flags: FlagArguments,
}

/// A path as seen from the current directory, without `.` and `..` where that is plain.
fn shortened(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if plain.file_name().is_some_and(|name| name != "..") => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_apart_like_a_shell_does() {
        let words = |text: &str| split(text).map(|words| words.join("|"));
        assert_eq!(words("cc -DN='a b' \"x\\\"y\"  z\\ w ''").as_deref(), Some("cc|-DN=a b|x\"y|z w|"));
        assert_eq!(words("cc 'open"), None);
        assert_eq!(words("cc $(rm -rf x) `y`").as_deref(), Some("cc|$(rm|-rf|x)|`y`"));
    }

    #[test]
    fn only_flags_of_our_list_are_taken() {
        let of = |text: &str| flags(&split(text).unwrap(), Path::new("/build")).map(|flags| flags.flags());
        let taken =
            of("/evil/cc -B/evil -fplugin=evil.so -wrapper evil -specs=evil -DX=1 -I../inc -o out -c a.c").unwrap();
        assert_eq!((taken.defines, taken.include_dirs), (vec!["X=1".into()], vec![PathBuf::from("/build/../inc")]));
        assert!(of("cc @evil.rsp -c a.c").unwrap_err().contains("response file"));
        assert!(of("cc -fopenmp -c a.c").is_err());
        assert!(of("cc -std=../evil -c a.c").is_err());
    }

    #[test]
    fn paths_are_shortened() {
        assert_eq!(shortened(Path::new("/a/./b/../c.c")), Path::new("/a/c.c"));
        assert_eq!(shortened(Path::new("../x/../y.c")), Path::new("../y.c"));
        assert_eq!(shortened(&std::env::current_dir().unwrap().join("z.c")), Path::new("z.c"));
    }
}
