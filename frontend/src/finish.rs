//! From prepared graphs to a Program: who owns what, fusion, literals, dead temporaries, names and numbers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{
    Bookkeeping, ClaimId, Init, IntType, Location, LocationId, LocationKind, Owner, Program, Property, Sort, Span,
    Term, TermKind, Thread, ThreadId, Transition, UbKind, Var, VarId, VarKind,
};

use crate::calls::Inlined;
use crate::cfg::{Graph, Manner, NodeId, NodeKind, Step};
use crate::claims::asked;
use crate::copies::{align, refuse_told, templates, with_templates};
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::escape::unseen;
use crate::fuse::accesses::{Contested, RawAccess, contested};
use crate::fuse::movers::{Movers, ThreadView};
use crate::fuse::waits::RawWait;
use crate::fuse::{Context, Fusion, Ownership, RawTransition, fuse, needs_owner};
use crate::legend::Legend;
use crate::literals::{simplified, split_guard};
use crate::liveness::{Look, drop_dead_updates};
use crate::lower::{Config, LoweredThread};
use crate::memory::{Memory, Named};
use crate::prepare::{Birth, Copies, Prepared};
use crate::propagation::propagate_copies;
use crate::ranges::{self, Astray};
use crate::reuse::Reuse;
use crate::settled::settle;
use crate::visits::{Goal, visit_step};

/// Where undefined behaviour ends every execution that comes there.
pub(crate) type Endings = Vec<(UbKind, Span)>;

/// A Program and what it does not say by itself.
pub(crate) struct Finished {
    pub(crate) program: Program,
    pub(crate) endings: Endings,
    /// What comes right after what within a step.
    pub(crate) passed: BTreeSet<(Span, Span)>,
    /// How many bytes after the beginning of their blocks variables are, by their names.
    pub(crate) offsets: BTreeMap<String, u64>,
    /// What is not modelled at [`LocationKind::Unmodelled`] locations.
    pub(crate) unmodelled: BTreeMap<Span, &'static str>,
    /// Where threads enter the text's atomic sections.
    pub(crate) sections: BTreeSet<(ThreadId, LocationId)>,
    /// What its numbers mean to a reader.
    pub(crate) legend: Legend,
    /// What is claimed to be defined.
    pub(crate) checked: BTreeMap<ClaimId, UbKind>,
    /// What is touched, and whether it is written, by places of accesses that may be in conflict.
    pub(crate) contests: BTreeMap<Span, Contest>,
    /// The claim that the threads do not deadlock, if that is asked for.
    pub(crate) deadlock: Option<ClaimId>,
}

/// What an access touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contest {
    /// The name of the object, or of its part.
    pub(crate) name: String,
    /// `read`, `write`, `atomic write`.
    pub(crate) kind: String,
}

/// What the threads do, before variables and locations are numbered.
struct Raw {
    transitions: Vec<Vec<RawTransition>>,
    accesses: Vec<Vec<RawAccess>>,
    waits: Vec<Vec<RawWait>>,
    inputs: Vec<BTreeSet<VarId>>,
    /// Conflicts that are not asked for.
    tolerated: BTreeSet<ClaimId>,
}

