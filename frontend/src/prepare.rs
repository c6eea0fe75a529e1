//! Between lowering and fusion: pointers and joins resolved, addresses made numbers, constant decisions taken, arrays with
//! constant indices split, threads that nobody starts dropped, unmodelled constructs reported.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Bookkeeping, Init, IntType, Property, Sort, Span, Term, TermKind, VarId, VarKind};

use crate::addresses::{Observed, initialise, place};
use crate::cfg::{Await, Graph, NodeId, NodeKind, Purpose, Step};
use crate::claims::asked;
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::escape::{Publication, publications};
use crate::finish::Endings;
use crate::hir::FunctionId;
use crate::ids::{are_reusable, reuse};
use crate::leaks::{Around, check_leaks};
use crate::lives::{drop_unwatched, mortal, refuse_stale};
use crate::lower::population::{Family, handles};
use crate::lower::{Argument, Config, Halt, Instance, Lowered, LoweredThread, Signal, Site, Touch};
use crate::memory::{Memory, Named, ObjectId};
use crate::points_to::PointsTo;
use crate::resolve::{
    Candidate, Joinable, Misuse, Resolver, Results, Unknown, Waiting, freed_objects, resolve_accesses, resolve_joins,
};
use crate::reuse::{Heap, Plan, Reuse, reuse as reuse_blocks};
use crate::uninitialised::check_reads;
use crate::visits::Goal;

/// Everything the fusion needs.
pub(crate) struct Prepared {
    pub(crate) memory: Memory,
    /// The threads that can run; the number in the lowering of each.
    pub(crate) threads: Vec<(usize, LoweredThread)>,
    /// How each of them comes to run; nothing for those that run from the start.
    pub(crate) births: Vec<Option<Birth>>,
    /// Cells that are part of the state even if nothing touches them.
    pub(crate) declared: Vec<VarId>,
    /// What is observed, over the cells of globals.
    pub(crate) observed: Vec<Term>,
    /// Where addresses of threads' own objects are stored.
    pub(crate) publications: Vec<Publication>,
    /// Where undefined behaviour ends whatever comes there.
    pub(crate) endings: Endings,
    /// Threads of which there may be any number, by the numbers of their copies; none if they are counted.
    pub(crate) templates: Vec<Copies>,
    /// Whether somebody asks for the result of a thread.
    pub(crate) joined: bool,
    /// A join that waits for threads which are counted.
    pub(crate) counted_join: Option<Span>,
    /// How many threads run each function that is not one of those.
    pub(crate) created: BTreeMap<FunctionId, usize>,
    /// A memory order weaker than sequential consistency.
    pub(crate) weak_order: Option<Span>,
    /// The first place that destroys a synchronisation object or detaches a thread.
    pub(crate) given_up: Option<Span>,
    /// The first calls of functions without a body of which nothing is known but their type.
    pub(crate) bodiless: BTreeMap<String, Span>,
    /// The first place that allocates.
    pub(crate) allocation: Option<Span>,
    /// A place that allocates what may be lost, for all that is known.
    pub(crate) undecided: Option<Span>,
    /// A place that may get memory which has been used before, if that is not modelled.
    pub(crate) not_reused: Option<Span>,
    /// Whether memory may be used again, but nobody notices who does not dereference a pointer to freed memory.
    pub(crate) excludable: bool,
    /// The first place that compares the address of a local with that of another object.
    pub(crate) compared_local: Option<Span>,
}

/// The copies of a thread of which there may be any number.
pub(crate) struct Copies {
    /// The function's name.
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Their numbers in the lowering.
    pub(crate) numbers: Vec<usize>,
    /// Where each leaves its result. Nobody knows when, so it is no one else's variable.
    pub(crate) results: Vec<VarId>,
}

