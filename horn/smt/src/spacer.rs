//! Z3's fixedpoint engine on constrained Horn clauses.

use std::collections::{BTreeMap, BTreeSet};

use program::{Reader, Sexpr, Sort, Term, TermKind, VarId};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{Fixedpoint, FuncDecl, Params, SatResult};

use crate::interrupt::isolated;
use crate::translate::{Translator, z3_sort};

/// A relation, an index into the relations of a [`Spacer`], applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which relation.
    pub relation: usize,
    /// Its arguments.
    pub arguments: Vec<Term>,
}

/// `body and constraint -> head`, for all values of the variables; without a head, `-> false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The relations in the body.
    pub body: Vec<Atom>,
    /// The rest of the body.
    pub constraint: Vec<Term>,
    /// The head.
    pub head: Option<Atom>,
}

/// How Spacer is run.
#[derive(Clone, Copy, Debug)]
pub struct SpacerOptions {
    /// Give up after this many of Z3's resource units; 0 is no limit.
    pub limit: u32,
    /// Whether clauses may be merged and relations dropped beforehand: the answer then does not speak of all relations.
    pub preprocessing: Preprocessing,
}

/// See [`SpacerOptions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preprocessing {
    /// Z3's defaults.
    Default,
    /// Every relation is kept, so that the answer defines it.
    KeepRelations,
}

/// What Spacer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpacerAnswer {
    /// A solution: for each relation its definition over `Term::var(VarId(k))`, k the argument's position. Relations that
    /// the answer does not speak of are absent.
    Solved(BTreeMap<usize, Term>),
    /// `false` is derivable.
    Refuted,
    /// It gave up, and why; or its answer could not be read back.
    Unknown(String),
}

/// Horn clauses over relations with these argument sorts.
pub struct Spacer {
    relations: Vec<Vec<Sort>>,
    clauses: Vec<Clause>,
}

impl Spacer {
    /// An empty system over these relations.
    pub fn new(relations: Vec<Vec<Sort>>) -> Spacer {
        Spacer { relations, clauses: Vec::new() }
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: Clause) {
        self.clauses.push(clause);
    }

    /// Solves the clauses.
    pub fn solve(&self, options: SpacerOptions) -> SpacerAnswer {
        isolated(|| self.solve_here(options))
    }

    fn solve_here(&self, options: SpacerOptions) -> SpacerAnswer {
        let engine = Fixedpoint::new();
        engine.set_params(&parameters(options));
        let declared: Vec<FuncDecl> = self.relations.iter().enumerate().map(|(k, sorts)| declare(k, sorts)).collect();
        let goal = FuncDecl::new("goal", &[], &z3::Sort::bool());
        for relation in declared.iter().chain([&goal]) {
            engine.register_relation(relation);
        }
        let mut translator = Translator::default();
        for clause in &self.clauses {
            engine.add_rule(&rule(clause, &declared, &goal, &mut translator), None);
        }
        match engine.query(&goal.apply(&[])) {
            SatResult::Sat => SpacerAnswer::Refuted,
            SatResult::Unknown => SpacerAnswer::Unknown(engine.get_reason_unknown()),
            SatResult::Unsat => match engine.get_answer() {
                Some(answer) => match self.definitions(&answer.to_string()) {
                    Ok(solution) => SpacerAnswer::Solved(solution),
                    Err(what) => SpacerAnswer::Unknown(what),
                },
                None => SpacerAnswer::Unknown("no answer".into()),
            },
        }
    }

    /// The answer is a conjunction of universally quantified equivalences, one a relation, over variables in an order of
    /// its own.
    fn definitions(&self, text: &str) -> Result<BTreeMap<usize, Term>, String> {
        let expr = Sexpr::parse(text).map_err(|error| error.to_string())?;
        let mut solution = BTreeMap::new();
        let mut work = vec![(&expr, Vec::new())];
        while let Some((expr, bound)) = work.pop() {
            match expr.items() {
                Some([Sexpr::Atom(op), items @ ..]) if op == "and" => {
                    work.extend(items.iter().map(|item| (item, bound.clone())));
                }
                Some([Sexpr::Atom(op), vars, body]) if op == "forall" => {
                    let names = vars.items().unwrap_or_default().iter();
                    let names = names.filter_map(|v| Some(v.items()?.first()?.symbol()?.to_string()));
                    work.push((body, names.collect()));
                }
                Some([Sexpr::Atom(op), body, ..]) if op == "!" => work.push((body, bound)),
                Some([Sexpr::Atom(op), head, body]) if op == "=" => {
                    self.define(&mut solution, head, Some(body), &bound).ok_or_else(|| expr.to_string())?;
                }
                Some([Sexpr::Atom(op), head]) if op == "not" => {
                    let falsum = Sexpr::Atom("false".into());
                    self.define(&mut solution, head, Some(&falsum), &bound).ok_or_else(|| expr.to_string())?;
                }
                _ if expr.symbol() == Some("true") => {}
                _ => {
                    let verum = Sexpr::Atom("true".into());
                    self.define(&mut solution, expr, Some(&verum), &bound).ok_or_else(|| expr.to_string())?;
                }
            }
        }
        Ok(solution)
    }

