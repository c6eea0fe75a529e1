//! What a proof of this program rests on, beyond what holds for every program. The numbers are those of the README's list.

use std::collections::BTreeMap;

use program::{Program, Property, Span, UbKind};

use crate::finish::Endings;
use crate::lower::heap::Allocation;
use crate::lower::{Config, Creation};
use crate::reuse::Reuse;

/// One assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Its number in the README.
    pub number: u32,
    /// What is assumed.
    pub text: String,
    /// The first place that needs it.
    pub span: Option<Span>,
}

/// What the stages before the Program know and it does not say.
pub(crate) struct Known {
    /// A memory order weaker than sequential consistency.
    pub(crate) weak_order: Option<Span>,
    /// A place that destroys a synchronisation object or detaches a thread.
    pub(crate) given_up: Option<Span>,
    /// A place that joins a thread of any number, if those that have ended are counted.
    pub(crate) counted_join: Option<Span>,
    /// Calls of functions without a body of which nothing is known but their type.
    pub(crate) bodiless: BTreeMap<String, Span>,
    /// A place that creates a thread.
    pub(crate) creation: Option<Span>,
    /// A place that allocates memory.
    pub(crate) allocation: Option<Span>,
    /// A place that may get memory which has been used before, if that is not modelled.
    pub(crate) not_reused: Option<Span>,
    /// A place that compares the address of a local with that of another object.
    pub(crate) compared_local: Option<Span>,
    /// Undefined behaviour that ends every execution that comes there.
    pub(crate) endings: Endings,
}

/// The assumptions under which a proof of the program is one.
pub(crate) fn assumptions(program: &Program, known: &Known, config: &Config) -> Vec<Assumption> {
    let mut all = Vec::new();
    if let Some(span) = known.weak_order {
        let text = "weaker memory orders are taken for seq_cst".to_string();
        all.push(Assumption { number: 1, text, span: Some(span) });
    }
    let steps = program.threads().flat_map(|(_, thread)| &thread.transitions).flat_map(|t| &t.defined);
    let mut undefined: BTreeMap<UbKind, Span> = BTreeMap::new();
    // What is claimed of another program of the text is assumed by none.
    let claimed = |property: Property| config.elsewhere.contains(&property);
    for (kind, span) in steps.map(|d| (d.kind, d.span)).chain(known.endings.iter().copied()) {
        if Property::forbidding(kind).is_some_and(claimed) {
            continue;
        }
        let first = undefined.entry(kind).or_insert(span);
        *first = (*first).min(span);
    }
    all.extend(undefined.into_iter().map(|(kind, span)| Assumption {
        number: 3,
        text: format!("no undefined behaviour by {}", cause(kind)),
        span: Some(span),
    }));
    if let Some(span) = known.given_up.filter(|_| !config.asks(Property::NoMisuse) && !claimed(Property::NoMisuse)) {
        let text = "no use of a synchronisation object after it was destroyed, or of a thread after it was detached";
        all.push(Assumption { number: 3, text: text.to_string(), span: Some(span) });
    }
    if let Some(span) = known.counted_join {
        let text = "no thread that is created without bound is joined twice, or after it was detached";
        all.push(Assumption { number: 3, text: text.to_string(), span: Some(span) });
    }
    if let (Creation::Succeeds, Some(span)) = (config.creation, known.creation) {
        all.push(Assumption { number: 5, text: "threads can always be created".to_string(), span: Some(span) });
    }
    if let Some(span) = known.bodiless.values().min() {
        let names: Vec<&str> = known.bodiless.keys().map(String::as_str).collect();
        let text = format!("functions without a body do nothing but return something: {}", names.join(", "));
        all.push(Assumption { number: 6, text, span: Some(*span) });
    }
    if let (Some(span), Allocation::Succeeds) = (known.allocation, config.allocation) {
        let text = "memory can always be allocated".to_string();
        all.push(Assumption { number: 10, text, span: Some(span) });
    }
    if let Some(span) = known.not_reused {
        let text = match config.reuse {
            Reuse::Never => "no address of allocated memory is handed out twice",
            Reuse::Modelled | Reuse::Excluded => "no address is handed out again where that is not modelled",
        };
        all.push(Assumption { number: 10, text: text.to_string(), span: Some(span) });
    }
    if let Some(span) = known.compared_local {
        let text = "the address of a local that has ended is not used again".to_string();
        all.push(Assumption { number: 10, text, span: Some(span) });
    }
    if !program.templates().is_empty() {
        let text = match known.counted_join {
            None => "at most 2^30 threads are created without bound",
            Some(_) => "at most 2^24 threads are created without bound for each function",
        };
        let text = text.to_string();
        all.push(Assumption { number: 12, text, span: known.creation });
    }
    all
}

fn cause(kind: UbKind) -> String {
    match kind {
        UbKind::InvalidPointer | UbKind::InvalidCall | UbKind::OutOfBounds | UbKind::InvalidFree => {
            format!("an {kind}")
        }
        UbKind::Uninitialised => format!("a {kind}"),
        _ => kind.to_string(),
    }
}
