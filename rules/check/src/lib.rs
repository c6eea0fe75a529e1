//! The checker of certificates and traces, their text, and the interpreter that replays them. It depends on the program alone
//! and shares no code with what it checks. What follows from what it finds out by itself where that is simple ([`tableau`]), and
//! asks through [`Entailment`] otherwise. What it has found valid is a [`Proof`] or [`Replayed`]: nobody else can make one.

mod certificate;
mod certificate_text;
mod environment;
mod export;
mod form;
mod interpret;
#[cfg(test)]
mod interpret_tests;
mod location;
mod obligation;
mod owed;
mod proof;
mod state;
mod tableau;
mod trace;

pub use certificate::{Certificate, Invariant};
pub use certificate_text::{CertificateText, Origin, variable_name, write_certificate};
pub use export::smtlib_script;
pub use interpret::{RunEnd, RunError, StepError, enabled, run, step};
pub use location::{at, location_var};
pub use obligation::{Condition, Entailment, Obligation, Rejection, Validity, obligations, obligations_of};
pub use proof::{Checker, Proof, Replayed, check_certificate, replay};
pub use state::{InitError, State, blank, conflicts, in_range, initial, is_error};
pub use tableau::Tableau;
pub use trace::{Trace, TraceError, TraceStep, check_trace};
