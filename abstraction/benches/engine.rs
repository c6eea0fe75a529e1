//! Entailment, post and interference on the states of proofs that were found: what the prover spends most of its time on.
//!
//! "Cold" asks an engine that knows nothing, as in a first reachability; "warm" asks what it was asked before, as after a
//! refinement. One sample asks everything once.

use std::path::Path;

use abstraction::{Engine, Goals, Literal, PredicateSet, Valuation, abstract_state};
use check::{at, location_var};
use divan::Bencher;
use divan::counter::ItemsCount;
use program::{LocationId, Program, Sort, Term, TermKind, ThreadId, Transition, VarId};
use rules::{Options, Rule, Verdict};

const PROGRAMS: [&str; 2] = ["dekker", "bakery"];

fn main() {
    divan::main();
}

#[divan::bench(args = PROGRAMS)]
fn entailment_cold(bencher: Bencher, name: &str) {
    let proof = Proof::of(name);
    bencher
        .counter(ItemsCount::new(proof.questions()))
        .with_inputs(|| proof.engine())
        .bench_local_values(|mut engine| proof.ask_all(&mut engine));
}

#[divan::bench(args = PROGRAMS)]
fn entailment_warm(bencher: Bencher, name: &str) {
    let proof = Proof::of(name);
    let mut engine = proof.engine();
    proof.ask_all(&mut engine);
    bencher.counter(ItemsCount::new(proof.questions())).bench_local(|| proof.ask_all(&mut engine));
}

#[divan::bench(args = PROGRAMS)]
fn post_cold(bencher: Bencher, name: &str) {
    let proof = Proof::of(name);
    bencher
        .counter(ItemsCount::new(proof.moves().count()))
        .with_inputs(|| proof.engine())
        .bench_local_values(|mut engine| proof.step_all(&mut engine));
}

#[divan::bench(args = PROGRAMS)]
fn post_warm(bencher: Bencher, name: &str) {
    let proof = Proof::of(name);
    let mut engine = proof.engine();
    proof.step_all(&mut engine);
    bencher.counter(ItemsCount::new(proof.moves().count())).bench_local(|| proof.step_all(&mut engine));
}

#[divan::bench(args = PROGRAMS)]
fn interference_cold(bencher: Bencher, name: &str) {
    let proof = Proof::of(name);
    bencher
        .counter(ItemsCount::new(proof.disturbances()))
        .with_inputs(|| proof.engine())
        .bench_local_values(|mut engine| proof.disturb_all(&mut engine));
}

#[divan::bench(args = PROGRAMS)]
fn interference_warm(bencher: Bencher, name: &str) {
    let proof = Proof::of(name);
    let mut engine = proof.engine();
    proof.disturb_all(&mut engine);
    bencher.counter(ItemsCount::new(proof.disturbances())).bench_local(|| proof.disturb_all(&mut engine));
}

/// The abstract states of a program's proof under Owicki-Gries, and the predicates that they are made of.
struct Proof {
    program: Program,
    /// By thread.
    predicates: Vec<PredicateSet>,
    states: Vec<State>,
}

/// A conjunction that the proof lists for a thread's location.
struct State {
    thread: ThreadId,
    location: LocationId,
    literals: Vec<Term>,
}

impl Proof {
    fn of(name: &str) -> Proof {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/programs/table1/{name}.c"));
        let loaded = frontend::load(&file, &frontend::Options::default());
        let Ok(loaded) = loaded else { panic!("{} cannot be read", file.display()) };
        let program = loaded.program;
        let Verdict::Safe(certificate) = rules::prove(&program, &Options::new(Rule::OwickiGries)).verdict else {
            panic!("{name} has no proof")
        };
        let mut predicates = vec![PredicateSet::default(); program.threads().count()];
        let mut states = Vec::new();
        for invariant in certificate.invariants() {
            let [thread] = invariant.threads[..] else { panic!("one thread an invariant") };
            for (place, formula) in &invariant.at {
                for cube in parts(*formula, |kind| if let TermKind::Or(parts) = kind { Some(parts) } else { None }) {
                    let literals = parts(cube, |kind| if let TermKind::And(parts) = kind { Some(parts) } else { None });
                    for literal in &literals {
                        predicates[thread.0 as usize].insert(*literal);
                    }
                    states.push(State { thread, location: place[0], literals });
                }
            }
        }
        Proof { program, predicates, states }
    }

