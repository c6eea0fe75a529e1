//! Addresses and ids: which of them a program can tell from other numbers, and what it is told.
//!
//! An address is a number of our choice as long as the program only dereferences it and compares it for equality with null and with
//! addresses of bytes of objects: then no choice can be told from another. Where it does more (an order, arithmetic other than
//! offsets and tags in bits that alignment leaves free, an equality with what may be one past the end of an object) the address is an
//! unknown constant of which only [`Memory::address_range`], the alignment and the disjointness of objects are known. The same
//! goes for the ids of threads and keys. Objects whose addresses may meet are treated alike, so that numbers of our choice never meet
//! unknown ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Bookkeeping, Init, IntType, Linear, Sort, Span, Term, TermKind, VarId, VarKind};

use crate::cfg::{Graph, Manner, Node, NodeId, NodeKind, Step};
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::lower::LoweredThread;
use crate::memory::{Memory, Named, ObjectId, Storage};
use crate::points_to::{PointsTo, Target};

type Pair = (ObjectId, ObjectId);

/// What the program can tell of addresses.
#[derive(Default)]
pub(crate) struct Observed {
    /// Objects whose addresses are more than names, and the first place that makes them so.
    pub(crate) objects: BTreeMap<ObjectId, Span>,
    /// Objects whose addresses are compared with one another, or that one pointer may point to; the lesser first.
    meetings: BTreeSet<Pair>,
    /// The first place that compares ids of different threads, or looks at one as a number.
    pub(crate) ids: Option<Span>,
    /// The same for keys.
    pub(crate) keys: Option<Span>,
    /// The same for the kernel's ids of threads.
    pub(crate) tasks: Option<Span>,
    /// The first place that compares the address of a local with that of another object.
    pub(crate) locals: Option<Span>,
}

impl Observed {
    /// Looks at all that the program computes. To be asked before accesses become case splits: these compare addresses, but
    /// tell nobody.
    /// `ids` are the variables that tell threads of any number apart, part of their handles.
    pub(crate) fn of(memory: &Memory, points_to: &PointsTo, graphs: &[&Graph], ids: &BTreeSet<VarId>) -> Observed {
        let mut observer = Observer { memory, points_to, ids, found: Observed::default(), span: Span::default() };
        for node in graphs.iter().flat_map(|graph| graph.reachable().into_iter().map(|id| graph.node(id))) {
            observer.node(node);
        }
        observer.found
    }

    /// The objects whose addresses are unknowns: those observed, and those that may meet them. An id may become that of any other
    /// thread: they are treated alike.
    fn unknown(&self, memory: &Memory) -> BTreeMap<ObjectId, Span> {
        let mut unknown = self.objects.clone();
        let is_thread = |id: &ObjectId| memory.object(*id).storage == Storage::Thread;
        if let Some(span) = unknown.iter().find(|(id, _)| is_thread(id)).map(|(_, span)| *span) {
            let all = (0u32..).map(ObjectId).take(memory.objects.len()).filter(is_thread);
            all.for_each(|id| {
                unknown.entry(id).or_insert(span);
            });
        }
        loop {
            let before = unknown.len();
            for (a, b) in &self.meetings {
                let span = unknown.get(a).or(unknown.get(b)).copied();
                if let Some(span) = span {
                    unknown.entry(*a).or_insert(span);
                    unknown.entry(*b).or_insert(span);
                }
            }
            if unknown.len() == before {
                return unknown;
            }
        }
    }
}

struct Observer<'a> {
    memory: &'a Memory,
    points_to: &'a PointsTo,
    ids: &'a BTreeSet<VarId>,
    found: Observed,
    span: Span,
}

/// A summand that may be an address: what it points to, and its factor.
type Part = (Vec<Target>, i128);

