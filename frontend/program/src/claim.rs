//! Claims: what a program says of its own executions, each of which is proved or violated by itself.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::{LocationKind, Malformed, Program, Span, UbKind};

/// What is asked of a program: a set of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// No assertion fails, and control comes to no error function and no error label.
    UnreachCall,
    /// No signed operation has a result that its type cannot hold.
    NoOverflow,
    /// Nothing is divided by zero.
    NoDivisionByZero,
    /// Nothing is shifted by less than nothing or more than its width, and nothing to the left that is negative or gets too large.
    NoBadShift,
    /// No two threads are ever about to touch the same bytes, one of them writing, unless both do so atomically.
    NoDataRace,
    /// Nothing is accessed through a pointer that is null, dangling or out of its object, and nothing called that is no function.
    ValidDeref,
    /// Nothing is freed but blocks that were allocated and are still there.
    ValidFree,
    /// No block is lost: as long as it is not freed, live variables lead to it.
    ValidMemtrack,
    /// When the program ends, no block is left.
    ValidMemcleanup,
    /// Synchronisation objects and threads are used as their standards allow.
    NoMisuse,
    /// No local, and no pointer, is read before it has got a value.
    NoUninitialisedRead,
    /// No threads wait for each other, and there is always one that can go on, or all have ended.
    NoDeadlock,
}

