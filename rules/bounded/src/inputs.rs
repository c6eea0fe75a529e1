//! Which values to try where a step, or a variable that may start with anything, leaves a choice: those that conditions tell apart.

use program::{IntType, Term, TermKind, VarId};

use crate::eval::{Eval, Need, Trouble, word_in};
use crate::machine::{Holds, Input, Machine, Step, Word};
use crate::solve::Asking;

/// Values to try, and whether they stand for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) words: Vec<Word>,
    pub(crate) is_complete: bool,
}

/// A word for each input of a step.
pub(crate) type Together = Box<[Word]>;

/// Combinations of inputs that are tried for a step.
const COMBINATIONS: usize = 4096;

/// A comparison of a linear form with a constant, or its negation.
struct Literal {
    monomials: &'static [(Term, i128)],
    bound: i128,
    relation: Relation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    AtMost,
    More,
    Equal,
    Different,
}

/// The values of an input that conditions leave.
struct Range {
    least: i128,
    greatest: i128,
    excluded: Vec<i128>,
    /// Whether conditions say nothing else about it.
    is_exact: bool,
}

/// The combinations of inputs to try for a step, and whether they stand for all.
pub(crate) fn for_step(
    eval: &mut Eval<'_>,
    asking: &mut Asking<'_>,
    step: &Step,
    samples: usize,
) -> Result<(Vec<Together>, bool), Trouble> {
    let mut all: Vec<Vec<Word>> = vec![Vec::new()];
    let (mut is_complete, mut is_open) = (true, false);
    for input in &step.inputs {
        let (choices, is_exact) = for_input(eval, step, input, samples)?;
        is_open |= !choices.is_complete && !is_exact;
        is_complete &= choices.is_complete;
        let extend = |chosen: &Vec<Word>| {
            let mut every = Vec::with_capacity(choices.words.len());
            every.extend(choices.words.iter().map(|word| [chosen.as_slice(), &[*word]].concat()));
            every
        };
        all = all.iter().flat_map(extend).collect();
        if all.len() > COMBINATIONS {
            all.truncate(COMBINATIONS);
            is_complete = false;
        }
    }
    let solved = if is_open { asking.for_step(eval, step) } else { None };
    Ok((solved.into_iter().chain(all.into_iter().map(Vec::into_boxed_slice)).collect(), is_complete))
}

/// The values to try for an input, and whether conditions say nothing about it but what its range is.
fn for_input(eval: &mut Eval<'_>, step: &Step, input: &Input, samples: usize) -> Result<(Choices, bool), Trouble> {
    if input.sort != program::Sort::Int {
        return Err(Trouble::Unfit);
    }
    let range = range(eval, step, input)?;
    if range.is_exact && !input.is_assigned {
        // Any value will do: what the step does depends on there being one.
        let nearest = nearest_to_zero(&range);
        let words = nearest.and_then(|value| word_in(value, input.ty)).into_iter().collect();
        return Ok((Choices { words, is_complete: true }, true));
    }
    Ok((pick(eval.machine, &range, input.ty, samples, &[]), range.is_exact))
}

/// What the conditions of a step leave for an input.
fn range(eval: &mut Eval<'_>, step: &Step, input: &Input) -> Result<Range, Trouble> {
    let (least, greatest) = (input.ty.least(), input.ty.greatest());
    let mut range = Range { least, greatest, excluded: Vec::new(), is_exact: true };
    for condition in step.guard.iter().chain(step.defined.iter().map(|(condition, _, _)| condition)) {
        for part in condition.term.conjuncts() {
            if !part.vars().contains(&input.var) {
                continue;
            }
            let known = match literal(part) {
                Some(literal) => narrow(eval, step, &literal, input.var, &mut range)?,
                None => false,
            };
            range.is_exact &= known;
        }
    }
    Ok(range)
}

/// Narrows the range by a literal in which the input stands alone; whether it is one.
fn narrow(
    eval: &mut Eval<'_>,
    step: &Step,
    literal: &Literal,
    input: VarId,
    range: &mut Range,
) -> Result<bool, Trouble> {
    let (mut factor, mut rest) = (0, literal.bound);
    for (term, c) in literal.monomials {
        if term.as_var() == Some(input) {
            factor = *c;
        } else if step.inputs.iter().any(|other| term.vars().contains(&other.var)) {
            return Ok(false);
        } else {
            match eval.exact(*term) {
                Ok(program::Value::Int(value)) => {
                    match c.checked_mul(value).and_then(|known| rest.checked_sub(known)) {
                        Some(remaining) => rest = remaining,
                        None => return Ok(false),
                    }
                }
                Ok(_) => return Ok(false),
                Err(Trouble::Undefined) => return Ok(false),
                Err(trouble) => return Err(trouble),
            }
        }
    }
    if factor == 0 {
        return Ok(false);
    }
    let divides = rest.rem_euclid(factor) == 0;
    match (literal.relation, factor > 0) {
        (Relation::AtMost, true) => range.greatest = range.greatest.min(rest.div_euclid(factor)),
        (Relation::AtMost, false) => range.least = range.least.max(-rest.div_euclid(-factor)),
        (Relation::More, true) => range.least = range.least.max(rest.div_euclid(factor) + 1),
        (Relation::More, false) => range.greatest = range.greatest.min(-rest.div_euclid(-factor) - 1),
        (Relation::Equal, _) if divides => {
            (range.least, range.greatest) = (range.least.max(rest / factor), range.greatest.min(rest / factor));
        }
        (Relation::Equal, _) => range.greatest = range.least - 1,
        (Relation::Different, _) if divides => range.excluded.push(rest / factor),
        (Relation::Different, _) => {}
    }
    Ok(true)
}

