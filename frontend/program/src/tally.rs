//! Tallies: the locations of a template, told apart by what an instance has done on its way there.
//!
//! A [`Counter`](crate::Counter) counts instances by their location alone. Where an instance holds one of two references, which of
//! the two depends on the way it came, and its location does not say. With a tally it does: steps have amounts of several
//! kinds, and a location becomes as many as there are sums of amounts with which it can be reached. The steps are the same, so a
//! run of the program is one of the program with a tally and the other way round, whatever the amounts are.

use std::collections::BTreeMap;

use crate::conflict::{Access, Way};
use crate::model::{LocationId, LocationKind, Malformed, Program, Thread, ThreadId, Transition};

/// Amounts of the steps of a template. Sums are followed from 0 to [`Tally::MOST`], and to 0 where a thread ends: from where one is
/// something else on, all is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The template: an index into [`Program::templates`].
    pub template: usize,
    /// By step, as an index into [`Thread::transitions`], and kind, the amount. Others are 0.
    pub amounts: BTreeMap<(usize, usize), i128>,
}

impl Tally {
    /// The greatest sum that is followed.
    pub const MOST: i128 = 4;

    fn kinds(&self) -> usize {
        self.amounts.keys().map(|(_, kind)| kind + 1).max().unwrap_or(0)
    }

    /// The sums after a step, if they can be followed: not below 0, not above the greatest, and not to the end of a thread that has
    /// not come to 0.
    fn after(&self, thread: &Thread, sums: Option<&Vec<i128>>, step: usize) -> Option<Vec<i128>> {
        let amount = |kind: usize| self.amounts.get(&(step, kind)).copied().unwrap_or(0);
        let most = match thread.location(thread.transitions[step].target).kind {
            LocationKind::End => 0,
            _ => Self::MOST,
        };
        let next = |(kind, sum): (usize, &i128)| sum.checked_add(amount(kind)).filter(|s| (0..=most).contains(s));
        sums?.iter().enumerate().map(next).collect()
    }
}

/// More locations of one template than this are not made, nor are more kinds of amounts followed.
const MOST_LOCATIONS: usize = 2_000;
const MOST_KINDS: usize = 16;

/// A location and the sums with which it is reached; none if they are not followed any more.
pub(crate) type Place = (LocationId, Option<Vec<i128>>);

impl Program {
    /// The program with the locations of templates told apart. Counters are of such locations, so they come later.
    pub fn with_tallies(&self, tallies: &[Tally]) -> Result<Program, Malformed> {
        let mut program = self.clone();
        if !tallies.is_empty() && !self.counters.is_empty() {
            return Err(Malformed("a tally after counters".into()));
        }
        for tally in tallies {
            program.add_tally(tally)?;
        }
        Ok(program)
    }

    /// The tallies.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.tallies.iter().map(|(tally, _)| tally)
    }

    /// Whether a thread of a template that is there has left the sums that its tally follows.
    pub fn is_untold(&self, thread: ThreadId, location: LocationId) -> bool {
        let told = |(tally, places): &(Tally, Vec<Place>)| {
            self.templates()[tally.template].copies.contains(&thread)
                && places.get(location.0 as usize).is_some_and(|(_, sums)| sums.is_none())
        };
        self.tallies.iter().any(told)
    }

    fn add_tally(&mut self, tally: &Tally) -> Result<(), Malformed> {
        let Some(template) = self.templates().get(tally.template) else {
            return Err(Malformed("a tally of no template".into()));
        };
        if self.tallies().any(|other| other.template == tally.template) {
            return Err(Malformed("two tallies of a template".into()));
        }
        let copies = template.copies.clone();
        let first = self.thread(copies[0]);
        if tally.amounts.keys().any(|(step, _)| *step >= first.transitions.len()) {
            return Err(Malformed("a tally of steps that do not exist".into()));
        }
        if tally.kinds() > MOST_KINDS {
            return Err(Malformed("a tally of too many kinds".into()));
        }
        let places = places(first, tally)?;
        let template_copies = copies.clone();
        for copy in copies {
            let thread = &mut self.threads[copy.0 as usize];
            thread.transitions = steps(thread, tally, &places)?;
            thread.locations = places.iter().map(|(l, _)| thread.locations[l.0 as usize].clone()).collect();
            self.accesses[copy.0 as usize] = accesses(&self.accesses[copy.0 as usize], &places);
        }
        let standings = self.deadlocks.iter_mut().flat_map(|conflict| &mut conflict.at);
        for standing in standings.filter(|standing| template_copies.contains(&standing.thread)) {
            standing.ways = ways(&standing.ways, &places);
        }
        self.tallies.push((tally.clone(), places));
        self.find_conflicts();
        Ok(())
    }
}

