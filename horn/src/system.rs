//! Constrained Horn clauses: relations to be found, and implications that they must satisfy.
//!
//! The variables of a clause are its own: inside a clause, [`VarId`] k in a [`Term`] is the k-th entry of the clause's
//! [`Variables`], not a variable of some program. All are universally quantified over the clause. Terms over a program's
//! variables enter a clause through [`Term::substitute`]; primed variables have no place in one.

use std::collections::BTreeSet;

use program::{Sort, Term, TermKind, VarId};

/// An unknown of a Horn system: an index into its relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub u32);

/// A place of a relation, or a variable of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// For readers; names need not be unique.
    pub name: String,
    /// What stands there.
    pub sort: Sort,
}

/// A relation to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// For readers; printers make it unique.
    pub name: String,
    /// Its places, in order.
    pub arguments: Vec<Argument>,
    /// What it means, in a few words.
    pub meaning: String,
}

/// A relation applied to terms over a clause's variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Which.
    pub relation: RelationId,
    /// To what.
    pub arguments: Vec<Term>,
}

impl Application {
    /// `relation` of `arguments`.
    pub fn new(relation: RelationId, arguments: impl IntoIterator<Item = Term>) -> Application {
        Application { relation, arguments: arguments.into_iter().collect() }
    }
}

/// The variables of one clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    entries: Vec<Argument>,
}

impl Variables {
    /// A new variable, as a term.
    pub fn fresh(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let id = VarId(program::number(self.entries.len()));
        self.entries.push(Argument { name: name.into(), sort });
        Term::var(id, sort)
    }
    /// All, in order of creation: entry k is `VarId(k)`.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Argument)> {
        (0..).map(VarId).zip(&self.entries)
    }
    /// A variable, if there is one with this id.
    pub fn get(&self, id: VarId) -> Option<&Argument> {
        self.entries.get(id.0 as usize)
    }
}

/// premises and constraint -> conclusion, for all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HornClause {
    /// The variables that the terms speak of.
    pub variables: Variables,
    /// Relations applied in the body.
    pub premises: Vec<Application>,
    /// The interpreted part of the body.
    pub constraint: Term,
    /// The head; nothing is `false`, and the clause a query.
    pub conclusion: Option<Application>,
    /// Where the clause comes from, for readers: one line.
    pub origin: String,
}

impl HornClause {
    /// A clause without a note on its origin.
    pub fn new(
        variables: Variables,
        premises: Vec<Application>,
        constraint: Term,
        conclusion: Option<Application>,
    ) -> HornClause {
        HornClause { variables, premises, constraint, conclusion, origin: String::new() }
    }
    /// With a note on where it comes from.
    pub fn with_origin(mut self, origin: impl Into<String>) -> HornClause {
        self.origin = origin.into();
        self
    }
    /// Whether it holds whatever the relations are: its constraint is false, or its conclusion is among its premises.
    pub fn is_tautology(&self) -> bool {
        let repeated = |head: &Application| self.premises.contains(head);
        self.constraint.as_bool() == Some(false) || self.conclusion.as_ref().is_some_and(repeated)
    }
    /// All terms of the clause.
    fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let applications = self.premises.iter().chain(&self.conclusion);
        applications.flat_map(|a| a.arguments.iter().copied()).chain([self.constraint])
    }
    /// The variables that occur in it.
    pub fn used(&self) -> BTreeSet<VarId> {
        self.terms().flat_map(Term::vars).collect()
    }
}

/// Relations and the clauses that they must satisfy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HornSystem {
    relations: Vec<Relation>,
    clauses: Vec<HornClause>,
}

impl HornSystem {
    /// A system without relations and clauses.
    pub fn new() -> HornSystem {
        HornSystem::default()
    }

    /// A new relation.
    pub fn declare(
        &mut self,
        name: impl Into<String>,
        arguments: Vec<Argument>,
        meaning: impl Into<String>,
    ) -> RelationId {
        let id = RelationId(program::number(self.relations.len()));
        self.relations.push(Relation { name: name.into(), arguments, meaning: meaning.into() });
        id
    }

