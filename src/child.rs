//! `--memory`: the work runs in a child process that is watched, so that there is a result even when the limit strikes.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::output;
use crate::status::Status;

/// Set for the child, so that it works instead of starting another.
const MARK: &str = "THREADER_CHILD";
/// How often the child's memory is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// Whether this process is the child.
pub fn is_child() -> bool {
    std::env::var_os(MARK).is_some()
}

/// Runs this command line again in a child and ends it beyond the limit.
pub fn run(megabytes: u64) -> Status {
    let spawned = std::env::current_exe().and_then(|program| {
        Command::new(program).args(std::env::args_os().skip(1)).env(MARK, "1").stdout(Stdio::piped()).spawn()
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
    let ended = watch(&mut child, megabytes);
    let text = reader.join().unwrap_or_default();
    match ended {
        Ended::Limit => output::print_unknown("memory"),
        Ended::Unwatched(error) => output::complain(&format!("--memory cannot be kept here: {error}"), Status::Usage),
        Ended::Code(Some(code)) => output::print(&text, Status::from_code(code)),
        Ended::Code(None) => output::complain("the child process was killed", Status::Internal),
    }
}

enum Ended {
    /// It needed too much.
    Limit,
    /// Its memory cannot be seen.
    Unwatched(std::io::Error),
    /// By itself, with this code; none if it was killed.
    Code(Option<i32>),
}

fn watch(child: &mut Child, megabytes: u64) -> Ended {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ended::Code(status.code()),
            Ok(None) => {}
            Err(error) => return Ended::Unwatched(error),
        }
        match resident_megabytes(child.id()) {
            Ok(used) if used > megabytes => {
                let _ = child.kill();
                let _ = child.wait();
                return Ended::Limit;
            }
            Ok(_) => {}
            // It may have ended just now; if it has not, the limit cannot be kept.
            Err(error) => {
                if let Ok(None) = child.try_wait() {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Ended::Unwatched(error);
                }
            }
        }
        std::thread::sleep(PERIOD);
    }
}

/// Physical memory of a process, as /proc tells it.
fn resident_megabytes(process: u32) -> std::io::Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0);
    Ok(kilobytes / 1024)
}