/// Builds the Program.
pub(crate) fn finish(
    prepared: Prepared,
    files: Vec<String>,
    fusion: Fusion,
    config: &Config,
) -> Result<Finished, Failure> {
    let deadlocks = config.goal == Goal::Violations && config.asks(Property::NoDeadlock);
    // Larger steps pass over the states in which threads wait for each other.
    let fusion = if deadlocks && fusion == Fusion::On { Fusion::Local } else { fusion };
    let Prepared {
        mut memory, mut threads, births, declared, observed, endings, publications, templates, joined, ..
    } = prepared;
    let endings = RefCell::new(endings);
    let passed = RefCell::new(BTreeSet::new());
    for (_, thread) in &mut threads {
        drop_first_havocs(&mut thread.graph, &memory);
    }
    let mut checked = BTreeMap::new();
    if config.goal == Goal::Visits {
        for (number, thread) in &mut threads {
            memory.home = Some(*number);
            visit_checks(&mut thread.graph, &mut memory, config, &mut checked);
            memory.home = None;
        }
    }
    // Who knows an address, and what threads share before constants take the place of reads.
    let touched = shared(&memory, &threads);
    for copies in &templates {
        let told = |var: VarId| touched[var.0 as usize] || (joined && copies.results.contains(&var));
        refuse_told(&threads, copies, &told, &publications)?;
    }
    let races = config.goal == Goal::Violations && config.asks(Property::NoDataRace);
    // A read whose value is known is an access all the same.
    if fusion == Fusion::On && !races {
        settle(&memory, &mut threads, &births, &publications, &touched);
    }
    let shared = shared(&memory, &threads);
    let owner = ownership(&mut memory, &threads)?;
    let mut shared = shared;
    shared.resize(memory.cells.len(), true);
    let movers = match fusion {
        Fusion::On => {
            let unseen = |(number, thread): &(usize, LoweredThread)| {
                unseen(&memory, &thread.graph, *number, &touched, &publications)
            };
            let unseen: Vec<BTreeSet<NodeId>> = threads.iter().map(unseen).collect();
            Some(movers(&mut threads, &births, &shared, unseen)?)
        }
        Fusion::Local | Fusion::Off => None,
    };
    let contested = match races {
        true => {
            contested(&memory, &threads.iter().map(|(_, t)| &t.graph).collect::<Vec<_>>(), &shared, movers.as_ref())
        }
        false => Ok(vec![Contested::new(); threads.len()]),
    };
    let contested = contested.map_err(refusal)?;
    let violations: Vec<HashMap<NodeId, NodeId>> = match config.goal {
        Goal::Violations => {
            threads.iter_mut().map(|(_, thread)| violations(&mut thread.graph, &memory, config, &mut checked)).collect()
        }
        Goal::Visits => vec![HashMap::new(); threads.len()],
    };
    let mut raw = Vec::new();
    let mut accesses = Vec::new();
    let mut waits = Vec::new();
    let mut inputs = Vec::new();
    for (index, (_, thread)) in threads.iter().enumerate() {
        let chosen = inputs_of(&mut memory, &thread.graph);
        let context = Context {
            graph: &thread.graph,
            shared: &shared,
            movers: movers.as_ref().map(|movers| (movers, index)),
            inputs: &chosen,
            violations: &violations[index],
            contested: &contested[index],
            owner,
            id: thread.id,
            fusion,
            endings: &endings,
            passed: &passed,
            goal: config.goal,
        };
        let fused = fuse(&context).map_err(refusal)?;
        raw.push(guarded(fused.transitions, owner, &memory));
        let chosen = chosen.values().filter_map(|t| t.as_var()).collect::<BTreeSet<VarId>>();
        refuse_choices(&fused.accesses, &chosen)?;
        refuse_waits(&fused.waits, &chosen)?;
        accesses.push(fused.accesses.iter().flat_map(|access| split_access(access, &memory)).collect::<Vec<_>>());
        waits.push(fused.waits.iter().flat_map(|wait| split_wait(wait, &memory)).collect::<Vec<_>>());
        inputs.push(chosen);
    }
    for (index, (_, thread)) in threads.iter().enumerate() {
        let said = (accesses[index].as_mut_slice(), waits[index].as_mut_slice());
        propagate_copies(thread.graph.resolve(thread.graph.entry), &mut raw[index], said, (&memory, &shared));
    }
    let look = |(accesses, waits): (&Vec<RawAccess>, &Vec<RawWait>)| -> Vec<Look> {
        let accesses = accesses.iter().map(|access| (access.source, access.reads().collect()));
        accesses.chain(waits.iter().map(|wait| (wait.source, wait.reads().collect()))).collect()
    };
    let looks: Vec<Vec<Look>> = accesses.iter().zip(&waits).map(look).collect();
    drop_dead_updates(&mut raw, &looks, &memory, &shared);
    let mut owners = owners(&memory, &raw, &looks, &inputs);
    for var in declared.into_iter().chain(observed.iter().flat_map(|term| term.vars())) {
        owners.entry(var).or_insert(Owner::Global);
    }
    let nodes = threads.iter().flat_map(|(_, thread)| &thread.graph.nodes);
    let unmodelled = nodes.filter_map(|node| match node.kind {
        NodeKind::Unfollowed(what) => Some((node.span, what)),
        _ => None,
    });
    let unmodelled = unmodelled.collect();
    let raw = Raw { transitions: raw, accesses, waits, inputs, tolerated: config.unasked.clone() };
    let contests = contests(&memory, &raw.accesses);
    let astray = if config.asks(Property::ValidDeref) { Astray::Wraps } else { Astray::Ends };
    let deadlock = deadlocks.then(|| deadlock_claim(&threads)).flatten();
    let (program, Marked { sections, calls }) =
        number(&memory, &threads, raw, &owners, files, (&templates, astray), deadlock)?;
    let ids = numbering(&memory, &owners).1;
    let program = program.observing(observed.iter().map(|term| renamed(*term, &ids)).collect());
    let names = crate::naming::names(&memory, &owners, &threads);
    let offsets =
        memory.offsets().into_iter().filter_map(|(var, bytes)| Some((names.get(&var)?.clone(), bytes))).collect();
    let identities = threads.iter().map(|(_, thread)| thread.id.as_int());
    let legend = Legend { calls, ..Legend::of(&memory, &names, identities) };
    let (endings, passed) = (endings.into_inner(), passed.into_inner());
    Ok(Finished { program, endings, passed, offsets, unmodelled, sections, legend, checked, contests, deadlock })
}