    /// Adds a clause. One that says nothing ([`HornClause::is_tautology`]) is left out.
    ///
    /// # Panics
    /// If the clause applies an unknown relation, or terms of the wrong number or sort, or speaks of a variable that is
    /// not its own: a bug of whoever built it.
    pub fn add(&mut self, clause: HornClause) {
        if let Some(fault) = self.fault(&clause) {
            panic!("ill-formed Horn clause ({}): {fault}", clause.origin);
        }
        if !clause.is_tautology() {
            self.clauses.push(clause);
        }
    }

    /// All relations with their ids.
    pub fn relations(&self) -> impl Iterator<Item = (RelationId, &Relation)> {
        (0..).map(RelationId).zip(&self.relations)
    }
    /// A relation of this system.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.0 as usize]
    }
    /// All clauses, in order of addition.
    pub fn clauses(&self) -> &[HornClause] {
        &self.clauses
    }

    fn fault(&self, clause: &HornClause) -> Option<String> {
        for application in clause.premises.iter().chain(&clause.conclusion) {
            let Some(relation) = self.relations.get(application.relation.0 as usize) else {
                return Some(format!("relation {} is unknown", application.relation.0));
            };
            let expected = relation.arguments.iter().map(|a| a.sort);
            if !expected.eq(application.arguments.iter().map(|t| t.sort())) {
                return Some(format!("the arguments of {} do not fit", relation.name));
            }
        }
        if clause.constraint.sort() != Sort::Bool {
            return Some("the constraint is not a formula".into());
        }
        let mut fault = None;
        for term in clause.terms() {
            term.visit(&mut |t| match t.kind() {
                TermKind::Var(v, sort) if clause.variables.get(*v).is_none_or(|a| a.sort != *sort) => {
                    fault = Some(format!("variable {} is not the clause's", v.0));
                }
                TermKind::Primed(v, _) => fault = Some(format!("variable {} is primed", v.0)),
                _ => {}
            });
        }
        fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter() -> (HornSystem, RelationId) {
        let mut system = HornSystem::new();
        let x = Argument { name: "x".into(), sort: Sort::Int };
        let relation = system.declare("R", vec![x], "values of x");
        (system, relation)
    }

    #[test]
    fn tautologies_are_left_out() {
        let (mut system, relation) = counter();
        let mut variables = Variables::default();
        let x = variables.fresh("x", Sort::Int);
        let at = |t| Application::new(relation, [t]);
        let clause = |constraint, head| HornClause::new(variables.clone(), vec![at(x)], constraint, head);
        system.add(clause(Term::bool(true), Some(at(x))));
        system.add(clause(Term::bool(false), None));
        assert_eq!(system.clauses(), []);
        system.add(clause(Term::bool(true), Some(at(x.add(Term::int(1))))));
        assert_eq!(system.clauses().len(), 1);
    }

    #[test]
    #[should_panic(expected = "ill-formed Horn clause (line 3): the arguments of R do not fit")]
    fn a_wrong_number_of_arguments_is_refused() {
        let (mut system, relation) = counter();
        let head = Application::new(relation, []);
        system.add(HornClause::new(Variables::default(), vec![], Term::bool(true), Some(head)).with_origin("line 3"));
    }

    #[test]
    #[should_panic(expected = "variable 0 is not the clause's")]
    fn a_foreign_variable_is_refused() {
        let (mut system, relation) = counter();
        let head = Application::new(relation, [Term::var(VarId(0), Sort::Int)]);
        system.add(HornClause::new(Variables::default(), vec![], Term::bool(true), Some(head)));
    }

    #[test]
    #[should_panic(expected = "variable 0 is primed")]
    fn a_primed_variable_is_refused() {
        let (mut system, relation) = counter();
        let mut variables = Variables::default();
        variables.fresh("x", Sort::Int);
        let head = Application::new(relation, [Term::primed(VarId(0), Sort::Int)]);
        system.add(HornClause::new(variables, vec![], Term::bool(true), Some(head)));
    }
}
