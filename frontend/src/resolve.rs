//! Replaces what had to wait until all threads were known: accesses through pointers become case splits over their targets,
//! joins become case splits over the threads.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use program::{FIRST_IDENTITY, Holder, Span, Term, UbKind, VarId};

use crate::cfg::{Access, Await, Bytes, Graph, NodeId, NodeKind, Purpose, Step, Wait};
use crate::ids::Life;
use crate::lower::{Instance, LoweredThread};
use crate::memory::{Cells, FREED, Located, Memory, ObjectId, Shape, Storage};
use crate::points_to::{PointsTo, Target};

/// One way an access can go.
struct Case {
    /// When.
    cond: Term,
    kind: CaseKind,
}

enum CaseKind {
    /// An element of a leaf, by its number.
    Element(Found),
    /// Valid C, for all that is known, but not modelled.
    Unfollowed(&'static str),
}

/// Where an access falls.
struct Found {
    object: ObjectId,
    leaf: usize,
    number: Term,
    /// Must hold (alignment), or it is undefined.
    aligned: Term,
}

/// What to do with the place an access finds.
enum Action {
    Load(VarId),
    Store(Term),
}

/// What the resolution of accesses needs to know.
pub(crate) struct Resolver<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) points_to: &'a PointsTo,
    /// Heap objects that something may free.
    pub(crate) freed: &'a BTreeSet<ObjectId>,
    /// Locals whose lives end while the program runs.
    pub(crate) mortal: &'a BTreeSet<ObjectId>,
}

/// A use of a leaf whose bytes other members of a union see otherwise: node, object and leaf.
pub(crate) type Used = (NodeId, ObjectId, usize);

/// Resolves all pointer accesses of a graph. Says which leaves with rivals they use.
pub(crate) fn resolve_accesses(graph: &mut Graph, resolver: &Resolver) -> Vec<Used> {
    let mut used = Vec::new();
    for index in 0..graph.nodes.len() {
        let NodeKind::Step(step, next) = graph.nodes[index].kind.clone() else { continue };
        let (access, action) = match step {
            Step::Load(var, access) => (access, Action::Load(var)),
            Step::Store(access, value) => (access, Action::Store(value)),
            _ => continue,
        };
        let (span, manner, count) = (graph.nodes[index].span, graph.nodes[index].manner, graph.nodes.len());
        let cases = cases(resolver.memory, resolver.points_to, &access);
        let start = build(graph, resolver, cases, &access, &action, (next, span), &mut used);
        graph.touch_like(count, manner);
        graph.nodes[index].kind = NodeKind::Skip(start);
    }
    used
}

/// The heap objects that may be freed.
pub(crate) fn freed_objects(memory: &Memory, points_to: &PointsTo, graphs: &[&Graph]) -> BTreeSet<ObjectId> {
    let hidden: Vec<(VarId, ObjectId)> = (0u32..)
        .zip(&memory.objects)
        .filter_map(|(index, _)| memory.freed(ObjectId(index)).map(|var| (var, ObjectId(index))))
        .collect();
    let mut freed = BTreeSet::new();
    for node in graphs.iter().flat_map(|graph| &graph.nodes) {
        match &node.kind {
            NodeKind::Step(Step::Store(access, _), _) if access.shape == FREED => {
                freed.extend(points_to.targets(memory, access.address).into_iter().map(|target| target.object));
            }
            NodeKind::Step(Step::Assign(var, _), _) => {
                freed.extend(hidden.iter().filter(|(cell, _)| cell == var).map(|(_, object)| *object));
            }
            _ => {}
        }
    }
    freed
}

/// What a join does whose handle is none of the known threads'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// There is no such thread: it fails.
    Missing,
    /// It is one of these threads, of which there may be any number, if it can be the id of one and not the thread's own: they are
    /// not told apart, so nobody knows when it has ended. Otherwise it fails.
    Instance(Vec<usize>),
    /// It is one of those, if its handle is in a range, and waits until one of them has ended that nobody has joined: they are
    /// counted. If it is in none, or the thread's own, it fails.
    Counted(Vec<Joinable>),
    /// It is a thread that never moves, if it can be the id of one: who waits for it does so for ever. Otherwise it fails.
    Idle,
}

/// Threads of any number that can be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Joinable {
    /// Their copies.
    pub(crate) members: Vec<usize>,
    /// Their handles.
    pub(crate) handles: RangeInclusive<i128>,
    /// How many have ended that nobody has joined.
    pub(crate) unjoined: VarId,
}

