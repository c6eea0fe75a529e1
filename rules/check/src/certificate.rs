//! Proofs: a rule's assertions.

use std::collections::BTreeMap;

use program::{LocationId, Term, ThreadId};

/// An assertion with the locations of some threads explicit: R with all of them, or R_i with thread i's.
///
/// It says: these threads are at one of the listed places, and the formula there holds. Formulas are over the program's
/// variables and, for other threads' locations, [`crate::location_var`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Whose locations are explicit.
    pub threads: Vec<ThreadId>,
    /// What holds at each place that may be reached; places not listed are never reached.
    pub at: BTreeMap<Vec<LocationId>, Term>,
}

impl Invariant {
    /// What holds at a place.
    pub fn here(&self, place: &[LocationId]) -> Term {
        self.at.get(place).copied().unwrap_or_else(|| Term::bool(false))
    }
}

/// The assertions of a proof rule [T, Fig. 2].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// R.
    Monolithic(Invariant),
    /// R_1 .. R_N.
    OwickiGries(Vec<Invariant>),
    /// R_1 .. R_N and E_1 .. E_N.
    RelyGuarantee {
        /// R_i, by thread.
        invariants: Vec<Invariant>,
        /// E_i, by thread: a disjunction of formulas over V and V'.
        environment: Vec<Vec<Term>>,
    },
}

impl Certificate {
    /// R, or R_1 .. R_N.
    pub fn invariants(&self) -> &[Invariant] {
        match self {
            Certificate::Monolithic(invariant) => std::slice::from_ref(invariant),
            Certificate::OwickiGries(invariants) | Certificate::RelyGuarantee { invariants, .. } => invariants,
        }
    }
}
