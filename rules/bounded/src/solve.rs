//! Values that conditions ask for and do not name: `x * x == 1522756`. This crate knows no solver; who starts a search may bring one.

use std::fmt;

use program::{IntType, Term, Value, VarId};

use crate::eval::{Eval, Need, word_in};
use crate::machine::{Conjunct, Holds, Step, Word};

/// Finds values.
pub trait Solve: fmt::Debug + Send + Sync {
    /// Values of these variables with which all conditions can hold, if some were found. The same question has the same answer.
    fn solve(&self, conditions: &[Term], unknowns: &[(VarId, IntType)]) -> Option<Vec<i128>>;
}

/// Questions that a search may ask: they are slow.
pub(crate) const QUESTIONS: u32 = 1_000;

/// Who is asked for values in a search, and how often that is still allowed.
pub(crate) struct Asking<'s> {
    pub(crate) solver: Option<&'s dyn Solve>,
    pub(crate) left: u32,
}

impl Asking<'_> {
    /// Words for the inputs of a step with which it is possible.
    pub(crate) fn for_step(&mut self, eval: &Eval<'_>, step: &Step) -> Option<Box<[Word]>> {
        let unknowns: Vec<(VarId, IntType)> = step.inputs.iter().map(|input| (input.var, input.ty)).collect();
        let values = self.ask(eval, step, &unknowns)?;
        values.into_iter().zip(unknowns).map(|(value, (_, ty))| word_in(value, ty)).collect()
    }

    /// Values of what has not been chosen with which the next steps of a thread are possible.
    pub(crate) fn for_need(&mut self, eval: &Eval<'_>, thread: u32, need: Need) -> Vec<i128> {
        let Need::Slot(slot) = need else { return Vec::new() };
        let info = eval.machine.slots[slot as usize];
        let Holds::Scalar(var) = info.holds else { return Vec::new() };
        let steps = eval.machine.at(eval.words, thread).steps.clone();
        let steps = &eval.machine.steps[steps.start as usize..steps.end as usize];
        let speaks = |step: &&Step| conditions(step).any(|condition| condition.term.vars().contains(&var));
        steps
            .iter()
            .filter(speaks)
            .filter_map(|step| self.ask(eval, step, &[(var, info.ty)])?.first().copied())
            .collect()
    }

    fn ask(&mut self, eval: &Eval<'_>, step: &Step, unknowns: &[(VarId, IntType)]) -> Option<Vec<i128>> {
        let solver = self.solver?;
        self.left = self.left.checked_sub(1)?;
        let known = |var: VarId| eval.known(var).and_then(|value| constant(&value));
        let asked: Vec<Term> =
            conditions(step).map(|condition| condition.term.substitute(&|var, _| known(var))).collect();
        solver.solve(&asked, unknowns)
    }
}

/// What a step requires.
fn conditions(step: &Step) -> impl Iterator<Item = &Conjunct> {
    step.guard.iter().chain(step.defined.iter().map(|(condition, _, _)| condition))
}

/// Longer arrays are left open.
const LONGEST: usize = 64;

fn constant(value: &Value) -> Option<Term> {
    match value {
        Value::Int(value) => Some(Term::int(*value)),
        Value::Bool(value) => Some(Term::bool(*value)),
        Value::Array(array) if array.elements.len() <= LONGEST => {
            let filled = Term::const_array(Term::int(array.default));
            let elements = array.elements.iter();
            Some(elements.fold(filled, |made, (index, value)| made.store(Term::int(*index), Term::int(*value))))
        }
        Value::Array(_) => None,
    }
}
