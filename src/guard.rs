//! The frame around every run: a stack that deeply nested C does not exhaust, and one line for a bug of ours.

use std::io::Write;
use std::panic::PanicHookInfo;

use crate::status::Status;

/// Virtual memory only: what is not touched costs nothing.
pub const STACK_BYTES: usize = 512 << 20;
/// Where address space is limited (`ulimit -v`).
const SMALL_STACK_BYTES: usize = 64 << 20;

/// Makes a panic one line on stderr instead of a backtrace.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let _ = writeln!(std::io::stderr(), "{}", describe(info));
    }));
}

/// Runs `work` on a large stack. A panic in it is [`Status::Internal`]; the hook has reported it.
pub fn with_large_stack(work: fn() -> Status) -> Status {
    for size in [STACK_BYTES, SMALL_STACK_BYTES] {
        if let Ok(handle) = std::thread::Builder::new().name("threader".into()).stack_size(size).spawn(work) {
            return handle.join().unwrap_or(Status::Internal);
        }
    }
    std::panic::catch_unwind(work).unwrap_or(Status::Internal)
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let place = info.location().map_or_else(|| "unknown place".to_string(), ToString::to_string);
    one_line(message, &place)
}

fn one_line(message: &str, place: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("internal error: {message} ({place}); please report this with the input and the command line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(with_large_stack(|| panic!("a bug")), Status::Internal);
        assert_eq!(with_large_stack(|| Status::Unknown), Status::Unknown);
    }

    #[test]
    fn its_report_is_one_line() {
        assert_eq!(
            one_line("assertion failed\n  left: 1\n right: 2", "src/x.rs:3:5"),
            "internal error: assertion failed left: 1 right: 2 (src/x.rs:3:5); please report this with the input and the \
             command line"
        );
    }

    #[test]
    fn the_stack_is_deep() {
        fn descend(depth: u32) -> u64 {
            let frame = std::hint::black_box([u64::from(depth); 64]);
            if depth == 0 { frame[0] } else { descend(depth - 1) + frame[63] % 2 }
        }
        // 200,000 frames of half a kilobyte are far beyond the usual 8 MB.
        assert_eq!(
            with_large_stack(|| if descend(200_000) > 0 { Status::Success } else { Status::Usage }),
            Status::Success
        );
    }
}
