//! The errors with published times (tests/programs/bounded/published.txt): found by `refute` and by `prove` in less than 30 s, and in less than the
//! best published time where that is more than a second.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Fewer rows than this mean that some were lost.
const LEAST_ROWS: usize = 38;
const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn published_errors_are_found_sooner() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/bounded");
    let table = std::fs::read_to_string(directory.join("published.txt")).unwrap();
    let rows: Vec<Vec<&str>> =
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.len() >= LEAST_ROWS, "only {} rows", rows.len());
    for row in rows {
        let [_, name, file, macros, best] = row[..] else { panic!("not a row: {row:?}") };
        let best: f64 = best.parse().unwrap();
        let limit = if best > 1.0 { Duration::from_secs_f64(best).min(LIMIT) } else { LIMIT };
        for command in ["refute", "prove"] {
            let begun = Instant::now();
            let mut threader = Command::new(env!("CARGO_BIN_EXE_threader"));
            threader.arg(command).arg(directory.join(format!("{file}.c"))).args(["--first", "--timeout", "30"]);
            macros.split(',').filter(|name| *name != "-").for_each(|name| _ = threader.args(["-D", name]));
            let output = threader.output().unwrap();
            assert_eq!(output.status.code(), Some(10), "{command} {name}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(begun.elapsed() < limit, "{command} {name}: {:?}, published {best} s", begun.elapsed());
        }
    }
}
