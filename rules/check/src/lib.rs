//! The checker of certificates and traces, their text, and the interpreter that replays them. It depends on the program alone
//! and shares no code with what it checks; what follows from what it asks through [`Entailment`].

mod certificate;
mod certificate_text;
mod environment;
mod export;
mod interpret;
#[cfg(test)]
mod interpret_tests;
mod location;
mod obligation;
mod parametric;
mod state;
mod trace;

pub use certificate::{Certificate, Invariant};
pub use certificate_text::{CertificateText, Origin, variable_name, write_certificate};
pub use export::smtlib_script;
pub use interpret::{RunEnd, RunError, StepError, enabled, run, step};
pub use location::{at, location_var};
pub use obligation::{Condition, Entailment, Obligation, Rejection, Validity, check_certificate, obligations};
pub use state::{InitError, State, blank, in_range, initial, is_error};
pub use trace::{Trace, TraceError, TraceStep, check_trace};