    fn engine(&self) -> Engine {
        let declared = self.program.vars().filter(|(_, var)| var.sort == Sort::Int);
        let declared = declared.map(|(id, var)| (id, (var.ty.least(), var.ty.greatest())));
        let located = self
            .program
            .threads()
            .map(|(id, thread)| (location_var(&self.program, id), (0, thread.locations.len() as i128 - 1)));
        Engine::new(declared.chain(located))
    }

    fn predicates(&self, state: &State) -> &PredicateSet {
        &self.predicates[state.thread.0 as usize]
    }

    /// The state's literals, its location among them, sorted.
    fn literals(&self, engine: &mut Engine, state: &State) -> Vec<Literal> {
        let here = at(&self.program, state.thread, state.location);
        let mut literals: Vec<Literal> =
            state.literals.iter().chain([&here]).map(|term| engine.literal(*term)).collect();
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    fn questions(&self) -> usize {
        self.states.iter().map(|state| self.predicates(state).len()).sum()
    }

    /// Which predicates each state entails.
    fn ask_all(&self, engine: &mut Engine) -> usize {
        let mut entailed = 0;
        for state in &self.states {
            let literals = self.literals(engine, state);
            let premises = engine.premises(literals);
            let predicates = self.predicates(state).items();
            for predicate in predicates {
                let goal = engine.goal(*predicate);
                entailed += usize::from(engine.decide(&premises, goal) == Some(true));
            }
        }
        entailed
    }

    /// The steps of a state's own thread from its location.
    fn moves(&self) -> impl Iterator<Item = (&State, &Transition)> {
        self.states.iter().flat_map(|state| {
            let transitions = self.program.thread(state.thread).transitions.iter();
            transitions.filter(|t| t.source == state.location && !t.is_undefined()).map(move |t| (state, t))
        })
    }

    /// What a step does to predicates. Locations are variables here.
    fn goals(&self, engine: &mut Engine, predicates: &PredicateSet, mover: ThreadId, step: &Transition) -> Goals {
        let location = location_var(&self.program, mover);
        let after = |var: VarId, _: Sort| match var == location {
            true => Some(Term::int(i128::from(step.target.0))),
            false => step.update(var),
        };
        Goals::new(engine, predicates, |term| term.substitute(&after))
    }

    /// The abstract states after all steps that are possible.
    fn step_all(&self, engine: &mut Engine) -> Vec<Valuation> {
        let mut after = Vec::new();
        for (state, step) in self.moves() {
            let mut literals = self.literals(engine, state);
            literals.extend(step.guard.iter().map(|term| engine.literal(*term)));
            let premises = engine.premises(literals);
            if engine.satisfiable(&premises) {
                let goals = self.goals(engine, self.predicates(state), state.thread, step);
                after.push(abstract_state(engine, &premises, None, &goals));
            }
        }
        after
    }

    fn disturbances(&self) -> usize {
        let watchers = |mover: &State| self.states.iter().filter(|state| state.thread != mover.thread).count();
        self.moves().map(|(mover, _)| watchers(mover)).sum()
    }

    /// The abstract states after all steps of other threads that are possible.
    fn disturb_all(&self, engine: &mut Engine) -> Vec<Valuation> {
        let mut after = Vec::new();
        for (mover, step) in self.moves() {
            let mut effect = self.literals(engine, mover);
            effect.extend(step.guard.iter().map(|term| engine.literal(*term)));
            effect.sort_unstable();
            effect.dedup();
            let possible = engine.premises(effect.iter().copied());
            if !engine.satisfiable(&possible) {
                continue;
            }
            let bounds = engine.bounds(&effect);
            let goals: Vec<Goals> =
                self.predicates.iter().map(|all| self.goals(engine, all, mover.thread, step)).collect();
            for watcher in self.states.iter().filter(|state| state.thread != mover.thread) {
                let literals = self.literals(engine, watcher);
                if engine.bounds(&literals).contradict(&bounds) {
                    continue;
                }
                let premises = engine.premises(literals.iter().chain(&effect).copied());
                if engine.compatible(&premises, &literals, &effect) {
                    after.push(abstract_state(engine, &premises, None, &goals[watcher.thread.0 as usize]));
                }
            }
        }
        after
    }
}

fn parts(term: Term, split: impl Fn(&'static TermKind) -> Option<&'static [Term]>) -> Vec<Term> {
    split(term.kind()).map_or_else(|| vec![term], <[Term]>::to_vec)
}
