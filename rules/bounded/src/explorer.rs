//! What searches in any order share: the present state, how it changes, and what is noted on the way.

use check::Replayed;
use program::{ClaimId, LocationKind, Program, Span};

use crate::arrays::Arrays;
use crate::bounds::{Bounds, Fresh, Hashing, Order, Reduction, Schedule, Search};
use crate::coverage::{Coverage, Gap};
use crate::eval::{Eval, Need, Trouble, id};
use crate::machine::{Counting, Machine, Step, UNSET, Unfit, Word};
use crate::memory::{Last, Memory, NOBODY};
use crate::path::confirm;
use crate::solve::{Asking, QUESTIONS};
use crate::visited::{Left, Name, Observed, Sleep, Threads, Visit, Visited};

/// States after which a search looks how much memory it has taken.
const LOOKS: usize = 1 << 12;

/// One thing that happens in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A step of [`Machine::steps`], with words for its inputs.
    Step { step: u32, inputs: Box<[Word]> },
    /// Something gets its value that has had one all along.
    Choose { need: Need, word: Word },
}

/// An action with what it spends.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) action: Action,
    pub(crate) preemptions: u16,
    pub(crate) contexts: u16,
}

/// Where an action led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// To a state from which to go on.
    State,
    /// To an error.
    Error,
    /// Nowhere: what this thread assigns depends on something that has to be chosen first.
    Needs(u32, Need),
    /// Nowhere that can be looked at: a gap was noted.
    Nowhere,
}

/// A search's present state and notes.
pub(crate) struct Explorer<'m> {
    pub(crate) machine: &'m Machine<'m>,
    pub(crate) bounds: &'m Bounds,
    pub(crate) search: &'m Search,
    pub(crate) memory: Memory<'m>,
    pub(crate) arrays: Arrays,
    pub(crate) visited: Visited,
    pub(crate) coverage: Coverage,
    pub(crate) scratch: Vec<(u32, Word)>,
    /// A list of threads, kept to be used again.
    pub(crate) awake: Vec<u32>,
    /// Threads that are not to be looked at in the present state.
    pub(crate) skipped: Threads,
    pub(crate) sleep: Sleep,
    pub(crate) asking: Asking<'m>,
    observed: Observed,
    moved: Vec<bool>,
}

/// The program's executable form, and the arrays that it starts with; or why there is none.
pub(crate) type Compiled<'p> = Result<(Machine<'p>, Arrays), Gap>;

/// Compiles a program for searches that observe and collect the same terms, and bound iterations or not.
pub(crate) fn compile<'p>(program: &'p Program, search: &Search, counting: Counting) -> Compiled<'p> {
    let mut arrays = Arrays::default();
    let seen: Vec<program::Term> = search.observe.iter().flatten().chain(&search.finals).copied().collect();
    match Machine::new(program, &seen, counting, &mut arrays) {
        Ok(machine) => Ok((machine, arrays)),
        Err(Unfit::Templates) => Err(Gap::Templates),
        Err(Unfit::Initial(var)) => Err(Gap::Initial(program.var(var).span)),
    }
}

/// Threads can sleep only where neither the last step nor the number of steps matters.
fn sleep(machine: &Machine<'_>, bounds: &Bounds, search: &Search) -> Sleep {
    let is_free = Left::of(bounds).is_free_to_switch() && bounds.steps.is_none() && bounds.schedule == Schedule::Stay;
    let is_plain = search.order == Order::DepthFirst && search.hashing == Hashing::Exact && search.observe.is_none();
    let is_wanted = search.reduction == Reduction::SleepSets && bounds.fresh == Fresh::Any;
    if is_free && is_plain && is_wanted && machine.threads.len() <= 64 { Sleep::Independent } else { Sleep::Never }
}

