//! Values of compiled terms in a state. Exact: what does not fit machine words is left to [`Term::eval`].

use std::cell::Cell;

use program::{Array, BitOp, EvalError, IntType, Sort, Term, Value, VarId};

use crate::arrays::{ArrayId, Arrays};
use crate::machine::{Conjunct, Deferred, Holds, Input, Machine, Node, NodeId, Slot, SlotInfo, UNSET, Update, Word};

/// Something whose value has to be chosen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Need {
    /// A variable's value.
    Slot(Slot),
    /// An element of an array.
    Element(Slot, i64),
    /// All elements of an array that have not been chosen.
    Elements(Slot),
}

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// A value has to be chosen first.
    Need(Need),
    /// Division by zero, or a shift by an amount out of range.
    Undefined,
    /// No word can hold it, or the program is inconsistent.
    Unfit,
}

/// Evaluation in a state, with values for the inputs of a step.
pub(crate) struct Eval<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) words: &'a [Word],
    pub(crate) arrays: &'a mut Arrays,
    /// The step's inputs and the words chosen for them.
    pub(crate) inputs: (&'a [Input], &'a [Word]),
    need: Option<Need>,
    /// The slot that an array is for.
    target: Slot,
}

impl<'a> Eval<'a> {
    pub(crate) fn new(
        machine: &'a Machine<'a>,
        words: &'a [Word],
        arrays: &'a mut Arrays,
        inputs: (&'a [Input], &'a [Word]),
    ) -> Eval<'a> {
        Eval { machine, words, arrays, inputs, need: None, target: 0 }
    }

    /// Whether a formula holds.
    pub(crate) fn holds(&mut self, formula: Conjunct) -> Result<bool, Trouble> {
        self.need = None;
        match (self.int(formula.node), self.need) {
            (Some(value), _) => Ok(value != 0),
            (None, Some(need)) => Err(Trouble::Need(need)),
            (None, None) => match self.exact(formula.term)? {
                Value::Bool(value) => Ok(value),
                _ => Err(Trouble::Unfit),
            },
        }
    }

    /// The word that an update gives its slot.
    pub(crate) fn updated(&mut self, update: Update) -> Result<Word, Trouble> {
        match update.deferred {
            Some(Deferred::Input(_)) => return Ok(UNSET),
            Some(Deferred::Local(slot)) if self.words[slot as usize] == UNSET => return Ok(UNSET),
            _ => {}
        }
        let info = self.machine.slots[update.slot as usize];
        (self.need, self.target) = (None, update.slot);
        let fast = match info.holds {
            Holds::Array(_) => self.array(update.node).map(|array| i64::from(array.0)),
            _ => self.int(update.node),
        };
        match (fast, self.need) {
            (Some(word), _) if fits(word, info) => Ok(word),
            (None, Some(need)) => Err(Trouble::Need(need)),
            _ => {
                let value = self.exact(update.term)?;
                word_of(&value, info, self.arrays).ok_or(Trouble::Unfit)
            }
        }
    }

    /// The value of any term.
    pub(crate) fn exact(&mut self, term: Term) -> Result<Value, Trouble> {
        let need = Cell::new(None);
        let value = term.eval(&|var| match self.value(var) {
            Ok(value) => value,
            Err(missing) => {
                need.set(Some(missing));
                None
            }
        });
        match (value, need.get()) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(need)) => Err(Trouble::Need(need)),
            (Err(EvalError::Undefined), None) => Err(Trouble::Undefined),
            (Err(_), None) => Err(Trouble::Unfit),
        }
    }

    /// The value of a variable that is neither an input nor to be chosen yet.
    pub(crate) fn known(&self, var: VarId) -> Option<Value> {
        let is_input = self.inputs.0.iter().any(|input| input.var == var);
        if is_input { None } else { self.value(var).ok().flatten() }
    }

    fn value(&self, var: VarId) -> Result<Option<Value>, Need> {
        if let Some(position) = self.inputs.0.iter().position(|input| input.var == var) {
            let input = self.inputs.0[position];
            return Ok((input.sort == Sort::Int).then(|| Value::Int(meaning(self.inputs.1[position], input.ty))));
        }
        let Some(slot) = self.machine.slot_of[var.0 as usize] else { return Ok(None) };
        value_of(self.words[slot as usize], slot, self.machine.slots[slot as usize], self.arrays).map(Some)
    }

    /// The value of an integer term or a formula, if it is reached with machine words.
    pub(crate) fn int(&mut self, id: NodeId) -> Option<i64> {
        match self.machine.code.node(id) {
            Node::Const(value) => Some(value),
            Node::Slot(slot) => self.word(slot),
            Node::Wide(slot) => self.word(slot).filter(|word| *word >= 0),
            Node::Input(position) => Some(self.inputs.1[position as usize]),
            Node::WideInput(position) => Some(self.inputs.1[position as usize]).filter(|word| *word >= 0),
            Node::SlotLe(slot, bound) => Some(i64::from(self.word(slot)? <= bound)),
            Node::SlotEq(slot, bound) => Some(i64::from(self.word(slot)? == bound)),
            Node::Sum(items, offset) => self.sum(self.machine.code.items(items), offset),
            Node::Le(items, bound) => Some(i64::from(self.sum(self.machine.code.items(items), 0)? <= bound)),
            Node::Eq(items, bound) => Some(i64::from(self.sum(self.machine.code.items(items), 0)? == bound)),
            Node::Not(inner) => Some(1 - self.int(inner)?),
            Node::All(items) => self.some(self.machine.code.items(items), 0).map(|found| 1 - found),
            Node::Any(items) => self.some(self.machine.code.items(items), 1),
            Node::Ite(c, a, b) => {
                let arm = if self.int(c)? != 0 { a } else { b };
                self.int(arm)
            }
            Node::Select(array, index) => {
                let index = self.int(index)?;
                self.element(array, index)
            }
            Node::Mul(a, b) => self.int(a)?.checked_mul(self.int(b)?),
            Node::Div(a, b) => self.int(a)?.checked_div(self.int(b)?),
            Node::Rem(a, b) => self.int(a)?.checked_rem(self.int(b)?),
            Node::Wrap(ty, a) => i64::try_from(ty.wrap(i128::from(self.int(a)?))).ok(),
            Node::Bits(op, ty, a, b) => bits(op, ty, self.int(a)?, self.int(b)?),
            Node::Store(..) | Node::Filled(_) | Node::Slow => None,
        }
    }

    fn word(&mut self, slot: Slot) -> Option<i64> {
        let word = self.words[slot as usize];
        if word == UNSET {
            self.need = Some(Need::Slot(slot));
            return None;
        }
        Some(word)
    }

    fn sum(&mut self, items: &[(NodeId, i64)], offset: i64) -> Option<i64> {
        let mut total = offset;
        for (node, factor) in items {
            let value = self.int(*node)?;
            total = total.checked_add(if *factor == 1 { value } else { value.checked_mul(*factor)? })?;
        }
        Some(total)
    }

    /// 1 if some item has the wanted value, 0 if none has. An item without a value is left to [`Term::eval`].
    fn some(&mut self, items: &[(NodeId, i64)], wanted: i64) -> Option<i64> {
        for (node, _) in items {
            if self.int(*node)? == wanted {
                return Some(1);
            }
        }
        Some(0)
    }

    fn element(&mut self, array: NodeId, index: i64) -> Option<i64> {
        match self.machine.code.node(array) {
            Node::Slot(slot) => {
                let word = self.arrays.get(id(self.words[slot as usize]), index);
                if word == UNSET {
                    self.need = Some(Need::Element(slot, index));
                    return None;
                }
                let wide = word < 0 && !self.machine.slots[slot as usize].ty.signed;
                (!wide).then_some(word)
            }
            Node::Store(array, at, value) => {
                if self.int(at)? == index {
                    self.int(value)
                } else {
                    self.element(array, index)
                }
            }
            Node::Filled(value) => self.int(value),
            Node::Ite(c, a, b) => {
                let arm = if self.int(c)? != 0 { a } else { b };
                self.element(arm, index)
            }
            _ => None,
        }
    }

    /// The array for the target, if it is reached with machine words. The elements of another slot's array must have been
    /// chosen: the two would have to agree on later choices.
    fn array(&mut self, array: NodeId) -> Option<ArrayId> {
        match self.machine.code.node(array) {
            Node::Slot(slot) => {
                let array = id(self.words[slot as usize]);
                if slot != self.target && self.arrays.default_of(array) == UNSET {
                    self.need = Some(Need::Elements(slot));
                    return None;
                }
                Some(array)
            }
            Node::Store(base, at, value) => {
                let base = self.array(base)?;
                let (index, value) = (self.int(at)?, self.int(value)?);
                self.is_element(value).then(|| self.arrays.set(base, index, value))
            }
            Node::Filled(value) => {
                let value = self.int(value)?;
                self.is_element(value).then(|| self.arrays.filled(value))
            }
            Node::Ite(c, a, b) => {
                let arm = if self.int(c)? != 0 { a } else { b };
                self.array(arm)
            }
            _ => None,
        }
    }

    /// Whether the target's array can hold the value.
    fn is_element(&self, value: i64) -> bool {
        value != UNSET && self.machine.slots[self.target as usize].ty.contains(i128::from(value))
    }
}

