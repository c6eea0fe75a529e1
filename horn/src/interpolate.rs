//! Recursion-free clauses solved by following an error backwards, without a fixedpoint engine.
//!
//! Every relation has one clause, so a relation's tuples are known exactly, as terms over free symbols ([`Tuples`]). A cube
//! (conjunction of literals) that none of them satisfies is refuted: its preimage under the clause is refuted by the relations
//! of the body, by one of its literals where that is possible. The negations of the cubes met on the way are the solution: atoms
//! of the program's guards, substituted backwards. Among several ways the cheapest is taken, which is the one with fewest
//! new atoms.
//!
//! It is partial: where a refutation needs a fact that no literal on the way expresses, it gives up, and Spacer is asked.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use std::rc::Rc;

use program::{Sort, Term, TermKind, VarId};
use smt::{Answer, Atom, Cancel, Clause};

use crate::questions::Questions;
use crate::solve::{Outcome, RecursionFree, Solution, instantiate};
use crate::tuples::{Tuples, tuples};
use crate::unfold::{Unfolded, unfold};

/// A conjunction of literals over a relation's places.
type Cube = Vec<Term>;

/// What the predicates that are known already make of a literal.
pub trait Preference {
    /// What the literal costs as a predicate at a relation.
    fn cost(&self, relation: usize, literal: Term) -> u32;
    /// Literals over the same linear form that the literal implies: refuting one of them refutes it, and constants that move
    /// from one derivation to the next come to rest.
    fn weaker(&self, relation: usize, literal: Term) -> Vec<Term>;
}

/// A refuted cube and what refutes it.
struct Plan {
    relation: usize,
    cube: Cube,
    cost: u32,
    supports: Vec<Rc<Plan>>,
    /// What relations that were unfolded must say.
    notes: Vec<(usize, Term)>,
}

/// One way to refute a preimage.
struct Way {
    /// Cubes to be refuted at relations of the body.
    needs: Vec<(usize, Cube)>,
    notes: Vec<(usize, Term)>,
}

/// Solves clauses in which every relation is the head of exactly one clause. Relations of `unfolded` are eliminated first, and
/// their solution is put together from what was used of them.
pub fn interpolate(
    system: &RecursionFree,
    unfolded: &BTreeSet<usize>,
    preference: &dyn Preference,
    cancel: &Cancel,
) -> Outcome {
    let Some(unfolded) = unfold(system, unfolded) else { return Outcome::Unknown("not one clause a relation".into()) };
    let mut questions = Questions::default();
    let tuples = tuples(&unfolded);
    let query = tuples.query.clone();
    match questions.check(&query) {
        Answer::Sat => return Outcome::Refuted,
        Answer::Unknown => return Outcome::Unknown("the unfolded clauses".into()),
        Answer::Unsat => {}
    }
    let mut search = Search {
        unfolded: &unfolded,
        tuples: &tuples.relations,
        preference,
        cancel,
        memo: FxHashMap::default(),
        questions,
        asked: FxHashMap::default(),
        possible: vec![None; tuples.relations.len()],
        costs: RefCell::default(),
    };
    let Some((_, plans)) = search.cheapest(&unfolded.query, &[], None) else {
        return Outcome::Unknown("no literal refutes the derivation".into());
    };
    let cost = plans.iter().map(|plan| plan.cost).sum();
    let mut solution = Solution { conjuncts: vec![Vec::new(); system.relations.len()], cost };
    let mut done = BTreeSet::new();
    plans.iter().for_each(|plan| collect(plan, &mut solution, &mut done));
    for conjuncts in &mut solution.conjuncts {
        conjuncts.sort_unstable();
        conjuncts.dedup();
    }
    Outcome::Solved(solution)
}

fn collect(plan: &Rc<Plan>, solution: &mut Solution, done: &mut BTreeSet<(usize, Cube)>) {
    if !done.insert((plan.relation, plan.cube.clone())) {
        return;
    }
    let lemma = Term::and(plan.cube.iter().copied()).not();
    solution.conjuncts[plan.relation].push(lemma);
    for (relation, note) in &plan.notes {
        solution.conjuncts[*relation].push(*note);
    }
    plan.supports.iter().for_each(|support| collect(support, solution, done));
}

