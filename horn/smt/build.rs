//! Insists on the pinned Z3 and puts it beside the programs that are built.
//!
//! z3-sys does the linking, led by the variables of `.cargo/config.toml`. A linker that finds no libz3 where it was told to look
//! goes on to the system's directories in silence, so this script refuses to build before that can happen.
#![allow(clippy::print_stdout, reason = "cargo reads a build script's standard output")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the pin is, from this package.
const PIN: &str = "../../scripts/z3.pin";

fn main() {
    println!("cargo::rerun-if-changed={PIN}");
    for variable in ["THREADER_Z3", "Z3_LIBRARY_PATH_OVERRIDE", "Z3_SYS_Z3_VERSION"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if let Err(message) = run() {
        println!("cargo::error={message}");
    }
}

fn run() -> Result<(), String> {
    let pin = Pin::read(Path::new(PIN))?;
    println!("cargo::rustc-env=THREADER_PINNED_Z3={}", pin.version);
    println!("cargo::rustc-env=THREADER_LEAST_Z3={}", pin.least);
    println!("cargo::rustc-check-cfg=cfg(system_z3)");
    let library = PathBuf::from(env::var_os("Z3_LIBRARY_PATH_OVERRIDE").unwrap_or_default());
    let programs = programs_directory()?;
    match env::var("THREADER_Z3").as_deref() {
        Ok("system") => {
            println!("cargo::rustc-cfg=system_z3");
            pin.refuse_pinned(&library)?;
            pin.refuse_old()?;
            pin.withdraw(&programs)
        }
        Ok("pinned" | "") | Err(_) => {
            pin.insist(&library)?;
            pin.place(&library, &programs)
        }
        Ok(other) => Err(format!("THREADER_Z3 is `{other}`, but can be only `pinned` or `system`")),
    }
}

/// What `scripts/z3.pin` says that matters here.
struct Pin {
    version: String,
    /// The oldest version whose answers the bindings read correctly.
    least: String,
    /// The names that programs load the library by, over all platforms.
    file_names: Vec<String>,
}

impl Pin {
    fn read(path: &Path) -> Result<Pin, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut pin = Pin { version: String::new(), least: String::new(), file_names: Vec::new() };
        for line in text.lines() {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["version", version] => pin.version = (*version).to_string(),
                ["least", least] => pin.least = (*least).to_string(),
                ["wheel", .., file_name, _sha256] => pin.file_names.push((*file_name).to_string()),
                _ => {}
            }
        }
        if pin.version.is_empty() || pin.least.is_empty() {
            return Err(format!("{} names no version, or no least one", path.display()));
        }
        Ok(pin)
    }

    /// The pinned library is where z3-sys will have the linker look, and z3-sys was told the same version.
    fn insist(&self, library: &Path) -> Result<(), String> {
        let told = env::var("Z3_SYS_Z3_VERSION").unwrap_or_default();
        if told != self.version {
            return Err(format!(
                "Z3_SYS_Z3_VERSION (.cargo/config.toml) is `{told}`, but scripts/z3.pin says {}",
                self.version
            ));
        }
        if self.found_in(library).is_none() {
            return Err(format!(
                "Z3 {} is not in {}: run `make setup` once (or `make Z3=system build` for an installed Z3)",
                self.version,
                library.display()
            ));
        }
        Ok(())
    }

    /// `system` with the search path of the pinned library would link the pinned one after all.
    fn refuse_pinned(&self, library: &Path) -> Result<(), String> {
        if library.ends_with(Path::new("target/z3").join(&self.version)) {
            return Err(
                "THREADER_Z3=system also needs Z3_LIBRARY_PATH_OVERRIDE and Z3_SYS_Z3_VERSION to name the installed \
                        Z3; `make Z3=system build` sets all three"
                    .to_string(),
            );
        }
        Ok(())
    }

    fn refuse_old(&self) -> Result<(), String> {
        let told = env::var("Z3_SYS_Z3_VERSION").unwrap_or_default();
        if numbers(&told) < numbers(&self.least) {
            return Err(format!("the installed Z3 is `{told}`, but {} or newer is needed", self.least));
        }
        Ok(())
    }

    fn found_in(&self, library: &Path) -> Option<&str> {
        self.file_names.iter().map(String::as_str).find(|name| library.join(name).is_file())
    }

    /// Copies the library beside the programs, so that they find it relative to themselves, wherever both are moved.
    fn place(&self, library: &Path, programs: &Path) -> Result<(), String> {
        let Some(name) = self.found_in(library) else { return Ok(()) };
        let (source, target) = (library.join(name), programs.join(name));
        println!("cargo::rerun-if-changed={}", source.display());
        // Also when `target` is gone; its time is the source's, or cargo would take the copy itself for a change.
        println!("cargo::rerun-if-changed={}", target.display());
        // Nothing to link is found there, but cargo tells the loader of it when it runs the examples in comments, which rustdoc
        // builds in a directory of their own.
        println!("cargo::rustc-link-search=native={}", programs.display());
        let fresh = programs.join(format!(".{name}.{}", std::process::id()));
        copy_with_time(&source, &fresh)
            .and_then(|()| fs::rename(&fresh, &target))
            .map_err(|error| format!("{} could not be copied to {}: {error}", source.display(), target.display()))
    }

    /// Removes what an earlier build with the pinned library left: it would be loaded instead of the installed one.
    fn withdraw(&self, programs: &Path) -> Result<(), String> {
        for name in &self.file_names {
            match fs::remove_file(programs.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(format!("{}: {error}", programs.join(name).display()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

fn copy_with_time(source: &Path, target: &Path) -> std::io::Result<()> {
    fs::copy(source, target)?;
    let modified = fs::metadata(source)?.modified()?;
    fs::File::options().write(true).open(target)?.set_modified(modified)
}

/// The profile's directory: the one that holds the `build` directory in which cargo gave us our place.
fn programs_directory() -> Result<PathBuf, String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let build = out.ancestors().find(|path| path.file_name().is_some_and(|name| name == "build"));
    match build.and_then(Path::parent) {
        Some(profile) => Ok(profile.to_path_buf()),
        None => Err(format!("{} is not inside a cargo target directory", out.display())),
    }
}