impl Prepared {
    /// The first place that creates a thread.
    pub(crate) fn first_creation(&self) -> Option<Span> {
        let birth = self.births.iter().flatten().next()?;
        let (creator, site) = birth.sites.first()?;
        Some(self.threads[*creator].1.graph.node(*site).span)
    }
}

/// How a thread comes to run, and ends.
#[derive(Clone, Debug)]
pub(crate) struct Birth {
    /// Who starts it, as an index into the threads that can run, and where.
    pub(crate) sites: Vec<(usize, NodeId)>,
    /// What it looks at before it runs.
    pub(crate) signals: Vec<VarId>,
    /// What tells that it has ended, if anything does.
    pub(crate) ended: Option<VarId>,
}

pub(crate) fn prepare(lowered: Lowered, unit: &crate::hir::Unit, config: &Config) -> Result<Prepared, Halt> {
    let Lowered {
        mut memory,
        mut threads,
        instances,
        families,
        sites,
        foreign,
        dispatches,
        root_named,
        mut declared,
        observed: looked_at,
        heap,
        mut touched,
        texts,
        single,
        deleted_key,
        life_steps,
        unwritten,
        leaks,
        weak_order,
        given_up,
        bodiless,
        ..
    } = lowered;
    let opaque = memory.opaque(unit);
    let results: Vec<VarId> = instances.iter().filter_map(|i| i.control.as_ref()).map(|c| c.result).collect();
    let graphs: Vec<&Graph> = threads.iter().map(|t| &t.graph).collect();
    let copies = families.iter().filter(|family| family.handles.is_some()).flat_map(|family| &family.members);
    let ids: BTreeSet<VarId> = copies.filter_map(|member| instances[*member].id.as_var()).collect();
    let mut points_to = PointsTo::of(&memory, &graphs, &foreign, opaque, &results);
    let is_copy = |number: usize| families.iter().any(|f| f.handles.is_some() && f.members.contains(&number));
    let (obtained, guards) = (&heap.obtained, &heap.guards);
    let mut plan = Heap {
        memory: &memory,
        points_to: &points_to,
        graphs: &graphs,
        obtained,
        guards,
        sites: &sites,
        any_number: &is_copy,
    }
    .plan();
    let mut not_reused = plan.left_out;
    // Threads of any number are alike, whatever memory they get: that is not modelled.
    let any_number = (0..threads.len()).any(is_copy);
    let excludable = plan.is_needed() && !plan.compares && !any_number;
    match config.reuse {
        Reuse::Modelled if !any_number => {}
        Reuse::Never | Reuse::Modelled => {
            not_reused = not_reused.or_else(|| plan.choices.keys().map(|k| obtained[*k].span).min())
        }
        Reuse::Excluded if excludable => not_reused = None,
        Reuse::Excluded => {
            return Err(Diagnostic::new(Code::Unsupported, "comparison of pointers to freed memory").into());
        }
    }
    if config.reuse != Reuse::Modelled || any_number {
        plan = Plan::default();
    }
    let is_new = |span: &Span| !config.reused.contains(span);
    let concerned = obtained.iter().filter(|obtained| plan.objects.contains(&obtained.object));
    let places: BTreeSet<Span> = concerned.map(|obtained| obtained.span).filter(is_new).collect();
    if !places.is_empty() {
        return Err(Halt::Reused(places));
    }
    if !plan.choices.is_empty() {
        reuse_blocks(&mut memory, &mut threads, obtained, &plan);
        let graphs: Vec<&Graph> = threads.iter().map(|t| &t.graph).collect();
        points_to = PointsTo::of(&memory, &graphs, &foreign, opaque, &results);
    }
    let graphs: Vec<&Graph> = threads.iter().map(|t| &t.graph).collect();
    let observed = Observed::of(&memory, &points_to, &graphs, &ids);
    let reused = observed.ids.filter(|_| are_reusable(&threads, &sites));
    // A thread's may be used again as soon as it has ended, whether anybody has joined it or not.
    let successive = instances.iter().filter(|instance| instance.control.is_some()).count() > 1;
    let refused = [
        (observed.tasks.filter(|_| successive), "comparison of the kernel's ids of threads, which may be used again"),
        (
            reused.filter(|_| !ids.is_empty()),
            "ids, which may be used again, of threads of which there may be any number",
        ),
        (
            observed.keys.filter(|_| deleted_key.is_some()),
            "comparison of keys, of which some are deleted and may be used again",
        ),
    ];
    for (span, what) in refused {
        if let Some(span) = span {
            return Err(Diagnostic::new(Code::Unsupported, what).at(span).into());
        }
    }
    refuse_stale(&memory, &points_to, &threads, &life_steps, &results)?;
    let mortal = mortal(&memory, &threads, &life_steps);
    let freed = freed_objects(&memory, &points_to, &graphs);
    // Where blocks are is looked at: that two which are never alive together may be in one place is not modelled.
    let not_reused = not_reused.or_else(|| freed.iter().find_map(|object| observed.objects.get(object).copied()));
    for (number, node) in dispatches {
        prune_dispatch(&mut threads[number].graph, node, &memory, &points_to);
    }
    for guard in heap.guards.iter().filter(|guard| !freed.contains(&guard.object)) {
        guard.nodes.iter().for_each(|node| skip(&mut threads[guard.thread].graph, *node));
    }
    let publications = publications(&memory, &points_to, &threads, &instances, &sites);
    let roots: Vec<usize> = (0..threads.len()).filter(|number| instances[*number].control.is_none()).collect();
    let mut addresses = place(&mut memory, &mut threads, &roots, &observed, &is_copy)?;
    let lives = match reused {
        Some(_) => reuse(&mut memory, &mut threads, &instances, &sites, &mut addresses),
        None => BTreeMap::new(),
    };
    let misuse = if config.asks(Property::NoMisuse) { Misuse::Undefined } else { Misuse::Allowed };
    let waiting = if config.asks(Property::NoDeadlock) { Waiting::Told } else { Waiting::Untold };
    let claimed: Vec<VarId> = match misuse {
        Misuse::Allowed => Vec::new(),
        Misuse::Undefined => instances.iter().map(|instance| claim_flag(&mut memory, unit, instance)).collect(),
    };
    let resolver = Resolver { memory: &memory, points_to: &points_to, freed: &freed, mortal: &mortal };
    let templates: Vec<Copies> = families
        .iter()
        .filter_map(|family| {
            let function = &unit.functions[family.function.0 as usize];
            let copy =
                |number: &usize| instances[*number].control.as_ref().filter(|c| c.ended.is_none()).map(|c| c.result);
            let results: Vec<VarId> = family.members.iter().filter_map(copy).collect();
            let (name, numbers) = (function.name.clone(), family.members.clone());
            (!results.is_empty()).then_some(Copies { name, span: function.span, numbers, results })
        })
        .collect();
    let nodes = threads.iter().flat_map(|thread| &thread.graph.nodes);
    let joins = nodes.filter_map(|node| match &node.kind {
        NodeKind::Step(Step::Await(wait), _) => Some((wait, node.span)),
        _ => None,
    });
    let joins: Vec<(&Await, Span)> = joins.collect();
    let joined = joins.iter().any(|(wait, _)| wait.result().is_some());
    let waits = joins.iter().filter(|(wait, _)| wait.purpose != Purpose::Detach);
    let detached = joins.iter().find(|(wait, _)| wait.purpose == Purpose::Detach).map(|(_, span)| *span);
    let first_join = waits.map(|(_, span)| *span).min();
    let counted = |(index, family): (usize, &Family)| {
        let control = instances[*family.members.first()?].control.as_ref()?;
        Some(Joinable { members: family.members.clone(), handles: handles(index), unjoined: control.unjoined? })
    };
    let counted: Vec<_> = families.iter().enumerate().filter_map(counted).collect();
    let unknown = match (templates.is_empty(), counted.is_empty()) {
        (true, _) if families.iter().any(|family| family.idle.is_some()) => Unknown::Idle,
        (true, _) => Unknown::Missing,
        (_, true) => Unknown::Instance(templates.iter().flat_map(|copies| copies.numbers.clone()).collect()),
        _ => Unknown::Counted(counted),
    };
    let counted_join = first_join.filter(|_| matches!(unknown, Unknown::Counted(_)));
    for (number, thread) in threads.iter_mut().enumerate() {
        let used = resolve_accesses(&mut thread.graph, &resolver);
        touched.extend(used.into_iter().map(|(node, object, leaf)| (number, node, object, leaf)));
        let others = instances.iter().enumerate();
        let others = others.filter(|(_, i)| root_named || i.control.is_some());
        let candidate = |(number, instance)| Candidate {
            instance,
            life: lives.get(&number),
            claimed: claimed.get(number).copied(),
            results: if config.follows_chains() { Results::Forgotten } else { Results::Stay },
        };
        let others: Vec<Candidate<'_>> = others.map(candidate).collect();
        resolve_joins((number, thread), &memory, &others, &unknown, (misuse, waiting));
    }
    drop_unwatched(&memory, &mut threads, &life_steps);
    number_addresses(&mut memory, &mut threads, &addresses);
    initialise(&mut memory, &mut threads, &roots)?;
    if config.asks(Property::NoUninitialisedRead) {
        check_reads(&mut memory, &mut threads, &unwritten)?;
    }
    let around = Around { results: &results, any_number: !families.is_empty(), detached };
    let undecided = check_leaks(&mut memory, &mut threads, &points_to, &leaks, config, &addresses, &around)?;
    let endings = end_undefined(&mut threads, config);
    let whole = looked_at.iter().flat_map(|term| term.vars()).collect();
    let split = split_arrays(&mut memory, &mut threads, &whole);
    declared.retain(|var| !split.contains(var));
    let reachable: Vec<BTreeSet<NodeId>> = threads.iter().map(|t| t.graph.reachable().into_iter().collect()).collect();
    let sites: Vec<(usize, Site)> =
        sites.into_iter().filter(|(_, (creator, site))| reachable[*creator].contains(site)).collect();
    let running = running(&instances, &sites);
    let kept: Vec<(usize, LoweredThread)> = threads.into_iter().enumerate().filter(|(n, _)| running[*n]).collect();
    let position = |number: usize| kept.iter().position(|(n, _)| *n == number);
    let births: Vec<Option<Birth>> = kept
        .iter()
        .map(|(number, _)| {
            let control = instances[*number].control.as_ref()?;
            let own = sites.iter().filter(|(child, _)| child == number);
            let sites = own.filter_map(|(_, (creator, site))| Some((position(*creator)?, *site))).collect();
            let mut signals = vec![control.started];
            if let (Signal::Taken, Argument::Given(place)) = (control.signal, control.argument) {
                signals.push(place);
            }
            Some(Birth { sites, signals, ended: control.ended })
        })
        .collect();
    let is_member = |number: usize| families.iter().any(|family| family.members.contains(&number));
    for (number, thread) in &kept {
        let own = sites.iter().filter(|(_, (creator, _))| creator == number);
        let mut single_sites = BTreeMap::new();
        for (child, (_, site)) in own {
            if !is_member(*child) {
                let instance = &instances[*child];
                single_sites.insert(*site, instance.fragment.is_none().then_some(instance.function));
            } else if instances[*child].control.as_ref().is_some_and(|c| c.signal == Signal::Taken) {
                refuse_nested(&thread.graph, *site)?;
            }
        }
        let single = single.iter().filter(|(thread, _)| thread == number).map(|(_, node)| *node);
        refuse(thread, &single_sites, &single.collect())?;
        let once = heap.once.iter().filter(|(thread, _)| thread == number);
        refuse_loops(&thread.graph, once.map(|(_, node)| *node))?;
    }
    refuse_rivals(&memory, &kept, &touched)?;
    refuse_texts(&memory, &kept, texts)?;
    let mut created = BTreeMap::new();
    let single = kept.iter().map(|(number, _)| *number).filter(|number| !is_member(*number));
    for instance in single.map(|number| &instances[number]).filter(|i| i.control.is_some() && i.fragment.is_none()) {
        *created.entry(instance.function).or_default() += 1;
    }
    let mut templates = templates;
    templates.retain(|copies| copies.numbers.iter().all(|number| running[*number]));
    let allocation = heap.first;
    Ok(Prepared {
        memory,
        threads: kept,
        births,
        declared,
        observed: looked_at,
        endings,
        publications,
        templates,
        joined,
        counted_join,
        created,
        weak_order,
        given_up,
        bodiless,
        allocation,
        undecided,
        not_reused,
        excludable,
        compared_local: observed.locals,
    })
}