/// A thread that a handle may name.
pub(crate) struct Candidate<'a> {
    pub(crate) instance: &'a Instance,
    /// What becomes of its id if ids are given out again.
    pub(crate) life: Option<&'a Life>,
    /// Whether somebody has joined or detached it, if that is to happen once only.
    pub(crate) claimed: Option<VarId>,
    /// Whether its result is to be found there until somebody joins it, if that matters.
    pub(crate) results: Results,
}

/// What becomes of the results of threads that have been joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Results {
    /// Nobody looks at them again.
    Stay,
    /// They are forgotten: nothing is found through them any more.
    Forgotten,
}

/// Whether threads may be named that are none, or are joined twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    /// That is answered by an error, or not noticed.
    Allowed,
    /// That is undefined behaviour.
    Undefined,
}

/// Whether it is told that threads wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Deadlocks are looked for.
    Told,
    /// Nobody asks.
    Untold,
}

/// Resolves all calls of the thread with this number that name one of these threads: joins, which wait for it, and detaches.
pub(crate) fn resolve_joins(
    (number, thread): (usize, &mut LoweredThread),
    memory: &Memory,
    instances: &[Candidate<'_>],
    unknown: &Unknown,
    (misuse, waiting): (Misuse, Waiting),
) {
    let own = thread.id;
    let graph = &mut thread.graph;
    for index in 0..graph.nodes.len() {
        let NodeKind::Step(Step::Await(wait), next) = graph.nodes[index].kind.clone() else { continue };
        let (handle, result) = (wait.handle, wait.result());
        let span = graph.nodes[index].span;
        let found = graph.push(NodeKind::Step(Step::Assign(wait.missing, Term::int(0)), next), span);
        let none = graph.push(NodeKind::Step(Step::Assign(wait.missing, Term::int(1)), next), span);
        if misuse == Misuse::Undefined && *unknown != Unknown::Missing {
            let what = "joining or detaching threads of which there may be any number, where misuse is looked for";
            graph.nodes[index].kind = NodeKind::Unsupported(what.into());
            continue;
        }
        let none = match misuse {
            Misuse::Allowed => none,
            Misuse::Undefined => {
                graph.push(NodeKind::Step(Step::Check(Term::bool(false), UbKind::Synchronisation), none), span)
            }
        };
        let joins = matches!(wait.purpose, Purpose::Join(_));
        let anything = match result {
            Some(var) if *unknown != Unknown::Missing => graph.push(NodeKind::Step(Step::Havoc(var), found), span),
            _ => found,
        };
        // Of instances it is not known which have ended: who joins one may have to wait.
        let told = |graph: &mut Graph, next: NodeId| {
            if waiting == Waiting::Untold || !joins {
                return next;
            }
            let (blocked, holder) = (Term::bool(true), Holder::Ending(handle));
            let wait = Wait { blocked, holder, subject: handle, kind: "thread" };
            graph.push(NodeKind::Step(Step::Wait(wait), next), span)
        };
        let mut start = none;
        match unknown {
            Unknown::Missing => {}
            Unknown::Idle => {
                let here = match wait.purpose {
                    Purpose::Join(_) => graph.push(NodeKind::Stuck, span),
                    Purpose::Detach => found,
                };
                start = decide(graph, Term::int(FIRST_IDENTITY).le(handle), here, start, span);
            }
            Unknown::Instance(members) => {
                let mut here = told(graph, anything);
                if members.contains(&number) {
                    here = decide(graph, handle.eq_to(own), none, here, span);
                }
                start = decide(graph, Term::int(FIRST_IDENTITY).le(handle), here, start, span);
            }
            Unknown::Counted(families) => {
                for Joinable { members, handles, unjoined } in families {
                    let left = memory.term(*unjoined);
                    let less = Step::Assign(*unjoined, left.sub(Term::int(1)));
                    let taken = graph.push(NodeKind::Step(less, anything), span);
                    let mut here = match wait.purpose {
                        Purpose::Join(_) => {
                            let ended = graph.push(NodeKind::Step(Step::Assume(Term::int(1).le(left)), taken), span);
                            told(graph, ended)
                        }
                        Purpose::Detach => found,
                    };
                    if members.contains(&number) && wait.purpose != Purpose::Detach {
                        here = decide(graph, handle.eq_to(own), none, here, span);
                    }
                    let (first, last) = (Term::int(*handles.start()), Term::int(*handles.end()));
                    start = decide(graph, Term::and([first.le(handle), handle.le(last)]), here, start, span);
                }
            }
        }
        // A thread may give itself up, but not wait for itself.
        let others = instances.iter().rev().filter(|c| wait.purpose == Purpose::Detach || c.instance.id != own);
        for candidate in others {
            let Some(here) = named(graph, memory, candidate, (&wait, waiting), found, span) else { continue };
            let mut names = vec![handle.eq_to(candidate.instance.handle)];
            names.extend(candidate.life.map(|life| life.is_held(memory)));
            start = names.into_iter().rev().fold(here, |here, cond| decide(graph, cond, here, start, span));
        }
        graph.nodes[index].kind = NodeKind::Skip(start);
    }
}

/// What a call does that names this thread; nothing if its handle is none that the program can have.
fn named(
    graph: &mut Graph,
    memory: &Memory,
    candidate: &Candidate<'_>,
    (wait, waiting): (&Await, Waiting),
    found: NodeId,
    span: Span,
) -> Option<NodeId> {
    let Candidate { instance, life, claimed, results } = candidate;
    let Some(control) = instance.control.as_ref() else {
        let what = match wait.purpose {
            Purpose::Join(_) => "joining the main thread",
            Purpose::Detach => return Some(found),
        };
        return Some(graph.push(NodeKind::Unsupported(what.into()), span));
    };
    let ended = control.ended?;
    let mut steps = Vec::new();
    // Who waits for a thread has said so before: two who wait for the same one is one too many.
    if let Some(claimed) = *claimed {
        steps.push(Step::Check(memory.term(claimed).eq_to(Term::int(0)), UbKind::Synchronisation));
        steps.push(Step::Assign(claimed, Term::int(1)));
        steps.extend([Step::AtomicEnd, Step::AtomicBegin]);
    }
    match wait.purpose {
        Purpose::Join(result) => {
            let (ended, holder) = (memory.term(ended), Holder::Ending(instance.id));
            if waiting == Waiting::Told {
                let blocked = ended.eq_to(Term::int(0));
                steps.push(Step::Wait(Wait { blocked, holder, subject: ended, kind: "thread" }));
            }
            steps.push(Step::Assume(ended.eq_to(Term::int(1))));
            steps.extend(result.map(|var| Step::Assign(var, memory.term(control.result))));
            steps.extend((*results == Results::Forgotten).then_some(Step::Assign(control.result, Term::int(0))));
            steps.extend(life.map(Life::joined));
        }
        Purpose::Detach => steps.extend(life.map(Life::detached)),
    }
    Some(steps.into_iter().rev().fold(found, |next, step| graph.push(NodeKind::Step(step, next), span)))
}

fn decide(graph: &mut Graph, cond: Term, then: NodeId, otherwise: NodeId, span: Span) -> NodeId {
    match cond.as_bool() {
        Some(true) => then,
        Some(false) => otherwise,
        None => match cond.kind() {
            program::TermKind::And(items) => {
                items.iter().rev().fold(then, |then, item| decide(graph, *item, then, otherwise, span))
            }
            program::TermKind::Not(inner) => graph.push(NodeKind::Branch(*inner, otherwise, then), span),
            _ => graph.push(NodeKind::Branch(cond, then, otherwise), span),
        },
    }
}

fn build(
    graph: &mut Graph,
    resolver: &Resolver,
    cases: Vec<Case>,
    access: &Access,
    action: &Action,
    (next, span): (NodeId, Span),
    used: &mut Vec<Used>,
) -> NodeId {
    let single = cases.len() == 1;
    let invalid = access.shape.misuse(UbKind::InvalidPointer);
    let stuck = graph.push(NodeKind::Stuck, span);
    let mut start = graph.push(NodeKind::Step(Step::Check(Term::bool(false), invalid), stuck), span);
    for case in cases.into_iter().rev() {
        let here = match case.kind {
            CaseKind::Unfollowed(what) => graph.push(NodeKind::Unfollowed(what), span),
            CaseKind::Element(found) => {
                let steps = steps(resolver, &found, access, action);
                let here =
                    steps.into_iter().rev().fold(next, |next, step| graph.push(NodeKind::Step(step, next), span));
                let seen = access.bytes == Bytes::Seen || matches!(action, Action::Load(_));
                if seen && !resolver.memory.rivals(found.object, found.leaf).is_empty() {
                    used.push((here, found.object, found.leaf));
                }
                here
            }
        };
        start = if single {
            graph.push(NodeKind::Step(Step::Check(case.cond, invalid), here), span)
        } else {
            decide(graph, case.cond, here, start, span)
        };
    }
    start
}

/// The access as steps on known variables, one of which is the access itself; in one atomic section if they are several that
/// touch memory.
fn steps(resolver: &Resolver, found: &Found, access: &Access, action: &Action) -> Vec<Step> {
    let memory = resolver.memory;
    let mut steps = Vec::new();
    if found.aligned.as_bool() != Some(true) {
        steps.push(Step::Check(found.aligned, access.shape.misuse(UbKind::InvalidPointer)));
    }
    let place = access.address.sub(memory.address_of(found.object));
    if access.shape != FREED
        && let Some(inside) = memory.inside(found.object, place, access.shape.size)
    {
        steps.push(Step::Check(inside, UbKind::OutOfBounds));
    }
    let mut touching = Vec::new();
    if access.shape != FREED
        && resolver.freed.contains(&found.object)
        && let Some(alive) = memory.alive(found.object, access.address)
    {
        touching.push(Step::Check(alive, UbKind::InvalidPointer));
    }
    if let Some(ended) = memory.object(found.object).ended
        && resolver.mortal.contains(&found.object)
        && !access.alive.contains(&found.object)
    {
        touching.push(Step::Check(memory.term(ended).eq_to(Term::int(0)), UbKind::InvalidPointer));
    }
    if matches!(action, Action::Store(_)) && memory.object(found.object).storage == Storage::Literal {
        steps.push(Step::Check(Term::bool(false), UbKind::InvalidPointer));
    }
    if let (Action::Store(value), Bytes::Seen) = (action, access.bytes) {
        let leaf = &memory.object(found.object).leaves[found.leaf];
        let value = if leaf.shape.ty == access.shape.ty { *value } else { value.wrap(leaf.shape.ty) };
        for (var, index, value) in memory.views(found.object, found.leaf, found.number, value) {
            touching.push(Step::Assign(var, index.map_or(value, |index| memory.term(var).store(index, value))));
        }
    }
    touching.extend(perform(memory, found, action, access.shape));
    if touching.len() > 1 {
        touching.insert(0, Step::AtomicBegin);
        touching.push(Step::AtomicEnd);
    }
    steps.extend(touching);
    steps
}

/// The access as a step on a known variable; the types of the access and of the cell may differ in signedness.
fn perform(memory: &Memory, found: &Found, action: &Action, shape: Shape) -> Option<Step> {
    let (var, index) = match &memory.object(found.object).leaves[found.leaf].cells {
        Cells::Split(vars) => (*vars.get(usize::try_from(found.number.as_int()?).ok()?)?, None),
        Cells::Array(var) => (*var, Some(found.number)),
    };
    let cell = memory.cell(var);
    let fitted = |value: Term, ty: program::IntType| if cell.ty == shape.ty { value } else { value.wrap(ty) };
    Some(match action {
        Action::Load(into) => {
            let value = match index {
                Some(index) => memory.term(var).select(index),
                None => memory.term(var),
            };
            Step::Assign(*into, fitted(value, shape.ty))
        }
        Action::Store(value) => {
            let value = fitted(*value, cell.ty);
            Step::Assign(
                var,
                match index {
                    Some(index) => memory.term(var).store(index, value),
                    None => value,
                },
            )
        }
    })
}

fn cases(memory: &Memory, points_to: &PointsTo, access: &Access) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for target in points_to.targets(memory, access.address) {
        for case in target_cases(memory, target, access) {
            if case.cond.as_bool() != Some(false) && !cases.iter().any(|c| c.cond == case.cond) {
                cases.push(case);
            }
        }
    }
    // An integer that no address has come to may still be one, by chance or by comparison.
    if cases.is_empty() && access.shape != FREED && access.address.as_int().is_none() {
        let none = points_to.targets(memory, access.address).is_empty();
        let cond = access.address.ne(Term::int(0));
        cases.extend(none.then_some(Case { cond, kind: CaseKind::Unfollowed(ELSEWHERE) }));
    }
    // What is ours is tried first: the case of foreign memory holds for every other address.
    cases.sort_by_key(|case| matches!(case.kind, CaseKind::Unfollowed(_)));
    cases
}

