//! Ghost counters: how many instances of a template are at some of its locations.
//!
//! A counter is a global that every step of the template keeps, and nothing reads: it changes no run. What it adds are facts that
//! no assertion about a few instances could state: an instance that is at one of the locations is counted.

use std::collections::BTreeSet;

use crate::model::{
    Bookkeeping, Init, LocationId, LocationKind, Malformed, Owner, Program, Span, ThreadId, Var, VarId, VarKind,
};
use crate::template::FIRST_IDENTITY;
use crate::term::{IntType, Sort, Term};

/// The most instances of a template in a run: ids are this many.
const MOST_INSTANCES: i128 = 1 << 30;

/// How many instances of a template are at certain locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The template: an index into [`Program::templates`].
    pub template: usize,
    /// The locations.
    pub locations: BTreeSet<LocationId>,
}

impl Program {
    /// The program with counters. No instance is counted at the start.
    pub fn with_counters(&self, counters: &[Counter]) -> Result<Program, Malformed> {
        let mut program = self.clone();
        for counter in counters {
            program.add_counter(counter)?;
        }
        Ok(program)
    }

    /// The counters with the variables that hold them.
    pub fn counters(&self) -> &[(Counter, VarId)] {
        &self.counters
    }

    /// What is known of threads at these places, whatever the program: instances have different ids, are counted, and not too many.
    pub fn axioms(&self, placed: &[(ThreadId, LocationId)]) -> Vec<Term> {
        let mut all = self.identities_differ(&placed.iter().map(|(thread, _)| *thread).collect::<Vec<_>>());
        for (counter, var) in &self.counters {
            let copies = &self.templates()[counter.template].copies;
            let counted = |but: &BTreeSet<LocationId>| {
                let counts = |location| counter.locations.contains(location) && !but.contains(location);
                let here = placed.iter().filter(|(thread, location)| copies.contains(thread) && counts(location));
                Term::int(i128::try_from(here.count()).unwrap_or(0))
            };
            all.push(counted(&BTreeSet::new()).le(self.term(*var)));
            // Who is counted at some of the locations is counted at all of them, and so are those at the others.
            let within = |other: &&(Counter, VarId)| {
                let (inner, outer) = (&other.0.locations, &counter.locations);
                other.0.template == counter.template && inner.is_subset(outer) && inner != outer
            };
            for (fewer, part) in self.counters.iter().filter(within) {
                all.push(counted(&fewer.locations).add(self.term(*part)).le(self.term(*var)));
            }
            // Those who have ended are never fewer, so that their number matters where it could be too large for a type.
            if self.counts_ended(counter) {
                all.push(self.term(*var).le(Term::int(MOST_INSTANCES)));
            }
        }
        all.retain(|axiom| axiom.as_bool() != Some(true));
        all
    }

    /// Whether a counter counts instances that have ended.
    pub fn counts_ended(&self, counter: &Counter) -> bool {
        let first = self.thread(self.templates()[counter.template].copies[0]);
        counter.locations.iter().any(|l| first.location(*l).kind == LocationKind::End)
    }

    /// That the ids of these threads are ids of instances, and different.
    pub fn identities_differ(&self, threads: &[ThreadId]) -> Vec<Term> {
        let instances = self.templates().iter().flat_map(|t| t.copies.iter().zip(&t.identities));
        let present = instances.filter(|(copy, _)| threads.contains(copy));
        let ids: Vec<Term> = present.map(|(_, identity)| self.term(*identity)).collect();
        let mut all = Vec::new();
        for (k, id) in ids.iter().enumerate() {
            all.push(Term::int(FIRST_IDENTITY).le(*id));
            all.extend(ids[..k].iter().map(|other| other.eq_to(*id).not()));
        }
        all
    }

    fn add_counter(&mut self, counter: &Counter) -> Result<(), Malformed> {
        let copies = match self.templates().get(counter.template) {
            Some(template) => template.copies.clone(),
            None => return Err(Malformed("a counter of no template".into())),
        };
        let first = self.thread(copies[0]);
        if counter.locations.contains(&first.entry) {
            return Err(Malformed("a counter of instances that have not started".into()));
        }
        if counter.locations.iter().any(|l| l.0 as usize >= first.locations.len()) {
            return Err(Malformed("a counter of locations that do not exist".into()));
        }
        let places: Vec<String> = counter.locations.iter().map(|l| l.0.to_string()).collect();
        let name = format!("count({} at {})", self.templates()[counter.template].name, places.join(" "));
        if self.vars.iter().any(|var| var.name == name) {
            return Err(Malformed(format!("two counters are named {name}")));
        }
        let id = VarId(crate::number::number(self.vars.len()));
        // Ids are machine words, and no two are alike: there are no more instances than that.
        let ty = IntType::new(64, false);
        self.vars.push(Var {
            name,
            sort: Sort::Int,
            owner: Owner::Global,
            kind: VarKind::Control(Bookkeeping::Other),
            ty,
            length: None,
            init: Init::Value(Term::int(0)),
            span: Span::default(),
        });
        let value = Term::var(id, Sort::Int);
        for copy in copies {
            for transition in &mut self.threads[copy.0 as usize].transitions {
                let (before, after) =
                    (counter.locations.contains(&transition.source), counter.locations.contains(&transition.target));
                match (before, after) {
                    (false, true) => transition.updates.push((id, value.add(Term::int(1)))),
                    (true, false) => transition.updates.push((id, value.sub(Term::int(1)))),
                    _ => {}
                }
            }
        }
        self.counters.push((counter.clone(), id));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::tests::program;

    #[test]
    fn who_is_counted_at_some_locations_is_counted_at_all() {
        let at =
            |locations: &[u32]| Counter { template: 0, locations: locations.iter().copied().map(LocationId).collect() };
        let counted = program().with_counters(&[at(&[1]), at(&[1, 2])]).unwrap();
        let [few, all] = [0, 1].map(|k| counted.term(counted.counters()[k].1));
        let axioms = |places: &[u32]| {
            let threads = [ThreadId(0), ThreadId(1)];
            counted.axioms(&threads.into_iter().zip(places.iter().copied().map(LocationId)).collect::<Vec<_>>())
        };
        let (one, two) = (Term::int(1), Term::int(2));
        assert!(axioms(&[0, 0]).contains(&few.le(all)));
        // Whoever is at the first location may be counted in both, whoever is at the second is counted in one alone.
        assert!(axioms(&[1, 1]).contains(&few.le(all)) && axioms(&[1, 1]).contains(&two.le(few)));
        assert!(axioms(&[1, 2]).contains(&one.add(few).le(all)) && axioms(&[1, 2]).contains(&one.le(few)));
        assert!(axioms(&[2, 2]).contains(&two.add(few).le(all)));
        assert!(!axioms(&[2, 2]).iter().any(|axiom| *axiom == all.le(few)));
    }
}