struct Search<'a> {
    unfolded: &'a Unfolded,
    tuples: &'a [Tuples],
    preference: &'a dyn Preference,
    cancel: &'a Cancel,
    memo: FxHashMap<(usize, Cube), Option<Rc<Plan>>>,
    questions: Questions,
    asked: FxHashMap<Vec<Term>, bool>,
    possible: Vec<Option<bool>>,
    costs: RefCell<FxHashMap<(usize, Term), u32>>,
}

/// A literal of a preimage, and where it comes from.
#[derive(Clone, Copy)]
struct Preimage {
    literal: Term,
    /// The literal of the cube it is the preimage of; none for the clause's own constraint.
    of: Option<Term>,
}

impl Search<'_> {
    /// What a literal costs: the same ones are weighed again and again.
    fn cost(&self, relation: usize, literal: Term) -> u32 {
        let mut costs = self.costs.borrow_mut();
        *costs.entry((relation, literal)).or_insert_with(|| self.preference.cost(relation, literal))
    }

    /// A plan that refutes a cube which no tuple of the relation satisfies.
    fn refute(&mut self, relation: usize, cube: Cube) -> Option<Rc<Plan>> {
        let key = (relation, cube);
        if let Some(plan) = self.memo.get(&key) {
            return plan.clone();
        }
        if self.cancel.is_cancelled() {
            return None;
        }
        let (relation, cube) = key.clone();
        let clause = &self.unfolded.clauses[relation];
        let own: u32 = cube.iter().map(|literal| self.cost(relation, *literal)).sum();
        let found = self.cheapest(clause, &cube, Some(relation));
        let plan = found.map(|(notes, supports)| {
            let noted: u32 = notes.iter().map(|(r, note)| self.cost(*r, *note)).sum();
            let cost = own + noted + 1 + supports.iter().map(|s| s.cost).sum::<u32>();
            Rc::new(Plan { relation, cube, cost, supports, notes })
        });
        self.memo.insert(key, plan.clone());
        plan
    }

    /// The cheapest plans for the body of a clause whose head is to avoid the cube.
    fn cheapest(&mut self, clause: &Clause, cube: &[Term], relation: Option<usize>) -> Option<Found> {
        let mut best: Option<(u32, Found)> = None;
        for way in self.ways(clause, cube, relation)? {
            let literals = way.needs.iter().flat_map(|(r, cube)| cube.iter().map(|literal| (*r, *literal)));
            let least: u32 = literals.chain(way.notes.iter().copied()).map(|(r, literal)| self.cost(r, literal)).sum();
            if best.as_ref().is_some_and(|(cost, _)| *cost <= least) {
                continue;
            }
            let mut supports = Vec::new();
            for (relation, cube) in &way.needs {
                match self.refute(*relation, cube.clone()) {
                    Some(plan) => supports.push(plan),
                    None => break,
                }
            }
            if supports.len() < way.needs.len() {
                continue;
            }
            let notes: u32 = way.notes.iter().map(|(r, note)| self.cost(*r, *note)).sum();
            let cost = notes + supports.iter().map(|s| s.cost).sum::<u32>();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, (way.notes, supports)));
            }
        }
        best.map(|(_, found)| found)
    }

    /// The ways to refute the preimage of a cube under a clause.
    fn ways(&mut self, clause: &Clause, cube: &[Term], relation: Option<usize>) -> Option<Vec<Way>> {
        let preimage = preimage(clause, cube);
        let literals: Vec<Term> = preimage.iter().map(|p| p.literal).collect();
        if literals.iter().any(|literal| literal.as_bool() == Some(false)) {
            let mut guilty = preimage.clone();
            guilty.retain(|p| p.literal.as_bool() == Some(false));
            let notes = self.notes(relation, &guilty[..1], Side::Watcher)?;
            return Some(vec![Way { needs: Vec::new(), notes }]);
        }
        if literals.len() > 1
            && let (Answer::Unsat, core) = self.questions.core(&[], &literals)
        {
            let used: Vec<Preimage> = core.iter().map(|k| preimage[*k]).collect();
            return self.by_itself(&used, relation).map(|way| vec![way]);
        }
        let mut ways = Vec::new();
        for (index, atom) in clause.body.iter().enumerate() {
            self.single_ways(&mut ways, index, atom, &preimage, relation);
        }
        if let [watcher, mover] = clause.body.as_slice() {
            self.interface_ways(&mut ways, watcher, mover, relation);
        }
        if ways.is_empty() {
            for (index, atom) in clause.body.iter().enumerate() {
                self.joint_way(&mut ways, index, atom, &preimage, relation);
            }
        }
        Some(ways)
    }

    /// A preimage that contradicts itself. An unfolded relation says either all that the contradiction consists of, or, where it
    /// consists of things it cannot say, what follows for the state afterwards.
    fn by_itself(&self, used: &[Preimage], relation: Option<usize>) -> Option<Way> {
        let notes = self.notes(relation, used, Side::Watcher).or_else(|| {
            let after: Vec<Preimage> = used.iter().copied().filter(|part| part.of.is_some()).collect();
            // What follows is the negation of the whole cube; with one literal in it, of that.
            if after.len() == 1 { self.notes(relation, &after, Side::Mover) } else { None }
        });
        notes.map(|notes| Way { needs: Vec::new(), notes })
    }

    /// One literal that the tuples of one relation of the body exclude, or a relation without tuples.
    fn single_ways(
        &mut self,
        ways: &mut Vec<Way>,
        index: usize,
        atom: &Atom,
        preimage: &[Preimage],
        relation: Option<usize>,
    ) {
        if self.excluded(atom.relation, &[]) {
            ways.push(Way { needs: vec![(atom.relation, Vec::new())], notes: Vec::new() });
        }
        let side = if index == 0 { Side::Watcher } else { Side::Mover };
        for part in preimage {
            let Some(literal) = at_places(part.literal, atom) else { continue };
            if !self.excluded(atom.relation, &[literal]) {
                continue;
            }
            let Some(notes) = self.notes(relation, &[*part], side) else { continue };
            for weaker in self.preference.weaker(atom.relation, literal) {
                if self.excluded(atom.relation, &[weaker]) {
                    ways.push(Way { needs: vec![(atom.relation, vec![weaker])], notes: notes.clone() });
                }
            }
            ways.push(Way { needs: vec![(atom.relation, vec![literal])], notes });
        }
        for literal in fixed_places(atom) {
            if self.excluded(atom.relation, &[literal])
                && let Some(notes) = self.fixed_notes(relation, literal, side)
            {
                ways.push(Way { needs: vec![(atom.relation, vec![literal])], notes });
            }
        }
    }

    /// Two relations that disagree about a variable they share: each excludes what the other says.
    fn interface_ways(&mut self, ways: &mut Vec<Way>, watcher: &Atom, mover: &Atom, relation: Option<usize>) {
        for (p, argument) in watcher.arguments.iter().enumerate() {
            if !matches!(argument.kind(), TermKind::Var(..)) {
                continue;
            }
            let Some(t) = mover.arguments.iter().position(|other| other == argument) else { continue };
            let (a, b) = (self.tuples[watcher.relation].arguments[p], self.tuples[mover.relation].arguments[t]);
            for (at_watcher, at_mover) in disagreements(place(p, argument.sort()), place(t, argument.sort()), a, b) {
                // The mover's lemma passes through the unfolded relation.
                let said = instantiate(at_mover.not(), &mover.arguments);
                let Some(notes) = self.lemma_notes(relation, said) else { continue };
                let needs = vec![(watcher.relation, vec![at_watcher]), (mover.relation, vec![at_mover])];
                ways.push(Way { needs, notes });
            }
        }
    }

    /// Several literals that the tuples of one relation exclude together.
    fn joint_way(
        &mut self,
        ways: &mut Vec<Way>,
        index: usize,
        atom: &Atom,
        preimage: &[Preimage],
        relation: Option<usize>,
    ) {
        let parts: Vec<(Preimage, Term)> =
            preimage.iter().filter_map(|part| Some((*part, at_places(part.literal, atom)?))).collect();
        let tuples = &self.tuples[atom.relation];
        let soft: Vec<Term> = parts.iter().map(|(_, literal)| instantiate(*literal, &tuples.arguments)).collect();
        let (Answer::Unsat, mut core) = self.questions.core(&tuples.conditions, &soft) else { return };
        let mut k = 0;
        while k < core.len() {
            let fewer: Vec<usize> = core.iter().copied().filter(|c| *c != core[k]).collect();
            let cube: Vec<Term> = fewer.iter().map(|c| parts[*c].1).collect();
            if self.excluded(atom.relation, &cube) { core = fewer } else { k += 1 }
        }
        let side = if index == 0 { Side::Watcher } else { Side::Mover };
        let used: Vec<Preimage> = core.iter().map(|k| parts[*k].0).collect();
        if let Some(notes) = self.notes(relation, &used, side) {
            let cube: Cube = core.iter().map(|k| parts[*k].1).collect();
            ways.push(Way { needs: vec![(atom.relation, cube)], notes });
        }
    }

    /// Whether no tuple of the relation satisfies the cube.
    fn excluded(&mut self, relation: usize, cube: &[Term]) -> bool {
        if !self.possible(relation) {
            return true;
        }
        let tuples = &self.tuples[relation];
        let mut literals: Vec<Term> = cube.iter().map(|literal| instantiate(*literal, &tuples.arguments)).collect();
        literals.retain(|literal| literal.as_bool() != Some(true));
        if literals.is_empty() || literals.iter().any(|literal| literal.as_bool() == Some(false)) {
            return !literals.is_empty();
        }
        // The conditions hold together, so only those connected to the cube matter.
        let formulas = connected(literals, &tuples.conditions);
        if let Some(answer) = self.asked.get(&formulas) {
            return *answer;
        }
        let answer = self.questions.check(&formulas) == Answer::Unsat;
        self.asked.insert(formulas, answer);
        answer
    }

    /// Whether the relation has any tuple.
    fn possible(&mut self, relation: usize) -> bool {
        if let Some(known) = self.possible[relation] {
            return known;
        }
        let conditions = &self.tuples[relation].conditions;
        let answer = conditions.is_empty()
            || (conditions[0].as_bool() != Some(false) && self.questions.check(conditions) != Answer::Unsat);
        self.possible[relation] = Some(answer);
        answer
    }

    /// What the unfolded relation of the clause, if there is one, must say for these parts of the preimage to be used; nothing
    /// if it cannot say that.
    fn notes(&self, relation: Option<usize>, parts: &[Preimage], side: Side) -> Option<Vec<(usize, Term)>> {
        let Some(inner) = relation.and_then(|r| self.unfolded.inner.get(&r)) else { return Some(Vec::new()) };
        let mut notes = Vec::new();
        for part in parts {
            match (part.of, side) {
                // The step itself is impossible: the unfolded relation is empty.
                (None, Side::Mover) => {}
                (None, Side::Watcher) => notes.push((inner.relation, inner.say(part.literal)?)),
                (Some(literal), Side::Mover) => notes.push((inner.relation, inner.say_after(literal)?.not())),
                (Some(literal), Side::Watcher) => {
                    notes.extend(inner.transfers(literal)?.into_iter().map(|note| (inner.relation, note)));
                }
            }
        }
        Some(notes)
    }

    /// The same for a place of the mover that the user of the unfolded relation fixed: the relation must say what the mover says.
    fn fixed_notes(&self, relation: Option<usize>, literal: Term, side: Side) -> Option<Vec<(usize, Term)>> {
        let Some(inner) = relation.and_then(|r| self.unfolded.inner.get(&r)) else { return Some(Vec::new()) };
        if side == Side::Watcher {
            return Some(Vec::new());
        }
        let mover = self.unfolded.clauses[inner.relation].body.first()?;
        Some(vec![(inner.relation, inner.say(instantiate(literal.not(), &mover.arguments))?)])
    }

    fn lemma_notes(&self, relation: Option<usize>, lemma: Term) -> Option<Vec<(usize, Term)>> {
        match relation.and_then(|r| self.unfolded.inner.get(&r)) {
            None => Some(Vec::new()),
            Some(inner) => Some(vec![(inner.relation, inner.say(lemma)?)]),
        }
    }
}

