//! Work in child processes that are watched, so that there is a result even when a limit strikes: `--memory`, and `compare`.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use program::Property;
use wait4::{ResUse, Wait4};

use crate::output;
use crate::status::Status;

/// Set for the child, so that it works instead of starting another.
const MARK: &str = "THREADER_CHILD";
/// The mark of a child that ends when its standard input does: when its parent is gone, however that came.
const TIED: &str = "tied";
/// The mark of a child whose standard output its parent reads.
const LIMITED: &str = "limited";
/// How often a child is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// Whether this process is the child.
pub fn is_child() -> bool {
    std::env::var_os(MARK).is_some()
}

/// This program as a child that ends when this process does.
pub fn tied() -> std::io::Result<Command> {
    // A study takes long enough for its program to be built again: on Linux all runs are of the one that began it.
    let own = if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { std::env::current_exe()? };
    let mut command = Command::new(own);
    command.env(MARK, TIED).stdin(Stdio::piped());
    Ok(command)
}

/// In a child that is tied to its parent: sees to it.
#[allow(clippy::exit, reason = "nobody is left to tell")]
pub fn end_with_parent() {
    if std::env::var_os(MARK).is_some_and(|mark| mark == TIED) {
        std::thread::spawn(|| {
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            std::process::exit(i32::from(Status::Unknown.code()));
        });
    }
}

/// In a child of [`run`]: tells the parent of a violation, lest a limit strikes before the last line of stdout.
pub fn tell_parent(property: Property) {
    if std::env::var_os(MARK).is_some_and(|mark| mark == LIMITED) {
        output::print_false(property);
    }
}

/// Runs this command line again in a child and ends it beyond the limit. What it prints is passed on, or the violation that it told
/// of before a limit struck.
pub fn run(megabytes: u64) -> Status {
    let spawned = std::env::current_exe().and_then(|program| {
        Command::new(program).args(std::env::args_os().skip(1)).env(MARK, LIMITED).stdout(Stdio::piped()).spawn()
    });
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return output::complain(&format!("cannot start a child process: {error}"), Status::Internal),
    };
    // Ctrl-C reaches the child as well; it ends by itself, and its result is passed on.
    let _ = ctrlc::set_handler(|| {});
    let Some(mut stdout) = child.stdout.take() else { return Status::Internal };
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = stdout.read_to_string(&mut text);
        text
    });
    let never = AtomicBool::new(false);
    let (ended, _) = watch(&mut child, &Bounds { megabytes, deadline: None, stop: &never });
    let text = reader.join().unwrap_or_default();
    let (told, text) = without_told(&text);
    if let (Ended::Memory | Ended::Time | Ended::Stopped, Some(told)) = (&ended, told) {
        return output::print(&told, Status::Violated);
    }
    match ended {
        Ended::Memory => output::print_unknown("memory"),
        Ended::Time => output::print_unknown("timeout"),
        Ended::Stopped => output::print_unknown("interrupted"),
        Ended::Unwatched(error) => output::complain(&format!("--memory cannot be kept here: {error}"), Status::Usage),
        Ended::Code(Some(code)) => output::print(&text, Status::from_code(code)),
        Ended::Code(None) => output::complain("the child process was killed", Status::Internal),
    }
}

/// The violation that a child told of, and what it printed without what it told before its last line.
fn without_told(text: &str) -> (Option<String>, String) {
    let is_told = |line: &&str| line.starts_with("Result: false(");
    let told = text.lines().find(is_told).map(|line| format!("{line}\n"));
    let last = text.lines().count().saturating_sub(1);
    let kept = text.lines().enumerate().filter(|(k, line)| *k == last || !is_told(line));
    (told, kept.map(|(_, line)| format!("{line}\n")).collect())
}

/// What a child may take.
pub struct Bounds<'a> {
    /// Physical memory.
    pub megabytes: u64,
    /// When it must have ended.
    pub deadline: Option<Instant>,
    /// Set when nobody waits for it any more.
    pub stop: &'a AtomicBool,
}

/// How a child ended.
pub enum Ended {
    /// It needed too much memory.
    Memory,
    /// It needed too much time.
    Time,
    /// Nobody waited for it any more.
    Stopped,
    /// Its memory cannot be seen.
    Unwatched(std::io::Error),
    /// By itself, with this code; none if it was killed.
    Code(Option<i32>),
}

/// What a child took, with those that it started and waited for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// On all processors together.
    pub cpu: Duration,
    /// The most physical memory, in megabytes. The system counts what a child shares with us while it starts: some twenty.
    pub megabytes: Option<u64>,
}

impl Usage {
    fn of(ended: &ResUse) -> Usage {
        let megabytes = Some(ended.rusage.maxrss.div_ceil(1024 * 1024)).filter(|most| *most > 0);
        Usage { cpu: ended.rusage.utime + ended.rusage.stime, megabytes }
    }
}

/// Waits for a child, and ends it out of bounds. Also gives what it took, as the system counts it.
pub fn watch(child: &mut Child, bounds: &Bounds) -> (Ended, Usage) {
    let beyond = loop {
        match look(child.id()) {
            // Nothing is left of it but what it took, which is lost with any other way to wait for it.
            Ok(Seen::Over) => break None,
            Ok(Seen::Running { megabytes }) if megabytes > bounds.megabytes => break Some(Ended::Memory),
            Ok(Seen::Running { .. }) => {}
            Err(error) => break Some(Ended::Unwatched(error)),
        }
        if bounds.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break Some(Ended::Time);
        }
        if bounds.stop.load(Ordering::SeqCst) {
            break Some(Ended::Stopped);
        }
        std::thread::sleep(PERIOD);
    };
    if beyond.is_some() {
        let _ = child.kill();
    }
    match child.wait4() {
        Ok(ended) => (beyond.unwrap_or(Ended::Code(ended.status.code())), Usage::of(&ended)),
        Err(error) => (Ended::Unwatched(error), Usage::default()),
    }
}

/// What a look at a child sees.
enum Seen {
    /// It works, with this much physical memory.
    Running { megabytes: u64 },
    /// It has ended, and nobody has waited for it yet.
    Over,
}

/// What /proc tells.
fn look(process: u32) -> std::io::Result<Seen> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    if field("State:").is_some_and(|state| state.starts_with(['Z', 'X'])) {
        return Ok(Seen::Over);
    }
    let kilobytes = field("VmRSS:").and_then(|text| text.strip_suffix(" kB")).and_then(|text| text.parse::<u64>().ok());
    Ok(Seen::Running { megabytes: kilobytes.unwrap_or(0) / 1024 })
}

#[cfg(test)]
mod tests {
    use super::without_told;

    #[test]
    fn what_a_child_tells_early_is_printed_once_and_nothing_else_is_lost() {
        let told = Some("Result: false(unreach-call)\n".to_string());
        let early = "Result: false(unreach-call)\n";
        assert_eq!(without_told(early), (told.clone(), early.into()));
        let whole = format!("{early}{early}{{\n}}\n{early}");
        assert_eq!(without_told(&whole), (told, format!("{{\n}}\n{early}")));
        assert_eq!(without_told("Result: true\n"), (None, "Result: true\n".into()));
        assert_eq!(without_told(""), (None, String::new()));
    }
}