/// Says whether somebody has joined or detached a thread.
fn claim_flag(memory: &mut Memory, unit: &crate::hir::Unit, instance: &Instance) -> VarId {
    let name = format!("claimed({})", unit.functions[instance.function.0 as usize].name);
    let kind = VarKind::Control(Bookkeeping::Other);
    let named = Named { name: &name, span: instance.span, kind, private: false };
    memory.scalar(&named, IntType::new(1, false), Init::Value(Term::int(0)))
}

/// The threads, by number, that run from the start or that a thread that runs can start.
fn running(instances: &[Instance], sites: &[(usize, Site)]) -> Vec<bool> {
    let mut running: Vec<bool> = instances.iter().map(|instance| instance.control.is_none()).collect();
    loop {
        let before = running.clone();
        for (child, (creator, _)) in sites {
            running[*child] = running[*child] || running[*creator];
        }
        if before == running {
            return running;
        }
    }
}

/// A creator that waits until a mailbox is empty must let others run.
fn refuse_nested(graph: &Graph, site: NodeId) -> Result<(), Failure> {
    let nested = crate::fuse::is_nested(graph, site)
        .map_err(|(span, what)| Failure::from(Diagnostic::new(Code::Unsupported, what).at(span)))?;
    if nested {
        let what = "creation of any number of threads with different arguments in an atomic section";
        return Err(Diagnostic::new(Code::Unsupported, what).at(graph.node(site).span).into());
    }
    Ok(())
}