type Found = (Vec<(usize, Term)>, Vec<Rc<Plan>>);

/// Which relation of the body: the state that is disturbed (or the only one), or the one whose step it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Watcher,
    Mover,
}

/// The clause's constraint, and the cube with the head's arguments in it.
fn preimage(clause: &Clause, cube: &[Term]) -> Vec<Preimage> {
    let mut all: Vec<Preimage> = Vec::new();
    for formula in &clause.constraint {
        all.extend(formula.conjuncts().into_iter().map(|literal| Preimage { literal, of: None }));
    }
    let arguments: &[Term] = clause.head.as_ref().map_or(&[], |head| &head.arguments);
    for literal in cube {
        let before = instantiate(*literal, arguments);
        if before.as_bool() == Some(false) {
            all.push(Preimage { literal: before, of: Some(*literal) });
        }
        all.extend(before.conjuncts().into_iter().map(|part| Preimage { literal: part, of: Some(*literal) }));
    }
    all
}

/// The formulas with those of `others` that share a symbol with them, directly or not.
fn connected(mut formulas: Vec<Term>, others: &[Term]) -> Vec<Term> {
    let mut symbols: BTreeSet<VarId> = formulas.iter().flat_map(|f| f.vars()).collect();
    let mut rest: Vec<(Term, BTreeSet<VarId>)> = others.iter().map(|f| (*f, f.vars())).collect();
    loop {
        let (joined, apart): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(_, vars)| !vars.is_disjoint(&symbols));
        rest = apart;
        if joined.is_empty() {
            return formulas;
        }
        for (formula, vars) in joined {
            formulas.push(formula);
            symbols.extend(vars);
        }
    }
}

