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
                [_, ..],
            ) => {
                let values = self.evaluate_for(name, arguments);
                let Some(Value::Scalar(at)) = values.into_iter().next() else { return None };
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
