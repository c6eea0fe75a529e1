//! Lets `threader` find libz3 beside itself (horn/smt/build.rs puts it there), without environment variables and wherever both
//! are moved. Link arguments of a dependency do not reach its dependents, so they are given here.
#![allow(clippy::print_stdout, reason = "cargo reads a build script's standard output")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in ["THREADER_Z3", "Z3_LIBRARY_PATH_OVERRIDE"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rustc-check-cfg=cfg(system_z3)");
    if std::env::var("THREADER_Z3").as_deref() == Ok("system") {
        println!("cargo::rustc-cfg=system_z3");
    }
    // Programs lie in the profile's directory, tests in deps/ below it.
    let origin = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "@loader_path",
        _ => "$ORIGIN",
    };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{origin}");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{origin}/..");
    // The last resort, for a `threader` that was installed or built without its library beside it, and for an installed Z3 in a
    // directory that the loader does not know.
    if let Ok(library) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{library}");
    }
}
