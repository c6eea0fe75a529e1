//! `threader check`: check a certificate again, from the files alone.

use ::check::{Obligation, check_certificate, obligations};
use program::{Program, TermKind, VarId, smtlib_name, smtlib_sort, smtlib_term};
use rules::SolverEntailment;

use crate::arguments::CheckArguments;
use crate::report::{assumptions, name};
use crate::status::Status;
use crate::{input, output};

/// Lowers the program, reads the certificate, and discharges every obligation of its rule. No prover runs.
pub fn run(arguments: &CheckArguments) -> Status {
    let path = arguments.certificate.display();
    let loaded = match input::program(&arguments.input.file, &arguments.input.options()) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let text = match std::fs::read_to_string(&arguments.certificate) {
        Ok(text) => text,
        Err(error) => return output::complain(&format!("cannot read {path}: {error}"), Status::Malformed),
    };
    let program = &loaded.program;
    let certificate = match rules::read_certificate(program, &text) {
        Ok(certificate) => certificate,
        Err(what) => {
            return output::complain(&format!("{path} is no certificate for this program: {what}"), Status::Malformed);
        }
    };
    if let Some(directory) = &arguments.export {
        let written = obligations(program, &certificate).map_err(|rejection| rejection.to_string()).and_then(|all| {
            std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
            for (index, obligation) in all.iter().enumerate() {
                let file = directory.join(format!("{:05}.smt2", index + 1));
                output::write_file(&file, &script(program, obligation)).map_err(|error| error.to_string())?;
            }
            Ok(())
        });
        if let Err(what) = written {
            return output::complain(&format!("cannot write to {}: {what}", directory.display()), Status::Usage);
        }
    }
    match check_certificate(program, &certificate, &mut SolverEntailment::default()) {
        Ok(()) => {
            output::report(&assumptions(&loaded));
            output::print("Result: true\n", Status::Success)
        }
        Err(rejection) => {
            output::report(&format!("{path} does not prove the program: {rejection}\n"));
            output::print_unknown("evidence rejected")
        }
    }
}

/// An obligation as SMT-LIB 2: valid iff the answer is unsat.
fn script(program: &Program, obligation: &Obligation) -> String {
    let names = |var: VarId| name(program, var);
    let mut declared = std::collections::BTreeMap::new();
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
    let mut text = format!("; {}\n; valid iff unsat\n(set-logic ALL)\n", obligation.condition.describe(program));
    for (name, sort) in declared {
        text.push_str(&format!("(declare-const {name} {})\n", smtlib_sort(sort)));
    }
    for premise in &obligation.premises {
        text.push_str(&format!("(assert {})\n", smtlib_term(*premise, &names)));
    }
    text.push_str(&format!("(assert (not {}))\n(check-sat)\n", smtlib_term(obligation.conclusion, &names)));
    text
}