/// For each step that is claimed to be defined, where control goes if it is not.
fn violations(
    graph: &mut Graph,
    memory: &Memory,
    config: &Config,
    checked: &mut BTreeMap<ClaimId, UbKind>,
) -> HashMap<NodeId, NodeId> {
    let mut violations = HashMap::new();
    let tells_freed = |var: VarId| memory.cell(var).kind == VarKind::Control(Bookkeeping::Freed);
    for at in graph.reachable() {
        let span = graph.node(at).span;
        let NodeKind::Step(Step::Check(cond, kind), _) = graph.node(at).kind else { continue };
        if let Some(id) = asked(kind, span, config) {
            checked.insert(id, kind);
            let error = graph.push(NodeKind::Error(id.property), span);
            graph.calls.put_beside(error, at);
            violations.insert(at, error);
        } else if config.reuse == Reuse::Excluded && cond.vars().into_iter().any(tells_freed) {
            let what = "use of a pointer to freed memory, which may be in use again";
            violations.insert(at, graph.push(NodeKind::Unfollowed(what), span));
        }
    }
    violations
}

/// What accesses touch, by their places: of several at one place, writes first.
fn contests(memory: &Memory, accesses: &[Vec<RawAccess>]) -> BTreeMap<Span, Contest> {
    let mut all: Vec<&RawAccess> = accesses.iter().flatten().collect();
    all.sort_by_key(|access| (!access.writes, access.var));
    let mut found = BTreeMap::new();
    for access in all {
        let cell = memory.cell(access.var);
        let freed = cell.kind == VarKind::Control(Bookkeeping::Freed);
        let kind = match (access.writes, access.atomic) {
            (true, _) if freed => "free",
            (true, false) => "write",
            (true, true) => "atomic write",
            (false, false) => "read",
            (false, true) => "atomic read",
        };
        let contest = || Contest { name: cell.name.clone(), kind: kind.into() };
        // That a block is there is looked at with each access to it.
        if freed && !access.writes {
            continue;
        }
        found.entry(access.span).or_insert_with(contest);
    }
    found
}

