//! Memory that is used again: an allocation may return the address of a block that has been freed.
//!
//! A block of the model is memory with an address of its own. Where the program could notice, because a pointer to a freed block may
//! still be compared or dereferenced, an allocation chooses between a block that has never been used and any that has been freed since and is
//! like it: that one is alive again, with contents of which nothing is known. So a stale pointer equals a fresh one, and an access through
//! it is valid, as in the binary. Where the program cannot notice, every allocation has a block of its own: numbers of our choice,
//! of which no other choice can be told. What could be noticed but is not modelled, memory that is used again for blocks of another
//! layout, is an assumption.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Bookkeeping, Choice, Init, IntType, Sort, Span, Term, TermKind, VarId, VarKind};

use crate::cfg::{Graph, NodeId, NodeKind, Step};
use crate::lower::heap::Guard;
use crate::lower::{LoweredThread, Site};
use crate::memory::{Cells, FREED, Leaf, Memory, Named, ObjectId};
use crate::points_to::PointsTo;

/// Whether addresses are handed out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reuse {
    /// Where the program could notice.
    #[default]
    Modelled,
    /// Not; but a use of a pointer to freed memory is nothing that the program says what it does. A proof that there is none
    /// is a proof that nobody could notice, and easier than one about memory that is used again.
    Excluded,
    /// Never: an assumption.
    Never,
}

/// A place that allocates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obtained {
    pub(crate) thread: usize,
    /// The step that assigns the new block's address, if that is to be a matter of the execution; else any step of it.
    pub(crate) node: NodeId,
    /// What comes after the allocation.
    pub(crate) rest: NodeId,
    pub(crate) object: ObjectId,
    /// For a row of blocks, how many there have been.
    pub(crate) counter: Option<VarId>,
    /// What every scalar starts with.
    pub(crate) init: Init,
    pub(crate) span: Span,
}

/// What is known of the heap.
pub(crate) struct Heap<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) points_to: &'a PointsTo,
    pub(crate) graphs: &'a [&'a Graph],
    pub(crate) obtained: &'a [Obtained],
    pub(crate) guards: &'a [Guard],
    /// Where threads, by number, are started.
    pub(crate) sites: &'a [(usize, Site)],
    /// Whether there may be any number of a thread.
    pub(crate) any_number: &'a dyn Fn(usize) -> bool,
}

/// Where memory can be used again such that the program could notice.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// For each place that allocates, by its index, the blocks that it may get once they are freed.
    pub(crate) choices: BTreeMap<usize, Vec<ObjectId>>,
    /// All objects that this concerns.
    pub(crate) objects: BTreeSet<ObjectId>,
    /// A place that may get memory of blocks that are not like its own, or of too many: not modelled.
    pub(crate) left_out: Option<Span>,
    /// Whether a pointer to freed memory may be compared, not just dereferenced.
    pub(crate) compares: bool,
}

/// More kinds of freed blocks than this are not considered by one allocation.
const MAX_CHOICES: usize = 8;
/// Blocks with more elements than this in an array are not used again.
const MAX_ELEMENTS: u64 = 64;

impl Plan {
    /// Whether the program could notice.
    pub(crate) fn is_needed(&self) -> bool {
        !self.choices.is_empty() || self.left_out.is_some()
    }
}

