//! Tallies: the locations of a template, told apart by what an instance has done on its way there.
//!
//! A [`Counter`](crate::Counter) counts instances by their location alone. Where an instance holds one of two references, which of
//! the two depends on the way it came, and its location does not say. With a tally it does: steps have amounts of several
//! kinds, and a location becomes as many as there are sums of amounts with which it can be reached. The steps are the same, so a
//! run of the program is one of the program with a tally and the other way round, whatever the amounts are.

use std::collections::BTreeMap;

use crate::model::{LocationId, Malformed, Program, Thread, ThreadId, Transition};

/// Amounts of the steps of a template. Sums are followed from 0 to [`Tally::MOST`]: from where one leaves that range on, all is one.
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

    /// The sums after a step, if they can be followed.
    fn after(&self, sums: Option<&Vec<i128>>, step: usize) -> Option<Vec<i128>> {
        let amount = |kind: usize| self.amounts.get(&(step, kind)).copied().unwrap_or(0);
        let next = |(kind, sum): (usize, &i128)| sum.checked_add(amount(kind)).filter(|s| (0..=Self::MOST).contains(s));
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
        for copy in copies {
            let thread = &mut self.threads[copy.0 as usize];
            thread.transitions = steps(thread, tally, &places)?;
            thread.locations = places.iter().map(|(l, _)| thread.locations[l.0 as usize].clone()).collect();
        }
        self.tallies.push((tally.clone(), places));
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
            let place = (transition.target, tally.after(sums.as_ref(), step));
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
        Ok(LocationId(u32::try_from(index).unwrap_or(u32::MAX)))
    };
    let mut all = Vec::new();
    for (location, sums) in places {
        let source = id(&(*location, sums.clone()))?;
        for (step, transition) in leaving(thread, *location) {
            let target = id(&(transition.target, tally.after(sums.as_ref(), step)))?;
            all.push(Transition { source, target, ..transition.clone() });
        }
    }
    Ok(all)
}

fn leaving(thread: &Thread, location: LocationId) -> impl Iterator<Item = (usize, &Transition)> {
    thread.transitions.iter().enumerate().filter(move |(_, transition)| transition.source == location)
}