fn nearest_to_zero(range: &Range) -> Option<i128> {
    if range.least > range.greatest {
        return None;
    }
    let start = 0.clamp(range.least, range.greatest);
    let reach = i128::try_from(range.excluded.len()).unwrap_or(0);
    let near = (0..=reach).flat_map(|distance| [start + distance, start - distance]);
    near.into_iter().find(|value| (range.least..=range.greatest).contains(value) && !range.excluded.contains(value))
}

/// Values to try for what has not been chosen yet, when `thread` reads it.
pub(crate) fn for_need(
    eval: &mut Eval<'_>,
    asking: &mut Asking<'_>,
    thread: u32,
    need: Need,
    samples: usize,
) -> Choices {
    let (Need::Slot(slot) | Need::Element(slot, _) | Need::Elements(slot)) = need;
    let machine = eval.machine;
    let info = machine.slots[slot as usize];
    if matches!(need, Need::Elements(_)) {
        return Choices { words: vec![0], is_complete: false };
    }
    if matches!(info.holds, Holds::Truth(_)) {
        return Choices { words: vec![0, 1], is_complete: true };
    }
    let (mut preferred, is_named) = boundaries(eval, thread, need);
    if !is_named {
        preferred.splice(0..0, asking.for_need(eval, thread, need));
    }
    // What memory most often holds: a run with it is easier to repeat.
    preferred.insert(0, 0);
    if let Holds::Scalar(var) = info.holds
        && machine.is_place(var)
    {
        // Objects may lie in any order, but not in one place.
        let distance = i128::from(var.0) << 16;
        preferred.splice(0..0, [(1 << 24) + distance, (1 << 48) - distance]);
    }
    let range = Range { least: info.ty.least(), greatest: info.ty.greatest(), excluded: vec![], is_exact: false };
    pick(machine, &range, info.ty, samples, &preferred)
}

/// The values at which the conditions of a thread's next steps change, everything else being as it is; and whether each condition names
/// its own.
fn boundaries(eval: &mut Eval<'_>, thread: u32, need: Need) -> (Vec<i128>, bool) {
    let machine = eval.machine;
    let range = machine.at(eval.words, thread).steps.clone();
    let (mut found, mut is_named) = (Vec::new(), true);
    for step in &machine.steps[range.start as usize..range.end as usize] {
        for condition in step.guard.iter().chain(step.defined.iter().map(|(condition, _, _)| condition)) {
            for part in condition.term.conjuncts() {
                match literal(part).and_then(|literal| boundary(eval, &literal, need)) {
                    Some(value) => found.extend([value, value + 1, value - 1]),
                    None => is_named &= !matches!(eval.exact(part), Err(Trouble::Need(other)) if is_same(other, need)),
                }
            }
        }
    }
    (found, is_named)
}

fn boundary(eval: &mut Eval<'_>, literal: &Literal, need: Need) -> Option<i128> {
    let (mut factor, mut rest) = (None, literal.bound);
    for (term, c) in literal.monomials {
        match eval.exact(*term) {
            Ok(program::Value::Int(value)) => rest = rest.checked_sub(c.checked_mul(value)?)?,
            Err(Trouble::Need(found)) if is_same(found, need) && factor.is_none() => factor = Some(*c),
            _ => return None,
        }
    }
    Some(rest.div_euclid(factor?))
}

/// [`Eval::exact`] asks for an array as a whole where only an element is needed.
fn is_same(found: Need, need: Need) -> bool {
    match (found, need) {
        (Need::Elements(a), Need::Element(b, _)) => a == b,
        _ => found == need,
    }
}

/// All values if they are few; else the preferred ones, constants of the program, and the ends of the range.
fn pick(machine: &Machine<'_>, range: &Range, ty: IntType, samples: usize, preferred: &[i128]) -> Choices {
    let fits = |value: &i128| (range.least..=range.greatest).contains(value) && !range.excluded.contains(value);
    if range.greatest.saturating_sub(range.least) < i128::try_from(samples).unwrap_or(i128::MAX) {
        let words: Vec<Word> =
            (range.least..=range.greatest).filter(fits).filter_map(|value| word_in(value, ty)).collect();
        return Choices { words, is_complete: true };
    }
    let ends = [range.least, range.greatest];
    let mut words = Vec::new();
    for value in preferred.iter().chain(&ends[..1]).chain(&machine.constants).chain(&ends).filter(|v| fits(v)) {
        if words.len() >= samples {
            break;
        }
        words.extend(word_in(*value, ty).filter(|word| !words.contains(word)));
    }
    Choices { words, is_complete: false }
}

fn literal(term: Term) -> Option<Literal> {
    let made = |monomials, bound: &i128, relation| Some(Literal { monomials, bound: *bound, relation });
    match term.kind() {
        TermKind::Le(form, bound) => made(form.monomials(), bound, Relation::AtMost),
        TermKind::Eq(form, bound) => made(form.monomials(), bound, Relation::Equal),
        TermKind::Not(inner) => match inner.kind() {
            TermKind::Le(form, bound) => made(form.monomials(), bound, Relation::More),
            TermKind::Eq(form, bound) => made(form.monomials(), bound, Relation::Different),
            _ => None,
        },
        _ => None,
    }
}
