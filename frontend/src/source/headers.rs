//! Our own C headers, part of the binary, so that results do not depend on the machine's C library.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Makes the table of headers: paths below `frontend/headers` and their texts.
macro_rules! headers {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../headers/", $path)))),*]
    };
}

const HEADERS: [(&str, &str); 41] = headers![
    "include/alloca.h",
    "include/ctype.h",
    "include/errno.h",
    "include/float.h",
    "include/inttypes.h",
    "include/iso646.h",
    "include/limits.h",
    "include/malloc.h",
    "include/math.h",
    "include/memory.h",
    "include/pthread.h",
    "include/sched.h",
    "include/semaphore.h",
    "include/signal.h",
    "include/stdalign.h",
    "include/stdarg.h",
    "include/stdbool.h",
    "include/stddef.h",
    "include/stdint.h",
    "include/stdio.h",
    "include/stdlib.h",
    "include/stdnoreturn.h",
    "include/string.h",
    "include/strings.h",
    "include/sys/cdefs.h",
    "include/sys/time.h",
    "include/sys/types.h",
    "include/threader_types.h",
    "include/threads.h",
    "include/time.h",
    "include/unistd.h",
    "include/features.h",
    "include/locale.h",
    "include/err.h",
    "model/common.h",
    "model/ilp32.h",
    "model/lp64.h",
    "overlay/assert.h",
    "overlay/stdatomic.h",
    "stubs/gnu/stubs-32.h",
    "stubs/gnu/stubs-x32.h",
];

/// The headers on disk, for as long as the value lives.
#[derive(Debug)]
pub(super) struct Headers {
    directory: TempDir,
}

impl Headers {
    /// Writes them to a temporary directory.
    pub(super) fn write() -> io::Result<Headers> {
        let directory = tempfile::Builder::new().prefix("threader-").tempdir()?;
        for (path, text) in HEADERS {
            let file = directory.path().join(path);
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(file, text)?;
        }
        Ok(Headers { directory })
    }

    /// The directory of one group of headers.
    pub(super) fn group(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The whole directory.
    pub(super) fn root(&self) -> &Path {
        self.directory.path()
    }
}

/// The text of a header, by its path below the directory.
pub(super) fn text(path: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(p, _)| *p == path).map(|(_, text)| *text)
}

/// The names that `#include <..>` finds among our headers.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().filter_map(|(p, _)| p.strip_prefix("include/").or_else(|| p.strip_prefix("overlay/")))
}