const PUNNED: &str = "access to part of an object through another type";
const ELSEWHERE: &str = "access to memory that the program did not allocate";

fn target_cases(memory: &Memory, target: Target, access: &Access) -> Vec<Case> {
    let object = memory.object(target.object);
    if object.opaque {
        // A pointer from outside can be anything that is not one of ours: only the cases before this one are ours.
        return vec![Case { cond: access.address.ne(Term::int(0)), kind: CaseKind::Unfollowed(ELSEWHERE) }];
    }
    let Some(at) = target.offset.exact() else { return moved_cases(memory, target, access) };
    let cond = access.address.eq_to(memory.address_of(target.object).add(Term::int(at)));
    match memory.locate(target.object, at, &[], access.shape) {
        Located::Leaf(leaf, digits) => {
            let number = object.leaves[leaf].number(&digits);
            let found = Found { object: target.object, leaf, number, aligned: Term::bool(true) };
            vec![Case { cond, kind: CaseKind::Element(found) }]
        }
        Located::Punned => vec![Case { cond, kind: CaseKind::Unfollowed(PUNNED) }],
        Located::Outside => Vec::new(),
    }
}

/// A pointer that was moved by an unknown amount. An index of an array, by whole elements, stays in that array (C11 6.5.6), and so does a
/// pointer if nothing else is in its way; any other may reach every scalar of the right size in the object, or what is none.
fn moved_cases(memory: &Memory, target: Target, access: &Access) -> Vec<Case> {
    let Target { object: id, offset } = target;
    let object = memory.object(id);
    let home = match memory.locate(id, offset.start, &[], access.shape) {
        Located::Leaf(leaf, _) => {
            let stride = object.leaves[leaf].dims.last().map_or(0, |(stride, _)| i128::from(*stride));
            (stride > 0 && offset.step % stride == 0).then_some(leaf)
        }
        _ => None,
    };
    let all = |home: &usize| !memory.has_gaps(id, &[*home], offset, access.shape);
    if let Some(home) = home.filter(|home| !access.shape.loose || all(home)) {
        return leaf_cases(memory, id, home, access);
    }
    let fitting: Vec<usize> = (0..object.leaves.len()).filter(|leaf| object.leaves[*leaf].fits(access.shape)).collect();
    let mut cases: Vec<Case> = fitting.iter().flat_map(|leaf| leaf_cases(memory, id, *leaf, access)).collect();
    // The elements of one may lie between those of another, or of what does not fit: only the one that is hit is meant.
    for case in &mut cases {
        if let CaseKind::Element(found) = &mut case.kind {
            let aligned = std::mem::replace(&mut found.aligned, Term::bool(true));
            case.cond = Term::and([case.cond, aligned]);
        }
    }
    if access.shape != FREED && memory.has_gaps(id, &fitting, offset, access.shape) {
        let (first, last) = (memory.address_of(id), Term::int(i128::from(object.size) - 1));
        let cond = Term::and([first.le(access.address), access.address.le(first.add(last))]);
        cases.push(Case { cond, kind: CaseKind::Unfollowed(PUNNED) });
    }
    cases
}

