//! The executable form of a program: variables are slots of one vector of words, terms are small trees over slots.

mod accesses;
mod code;
mod liveness;
mod loops;
mod step;

use program::{Init, IntType, Owner, Program, Sort, Span, Term, ThreadId, VarId, VarKind};
use rustc_hash::FxHashMap;

use crate::arrays::Arrays;
use crate::bounds::Bounds;
use crate::eval::word_of;

pub(crate) use accesses::{Accesses, Solo, Touch};
pub(crate) use code::{Code, Node, NodeId};
use liveness::Liveness;
pub(crate) use step::{Conjunct, Deferred, Input, Step, Update};

/// What a slot holds: an integer's low 64 bits, 0 or 1, the number of an array, a location, or a count.
pub(crate) type Word = i64;

/// The word of a variable, or of an array's element, whose value has not been chosen yet.
pub(crate) const UNSET: Word = i64::MIN;

/// A place in the vector of words.
pub(crate) type Slot = u32;

/// What has to be known of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotInfo {
    pub(crate) holds: Holds,
    /// The range of the value, or of an array's elements.
    pub(crate) ty: IntType,
}

/// What a slot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Scalar(VarId),
    Truth(VarId),
    Array(VarId),
    Location(ThreadId),
    /// How often the thread went back to the head of a loop.
    Count,
}

/// A thread's code.
pub(crate) struct ThreadCode {
    /// Where its location is kept.
    pub(crate) location: Slot,
    pub(crate) entry: u32,
    pub(crate) locations: Vec<LocationCode>,
    /// Threads with the same number run the same function.
    pub(crate) function: u32,
    /// As long as the thread has not moved and this slot holds what it held initially, the thread cannot move.
    pub(crate) gate: Option<Slot>,
}

/// What can be done at a location.
pub(crate) struct LocationCode {
    pub(crate) span: Span,
    /// A range of [`Machine::steps`].
    pub(crate) steps: std::ops::Range<u32>,
    /// The globals that the thread may touch from here on: a number of [`Accesses`].
    pub(crate) future: u32,
    /// When the steps from here are not seen by others.
    pub(crate) solo: Solo,
    /// What the steps from here touch.
    pub(crate) touch: Touch,
}

/// Whether iterations of loops are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    No,
    Loops,
}

impl Counting {
    /// Iterations are counted where they are bounded.
    pub(crate) fn of(bounds: &Bounds) -> Counting {
        if bounds.unwind.is_some() { Counting::Loops } else { Counting::No }
    }
}

/// A compiled program.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) slots: Vec<SlotInfo>,
    /// By variable, for those whose values matter; then by thread, for its location.
    pub(crate) slot_of: Vec<Option<Slot>>,
    pub(crate) threads: Vec<ThreadCode>,
    pub(crate) steps: Vec<Step>,
    pub(crate) code: Code,
    pub(crate) accesses: Accesses,
    /// What every slot holds initially.
    pub(crate) initial: Vec<Word>,
    /// Constants that conditions compare with, and their neighbours, nearest to zero first.
    pub(crate) constants: Vec<i128>,
    /// Which locals matter where.
    pub(crate) liveness: Liveness,
}

/// Why a program cannot be executed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Some of its threads stand for any number of them.
    Templates,
    /// A variable's initial value has no word.
    Initial(VarId),
}

