//! [T, Eq. 1], the monolithic rule: R over V such that
//!
//! ```text
//! init -> R;   R and (rho_1 or .. or rho_N) -> R';   R and err -> false.
//! ```

use horn::{HornClause, HornSystem, Variables};
use program::Program;

use super::state::{State, all_places, arguments, error_name, errors, initial, possible, step, step_name};

/// [T, Eq. 1]: R is `r`, V is `places`.
pub(super) fn clauses(program: &Program) -> HornSystem {
    let mut system = HornSystem::new();
    let places = all_places(program);
    let r = system.declare("R", arguments(program, &places, ""), "the reachable states");

    let mut variables = Variables::default();
    let (state, condition) = initial(program, &places, &mut variables);
    system.add(
        HornClause::new(variables, vec![], condition, Some(state.apply(r, &places))).with_origin("initial states"),
    );
    for (thread, _) in program.threads() {
        for t in possible(program, thread) {
            let mut variables = Variables::default();
            let before = State::at(program, &places, &[(thread, t.source)], &mut variables);
            let (condition, after) = step(program, thread, t, &before, &mut variables);
            let (premise, conclusion) = (before.apply(r, &places), after.apply(r, &places));
            let clause = HornClause::new(variables, vec![premise], condition, Some(conclusion));
            system.add(clause.with_origin(step_name(program, thread, t)));
        }
    }
    for error in errors(program) {
        let mut variables = Variables::default();
        let (state, condition) = State::failing(program, &places, &error, &mut variables);
        let clause = HornClause::new(variables, vec![state.apply(r, &places)], condition, None);
        system.add(clause.with_origin(error_name(program, &error)));
    }
    system
}