/// Takes the way past a function that the pointer cannot mean.
fn prune_dispatch(graph: &mut Graph, node: NodeId, memory: &Memory, points_to: &PointsTo) {
    let NodeKind::Branch(cond, _, otherwise) = graph.node(node).kind else { return };
    let TermKind::Eq(form, _) = cond.kind() else { return };
    let (functions, pointers): (Vec<Term>, Vec<Term>) =
        form.atoms().partition(|t| t.as_var().is_some_and(|v| memory.addressed(v).is_some()));
    let ([function], [pointer]) = (functions.as_slice(), pointers.as_slice()) else { return };
    let wanted = function.as_var().and_then(|v| memory.addressed(v));
    let possible = points_to.targets(memory, *pointer).into_iter().any(|target| Some(target.object) == wanted);
    if !possible {
        graph.nodes[node.0 as usize].kind = NodeKind::Skip(otherwise);
    }
}

/// Takes a step out.
fn skip(graph: &mut Graph, node: NodeId) {
    if let NodeKind::Step(_, next) = graph.node(node).kind {
        graph.nodes[node.0 as usize].kind = NodeKind::Skip(next);
    }
}

/// An allocation that was taken to happen once must not be in a loop: those made of gotos are not always recognised.
fn refuse_loops(graph: &Graph, once: impl Iterator<Item = NodeId>) -> Result<(), Failure> {
    let reachable: BTreeSet<_> = graph.reachable().into_iter().collect();
    for site in once.filter(|site| reachable.contains(site)) {
        if graph.reachable_from(graph.node(site).successors()).contains(&site) {
            let what = "an allocation in a loop made of gotos";
            return Err(Diagnostic::new(Code::Unsupported, what).at(graph.node(site).span).into());
        }
    }
    Ok(())
}