/// The array that a word names.
pub(crate) fn id(word: Word) -> ArrayId {
    ArrayId(u32::try_from(word).unwrap_or(0))
}

fn fits(word: Word, info: SlotInfo) -> bool {
    match info.holds {
        Holds::Scalar(_) => word != UNSET && info.ty.contains(i128::from(word)),
        _ => true,
    }
}

fn bits(op: BitOp, ty: IntType, a: i64, b: i64) -> Option<i64> {
    let amount = || u32::try_from(b).ok().filter(|b| *b < ty.bits);
    let value = match op {
        BitOp::And => i128::from(a & b),
        BitOp::Or => i128::from(a | b),
        BitOp::Xor => i128::from(a ^ b),
        BitOp::Shl => i128::from(a) << amount()?,
        BitOp::Shr => i128::from(a) >> amount()?,
    };
    i64::try_from(ty.wrap(value)).ok()
}

/// The value that a word stands for in a type.
pub(crate) fn meaning(word: Word, ty: IntType) -> i128 {
    if ty.signed { i128::from(word) } else { i128::from(word.cast_unsigned()) }
}

/// The word that stands for a value of a type, if the type has it.
pub(crate) fn word_in(value: i128, ty: IntType) -> Option<Word> {
    let low = i64::try_from(IntType::new(64, true).wrap(value)).ok()?;
    (ty.contains(value) && low != UNSET).then_some(low)
}

