//! The file that stands beside the program while something is proved of a changed text.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The file, while there is one.
static BESIDE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Notes that the file is to be removed.
pub fn note(file: PathBuf) {
    *BESIDE.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
}

/// Removes the file: also before the process is ended in the middle of a proof.
pub fn clean_up() {
    if let Some(file) = BESIDE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = std::fs::remove_file(file);
    }
}
