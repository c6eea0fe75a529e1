//! `threader compare`: the rules side by side.
//!
//! `programs` and `families` find what is studied, `task` says what a run is and what comes of it, `execute` runs tasks as child
//! processes, `record` keeps each row as soon as it is known, `study` puts rows together, `baseline` holds them against Spacer's,
//! `scaling` along a family, and `terminal`, `csv`, `latex` and `page` show them.

mod baseline;
mod csv;
mod execute;
mod families;
mod latex;
mod machine;
mod page;
mod programs;
mod progress;
mod published;
mod record;
mod scaling;
mod study;
mod task;
mod terminal;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::arguments::CompareArguments;
use crate::output;
use crate::status::Status;
use record::{Header, Record};
use study::Study;
use task::{Configuration, Task};
use terminal::Detail;

/// Why there is no study, or no more of it.
struct Failure {
    message: String,
    status: Status,
}

impl Failure {
    /// The input is wrong.
    fn input(message: String) -> Failure {
        Failure { message, status: Status::Malformed }
    }

    /// The output cannot be written, or the options do not fit what is there.
    fn output(message: String) -> Failure {
        Failure { message, status: Status::Usage }
    }
}

/// Runs every program under every rule, and shows what came of it.
pub fn run(arguments: &CompareArguments) -> Status {
    match compare(arguments) {
        Ok(status) => status,
        Err(failure) => output::complain(&failure.message, failure.status),
    }
}

fn compare(arguments: &CompareArguments) -> Result<Status, Failure> {
    let mut programs = families::members(programs::find(&arguments.files)?, arguments.family.as_ref())?;
    if !arguments.levels.is_empty() {
        programs.iter_mut().for_each(|program| program.look_for_threads_of_any_number(&arguments.flags));
    }
    let mut configurations =
        Configuration::all(&arguments.rules, &arguments.solvers, &arguments.vocabularies, &arguments.levels);
    let header = Header::new(arguments);
    let mut record = Record::open(&arguments.out, &header, arguments.resume)?;
    let tasks = Task::all(&programs, &configurations, arguments.repeat);
    configurations.retain(|configuration| tasks.iter().any(|task| task.configuration == *configuration));
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    // Without a handler Ctrl-C ends the process at once: what is recorded stays.
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::SeqCst));
    // Our own runs first: they tell which of the others could come to nothing.
    for is_ours in [true, false] {
        let wanted =
            |task: &&Task| task.configuration.is_ours() == is_ours && !record.has(task) && !record.is_futile(task);
        let open: Vec<&Task> = tasks.iter().filter(wanted).collect();
        execute::all(&open, arguments, &mut record, &stop)?;
    }
    let interrupted = stop.load(Ordering::SeqCst);
    let study = Study::new(header, &programs, configurations, record.rows_of(&tasks));
    write(arguments, &study)?;
    let detail = if arguments.details { Detail::All } else { Detail::Summary };
    let status = output::print(&terminal::text(&study, detail), Status::Success);
    if interrupted {
        return Ok(output::complain("interrupted; the same command with --resume goes on", Status::Unknown));
    }
    match study.contradiction() {
        Some(message) => Ok(output::complain(&message, Status::Internal)),
        None => Ok(status),
    }
}

/// Writes the study in all its forms.
fn write(arguments: &CompareArguments, study: &Study) -> Result<(), Failure> {
    let files = [
        ("results.csv", csv::text(study)),
        ("results.json", format!("{:#}\n", study.json())),
        ("table.tex", latex::text(study)),
        ("index.html", page::text(study)),
    ];
    for (name, text) in files {
        let path = arguments.out.join(name);
        output::write_file(&path, &text).map_err(|error| {
            let path = path.display();
            Failure::output(format!("cannot write {path}: {error}; all rows are kept, and --resume writes it again"))
        })?;
    }
    Ok(())
}
