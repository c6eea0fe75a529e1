//! Solutions of recursion-free Horn clauses, cleaned up: every conjunct that remains is needed.

use program::{Sort, Term, TermKind};
use smt::{Answer, Atom, Clause, Preprocessing, Solver, Spacer, SpacerAnswer, SpacerOptions};

/// Z3's resource units for one check of a clause.
const CHECK_LIMIT: u32 = 2_000_000;

/// Recursion-free clauses. Relations are numbered so that a head's number is above those of its body.
#[derive(Clone, Debug, Default)]
pub struct RecursionFree {
    /// The argument sorts of each relation.
    pub relations: Vec<Vec<Sort>>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// For each relation the conjuncts of its definition, over `VarId(k)` for its k-th argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// By relation.
    pub conjuncts: Vec<Vec<Term>>,
    /// What it costs by the measure it was chosen with; 0 if there was none.
    pub cost: u32,
}

/// What became of the clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They have this solution.
    Solved(Solution),
    /// They have none.
    Refuted,
    /// The solver gave up, or its answer is not one.
    Unknown(String),
}

impl Outcome {
    /// What became of the clauses, in a few words.
    pub fn summary(&self) -> String {
        match self {
            Outcome::Solved(solution) => format!("solved, cost {}", solution.cost),
            Outcome::Refuted => "refuted".into(),
            Outcome::Unknown(why) => format!("unknown ({why})"),
        }
    }
}

/// Solves the clauses with Spacer and drops what the solution does not need, from the error backwards: a conjunct that the later
/// relations can do without need not be supported by the earlier ones.
pub fn solve(system: &RecursionFree, limit: u32) -> Outcome {
    let mut spacer = Spacer::new(system.relations.clone());
    for clause in &system.clauses {
        spacer.add(clause.clone());
    }
    let found = match spacer.solve(SpacerOptions { limit, preprocessing: Preprocessing::KeepRelations }) {
        SpacerAnswer::Refuted => return Outcome::Refuted,
        SpacerAnswer::Unknown(why) => return Outcome::Unknown(why),
        SpacerAnswer::Solved(found) => found,
    };
    let define = |k: usize| match found.get(&k) {
        Some(term) if term.as_bool() == Some(false) => vec![*term],
        Some(term) => term.conjuncts(),
        None => Vec::new(),
    };
    let mut solution = Solution { conjuncts: (0..system.relations.len()).map(define).collect(), cost: 0 };
    let mut solver = Solver::new(CHECK_LIMIT);
    if !system.clauses.iter().all(|clause| holds(&mut solver, clause, &solution)) {
        return Outcome::Unknown("the solver's answer does not satisfy the clauses".into());
    }
    weaken(&mut solver, system, &mut solution);
    Outcome::Solved(solution)
}

/// Whether the solution satisfies the clauses; not decided counts as no.
pub fn satisfies(system: &RecursionFree, solution: &Solution) -> bool {
    let mut solver = Solver::new(CHECK_LIMIT);
    system.clauses.iter().all(|clause| holds(&mut solver, clause, solution))
}

fn weaken(solver: &mut Solver, system: &RecursionFree, solution: &mut Solution) {
    for relation in (0..system.relations.len()).rev() {
        let users: Vec<&Clause> =
            system.clauses.iter().filter(|clause| clause.body.iter().any(|atom| atom.relation == relation)).collect();
        let mut index = solution.conjuncts[relation].len();
        while index > 0 {
            index -= 1;
            let dropped = solution.conjuncts[relation].remove(index);
            if !users.iter().all(|clause| holds(solver, clause, solution)) {
                solution.conjuncts[relation].insert(index, dropped);
            }
        }
    }
}

fn holds(solver: &mut Solver, clause: &Clause, solution: &Solution) -> bool {
    let mut formulas = clause.constraint.clone();
    for atom in &clause.body {
        formulas.extend(instance(atom, solution));
    }
    if let Some(head) = &clause.head {
        formulas.push(Term::and(instance(head, solution)).not());
    }
    let formulas: Vec<Term> = formulas.into_iter().filter(|f| f.as_bool() != Some(true)).collect();
    if formulas.iter().any(|f| f.as_bool() == Some(false)) {
        return true;
    }
    solver.check(&formulas) == Answer::Unsat
}

/// The definition of the relation at these arguments.
fn instance(atom: &Atom, solution: &Solution) -> Vec<Term> {
    solution.conjuncts[atom.relation].iter().map(|term| instantiate(*term, &atom.arguments)).collect()
}

/// The formula with its k-th argument replaced.
pub fn instantiate(formula: Term, arguments: &[Term]) -> Term {
    formula.rewrite(&|leaf| match leaf.kind() {
        TermKind::Var(var, _) => arguments.get(var.0 as usize).copied(),
        _ => None,
    })
}
