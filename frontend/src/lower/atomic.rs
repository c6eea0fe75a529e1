//! gcc's `__atomic_*` and `__sync_*` builtins, which C11's atomics expand to: one step each, sequentially consistent.

use program::Term;

use super::build::ThreadBuilder;
use super::exchange::Strength;
use super::expr::Value;
use super::place::Spot;
use crate::cfg::Manner;
use crate::hir::{BinaryOp, Expr, Type};
use crate::memory::Shape;

/// `__ATOMIC_SEQ_CST`.
const SEQ_CST: i128 = 5;

impl ThreadBuilder<'_, '_> {
    /// An atomic builtin; nothing if the name is none.
    pub(super) fn atomic_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.gcc_atomic(rest, arguments, ty);
        }
        if let Some(rest) = name.strip_prefix("__c11_atomic_") {
            return self.clang_atomic(rest, arguments, ty);
        }
        // The size in `__sync_fetch_and_add_4` is that of what the argument points to.
        let name = name.strip_prefix("__sync_")?;
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        self.sync(plain, arguments, ty)
    }

    /// What clang's `<stdatomic.h>` expands to: gcc's builtins under other names.
    fn clang_atomic(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        match (name, arguments) {
            ("init", [pointer, value]) => {
                let whole = self.whole(pointer)?;
                let value = self.contents(value, &whole);
                self.initialise_whole(&whole, &value);
                Some(Value::Void)
            }
            ("compare_exchange_strong" | "compare_exchange_weak", [pointer, expected, desired, success, failure]) => {
                self.order(success);
                self.order(failure);
                let whole = self.whole(pointer)?;
                let expected = self.target(expected);
                let desired = self.contents(desired, &whole);
                let strength = if name.ends_with("weak") { Strength::Weak } else { Strength::Strong };
                let value = self.compare_exchange(&whole, &expected, &desired, strength);
                Some(self.result(value, ty))
            }
            ("load" | "store" | "exchange", _) => self.gcc_atomic(&format!("{name}_n"), arguments, ty),
            _ => {
                if let Some(Type::Pointer(target)) = arguments.first().map(|pointer| &pointer.ty)
                    && let Type::Pointer(element) = target.unatomic()
                    && self.low.unit.size_of(element) != 1
                {
                    self.unsupported(format!("`atomic_{name}` on a pointer, where gcc adds bytes and clang elements"));
                }
                self.gcc_atomic(name, arguments, ty)
            }
        }
    }

    fn gcc_atomic(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let value = match (name, arguments) {
            ("thread_fence" | "signal_fence", [order]) => {
                self.order(order);
                Value::Void
            }
            ("load_n", [pointer, order]) => {
                let whole = self.whole(pointer)?;
                self.order(order);
                let value = self.load_whole(&whole);
                self.value_of(&whole, &value)
            }
            ("store_n", [pointer, value, order]) => {
                let whole = self.whole(pointer)?;
                let value = self.contents(value, &whole);
                self.order(order);
                self.store_whole(&whole, &value);
                Value::Void
            }
            ("exchange_n", [pointer, value, order]) => {
                let whole = self.whole(pointer)?;
                let value = self.contents(value, &whole);
                self.order(order);
                let old = self.exchange(&whole, &value);
                self.value_of(&whole, &old)
            }
            ("compare_exchange_n", [pointer, expected, desired, weak, success, failure]) => {
                self.order(success);
                self.order(failure);
                let whole = self.whole(pointer)?;
                let expected = self.target(expected);
                let desired = self.contents(desired, &whole);
                let strength = self.strength(weak);
                self.compare_exchange(&whole, &expected, &desired, strength)
            }
            // The forms that take and give values by their addresses.
            ("load", [pointer, result, order]) => {
                let whole = self.whole(pointer)?;
                let result = self.target(result);
                self.order(order);
                let value = self.load_whole(&whole);
                self.write_all(&result, &whole.parts, &value);
                Value::Void
            }
            ("store", [pointer, value, order]) => {
                let whole = self.whole(pointer)?;
                let value = self.target(value);
                self.order(order);
                let value = self.read_all(&value, &whole.parts);
                self.store_whole(&whole, &value);
                Value::Void
            }
            ("exchange", [pointer, value, result, order]) => {
                let whole = self.whole(pointer)?;
                let value = self.target(value);
                let result = self.target(result);
                self.order(order);
                let value = self.read_all(&value, &whole.parts);
                let old = self.exchange(&whole, &value);
                self.write_all(&result, &whole.parts, &old);
                Value::Void
            }
            ("compare_exchange", [pointer, expected, desired, weak, success, failure]) => {
                self.order(success);
                self.order(failure);
                let whole = self.whole(pointer)?;
                let expected = self.target(expected);
                let desired = self.target(desired);
                let strength = self.strength(weak);
                let desired = self.read_all(&desired, &whole.parts);
                self.compare_exchange(&whole, &expected, &desired, strength)
            }
            ("always_lock_free" | "is_lock_free", _) => {
                self.evaluate(arguments);
                Value::Scalar(Term::int(1))
            }
            ("clear", [pointer, order]) => {
                let (spot, shape) = self.flag(pointer)?;
                self.order(order);
                self.touching(Manner::Atomic, |this| this.write(&spot, shape, Term::int(0)));
                Value::Void
            }
            ("test_and_set", [pointer, order]) => {
                self.order(order);
                let (spot, shape) = self.flag(pointer)?;
                let old = self.modify(&spot, shape, |_, _| Term::int(1));
                Value::Scalar(old.ne(Term::int(0)).as_c_int())
            }
            (_, [pointer, value, order]) => {
                let (op, new) = operator(name)?;
                self.order(order);
                self.fetch(pointer, value, op, new)?
            }
            _ => return None,
        };
        Some(self.result(value, ty))
    }

    fn sync(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let value = match (name, arguments) {
            ("synchronize", _) => Value::Void,
            ("lock_test_and_set", [pointer, value, ..]) => {
                let (spot, shape) = self.pointee(pointer)?;
                let value = self.scalar(value);
                Value::Scalar(self.modify(&spot, shape, |_, _| value))
            }
            ("lock_release", [pointer, ..]) => {
                let (spot, shape) = self.pointee(pointer)?;
                self.touching(Manner::Atomic, |this| this.write(&spot, shape, Term::int(0)));
                Value::Void
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [pointer, expected, desired, ..]) => {
                let (spot, shape) = self.pointee(pointer)?;
                let expected = self.scalar(expected);
                let desired = self.scalar(desired);
                let expected = self.fit_shape(expected, shape);
                let old = self.swap_if(&spot, shape, expected, desired);
                match name {
                    "bool_compare_and_swap" => Value::Scalar(old.eq_to(expected).as_c_int()),
                    _ => Value::Scalar(old),
                }
            }
            (_, [pointer, value, ..]) => {
                let (op, new) = sync_operator(name)?;
                self.fetch(pointer, value, op, new)?
            }
            _ => return None,
        };
        Some(self.result(value, ty))
    }

    fn result(&mut self, value: Value, ty: &Type) -> Value {
        match (value, ty) {
            (Value::Scalar(term), Type::Int(int)) => Value::Scalar(self.convert(term, *int)),
            (_, Type::Void) => Value::Void,
            (value, _) => value,
        }
    }

    /// The scalar that an argument points to.
    fn pointee(&mut self, pointer: &Expr) -> Option<(Spot, Shape)> {
        let Type::Pointer(target) = &pointer.ty else { return None };
        let shape = self.low.scalar_shape(target)?;
        let address = self.scalar(pointer);
        Some((self.spot_at(address), shape))
    }

    /// A flag, which gcc's `<stdatomic.h>` wraps into a struct.
    fn flag(&mut self, pointer: &Expr) -> Option<(Spot, Shape)> {
        let Type::Pointer(target) = &pointer.ty else { return None };
        if !matches!(target.unatomic(), Type::Record(_)) {
            return self.pointee(pointer);
        }
        let shape = self.low.first_scalar(target)?;
        let address = self.scalar(pointer);
        Some((self.spot_at(address), shape))
    }

    fn strength(&mut self, weak: &Expr) -> Strength {
        match self.scalar(weak).as_int() {
            Some(0) => Strength::Strong,
            _ => Strength::Weak,
        }
    }

    /// Notes an order weaker than sequential consistency: it is verified as that, and the user is told.
    fn order(&mut self, order: &Expr) {
        let value = self.scalar(order);
        if value.as_int() != Some(SEQ_CST) && self.is_live() {
            self.low.weak_order.get_or_insert(order.span);
        }
    }

    /// Reads and writes a scalar in one step; the result is the old value.
    fn modify(&mut self, spot: &Spot, shape: Shape, new: impl FnOnce(&mut Self, Term) -> Term) -> Term {
        self.touching(Manner::Atomic, |this| {
            this.atomically(|this| {
                let old = this.read(spot, shape);
                let new = new(this, old);
                let new = this.fit_shape(new, shape);
                this.write(spot, shape, new);
                old
            })
        })
    }

    fn fetch(&mut self, pointer: &Expr, value: &Expr, op: Operator, yields: Fetched) -> Option<Value> {
        let (spot, shape) = self.pointee(pointer)?;
        // Pointers are moved by bytes.
        if shape.pointer && !matches!(op, Operator::Add | Operator::Sub) {
            self.unsupported("an atomic bitwise operation on a pointer");
        }
        let operand = self.scalar(value);
        let operand = self.fit_shape(operand, shape);
        let mut after = Term::int(0);
        let old = self.modify(&spot, shape, |this, old| {
            let exact = match op {
                // Wraps, for signed types too.
                Operator::Add => old.add(operand),
                Operator::Sub => old.sub(operand),
                Operator::Bits(op) => this.binary(op, shape.ty, old, operand),
                Operator::Nand => {
                    let both = this.binary(BinaryOp::And, shape.ty, old, operand);
                    both.neg().sub(Term::int(1))
                }
            };
            after = this.fit_shape(exact, shape);
            after
        });
        Some(Value::Scalar(if yields == Fetched::Old { old } else { after }))
    }

    /// Replaces the value if it is the expected one; the result is the old value.
    fn swap_if(&mut self, spot: &Spot, shape: Shape, expected: Term, desired: Term) -> Term {
        let (equal, done) = (self.label(), self.label());
        self.touching(Manner::Atomic, |this| {
            this.atomically(|this| {
                let old = this.read(spot, shape);
                this.branch(old.eq_to(expected), equal, done);
                this.land(equal);
                let desired = this.fit_shape(desired, shape);
                this.write(spot, shape, desired);
                this.land(done);
                old
            })
        })
    }
}

#[derive(Clone, Copy)]
enum Operator {
    Add,
    Sub,
    Bits(BinaryOp),
    Nand,
}

#[derive(Clone, Copy, PartialEq)]
enum Fetched {
    Old,
    New,
}

fn operator_named(name: &str) -> Option<Operator> {
    Some(match name {
        "add" => Operator::Add,
        "sub" => Operator::Sub,
        "and" => Operator::Bits(BinaryOp::And),
        "or" => Operator::Bits(BinaryOp::Or),
        "xor" => Operator::Bits(BinaryOp::Xor),
        "nand" => Operator::Nand,
        _ => return None,
    })
}

fn operator(name: &str) -> Option<(Operator, Fetched)> {
    if let Some(op) = name.strip_prefix("fetch_") {
        return Some((operator_named(op)?, Fetched::Old));
    }
    Some((operator_named(name.strip_suffix("_fetch")?)?, Fetched::New))
}

fn sync_operator(name: &str) -> Option<(Operator, Fetched)> {
    if let Some(op) = name.strip_prefix("fetch_and_") {
        return Some((operator_named(op)?, Fetched::Old));
    }
    Some((operator_named(name.strip_suffix("_and_fetch")?)?, Fetched::New))
}
