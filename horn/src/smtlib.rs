//! Horn systems as SMT-LIB 2 text in the logic HORN.

use std::collections::BTreeSet;
use std::fmt;

use program::{Term, VarId, smtlib_name, smtlib_sort, smtlib_term};

use crate::system::{Application, Argument, HornClause, HornSystem};

impl fmt::Display for HornSystem {
    /// A script that declares the relations, asserts the clauses, each under a comment with its origin, and asks whether
    /// they have a solution: `sat` is yes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(set-logic HORN)")?;
        let mut taken = BTreeSet::new();
        let relations: Vec<String> = self.relations().map(|(_, r)| unique(&r.name, &mut taken)).collect();
        for ((_, relation), name) in self.relations().zip(&relations) {
            let arguments: Vec<&str> = relation.arguments.iter().map(|a| a.name.as_str()).collect();
            writeln!(f, "\n{}", comment(&format!("{}({}): {}", name, arguments.join(", "), relation.meaning)))?;
            let sorts: Vec<&str> = relation.arguments.iter().map(|a| smtlib_sort(a.sort)).collect();
            writeln!(f, "(declare-fun {} ({}) Bool)", smtlib_name(name), sorts.join(" "))?;
        }
        for clause in self.clauses() {
            writeln!(f)?;
            if !clause.origin.is_empty() {
                writeln!(f, "{}", comment(&clause.origin))?;
            }
            ClausePrinter::new(clause, &relations, taken.clone()).write(f)?;
        }
        writeln!(f, "\n(check-sat)")
    }
}

/// `text` as a comment: whatever it contains, it is one line.
fn comment(text: &str) -> String {
    format!("; {}", text.replace(|c: char| c.is_control(), " "))
}

/// `name`, or a variant of it that is not `taken` yet. A bound variable must not hide a relation.
fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let variants = (1..).map(|k: u32| format!("{name}.{k}"));
    let fresh = std::iter::once(name.to_string()).chain(variants).find(|variant| !taken.contains(variant));
    let chosen = fresh.unwrap_or_default();
    taken.insert(chosen.clone());
    chosen
}

struct ClausePrinter<'a> {
    clause: &'a HornClause,
    relations: &'a [String],
    names: Vec<String>,
}

impl<'a> ClausePrinter<'a> {
    fn new(clause: &'a HornClause, relations: &'a [String], mut taken: BTreeSet<String>) -> Self {
        let names = clause.variables.iter().map(|(_, variable)| unique(&variable.name, &mut taken)).collect();
        ClausePrinter { clause, relations, names }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.clause.used();
        let bound: Vec<String> = self
            .clause
            .variables
            .iter()
            .filter(|(id, _)| used.contains(id))
            .map(|(id, Argument { sort, .. })| format!("({} {})", smtlib_name(&self.name(id)), smtlib_sort(*sort)))
            .collect();
        let (indent, closing) = if bound.is_empty() {
            writeln!(f, "(assert")?;
            ("  ", ")")
        } else {
            writeln!(f, "(assert (forall ({})", bound.join(" "))?;
            ("  ", "))")
        };
        let mut body: Vec<String> = self.clause.premises.iter().map(|a| self.application(a)).collect();
        body.extend(self.clause.constraint.conjuncts().into_iter().map(|t| self.term(t)));
        let head = self.clause.conclusion.as_ref().map_or("false".into(), |head| self.application(head));
        match body.as_slice() {
            [] => writeln!(f, "{indent}(=> true {head}){closing}"),
            [single] => writeln!(f, "{indent}(=> {single}\n{indent}    {head}){closing}"),
            _ => {
                let separator = format!("\n{indent}         ");
                writeln!(f, "{indent}(=> (and {})\n{indent}    {head}){closing}", body.join(&separator))
            }
        }
    }

    fn application(&self, application: &Application) -> String {
        let name = self.relations.get(application.relation.0 as usize).map_or("?", String::as_str);
        let arguments: Vec<String> = application.arguments.iter().map(|t| self.term(*t)).collect();
        if arguments.is_empty() {
            return smtlib_name(name);
        }
        format!("({} {})", smtlib_name(name), arguments.join(" "))
    }

    fn term(&self, term: Term) -> String {
        smtlib_term(term, &|var| self.name(var))
    }

    fn name(&self, var: VarId) -> String {
        self.names.get(var.0 as usize).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Variables;
    use program::Sort;

    #[test]
    fn a_counter_in_full() {
        let mut system = HornSystem::new();
        let place = |name: &str| Argument { name: name.into(), sort: Sort::Int };
        let relation = system.declare("R", vec![place("x"), place("R")], "what is reachable");
        let flag = system.declare("R", vec![], "a second one of that name");
        let at = |x, y| Application::new(relation, [x, y]);

        system.add(
            HornClause::new(Variables::default(), vec![], Term::bool(true), Some(at(Term::int(0), Term::int(-1))))
                .with_origin("initial states"),
        );
        let mut variables = Variables::default();
        let x = variables.fresh("x", Sort::Int);
        let r = variables.fresh("R", Sort::Int);
        variables.fresh("unused", Sort::Int);
        let guard = Term::and([x.lt(Term::int(10)), r.ne(x)]);
        let step = at(x.add(Term::int(1)), r);
        system.add(HornClause::new(variables.clone(), vec![at(x, r)], guard, Some(step)).with_origin("a step\nf.c:3"));
        let called = Application::new(flag, []);
        system.add(HornClause::new(variables.clone(), vec![at(x, r)], Term::bool(true), Some(called.clone())));
        system.add(HornClause::new(variables, vec![called], Term::bool(true), None).with_origin("the error"));

        let expected = "\
(set-logic HORN)

; R(x, R): what is reachable
(declare-fun R (Int Int) Bool)

; R.1(): a second one of that name
(declare-fun R.1 () Bool)

; initial states
(assert
  (=> true (R 0 (- 1))))

; a step f.c:3
(assert (forall ((x Int) (R.2 Int))
  (=> (and (R x R.2)
           (<= x 9)
           (not (= x R.2)))
      (R (+ x 1) R.2))))

(assert (forall ((x Int) (R.2 Int))
  (=> (R x R.2)
      R.1)))

; the error
(assert
  (=> R.1
      false))

(check-sat)
";
        assert_eq!(system.to_string(), expected);
    }
}
