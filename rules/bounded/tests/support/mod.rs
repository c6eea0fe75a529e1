//! Random small programs, and a search of all their runs that shares nothing with the engine but the checker's interpreter.

pub mod brute;
pub mod generate;

/// The seeds of this run: `THREADER_CASES` of them from `THREADER_SEED` on.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (first, count) = (number("THREADER_SEED").unwrap_or(1), number("THREADER_CASES").unwrap_or(usual));
    first..first + count
}