impl Observer<'_> {
    fn node(&mut self, node: &Node) {
        self.span = node.span;
        match &node.kind {
            NodeKind::Step(Step::Load(_, access) | Step::Store(access, _), _) => self.meet(access.address),
            NodeKind::Step(Step::Await(wait), _) => self.meet(wait.handle),
            _ => {}
        }
        if let NodeKind::Step(Step::Store(access, value), _) = &node.kind {
            // Other members of a union may show parts of what is written.
            let cut = |target: &Target| self.memory.is_cut(target.object);
            if self.points_to.targets(self.memory, access.address).iter().any(cut) {
                self.observe(*value);
            }
        }
        for term in node.terms() {
            term.visit(&mut |sub| self.term(sub));
        }
    }

    /// All that the term may point to can be meant by one pointer.
    fn meet(&mut self, term: Term) {
        let objects: BTreeSet<ObjectId> = self.targets(term).into_iter().map(|target| target.object).collect();
        for a in &objects {
            for b in objects.range(..a) {
                self.found.meetings.insert((*b, *a));
            }
        }
    }

    fn targets(&self, term: Term) -> Vec<Target> {
        let all = self.points_to.targets(self.memory, term);
        all.into_iter().filter(|target| !self.memory.object(target.object).opaque).collect()
    }

    fn observe(&mut self, term: Term) {
        for target in self.targets(term) {
            self.observe_object(target.object);
        }
    }

    fn observe_object(&mut self, id: ObjectId) {
        let span = self.span;
        self.found.objects.entry(id).or_insert(span);
        self.note_id(self.memory.object(id).storage);
    }

    fn note_id(&mut self, storage: Storage) {
        let noted = match storage {
            Storage::Thread | Storage::Threads => &mut self.found.ids,
            Storage::Key => &mut self.found.keys,
            Storage::Task => &mut self.found.tasks,
            Storage::Bytes | Storage::Code | Storage::Literal => return,
        };
        noted.get_or_insert(self.span);
    }

    /// What one operation tells of the addresses in its operands.
    fn term(&mut self, term: Term) {
        match term.kind() {
            TermKind::Le(form, _) => self.order(form),
            TermKind::Eq(form, bound) => self.equality(form, *bound),
            TermKind::Sum(sum) => self.sum(sum),
            TermKind::Rem(value, modulus) => {
                let modulus = modulus.as_int().filter(|m| *m > 0);
                for target in self.targets(*value) {
                    let align = i128::from(self.memory.object(target.object).align);
                    if modulus.is_none_or(|modulus| align % modulus != 0) {
                        self.observe_object(target.object);
                    }
                }
            }
            TermKind::Wrap(ty, value) => {
                for target in self.targets(*value) {
                    if self.memory.address_range(target.object).1 >> ty.bits != 0 {
                        self.observe_object(target.object);
                    }
                }
            }
            TermKind::Div(..) | TermKind::Mul(..) | TermKind::Add(..) | TermKind::Bits(..) | TermKind::ArrayEq(..) => {
                term.children().into_iter().for_each(|child| self.observe(child));
            }
            TermKind::Select(_, index) | TermKind::Store(_, index, _) => self.observe(*index),
            _ => {}
        }
    }

    fn parts(&self, form: &Linear) -> Vec<Part> {
        let parts = form.monomials().iter().map(|(atom, factor)| (self.targets(*atom), *factor));
        parts.filter(|(targets, _)| !targets.is_empty()).collect()
    }

    /// A sum is an address and an offset, or the difference of two addresses.
    fn sum(&mut self, sum: &Linear) {
        match self.parts(sum).as_slice() {
            [] | [(_, 1)] => {}
            parts => self.unless_within_one(parts),
        }
    }

    /// Addresses that cancel tell nothing: a difference within one object. All others are looked at.
    fn unless_within_one(&mut self, parts: &[Part]) {
        let objects: BTreeSet<ObjectId> = parts.iter().flat_map(|(targets, _)| targets).map(|t| t.object).collect();
        let balance: i128 = parts.iter().map(|(_, factor)| factor).sum();
        let one = objects.first().filter(|_| objects.len() == 1 && balance == 0);
        if one.is_some_and(|id| self.memory.object(*id).storage != Storage::Threads) {
            return;
        }
        for a in &objects {
            self.observe_object(*a);
            objects.range(..a).for_each(|b| self.compare(*b, *a));
        }
    }

    /// Whether the term's value is of a signed type.
    fn is_signed(&self, term: Term) -> bool {
        match term.kind() {
            TermKind::Var(var, _) => self.memory.cell(*var).ty.signed,
            TermKind::Wrap(ty, _) => ty.signed,
            TermKind::Select(array, _) => self.is_signed(*array),
            _ => false,
        }
    }

    /// An order between blocks of one row is one between objects.
    fn order(&mut self, form: &Linear) {
        let parts = self.parts(form);
        let rows = parts.iter().flat_map(|(targets, _)| targets).map(|target| target.object);
        let rows: BTreeSet<ObjectId> = rows.filter(|id| self.memory.is_row(*id)).collect();
        rows.into_iter().for_each(|id| self.observe_object(id));
        if form.monomials().iter().any(|(atom, _)| self.is_signed(*atom)) {
            // The sign depends on where the object is.
            form.atoms().for_each(|atom| self.observe(atom));
        }
        if !parts.is_empty() {
            self.unless_within_one(&parts);
        }
    }

    fn equality(&mut self, form: &Linear, bound: i128) {
        let parts = self.parts(form);
        let is_id = |atom: &Term| atom.as_var().is_some_and(|var| self.ids.contains(&var));
        let others = form.atoms().filter(|atom| !is_id(atom)).count() - parts.len();
        match parts.as_slice() {
            [] => {}
            [(targets, 1)] if others == 0 => {
                for target in targets {
                    if !self.is_never(*target, bound) {
                        self.observe_object(target.object);
                    }
                }
            }
            [(left, 1), (right, -1)] if others == 0 => {
                for a in left {
                    right.iter().for_each(|b| self.equal(*a, *b, bound));
                }
            }
            parts => self.unless_within_one(parts),
        }
    }

    /// Whether a pointer to this target is never this number, wherever the object is.
    fn is_never(&self, target: Target, number: i128) -> bool {
        let object = self.memory.object(target.object);
        match object.storage {
            Storage::Thread | Storage::Threads => number == 0,
            Storage::Key => false,
            Storage::Task => number <= 0,
            Storage::Bytes | Storage::Code | Storage::Literal => {
                let (least, greatest) = self.memory.address_range(target.object);
                // C's arithmetic on pointers stays in the object.
                let inside = target.offset.exact().is_none_or(|at| (0..=i128::from(object.size)).contains(&at));
                let number = self.memory.pointer_type().wrap(number);
                inside && !(least..=greatest + i128::from(object.size)).contains(&number)
            }
        }
    }

    /// Addresses of two objects, the lesser first, meet in a comparison or a difference.
    fn compare(&mut self, a: ObjectId, b: ObjectId) {
        let is_local = |id: ObjectId| self.memory.object(id).own && self.memory.object(id).heap.is_none();
        if is_local(a) || is_local(b) {
            self.found.locals.get_or_insert(self.span);
        }
        self.found.meetings.insert((a, b));
    }

    /// A comparison of `a` with `b + distance`.
    fn equal(&mut self, a: Target, b: Target, distance: i128) {
        let (left, right) = (self.memory.object(a.object).storage, self.memory.object(b.object).storage);
        let names = match (left, right) {
            _ if !left.is_like(right) => false,
            _ if left.is_memory() && a.object == b.object && !self.memory.is_row(a.object) => true,
            // One literal may lie within another.
            (Storage::Literal, Storage::Literal) => false,
            _ if left.is_memory() => self.is_inside(a, 0) && self.is_inside(b, distance),
            _ => distance == 0,
        };
        if a.object != b.object || left == Storage::Threads {
            self.note_id(left);
            self.note_id(right);
        }
        if a.object != b.object {
            self.compare(a.object.min(b.object), a.object.max(b.object));
        }
        if !names {
            self.observe_object(a.object);
            self.observe_object(b.object);
        }
    }

    /// Whether a pointer to this target, moved so far, points to a byte of an object, and not one past the end of one.
    fn is_inside(&self, target: Target, moved: i128) -> bool {
        let object = self.memory.object(target.object);
        if target.offset.step == 1 {
            return false;
        }
        let at = target.offset.start.saturating_add(moved);
        match object.heap.and_then(|heap| Some((i128::from(heap.bytes), i128::from(heap.stride?)))) {
            Some((bytes, stride)) => target.offset.step % stride == 0 && at.rem_euclid(stride) < bytes,
            None => {
                let size = i128::from(self.memory.extent(target.object));
                match target.offset.exact() {
                    Some(_) => (0..size).contains(&at),
                    None => (size - at) % target.offset.step != 0,
                }
            }
        }
    }
}