fn leaf_cases(memory: &Memory, id: ObjectId, number: usize, access: &Access) -> Vec<Case> {
    let leaf = &memory.object(id).leaves[number];
    let first = memory.address_of(id).add(Term::int(i128::from(leaf.offset)));
    let element_address = |number: u64| {
        let bytes: u64 = leaf.digits(number).iter().zip(&leaf.dims).map(|(digit, (stride, _))| digit * stride).sum();
        first.add(Term::int(i128::from(bytes)))
    };
    let found =
        |element: Term, aligned: Term| CaseKind::Element(Found { object: id, leaf: number, number: element, aligned });
    match &leaf.cells {
        Cells::Split(_) => (0..leaf.count())
            .map(|element| Case {
                cond: access.address.eq_to(element_address(element)),
                kind: found(Term::int(i128::from(element)), Term::bool(true)),
            })
            .collect(),
        Cells::Array(_) => {
            let last = element_address(leaf.count().saturating_sub(1));
            let cond = Term::and([first.le(access.address), access.address.le(last)]);
            let mut rest = access.address.sub(first);
            let mut index = Term::int(0);
            let mut inside = Vec::new();
            for (stride, count) in &leaf.dims {
                let stride = Term::int(i128::from(*stride));
                let digit = rest.div(stride);
                rest = rest.rem(stride);
                inside.push(digit.within(0, i128::from(*count) - 1));
                index = index.mul(Term::int(i128::from(*count))).add(digit);
            }
            inside.push(rest.eq_to(Term::int(0)));
            let aligned = if leaf.dims.len() == 1 { rest.eq_to(Term::int(0)) } else { Term::and(inside) };
            vec![Case { cond, kind: found(index, aligned) }]
        }
    }
}