/// The word that stands for a value in a slot.
pub(crate) fn word_of(value: &Value, info: SlotInfo, arrays: &mut Arrays) -> Option<Word> {
    match (info.holds, value) {
        (Holds::Truth(_), Value::Bool(value)) => Some(i64::from(*value)),
        (Holds::Scalar(_), Value::Int(value)) => word_in(*value, info.ty),
        (Holds::Array(_), Value::Array(array)) => {
            let mut made = arrays.filled(word_in(array.default, info.ty)?);
            for (index, element) in &array.elements {
                made = arrays.set(made, i64::try_from(*index).ok()?, word_in(*element, info.ty)?);
            }
            Some(i64::from(made.0))
        }
        _ => None,
    }
}

/// What a slot's word stands for.
pub(crate) fn value_of(word: Word, slot: Slot, info: SlotInfo, arrays: &Arrays) -> Result<Value, Need> {
    Ok(match info.holds {
        Holds::Array(_) => {
            let default = arrays.default_of(id(word));
            if default == UNSET {
                return Err(Need::Elements(slot));
            }
            let elements = arrays.elements(id(word));
            let mut array = Array::filled(meaning(default, info.ty));
            elements.for_each(|(index, element)| array.set(i128::from(index), meaning(element, info.ty)));
            Value::Array(array)
        }
        _ if word == UNSET => return Err(Need::Slot(slot)),
        Holds::Truth(_) => Value::Bool(word != 0),
        _ => Value::Int(meaning(word, info.ty)),
    })
}
