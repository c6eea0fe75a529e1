//! [T, Eq. 3], after Jones [J]: R_i and E_i such that for all i, and all j different from i,
//!
//! ```text
//! init -> R_i;   R_i and (rho_i or (E_i and V_i = V_i')) -> R_i';   R_j and rho_j -> E_i;
//! R_1 and .. and R_N and err -> false.
//! ```

use horn::{Application, HornClause, HornSystem, RelationId, Variables};
use program::{Program, Term, ThreadId};

use super::owicki_gries::{Assertion, assertions, consecution, initiation, safety};
use super::state::{
    Place, State, all_places, arguments, global_places, possible, step, step_name, thread_name, thread_places,
};
use crate::rule::Vocabulary;

/// E_i, over `places` before and after: G and G', or V and V'.
struct Environment {
    relation: RelationId,
    places: Vec<Place>,
}

impl Environment {
    /// E_i of the states before and after.
    fn of(&self, before: &State, after: &State) -> Application {
        Application::new(self.relation, before.values(&self.places).into_iter().chain(after.values(&self.places)))
    }
}

/// [T, Eq. 3]: R_i is an [`Assertion`], E_i an [`Environment`].
pub(super) fn clauses(program: &Program, vocabulary: Vocabulary) -> HornSystem {
    let mut system = HornSystem::new();
    let assertions = assertions(&mut system, program, vocabulary);
    let environments: Vec<Environment> =
        assertions.iter().map(|own| environment(&mut system, program, own.thread, vocabulary)).collect();
    for (own, rely) in assertions.iter().zip(&environments) {
        initiation(&mut system, program, own);
        consecution(&mut system, program, own);
        stability(&mut system, program, own, rely);
        for other in assertions.iter().filter(|other| other.thread != own.thread) {
            guarantee(&mut system, program, other, own.thread, rely);
        }
    }
    safety(&mut system, program, &assertions);
    system
}

fn environment(system: &mut HornSystem, program: &Program, thread: ThreadId, vocabulary: Vocabulary) -> Environment {
    let places = match vocabulary {
        Vocabulary::Modular => global_places(program),
        Vocabulary::Full => all_places(program),
    };
    let mut both = arguments(program, &places, "");
    both.extend(arguments(program, &places, "'"));
    let meaning = format!("what the others may do to {}", thread_name(program, thread));
    Environment { relation: system.declare(format!("E_{}", thread.0), both, meaning), places }
}

/// R_i and E_i and V_i = V_i' -> R_i'. V_i and pc_i are the same variables before and after.
fn stability(system: &mut HornSystem, program: &Program, own: &Assertion, rely: &Environment) {
    let mut variables = Variables::default();
    let before = State::arbitrary(program, &own.places, "", &mut variables);
    let globals = global_places(program);
    let own_places = thread_places(program, own.thread, Vocabulary::Modular);
    let kept = |place: &Place| own_places.contains(place) && !globals.contains(place);
    let changed: Vec<Place> = rely.places.iter().copied().filter(|place| !kept(place)).collect();
    let mut after = before.clone();
    after.renew(program, &changed, "'", &mut variables);
    let premises = vec![own.of(&before), rely.of(&before, &after)];
    let clause = HornClause::new(variables, premises, Term::bool(true), Some(own.of(&after)));
    system.add(clause.with_origin(format!("{} suffers its environment", thread_name(program, own.thread))));
}

/// R_j and rho_j -> E_i.
fn guarantee(system: &mut HornSystem, program: &Program, other: &Assertion, suffering: ThreadId, rely: &Environment) {
    for t in possible(program, other.thread) {
        let mut variables = Variables::default();
        let before = State::at(program, &other.places, &[(other.thread, t.source)], &mut variables);
        let (condition, after) = step(program, other.thread, t, &before, &mut variables);
        let conclusion = rely.of(&before, &after);
        let clause = HornClause::new(variables, vec![other.of(&before)], condition, Some(conclusion));
        let who = thread_name(program, suffering);
        system.add(clause.with_origin(format!("the environment of {who}: {}", step_name(program, other.thread, t))));
    }
}