/// All places: a location that is reached with some sums first keeps its number with these.
fn places(thread: &Thread, tally: &Tally) -> Result<Vec<Place>, Malformed> {
    let mut found: Vec<Place> = vec![(thread.entry, Some(vec![0; tally.kinds()]))];
    follow(thread, tally, &mut found)?;
    // What no path leads to has no sums.
    for (location, _) in thread.locations() {
        if !found.iter().any(|(l, _)| *l == location) {
            found.push((location, None));
            follow(thread, tally, &mut found)?;
        }
    }
    let first = |location: LocationId| found.iter().find(|(l, _)| *l == location).cloned();
    let mut all: Vec<Place> = thread.locations().filter_map(|(location, _)| first(location)).collect();
    for place in found {
        if !all.contains(&place) {
            all.push(place);
        }
    }
    Ok(all)
}

/// Adds the places that steps lead to.
fn follow(thread: &Thread, tally: &Tally, found: &mut Vec<Place>) -> Result<(), Malformed> {
    let mut next = 0;
    while let Some((location, sums)) = found.get(next).cloned() {
        next += 1;
        for (step, transition) in leaving(thread, location) {
            let place = (transition.target, tally.after(thread, sums.as_ref(), step));
            if !found.contains(&place) {
                found.push(place);
            }
        }
        if found.len() > MOST_LOCATIONS {
            return Err(Malformed("too many locations to tell apart".into()));
        }
    }
    Ok(())
}

/// Every step from every place.
fn steps(thread: &Thread, tally: &Tally, places: &[Place]) -> Result<Vec<Transition>, Malformed> {
    let id = |place: &Place| {
        let index = places.iter().position(|known| known == place);
        let index = index.ok_or_else(|| Malformed("a step of a tally leads nowhere".into()))?;
        Ok(LocationId(crate::number::number(index)))
    };
    let mut all = Vec::new();
    for (location, sums) in places {
        let source = id(&(*location, sums.clone()))?;
        for (step, transition) in leaving(thread, *location) {
            let target = id(&(transition.target, tally.after(thread, sums.as_ref(), step)))?;
            all.push(Transition { source, target, ..transition.clone() });
        }
    }
    Ok(all)
}

/// Every access from every place that its location has become.
fn accesses(before: &[Access], places: &[Place]) -> Vec<Access> {
    let everywhere = |access: &Access| {
        let here = (0..).zip(places).filter(|(_, (location, _))| *location == access.location);
        here.map(|(index, _)| Access { location: LocationId(index), ..access.clone() }).collect::<Vec<_>>()
    };
    before.iter().flat_map(everywhere).collect()
}

/// Every way at every place that its location has become.
fn ways(before: &[Way], places: &[Place]) -> Vec<Way> {
    let everywhere = |way: &Way| {
        let here = (0..).zip(places).filter(|(_, (location, _))| *location == way.location);
        here.map(|(index, _)| Way { location: LocationId(index), ..way.clone() }).collect::<Vec<_>>()
    };
    before.iter().flat_map(everywhere).collect()
}

