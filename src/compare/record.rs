//! DIR/results.jsonl: a header and one line a row, each written when it is known. A line that was cut off is no row.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::Failure;
use super::machine::Machine;
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
    /// What a compiler would be told about its programs.
    pub flags: Vec<String>,
    /// What it ran on.
    pub machine: Machine,
}

impl Header {
    /// The header of a study with these limits.
    pub fn new(arguments: &CompareArguments) -> Header {
        Header {
            producer: PRODUCER.into(),
            z3: smt::z3_version(),
            timeout: arguments.timeout.as_secs_f64(),
            memory: arguments.memory,
            flags: arguments.flags.words().iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            machine: Machine::this(),
        }
    }

    /// The header as an object.
    pub fn json(&self) -> Json {
        let Header { producer, z3, timeout, memory, flags, machine } = self;
        let machine = machine.json();
        let mut header = json!({ "format": 2, "producer": producer, "z3": z3, "timeout": timeout, "memory": memory, "machine": machine });
        if !flags.is_empty() {
            header["flags"] = json!(flags);
        }
        header
    }
}

/// The rows that are known, in memory and on disk.
pub struct Record {
    path: PathBuf,
    file: File,
    rows: BTreeMap<Task, Row>,
}

impl Record {
    /// Begins a study in a directory that is empty or missing, or goes on with the one that is there. Nobody else can write to
    /// it until the record is gone, be it that this process is killed.
    pub fn open(directory: &Path, header: &Header, resume: bool) -> Result<Record, Failure> {
        let path = directory.join(NAME);
        let failed =
            |what: &Path, error: std::io::Error| Failure::output(format!("cannot write {}: {error}", what.display()));
        if directory.exists() && !directory.is_dir() {
            return Err(Failure::output(format!("{} is no directory", directory.display())));
        }
        if !path.exists() {
            only_ours(directory)?;
        }
        std::fs::create_dir_all(directory.join("runs")).map_err(|error| failed(directory, error))?;
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&path)
            .map_err(|error| failed(&path, error))?;
        lock(&file, directory)?;
        let mut known = String::new();
        file.read_to_string(&mut known)
            .map_err(|error| Failure::output(format!("cannot read {}: {error}", path.display())))?;
        if !known.is_empty() && !resume {
            let directory = directory.display();
            let message = format!("{directory} holds a study: --resume goes on with it, --out chooses another place");
            return Err(Failure::output(message));
        }
        let whole = known.rfind('\n').map_or(0, |end| end + 1);
        let rows = read(&path, &known[..whole], header)?;
        remove_unfinished(directory);
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

    /// Whether a task can have no answer that counts: of the baseline only a proof does, and the program has a counterexample.
    pub fn is_futile(&self, task: &Task) -> bool {
        let is_wrong = |row: &Row| row.task.is_of_same_program(task) && row.verdict.starts_with("false");
        !task.configuration.is_ours() && self.rows.values().any(is_wrong)
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

/// The system's lock on the open file: it ends with this process, however that ends.
fn lock(file: &File, directory: &Path) -> Result<(), Failure> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Failure::output(format!(
            "another threader compare is writing to {}: wait for its end and use --resume, or choose another place with --out",
            directory.display()
        ))),
        // Some network file systems have no locks; a study there is better than none.
        Err(TryLockError::Error(error)) => {
            log::warn!("{} cannot be locked ({error}): run one study at a time in it", directory.display());
            Ok(())
        }
    }
}

/// Nothing of others may be overwritten.
fn only_ours(directory: &Path) -> Result<(), Failure> {
    if !directory.exists() {
        return Ok(());
    }
    let entries = std::fs::read_dir(directory)
        .map_err(|error| Failure::output(format!("cannot read {}: {error}", directory.display())))?;
    // A study that begins just now is told apart by its lock.
    let foreign = entries.flatten().find(|entry| entry.file_name() != "runs" && entry.file_name() != NAME);
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
    let timed = |header: &Json| json!({ "cpu": header["machine"]["cpu"], "cores": header["machine"]["cores"] });
    let machines = ("machine", timed(found), timed(ours));
    let same =
        ["producer", "z3", "timeout", "memory", "flags"].map(|name| (name, found[name].clone(), ours[name].clone()));
    for (name, found, ours) in same.into_iter().chain([machines]) {
        if found != ours {
            let message = format!(
                "{} was begun with {name} {found}, and cannot go on with {ours}; --out chooses another place",
                path.display(),
            );
            return Err(Failure::output(message));
        }
    }
    Ok(())
}