/// What a property needs of the Program that is to decide it. Two with different needs would only make each other's Program larger,
/// or less exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// What memory holds, which may have been used before.
    Values,
    /// Which objects live, none of them where another one was.
    Lives,
    /// The same, and each access that may meet another by itself.
    Accesses,
    /// Who leads to blocks, as ghosts beside the program's variables.
    Chains,
    /// Each wait by itself, and no step left out that only goes round.
    Waits,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 12] = [
        Property::UnreachCall,
        Property::NoOverflow,
        Property::NoDivisionByZero,
        Property::NoBadShift,
        Property::NoDataRace,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoMisuse,
        Property::NoUninitialisedRead,
        Property::NoDeadlock,
    ];

    /// Its name: that of SV-COMP, where it has one.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::NoDivisionByZero => "no-division-by-zero",
            Property::NoBadShift => "no-bad-shift",
            Property::NoDataRace => "no-data-race",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoMisuse => "no-misuse",
            Property::NoUninitialisedRead => "no-uninitialised-read",
            Property::NoDeadlock => "no-deadlock",
        }
    }

    /// What it means that it is violated.
    pub fn violation(self) -> &'static str {
        match self {
            Property::UnreachCall => "An assertion fails, or an error function is called.",
            Property::NoOverflow => "The result of a signed operation does not fit its type.",
            Property::NoDivisionByZero => "A number is divided by zero.",
            Property::NoBadShift => "A number is shifted by an amount, or to a value, that C does not define.",
            Property::NoDataRace => "Two threads may touch the same bytes at the same time, and one of them writes.",
            Property::ValidDeref => "A pointer is used that is null, dangling, out of its object, or no function.",
            Property::ValidFree => "Something is freed that is no allocated block, or has been freed before.",
            Property::ValidMemtrack => "Allocated memory is lost: nothing leads to it any more.",
            Property::ValidMemcleanup => "The program ends, and allocated memory has not been freed.",
            Property::NoMisuse => "A synchronisation object or a thread is used in a way that is not allowed.",
            Property::NoUninitialisedRead => "A local or a pointer is read that has no value yet.",
            Property::NoDeadlock => "Threads wait for each other, or for what nobody will do any more.",
        }
    }

    /// What it needs of the Program that is to decide it.
    pub fn need(self) -> Need {
        match self {
            Property::UnreachCall
            | Property::NoOverflow
            | Property::NoDivisionByZero
            | Property::NoBadShift
            | Property::NoMisuse => Need::Values,
            Property::ValidDeref | Property::ValidFree | Property::NoUninitialisedRead => Need::Lives,
            Property::NoDataRace => Need::Accesses,
            Property::ValidMemtrack | Property::ValidMemcleanup => Need::Chains,
            Property::NoDeadlock => Need::Waits,
        }
    }

    /// The property that such undefined behaviour violates, if it can be asked for.
    pub fn forbidding(kind: UbKind) -> Option<Property> {
        match kind {
            UbKind::SignedOverflow => Some(Property::NoOverflow),
            UbKind::DivisionByZero => Some(Property::NoDivisionByZero),
            UbKind::Shift => Some(Property::NoBadShift),
            UbKind::OutOfBounds | UbKind::InvalidPointer | UbKind::InvalidCall => Some(Property::ValidDeref),
            UbKind::InvalidFree => Some(Property::ValidFree),
            UbKind::Lost => Some(Property::ValidMemtrack),
            UbKind::Kept => Some(Property::ValidMemcleanup),
            UbKind::Synchronisation => Some(Property::NoMisuse),
            UbKind::Uninitialised => Some(Property::NoUninitialisedRead),
            UbKind::Unreachable => None,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which claim: of this property, about what is at this place. The same in every program that a text is lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimId {
    /// Of what.
    pub property: Property,
    /// Where.
    pub span: Span,
    /// The other place, of a claim about two.
    pub other: Option<Span>,
}

impl ClaimId {
    /// A claim about one place.
    pub fn new(property: Property, span: Span) -> ClaimId {
        ClaimId { property, span, other: None }
    }
    /// A claim about two places, in whatever order.
    pub fn of_two(property: Property, one: Span, two: Span) -> ClaimId {
        ClaimId { property, span: one.min(two), other: Some(one.max(two)) }
    }
    /// The places that it is about.
    pub fn places(self) -> impl Iterator<Item = Span> {
        [self.span].into_iter().chain(self.other)
    }
}

/// That something never happens: an assertion never fails. It is violated where a thread is at a location that
/// [is its error](LocationKind::Error), or where threads [are in conflict](crate::Conflict).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Which one.
    pub id: ClaimId,
    /// What is claimed, in the words of the text: `assertion x == 1`.
    pub what: String,
    /// What happens where it is violated: `assertion x == 1 fails`.
    pub violation: String,
    /// The function of the text that claims it.
    pub function: String,
}

impl Program {
    /// What the program claims, in the order of the text. A claim without an error location holds by itself.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The claim with this id.
    pub fn claim(&self, id: ClaimId) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }

    /// The same program that says more of what it claims. Every error must be that of a claim, and no claim may be there twice.
    pub fn with_claims(self, mut claims: Vec<Claim>) -> Result<Program, Malformed> {
        claims.sort_by_key(|claim| claim.id);
        let ids: BTreeSet<ClaimId> = claims.iter().map(|claim| claim.id).collect();
        if ids.len() < claims.len() {
            return Err(Malformed("a claim is made twice".into()));
        }
        match self.errors().iter().find(|id| !ids.contains(id)) {
            Some(id) => Err(Malformed(format!("nothing is claimed at {}", self.place(id.span)))),
            None => Ok(Program { claims, ..self }),
        }
    }

    /// The claims that some location or conflict violates.
    pub(crate) fn errors(&self) -> BTreeSet<ClaimId> {
        let locations = self.threads.iter().flat_map(|thread| &thread.locations);
        let conflicts = self.conflicts.iter().map(|conflict| conflict.claim);
        locations.filter_map(|location| location.violates()).chain(conflicts).collect()
    }

    /// What is claimed by error locations of which nothing else is known.
    pub(crate) fn bare_claims(&self) -> Vec<Claim> {
        let claim = |id| Claim { id, what: "no error".into(), violation: "error".into(), function: String::new() };
        self.errors().into_iter().map(claim).collect()
    }
}

impl crate::model::Location {
    /// The claim that is violated here.
    pub fn violates(&self) -> Option<ClaimId> {
        match self.kind {
            LocationKind::Error(property) => Some(ClaimId::new(property, self.span)),
            _ => None,
        }
    }
}
