//! `threader prove --validate-witness`: prove the invariants of a correctness witness.
//!
//! The witness is put into the C text as assertions and ghost variables, and that program is proved like any other.

use std::path::Path;

use frontend::Loaded;
use rules::{Options, Reason, Verdict};

use crate::arguments::ProveArguments;
use crate::limits::Watch;
use crate::report::{self, Detail};
use crate::status::Status;
use crate::witness::{Witness, instrument, read};
use crate::{check, input, output};

/// Proves what the witness says. `false` is never the answer: that an invariant fails says nothing of the program.
pub fn run(arguments: &ProveArguments, loaded: &Loaded, path: &Path, options: Options, watch: Watch) -> Status {
    let shown = path.display();
    let malformed = |what: &str| output::complain(&format!("{shown} cannot be validated: {what}"), Status::Malformed);
    let found = match check::read(path).and_then(|text| read(&text)) {
        Ok(found) => found,
        Err(what) => return malformed(&what),
    };
    check::note_other_program(&found.hashes, loaded);
    if !loaded.program.templates().is_empty() {
        return output::print_unknown("unsupported: correctness witnesses about any number of threads");
    }
    // Which statements are one step is asked of the program in which a step is one access.
    let options_by_access = frontend::Options { fusion: frontend::Fusion::Local, ..arguments.options() };
    let Ok(by_access) = frontend::load(&arguments.input.file, &options_by_access) else { return Status::Internal };
    let text = match instrument(&by_access, &found.witness) {
        Ok(text) => text,
        Err(what) => return malformed(&what),
    };
    if let Witness::Correctness { ghosts, invariants, .. } = &found.witness {
        output::report(&format!("{} invariants, {} ghost variables\n", invariants.len(), ghosts.len()));
    }
    let instrumented = match beside(loaded, &text, |file| input::program(file, &arguments.options())) {
        Ok(Ok(instrumented)) => instrumented,
        Ok(Err(status)) => return status,
        Err(what) => return output::complain(&what, Status::Usage),
    };
    let outcome = rules::prove(&instrumented.program, &options);
    let stop = watch.stop();
    drop(watch);
    match &outcome.verdict {
        Verdict::Safe(_) => output::print("Result: true\n", Status::Success),
        Verdict::Unsafe(_) => {
            output::report(&report::text(&instrumented, &outcome, Detail::Visible));
            output::print_unknown("witness rejected: an invariant, or the program, fails as shown")
        }
        Verdict::Unknown(Reason::Cancelled) => output::print_unknown(stop.reason().unwrap_or("interrupted")),
        Verdict::Unknown(reason) => output::print_unknown(&reason.to_string()),
    }
}

/// Has the text loaded from a file beside the program, so that what it includes is found; the file is removed again.
fn beside<T>(loaded: &Loaded, text: &str, load: impl FnOnce(&Path) -> T) -> Result<T, String> {
    let name = loaded.input.file_name().unwrap_or_default().to_string_lossy();
    let hidden = format!(".threader-{}-{name}", std::process::id());
    let file = loaded.input.with_file_name(hidden);
    std::fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let result = load(&file);
    let _ = std::fs::remove_file(&file);
    Ok(result)
}
