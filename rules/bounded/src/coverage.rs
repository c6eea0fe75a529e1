//! What a search covered, with every bound that was in force.

use std::collections::BTreeSet;
use std::fmt;

use program::{LocationId, Program, Span, ThreadId, UbKind, Value};

use crate::bounds::{Bounds, Fresh, Hashing, Schedule};
use crate::gather::End;

/// Something that no bound says, but that was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// From this place on the program does what the transition system does not say.
    Unmodelled(Span),
    /// A step from this place computes what is beyond machine words, or should not occur.
    Value(Span),
    /// The checker does not confirm a run that seemed to end in an error.
    Unconfirmed(Span),
    /// Some threads stand for any number of them, which cannot be executed.
    Templates,
    /// A variable starts with a value beyond machine words.
    Initial(Span),
    /// The search was stopped from outside.
    Cancelled,
}

/// Which bounds kept the search from going on somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// A thread that could have gone on was not interrupted.
    pub preemptions: bool,
    /// A switch was not made.
    pub contexts: bool,
    /// Heads of loops to which a thread did not go back once more.
    pub unwind: BTreeSet<Span>,
    /// A run was not continued.
    pub steps: bool,
    /// There was no room for more states.
    pub states: bool,
    /// A thread did not take its first step because another one that runs the same function could.
    pub fresh: bool,
    /// Some of the values that could be chosen were not tried.
    pub samples: bool,
}

/// A statement of what was covered: within the bounds, and but for the gaps, there is no error.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The bounds in force.
    pub bounds: Bounds,
    /// Which of them kept the search from going on.
    pub hits: Hits,
    /// How states were recognised.
    pub hashing: Hashing,
    /// Whether states were recognised by a part of them that the user chose.
    pub is_observed: bool,
    /// What else was not looked at.
    pub gaps: BTreeSet<Gap>,
    /// States that were kept.
    pub states: usize,
    /// Steps that were executed.
    pub steps: u64,
    /// Depth first, how often a run came to its end or to a state that was visited before.
    pub runs: u64,
    /// Memory for the states kept.
    pub bytes: usize,
    /// Threads that took a step in some run.
    pub threads: usize,
    /// Undefined behaviour that ended some run.
    pub undefined: BTreeSet<(UbKind, Span)>,
    /// How runs ended in states in which nobody can move, if that is gathered.
    pub ends: BTreeSet<End>,
    /// What [`crate::Search::finals`] were where no thread could move: nothing for a value that never mattered.
    pub finals: BTreeSet<Vec<Option<Value>>>,
    pub(crate) reached: Vec<Vec<bool>>,
}

impl Coverage {
    pub(crate) fn new(program: &Program, bounds: &Bounds, hashing: Hashing, is_observed: bool) -> Coverage {
        let reached = program.threads().map(|(_, thread)| vec![false; thread.locations.len()]).collect();
        Coverage {
            bounds: bounds.clone(),
            hits: Hits::default(),
            hashing,
            is_observed,
            gaps: BTreeSet::new(),
            states: 0,
            steps: 0,
            runs: 0,
            bytes: 0,
            threads: 0,
            undefined: BTreeSet::new(),
            ends: BTreeSet::new(),
            finals: BTreeSet::new(),
            reached,
        }
    }

    /// Whether every run was looked at: no bound kept the search from going on, and nothing was left out. That is a
    /// statement of this engine, not a proof.
    pub fn is_exhaustive(&self) -> bool {
        self.is_complete() && self.hits == Hits::default()
    }

    /// Whether every run within the bounds on preemptions, switches, iterations, steps and first steps was looked at, with every
    /// value that could be chosen.
    pub fn is_complete(&self) -> bool {
        let is_exact = self.hashing == Hashing::Exact && !self.is_observed;
        is_exact && self.gaps.is_empty() && !self.hits.states && !self.hits.samples
    }

    /// Whether some run came to the location.
    pub fn is_reached(&self, thread: ThreadId, location: LocationId) -> bool {
        let locations = self.reached.get(thread.0 as usize);
        locations.is_some_and(|all| all.get(location.0 as usize) == Some(&true))
    }

