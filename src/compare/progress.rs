//! How far a study is: one line on a terminal; with `-v`, which is for elsewhere, one line a run.

use std::io::IsTerminal;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::task::{Row, Task};
use crate::output;

/// As wide as terminals are at least.
const WIDTH: usize = 79;

/// How far it is.
pub struct Progress {
    total: usize,
    jobs: usize,
    start: Instant,
    state: Mutex<State>,
    finished: Condvar,
}

#[derive(Default)]
struct State {
    done: usize,
    running: Vec<(Task, Instant)>,
    is_over: bool,
}

impl Progress {
    /// Nothing is done yet.
    pub fn new(total: usize, jobs: usize) -> Progress {
        Progress { total, jobs, start: Instant::now(), state: Mutex::default(), finished: Condvar::new() }
    }

    /// A task begins.
    pub fn begin(&self, task: &Task) {
        self.locked().running.push((task.clone(), Instant::now()));
    }

    /// A task has ended, with a row if it was not interrupted.
    pub fn end(&self, task: &Task, row: Option<&Row>) {
        let mut state = self.locked();
        state.running.retain(|(running, _)| running != task);
        state.done += 1;
        if let Some(Row { verdict, seconds, .. }) = row {
            log::info!("{} of {}: {}: {verdict}, {seconds:.2} s", state.done, self.total, task.name());
        }
    }

    /// All is over.
    pub fn finish(&self) {
        self.locked().is_over = true;
        self.finished.notify_all();
    }

    /// Shows the line until all is over, and wipes it.
    pub fn show(&self) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let mut state = self.locked();
        while !state.is_over {
            output::report(&format!("\r{:<WIDTH$}", self.line(&state)));
            let waited = self.finished.wait_timeout(state, Duration::from_secs(1));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        output::report(&format!("\r{:<WIDTH$}\r", ""));
    }

    fn line(&self, state: &State) -> String {
        let mut line = format!("{} of {} done", state.done, self.total);
        if state.done > 0 {
            let left = self.total - state.done;
            let seconds = self.start.elapsed().as_secs_f64() / state.done as f64 * left as f64;
            line += &format!(", about {} left", minutes(seconds));
        }
        line += &format!(", {} of {} running", state.running.len(), self.jobs);
        for (task, start) in &state.running {
            line += &format!("; {} {} s", task.name(), start.elapsed().as_secs());
        }
        line.chars().take(WIDTH).collect()
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn minutes(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}