fn place(k: usize, sort: Sort) -> Term {
    Term::var(VarId(program::number(k)), sort)
}

/// The formula over clause variables as one over an atom's places; nothing if it speaks of others.
pub(crate) fn at_places(formula: Term, atom: &Atom) -> Option<Term> {
    let mut known = true;
    let mut any = false;
    formula.visit(&mut |leaf| {
        if matches!(leaf.kind(), TermKind::Var(..) | TermKind::Primed(..)) {
            known &= atom.arguments.contains(&leaf);
            any = true;
        }
    });
    (known && any)
        .then(|| formula.rewrite(&|leaf| atom.arguments.iter().position(|a| *a == leaf).map(|k| place(k, leaf.sort()))))
}

/// The places of an atom that hold constants, as literals over its places.
fn fixed_places(atom: &Atom) -> Vec<Term> {
    let mut all = Vec::new();
    for (k, argument) in atom.arguments.iter().enumerate() {
        let here = place(k, argument.sort());
        match argument.kind() {
            TermKind::Bool(true) => all.push(here),
            TermKind::Bool(false) => all.push(here.not()),
            TermKind::Int(_) => all.push(here.eq_to(*argument)),
            _ => {}
        }
    }
    all
}

/// Pairs of cubes, one for each of two relations, whose negations contradict each other on a shared variable, where their
/// values are the constants `a` and `b`.
fn disagreements(first: Term, second: Term, a: Term, b: Term) -> Vec<(Term, Term)> {
    match (a.as_int(), b.as_int(), a.as_bool(), b.as_bool()) {
        (Some(x), Some(y), _, _) if x != y => {
            let is = |place: Term, value: i128| place.eq_to(Term::int(value));
            let mut all = vec![(is(first, y), is(second, y).not()), (is(first, x).not(), is(second, x))];
            for bound in [x.min(y), x.max(y) - 1] {
                let (low, high) = (first.le(Term::int(bound)), second.le(Term::int(bound)));
                all.push(if x < y { (low.not(), high) } else { (low, high.not()) });
            }
            all
        }
        (_, _, Some(true), Some(false)) => vec![(first.not(), second)],
        (_, _, Some(false), Some(true)) => vec![(first, second.not())],
        _ => Vec::new(),
    }
}