/// Objects whose order matters have that many orders: more of them than this are too many.
const MAX_UNKNOWN: usize = 8;

/// Gives every address its value: a number of our choice, or an unknown constant where the program can tell. What is known of the
/// unknowns is assumed when the threads begin that nobody creates.
pub(crate) fn place(
    memory: &mut Memory,
    threads: &mut [LoweredThread],
    roots: &[usize],
    observed: &Observed,
    any_number: &dyn Fn(usize) -> bool,
) -> Result<HashMap<VarId, Term>, Failure> {
    let unknown = observed.unknown(memory);
    if unknown.len() > MAX_UNKNOWN {
        let what = "so many addresses or ids as numbers";
        return Err(Diagnostic::new(Code::Unsupported, what)
            .at(*unknown.values().min().unwrap_or(&Span::default()))
            .into());
    }
    let mut values: HashMap<VarId, Term> = (0u32..)
        .zip(&memory.cells)
        .filter_map(|(index, cell)| cell.address.map(|a| (VarId(index), Term::int(i128::from(a)))))
        .collect();
    let mut facts = Vec::new();
    for (id, span) in &unknown {
        let row = observed.objects.contains_key(id) && memory.is_row(*id);
        let several = memory.home_of(*id).is_some_and(any_number);
        let what = match memory.object(*id).storage {
            Storage::Threads => Some("ids as numbers of threads of which there may be any number"),
            _ if row => Some("addresses as numbers of blocks that are allocated without bound"),
            _ if several => Some("addresses as numbers of what belongs to threads of which there may be any number"),
            _ => None,
        };
        if let Some(what) = what {
            return Err(Diagnostic::new(Code::Unsupported, what).at(*span).into());
        }
        let (address, unit) = (memory.object(*id).address, memory.object(*id).align);
        let place = name_place(memory, *id);
        let (least, greatest) = memory.address_range(*id);
        let unit = i128::from(unit);
        let value = memory.term(place).mul(Term::int(unit));
        facts.push(vec![memory.term(place).within((least + unit - 1) / unit, greatest / unit)]);
        values.insert(address, value);
    }
    let pairs = unknown.keys().flat_map(|b| unknown.range(..b).map(move |(a, _)| (a, b)));
    for (a, b) in pairs {
        if are_disjoint(memory, *a, *b) {
            let (p, q) = (values[&memory.object(*a).address], values[&memory.object(*b).address]);
            let end = |start: Term, id: ObjectId| start.add(Term::int(i128::from(memory.extent(id))));
            facts.push(vec![end(p, *a).le(q), end(q, *b).le(p)]);
        }
    }
    for root in roots {
        assume_first(&mut threads[*root].graph, &facts);
    }
    Ok(values)
}