/// Whether an access is about to be made must not depend on what is chosen in the same step.
fn refuse_choices(accesses: &[RawAccess], chosen: &BTreeSet<VarId>) -> Result<(), Failure> {
    match accesses.iter().find(|access| access.reads().any(|var| chosen.contains(&var))) {
        Some(access) => {
            Err(refusal((access.span, "an access in an atomic section that depends on a choice in it".into())))
        }
        None => Ok(()),
    }
}

/// Nor whether a thread waits, in a section of which others see nothing but its end.
fn refuse_waits(waits: &[RawWait], chosen: &BTreeSet<VarId>) -> Result<(), Failure> {
    for wait in waits {
        if wait.in_owned_section {
            return Err(refusal((
                wait.span,
                "waiting in an atomic section with loops, where deadlocks are looked for".into(),
            )));
        }
        if wait.reads().any(|var| chosen.contains(&var)) {
            return Err(refusal((wait.span, "waiting in an atomic section that depends on a choice in it".into())));
        }
    }
    Ok(())
}

/// A wait whose conditions are literals.
fn split_wait(wait: &RawWait, memory: &Memory) -> Vec<RawWait> {
    split_guard(&wait.when, memory).into_iter().map(|when| RawWait { when, ..wait.clone() }).collect()
}

/// An access whose conditions are literals.
fn split_access(access: &RawAccess, memory: &Memory) -> Vec<RawAccess> {
    let guards = split_guard(&access.when, memory);
    guards.into_iter().map(|when| RawAccess { when, ..access.clone() }).collect()
}

/// Lets runs stop before each step that is claimed to be defined.
fn visit_checks(graph: &mut Graph, memory: &mut Memory, config: &Config, checked: &mut BTreeMap<ClaimId, UbKind>) {
    for at in graph.reachable() {
        if let NodeKind::Step(Step::Check(_, kind), _) = graph.node(at).kind
            && let Some(id) = asked(kind, graph.node(at).span, config)
        {
            checked.insert(id, kind);
            visit_step(graph, memory, at, id.property);
        }
    }
}

fn refusal((span, what): (Span, String)) -> Failure {
    Diagnostic::new(Code::Unsupported, what).at(span).into()
}

/// A local that comes to life once only need not be made arbitrary: it is, from the start.
fn drop_first_havocs(graph: &mut Graph, memory: &Memory) {
    for id in graph.reachable() {
        let NodeKind::Step(Step::Havoc(var), next) = graph.node(id).kind else { continue };
        let cell = memory.cell(var);
        let is_birth = graph.node(id).manner == Manner::Birth;
        if cell.kind == VarKind::Temporary || cell.init != Init::Arbitrary || !is_birth {
            continue;
        }
        if !graph.reachable_from([next]).contains(&id) {
            graph.nodes[id.0 as usize].kind = NodeKind::Skip(next);
        }
    }
}

/// Whether several threads touch a variable, by index.
fn shared(memory: &Memory, threads: &[(usize, LoweredThread)]) -> Vec<bool> {
    let mut first: Vec<Option<usize>> = vec![None; memory.cells.len()];
    let mut shared = vec![false; memory.cells.len()];
    for (number, thread) in threads {
        for id in thread.graph.reachable() {
            let node = thread.graph.node(id);
            let vars = node.terms().into_iter().flat_map(Term::vars).chain(node.writes());
            for var in vars.filter(|var| !memory.cell(*var).rigid) {
                let slot = &mut first[var.0 as usize];
                match slot {
                    None => *slot = Some(*number),
                    Some(other) if other != number => shared[var.0 as usize] = true,
                    Some(_) => {}
                }
            }
        }
    }
    shared
}

