//! `threader prove --validate-witness`: prove the invariants of a correctness witness.
//!
//! The witness is put into the C text as assertions and ghost variables, and that program is proved like any other.

use std::path::Path;
use std::sync::Arc;

use frontend::{Loaded, Text};
use rules::{Options, Reason, Verdict};

use crate::arguments::ProveArguments;
use crate::limits::Watch;
use crate::prove::{Lowering, decide};
use crate::report::{self, Detail};
use crate::status::Status;
use crate::witness::{Witness, instrument, read};
use crate::{check, input, output, temporary};

/// Proves what the witness says. `false` is never the answer: that an invariant fails says nothing of the program.
pub fn run(
    arguments: &ProveArguments,
    source: &Arc<Text>,
    parts: &[frontend::Options],
    path: &Path,
    options: Options,
    watch: Watch,
) -> Status {
    let [first, ..] = parts else { return Status::Internal };
    let loaded = &match input::lower(source, first) {
        Ok(loaded) => loaded,
        Err(error) => return input::explain_failure(&error),
    };
    input::warn([loaded]);
    let shown = path.display();
    let malformed = |what: &str| output::complain(&format!("{shown} cannot be validated: {what}"), Status::Malformed);
    let found = match check::read(path).and_then(|text| read(&text)) {
        Ok(found) => found,
        Err(what) => return malformed(&what),
    };
    check::note_other_program(&found.hashes, loaded);
    if loaded.inputs.len() > 1 {
        return malformed("witnesses speak of programs of one file");
    }
    // Which statements are one access is asked of the program without fusion.
    let elementary = frontend::Options { fusion: frontend::Fusion::Off, ..first.clone() };
    let Ok(fine) = input::lower(&loaded.text, &elementary) else { return Status::Internal };
    let text = match instrument(&fine, &found.witness) {
        Ok(text) => text,
        Err(what) => return malformed(&what),
    };
    if let Witness::Correctness { ghosts, invariants, .. } = &found.witness {
        output::report(&format!("{} invariants, {} ghost variables\n", invariants.len(), ghosts.len()));
    }
    let decided = beside(loaded, &text, |file| {
        let mut found = Err(Status::Internal);
        for part in parts {
            // What a task says of the program holds of its text by itself, too.
            let lowering = frontend::Options { data_model: Some(loaded.data_model), ..part.clone() };
            let instrumented = input::program(&[file.into()], &lowering)?;
            let text = Lowering { source: instrumented.text.clone(), options: lowering };
            let decided = decide(arguments, &text, instrumented, &options).map_err(output::print_unknown)?;
            let is_proved = matches!(decided.outcome.verdict, Verdict::Safe(_));
            found = Ok(decided);
            if !is_proved {
                break;
            }
        }
        found
    });
    let found = match decided {
        Ok(Ok(found)) => found,
        Ok(Err(status)) => return status,
        Err(what) => return output::complain(&what, Status::Usage),
    };
    let stop = watch.stop();
    drop(watch);
    match &found.outcome.verdict {
        Verdict::Safe(_) => output::print("Result: true\n", Status::Success),
        Verdict::Unsafe(trace) => {
            if let Some(status) = input::refuse_run(&found.loaded, trace) {
                return status;
            }
            output::report(&report::text(&found.loaded, &found.outcome, Detail::Visible));
            output::print_unknown("witness rejected: an invariant, or the program, fails as shown")
        }
        Verdict::Unknown(Reason::Cancelled) => output::print_unknown(stop.reason().unwrap_or("interrupted")),
        Verdict::Unknown(reason) => output::print_unknown(&reason.to_string()),
    }
}

/// Has the text handled in a file beside the program, so that what it includes is found; the file is removed again.
fn beside<T>(loaded: &Loaded, text: &str, handle: impl FnOnce(&Path) -> T) -> Result<T, String> {
    let name = loaded.input().file_name().unwrap_or_default().to_string_lossy();
    let hidden = format!(".threader-{}-{name}", std::process::id());
    let file = loaded.input().with_file_name(hidden);
    temporary::note(file.clone());
    let written = std::fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()));
    let result = written.map(|()| handle(&file));
    temporary::clean_up();
    result
}