/// What is not modelled may be copied, but nothing may depend on it.
fn refuse_texts(memory: &Memory, threads: &[(usize, LoweredThread)], texts: Vec<VarId>) -> Result<(), Failure> {
    let mut unknown = vec![false; memory.cells.len()];
    texts.iter().for_each(|var| unknown[var.0 as usize] = true);
    let mut changed = !texts.is_empty();
    while changed {
        changed = false;
        for (_, thread) in threads {
            for id in thread.graph.reachable() {
                let node = thread.graph.node(id);
                let mentions = node.terms().iter().any(|t| t.vars().iter().any(|var| unknown[var.0 as usize]));
                match (mentions, node.writes()) {
                    (false, _) => {}
                    (true, Some(var)) => changed |= !std::mem::replace(&mut unknown[var.0 as usize], true),
                    (true, None) => {
                        let what = "a decision that depends on text made by snprintf";
                        return Err(Diagnostic::new(Code::Unsupported, what).at(node.span).into());
                    }
                }
            }
        }
    }
    Ok(())
}

/// Members of a union that share bytes but cannot be converted into each other must not both be used.
fn refuse_rivals(memory: &Memory, threads: &[(usize, LoweredThread)], touched: &[Touch]) -> Result<(), Failure> {
    let mut used: BTreeMap<(ObjectId, usize), program::Span> = BTreeMap::new();
    for (number, thread) in threads {
        let reachable: BTreeSet<_> = thread.graph.reachable().into_iter().collect();
        for (_, node, object, leaf) in touched.iter().filter(|(n, node, ..)| n == number && reachable.contains(node)) {
            used.insert((*object, *leaf), thread.graph.node(*node).span);
        }
    }
    for ((object, leaf), span) in &used {
        if memory.rivals(*object, *leaf).iter().any(|rival| used.contains_key(&(*object, *rival))) {
            let what = "members of a union used as different views of the same bytes";
            return Err(Diagnostic::new(Code::Unsupported, what).at(*span).into());
        }
    }
    Ok(())
}

