//! Which properties one Program can serve: claims that need different Programs get different ones.
//!
//! Each part of what is asked is lowered and decided by itself. What violates a property of another part ends an execution, as all
//! undefined behaviour does that nobody asked about here. That is no assumption where all parts are proved: of what goes wrong
//! in a run something is the first, and the part that speaks of it has shown that it is not.

use program::{Need, Property};

/// Whether accesses to memory that is used again are modelled for the values that they find: where the access itself matters, that no
/// address is handed out twice is an assumption.
pub(crate) fn is_by_value(properties: &[Property]) -> bool {
    properties.iter().all(|property| matches!(property.need(), Need::Values | Need::Waits))
}

/// The parts of what is asked that get a Program each, in the order in which their first properties are asked for.
pub fn parts(asked: &[Property]) -> Vec<Vec<Property>> {
    let mut parts: Vec<Vec<Property>> = Vec::new();
    for property in asked {
        match parts.iter_mut().find(|part| part.iter().any(|other| other.need() == property.need())) {
            Some(part) => part.push(*property),
            None => parts.push(vec![*property]),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use Property::{NoDataRace, NoDeadlock, NoOverflow, UnreachCall, ValidDeref, ValidFree, ValidMemtrack};

    #[test]
    fn what_needs_the_same_stays_together() {
        let asked = [ValidDeref, UnreachCall, ValidFree, NoOverflow, NoDeadlock, NoDataRace, ValidMemtrack];
        let expected = [
            vec![ValidDeref, ValidFree],
            vec![UnreachCall, NoOverflow],
            vec![NoDeadlock],
            vec![NoDataRace],
            vec![ValidMemtrack],
        ];
        assert_eq!(parts(&asked), expected);
        assert_eq!(parts(&[UnreachCall]), [[UnreachCall]]);
        assert!(parts(&[]).is_empty());
    }

    #[test]
    fn no_property_is_lost() {
        let mut all: Vec<Property> = parts(&Property::ALL).concat();
        all.sort_unstable();
        assert_eq!(all, Property::ALL);
    }
}
