//! Library functions that fill memory with what is not modelled: text that snprintf makes, and the time.

use program::Term;

use super::build::ThreadBuilder;
use super::expr::Value;
use super::heap::pointee;
use super::place::Spot;
use crate::cfg::Step;
use crate::hir::{Expr, Type};
use crate::memory::Cells;

impl ThreadBuilder<'_, '_> {
    /// A call that stores something arbitrary; nothing if it is no such call.
    pub(super) fn text_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        match (name, arguments) {
            ("sprintf" | "snprintf" | "__builtin___snprintf_chk" | "__builtin___sprintf_chk", [target, rest @ ..]) => {
                let at = self.scalar(target);
                self.evaluate(rest);
                if at.as_int() != Some(0) {
                    self.make_text(at);
                }
                Some(self.natural(ty))
            }
            ("gettimeofday", [target, _]) | ("clock_gettime" | "clock_getres" | "timespec_get", [_, target]) => {
                self.make_time(arguments, target);
                Some(Value::Scalar(Term::int(0)))
            }
            _ => None,
        }
    }

    /// Text that the program may pass on, but not look at: what it says is not modelled.
    fn make_text(&mut self, at: Term) {
        let Spot::Known { object, .. } = self.spot_at(at) else {
            return self.unsupported("text made in a buffer that is not known here");
        };
        for leaf in self.low.memory.object(object).leaves.clone().iter().filter(|leaf| leaf.shape.size == 1) {
            let vars = match &leaf.cells {
                Cells::Split(vars) => vars.clone(),
                Cells::Array(var) => vec![*var],
            };
            for var in vars {
                self.emit(Step::Havoc(var));
                self.constants.remove(&var);
                self.low.texts.push(var);
            }
        }
    }

    /// Any time.
    fn make_time(&mut self, arguments: &[Expr], target: &Expr) {
        let ty = pointee(target);
        let mut at = Term::int(0);
        for argument in arguments {
            match std::ptr::eq(argument, target) {
                true => at = self.scalar(argument),
                false => drop(self.value(argument)),
            }
        }
        if at.as_int() != Some(0) {
            let spot = self.spot_at(at);
            self.scramble(&spot, &ty);
        }
    }
}