/// The first thing in a thread that is not modelled, in the order of control.
fn refuse(
    thread: &LoweredThread,
    sites: &BTreeMap<NodeId, Option<FunctionId>>,
    single: &BTreeSet<NodeId>,
) -> Result<(), Halt> {
    let graph = &thread.graph;
    for id in graph.reachable() {
        let node = graph.node(id);
        if let NodeKind::Unsupported(what) = &node.kind {
            return Err(Diagnostic::new(Code::Unsupported, what.clone()).at(node.span).into());
        }
        if single.contains(&id) && graph.reachable_from(node.successors()).contains(&id) {
            let what = "creation of keys for thread-specific data in a loop";
            return Err(Diagnostic::new(Code::Unsupported, what).at(node.span).into());
        }
        if let Some(function) = sites.get(&id)
            && graph.reachable_from(node.successors()).contains(&id)
        {
            return Err(Halt::Unbounded(*function, node.span));
        }
    }
    Ok(())
}

/// Replaces the symbolic addresses by their values, and decisions that have become constant by jumps.
fn number_addresses(memory: &mut Memory, threads: &mut [LoweredThread], numbers: &HashMap<VarId, Term>) {
    let number = |term: Term| term.substitute(&|var, _| numbers.get(&var).copied());
    for cell in &mut memory.cells {
        if let Init::Value(value) = cell.init {
            cell.init = Init::Value(number(value));
        }
    }
    for thread in threads.iter_mut() {
        for node in &mut thread.graph.nodes {
            node.kind = match std::mem::replace(&mut node.kind, NodeKind::Stuck) {
                NodeKind::Branch(cond, then, otherwise) => {
                    let cond = number(cond);
                    match cond.as_bool() {
                        Some(true) => NodeKind::Skip(then),
                        Some(false) => NodeKind::Skip(otherwise),
                        None => NodeKind::Branch(cond, then, otherwise),
                    }
                }
                NodeKind::Step(Step::Assign(var, term), next) => NodeKind::Step(Step::Assign(var, number(term)), next),
                NodeKind::Step(Step::Assume(cond), next) => match number(cond) {
                    cond if cond.as_bool() == Some(true) => NodeKind::Skip(next),
                    cond if cond.as_bool() == Some(false) => NodeKind::Stuck,
                    cond => NodeKind::Step(Step::Assume(cond), next),
                },
                NodeKind::Step(Step::Wait(wait), next) => NodeKind::Step(Step::Wait(wait.map(number)), next),
                NodeKind::Step(Step::Check(cond, kind), next) => match number(cond) {
                    cond if cond.as_bool() == Some(true) => NodeKind::Skip(next),
                    cond => NodeKind::Step(Step::Check(cond, kind), next),
                },
                other => other,
            };
        }
    }
}