impl Heap<'_> {
    /// Which allocations may get which freed blocks, as far as the program could notice.
    pub(crate) fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        let frees = Frees::of(self);
        if frees.all.is_empty() {
            return plan;
        }
        let Noticed { objects: noticed, compares } = self.noticed(&frees);
        plan.compares = compares;
        for (index, obtained) in self.obtained.iter().enumerate() {
            let at = (obtained.thread, obtained.node);
            let is_other = |id: &&ObjectId| **id != obtained.object || self.memory.is_row(**id);
            let dead = noticed.iter().filter(is_other).filter(|id| frees.may_come_before(**id, at));
            let (alike, unlike): (Vec<ObjectId>, Vec<ObjectId>) =
                dead.partition(|id| self.are_alike(**id, obtained.object));
            if !unlike.is_empty() || alike.len() > MAX_CHOICES {
                plan.left_out.get_or_insert(obtained.span);
            }
            if !alike.is_empty() && alike.len() <= MAX_CHOICES {
                plan.objects.extend(alike.iter().chain([&obtained.object]));
                plan.choices.insert(index, alike);
            }
        }
        plan
    }

    /// Whether a block of one object can be used again as one of the other.
    fn are_alike(&self, dead: ObjectId, new: ObjectId) -> bool {
        let (a, b) = (self.memory.object(dead), self.memory.object(new));
        let (Some(x), Some(y)) = (a.heap, b.heap) else { return false };
        let own = [dead, new].into_iter().any(|id| self.memory.home_of(id).is_some_and(self.any_number));
        let parts = |id: ObjectId| {
            self.memory.block_leaves(id).map(move |leaf| (leaf.offset, leaf.shape, inner(leaf, self.memory.is_row(id))))
        };
        let is_small =
            |id: ObjectId| parts(id).all(|(.., dims)| dims.iter().map(|(_, n)| n).product::<u64>() <= MAX_ELEMENTS);
        let is_measured = x.length.is_some() || y.length.is_some();
        x.bytes == y.bytes && a.align >= b.align && !own && !is_measured && parts(dead).eq(parts(new)) && is_small(dead)
    }

    /// The blocks to which a pointer may be used after they have been freed.
    fn noticed(&self, frees: &Frees) -> Noticed {
        let mut noticed = Noticed::default();
        let known = self.guards.iter().filter(|guard| frees.all.contains_key(&guard.object));
        for guard in known {
            if guard.nodes.iter().any(|node| frees.may_come_before(guard.object, (guard.thread, *node))) {
                noticed.objects.insert(guard.object);
            }
        }
        let tracked = self.tracked();
        for thread in 0..self.graphs.len() {
            let gives = |obtained: &&Obtained| {
                let terms = self.graphs[thread].node(obtained.node).terms();
                terms.iter().any(|term| term.vars().contains(&self.memory.object(obtained.object).address))
            };
            let own = self.obtained.iter().filter(|obtained| obtained.thread == thread);
            let fresh = own.filter(gives).map(|obtained| obtained.node).collect();
            Stale { heap: self, frees, tracked: &tracked, thread, fresh }.find(&mut noticed);
        }
        noticed
    }

    /// Variables that one thread alone touches, and nobody through a pointer.
    fn tracked(&self) -> BTreeSet<VarId> {
        let mut user: HashMap<VarId, usize> = HashMap::new();
        let mut others = BTreeSet::new();
        for (thread, graph) in self.graphs.iter().enumerate() {
            for at in graph.reachable() {
                let node = graph.node(at);
                for var in node.terms().into_iter().flat_map(Term::vars).chain(node.writes()) {
                    if *user.entry(var).or_insert(thread) != thread {
                        others.insert(var);
                    }
                }
                if let NodeKind::Step(Step::Load(_, access) | Step::Store(access, _), _) = &node.kind {
                    others.extend(self.points_to.cells(self.memory, access));
                }
            }
        }
        let is_scalar =
            |var: &VarId| self.memory.cell(*var).sort == Sort::Int && self.memory.cell(*var).address.is_none();
        user.into_keys().filter(|var| !others.contains(var)).filter(is_scalar).collect()
    }

    fn objects(&self, term: Term) -> impl Iterator<Item = ObjectId> {
        self.points_to.targets(self.memory, term).into_iter().map(|target| target.object)
    }
}

/// The arrays that an element is in, but the row of blocks.
fn inner(leaf: &Leaf, is_row: bool) -> Vec<(u64, u64)> {
    leaf.dims.iter().skip(usize::from(is_row)).copied().collect()
}

/// Blocks to which a pointer may be used after they have been freed.
#[derive(Default)]
struct Noticed {
    objects: BTreeSet<ObjectId>,
    /// Whether such a pointer may be compared.
    compares: bool,
}

/// Where blocks are freed.
struct Frees {
    /// By object, threads and nodes with all that may come after them in that thread.
    all: BTreeMap<ObjectId, Vec<(usize, BTreeSet<NodeId>)>>,
    /// For a thread and another that it does not begin without, the nodes of the other at which it may have begun.
    begun: BTreeMap<(usize, usize), BTreeSet<NodeId>>,
}

impl Frees {
    fn of(heap: &Heap<'_>) -> Frees {
        let mut all: BTreeMap<ObjectId, Vec<(usize, BTreeSet<NodeId>)>> = BTreeMap::new();
        for (thread, graph) in heap.graphs.iter().enumerate() {
            for at in graph.reachable() {
                for object in freed_at(heap, graph, at) {
                    let after = graph.reachable_from(graph.node(at).successors()).into_iter().collect();
                    all.entry(object).or_default().push((thread, after));
                }
            }
        }
        let mut begun = BTreeMap::new();
        for thread in 0..heap.graphs.len() {
            for (creator, nodes) in beginnings(heap, thread) {
                begun.insert((thread, creator), nodes);
            }
        }
        Frees { all, begun }
    }

