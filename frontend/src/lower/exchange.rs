//! Atomic operations on whole objects: a scalar, or a struct or union of which all scalars are read or written in one step.

use program::{IntType, Term};

use super::build::ThreadBuilder;
use super::copy::{Contents, TOO_LARGE};
use super::expr::Value;
use super::parts::{Group, has_padding};
use super::place::{Spot, known};
use crate::cfg::{Manner, Step};
use crate::hir::{Expr, Type};

/// What an atomic operation acts on.
pub(super) struct Whole {
    spot: Spot,
    ty: Type,
    pub(super) parts: Vec<Group>,
}

/// Whether a compare-and-exchange may fail for no reason.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Strength {
    Strong,
    Weak,
}

impl ThreadBuilder<'_, '_> {
    /// The object that the first argument of an operation points to; nothing if its type is none for atomic operations.
    pub(super) fn whole(&mut self, pointer: &Expr) -> Option<Whole> {
        let Type::Pointer(target) = &pointer.ty else { return None };
        let ty = target.unatomic().clone();
        if !matches!(ty, Type::Int(_) | Type::Pointer(_) | Type::Record(_)) {
            return None;
        }
        let parts = self.low.scalars(&ty).unwrap_or_else(|| {
            self.unsupported(TOO_LARGE);
            Vec::new()
        });
        let spot = self.target(pointer);
        Some(Whole { spot, ty, parts })
    }

    /// Where an argument points to.
    pub(super) fn target(&mut self, pointer: &Expr) -> Spot {
        let address = self.scalar(pointer);
        self.spot_at(address)
    }

    /// The value of an argument. A struct that is no value yet is read field by field.
    pub(super) fn contents(&mut self, value: &Expr, whole: &Whole) -> Contents {
        match (self.value(value), whole.parts.first().and_then(|group| group.first())) {
            (Value::Record(source), _) => self.read_all(&source, &whole.parts),
            (Value::Scalar(term), Some(scalar)) => vec![vec![self.fit_shape(term, scalar.shape)]],
            _ => Vec::new(),
        }
    }

    /// The contents of an object as the value of an expression.
    pub(super) fn value_of(&mut self, whole: &Whole, contents: &Contents) -> Value {
        match (&whole.ty, contents.first().and_then(|group| group.first())) {
            (Type::Record(_), _) => {
                let held = known(self.nameless(&whole.ty));
                self.write_all(&held, &whole.parts, contents);
                Value::Record(held)
            }
            (_, Some(value)) => Value::Scalar(*value),
            (_, None) => self.placeholder(&whole.ty),
        }
    }

    pub(super) fn load_whole(&mut self, whole: &Whole) -> Contents {
        self.touching(Manner::Atomic, |this| match whole.parts.as_slice() {
            [_] => this.read_all(&whole.spot, &whole.parts),
            several => this.atomically(|this| this.read_all(&whole.spot, several)),
        })
    }

    pub(super) fn store_whole(&mut self, whole: &Whole, value: &Contents) {
        self.touching(Manner::Atomic, |this| match whole.parts.as_slice() {
            [_] => this.write_all(&whole.spot, &whole.parts, value),
            several => this.atomically(|this| this.write_all(&whole.spot, several, value)),
        });
    }

    /// Gives an atomic object its first value, which is an ordinary write (C11 7.17.2.1).
    pub(super) fn initialise_whole(&mut self, whole: &Whole, value: &Contents) {
        self.write_all(&whole.spot, &whole.parts, value);
    }

    /// Replaces the contents; the result are the old ones.
    pub(super) fn exchange(&mut self, whole: &Whole, value: &Contents) -> Contents {
        self.touching(Manner::Atomic, |this| {
            this.atomically(|this| {
                let old = this.read_all(&whole.spot, &whole.parts);
                this.write_all(&whole.spot, &whole.parts, value);
                old
            })
        })
    }

    /// C11's compare-and-exchange. The expected value is read before the step; where the step fails, it is replaced by the
    /// one found, after it. A weak one may fail for no reason.
    pub(super) fn compare_exchange(
        &mut self,
        whole: &Whole,
        expected: &Spot,
        desired: &Contents,
        strength: Strength,
    ) -> Value {
        self.refuse_unseen_bytes(whole, strength);
        let result = self.temporary(IntType::new(1, false), "exchanged");
        let (try_it, equal, other, done) = (self.label(), self.label(), self.label(), self.label());
        let wanted = self.read_all(expected, &whole.parts);
        self.emit(Step::AtomicBegin);
        let old = self.touching(Manner::Atomic, |this| this.read_all(&whole.spot, &whole.parts));
        match strength {
            Strength::Weak => {
                let lucky = self.decision(IntType::new(1, false), "lucky", program::Choice::Exchange);
                self.branch(lucky.eq_to(Term::int(1)), try_it, other);
            }
            Strength::Strong => self.jump(try_it),
        }
        self.land(try_it);
        let pairs = old.iter().flatten().zip(wanted.iter().flatten());
        self.branch(Term::and(pairs.map(|(old, wanted)| old.eq_to(*wanted)).collect::<Vec<_>>()), equal, other);
        self.land(equal);
        self.touching(Manner::Atomic, |this| this.write_all(&whole.spot, &whole.parts, desired));
        self.emit(Step::Assign(result, Term::int(1)));
        self.emit(Step::AtomicEnd);
        self.jump(done);
        self.land(other);
        self.emit(Step::Assign(result, Term::int(0)));
        self.emit(Step::AtomicEnd);
        self.write_all(expected, &whole.parts, &old);
        self.land(done);
        Value::Scalar(self.low.memory.term(result))
    }

    /// A comparison is one of bytes (C11 7.17.7.4). Those of padding are not modelled, so that a strong one on a struct with
    /// padding is not either; a weak one may fail anyway.
    fn refuse_unseen_bytes(&mut self, whole: &Whole, strength: Strength) {
        if !self.low.is_tracked(&whole.ty) {
            self.unsupported("a compare-and-exchange of floating point or pthread objects");
        } else if strength == Strength::Strong && has_padding(&whole.parts, self.low.unit.size_of(&whole.ty)) {
            self.unsupported("a strong compare-and-exchange of a struct with padding, which is compared too");
        }
    }
}
