//! Whether a certificate is one for a program: whom its assertions are about, and what they speak of.

use program::{LocationId, Owner, Program, Sort, Term, TermKind, ThreadId};

use crate::certificate::{Certificate, Invariant};
use crate::obligation::{Condition, Rejection, Validity};

/// Which values a formula may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Before,
    BeforeAndAfter,
}

/// The assertions speak of this program's state only; and there is one about all threads, or one about every thread of which there
/// is one and about every choice of `level` instances, in order, each about the first copies.
pub(crate) fn well_formed(program: &Program, certificate: &Certificate) -> Result<(), Rejection> {
    let invariants = certificate.invariants();
    let wanted = match certificate {
        Certificate::Monolithic(_) if !program.templates().is_empty() => {
            return reject("a monolithic proof cannot be about any number of threads");
        }
        Certificate::Monolithic(_) => vec![program.threads().map(|(id, _)| id).collect()],
        _ => about(program),
    };
    let level = level(program);
    if level == 0 || program.templates().iter().any(|template| template.copies.len() != level + 1) {
        return reject("the templates do not have the same number of copies, and one more than the level");
    }
    if !invariants.iter().map(|invariant| &invariant.threads).eq(&wanted) {
        return reject("the assertions are not one for each single thread and each choice of instances");
    }
    invariants.iter().try_for_each(|invariant| is_about(program, invariant))?;
    if let Certificate::RelyGuarantee { environment, .. } = certificate {
        if environment.len() != invariants.len() {
            return reject("the environments are not one for each assertion");
        }
        for (invariant, allowed) in invariants.iter().zip(environment) {
            if !allowed.iter().all(|e| speaks_of(program, *e, &invariant.threads, Moment::BeforeAndAfter)) {
                return reject("an environment speaks of something that its assertion is not about");
            }
        }
    }
    Ok(())
}

fn reject(what: &str) -> Result<(), Rejection> {
    let message = what.to_string();
    Err(Rejection { condition: Condition::Form(message.clone()), validity: Validity::Invalid, message })
}

fn is_about(program: &Program, invariant: &Invariant) -> Result<(), Rejection> {
    for (place, formula) in &invariant.at {
        let exists = |(t, l): (&ThreadId, &LocationId)| (l.0 as usize) < program.thread(*t).locations.len();
        if place.len() != invariant.threads.len() || !invariant.threads.iter().zip(place).all(exists) {
            return reject("an assertion speaks of a location that does not exist");
        }
        if !speaks_of(program, *formula, &invariant.threads, Moment::Before) {
            return reject("an assertion speaks of something that it is not about");
        }
    }
    Ok(())
}

/// Whether a formula speaks of the globals, of threads of which there is one, and otherwise of its own threads.
fn speaks_of(program: &Program, formula: Term, own: &[ThreadId], moment: Moment) -> bool {
    let mut fine = formula.sort() == Sort::Bool;
    let mine = |thread: ThreadId| own.contains(&thread) || program.template_of(thread).is_none();
    formula.visit(&mut |leaf| {
        let (var, sort, primed) = match leaf.kind() {
            TermKind::Var(var, sort) => (*var, *sort, false),
            TermKind::Primed(var, sort) => (*var, *sort, true),
            _ => return,
        };
        fine &= moment == Moment::BeforeAndAfter || !primed;
        fine &= match (var.0 as usize).checked_sub(program.var_count()) {
            Some(thread) => {
                thread < program.threads().count() && mine(ThreadId(program::number(thread))) && sort == Sort::Int
            }
            None => {
                let declared = program.var(var);
                let known = match declared.owner {
                    Owner::Global => true,
                    Owner::Local(thread) => mine(thread),
                    Owner::Input(_) => false,
                };
                known && declared.sort == sort
            }
        };
    });
    fine
}

/// How many instances an assertion is about: there is one copy more than that, for who else may move.
pub(crate) fn level(program: &Program) -> usize {
    program.templates().iter().map(|template| template.copies.len()).min().unwrap_or(2).saturating_sub(1)
}

/// The threads of each assertion of a proof that is not monolithic: every thread of which there is one by itself, and all choices of
/// `level` instances, sorted by template, as the first copies of each.
pub(crate) fn about(program: &Program) -> Vec<Vec<ThreadId>> {
    let singles = program.threads().map(|(id, _)| id).filter(|thread| program.template_of(*thread).is_none());
    let mut choices: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for _ in 0..level(program) {
        let grown = |choice: &Vec<(usize, usize)>| -> Vec<Vec<(usize, usize)>> {
            let (last, copies) = choice.last().copied().unwrap_or((0, 0));
            let next =
                |template: usize| (template, if template == last && !choice.is_empty() { copies + 1 } else { 0 });
            (last..program.templates().len()).map(|t| choice.iter().copied().chain([next(t)]).collect()).collect()
        };
        choices = choices.iter().flat_map(grown).collect();
    }
    let copies = |choice: Vec<(usize, usize)>| choice.iter().map(|(t, c)| program.templates()[*t].copies[*c]).collect();
    singles.map(|thread| vec![thread]).chain(choices.into_iter().map(copies)).collect()
}
