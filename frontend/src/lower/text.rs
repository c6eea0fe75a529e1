//! Text that snprintf makes: not modelled.

use program::Term;

use super::build::ThreadBuilder;
use super::expr::Value;
use super::place::Spot;
use crate::cfg::Step;
use crate::hir::{Expr, Type};
use crate::memory::Cells;

impl ThreadBuilder<'_, '_> {
    /// A call that makes text; nothing if it is no such call.
    pub(super) fn text_call(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        match (name, arguments) {
            (
                "sprintf"
                | "snprintf"
                | "vsprintf"
                | "vsnprintf"
                | "__builtin___snprintf_chk"
                | "__builtin___sprintf_chk",
                [target, rest @ ..],
            ) => {
                let at = self.scalar(target);
                if self.follows_pointers() {
                    match (name, rest) {
                        ("snprintf", [size, _, ..]) => {
                            let size = self.scalar(size).as_int().filter(|_| at.as_int() != Some(0));
                            size.into_iter().for_each(|bytes| self.touch_bytes(at, bytes));
                            self.lend("printf", &rest[1..]);
                        }
                        _ => self.unsupported(format!("how far `{name}` writes")),
                    }
                } else {
                    let format = match name {
                        "sprintf" => 0,
                        "snprintf" => 1,
                        "__builtin___sprintf_chk" => 2,
                        "__builtin___snprintf_chk" => 3,
                        _ if self.tells_accesses() => {
                            self.unsupported(format!("what `{name}` reads and writes"));
                            rest.len()
                        }
                        _ => rest.len(),
                    };
                    let (before, formatted) = rest.split_at(format.min(rest.len()));
                    self.evaluate(before);
                    self.lend("printf", formatted);
                }
                if at.as_int() != Some(0) {
                    self.make_text(at);
                }
                Some(self.natural(ty))
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
}
