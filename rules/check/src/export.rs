//! Obligations as SMT-LIB 2, for any solver.

use std::collections::BTreeMap;
use std::fmt::Write;

use program::{Program, TermKind, VarId, smtlib_name, smtlib_sort, smtlib_term};

use crate::certificate_text::variable_name;
use crate::obligation::Obligation;

/// An obligation as a script: it is valid iff the answer is `unsat`.
pub fn smtlib_script(program: &Program, obligation: &Obligation) -> String {
    let names = |var: VarId| variable_name(program, var);
    let mut declared = BTreeMap::new();
    for term in obligation.premises.iter().chain([&obligation.conclusion]) {
        term.visit(&mut |leaf| match leaf.kind() {
            TermKind::Var(var, sort) => {
                declared.insert(smtlib_name(&names(*var)), *sort);
            }
            TermKind::Primed(var, sort) => {
                declared.insert(smtlib_name(&format!("{}'", names(*var))), *sort);
            }
            _ => {}
        });
    }
    // Writing to a string cannot fail.
    let mut text = format!("; if this is sat: {}\n(set-logic ALL)\n", obligation.condition.describe(program));
    for (name, sort) in declared {
        let _ = writeln!(text, "(declare-const {name} {})", smtlib_sort(sort));
    }
    for premise in &obligation.premises {
        let _ = writeln!(text, "(assert {})", smtlib_term(*premise, &names));
    }
    let _ = writeln!(text, "(assert (not {}))\n(check-sat)", smtlib_term(obligation.conclusion, &names));
    text
}
