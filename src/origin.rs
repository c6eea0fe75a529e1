//! Which file a run was about: names and hashes that tie evidence to it.

use std::path::{Path, PathBuf};

use check::Origin;
use frontend::{Loaded, Reuse};
use sha2::{Digest, Sha256};

/// This program, with its version.
pub const PRODUCER: &str = concat!("threader ", env!("CARGO_PKG_VERSION"));

/// What a certificate says that is about a program in which no pointer to freed memory may be used.
pub const EXCLUDING_REUSE: &str = "excluding-reuse";

/// Who makes the evidence, and for which files.
pub fn origin(loaded: &Loaded) -> Origin {
    let name = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let file = |path: &PathBuf| (name(path), sha256(path).unwrap_or_default());
    let lowered = (loaded.reuse == Reuse::Excluded).then(|| EXCLUDING_REUSE.into());
    let serves = loaded.part.iter().flatten().map(|property| property.name().to_string()).collect();
    Origin { producer: PRODUCER.into(), files: loaded.inputs.iter().map(file).collect(), lowered, serves }
}

/// The SHA-256 of a file, in hexadecimal.
pub fn sha256(path: &Path) -> std::io::Result<String> {
    let digest = Sha256::digest(frontend::source::read_bytes(path)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