/// The variable that says who is in an atomic section, if some section needs it.
fn ownership(memory: &mut Memory, threads: &[(usize, LoweredThread)]) -> Result<Ownership, Failure> {
    let mut needed = false;
    for (_, thread) in threads {
        needed |= needs_owner(&thread.graph).map_err(refusal)?;
    }
    if !needed {
        return Ok(Ownership::None);
    }
    let named = Named {
        name: "owner(atomic)",
        span: Span::default(),
        kind: VarKind::Control(Bookkeeping::AtomicSection),
        private: false,
    };
    Ok(Ownership::By(memory.scalar(&named, IntType::new(32, true), Init::Value(Term::int(0)))))
}

/// How steps commute. Conditions that are known to hold are dropped from the graphs.
fn movers(
    threads: &mut [(usize, LoweredThread)],
    births: &[Option<Birth>],
    shared: &[bool],
    unseen: Vec<BTreeSet<NodeId>>,
) -> Result<Movers, Failure> {
    let views: Vec<ThreadView<'_>> = threads
        .iter()
        .zip(births)
        .zip(unseen)
        .map(|(((_, thread), birth), unseen)| ThreadView {
            graph: &thread.graph,
            birth: birth.as_ref(),
            id: thread.id,
            unseen,
        })
        .collect();
    let movers = Movers::of(&views, shared).map_err(refusal)?;
    for ((_, thread), redundant) in threads.iter_mut().zip(&movers.redundant) {
        for at in redundant {
            let node = &mut thread.graph.nodes[at.0 as usize];
            if let NodeKind::Step(_, next) = node.kind {
                node.kind = NodeKind::Skip(next);
            }
        }
    }
    Ok(movers)
}

/// One input for every havoc.
fn inputs_of(memory: &mut Memory, graph: &Graph) -> HashMap<NodeId, Term> {
    let mut inputs = HashMap::new();
    for id in graph.reachable() {
        let NodeKind::Step(Step::Havoc(var), _) = graph.node(id).kind else { continue };
        let cell = memory.cell(var).clone();
        let named = Named {
            name: &format!("any_{}", cell.name),
            span: graph.node(id).span,
            kind: VarKind::Input(cell.choice),
            private: true,
        };
        let input = memory.scalar(&named, cell.ty, Init::Arbitrary);
        let slot = memory.cell_mut(input);
        (slot.sort, slot.length, slot.home) = (cell.sort, cell.length, cell.home);
        inputs.insert(id, Term::var(input, cell.sort));
    }
    inputs
}

/// Adds the wait for atomic sections, and splits guards into conjunctions of literals.
fn guarded(transitions: Vec<RawTransition>, owner: Ownership, memory: &Memory) -> Vec<RawTransition> {
    let mut out = Vec::new();
    for mut transition in transitions {
        if let (Ownership::By(owner), true) = (owner, transition.outside) {
            let free = Term::var(owner, Sort::Int).eq_to(Term::int(0));
            if !transition.guard.contains(&free) {
                transition.guard.push(free);
            }
        }
        for definedness in &mut transition.defined {
            definedness.condition = simplified(definedness.condition, memory);
        }
        transition.defined.retain(|d| d.condition.as_bool() != Some(true));
        for transition in without_choices(transition) {
            for guard in split_guard(&transition.guard, memory) {
                out.push(RawTransition { guard, ..transition.clone() });
            }
        }
    }
    out
}

/// More transitions than this are not made of one for the sake of conditional values.
const MAX_CHOICES: usize = 8;

/// `x := c ? a : b` as two transitions, one where c holds and one where it does not: guards are what the abstraction follows.
fn without_choices(transition: RawTransition) -> Vec<RawTransition> {
    let mut done = Vec::new();
    let mut open = vec![transition];
    while let Some(transition) = open.pop() {
        let terms = transition.updates.values().chain(&transition.guard).copied();
        let condition = terms.filter_map(first_choice).next();
        let Some(condition) = condition.filter(|_| done.len() + open.len() + 1 < MAX_CHOICES) else {
            done.push(transition);
            continue;
        };
        for truth in [false, true] {
            let decide = |term: Term| {
                term.rewrite(&|sub| match sub.kind() {
                    TermKind::Ite(c, then, otherwise) if *c == condition => {
                        Some(if truth { *then } else { *otherwise })
                    }
                    _ => None,
                })
            };
            let mut arm = transition.clone();
            arm.updates.values_mut().for_each(|value| *value = decide(*value));
            arm.guard.iter_mut().for_each(|guard| *guard = decide(*guard));
            arm.defined.iter_mut().for_each(|d| d.condition = decide(d.condition));
            arm.guard.push(if truth { condition } else { condition.not() });
            // A value that stays is no update.
            arm.updates.retain(|var, value| value.as_var() != Some(*var));
            open.push(arm);
        }
    }
    done
}