    fn define(
        &self,
        solution: &mut BTreeMap<usize, Term>,
        head: &Sexpr,
        body: Option<&Sexpr>,
        bound: &[String],
    ) -> Option<()> {
        let (name, arguments): (&str, &[Sexpr]) = match head {
            Sexpr::Atom(name) => (name, &[]),
            Sexpr::List(items) => (items.first()?.symbol()?, items.get(1..)?),
        };
        if name == "goal" {
            return Some(());
        }
        let relation: usize = name.strip_prefix('R')?.parse().ok()?;
        let sorts = self.relations.get(relation)?;
        let names: Vec<&str> = arguments.iter().map(Sexpr::symbol).collect::<Option<_>>()?;
        if names.len() != sorts.len() || names.iter().any(|name| !bound.iter().any(|b| b == name)) {
            return None;
        }
        let lookup = |text: &str| {
            let k = names.iter().position(|name| *name == text)?;
            Some(Term::var(VarId(u32::try_from(k).ok()?), sorts[k]))
        };
        let term = Reader::new(&lookup).read(body?).ok()?;
        solution.insert(relation, term);
        Some(())
    }
}

fn parameters(options: SpacerOptions) -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    if options.limit != 0 {
        params.set_u32("rlimit", options.limit);
    }
    params.set_u32("spacer.random_seed", 0);
    // As for the solver: Ctrl-C is for the run.
    params.set_bool("ctrl_c", false);
    if options.preprocessing == Preprocessing::KeepRelations {
        for name in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
            params.set_bool(name, false);
        }
    }
    params
}

fn declare(k: usize, sorts: &[Sort]) -> FuncDecl {
    let sorts: Vec<z3::Sort> = sorts.iter().map(|sort| z3_sort(*sort)).collect();
    let domain: Vec<&z3::Sort> = sorts.iter().collect();
    FuncDecl::new(format!("R{k}"), &domain, &z3::Sort::bool())
}

fn rule(clause: &Clause, declared: &[FuncDecl], goal: &FuncDecl, translator: &mut Translator) -> Bool {
    let mut apply = |atom: &Atom| {
        let arguments: Vec<Dynamic> = atom.arguments.iter().map(|arg| translator.term(*arg)).collect();
        let arguments: Vec<&dyn Ast> = arguments.iter().map(|arg| arg as &dyn Ast).collect();
        declared[atom.relation].apply(&arguments)
    };
    let mut body: Vec<Bool> = clause.body.iter().filter_map(|atom| apply(atom).as_bool()).collect();
    let head = match &clause.head {
        Some(atom) => apply(atom),
        None => goal.apply(&[]),
    };
    body.extend(clause.constraint.iter().map(|term| translator.formula(*term)));
    let implication = match head.as_bool() {
        Some(head) => Bool::and(&body).implies(head),
        None => Bool::from_bool(true),
    };
    let bound: Vec<Dynamic> = clause_vars(clause).into_iter().map(|var| translator.term(var)).collect();
    if bound.is_empty() {
        return implication;
    }
    let bound: Vec<&dyn Ast> = bound.iter().map(|var| var as &dyn Ast).collect();
    z3::ast::forall_const(&bound, &[], &implication)
}

/// The variables, primed and unprimed, of a clause.
fn clause_vars(clause: &Clause) -> BTreeSet<Term> {
    let atoms = clause.body.iter().chain(&clause.head);
    let mut vars = BTreeSet::new();
    for term in atoms.flat_map(|atom| &atom.arguments).chain(&clause.constraint) {
        term.visit(&mut |sub| {
            if matches!(sub.kind(), TermKind::Var(..) | TermKind::Primed(..)) {
                vars.insert(sub);
            }
        });
    }
    vars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(k: u32) -> Term {
        Term::var(VarId(k), Sort::Int)
    }
    const OPTIONS: SpacerOptions = SpacerOptions { limit: 10_000_000, preprocessing: Preprocessing::KeepRelations };

    /// x = 0 -> R0(x); R0(x) -> R1(x + 1, x); R1(x, y) and x <= bound -> false.
    fn chain(bound: i128) -> SpacerAnswer {
        let mut spacer = Spacer::new(vec![vec![Sort::Int], vec![Sort::Int, Sort::Int]]);
        let atom = |relation, arguments: &[Term]| Atom { relation, arguments: arguments.to_vec() };
        spacer.add(Clause { body: vec![], constraint: vec![], head: Some(atom(0, &[Term::int(0)])) });
        spacer.add(Clause {
            body: vec![atom(0, &[x(7)])],
            constraint: vec![],
            head: Some(atom(1, &[x(7).add(Term::int(1)), x(7)])),
        });
        spacer.add(Clause {
            body: vec![atom(1, &[x(3), x(4)])],
            constraint: vec![x(3).le(Term::int(bound))],
            head: None,
        });
        spacer.solve(OPTIONS)
    }

    #[test]
    fn solutions_are_read_back() {
        let SpacerAnswer::Solved(solution) = chain(0) else { panic!("{:?}", chain(0)) };
        assert_eq!(solution[&0], Term::int(0).le(x(0)), "R0 says x >= 0");
        assert_eq!(solution[&1], Term::int(1).le(x(0)));
    }

    #[test]
    fn refutations_are_found() {
        assert_eq!(chain(1), SpacerAnswer::Refuted);
    }
}
