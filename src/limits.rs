//! Time limits and Ctrl-C: both ask the run to stop, and end the process if it does not.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::Cancel;

use crate::output;

/// What a run that was asked to stop gets to do so by itself, before the process ends without it.
pub const GRACE: Duration = Duration::from_millis(1500);

/// Why a run was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stop {
    /// Nobody asked.
    No = 0,
    /// The time is up.
    Timeout = 1,
    /// Ctrl-C.
    Interrupt = 2,
}

impl Stop {
    /// The reason as `Result: unknown(..)` gives it.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Stop::No => None,
            Stop::Timeout => Some("timeout"),
            Stop::Interrupt => Some("interrupted"),
        }
    }
}

/// Watches a run; dropped when the run is over.
pub struct Watch {
    why: Arc<AtomicU8>,
    done: Arc<(Mutex<bool>, Condvar)>,
    progress: Option<std::thread::JoinHandle<()>>,
}

impl Watch {
    /// Starts watching: `cancel` is used when the time is up or on Ctrl-C.
    pub fn start(timeout: Option<Duration>, cancel: &Cancel) -> Watch {
        let why = Arc::new(AtomicU8::new(Stop::No as u8));
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let (reason, token, finished) = (why.clone(), cancel.clone(), done.clone());
        // Without a handler Ctrl-C ends the process at once: less polite, and no reason to refuse the run.
        let _ = ctrlc::set_handler(move || {
            ask(&reason, Stop::Interrupt, &token);
            let finished = finished.clone();
            std::thread::spawn(move || end_unless_done(&finished, Stop::Interrupt));
        });
        if let Some(timeout) = timeout {
            let (reason, token, finished) = (why.clone(), cancel.clone(), done.clone());
            std::thread::spawn(move || {
                if !wait(&finished, timeout) {
                    ask(&reason, Stop::Timeout, &token);
                    end_unless_done(&finished, Stop::Timeout);
                }
            });
        }
        let progress = std::io::stderr().is_terminal().then(|| {
            let finished = done.clone();
            std::thread::spawn(move || show_progress(&finished))
        });
        Watch { why, done, progress }
    }

    /// Why the run was asked to stop.
    pub fn stop(&self) -> Stop {
        match self.why.load(Ordering::SeqCst) {
            1 => Stop::Timeout,
            2 => Stop::Interrupt,
            _ => Stop::No,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.1.notify_all();
        // The progress line is wiped before anything else is written.
        if let Some(progress) = self.progress.take() {
            let _ = progress.join();
        }
    }
}

/// Shows on a terminal that time passes, until the run is over.
fn show_progress(done: &(Mutex<bool>, Condvar)) {
    let start = Instant::now();
    while !wait(done, Duration::from_secs(1)) {
        output::report(&format!("\rproving, {} s ", start.elapsed().as_secs()));
    }
    if start.elapsed() >= Duration::from_secs(1) {
        output::report("\r                    \r");
    }
}

fn ask(why: &AtomicU8, stop: Stop, cancel: &Cancel) {
    let _ = why.compare_exchange(Stop::No as u8, stop as u8, Ordering::SeqCst, Ordering::SeqCst);
    cancel.cancel();
}

/// Waits for the end of the run; false if the time was up first.
fn wait(done: &(Mutex<bool>, Condvar), timeout: Duration) -> bool {
    let guard = done.0.lock().unwrap_or_else(PoisonError::into_inner);
    let (guard, _) = done.1.wait_timeout_while(guard, timeout, |done| !*done).unwrap_or_else(PoisonError::into_inner);
    *guard
}

#[allow(clippy::exit, reason = "the work does not answer, and the Result line is out")]
fn end_unless_done(done: &(Mutex<bool>, Condvar), stop: Stop) {
    if !wait(done, GRACE) {
        let status = output::print_unknown(stop.reason().unwrap_or("interrupted"));
        std::process::exit(i32::from(status.code()));
    }
}
