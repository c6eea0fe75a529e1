//! Proofs: a rule's assertions.

use std::collections::BTreeMap;

use program::{LocationId, Owner, Program, Term, TermKind, ThreadId};

use crate::location::location_var;

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
    /// Whether each R_i speaks of G and V_i only, and each E_i of G and G' only: the proof is thread-modular. A monolithic proof is
    /// not.
    pub fn is_modular(&self, program: &Program) -> bool {
        let foreign = |term: Term, own: Option<ThreadId>| {
            let mut found = false;
            term.visit(&mut |leaf| {
                if let TermKind::Var(var, _) | TermKind::Primed(var, _) = leaf.kind() {
                    let owner = if (var.0 as usize) < program.var_count() {
                        program.var(*var).owner
                    } else {
                        Owner::Local(ThreadId(var.0 - location_var(program, ThreadId(0)).0))
                    };
                    found |= owner != Owner::Global && own.map(Owner::Local) != Some(owner);
                }
            });
            found
        };
        let invariants = self.invariants().iter().all(|invariant| match invariant.threads.as_slice() {
            [own] => !invariant.at.values().any(|formula| foreign(*formula, Some(*own))),
            _ => false,
        });
        let environment = match self {
            Certificate::RelyGuarantee { environment, .. } => environment.as_slice(),
            _ => &[],
        };
        invariants && !environment.iter().flatten().any(|formula| foreign(*formula, None))
    }

    /// The rule's name.
    pub fn rule_name(&self) -> &'static str {
        match self {
            Certificate::Monolithic(_) => "monolithic",
            Certificate::OwickiGries(_) => "owicki-gries",
            Certificate::RelyGuarantee { .. } => "rely-guarantee",
        }
    }

    /// R, or R_1 .. R_N.
    pub fn invariants(&self) -> &[Invariant] {
        match self {
            Certificate::Monolithic(invariant) => std::slice::from_ref(invariant),
            Certificate::OwickiGries(invariants) | Certificate::RelyGuarantee { invariants, .. } => invariants,
        }
    }
}