    /// Whether a block of the object may have been freed when a thread comes to a node.
    fn may_come_before(&self, object: ObjectId, (thread, node): (usize, NodeId)) -> bool {
        let has_begun = |other| self.begun.get(&(other, thread)).is_none_or(|nodes| nodes.contains(&node));
        let before = |(other, after): &(usize, BTreeSet<NodeId>)| match *other == thread {
            true => after.contains(&node),
            false => has_begun(*other),
        };
        self.all.get(&object).into_iter().flatten().any(before)
    }
}

/// The threads without which this one does not begin, each with its nodes at which it may have begun.
fn beginnings(heap: &Heap<'_>, thread: usize) -> BTreeMap<usize, BTreeSet<NodeId>> {
    let mut all = BTreeMap::new();
    let mut descendant = thread;
    loop {
        let sites: Vec<Site> =
            heap.sites.iter().filter(|(child, _)| *child == descendant).map(|(_, site)| *site).collect();
        let Some((creator, _)) = sites.first().copied() else { return all };
        if sites.iter().any(|(other, _)| *other != creator) || creator == thread || all.contains_key(&creator) {
            return all;
        }
        let nodes = heap.graphs[creator].reachable_from(sites.into_iter().map(|(_, node)| node));
        all.insert(creator, nodes.into_iter().collect());
        descendant = creator;
    }
}

