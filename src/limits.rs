//! Time limits and Ctrl-C: both ask the run to stop, and end the process if it does not.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use smt::Cancel;

use crate::status::Status;
use crate::{output, temporary};

/// What a run that was asked to stop gets to do so by itself, before the process ends without it.
pub const GRACE: Duration = Duration::from_millis(600);

/// A part of what can be stopped that stops by itself.
pub fn cancel_after(cancel: &Cancel, time: Duration) -> Cancel {
    let part = cancel.part();
    let stopped = part.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        stopped.cancel();
    });
    part
}

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
    watched: Watched,
    progress: Option<std::thread::JoinHandle<()>>,
}

/// Ends a run that does not stop by itself: prints the last line of stdout.
pub type LastWord = Arc<dyn Fn(Stop) -> Status + Send + Sync>;

#[derive(Clone)]
struct Watched {
    why: Arc<AtomicU8>,
    done: Arc<(Mutex<bool>, Condvar)>,
    cancel: Cancel,
    last_word: LastWord,
}

/// The run that Ctrl-C is meant for: there is one handler for the whole process.
static CURRENT: Mutex<Option<Watched>> = Mutex::new(None);

impl Watch {
    /// Starts watching a run for a verdict: `cancel` is used when the time is up or on Ctrl-C.
    pub fn start(timeout: Option<Duration>, cancel: &Cancel) -> Watch {
        let unknown = |stop: Stop| output::print_unknown(stop.reason().unwrap_or("interrupted"));
        Watch::start_with(timeout, cancel, Arc::new(unknown))
    }

    /// Starts watching a run that ends with another word if it has to be ended.
    pub fn start_with(timeout: Option<Duration>, cancel: &Cancel, last_word: LastWord) -> Watch {
        let why = Arc::new(AtomicU8::new(Stop::No as u8));
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let watched = Watched { why, done, cancel: cancel.clone(), last_word };
        *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(watched.clone());
        // Without a handler Ctrl-C ends the process at once: less polite, and no reason to refuse the run.
        let _ = ctrlc::set_handler(|| {
            let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).clone();
            current.into_iter().for_each(|watched| {
                std::thread::spawn(move || watched.end(Stop::Interrupt));
            });
        });
        if let Some(timeout) = timeout {
            let watched = watched.clone();
            std::thread::spawn(move || {
                if !wait(&watched.done, timeout) {
                    watched.end(Stop::Timeout);
                }
            });
        }
        let progress = std::io::stderr().is_terminal().then(|| {
            let finished = watched.done.clone();
            std::thread::spawn(move || show_progress(&finished))
        });
        Watch { watched, progress }
    }

    /// What is used when the time is up or on Ctrl-C.
    pub fn cancel(&self) -> &Cancel {
        &self.watched.cancel
    }

    /// Why the run was asked to stop.
    pub fn stop(&self) -> Stop {
        match self.watched.why.load(Ordering::SeqCst) {
            1 => Stop::Timeout,
            2 => Stop::Interrupt,
            _ => Stop::No,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.watched.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.watched.done.1.notify_all();
        // The progress line is wiped before anything else is written.
        if let Some(progress) = self.progress.take() {
            let _ = progress.join();
        }
    }
}

/// How far a search has come.
static PROGRESS: Mutex<String> = Mutex::new(String::new());

/// Notes how far a search has come: shown on a terminal.
pub fn tell(progress: String) {
    *PROGRESS.lock().unwrap_or_else(PoisonError::into_inner) = progress;
}

/// Says how far a run has come.
type Source = Arc<dyn Fn() -> String + Send + Sync>;

/// Who is asked how far the run has come, where nobody has noted it.
static SOURCE: Mutex<Option<Source>> = Mutex::new(None);

/// From now on this is asked how far the run has come.
pub fn follow(source: Source) {
    *SOURCE.lock().unwrap_or_else(PoisonError::into_inner) = Some(source);
}

fn how_far() -> String {
    let told = PROGRESS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let source = SOURCE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if told.is_empty() { source.map_or_else(String::new, |source| source()) } else { told }
}

/// Shows on a terminal that time passes, until the run is over.
fn show_progress(done: &(Mutex<bool>, Condvar)) {
    let start = Instant::now();
    while !wait(done, Duration::from_secs(1)) {
        let more: String = how_far().chars().take(60).collect();
        let line = format!("working, {} s{}{more}", start.elapsed().as_secs(), if more.is_empty() { "" } else { ": " });
        output::report(&format!("\r{line:<76}"));
    }
    if start.elapsed() >= Duration::from_secs(1) {
        output::wipe();
    }
}

impl Watched {
    /// Asks the run to stop, and ends the process if it does not.
    #[allow(clippy::exit, reason = "the work does not answer, and the Result line is out")]
    fn end(&self, stop: Stop) {
        let _ = self.why.compare_exchange(Stop::No as u8, stop as u8, Ordering::SeqCst, Ordering::SeqCst);
        self.cancel.cancel();
        if !wait(&self.done, GRACE) {
            let status = (self.last_word)(stop);
            temporary::clean_up();
            std::process::exit(i32::from(status.code()));
        }
    }
}

/// Waits for the end of the run; false if the time was up first.
fn wait(done: &(Mutex<bool>, Condvar), timeout: Duration) -> bool {
    let guard = done.0.lock().unwrap_or_else(PoisonError::into_inner);
    let (guard, _) = done.1.wait_timeout_while(guard, timeout, |done| !*done).unwrap_or_else(PoisonError::into_inner);
    *guard
}
