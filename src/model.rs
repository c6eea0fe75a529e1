//! `threader model`: the Program, or the Horn clauses of a proof rule.

use frontend::{LoadError, Loaded};
use program::Program;
use rules::Vocabulary;
use rules::clauses::clauses;

use crate::arguments::{ModelArguments, ModelFormat};
use crate::report::served;
use crate::status::Status;
use crate::{input, output};

/// Prints what was asked for, or writes it to a file.
pub fn run(arguments: &ModelArguments) -> Status {
    let read = || {
        let source = input::read(&arguments.input.inputs()?, &arguments.options())?;
        let parts = source.parts(&arguments.options())?;
        parts.iter().map(|part| input::lower(&source, part)).collect::<Result<Vec<Loaded>, LoadError>>()
    };
    let parts = match read() {
        Ok(parts) => parts,
        Err(error) => return input::explain_failure(&error),
    };
    input::warn(&parts);
    if arguments.format != ModelFormat::Text && parts.len() > 1 {
        let served: Vec<String> = parts.iter().map(served).collect();
        let message = format!("what is asked takes several programs, of which one can be drawn: {}", served.join("; "));
        return output::complain(&message, Status::Usage);
    }
    // The clauses of a rule speak of the threads that are there: of two copies, not of any number.
    if arguments.format == ModelFormat::Smt2 && parts.iter().any(|part| !part.program.templates().is_empty()) {
        return output::print_unknown("unsupported: Horn clauses about any number of threads");
    }
    let text = match parts.as_slice() {
        [one] => text(&one.program, arguments),
        several => {
            let titled = |part: &Loaded| format!("// for {}\n{}", served(part), text(&part.program, arguments));
            several.iter().map(titled).collect::<Vec<_>>().join("\n")
        }
    };
    match &arguments.output {
        None => output::print(&text, Status::Success),
        Some(path) => match output::write_file(path, &text) {
            Ok(()) => Status::Success,
            Err(error) => output::complain(&format!("cannot write {}: {error}", path.display()), Status::Usage),
        },
    }
}

fn text(program: &Program, arguments: &ModelArguments) -> String {
    let vocabulary = arguments.vocabulary.map_or(Vocabulary::Full, Into::into);
    match (arguments.format, arguments.rule) {
        (ModelFormat::Text, _) => program.to_string(),
        (ModelFormat::Dot, _) => program::dot(program),
        (ModelFormat::Smt2, Some(rule)) => clauses(program, rule.into(), vocabulary).to_string(),
        // Refused when the arguments were parsed.
        (ModelFormat::Smt2, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Command, parse};
    use program::{
        Init, IntType, Location, LocationId, LocationKind, Owner, Property, Sort, Span, Term, Thread, Transition,
    };
    use program::{Var, VarId, VarKind};

    /// One thread that sets x and fails if it is not 1.
    fn program() -> Program {
        let span = Span { file: 0, line: 3, column: 1 };
        let x = Var {
            name: "x".into(),
            sort: Sort::Int,
            owner: Owner::Global,
            kind: VarKind::User,
            ty: IntType::new(32, true),
            length: None,
            init: Init::Value(Term::int(0)),
            span,
        };
        let step = |source, target, guard, updates| {
            let (source, target) = (LocationId(source), LocationId(target));
            Transition { source, target, inputs: vec![], guard, updates, defined: vec![], span }
        };
        let value = Term::var(VarId(0), Sort::Int);
        let kinds = [LocationKind::Plain, LocationKind::Plain, LocationKind::Error(Property::UnreachCall)];
        let thread = Thread {
            name: "main".into(),
            entry: LocationId(0),
            locations: kinds.map(|kind| Location { kind, span }).to_vec(),
            transitions: vec![
                step(0, 1, vec![], vec![(VarId(0), Term::int(1))]),
                step(1, 2, vec![value.ne(Term::int(1))], vec![]),
            ],
            span,
        };
        Program::new(vec!["f.c".into()], vec![x], vec![thread]).unwrap()
    }

    fn printed(flags: &str) -> String {
        let line = format!("threader model f.c {flags}");
        let parsed = parse(line.split_whitespace().map(Into::into)).unwrap();
        let Command::Model(arguments) = parsed.command else { panic!("another subcommand") };
        text(&program(), &arguments)
    }

    #[test]
    fn text_is_the_default() {
        let expected = "\
globals
  int32 x = 0

thread 0 main  // f.c:3
  start at L0
  L0:  // f.c:3
    x := 1 -> L1  // 3
  L1:  // f.c:3
    [x != 1] -> error  // 3
  L2: error
";
        assert_eq!(printed(""), expected);
        assert_eq!(printed("--format text"), expected);
    }

    #[test]
    fn other_formats_are_the_other_printers() {
        assert_eq!(printed("--format dot"), program::dot(&program()));
        let expected = "\
(set-logic HORN)

; R_0(x, pc_0): where thread 0 main can be
(declare-fun R_0 (Int Int) Bool)

; thread 0 main: initial states
(assert
  (=> true (R_0 0 0)))

; thread 0 main: L0 -> L1, f.c:3
(assert (forall ((x Int))
  (=> (R_0 x 0)
      (R_0 1 1))))

; thread 0 main: L1 -> L2, f.c:3
(assert (forall ((x Int))
  (=> (and (R_0 x 1)
           (not (= x 1)))
      (R_0 x 2))))

; thread 0 main at the error L2, f.c:3
(assert (forall ((x Int))
  (=> (R_0 x 2)
      false)))

(check-sat)
";
        assert_eq!(printed("--format smt2 --rule owicki-gries"), expected);
        assert!(
            printed("--format smt2 --rule rely-guarantee --vocabulary modular")
                .contains("(declare-fun E_0 (Int Int) Bool)")
        );
        assert!(printed("--format smt2 --rule rely-guarantee").contains("(declare-fun E_0 (Int Int Int Int) Bool)"));
    }
}
