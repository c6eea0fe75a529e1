//! Satisfiability of conjunctions, with models and cores.

use std::collections::BTreeMap;

use program::{Array, Reader, Sexpr, Sort, Term, TermKind, Value, VarId};
use z3::SatResult;
use z3::ast::{Bool, Dynamic};

use crate::interrupt::asking;
use crate::translate::Translator;

/// What the solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// It gave up: its resource limit was reached, it was interrupted, or the theory is undecidable.
    Unknown,
}

/// Values of variables.
pub type Model = BTreeMap<VarId, Value>;

/// A solver with an empty stack: every query stands for itself, but learned facts about terms are kept. Z3 is started by the first.
pub struct Solver {
    limit: u32,
    started: Option<Started>,
}

/// What Z3 has of a solver.
struct Started {
    solver: z3::Solver,
    translator: Translator,
}

impl Solver {
    /// A solver that gives up on a query after `limit` of Z3's resource units: a count, so that runs repeat.
    pub fn new(limit: u32) -> Solver {
        Solver { limit, started: None }
    }

    /// Whether the conjunction has a model.
    pub fn check(&mut self, formulas: &[Term]) -> Answer {
        asking(|| self.started().check(formulas))
    }

    /// Whether the conjunction has a model, and the values of these variables in one. A value that cannot be read out as a
    /// constant is left out.
    pub fn model(&mut self, formulas: &[Term], vars: &[(VarId, Sort)]) -> (Answer, Model) {
        asking(|| self.started().model(formulas, vars))
    }

    /// Whether `hard` and all of `soft` have a model; if not, the indices of soft formulas that suffice for the conflict.
    pub fn core(&mut self, hard: &[Term], soft: &[Term]) -> (Answer, Vec<usize>) {
        asking(|| self.started().core(hard, soft))
    }

    fn started(&mut self) -> &mut Started {
        self.started.get_or_insert_with(|| {
            let solver = z3::Solver::new();
            let mut params = z3::Params::new();
            params.set_u32("rlimit", self.limit);
            params.set_u32("random_seed", 0);
            // Ctrl-C is for the run, which stops Z3 in turn: Z3 would take it for the one question that it is asked.
            params.set_bool("ctrl_c", false);
            solver.set_params(&params);
            Started { solver, translator: Translator::default() }
        })
    }
}

impl Started {
    fn check(&mut self, formulas: &[Term]) -> Answer {
        self.solver.push();
        for formula in formulas {
            self.solver.assert(self.translator.formula(*formula));
        }
        let answer = answer(self.solver.check());
        self.solver.pop(1);
        answer
    }

    fn model(&mut self, formulas: &[Term], vars: &[(VarId, Sort)]) -> (Answer, Model) {
        self.solver.push();
        for formula in formulas {
            self.solver.assert(self.translator.formula(*formula));
        }
        let result = answer(self.solver.check());
        let mut values = Model::new();
        if result == Answer::Sat
            && let Some(model) = self.solver.get_model()
        {
            for (var, sort) in vars {
                let term = self.translator.term(Term::var(*var, *sort));
                if let Some(value) = model.eval(&term, true).and_then(|value| read_value(&value, *sort)) {
                    values.insert(*var, value);
                }
            }
        }
        self.solver.pop(1);
        (result, values)
    }

    fn core(&mut self, hard: &[Term], soft: &[Term]) -> (Answer, Vec<usize>) {
        self.solver.push();
        for formula in hard {
            self.solver.assert(self.translator.formula(*formula));
        }
        let names: Vec<Bool> = (0..soft.len()).map(|k| Bool::new_const(format!("soft!{k}"))).collect();
        for (name, formula) in names.iter().zip(soft) {
            self.solver.assert(name.implies(self.translator.formula(*formula)));
        }
        let result = answer(self.solver.check_assumptions(&names));
        let mut core = Vec::new();
        if result == Answer::Unsat {
            let used: Vec<String> = self.solver.get_unsat_core().iter().map(ToString::to_string).collect();
            core = (0..soft.len()).filter(|k| used.contains(&format!("soft!{k}"))).collect();
        }
        self.solver.pop(1);
        (result, core)
    }
}

fn answer(result: SatResult) -> Answer {
    match result {
        SatResult::Sat => Answer::Sat,
        SatResult::Unsat => Answer::Unsat,
        SatResult::Unknown => Answer::Unknown,
    }
}

fn read_value(value: &Dynamic, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Int => value.as_int()?.as_i128().map(Value::Int),
        Sort::Bool => value.as_bool()?.as_bool().map(Value::Bool),
        Sort::Array => {
            let text = Sexpr::parse(&value.to_string()).ok()?;
            let term = Reader::new(&|_| None).read(&text).ok()?;
            array_value(term).map(Value::Array)
        }
    }
}

/// The array that nested stores into a constant array are.
fn array_value(term: Term) -> Option<Array> {
    match term.kind() {
        TermKind::ConstArray(value) => Some(Array::filled(value.as_int()?)),
        TermKind::Store(inner, index, value) => {
            let mut array = array_value(*inner)?;
            array.set(index.as_int()?, value.as_int()?);
            Some(array)
        }
        _ => None,
    }
}
