//! Runs tasks as child processes, several at a time. Whatever becomes of a child is a row.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::Failure;
use super::programs::Member;
use super::progress::Progress;
use super::record::Record;
use super::task::{Configuration, Row, Task};
use crate::arguments::CompareArguments;
use crate::child::{self, Bounds, Ended};
use crate::limits::GRACE;

/// What a run may take beyond its limit and grace, to start and to write its page, before it is killed.
const SLACK: Duration = Duration::from_secs(5);
/// Of what a run says on stderr, so much is kept.
const SAID: u64 = 4096;

/// Runs the tasks and records their rows, until all are done, `stop` is set, or a row cannot be recorded.
pub fn all(
    tasks: &[&Task],
    arguments: &CompareArguments,
    record: &mut Record,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = arguments.jobs.map_or(cores, |jobs| jobs as usize).min(tasks.len());
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let record = Mutex::new((record, None));
    let progress = Progress::new(tasks.len(), jobs);
    std::thread::scope(|scope| {
        let shown = scope.spawn(|| progress.show());
        let workers: Vec<_> = (0..jobs)
            .map(|_| {
                scope.spawn(|| {
                    while !stop.load(Ordering::SeqCst) && !failed.load(Ordering::SeqCst) {
                        let Some(task) = tasks.get(next.fetch_add(1, Ordering::SeqCst)) else { return };
                        progress.begin(task);
                        let row = one(task, arguments, stop);
                        progress.end(task, row.as_ref().ok().and_then(Option::as_ref));
                        let mut locked = record.lock().unwrap_or_else(PoisonError::into_inner);
                        let kept = row.and_then(|row| row.map_or(Ok(()), |row| locked.0.add(row)));
                        if let Err(failure) = kept {
                            locked.1.get_or_insert(failure);
                            failed.store(true, Ordering::SeqCst);
                        }
                    }
                })
            })
            .collect();
        for worker in workers {
            let _ = worker.join();
        }
        progress.finish();
        let _ = shown.join();
    });
    record.into_inner().unwrap_or_else(PoisonError::into_inner).1.map_or(Ok(()), Err)
}

/// Runs a task. There is no row if it was interrupted, and a failure if its page cannot be written.
fn one(task: &Task, arguments: &CompareArguments, stop: &AtomicBool) -> Result<Option<Row>, Failure> {
    let page = arguments.out.join(task.page());
    // What an earlier run of this task left is not this run's.
    let _ = std::fs::remove_file(&page);
    let start = Instant::now();
    let mut child = start_child(task, arguments, &page)
        .map_err(|error| Failure::output(format!("cannot start a child process: {error}")))?;
    let said = child.stderr.take().map(|pipe| std::thread::spawn(move || beginning(pipe)));
    let printed = child.stdout.take().map(|pipe| std::thread::spawn(move || (everything(pipe), Instant::now())));
    let deadline = start.checked_add(arguments.timeout + GRACE + SLACK);
    let (ended, usage) = child::watch(&mut child, &Bounds { megabytes: arguments.memory, deadline, stop });
    let said = said.and_then(|reader| reader.join().ok()).unwrap_or_default();
    // The end of its output is the end of the process, more exactly than looking at it now and then can tell.
    let (printed, end) =
        printed.and_then(|reader| reader.join().ok()).unwrap_or_else(|| (String::new(), Instant::now()));
    let verdict = match ended {
        Ended::Stopped => return Ok(None),
        Ended::Unwatched(error) => return Err(Failure::output(format!("--memory cannot be kept here: {error}"))),
        Ended::Memory => "unknown(memory)".into(),
        Ended::Time => "unknown(timeout)".into(),
        Ended::Code(code) => verdict(&printed, code),
    };
    if verdict == "unknown(interrupted)" || stop.load(Ordering::SeqCst) {
        return Ok(None);
    }
    let result = serde_json::Deserializer::from_str(&printed).into_iter::<Json>().next();
    let result = result.and_then(Result::ok).unwrap_or(Json::Null);
    let mut row = Row {
        task: task.clone(),
        seconds: end.duration_since(start).as_secs_f64(),
        cpu_seconds: usage.cpu.as_secs_f64(),
        megabytes: usage.megabytes,
        modular: result["evidence"]["modular"].as_bool(),
        statistics: result["statistics"].clone(),
        message: said.lines().find_map(|line| line.strip_prefix("error: ")).map(str::to_string),
        page: page.exists().then(|| task.page()),
        verdict,
    };
    if row.is_decided() && row.page.is_none() {
        let why = row.message.take().unwrap_or_else(|| format!("cannot write {}", page.display()));
        return Err(Failure::output(format!("{why}; the rows before are kept, and --resume goes on")));
    }
    Ok(Some(row))
}

fn start_child(task: &Task, arguments: &CompareArguments, page: &Path) -> std::io::Result<Child> {
    let mut command = child::tied()?;
    let Configuration { rule, solver, vocabulary, level } = &task.configuration;
    command.args(["prove", "--first", "--as-found", "--rule", rule, "--solver", solver, "-j", "1"]);
    command.args(vocabulary.iter().flat_map(|vocabulary| ["--vocabulary", vocabulary]));
    command.args(level.iter().flat_map(|level| ["--level".into(), level.to_string()]));
    command
        .args(task.member.iter().flat_map(|Member { parameter, value }| ["-D".into(), format!("{parameter}={value}")]));
    command.args(arguments.flags.words());
    command.arg("--timeout").arg(arguments.timeout.as_secs_f64().to_string());
    command.args(["--json", "/dev/stdout", "--html"]).arg(page).arg("--").arg(&task.program);
    command.env_remove("THREADER_LOG").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// What the run says of itself; a run that says nothing went wrong.
fn verdict(printed: &str, code: Option<i32>) -> String {
    let result = printed.lines().next_back().and_then(|line| line.strip_prefix("Result: "));
    match (result, code) {
        (Some(result), Some(_)) => result.to_string(),
        (None, Some(2)) => "error(malformed)".into(),
        (None, Some(6)) => "error(internal)".into(),
        (None, Some(code)) => format!("error(exit code {code})"),
        (_, None) => "error(killed)".into(),
    }
}

fn everything(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The first part of what is written; the rest is read as well, so that the writer does not wait.
fn beginning(mut pipe: impl Read) -> String {
    let text = everything(pipe.by_ref().take(SAID));
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    text
}