impl<'p> Machine<'p> {
    /// The executable form; what `observed` speaks of is kept even if it has no influence on errors.
    pub(crate) fn new(
        program: &'p Program,
        observed: &[Term],
        counting: Counting,
        arrays: &mut Arrays,
    ) -> Result<Machine<'p>, Unfit> {
        if !program.templates().is_empty() {
            return Err(Unfit::Templates);
        }
        let conflicts = program.conflicts().iter().flat_map(program::Conflict::terms);
        let observed: Vec<Term> = observed.iter().copied().chain(conflicts).collect();
        let liveness = Liveness::new(program, &observed);
        let mut machine = Machine {
            program,
            slots: Vec::new(),
            slot_of: vec![None; program.var_count()],
            threads: Vec::new(),
            steps: Vec::new(),
            code: Code::default(),
            accesses: Accesses::default(),
            initial: Vec::new(),
            constants: constants(program),
            liveness: Liveness::default(),
        };
        machine.lay_out(&liveness, arrays)?;
        machine.slot_of.extend(machine.threads.iter().map(|thread| Some(thread.location)));
        for (id, _) in program.threads() {
            step::compile_thread(&mut machine, id, &liveness, counting);
        }
        accesses::compute(&mut machine);
        machine.find_gates();
        machine.liveness = liveness;
        Ok(machine)
    }

    /// Globals first, then each thread's location and locals.
    fn lay_out(&mut self, liveness: &Liveness, arrays: &mut Arrays) -> Result<(), Unfit> {
        let mut locals: Vec<Vec<VarId>> = vec![Vec::new(); self.program.threads().count()];
        for (id, var) in self.program.vars().filter(|(id, _)| liveness.matters(*id)) {
            match var.owner {
                Owner::Global => self.add_var(id, arrays)?,
                Owner::Local(thread) => locals[thread.0 as usize].push(id),
                Owner::Input(_) => {}
            }
        }
        let mut functions = FxHashMap::default();
        for ((id, thread), locals) in self.program.threads().zip(locals) {
            let next = program::number(functions.len());
            let function = *functions.entry(thread.span).or_insert(next);
            let location = self.add_slot(Holds::Location(id), IntType::new(32, false), i64::from(thread.entry.0));
            let (locations, entry) = (Vec::new(), thread.entry.0);
            self.threads.push(ThreadCode { location, entry, locations, function, gate: None });
            for local in locals {
                self.add_var(local, arrays)?;
            }
        }
        Ok(())
    }

    fn add_slot(&mut self, holds: Holds, ty: IntType, initial: Word) -> Slot {
        self.slots.push(SlotInfo { holds, ty });
        self.initial.push(initial);
        program::number(self.slots.len() - 1)
    }

    fn add_var(&mut self, id: VarId, arrays: &mut Arrays) -> Result<(), Unfit> {
        let var = self.program.var(id);
        let holds = match var.sort {
            Sort::Bool => Holds::Truth(id),
            Sort::Int => Holds::Scalar(id),
            Sort::Array => Holds::Array(id),
        };
        let info = SlotInfo { holds, ty: var.ty };
        let initial = match (var.init, var.sort) {
            (Init::Arbitrary, Sort::Array) => i64::from(arrays.filled(UNSET).0),
            (Init::Arbitrary, _) => UNSET,
            (Init::Value(term), _) => {
                let value = term.eval(&|_| None).map_err(|_| Unfit::Initial(id))?;
                word_of(&value, info, arrays).ok_or(Unfit::Initial(id))?
            }
        };
        self.slot_of[id.0 as usize] = Some(self.add_slot(holds, var.ty, initial));
        Ok(())
    }

    /// A gate is a slot on which every first step of a thread waits, alone, for another value than the initial one.
    fn find_gates(&mut self) {
        for thread in 0..self.threads.len() {
            let entry = self.threads[thread].entry as usize;
            let range = self.threads[thread].locations[entry].steps.clone();
            let steps = &self.steps[range.start as usize..range.end as usize];
            let waits = |step: &Step, slot: Slot| {
                let closed = |conjunct: &&Conjunct| self.code.closed_initially(conjunct.node, &self.initial);
                step.guard.iter().filter(closed).any(|conjunct| self.code.only_slot(conjunct.node) == Some(slot))
            };
            let candidates = steps.first().map_or(&[][..], |step| &step.guard);
            let mut slots = candidates.iter().filter_map(|conjunct| self.code.only_slot(conjunct.node));
            self.threads[thread].gate = slots.find(|slot| steps.iter().all(|step| waits(step, *slot)));
        }
    }

    /// Where a thread is.
    pub(crate) fn at(&self, words: &[Word], thread: u32) -> &LocationCode {
        let code = &self.threads[thread as usize];
        let location = usize::try_from(words[code.location as usize]).unwrap_or(0);
        &code.locations[location]
    }

    /// Whether a variable holds the place of an object, which nobody can choose.
    pub(crate) fn is_place(&self, var: VarId) -> bool {
        matches!(self.program.var(var).kind, VarKind::Control(program::Bookkeeping::Place))
    }
}

/// The constants that conditions compare with, and their neighbours.
fn constants(program: &Program) -> Vec<i128> {
    let mut found = std::collections::BTreeSet::from([0, 1, -1]);
    for (_, thread) in program.threads() {
        for step in &thread.transitions {
            let terms = step.guard.iter().copied().chain(step.defined.iter().map(|d| d.condition));
            for term in terms.chain(step.updates.iter().map(|(_, value)| *value)) {
                term.visit(&mut |part| {
                    if let program::TermKind::Le(_, bound) | program::TermKind::Eq(_, bound) = part.kind() {
                        found.extend([bound.saturating_sub(1), *bound, bound.saturating_add(1)]);
                    }
                });
            }
        }
    }
    let mut all: Vec<i128> = found.into_iter().collect();
    all.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
    all
}
