//! Environments made of assertions: what the steps of other threads do, as far as an assertion sees it.

use std::collections::BTreeSet;

use check::{Certificate, Condition, Invariant, Tableau, at, location_var, obligations};
use program::{Program, Term, TermKind, ThreadId, Transition, VarId};

use crate::options::Options;

/// Literals that the tableau looks at, and implications that it is asked about, at most: counted, so that runs repeat.
const EFFORT: u64 = 4_000_000;
const ASKED: usize = 4_000;

/// What environments speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The globals alone: of a thread-modular proof.
    Globals,
    /// Other threads, too.
    All,
}

/// E_i for each assertion R_i of one thread: the steps of others from where their assertions hold, without what R_i does not need to know.
pub fn environments(program: &Program, invariants: &[Invariant], scope: Scope, options: &Options) -> Vec<Vec<Term>> {
    let maker = Maker { program, invariants, scope };
    let mut tableau = Tableau::default();
    let mut asked = 0;
    let mut of = |index: usize| {
        let all = maker.exact(index);
        let mut smaller: BTreeSet<Term> = BTreeSet::new();
        for cube in all {
            asked += invariants[index].at.len() * cube.conjuncts().len();
            let is_over = asked > ASKED || tableau.spent() > EFFORT || options.cancel.is_cancelled();
            smaller.insert(if is_over { cube } else { maker.weakened(index, cube, &mut tableau) });
        }
        smaller.into_iter().collect()
    };
    (0..invariants.len()).map(&mut of).collect()
}

struct Maker<'a> {
    program: &'a Program,
    invariants: &'a [Invariant],
    scope: Scope,
}

impl Maker<'_> {
    /// The steps of all other threads: their assertion, their guard, and what becomes of the variables that R_i speaks of.
    fn exact(&self, index: usize) -> BTreeSet<Term> {
        let own = &self.invariants[index];
        let seen: BTreeSet<VarId> = own.at.values().flat_map(|formula| formula.vars()).collect();
        let mut all = BTreeSet::new();
        for other in self.invariants.iter().filter(|other| other.threads != own.threads) {
            let [mover] = other.threads.as_slice() else { continue };
            for transition in &self.program.thread(*mover).transitions {
                let formula = other.here(&[transition.source]);
                // Nobody is there.
                if formula.as_bool() != Some(false) {
                    all.extend(self.step(*mover, formula, transition, &seen));
                }
            }
        }
        all
    }

    fn step(&self, mover: ThreadId, formula: Term, transition: &Transition, seen: &BTreeSet<VarId>) -> Vec<Term> {
        let location = location_var(self.program, mover);
        let after = |var: &VarId| {
            let sort = if *var == location { program::Sort::Int } else { self.sort(*var) };
            let value = if *var == location {
                Term::int(i128::from(transition.target.0))
            } else {
                transition.update(*var).unwrap_or_else(|| Term::var(*var, sort))
            };
            Term::primed(*var, sort).eq_to(value)
        };
        let touches = |var: &VarId| transition.update(*var).is_some() || *var == location;
        let mut said: Vec<Term> = seen.iter().map(after).collect();
        let cubes = match formula.kind() {
            TermKind::Or(items) => items.to_vec(),
            _ => vec![formula],
        };
        if !seen.iter().any(touches) {
            return vec![Term::and(said.into_iter().filter(|literal| self.may_say(*literal, transition)))];
        }
        said.push(at(self.program, mover, transition.source));
        said.extend(&transition.guard);
        said.extend(transition.defined.iter().map(|defined| defined.condition));
        let with = |cube: Term| {
            let literals = said.iter().copied().chain(cube.conjuncts());
            Term::and(literals.filter(|literal| self.may_say(*literal, transition)))
        };
        cubes.into_iter().map(with).collect()
    }

    fn sort(&self, var: VarId) -> program::Sort {
        if (var.0 as usize) < self.program.var_count() { self.program.var(var).sort } else { program::Sort::Int }
    }

    /// Whether a literal speaks of the state alone, and of what is in scope.
    fn may_say(&self, literal: Term, transition: &Transition) -> bool {
        let mut vars: BTreeSet<VarId> = BTreeSet::new();
        literal.visit(&mut |leaf| {
            if let TermKind::Var(var, _) | TermKind::Primed(var, _) = leaf.kind() {
                vars.insert(*var);
            }
        });
        let is_global = |var: &VarId| {
            (var.0 as usize) < self.program.var_count() && self.program.var(*var).owner == program::Owner::Global
        };
        vars.iter().all(|var| !transition.inputs.contains(var) && (self.scope == Scope::All || is_global(var)))
    }

    /// A step without the literals that R_i stays true without.
    fn weakened(&self, index: usize, cube: Term, tableau: &mut Tableau) -> Term {
        let mut literals = cube.conjuncts();
        let keeps = |literal: &Term| {
            let mut primed = false;
            literal.visit(&mut |leaf| primed |= matches!(leaf.kind(), TermKind::Primed(..)));
            primed
        };
        // What it does stays, as what a reader looks for; when it does so is what may be too much.
        for literal in literals.clone().into_iter().filter(|literal| !keeps(literal)) {
            let fewer: Vec<Term> = literals.iter().copied().filter(|other| *other != literal).collect();
            if self.is_borne(index, Term::and(fewer.iter().copied()), tableau) {
                literals = fewer;
            }
        }
        Term::and(literals)
    }

    /// Whether R_i stays true if others do this.
    fn is_borne(&self, index: usize, step: Term, tableau: &mut Tableau) -> bool {
        let mut environment = vec![Vec::new(); self.invariants.len()];
        environment[index] = vec![step];
        // Of the others only R_i is asked about: they need not say anything.
        let certificate = Certificate::RelyGuarantee { invariants: self.invariants.to_vec(), environment };
        let Ok(owed) = obligations(self.program, &certificate) else { return false };
        let mut rely = owed.iter().filter(|one| matches!(one.condition, Condition::Rely(of, _) if of == index));
        rely.all(|one| tableau.proves(&one.premises, one.conclusion))
    }
}