fn has_choice(term: Term) -> bool {
    let mut found = false;
    term.visit(&mut |sub| found |= matches!(sub.kind(), TermKind::Ite(..)));
    found
}

/// The condition of the conditional value that is met first, of those with a comparison: what is split further makes transitions
/// that overlap.
fn first_choice(term: Term) -> Option<Term> {
    let mut found = None;
    term.visit(&mut |sub| {
        if let TermKind::Ite(condition, ..) = sub.kind()
            && found.is_none()
            && matches!(condition.kind(), TermKind::Le(..) | TermKind::Eq(..))
            && !has_choice(*condition)
        {
            found = Some(*condition);
        }
    });
    found
}

/// Who may write each variable that the transitions mention.
fn owners(
    memory: &Memory,
    raw: &[Vec<RawTransition>],
    looks: &[Vec<Look>],
    inputs: &[BTreeSet<VarId>],
) -> BTreeMap<VarId, Owner> {
    let mut users: BTreeMap<VarId, BTreeSet<usize>> = BTreeMap::new();
    for (index, transitions) in raw.iter().enumerate() {
        for transition in transitions {
            for var in mentioned(transition) {
                users.entry(var).or_default().insert(index);
            }
        }
    }
    for (index, (_, vars)) in looks.iter().enumerate().flat_map(|(index, all)| all.iter().map(move |a| (index, a))) {
        for var in vars {
            users.entry(*var).or_default().insert(index);
        }
    }
    let thread = |index: usize| ThreadId(program::number(index));
    let owner = |var: VarId, users: BTreeSet<usize>| match users.first() {
        Some(only) if inputs[*only].contains(&var) => Owner::Input(thread(*only)),
        Some(only) if users.len() == 1 && memory.cell(var).address.is_none() => Owner::Local(thread(*only)),
        _ => Owner::Global,
    };
    users.into_iter().map(|(var, users)| (var, owner(var, users))).collect()
}

fn mentioned(transition: &RawTransition) -> BTreeSet<VarId> {
    let terms = transition.guard.iter().chain(transition.updates.values()).copied();
    let terms = terms.chain(transition.defined.iter().map(|d| d.condition));
    terms.flat_map(Term::vars).chain(transition.updates.keys().copied()).collect()
}

/// The order of variables, and their numbers in it.
fn numbering(memory: &Memory, owners: &BTreeMap<VarId, Owner>) -> (Vec<VarId>, HashMap<VarId, VarId>) {
    let mut order: Vec<VarId> = owners.keys().copied().collect();
    order.sort_by_key(|var| (owners[var], memory.cell(*var).kind.rank(), *var));
    let ids = (0u32..).zip(&order).map(|(index, var)| (*var, VarId(index))).collect();
    (order, ids)
}

fn renamed(term: Term, ids: &HashMap<VarId, VarId>) -> Term {
    term.substitute(&|var, sort| ids.get(&var).map(|id| Term::var(*id, sort)))
}

