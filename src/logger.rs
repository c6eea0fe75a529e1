//! The log on stderr: `-v`, `-vv`, `-vvv`, or `THREADER_LOG=level` where no `-v` is given.

use std::sync::OnceLock;
use std::time::Instant;

use log::{Level, LevelFilter, Log, Metadata, Record};

use crate::output::report;

struct Logger;

static STARTED: OnceLock<Instant> = OnceLock::new();

/// Switches the log on. An unknown level in `variable` is an error.
pub fn start(verbose: u8, variable: Option<&str>) -> Result<(), String> {
    let level = level(verbose, variable)?;
    STARTED.get_or_init(Instant::now);
    // Fails only if there is a logger already, which is then as good.
    let _ = log::set_logger(&Logger);
    log::set_max_level(level);
    Ok(())
}

fn level(verbose: u8, variable: Option<&str>) -> Result<LevelFilter, String> {
    match (verbose, variable.map(str::trim)) {
        (0, None | Some("")) => Ok(LevelFilter::Warn),
        (0, Some(name)) => name.parse().map_err(|_| {
            format!("THREADER_LOG={name} is not a level (possible: off, error, warn, info, debug, trace)")
        }),
        (1, _) => Ok(LevelFilter::Info),
        (2, _) => Ok(LevelFilter::Debug),
        _ => Ok(LevelFilter::Trace),
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // The solver's binding tells of every term that it makes or drops.
        let limit = if metadata.target().starts_with("z3::") { LevelFilter::Info } else { LevelFilter::Trace };
        metadata.level() <= log::max_level().min(limit)
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let seconds = STARTED.get().map_or(0.0, |start| start.elapsed().as_secs_f64());
        let level = match record.level() {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        };
        report(&format!("[{seconds:8.3} {level:5} {}] {}\n", record.target(), record.args()));
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solvers_binding_does_not_chatter() {
        log::set_max_level(LevelFilter::Trace);
        let logged = |level, target| Logger.enabled(&Metadata::builder().level(level).target(target).build());
        assert!(logged(Level::Trace, "rules::prove") && logged(Level::Info, "z3::config"));
        assert!(!logged(Level::Debug, "z3::ast"));
    }

    #[test]
    fn flags_win_over_the_variable() {
        assert_eq!(level(0, None), Ok(LevelFilter::Warn));
        assert_eq!(level(0, Some("debug")), Ok(LevelFilter::Debug));
        assert_eq!(level(0, Some("OFF")), Ok(LevelFilter::Off));
        assert_eq!(level(1, Some("trace")), Ok(LevelFilter::Info));
        assert_eq!(level(3, None), Ok(LevelFilter::Trace));
        assert_eq!(level(9, None), Ok(LevelFilter::Trace));
        assert_eq!(
            level(0, Some("loud")),
            Err("THREADER_LOG=loud is not a level (possible: off, error, warn, info, debug, trace)".into())
        );
    }
}