/// A condition that is false whatever the state leads nowhere: what stands behind it is not reachable. Says where that is. One that is
/// claimed is left.
fn end_undefined(threads: &mut [LoweredThread], config: &Config) -> Endings {
    let mut endings = Vec::new();
    for thread in threads {
        for id in thread.graph.reachable() {
            let span = thread.graph.node(id).span;
            if let NodeKind::Step(Step::Check(cond, kind), _) = thread.graph.node(id).kind
                && cond.as_bool() == Some(false)
                && asked(kind, span, config).is_none()
            {
                endings.push((kind, span));
                let stuck = match config.goal {
                    Goal::Violations => NodeKind::Stuck,
                    Goal::Visits => NodeKind::Step(Step::Check(cond, kind), thread.graph.push(NodeKind::Stuck, span)),
                };
                thread.graph.nodes[id.0 as usize].kind = stuck;
            }
        }
    }
    endings
}

/// More elements than this are not worth a variable each.
const MAX_SPLIT: usize = 64;

/// Arrays that are only ever indexed by constants become one variable an element, except for those that stay whole. Says which.
fn split_arrays(memory: &mut Memory, threads: &mut [LoweredThread], whole: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut indices: BTreeMap<VarId, Option<BTreeSet<i128>>> = BTreeMap::new();
    for thread in threads.iter() {
        for id in thread.graph.reachable() {
            note_arrays(&thread.graph.node(id).kind, &mut indices);
        }
    }
    let mut elements: HashMap<(VarId, i128), VarId> = HashMap::new();
    let mut split: BTreeMap<VarId, BTreeSet<i128>> = BTreeMap::new();
    for (array, indices) in indices.into_iter().filter(|(array, _)| !whole.contains(array)) {
        let Some(indices) = indices.filter(|set| set.len() <= MAX_SPLIT) else { continue };
        for index in &indices {
            let cell = memory.cell(array).clone();
            let init = match cell.init {
                Init::Value(value) => Init::Value(value.select(Term::int(*index))),
                Init::Arbitrary => Init::Arbitrary,
            };
            let name = format!("{}[{index}]", cell.name);
            let named = Named { name: &name, span: cell.span, kind: cell.kind, private: true };
            elements.insert((array, *index), memory.scalar(&named, cell.ty, init));
        }
        split.insert(array, indices);
    }
    for thread in threads {
        for index in 0..thread.graph.nodes.len() {
            rewrite_node(&mut thread.graph, index, &split, &elements);
        }
    }
    split.into_keys().collect()
}