fn number(
    memory: &Memory,
    threads: &[(usize, LoweredThread)],
    raw: Raw,
    owners: &BTreeMap<VarId, Owner>,
    files: Vec<String>,
    (copies, astray): (&[Copies], Astray),
    deadlock: Option<ClaimId>,
) -> Result<(Program, Marked), Failure> {
    let names = crate::naming::names(memory, owners, threads);
    let (order, ids) = numbering(memory, owners);
    let vars: Vec<Var> = order
        .iter()
        .map(|var| {
            let cell = memory.cell(*var);
            Var {
                name: names[var].clone(),
                sort: cell.sort,
                owner: owners[var],
                kind: cell.kind,
                ty: cell.ty,
                length: cell.length,
                init: cell.init,
                span: cell.span,
            }
        })
        .collect();
    let templates = templates(threads, copies, &ids);
    let numbered = threads
        .iter()
        .zip(raw.transitions)
        .zip(&raw.inputs)
        .map(|(((_, lowered), transitions), inputs)| number_thread(lowered, transitions, inputs, &ids));
    let numbered: Vec<Numbered> = numbered.collect();
    let runs = memory.runs();
    let accesses = numbered.iter().zip(&raw.accesses);
    let accesses = accesses.map(|(thread, raw)| thread.accesses(raw, &ids, &runs)).collect();
    let waits: Vec<Vec<program::Wait>> =
        numbered.iter().zip(&raw.waits).map(|(thread, raw)| thread.waits(raw, &ids)).collect();
    let thread_ids: Vec<Term> = threads.iter().map(|(_, thread)| thread.id).collect();
    let marked = Marked::of(&numbered);
    let mut threads: Vec<Thread> = numbered.into_iter().map(|numbered| numbered.thread).collect();
    ranges::keep(&vars, &mut threads, memory.pointer_type(), astray);
    align(&vars, &mut threads, &templates);
    let program = Program::new(files, vars, threads)
        .map_err(|malformed| Failure::from(Diagnostic::new(Code::Internal, malformed.to_string())))?;
    let program = with_templates(program, templates, copies).map(Program::with_shares)?;
    let program = program
        .with_accesses(accesses, raw.tolerated)
        .map_err(|malformed| Failure::from(Diagnostic::new(Code::Internal, malformed.to_string())))?;
    let program = match deadlock {
        Some(claim) => with_waits(program, waits, &thread_ids, claim)?,
        None => program,
    };
    Ok((program, marked))
}

/// That the threads do not deadlock: a claim about all of them, at the place of the first.
fn deadlock_claim(threads: &[(usize, LoweredThread)]) -> Option<ClaimId> {
    threads.first().map(|(_, first)| ClaimId::new(Property::NoDeadlock, first.span))
}

/// The program that claims that its threads do not deadlock.
fn with_waits(
    program: Program,
    waits: Vec<Vec<program::Wait>>,
    ids: &[Term],
    claim: ClaimId,
) -> Result<Program, Failure> {
    let template = program.templates().first().map(|template| program.thread(template.copies[0]).span);
    match program.with_waits(waits, ids, claim) {
        Ok(Ok(program)) => Ok(program),
        Ok(Err(untold)) => Err(refusal((template.unwrap_or(claim.span), untold.to_string()))),
        Err(malformed) => Err(Diagnostic::new(Code::Internal, malformed.to_string()).into()),
    }
}

/// What is known of locations besides what the Program says.
struct Marked {
    /// Where threads enter the text's atomic sections.
    sections: BTreeSet<(ThreadId, LocationId)>,
    /// The calls around errors.
    calls: BTreeMap<(ThreadId, LocationId), Vec<Inlined>>,
}

impl Marked {
    fn of(numbered: &[Numbered]) -> Marked {
        let all = || (0..).map(ThreadId).zip(numbered);
        let sections = all().flat_map(|(id, thread)| thread.sections.iter().map(move |at| (id, *at))).collect();
        let calls =
            all().flat_map(|(id, thread)| thread.calls.iter().map(move |(at, calls)| ((id, *at), calls.clone())));
        Marked { sections, calls: calls.collect() }
    }
}

/// A thread, where it enters the text's atomic sections, the calls around its errors, and which of its locations nodes are.
struct Numbered {
    thread: Thread,
    sections: Vec<LocationId>,
    calls: Vec<(LocationId, Vec<Inlined>)>,
    locations: HashMap<NodeId, LocationId>,
}

