//! The programs of a study: files as named, and what is in directories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use frontend::Options;

use super::Failure;
use crate::arguments::FlagArguments;
use crate::{input, origin};

/// What is verified, the best first: a task says what its C text does not.
const KINDS: [&str; 3] = ["yml", "i", "c"];

/// A program, or one of the family that its text stands for.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path as the command line leads to it: the name under which its rows are kept.
    pub path: PathBuf,
    /// What is in it.
    pub sha256: String,
    /// Which of its family; nothing if it has none.
    pub member: Option<Member>,
    /// Whether it is proved, or tried first, as one with any number of threads, so that levels make a difference. Known only
    /// where somebody asks for levels.
    pub is_parametric: bool,
}

/// One of a family: a macro's value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// The macro.
    pub parameter: String,
    /// Its value, by which a plot is ordered.
    pub value: u64,
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.parameter, self.value)
    }
}

impl Program {
    /// The path as text.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Finds out whether levels make a difference. What cannot be loaded has none.
    pub fn look_for_threads_of_any_number(&mut self, flags: &FlagArguments) {
        let define = |Member { parameter, value }: &Member| format!("{parameter}={value}");
        let mut all = flags.flags();
        all.defines.extend(self.member.iter().map(define));
        let options = Options { flags: all, data_model: flags.data_model(), ..Options::default() };
        let loaded = input::load(&[self.path.as_path().into()], &options);
        self.is_parametric = loaded.is_ok_and(|loaded| {
            !loaded.program.templates().is_empty()
                || loaded.repeated.iter().any(|(_, count)| *count >= rules::schedule::OFTEN)
        });
    }
}

/// All programs, each once, in the order of the command line and of names in directories. Each was readable just now.
pub fn find(named: &[PathBuf]) -> Result<Vec<Program>, Failure> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in named {
        let metadata = std::fs::metadata(path).map_err(|error| {
            Failure::input(match error.kind() {
                std::io::ErrorKind::NotFound => format!("{} does not exist", path.display()),
                _ => format!("cannot read {}: {error}", path.display()),
            })
        })?;
        if metadata.is_dir() {
            let found = in_directory(path)?;
            if found.is_empty() {
                return Err(Failure::input(format!("{} holds no .c, .i or .yml file", path.display())));
            }
            paths.extend(found);
        } else if kind(path).is_none() {
            return Err(Failure::input(format!("{} is no program: neither .c, .i nor .yml", path.display())));
        } else {
            paths.push(path.clone());
        }
    }
    let mut programs: Vec<Program> = Vec::new();
    for path in paths {
        if programs.iter().all(|program| program.path != path) {
            programs.push(readable(path)?);
        }
    }
    Ok(programs)
}

fn readable(path: PathBuf) -> Result<Program, Failure> {
    if path.to_str().is_none() {
        return Err(Failure::input(format!("the name of {} is not UTF-8, and rows cannot hold it", path.display())));
    }
    match origin::sha256(&path) {
        Ok(sha256) => Ok(Program { path, sha256, member: None, is_parametric: false }),
        Err(error) => Err(Failure::input(format!("cannot read {}: {error}", path.display()))),
    }
}

fn kind(path: &Path) -> Option<usize> {
    let extension = path.extension()?.to_str()?;
    KINDS.iter().position(|kind| *kind == extension)
}

/// Of files that differ in their extension alone, one is meant: benchmark sets keep a task beside its text and its preprocessed text.
/// Hidden files and directories are somebody's own, or come and go.
fn in_directory(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::input(format!("cannot read {}: {error}", directory.display()));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?);
    }
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut found = Vec::new();
    let mut files: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for entry in entries {
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // The entry's own type: links to directories can lead in circles.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            found.extend(in_directory(&path)?);
        } else if kind(&path).is_some() && !path.is_dir() {
            let best = files.entry(path.with_extension("")).or_insert_with(|| path.clone());
            if kind(&path) < kind(best) {
                *best = path;
            }
        }
    }
    found.extend(files.into_values());
    // By names without extensions: `a` comes before `a-unsafe`.
    found.sort_by_key(|path| path.with_extension(""));
    Ok(found)
}
