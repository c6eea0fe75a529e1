//! [T, Eq. 2], after Owicki and Gries [OG]: R_i such that for all i, and all j different from i,
//!
//! ```text
//! init -> R_i;   R_i and rho_i -> R_i';   R_i and R_j and rho_j -> R_i';   R_1 and .. and R_N and err -> false.
//! ```

use horn::{Application, HornClause, HornSystem, RelationId, Variables};
use program::{Program, ThreadId};

use super::state::{
    Place, State, arguments, error_name, errors, initial, possible, step, step_name, thread_name, thread_places,
};
use crate::rule::Vocabulary;

/// R_i, and what it is over.
pub(super) struct Assertion {
    pub(super) thread: ThreadId,
    pub(super) relation: RelationId,
    pub(super) places: Vec<Place>,
}

impl Assertion {
    /// R_i of the state.
    pub(super) fn of(&self, state: &State) -> Application {
        state.apply(self.relation, &self.places)
    }
}

/// [T, Eq. 2]: R_i is an [`Assertion`].
pub(super) fn clauses(program: &Program, vocabulary: Vocabulary) -> HornSystem {
    let mut system = HornSystem::new();
    let assertions = assertions(&mut system, program, vocabulary);
    for own in &assertions {
        initiation(&mut system, program, own);
        consecution(&mut system, program, own);
        for other in assertions.iter().filter(|other| other.thread != own.thread) {
            interference(&mut system, program, own, other);
        }
    }
    safety(&mut system, program, &assertions);
    system
}

/// The unknowns R_1 .. R_N.
pub(super) fn assertions(system: &mut HornSystem, program: &Program, vocabulary: Vocabulary) -> Vec<Assertion> {
    let mut assertion = |thread: ThreadId| {
        let places = thread_places(program, thread, vocabulary);
        let meaning = format!("where {} can be", thread_name(program, thread));
        let relation = system.declare(format!("R_{}", thread.0), arguments(program, &places, ""), meaning);
        Assertion { thread, relation, places }
    };
    program.threads().map(|(thread, _)| assertion(thread)).collect()
}

/// init -> R_i.
pub(super) fn initiation(system: &mut HornSystem, program: &Program, own: &Assertion) {
    let mut variables = Variables::default();
    let (state, condition) = initial(program, &own.places, &mut variables);
    let clause = HornClause::new(variables, vec![], condition, Some(own.of(&state)));
    system.add(clause.with_origin(format!("{}: initial states", thread_name(program, own.thread))));
}

/// R_i and rho_i -> R_i'.
pub(super) fn consecution(system: &mut HornSystem, program: &Program, own: &Assertion) {
    for t in possible(program, own.thread) {
        let mut variables = Variables::default();
        let before = State::at(program, &own.places, &[(own.thread, t.source)], &mut variables);
        let (condition, after) = step(program, own.thread, t, &before, &mut variables);
        let clause = HornClause::new(variables, vec![own.of(&before)], condition, Some(own.of(&after)));
        system.add(clause.with_origin(step_name(program, own.thread, t)));
    }
}

/// R_i and R_j and rho_j -> R_i'.
fn interference(system: &mut HornSystem, program: &Program, own: &Assertion, other: &Assertion) {
    let places = [own.places.clone(), other.places.clone()].concat();
    for t in possible(program, other.thread) {
        let mut variables = Variables::default();
        let before = State::at(program, &places, &[(other.thread, t.source)], &mut variables);
        let (condition, after) = step(program, other.thread, t, &before, &mut variables);
        let premises = vec![own.of(&before), other.of(&before)];
        let clause = HornClause::new(variables, premises, condition, Some(own.of(&after)));
        let suffering = thread_name(program, own.thread);
        system.add(clause.with_origin(format!("{suffering} suffers {}", step_name(program, other.thread, t))));
    }
}

/// R_1 and .. and R_N and err -> false.
pub(super) fn safety(system: &mut HornSystem, program: &Program, assertions: &[Assertion]) {
    let places: Vec<Place> = assertions.iter().flat_map(|a| a.places.iter().copied()).collect();
    for error in errors(program) {
        let mut variables = Variables::default();
        let (state, condition) = State::failing(program, &places, &error, &mut variables);
        let premises = assertions.iter().map(|a| a.of(&state)).collect();
        let clause = HornClause::new(variables, premises, condition, None);
        system.add(clause.with_origin(error_name(program, &error)));
    }
}
