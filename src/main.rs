//! The command line: the only code that prints, reads the clock or exits.

fn main() {}
