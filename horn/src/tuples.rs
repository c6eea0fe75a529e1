//! The tuples of each relation of unfolded clauses, as terms over free symbols.

use rustc_hash::FxHashMap;

use program::{Sort, Term, TermKind, VarId};
use smt::Clause;

use crate::unfold::Unfolded;

/// Free symbols are variables from here on: far above those that clauses use.
const FIRST_SYMBOL: u32 = 1 << 24;

/// A relation's tuples: the arguments for all values of the free symbols that satisfy the conditions.
#[derive(Clone, Debug)]
pub(crate) struct Tuples {
    pub(crate) arguments: Vec<Term>,
    pub(crate) conditions: Vec<Term>,
}

/// The tuples of all relations, and the conditions under which the query is reached.
pub(crate) struct AllTuples {
    pub(crate) relations: Vec<Tuples>,
    pub(crate) query: Vec<Term>,
}

struct Symbols(u32);

impl Symbols {
    fn fresh(&mut self, sort: Sort) -> Term {
        self.0 += 1;
        Term::var(VarId(FIRST_SYMBOL + self.0), sort)
    }
}

/// Evaluates the clauses in order: a head's number is above those of its body.
pub(crate) fn tuples(unfolded: &Unfolded) -> AllTuples {
    let mut symbols = Symbols(0);
    let mut relations: Vec<Tuples> = Vec::new();
    for clause in &unfolded.clauses {
        let next = evaluate(clause, &relations, &mut symbols);
        relations.push(next);
    }
    let query = evaluate(&unfolded.query, &relations, &mut symbols).conditions;
    AllTuples { relations, query }
}

fn evaluate(clause: &Clause, relations: &[Tuples], symbols: &mut Symbols) -> Tuples {
    let mut values: FxHashMap<Term, Term> = FxHashMap::default();
    let mut conditions = Vec::new();
    for atom in &clause.body {
        let tuples = renamed(&relations[atom.relation], symbols);
        conditions.extend(tuples.conditions);
        for (argument, value) in atom.arguments.iter().zip(tuples.arguments) {
            let is_var = matches!(argument.kind(), TermKind::Var(..) | TermKind::Primed(..));
            let bound = if is_var { values.get(argument).copied() } else { Some(*argument) };
            match bound {
                None => {
                    values.insert(*argument, value);
                }
                Some(other) if other.sort() == Sort::Bool => {
                    conditions.push(Term::and([other.implies(value), value.implies(other)]));
                }
                Some(other) => conditions.push(other.eq_to(value)),
            }
        }
    }
    let heads = clause.head.iter().flat_map(|head| head.arguments.iter());
    for term in heads.chain(&clause.constraint) {
        term.visit(&mut |leaf| {
            if matches!(leaf.kind(), TermKind::Var(..) | TermKind::Primed(..)) && !values.contains_key(&leaf) {
                values.insert(leaf, symbols.fresh(leaf.sort()));
            }
        });
    }
    let value = |term: Term| term.rewrite(&|leaf| values.get(&leaf).copied());
    conditions.extend(clause.constraint.iter().map(|formula| value(*formula)));
    conditions.retain(|condition| condition.as_bool() != Some(true));
    if conditions.iter().any(|condition| condition.as_bool() == Some(false)) {
        conditions = vec![Term::bool(false)];
    }
    let arguments = clause.head.iter().flat_map(|head| head.arguments.iter().map(|term| value(*term))).collect();
    Tuples { arguments, conditions }
}

/// A copy with symbols of its own: each use of a relation chooses its tuple independently.
fn renamed(tuples: &Tuples, symbols: &mut Symbols) -> Tuples {
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    for term in tuples.arguments.iter().chain(&tuples.conditions) {
        term.visit(&mut |leaf| {
            if matches!(leaf.kind(), TermKind::Var(..)) && !names.contains_key(&leaf) {
                names.insert(leaf, symbols.fresh(leaf.sort()));
            }
        });
    }
    if names.is_empty() {
        return tuples.clone();
    }
    let rename = |term: &Term| term.rewrite(&|leaf| names.get(&leaf).copied());
    Tuples {
        arguments: tuples.arguments.iter().map(rename).collect(),
        conditions: tuples.conditions.iter().map(rename).collect(),
    }
}
