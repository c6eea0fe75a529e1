//! `threader compare`: the rules side by side.

use crate::arguments::CompareArguments;
use crate::output;
use crate::status::Status;

/// Says that there is nothing to compare yet, after what is missing.
pub fn run(arguments: &CompareArguments) -> Status {
    if let Some(missing) = arguments.files.iter().find(|path| !path.exists()) {
        return output::complain(&format!("{} does not exist", missing.display()), Status::Malformed);
    }
    output::complain("`threader compare` is not available in this version", Status::Unknown)
}