fn leaving(thread: &Thread, location: LocationId) -> impl Iterator<Item = (usize, &Transition)> {
    thread.transitions.iter().enumerate().filter(move |(_, transition)| transition.source == location)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::{Init, Location, Owner, Span, Var, VarId, VarKind};
    use crate::template::Template;
    use crate::term::{IntType, Sort, Term};

    /// Two copies of a thread that takes one of two references (steps 0 and 1 from location 0 to 1) and gives one of them back
    /// (steps 2 and 3, to the end).
    pub(crate) fn program() -> Program {
        let step = |source: u32, target: u32, var: u32, amount: i128| Transition {
            source: LocationId(source),
            target: LocationId(target),
            inputs: Vec::new(),
            guard: Vec::new(),
            updates: vec![(VarId(var), Term::var(VarId(var), Sort::Int).add(Term::int(amount)))],
            defined: Vec::new(),
            span: Span::default(),
        };
        let location = |kind| Location { kind, span: Span::default() };
        let thread = |name: &str| Thread {
            name: name.into(),
            entry: LocationId(0),
            locations: [LocationKind::Plain, LocationKind::Plain, LocationKind::End].map(location).to_vec(),
            transitions: vec![step(0, 1, 0, 1), step(0, 1, 1, 1), step(1, 2, 0, -1), step(1, 2, 1, -1)],
            span: Span::default(),
        };
        let var = |name: &str| Var {
            name: name.into(),
            sort: Sort::Int,
            owner: Owner::Global,
            kind: VarKind::User,
            ty: IntType::new(32, true),
            length: None,
            init: Init::Value(Term::int(0)),
            span: Span::default(),
        };
        let (vars, mut threads) = (vec![var("a"), var("b")], vec![thread("w#1"), thread("w#2")]);
        crate::confine(&vars, &mut threads);
        let program = Program::new(vec!["f.c".into()], vars, threads).unwrap();
        let copies = vec![ThreadId(0), ThreadId(1)];
        program.with_templates(vec![Template { name: "w".into(), copies, identities: Vec::new() }]).unwrap()
    }

    fn tally() -> Tally {
        Tally { template: 0, amounts: BTreeMap::from([((0, 0), 1), ((1, 1), 1), ((2, 0), -1), ((3, 1), -1)]) }
    }

    /// An access is about to be made wherever its location has become one: none of its conflicts is lost.
    #[test]
    fn accesses_are_made_from_each_of_the_places() {
        let write = Access {
            location: LocationId(1),
            when: Vec::new(),
            object: 0,
            index: None,
            writes: true,
            atomic: false,
            in_section: false,
            span: Span::default(),
            calls: Vec::new(),
        };
        let writes = vec![vec![write.clone()], vec![write]];
        let racy = program().with_accesses(writes, std::collections::BTreeSet::new()).unwrap();
        assert_eq!(racy.conflicts().len(), 1);
        let told = racy.with_tallies(&[tally()]).unwrap();
        // Two places each, in all pairs.
        assert_eq!(told.conflicts().len(), 4);
    }

    #[test]
    fn a_location_becomes_one_for_each_way_there() {
        let told = program().with_tallies(&[tally()]).unwrap();
        for copy in [ThreadId(0), ThreadId(1)] {
            let thread = told.thread(copy);
            // Two places with a reference; the end with none, and the end that the tally does not follow.
            assert_eq!(thread.locations.len(), 5);
            let ends: Vec<bool> = thread
                .locations()
                .filter(|(_, location)| location.kind == LocationKind::End)
                .map(|(id, _)| told.is_untold(copy, id))
                .collect();
            assert_eq!(ends, [false, true]);
            assert_eq!(thread.transitions.len(), 2 + 2 * 2);
        }
    }

    #[test]
    fn every_step_is_there_from_every_place() {
        let (before, told) = (program(), program().with_tallies(&[tally()]).unwrap());
        let (old, new) = (before.thread(ThreadId(0)), told.thread(ThreadId(0)));
        // A location keeps its number with the first sums, and its steps do the same.
        for (location, _) in old.locations() {
            let effects = |thread: &Thread| thread.from(location).map(|t| t.updates.clone()).collect::<Vec<_>>();
            assert_eq!(effects(old), effects(new));
        }
    }

    #[test]
    fn tallies_that_make_no_sense_are_refused() {
        let refused = |tallies: &[Tally]| program().with_tallies(tallies).unwrap_err().0;
        assert_eq!(refused(&[Tally { template: 1, ..tally() }]), "a tally of no template");
        assert_eq!(refused(&[tally(), tally()]), "two tallies of a template");
        let far = |step, kind| Tally { template: 0, amounts: BTreeMap::from([((step, kind), 1)]) };
        assert_eq!(refused(&[far(4, 0)]), "a tally of steps that do not exist");
        assert_eq!(refused(&[far(0, 1 << 40)]), "a tally of too many kinds");
        let counter = crate::Counter { template: 0, locations: [LocationId(1)].into() };
        let counted = program().with_counters(&[counter]).unwrap();
        assert_eq!(counted.with_tallies(&[tally()]).unwrap_err().0, "a tally after counters");
    }

    #[test]
    fn sums_without_bound_are_followed_up_to_a_limit() {
        let mut looping = program();
        for thread in &mut looping.threads {
            thread.transitions.iter_mut().for_each(|step| step.target = LocationId(0));
            thread.transitions.truncate(1);
        }
        let told = looping.with_tallies(&[Tally { template: 0, amounts: BTreeMap::from([((0, 0), 1)]) }]).unwrap();
        let head = told.thread(ThreadId(0)).locations().count();
        // 0 to 4, beyond, and two that are not reached.
        assert_eq!(head, 6 + 2);
    }
}
