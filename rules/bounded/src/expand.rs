//! What can happen next in a state, within the bounds.

use program::{Span, UbKind};

use crate::bounds::{Fresh, Schedule};
use crate::coverage::Gap;
use crate::eval::{Eval, Need, Trouble};
use crate::explorer::{Action, Candidate, Explorer};
use crate::inputs;
use crate::machine::{Step, Word};
use crate::memory::NOBODY;
use crate::visited::Left;

/// Whether a step is possible with certain inputs.
enum Admission {
    Possible,
    Disabled,
    Undefined(UbKind, Span),
}

/// Which of the things that can happen next were looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    /// All.
    Full,
    /// What the active thread does next, which nobody else can notice.
    Solo,
}

/// What a thread can do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ability {
    /// Nothing that changes the state.
    Waits,
    /// Something.
    Moves,
    /// Nothing within the bounds, but something beyond them.
    Cut,
}

impl Explorer<'_> {
    /// Appends what can happen next, what comes first last: it is taken from the end. Notes which bounds stood in the way.
    pub(crate) fn expand(&mut self, left: Left, out: &mut Vec<Candidate>) -> Expansion {
        let start = out.len();
        let expansion = self.expand_from(left, out, start).unwrap_or_else(|(thread, need)| {
            // The value has been there all along: whatever happens next, it can be chosen first.
            out.truncate(start);
            self.choose(thread, need, out);
            Expansion::Full
        });
        out[start..].reverse();
        expansion
    }

    fn expand_from(&mut self, left: Left, out: &mut Vec<Candidate>, start: usize) -> Result<Expansion, (u32, Need)> {
        if self.bounds.schedule == Schedule::Turns {
            return self.expand_in_turn(left, out, start);
        }
        let active = self.memory.last.thread;
        let mut ability = Ability::Waits;
        if active != NOBODY {
            ability = self.moves(active, (0, 0), out).map_err(|need| (active, need))?;
            if self.is_skipped(active) {
                out.truncate(start);
            }
            if ability == Ability::Moves && self.is_solo(active) {
                return Ok(Expansion::Solo);
            }
        }
        let cost = match (active, ability) {
            (NOBODY, _) => (0, 0),
            (_, Ability::Waits) => (0, 1),
            (_, Ability::Moves | Ability::Cut) => (1, 1),
        };
        let may_switch = left.after(cost.0, cost.1).is_some();
        let may_be_final = ability == Ability::Waits && self.notes_finals();
        if !may_switch && !may_be_final && self.knows_denied(left, cost) {
            return Ok(Expansion::Full);
        }
        let own = out.len();
        let others = self.others(active, cost, left, may_switch, out, start)?;
        if !may_switch && others == Ability::Moves {
            out.truncate(own);
            self.note_denied(left, cost);
        } else if out.len() == start && ability == Ability::Waits && others == Ability::Waits {
            self.note_final();
        }
        Ok(Expansion::Full)
    }

    /// Whose turn it is may move at no cost, others instead for a preemption.
    fn expand_in_turn(&mut self, left: Left, out: &mut Vec<Candidate>, start: usize) -> Result<Expansion, (u32, Need)> {
        let last = self.memory.last;
        let awake: Vec<u32> = self.memory.awake().collect();
        let after = awake.partition_point(|thread| last.thread != NOBODY && *thread <= last.thread);
        let (before, others) = awake.split_at(after);
        let (before, active) = match before.split_last() {
            Some((thread, rest)) if *thread == last.thread => (rest, Some(*thread)),
            _ => (before, None),
        };
        let (first, finally) = if last.is_back { (None, active) } else { (active, None) };
        let turns = first.into_iter().chain(others.iter().chain(before).copied()).chain(finally);
        let (mut deviation, mut is_cut) = (0, false);
        for thread in turns {
            let contexts = u16::from(last.thread != NOBODY && thread != last.thread);
            let is_allowed = left.after(deviation, contexts).is_some();
            let cost = (deviation, contexts);
            if deviation == 1 && !is_allowed && self.knows_denied(left, cost) {
                continue;
            }
            let own = out.len();
            let ability = self.moves(thread, cost, out).map_err(|need| (thread, need))?;
            if ability != Ability::Waits {
                deviation = 1;
            }
            is_cut |= ability == Ability::Cut;
            if ability == Ability::Moves && !is_allowed {
                self.note_denied(left, cost);
                out.truncate(own);
                is_cut = true;
            }
        }
        if out.len() == start && !is_cut {
            self.note_final();
        }
        Ok(Expansion::Full)
    }

    /// Appends what threads other than the active one can do.
    fn others(
        &mut self,
        active: u32,
        cost: (u16, u16),
        left: Left,
        may_switch: bool,
        out: &mut Vec<Candidate>,
        start: usize,
    ) -> Result<Ability, (u32, Need)> {
        let mut awake = std::mem::take(&mut self.awake);
        awake.clear();
        awake.extend(self.memory.awake().filter(|thread| *thread != active));
        let found = self.those_of(&awake, cost, left, may_switch, out, start);
        self.awake = awake;
        found
    }

    /// Appends what these threads, of which none is the active one, can do.
    fn those_of(
        &mut self,
        threads: &[u32],
        cost: (u16, u16),
        left: Left,
        may_switch: bool,
        out: &mut Vec<Candidate>,
        start: usize,
    ) -> Result<Ability, (u32, Need)> {
        let mut any = Ability::Waits;
        let mut started: Vec<u32> = Vec::new();
        for thread in threads.iter().copied() {
            let function = self.machine.threads[thread as usize].function;
            let is_first_step = self.bounds.fresh == Fresh::First && self.memory.is_fresh(thread);
            if is_first_step && started.contains(&function) {
                self.coverage.hits.fresh = true;
                continue;
            }
            let before = out.len();
            let ability = self.moves(thread, cost, out).map_err(|need| (thread, need))?;
            if self.is_skipped(thread) {
                out.truncate(before);
            }
            if ability == Ability::Moves {
                any = Ability::Moves;
                if is_first_step {
                    started.push(function);
                }
                if !may_switch {
                    return Ok(any);
                }
                if left.is_free_to_switch() && self.is_solo(thread) {
                    out.drain(start..before);
                    return Ok(any);
                }
            } else if ability == Ability::Cut && any == Ability::Waits {
                any = Ability::Cut;
            }
        }
        Ok(any)
    }

    /// Whether it has been noted already that the bounds that forbid a switch kept the search from something.
    fn knows_denied(&self, left: Left, cost: (u16, u16)) -> bool {
        let (preemptions, contexts, steps) = self.denied(left, cost);
        let hits = &self.coverage.hits;
        (!preemptions || hits.preemptions) && (!contexts || hits.contexts) && (!steps || hits.steps)
    }

    fn note_denied(&mut self, left: Left, cost: (u16, u16)) {
        let (preemptions, contexts, steps) = self.denied(left, cost);
        self.coverage.hits.preemptions |= preemptions;
        self.coverage.hits.contexts |= contexts;
        self.coverage.hits.steps |= steps;
    }

    /// Which bounds forbid a switch.
    fn denied(&self, left: Left, cost: (u16, u16)) -> (bool, bool, bool) {
        let steps = left.steps == 0;
        (cost.0 > left.preemptions, cost.1 > left.contexts, steps)
    }

    /// Appends what a thread can do.
    fn moves(&mut self, thread: u32, cost: (u16, u16), out: &mut Vec<Candidate>) -> Result<Ability, Need> {
        let machine = self.machine;
        let mut ability = Ability::Waits;
        let range = machine.at(self.memory.words(), thread).steps.clone();
        for number in range {
            let step = &machine.steps[number as usize];
            let before = out.len();
            if step.inputs.is_empty() {
                self.consider(number, step, Box::default(), cost, out)?;
            } else {
                self.consider_inputs(number, step, cost, out)?;
            }
            if out.len() == before {
                continue;
            }
            if self.is_unwound(step) {
                out.truncate(before);
                let head = machine.threads[thread as usize].locations[step.target as usize].span;
                self.coverage.hits.unwind.insert(head);
                if ability == Ability::Waits {
                    ability = Ability::Cut;
                }
            } else {
                ability = Ability::Moves;
            }
        }
        Ok(ability)
    }

    /// Whether the thread has gone back to this head of a loop as often as it may.
    fn is_unwound(&self, step: &Step) -> bool {
        let (Some(counter), Some(bound)) = (step.counter, self.bounds.unwind) else { return false };
        self.memory.words()[counter as usize] >= i64::from(bound)
    }

    fn consider_inputs(
        &mut self,
        number: u32,
        step: &Step,
        cost: (u16, u16),
        out: &mut Vec<Candidate>,
    ) -> Result<(), Need> {
        let samples = self.bounds.samples;
        // A condition that needs no input may already say no.
        if self.is_closed(step) {
            return Ok(());
        }
        let mut eval = Eval::new(self.machine, self.memory.words(), &mut self.arrays, (&step.inputs, &[]));
        let (choices, is_complete) = match inputs::for_step(&mut eval, &mut self.asking, step, samples) {
            Ok(found) => found,
            Err(Trouble::Need(need)) => return Err(need),
            Err(_) => {
                self.gap(Gap::Value(self.span(step)));
                return Ok(());
            }
        };
        self.coverage.hits.samples |= !is_complete;
        for inputs in choices {
            self.consider(number, step, inputs, cost, out)?;
        }
        Ok(())
    }

    /// Whether a conjunct of the guard that speaks of no input is false.
    fn is_closed(&mut self, step: &Step) -> bool {
        let mut eval = self.eval(step, &[]);
        let free = step.guard.iter().filter(|conjunct| !conjunct.reads_input);
        free.into_iter().any(|conjunct| eval.holds(*conjunct) == Ok(false))
    }

    /// Appends a step with these inputs, if it is possible and changes the state.
    fn consider(
        &mut self,
        number: u32,
        step: &Step,
        inputs: Box<[Word]>,
        (preemptions, contexts): (u16, u16),
        out: &mut Vec<Candidate>,
    ) -> Result<(), Need> {
        match self.admit(step, &inputs) {
            Ok(Admission::Possible) => {
                // That threads are in conflict changes nothing, but is an error.
                if step.transition.is_none() || self.changes(step, &inputs)? {
                    out.push(Candidate { action: Action::Step { step: number, inputs }, preemptions, contexts });
                }
            }
            Ok(Admission::Disabled) => {}
            Ok(Admission::Undefined(kind, span)) => {
                self.coverage.undefined.insert((kind, span));
            }
            Err(Trouble::Need(need)) => return Err(need),
            Err(_) => self.gap(Gap::Value(self.span(step))),
        }
        Ok(())
    }

    /// A guard that is false disables a step even if another condition has no value; undefined behaviour ends a run before it.
    fn admit(&mut self, step: &Step, inputs: &[Word]) -> Result<Admission, Trouble> {
        let mut eval = self.eval(step, inputs);
        let mut trouble = None;
        for conjunct in &step.guard {
            match eval.holds(*conjunct) {
                Ok(true) => {}
                Ok(false) => return Ok(Admission::Disabled),
                Err(found) => trouble = worse(trouble, found),
            }
        }
        if let Some(found @ Trouble::Need(_)) = trouble {
            return Err(found);
        }
        for (conjunct, kind, span) in &step.defined {
            match eval.holds(*conjunct) {
                Ok(true) => {}
                Ok(false) => return Ok(Admission::Undefined(*kind, *span)),
                Err(found) => trouble = worse(trouble, found),
            }
        }
        trouble.map_or(Ok(Admission::Possible), Err)
    }

    /// Whether the step leads to another state. What it assigns is needed for that only if the thread stays where it is.
    fn changes(&mut self, step: &Step, inputs: &[Word]) -> Result<bool, Need> {
        if step.source != step.target {
            return Ok(true);
        }
        match self.compute(step, inputs) {
            Ok(()) => {}
            Err(Trouble::Need(need)) => return Err(need),
            // That is a gap, which is noted when the step is taken.
            Err(_) => return Ok(true),
        }
        let words = self.memory.words();
        let differs = |(slot, word): &(u32, Word)| words[*slot as usize] != *word;
        let resets = |slot: &u32| words[*slot as usize] != self.machine.initial[*slot as usize];
        Ok(self.scratch.iter().any(differs) || step.resets.iter().any(resets))
    }

    /// Appends the values to try for what a thread reads and has not been chosen.
    pub(crate) fn choose(&mut self, thread: u32, need: Need, out: &mut Vec<Candidate>) {
        let samples = self.bounds.samples;
        let mut eval = Eval::new(self.machine, self.memory.words(), &mut self.arrays, (&[], &[]));
        let choices = inputs::for_need(&mut eval, &mut self.asking, thread, need, samples);
        self.coverage.hits.samples |= !choices.is_complete;
        out.extend(choices.words.into_iter().map(|word| Candidate {
            action: Action::Choose { need, word },
            preemptions: 0,
            contexts: 0,
        }));
    }
}

/// Which of two troubles to report: a value that has to be chosen first, then what is too large.
fn worse(a: Option<Trouble>, b: Trouble) -> Option<Trouble> {
    match (a, b) {
        (Some(need @ Trouble::Need(_)), _) => Some(need),
        (Some(Trouble::Unfit), Trouble::Undefined) => Some(Trouble::Unfit),
        _ => Some(b),
    }
}
