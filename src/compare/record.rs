//! DIR/results.jsonl: a header and one line a row, each written when it is known. A line that was cut off is no row.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::Failure;
use super::task::{Row, Task};
use crate::arguments::CompareArguments;
use crate::origin::PRODUCER;

const NAME: &str = "results.jsonl";

/// What all rows of a study have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Who ran it.
    pub producer: String,
    /// The Z3 it ran on.
    pub z3: String,
    /// Seconds a run may take.
    pub timeout: f64,
    /// Megabytes a run may take.
    pub memory: u64,
}

impl Header {
    /// The header of a study with these limits.
    pub fn new(arguments: &CompareArguments) -> Header {
        Header {
            producer: PRODUCER.into(),
            z3: smt::z3_version(),
            timeout: arguments.timeout.as_secs_f64(),
            memory: arguments.memory,
        }
    }

    /// The header as an object.
    pub fn json(&self) -> Json {
        let Header { producer, z3, timeout, memory } = self;
        json!({ "format": 1, "producer": producer, "z3": z3, "timeout": timeout, "memory": memory })
    }
}

/// The rows that are known, in memory and on disk.
pub struct Record {
    path: PathBuf,
    file: File,
    rows: BTreeMap<Task, Row>,
}

impl Record {
    /// Begins a study in a directory that is empty or missing, or goes on with the one that is there.
    pub fn open(directory: &Path, header: &Header, resume: bool) -> Result<Record, Failure> {
        let path = directory.join(NAME);
        let failed =
            |what: &Path, error: std::io::Error| Failure::output(format!("cannot write {}: {error}", what.display()));
        if directory.exists() && !directory.is_dir() {
            return Err(Failure::output(format!("{} is no directory", directory.display())));
        }
        let known = match std::fs::read_to_string(&path) {
            Ok(_) if !resume => {
                let directory = directory.display();
                let message =
                    format!("{directory} holds a study: --resume goes on with it, --out chooses another place");
                return Err(Failure::output(message));
            }
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                only_ours(directory)?;
                String::new()
            }
            Err(error) => return Err(Failure::output(format!("cannot read {}: {error}", path.display()))),
        };
        let whole = known.rfind('\n').map_or(0, |end| end + 1);
        let rows = read(&path, &known[..whole], header)?;
        std::fs::create_dir_all(directory.join("runs")).map_err(|error| failed(directory, error))?;
        remove_unfinished(directory);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(|error| failed(&path, error))?;
        file.set_len(whole as u64).map_err(|error| failed(&path, error))?;
        let mut record = Record { path, file, rows };
        if whole == 0 {
            record.line(&header.json())?;
        }
        Ok(record)
    }

    /// Whether the row of a task is known.
    pub fn has(&self, task: &Task) -> bool {
        self.rows.contains_key(task)
    }

    /// Keeps a row.
    pub fn add(&mut self, row: Row) -> Result<(), Failure> {
        self.line(&row.json())?;
        self.rows.insert(row.task.clone(), row);
        Ok(())
    }

    /// The rows of these tasks, in their order, as far as they are known.
    pub fn rows_of(&self, tasks: &[Task]) -> Vec<Row> {
        tasks.iter().filter_map(|task| self.rows.get(task).cloned()).collect()
    }

    fn line(&mut self, object: &Json) -> Result<(), Failure> {
        let before = self.file.metadata().map(|data| data.len());
        let written = self.file.write_all(format!("{object}\n").as_bytes());
        written.and_then(|()| self.file.sync_data()).map_err(|error| {
            // Half a line would be dropped when the study is resumed; better it is not there.
            let _ = before.map(|length| self.file.set_len(length));
            let path = self.path.display();
            Failure::output(format!("cannot write {path}: {error}; the rows before are kept, and --resume goes on"))
        })
    }
}

/// Nothing of others may be overwritten.
fn only_ours(directory: &Path) -> Result<(), Failure> {
    if !directory.exists() {
        return Ok(());
    }
    let entries = std::fs::read_dir(directory)
        .map_err(|error| Failure::output(format!("cannot read {}: {error}", directory.display())))?;
    let foreign = entries.flatten().find(|entry| entry.file_name() != "runs");
    match foreign {
        Some(_) => Err(Failure::output(format!("{} is not empty, and holds no study", directory.display()))),
        None => Ok(()),
    }
}

/// Files that were being written when a study was killed.
fn remove_unfinished(directory: &Path) {
    for directory in [directory.to_path_buf(), directory.join("runs")] {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') && name.ends_with(".tmp") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn read(path: &Path, text: &str, header: &Header) -> Result<BTreeMap<Task, Row>, Failure> {
    let mut rows = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let object: Json = serde_json::from_str(line).unwrap_or(Json::Null);
        if number == 0 {
            same_study(path, &object, &header.json())?;
        } else {
            let place = || format!("{}:{}: this is no row of a study", path.display(), number + 1);
            let row = Row::from_json(&object).ok_or_else(|| Failure::input(place()))?;
            rows.insert(row.task.clone(), row);
        }
    }
    Ok(rows)
}

/// Rows under other limits, or of another prover, cannot be compared with ours.
fn same_study(path: &Path, found: &Json, ours: &Json) -> Result<(), Failure> {
    if found["format"] != ours["format"] {
        return Err(Failure::input(format!("{} is no study of this version", path.display())));
    }
    for name in ["producer", "z3", "timeout", "memory"] {
        if found[name] != ours[name] {
            let message = format!(
                "{} was begun with {name} {}, and cannot go on with {}; --out chooses another place",
                path.display(),
                found[name],
                ours[name]
            );
            return Err(Failure::output(message));
        }
    }
    Ok(())
}
