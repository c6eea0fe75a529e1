//! The copies of threads of which there may be any number: that nobody else can look into them, and that they are alike.

use std::collections::{BTreeMap, HashMap};

use program::{LocationId, Owner, Program, Span, Template, Term, Thread, ThreadId, Transition, Var, VarId};

use crate::cfg::Graph;
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::escape::{Publication, first_telling};
use crate::lower::LoweredThread;
use crate::prepare::Copies;

/// The objects of a copy stand for those of any number of threads: a pointer to one would have to say whose it is.
pub(crate) fn refuse_told(
    threads: &[(usize, LoweredThread)],
    copies: &Copies,
    is_public: &dyn Fn(VarId) -> bool,
    publications: &[Publication],
) -> Result<(), Failure> {
    for (number, thread) in threads.iter().filter(|(number, _)| copies.numbers.contains(number)) {
        if let Some(at) = first_telling(&thread.graph, *number, is_public, publications) {
            return Err(told(&thread.graph, at));
        }
    }
    Ok(())
}

fn told(graph: &Graph, at: crate::cfg::NodeId) -> Failure {
    let what = "a local or a block of a thread of unbounded number whose address other threads can read";
    Diagnostic::new(Code::Unsupported, what).at(graph.node(at).span).into()
}

/// Which threads of the program are copies of one template. `ids` says which variable of the program one of the lowering is.
pub(crate) fn templates(
    threads: &[(usize, LoweredThread)],
    copies: &[Copies],
    ids: &HashMap<VarId, VarId>,
) -> Vec<Template> {
    let template = |copies: &Copies| {
        let indices = copies.numbers.iter().filter_map(|number| threads.iter().position(|(n, _)| n == number));
        let indices: Vec<usize> = indices.collect();
        let identity = |index: &usize| threads[*index].1.id.as_var().and_then(|var| ids.get(&var).copied());
        Template {
            name: copies.name.clone(),
            identities: indices.iter().filter_map(identity).collect(),
            copies: indices.iter().map(|index| ThreadId(program::number(*index))).collect(),
        }
    };
    copies.iter().map(template).collect()
}

/// The program with its templates.
pub(crate) fn with_templates(program: Program, found: Vec<Template>, copies: &[Copies]) -> Result<Program, Failure> {
    let spans: Vec<(String, Span)> = copies.iter().map(|copies| (copies.name.clone(), copies.span)).collect();
    for (template, (name, span)) in found.iter().zip(spans) {
        if let Err(malformed) = program.clone().with_templates(vec![template.clone()]) {
            let what = format!("threads of unbounded number that run `{name}` and are not alike: {}", malformed.0);
            return Err(Diagnostic::new(Code::Unsupported, what).at(span).into());
        }
    }
    program.with_templates(found).map_err(|malformed| Diagnostic::new(Code::Internal, malformed.to_string()).into())
}

/// Gives the locations and transitions of the copies of a template the order that those of the first one have: it depends on the
/// order of terms, in which the variables of all threads have their places.
pub(crate) fn align(vars: &[Var], threads: &mut [Thread], templates: &[Template]) {
    for template in templates {
        let [first, others @ ..] = template.copies.as_slice() else { continue };
        for other in others {
            let renaming: HashMap<VarId, VarId> = own(vars, *first).into_iter().zip(own(vars, *other)).collect();
            if let Some(aligned) = like(&threads[first.0 as usize], &threads[other.0 as usize], &renaming) {
                threads[other.0 as usize] = aligned;
            }
        }
    }
}

/// A thread's own variables, in order.
fn own(vars: &[Var], thread: ThreadId) -> Vec<VarId> {
    let is_own = |var: &Var| matches!(var.owner, Owner::Local(t) | Owner::Input(t) if t == thread);
    (0u32..).zip(vars).filter(|(_, var)| is_own(var)).map(|(id, _)| VarId(id)).collect()
}

/// What a transition does, without the places it leads from and to and whatever the order of its parts.
type Deed = (Vec<VarId>, Vec<Term>, Vec<(VarId, Term)>, Vec<Term>);

fn deed(transition: &Transition, renaming: &HashMap<VarId, VarId>) -> Deed {
    let var = |var: &VarId| renaming.get(var).copied().unwrap_or(*var);
    let term = |term: &Term| term.substitute(&|v, sort| renaming.get(&v).map(|to| Term::var(*to, sort)));
    let mut inputs: Vec<VarId> = transition.inputs.iter().map(var).collect();
    let mut guard: Vec<Term> = transition.guard.iter().map(term).collect();
    let mut updates: Vec<(VarId, Term)> = transition.updates.iter().map(|(v, value)| (var(v), term(value))).collect();
    let mut defined: Vec<Term> = transition.defined.iter().map(|d| term(&d.condition)).collect();
    inputs.sort();
    guard.sort();
    updates.sort();
    defined.sort();
    (inputs, guard, updates, defined)
}

/// The thread in the order of another one that does the same, if it does.
fn like(first: &Thread, other: &Thread, renaming: &HashMap<VarId, VarId>) -> Option<Thread> {
    let nothing = HashMap::new();
    let theirs: Vec<Deed> = other.transitions.iter().map(|t| deed(t, &nothing)).collect();
    let mut places: BTreeMap<LocationId, LocationId> = BTreeMap::from([(first.entry, other.entry)]);
    let mut partner: Vec<Option<usize>> = vec![None; first.transitions.len()];
    let mut taken = vec![false; other.transitions.len()];
    let mut work = vec![first.entry];
    while let Some(at) = work.pop() {
        let there = places[&at];
        for (index, transition) in first.transitions.iter().enumerate().filter(|(_, t)| t.source == at) {
            let wanted = deed(transition, renaming);
            let fits = |index: &usize| {
                let candidate = &other.transitions[*index];
                let leads = places.get(&transition.target).is_none_or(|target| *target == candidate.target);
                !taken[*index] && candidate.source == there && leads && theirs[*index] == wanted
            };
            let found = (0..theirs.len()).find(fits)?;
            taken[found] = true;
            partner[index] = Some(found);
            if places.insert(transition.target, other.transitions[found].target).is_none() {
                work.push(transition.target);
            }
        }
    }
    let mut aligned = other.clone();
    for (ours, theirs) in &places {
        *aligned.locations.get_mut(ours.0 as usize)? = other.locations.get(theirs.0 as usize)?.clone();
    }
    aligned.entry = first.entry;
    aligned.transitions = Vec::new();
    for (transition, partner) in first.transitions.iter().zip(partner) {
        let same = other.transitions.get(partner?)?.clone();
        aligned.transitions.push(Transition { source: transition.source, target: transition.target, ..same });
    }
    Some(aligned)
}
