//! Ghost counters: how many instances of a template are at some of its locations.
//!
//! A counter is a global that every step of the template keeps, and nothing reads: it changes no run. What it adds are facts that
//! no assertion about a few instances could state: an instance that is at one of the locations is counted.

use std::collections::BTreeSet;

use crate::model::{Init, LocationId, LocationKind, Malformed, Owner, Program, Span, ThreadId, Var, VarId, VarKind};
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
            let counted = |(thread, location): &&(ThreadId, LocationId)| {
                copies.contains(thread) && counter.locations.contains(location)
            };
            let least = placed.iter().filter(counted).count();
            all.push(Term::int(i128::try_from(least).unwrap_or(0)).le(self.term(*var)));
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
        let id = VarId(u32::try_from(self.vars.len()).unwrap_or(u32::MAX));
        // Ids are machine words, and no two are alike: there are no more instances than that.
        let ty = IntType::new(64, false);
        self.vars.push(Var {
            name,
            sort: Sort::Int,
            owner: Owner::Global,
            kind: VarKind::Control,
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