/// The objects of which a step frees a block.
fn freed_at(heap: &Heap<'_>, graph: &Graph, at: NodeId) -> BTreeSet<ObjectId> {
    match &graph.node(at).kind {
        NodeKind::Step(Step::Store(access, _), _) if access.shape == FREED => heap.objects(access.address).collect(),
        NodeKind::Step(Step::Assign(var, _), _) => {
            let is_it = |id: &ObjectId| heap.memory.freed(*id) == Some(*var);
            (0u32..).map(ObjectId).take(heap.memory.objects.len()).filter(is_it).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Finds uses of pointers to what may have been freed, in one thread: forward along its graph, exactly for its own variables. All others
/// may hold such a pointer from the moment at which something that they may point to may have been freed.
struct Stale<'a> {
    heap: &'a Heap<'a>,
    frees: &'a Frees,
    tracked: &'a BTreeSet<VarId>,
    thread: usize,
    /// Where it allocates.
    fresh: BTreeSet<NodeId>,
}

impl Stale<'_> {
    fn find(&self, noticed: &mut Noticed) {
        let graph = self.heap.graphs[self.thread];
        let mut before: HashMap<NodeId, BTreeSet<VarId>> = HashMap::from([(graph.entry, BTreeSet::new())]);
        let mut work = vec![graph.entry];
        while let Some(at) = work.pop() {
            let mut stale = before.get(&at).cloned().unwrap_or_default();
            self.uses(at, &stale, noticed);
            self.step(at, &mut stale);
            for next in graph.node(at).successors() {
                match before.get_mut(&next) {
                    None => {
                        before.insert(next, stale.clone());
                        work.push(next);
                    }
                    Some(known) if !stale.is_subset(known) => {
                        known.extend(&stale);
                        work.push(next);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// Whether a value at a node may be a pointer to what has been freed.
    fn is_stale(&self, term: Term, at: NodeId, stale: &BTreeSet<VarId>) -> bool {
        term.vars().into_iter().any(|var| match self.heap.memory.addressed(var) {
            Some(object) => self.frees.may_come_before(object, (self.thread, at)),
            None if self.tracked.contains(&var) => stale.contains(&var),
            None => self.may_dangle(self.heap.memory.term(var), at),
        })
    }

    fn may_dangle(&self, term: Term, at: NodeId) -> bool {
        self.heap.objects(term).any(|object| self.frees.may_come_before(object, (self.thread, at)))
    }

    fn uses(&self, at: NodeId, stale: &BTreeSet<VarId>, noticed: &mut Noticed) {
        let node = self.heap.graphs[self.thread].node(at);
        let dangling = |term: Term| -> Vec<ObjectId> {
            let freed = |object: &ObjectId| self.frees.all.contains_key(object);
            if self.is_stale(term, at, stale) { self.heap.objects(term).filter(freed).collect() } else { Vec::new() }
        };
        if let NodeKind::Step(Step::Load(_, access) | Step::Store(access, _), _) = &node.kind {
            noticed.objects.extend(dangling(access.address));
        }
        let mut compare = |term: Term| {
            let objects = dangling(term);
            noticed.compares |= !objects.is_empty();
            noticed.objects.extend(objects);
        };
        for term in node.terms() {
            term.visit(&mut |sub| match sub.kind() {
                // A comparison with null tells nothing.
                TermKind::Eq(form, _) | TermKind::Le(form, _) if form.monomials().len() > 1 => {
                    form.atoms().for_each(&mut compare);
                }
                TermKind::ArrayEq(a, b) => [*a, *b].into_iter().for_each(&mut compare),
                _ => {}
            });
        }
    }

    fn step(&self, at: NodeId, stale: &mut BTreeSet<VarId>) {
        let graph = self.heap.graphs[self.thread];
        let freed = freed_at(self.heap, graph, at);
        if !freed.is_empty() {
            let dangles = |var: &&VarId| self.heap.objects(self.heap.memory.term(**var)).any(|o| freed.contains(&o));
            stale.extend(self.tracked.iter().filter(dangles));
        }
        let NodeKind::Step(step, _) = &graph.node(at).kind else { return };
        let (var, is_stale) = match step {
            // What an allocation returns is alive.
            Step::Assign(var, _) if self.fresh.contains(&at) => (*var, false),
            Step::Assign(var, term) => (*var, self.is_stale(*term, at, stale)),
            Step::Load(var, _) => (*var, self.may_dangle(self.heap.memory.term(*var), at)),
            Step::Havoc(var) => (*var, false),
            Step::Await(wait) => match wait.result() {
                Some(var) => (var, self.may_dangle(self.heap.memory.term(var), at)),
                None => return,
            },
            _ => return,
        };
        if self.tracked.contains(&var) {
            if is_stale {
                stale.insert(var)
            } else {
                stale.remove(&var)
            };
        }
    }
}

/// Lets allocations get blocks that have been freed. These belong to no thread any more: whoever kept a pointer knows where they are.
/// They are dead until they are allocated, so that no pointer can mean one before.
pub(crate) fn reuse(memory: &mut Memory, threads: &mut [LoweredThread], obtained: &[Obtained], plan: &Plan) {
    let mut used = BTreeMap::new();
    for id in &plan.objects {
        memory.objects[id.0 as usize].own = false;
        let Some(freed) = memory.freed(*id) else { continue };
        let dead = if memory.is_row(*id) { Term::const_array(Term::int(1)) } else { Term::int(1) };
        memory.cell_mut(freed).init = Init::Value(dead);
        if !memory.is_row(*id) {
            let cell = memory.cell(freed).clone();
            let name = format!("used({})", memory.cell(memory.object(*id).address).name);
            let kind = VarKind::Control(Bookkeeping::Other);
            let named = Named { name: &name, span: cell.span, kind, private: false };
            used.insert(*id, memory.scalar(&named, cell.ty, Init::Value(Term::int(0))));
        }
    }
    for obtained in obtained {
        if let Some(counter) = obtained.counter {
            used.insert(obtained.object, counter);
        }
    }
    for (index, obtained) in obtained.iter().enumerate().filter(|(_, o)| plan.objects.contains(&o.object)) {
        let graph = &mut threads[obtained.thread].graph;
        let NodeKind::Step(Step::Assign(result, fresh), next) = graph.node(obtained.node).kind.clone() else {
            continue;
        };
        memory.home = Some(obtained.thread);
        let given = graph.push(NodeKind::Step(Step::Assign(result, fresh), next), obtained.span);
        let steps = first_use(memory, obtained, &used);
        let step = |next: NodeId, step: Step| graph.push(NodeKind::Step(step, next), obtained.span);
        let mut first = steps.into_iter().rev().fold(given, step);
        for dead in plan.choices.get(&index).into_iter().flatten() {
            first = recycle(memory, graph, obtained, (*dead, result, used.get(dead).copied()), first);
        }
        graph.nodes[obtained.node.0 as usize].kind = NodeKind::Skip(first);
        memory.home = None;
    }
}

/// A block that has not been used before comes to life.
fn first_use(memory: &Memory, obtained: &Obtained, used: &BTreeMap<ObjectId, VarId>) -> Vec<Step> {
    let Some(freed) = memory.freed(obtained.object) else { return Vec::new() };
    let alive = |index: Term| Step::Assign(freed, memory.term(freed).store(index, Term::int(0)));
    match (obtained.counter, used.get(&obtained.object)) {
        (Some(counter), _) => vec![alive(memory.term(counter))],
        (None, Some(used)) => vec![Step::Assign(freed, Term::int(0)), Step::Assign(*used, Term::int(1))],
        (None, None) => vec![Step::Assign(freed, Term::int(0))],
    }
}

/// A choice between a block of this object, if one has been freed, and what an allocation does otherwise.
fn recycle(
    memory: &mut Memory,
    graph: &mut Graph,
    obtained: &Obtained,
    (dead, result, used): (ObjectId, VarId, Option<VarId>),
    otherwise: NodeId,
) -> NodeId {
    let (Some(freed), Some(used), span) = (memory.freed(dead), used, obtained.span) else { return otherwise };
    let wanted = temporary(memory, "reuse", IntType::new(1, false), span);
    memory.cell_mut(wanted).choice = Choice::Reuse;
    let stride = memory.object(dead).heap.and_then(|heap| heap.stride);
    let number = stride.map(|_| temporary(memory, "block", memory.pointer_type(), span));
    let index = number.map(|number| memory.term(number));
    let distance = index.zip(stride).map_or(Term::int(0), |(index, stride)| index.mul(Term::int(i128::from(stride))));
    let (is_used, is_dead, revived) = match index {
        Some(index) => (
            index.lt(memory.term(used)),
            memory.term(freed).select(index),
            memory.term(freed).store(index, Term::int(0)),
        ),
        None => (memory.term(used).eq_to(Term::int(1)), memory.term(freed), Term::int(0)),
    };
    let mut steps = vec![Step::Assign(freed, revived)];
    let leaves: Vec<Leaf> = memory.block_leaves(dead).cloned().collect();
    leaves.iter().for_each(|leaf| contents(memory, leaf, index, obtained, &mut steps));
    steps.push(Step::Assign(result, memory.address_of(dead).add(distance)));
    steps.push(Step::AtomicEnd);
    let taken = steps.into_iter().rev().fold(obtained.rest, |next, step| graph.push(NodeKind::Step(step, next), span));
    let none = graph.push(NodeKind::Step(Step::AtomicEnd, otherwise), span);
    let decide = graph.push(NodeKind::Branch(is_dead.eq_to(Term::int(1)), taken, none), span);
    let decide = graph.push(NodeKind::Branch(is_used, decide, none), span);
    let begin = graph.push(NodeKind::Step(Step::AtomicBegin, decide), span);
    let chosen = number.map_or(begin, |number| graph.push(NodeKind::Step(Step::Havoc(number), begin), span));
    let choice = graph.push(NodeKind::Branch(memory.term(wanted).eq_to(Term::int(1)), chosen, otherwise), span);
    graph.push(NodeKind::Step(Step::Havoc(wanted), choice), span)
}

/// What the elements of a leaf hold when their block comes to life again.
fn contents(memory: &mut Memory, leaf: &Leaf, block: Option<Term>, obtained: &Obtained, steps: &mut Vec<Step>) {
    let mut fill = |memory: &mut Memory, var: VarId, index: Option<Term>| {
        let cell = memory.cell(var).clone();
        let init = if cell.kind == VarKind::User { obtained.init } else { cell.init };
        let value = match init {
            Init::Value(value) if value.sort() == Sort::Int => value,
            Init::Value(_) => Term::int(0),
            Init::Arbitrary => {
                let any = temporary(memory, "contents", cell.ty, obtained.span);
                steps.push(Step::Havoc(any));
                memory.term(any)
            }
        };
        let value = index.map_or(value, |index| memory.term(var).store(index, value));
        steps.push(Step::Assign(var, value));
    };
    let count: u64 = inner(leaf, block.is_some()).iter().map(|(_, n)| n).product();
    match &leaf.cells {
        Cells::Split(vars) => vars.iter().for_each(|var| fill(memory, *var, None)),
        Cells::Array(var) => {
            let first = block.map_or(Term::int(0), |block| block.mul(Term::int(i128::from(count))));
            (0..count).for_each(|k| fill(memory, *var, Some(first.add(Term::int(i128::from(k))))));
        }
    }
}

fn temporary(memory: &mut Memory, name: &str, ty: IntType, span: Span) -> VarId {
    let named = Named { name, span, kind: VarKind::Temporary, private: true };
    memory.scalar(&named, ty, Init::Arbitrary)
}