impl<'m> Explorer<'m> {
    pub(crate) fn new(
        machine: &'m Machine<'m>,
        arrays: Arrays,
        bounds: &'m Bounds,
        search: &'m Search,
    ) -> Explorer<'m> {
        let sleep = sleep(machine, bounds, search);
        let coverage = Coverage::new(machine.program, bounds, search.hashing, search.observe.is_some());
        Explorer {
            machine,
            bounds,
            search,
            memory: Memory::new(machine),
            arrays,
            visited: Visited::new(search.hashing, sleep, bounds.states),
            coverage,
            scratch: Vec::new(),
            awake: Vec::new(),
            skipped: 0,
            sleep,
            asking: Asking { solver: search.solver.as_deref(), left: QUESTIONS },
            observed: Observed::default(),
            moved: vec![false; machine.threads.len()],
        }
    }

    /// Evaluation in the present state.
    pub(crate) fn eval<'e>(&'e mut self, step: &'e Step, inputs: &'e [Word]) -> Eval<'e> {
        Eval::new(self.machine, self.memory.words(), &mut self.arrays, (&step.inputs, inputs))
    }

    /// What a search by a part of the states calls the present one; else by its contents.
    pub(crate) fn name(&mut self) -> Option<Name> {
        let Some(terms) = &self.search.observe else {
            return match self.search.hashing {
                Hashing::Exact => self.memory.contents().map(Name::Contents),
                Hashing::Bitstate(_) => self.memory.fingerprint().map(Name::Fingerprint),
            };
        };
        let mut values = Vec::with_capacity(terms.len());
        for term in terms {
            let mut eval = Eval::new(self.machine, self.memory.words(), &mut self.arrays, (&[], &[]));
            values.push(match eval.exact(*term) {
                Ok(program::Value::Int(value)) => i64::try_from(value).unwrap_or(UNSET),
                Ok(program::Value::Bool(value)) => i64::from(value),
                _ => UNSET,
            });
        }
        let name = self.observed.name(&values, |out| self.memory.locations(out))?;
        Some(match self.search.hashing {
            Hashing::Exact => Name::Contents(name),
            Hashing::Bitstate(_) => Name::Fingerprint(u64::from(name)),
        })
    }

    /// Whether the present state has to be looked at with so much left. Who moved last matters only where switches cost.
    pub(crate) fn enter(&mut self, left: Left, asleep: Threads) -> Visit {
        if self.visited.states().is_multiple_of(LOOKS) && self.bytes() - self.visited.fixed() > self.bounds.bytes {
            self.coverage.hits.states = true;
            return Visit::Full;
        }
        let last = if left.is_free_to_switch() { Last::NONE } else { self.memory.last };
        let visit = self.name().map_or(Visit::Full, |name| self.visited.enter(name, last, left, asleep));
        self.coverage.hits.states |= visit == Visit::Full;
        visit
    }

    /// Changes the present state.
    pub(crate) fn take(&mut self, action: &Action) -> Reached {
        match action {
            Action::Choose { need, word } => {
                let (slot, word) = match *need {
                    Need::Slot(slot) => (slot, *word),
                    Need::Element(slot, index) => {
                        let array = id(self.memory.words()[slot as usize]);
                        (slot, i64::from(self.arrays.set(array, index, *word).0))
                    }
                    Need::Elements(slot) => {
                        let array = id(self.memory.words()[slot as usize]);
                        (slot, i64::from(self.arrays.with_default(array, *word).0))
                    }
                };
                self.memory.write(slot, word);
                Reached::State
            }
            Action::Step { step, inputs } => self.step(*step, inputs),
        }
    }

    fn step(&mut self, number: u32, inputs: &[Word]) -> Reached {
        let step = &self.machine.steps[number as usize];
        match self.compute(step, inputs) {
            Ok(()) => {}
            Err(Trouble::Need(need)) => return Reached::Needs(step.thread, need),
            Err(_) => {
                self.gap(Gap::Value(self.span(step)));
                return Reached::Nowhere;
            }
        }
        self.coverage.steps += 1;
        self.coverage.reached[step.thread as usize][step.target as usize] = true;
        if !std::mem::replace(&mut self.moved[step.thread as usize], true) {
            self.coverage.threads += 1;
        }
        for (slot, word) in &self.scratch {
            self.memory.write(*slot, *word);
        }
        for slot in &step.resets {
            self.memory.write(*slot, self.machine.initial[*slot as usize]);
        }
        if let Some(counter) = step.counter {
            self.memory.write(counter, self.memory.words()[counter as usize] + 1);
        }
        self.memory.write(self.machine.threads[step.thread as usize].location, i64::from(step.target));
        let is_back = step.is_back && self.bounds.schedule == Schedule::Turns;
        self.memory.last = Last { thread: step.thread, is_back };
        match step.kind {
            LocationKind::Plain | LocationKind::End => Reached::State,
            LocationKind::Error(_) => Reached::Error,
            LocationKind::Unmodelled => {
                self.gap(Gap::Unmodelled(self.target(step)));
                Reached::Nowhere
            }
        }
    }

    /// Puts the words that a step assigns into [`Explorer::scratch`].
    pub(crate) fn compute(&mut self, step: &Step, inputs: &[Word]) -> Result<(), Trouble> {
        self.scratch.clear();
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut eval = self.eval(step, inputs);
        let computed = step.updates.iter().try_for_each(|update| {
            scratch.push((update.slot, eval.updated(*update)?));
            Ok(())
        });
        self.scratch = scratch;
        computed
    }

    /// Whether the reduction is on. It would miss runs where steps that others do not see count, or decide whose turn it is.
    fn reduces(&self) -> bool {
        let is_safe = self.bounds.steps.is_none() && self.bounds.schedule == Schedule::Stay;
        self.search.reduction != Reduction::None && is_safe
    }

    /// Whether nobody else can notice what a thread does next.
    pub(crate) fn is_solo(&self, thread: u32) -> bool {
        thread != NOBODY
            && self.reduces()
            && self.machine.at(self.memory.words(), thread).solo.holds(self.memory.counts())
    }

    /// Which of these threads go on sleeping after an action: those whose next steps it has no influence on.
    pub(crate) fn still_asleep(&self, asleep: Threads, action: &Action) -> Threads {
        let Action::Step { step, .. } = action else { return 0 };
        let touch = self.machine.steps[*step as usize].touch;
        let mut rest = asleep;
        let mut still = 0;
        while rest != 0 {
            let thread = rest.trailing_zeros();
            rest &= rest - 1;
            if self.machine.at(self.memory.words(), thread).touch.is_independent_of(touch) {
                still |= 1 << thread;
            }
        }
        still
    }

    /// Whether a thread is not to be looked at in the present state.
    pub(crate) fn is_skipped(&self, thread: u32) -> bool {
        thread < Threads::BITS && self.skipped >> thread & 1 == 1
    }

    pub(crate) fn gap(&mut self, gap: Gap) {
        self.coverage.gaps.insert(gap);
    }

    /// Notes that the checker did not confirm a run that this action seemed to end.
    pub(crate) fn unconfirmed(&mut self, action: &Action) {
        if let Action::Step { step, .. } = action {
            self.gap(Gap::Unconfirmed(self.span(&self.machine.steps[*step as usize])));
        }
    }

    pub(crate) fn span(&self, step: &Step) -> Span {
        let thread = self.machine.program.thread(program::ThreadId(step.thread));
        match step.transition {
            Some(transition) => thread.transitions[transition as usize].span,
            None => self.target(step),
        }
    }

    fn target(&self, step: &Step) -> Span {
        self.machine.threads[step.thread as usize].locations[step.target as usize].span
    }

    /// Whether states in which nobody can move are looked at.
    pub(crate) fn notes_finals(&self) -> bool {
        !self.search.finals.is_empty() || self.search.gather.is_some()
    }

    /// What becomes of a run to an error: nothing more to look for, or one more claim is known to be violated.
    pub(crate) fn found(&mut self, actions: &[&Action]) -> Option<Replayed> {
        let last = actions.last().copied()?;
        let gather = self.search.gather.clone();
        if let (Some(gather), Some(claim)) = (&gather, self.violated(last))
            && gather.knows(claim)
        {
            return None;
        }
        match (confirm(self.machine, actions), gather) {
            (Some(run), Some(gather)) => {
                run.doubtful().into_iter().for_each(|(claim, _)| gather.doubt(claim));
                let is_last = run.violated().is_some_and(|claim| gather.add(claim, self.machine.program));
                is_last.then_some(run)
            }
            (Some(run), None) => Some(run),
            (None, _) => {
                self.unconfirmed(last);
                None
            }
        }
    }

    /// The claim that an action violates.
    fn violated(&self, action: &Action) -> Option<ClaimId> {
        let Action::Step { step, .. } = action else { return None };
        let step = &self.machine.steps[*step as usize];
        let thread = self.machine.program.thread(program::ThreadId(step.thread));
        thread.location(program::LocationId(step.target)).violates()
    }

    /// Notes what the present state, in which nobody can move, holds.
    pub(crate) fn note_final(&mut self) {
        if self.search.gather.is_some() {
            self.note_stuck();
        }
        if self.search.finals.is_empty() {
            return;
        }
        let finals = &self.search.finals;
        let mut eval = Eval::new(self.machine, self.memory.words(), &mut self.arrays, (&[], &[]));
        let values = finals.iter().map(|term| eval.exact(*term).ok()).collect();
        self.coverage.finals.insert(values);
    }

    /// The statement of what was covered, with the figures.
    pub(crate) fn into_coverage(mut self) -> Coverage {
        self.coverage.states = self.visited.states();
        self.coverage.bytes = self.bytes();
        self.coverage
    }

    /// Memory for the states kept.
    fn bytes(&self) -> usize {
        self.memory.bytes() + self.visited.bytes() + self.arrays.bytes()
    }
}