impl Numbered {
    fn accesses(
        &self,
        raw: &[RawAccess],
        ids: &HashMap<VarId, VarId>,
        runs: &HashMap<VarId, VarId>,
    ) -> Vec<program::Access> {
        let rename = |term: Term| renamed(term, ids);
        let numbered = |access: &RawAccess| {
            Some(program::Access {
                location: *self.locations.get(&access.source)?,
                when: access.when.iter().map(|term| rename(*term)).collect(),
                object: runs.get(&access.var).unwrap_or(&access.var).0,
                index: access.index.map(rename),
                writes: access.writes,
                atomic: access.atomic,
                in_section: access.in_section,
                span: access.span,
                calls: access.calls.clone(),
            })
        };
        raw.iter().filter_map(numbered).collect()
    }
}

impl Numbered {
    fn waits(&self, raw: &[RawWait], ids: &HashMap<VarId, VarId>) -> Vec<program::Wait> {
        let rename = |term: Term| term.substitute(&|var, sort| ids.get(&var).map(|id| Term::var(*id, sort)));
        let numbered = |wait: &RawWait| {
            Some(program::Wait {
                location: *self.locations.get(&wait.source)?,
                when: wait.when.iter().map(|term| rename(*term)).collect(),
                holder: wait.holder.map(rename),
                subject: rename(wait.subject),
                kind: wait.kind,
                span: wait.span,
            })
        };
        raw.iter().filter_map(numbered).collect()
    }
}

/// A thread with numbers for its variables and locations.
fn number_thread(
    lowered: &LoweredThread,
    raw: Vec<RawTransition>,
    inputs: &BTreeSet<VarId>,
    ids: &HashMap<VarId, VarId>,
) -> Numbered {
    let mut locations: Vec<Location> = Vec::new();
    let mut known: HashMap<NodeId, LocationId> = HashMap::new();
    let mut locate = |node: NodeId| {
        *known.entry(node).or_insert_with(|| {
            let kind = match lowered.graph.node(node).kind {
                NodeKind::Error(property) => LocationKind::Error(property),
                NodeKind::Unfollowed(_) => LocationKind::Unmodelled,
                NodeKind::End => LocationKind::End,
                _ => LocationKind::Plain,
            };
            locations.push(Location { kind, span: lowered.graph.node(node).span });
            LocationId(program::number(locations.len() - 1))
        })
    };
    let entry = locate(lowered.graph.resolve(lowered.graph.entry));
    let rename = |term: Term| renamed(term, ids);
    let mut transitions: Vec<Transition> = Vec::new();
    for t in raw {
        let used: Vec<VarId> = mentioned(&t).into_iter().filter(|v| inputs.contains(v)).collect();
        let transition = Transition {
            source: locate(t.source),
            target: locate(t.target),
            inputs: used.iter().filter_map(|v| ids.get(v).copied()).collect(),
            guard: t.guard.iter().map(|g| rename(*g)).collect(),
            updates: t.updates.iter().filter_map(|(v, value)| Some((*ids.get(v)?, rename(*value)))).collect(),
            defined: t.defined.iter().map(|d| program::Definedness { condition: rename(d.condition), ..*d }).collect(),
            span: t.span,
        };
        if !transitions.contains(&transition) {
            transitions.push(transition);
        }
    }
    transitions.sort_by_key(|t| t.source);
    let sections = lowered.graph.sections.iter().filter_map(|node| known.get(node).copied()).collect();
    let errors = known.keys().copied().filter(|node| matches!(lowered.graph.node(*node).kind, NodeKind::Error(_)));
    let calls = lowered.graph.calls_around(errors).into_iter();
    let calls = calls.filter_map(|(node, calls)| Some((*known.get(&node)?, calls))).collect();
    let thread = Thread { name: lowered.name.clone(), entry, locations, transitions, span: lowered.span };
    Numbered { thread, sections, calls, locations: known }
}