    /// The locations that some run came to, other than where threads start.
    pub fn reached(&self) -> BTreeSet<(ThreadId, LocationId)> {
        let threads = (0..).map(ThreadId).zip(&self.reached);
        let located =
            threads.flat_map(|(thread, all)| (0..).zip(all).map(move |(k, is_reached)| (thread, k, *is_reached)));
        located.filter(|(_, _, is_reached)| *is_reached).map(|(thread, k, _)| (thread, LocationId(k))).collect()
    }

    /// The statement in words: `no error with up to 2 preemptions and 8 iterations of the loop at queue.c:41, up to 6 threads`.
    pub fn statement(&self, program: &Program) -> String {
        let mut within = Vec::new();
        let up_to = |bound: Option<u32>, what: &str| bound.map(|n| format!("up to {}", counted(n as usize, what)));
        let spent = match self.bounds.schedule {
            Schedule::Stay => "preemption",
            Schedule::Turns => "deviation from taking turns",
        };
        // A search that came to no end would have met its bounds later.
        let is_cut = self.hits.states || self.gaps.contains(&Gap::Cancelled);
        within.extend(up_to(self.bounds.preemptions.filter(|_| self.hits.preemptions || is_cut), spent));
        within.extend(up_to(self.bounds.contexts.filter(|_| self.hits.contexts || is_cut), "switch"));
        if let (Some(bound), false) = (self.bounds.unwind, self.hits.unwind.is_empty()) {
            let places: Vec<String> = self.hits.unwind.iter().map(|span| program.place(*span)).collect();
            let loops = if places.len() == 1 { "the loop" } else { "the loops" };
            within.push(format!("{} of {loops} at {}", counted(bound as usize, "iteration"), places.join(", ")));
        }
        if let (Some(bound), true) = (self.bounds.unwind, self.hits.unwind.is_empty() && is_cut) {
            within.push(format!("{} of each loop", counted(bound as usize, "iteration")));
        }
        within.extend(up_to(self.bounds.steps.filter(|_| self.hits.steps || is_cut), "step"));
        let within = match within.as_slice() {
            [] => "no error".to_string(),
            all => format!("no error with {}", all.join(" and ")),
        };
        let mut all = vec![within, format!("up to {}", counted(self.threads, "thread"))];
        all.extend(self.remarks(program));
        all.join(", ")
    }

    /// What keeps the statement from holding for all runs within the bounds.
    fn remarks(&self, program: &Program) -> Vec<String> {
        let mut all = Vec::new();
        if self.hits.fresh && self.bounds.fresh == Fresh::First {
            all.push("threads of one function starting in one order".into());
        }
        if self.hits.samples {
            all.push(format!("up to {} for each choice", counted(self.bounds.samples, "value")));
        }
        if self.hits.states {
            all.push(format!("the first {} only", counted(self.states, "state")));
        }
        if self.hashing != Hashing::Exact {
            all.push("states recognised by their hashes".into());
        }
        if self.is_observed {
            all.push("states recognised by what is observed".into());
        }
        all.extend(self.gaps.iter().map(|gap| gap.describe(program)));
        all
    }
}

impl Gap {
    fn describe(self, program: &Program) -> String {
        match self {
            Gap::Unmodelled(span) => format!("not beyond {}, which is not modelled", program.place(span)),
            Gap::Value(span) => format!("not beyond {}, where a value is too large", program.place(span)),
            Gap::Unconfirmed(span) => format!("but for a run to {} that was not confirmed", program.place(span)),
            Gap::Templates => "nothing executed: any number of threads".into(),
            Gap::Initial(span) => {
                format!("nothing executed: the initial value at {} is too large", program.place(span))
            }
            Gap::Cancelled => "stopped before the end".into(),
        }
    }
}

impl fmt::Display for Hits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            (self.preemptions, "preemptions"),
            (self.contexts, "switches"),
            (!self.unwind.is_empty(), "iterations"),
            (self.steps, "steps"),
            (self.states, "states"),
            (self.fresh, "first steps"),
            (self.samples, "values"),
        ];
        let names: Vec<&str> = named.iter().filter(|(is_hit, _)| *is_hit).map(|(_, name)| *name).collect();
        f.write_str(&names.join(", "))
    }
}

fn counted(number: usize, what: &str) -> String {
    match (number, what) {
        (1, what) => format!("1 {what}"),
        (n, "switch") => format!("{n} switches"),
        (n, "deviation from taking turns") => format!("{n} deviations from taking turns"),
        (n, what) => format!("{n} {what}s"),
    }
}
