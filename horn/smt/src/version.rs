//! Which Z3 this is, and which it should be.

/// The version of Z3 that threader is built, tested and measured with, from `scripts/z3.pin`.
pub const PINNED_Z3: &str = env!("THREADER_PINNED_Z3");

/// Where the linked Z3 comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Z3Origin {
    /// The library that `make setup` fetched.
    Pinned,
    /// One that was installed already, by explicit wish (`make Z3=system`).
    System,
}

/// Where the Z3 of this build comes from.
pub const Z3_ORIGIN: Z3Origin = if cfg!(system_z3) { Z3Origin::System } else { Z3Origin::Pinned };

/// The version of the library in use, as it gives it itself: `5.4.0.0`, with a build's hash behind it if it has one.
pub fn z3_version() -> String {
    let full = z3::full_version();
    full.strip_prefix("Z3 ").unwrap_or(full).to_string()
}

/// Whether `version`, as given by [`z3_version`], is a build of the pinned one.
pub fn is_pinned(version: &str) -> bool {
    match version.strip_prefix(PINNED_Z3) {
        Some(rest) => rest.is_empty() || rest.starts_with('.') || rest.starts_with(' '),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use z3::ast::{Bool, Int};
    use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort};

    #[test]
    #[cfg_attr(system_z3, ignore = "built with Z3=system")]
    fn library_in_use_is_the_pinned_one() {
        assert!(is_pinned(&z3_version()), "linked Z3 {}, pinned {PINNED_Z3}", z3_version());
    }

    /// Also with `Z3=system`, where the version that the build was told may not be that of the library it found.
    #[test]
    fn library_in_use_is_new_enough() {
        let numbers =
            |version: &str| version.split(['.', ' ']).map_while(|part| part.parse().ok()).collect::<Vec<u32>>();
        let least = env!("THREADER_LEAST_Z3");
        assert!(numbers(&z3_version()) >= numbers(least), "linked Z3 {}, needed {least}", z3_version());
    }

    #[test]
    fn only_whole_components_count_as_the_pinned_version() {
        assert!(is_pinned(PINNED_Z3));
        assert!(is_pinned(&format!("{PINNED_Z3}.0")));
        assert!(!is_pinned(&format!("{PINNED_Z3}1")));
        assert!(!is_pinned("4.8.12.0"));
    }

    /// x and y start at 0; x counts up to n, y twice as fast; asks whether it can end with y other than factor * n.
    fn doubling_loop(factor: i64) -> SatResult {
        let fixedpoint = Fixedpoint::new();
        let mut parameters = Params::new();
        parameters.set_symbol("engine", "spacer");
        fixedpoint.set_params(&parameters);

        let int = Sort::int();
        let state = FuncDecl::new("state", &[&int, &int, &int], &Sort::bool());
        let error = FuncDecl::new("error", &[], &Sort::bool());
        fixedpoint.register_relation(&state);
        fixedpoint.register_relation(&error);

        let [x, y, n] = ["x", "y", "n"].map(Int::new_const);
        let zero = Int::from_i64(0);
        let holds = |x: &Int, y: &Int| state.apply(&[x, y, &n]).as_bool().expect("a relation is Boolean");
        let rule = |body: &[Bool], head: &Bool| {
            let clause = Bool::and(body).implies(head);
            fixedpoint.add_rule(&z3::ast::forall_const(&[&x, &y, &n], &[], &clause), None);
        };
        rule(&[n.ge(&zero)], &holds(&zero, &zero));
        rule(&[holds(&x, &y), x.lt(&n)], &holds(&(&x + 1), &(&y + 2)));
        let wrong = y.eq(&n * factor).not();
        rule(&[holds(&x, &y), x.ge(&n), wrong], &error.apply(&[]).as_bool().expect("a relation is Boolean"));
        fixedpoint.query_relations(&[&error])
    }

    #[test]
    fn spacer_proves_a_recursive_horn_problem() {
        assert_eq!(doubling_loop(2), SatResult::Unsat);
    }

    #[test]
    fn spacer_refutes_a_recursive_horn_problem() {
        assert_eq!(doubling_loop(3), SatResult::Sat);
    }
}