/// Notes the constant indices of the arrays in a node; an array used otherwise gets `None`.
fn note_arrays(kind: &NodeKind, indices: &mut BTreeMap<VarId, Option<BTreeSet<i128>>>) {
    let mut constant = |array: VarId, index: i128| {
        if let Some(set) = indices.entry(array).or_insert_with(|| Some(BTreeSet::new())) {
            set.insert(index);
        }
    };
    let mut rest: Vec<Term> = Vec::new();
    match kind {
        NodeKind::Step(Step::Assign(var, term), _) => match term.kind() {
            TermKind::Store(array, index, value) if array.as_var() == Some(*var) && index.as_int().is_some() => {
                constant(*var, index.as_int().unwrap_or(0));
                rest.push(*value);
            }
            TermKind::ConstArray(value) => {
                indices.entry(*var).or_insert_with(|| Some(BTreeSet::new()));
                rest.push(*value);
            }
            _ => match select_of(*term) {
                Some((array, index)) => constant(array, index),
                None => rest.push(*term),
            },
        },
        NodeKind::Step(Step::Assume(term) | Step::Check(term, _), _) | NodeKind::Branch(term, ..) => rest.push(*term),
        _ => {}
    }
    for term in rest {
        term.visit(&mut |t| {
            if let Some(var) = t.as_var().filter(|_| t.sort() == Sort::Array) {
                indices.insert(var, None);
            }
        });
    }
}

fn select_of(term: Term) -> Option<(VarId, i128)> {
    match term.kind() {
        TermKind::Select(array, index) => Some((array.as_var()?, index.as_int()?)),
        TermKind::Wrap(_, inner) => select_of(*inner),
        _ => None,
    }
}

fn rewrite_node(
    graph: &mut Graph,
    index: usize,
    split: &BTreeMap<VarId, BTreeSet<i128>>,
    elements: &HashMap<(VarId, i128), VarId>,
) {
    let (span, manner, count) = (graph.nodes[index].span, graph.nodes[index].manner, graph.nodes.len());
    let element = |array: VarId, index: i128| elements.get(&(array, index)).copied();
    match graph.nodes[index].kind.clone() {
        NodeKind::Step(Step::Assign(var, term), next) => {
            if let Some(indices) = split.get(&var) {
                match term.kind() {
                    TermKind::Store(_, at, value) => {
                        if let Some(cell) = at.as_int().and_then(|at| element(var, at)) {
                            graph.nodes[index].kind = NodeKind::Step(Step::Assign(cell, *value), next);
                        }
                    }
                    TermKind::ConstArray(value) => {
                        let steps = indices.iter().filter_map(|i| element(var, *i)).map(|c| Step::Assign(c, *value));
                        let start = chain(graph, steps.collect(), next, span);
                        graph.nodes[index].kind = NodeKind::Skip(start);
                    }
                    _ => {}
                }
            } else if let Some((array, at)) = select_of(term)
                && let Some(cell) = element(array, at)
            {
                let read = Term::var(cell, Sort::Int);
                let term = match term.kind() {
                    TermKind::Wrap(ty, _) => read.wrap(*ty),
                    _ => read,
                };
                graph.nodes[index].kind = NodeKind::Step(Step::Assign(var, term), next);
            }
        }
        NodeKind::Step(Step::Havoc(var), next) => {
            if let Some(indices) = split.get(&var) {
                let steps = indices.iter().filter_map(|i| element(var, *i)).map(Step::Havoc);
                let start = chain(graph, steps.collect(), next, span);
                graph.nodes[index].kind = NodeKind::Skip(start);
            }
        }
        _ => {}
    }
    graph.touch_like(count, manner);
}

fn chain(graph: &mut Graph, steps: Vec<Step>, next: NodeId, span: program::Span) -> NodeId {
    steps.into_iter().rev().fold(next, |next, step| graph.push(NodeKind::Step(step, next), span))
}