/// The variable that says where an object is: its address is so many times its alignment.
fn name_place(memory: &mut Memory, id: ObjectId) -> VarId {
    let cell = memory.cell(memory.object(id).address).clone();
    let name = if memory.object(id).storage.is_memory() { format!("place({})", cell.name) } else { cell.name };
    let home = memory.home.take();
    let named = Named { name: &name, span: cell.span, kind: VarKind::Control(Bookkeeping::Place), private: false };
    let ty = match memory.object(id).storage {
        // It fits into a pid_t.
        Storage::Task => IntType::new(31, false),
        _ => memory.pointer_type(),
    };
    let place = memory.scalar(&named, ty, Init::Arbitrary);
    memory.home = home;
    memory.cell_mut(place).rigid = true;
    place
}

/// Whether two objects that exist at the same time never have a byte, or an id, in common.
fn are_disjoint(memory: &Memory, a: ObjectId, b: ObjectId) -> bool {
    match (memory.object(a).storage, memory.object(b).storage) {
        (Storage::Literal, Storage::Literal) => false,
        (one, other) => one.is_like(other),
    }
}

/// Gives variables that start with unknown addresses their values when the only thread begins that nobody creates.
pub(crate) fn initialise(memory: &mut Memory, threads: &mut [LoweredThread], roots: &[usize]) -> Result<(), Failure> {
    let unknown = |init: Init| matches!(init, Init::Value(value) if !value.vars().is_empty());
    let late: Vec<VarId> =
        (0u32..).zip(&memory.cells).filter(|(_, c)| unknown(c.init)).map(|(n, _)| VarId(n)).collect();
    for var in late.into_iter().rev() {
        let cell = memory.cell_mut(var);
        let zero = if cell.sort == Sort::Array { Term::const_array(Term::int(0)) } else { Term::int(0) };
        let Init::Value(value) = std::mem::replace(&mut cell.init, Init::Value(zero)) else { continue };
        let [root] = roots else {
            let what = "an address as a number, known to functions that run in parallel from the start";
            return Err(Diagnostic::new(Code::Unsupported, what).at(cell.span).into());
        };
        let graph = &mut threads[*root].graph;
        let span = graph.node(graph.entry).span;
        graph.entry = graph.push(NodeKind::Step(Step::Assign(var, value), graph.entry), span);
        graph.nodes[graph.entry.0 as usize].manner = Manner::Birth;
    }
    Ok(())
}

/// Goes on only where each of these disjunctions holds.
fn assume_first(graph: &mut Graph, facts: &[Vec<Term>]) {
    let span = graph.node(graph.entry).span;
    for fact in facts.iter().rev() {
        let next = graph.entry;
        let stuck = graph.push(NodeKind::Stuck, span);
        let decide = |otherwise: NodeId, literal: &Term| graph.push(NodeKind::Branch(*literal, next, otherwise), span);
        graph.entry = match fact.as_slice() {
            [only] => graph.push(NodeKind::Step(Step::Assume(*only), next), span),
            literals => literals.iter().rev().fold(stuck, decide),
        };
    }
}
