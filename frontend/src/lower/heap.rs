//! malloc and its relatives.

use std::rc::Rc;

use program::{Bookkeeping, Init, IntType, Property, Span, Term, UbKind, VarId, VarKind};

use super::build::ThreadBuilder;
use super::expr::Value;
use crate::cfg::{NodeId, Step};
use crate::hir::{DataModel, Expr, Type, Unit};
use crate::leaks::Locals;
use crate::memory::{BLOCK_ALIGN, FREED, Layout, Named, ObjectId, Times, row_length};
use crate::reuse::Obtained;

/// Whether allocation can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Allocation {
    /// Never.
    #[default]
    Succeeds,
    /// It may return a null pointer at any time.
    MayFail,
}

/// What an allocation function is asked for.
#[derive(Clone, Debug)]
struct Request {
    /// How many bytes.
    size: Term,
    /// What the result is converted to.
    wanted: Option<Type>,
    /// What every scalar starts with.
    init: Init,
    /// A power of two that is to divide the address.
    align: u64,
}

/// Whose the blocks are that a thread of any number allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// Its own, like its locals: nobody else can have their addresses.
    Own,
    /// Those of all such threads together, of which each allocation takes the next: others may be told where it is.
    Common,
}

/// What is known about the heap only when all threads are lowered.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeapUse {
    /// The first place that allocates.
    pub(crate) first: Option<Span>,
    /// Allocations that are taken to happen once: thread number and node.
    pub(crate) once: Vec<(usize, NodeId)>,
    /// Accesses to blocks that are known, guarded against use after free.
    pub(crate) guards: Vec<Guard>,
    /// All allocations.
    pub(crate) obtained: Vec<Obtained>,
}

/// The nodes that guard an access: needed only if something frees the object.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) thread: usize,
    pub(crate) object: ObjectId,
    pub(crate) nodes: Vec<NodeId>,
}

/// Whether a library function allocates: loops of constant bound around it are unrolled.
pub(crate) fn allocates(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    matches!(
        plain,
        "malloc" | "calloc" | "realloc" | "aligned_alloc" | "memalign" | "valloc" | "alloca" | "posix_memalign"
    ) || matches!(plain, "strdup" | "strndup")
}

impl ThreadBuilder<'_, '_> {
    /// Calls that allocate and free.
    pub(super) fn heap_call(&mut self, name: &str, arguments: &[Expr], wanted: Option<Type>) -> Option<Value> {
        let (init, align) = (Init::Arbitrary, BLOCK_ALIGN);
        let value = match (name, arguments) {
            ("malloc" | "valloc", [size]) => {
                let size = self.scalar(size);
                self.obtain(Request { size, wanted, init, align })
            }
            ("aligned_alloc" | "memalign", [alignment, size]) => {
                let align = alignment_of(self.scalar(alignment));
                let size = self.scalar(size);
                self.obtain(Request { size, wanted, init, align })
            }
            ("calloc", [count, size]) => {
                let (count, size) = (self.scalar(count), self.scalar(size));
                self.obtain(Request { size: count.mul(size), wanted, init: Init::Value(Term::int(0)), align })
            }
            ("alloca" | "__builtin_alloca", _) if self.follows_blocks() => {
                self.unsupported("alloca, where lives of blocks matter");
                Term::int(0)
            }
            ("alloca" | "__builtin_alloca", [size]) => {
                let size = self.scalar(size);
                self.block(Request { size, wanted, init, align })
            }
            ("posix_memalign", [pointer, alignment, size]) => {
                let target = self.scalar(pointer);
                let align = alignment_of(self.scalar(alignment));
                let size = self.scalar(size);
                let Type::Pointer(inner) = &pointee(pointer) else { return None };
                let block = self.block(Request { size, wanted: Some(inner.as_ref().clone()), init, align });
                let spot = self.spot_at(target);
                let shape = self.low.scalar_shape(&Type::Pointer(inner.clone()))?;
                self.write(&spot, shape, block);
                Term::int(0)
            }
            ("realloc", [old, size]) => {
                let target = pointee(old);
                let wanted = wanted.or((target != Type::Void).then_some(target));
                let (old, size) = (self.scalar(old), self.scalar(size));
                self.reallocate(old, size, wanted)
            }
            ("free" | "cfree", [pointer]) => {
                let pointer = self.scalar(pointer);
                self.free(pointer);
                return Some(Value::Void);
            }
            _ => return None,
        };
        Some(Value::Scalar(value))
    }

    /// A new block, or a null pointer if that is to be considered.
    fn obtain(&mut self, request: Request) -> Term {
        if self.low.config.allocation == Allocation::Succeeds {
            return self.block(request);
        }
        self.block_or_null(request, "out_of_memory")
    }

    /// What a function of which nothing is known returns for a pointer: null, or the address of a new object.
    pub(super) fn unknown_pointer(&mut self, pointee: &Type, wanted: Option<Type>) -> Term {
        let wanted = if *pointee == Type::Void { wanted } else { Some(pointee.clone()) };
        // Of an object whose type is not known nothing is used but its address.
        let wanted = wanted.filter(|ty| self.low.unit.size_of(ty) > 0 && !matches!(ty, Type::Void | Type::Function(_)));
        let size = Term::int(i128::from(wanted.as_ref().map_or(1, |ty| self.low.unit.size_of(ty))));
        self.block_or_null(Request { size, wanted, init: Init::Arbitrary, align: BLOCK_ALIGN }, "returns_null")
    }

    fn block_or_null(&mut self, request: Request, choice: &str) -> Term {
        let result = self.temporary(self.low.memory.pointer_type(), "allocated");
        let fails = self.havoc(IntType::new(1, false), choice);
        let (no, yes, done) = (self.label(), self.label(), self.label());
        self.branch(fails.eq_to(Term::int(0)), yes, no);
        self.land(yes);
        let block = self.block(request);
        self.assign(None, result, block);
        self.jump(done);
        self.land(no);
        self.assign(None, result, Term::int(0));
        self.land(done);
        self.low.memory.term(result)
    }

    /// A new block of so many bytes.
    fn block(&mut self, request: Request) -> Term {
        let Request { size, wanted, init, align } = request;
        let constant = size.as_int().and_then(|n| u64::try_from(n).ok());
        let common = self.low.config.blocks == Blocks::Common && self.is_copy();
        let times = if common || self.in_loop() { Times::Often } else { Times::Once };
        let layout = match constant.filter(|n| *n < MAX_BYTES) {
            Some(size) => layout(self.low.unit, size, wanted),
            None => match measured_layout(self.low.unit, wanted).filter(|_| constant.is_none() && times == Times::Once)
            {
                Some(layout) => layout,
                None => {
                    self.unsupported("an allocation of a size that is not constant");
                    return Term::int(0);
                }
            },
        };
        let layout = Layout { align, ..layout };
        let Some(at) = self.here() else { return Term::int(0) };
        self.low.heap.first.get_or_insert(self.span);
        let name = format!("block{}", self.span_line());
        let named = Named { name: &name, span: self.span, kind: VarKind::User, private: false };
        if common {
            return self.common_block(&layout, &named, init);
        }
        let object = self.low.memory.allocate_block(self.low.unit, &layout, times, &named, init);
        let base = self.low.memory.address_of(object);
        if constant.is_none() {
            let length = self.low.memory.measure(object, &named);
            self.emit(Step::Assume(size.le(Term::int(i128::from(measured_bytes(self.low.unit))))));
            self.emit(Step::Assign(length, size));
        }
        let Some(stride) = self.low.memory.object(object).heap.and_then(|heap| heap.stride) else {
            self.low.heap.once.push((self.number, at));
            return self.at_once(|this| {
                this.count_block(object, &named);
                this.single_block(base, at, object, init, &name)
            });
        };
        let counter = self.block_counter(&named);
        self.at_once(|this| {
            this.count_block(object, &named);
            this.next_block((object, init), base, stride, counter, &name)
        })
    }

    /// Nobody sees a block that is there, and whose address nobody has.
    fn at_once(&mut self, allocation: impl FnOnce(&mut Self) -> Term) -> Term {
        if !self.follows_chains() {
            return allocation(self);
        }
        self.emit(Step::AtomicBegin);
        let address = allocation(self);
        self.emit(Step::AtomicEnd);
        address
    }

    /// The block of an allocation that happens once; a variable holds its address if it may be that of another block.
    fn single_block(&mut self, base: Term, at: NodeId, object: ObjectId, init: Init, name: &str) -> Term {
        if !self.low.config.reused.contains(&self.span) {
            self.obtained(Some(at), (object, None), init);
            return base;
        }
        let result = self.temporary(self.low.memory.pointer_type(), name);
        let node = self.emit(Step::Assign(result, base));
        self.obtained(node, (object, None), init);
        self.low.memory.term(result)
    }

    /// Notes an allocation that is complete.
    fn obtained(&mut self, node: Option<NodeId>, (object, counter): (ObjectId, Option<VarId>), init: Init) {
        if let (Some(node), Some(rest)) = (node, self.here()) {
            let (thread, span) = (self.number, self.span);
            self.low.heap.obtained.push(Obtained { thread, node, rest, object, counter, init, span });
        }
    }

    /// How many blocks of a row have been allocated.
    fn block_counter(&mut self, row: &Named) -> VarId {
        let name = format!("count({})", row.name);
        let counter = Named { name: &name, span: self.span, kind: VarKind::Control(Bookkeeping::Other), private: true };
        let word = self.low.memory.pointer_type();
        self.low.memory.scalar(&counter, word, Init::Value(Term::int(0)))
    }

    /// The next of the blocks that all copies of the thread allocate here.
    fn common_block(&mut self, layout: &Layout, named: &Named, init: Init) -> Term {
        // The copies are lowered in the same way: what is allocated in the same place of them is what has the same number.
        let place = (self.own_family().unwrap_or_default(), self.common_allocations);
        self.common_allocations += 1;
        let known = self.low.common_blocks.get(&place).copied();
        let (object, counter) = known.unwrap_or_else(|| {
            let home = self.low.memory.home.take();
            let object = self.low.memory.allocate_block(self.low.unit, layout, Times::Often, named, init);
            let counter = self.block_counter(named);
            self.low.memory.home = home;
            (object, counter)
        });
        self.low.common_blocks.insert(place, (object, counter));
        let base = self.low.memory.address_of(object);
        let stride = self.low.memory.object(object).heap.and_then(|heap| heap.stride).unwrap_or_default();
        self.emit(Step::AtomicBegin);
        self.count_block(object, named);
        let block = self.next_block((object, init), base, stride, counter, named.name);
        self.emit(Step::AtomicEnd);
        block
    }

    /// Whether it matters what memory is left.
    pub(super) fn follows_leaks(&self) -> bool {
        [Property::ValidMemtrack, Property::ValidMemcleanup].into_iter().any(|p| self.low.config.asks(p))
    }

    /// Whether it matters which variables lead to blocks.
    pub(super) fn follows_chains(&self) -> bool {
        self.low.config.follows_chains()
    }

    /// The object is a variable of the text, which leads somewhere as long as it lives.
    pub(super) fn note_storage(&mut self, object: ObjectId) {
        if self.follows_chains() {
            self.low.leaks.declared.extend(self.low.memory.cells_of(object));
        }
    }

    /// Nothing is found through this object any more.
    pub(super) fn empty(&mut self, object: ObjectId) {
        if !self.follows_chains() {
            return;
        }
        let pointer = self.low.memory.pointer_type();
        for var in self.low.memory.cells_of(object) {
            let cell = self.low.memory.cell(var);
            let nothing = match cell.sort {
                program::Sort::Array => Term::const_array(Term::int(0)),
                _ => Term::int(0),
            };
            if cell.ty.bits >= pointer.bits {
                let site = self.emit(Step::Assign(var, nothing));
                self.constants.remove(&var);
                self.low.leaks.forgotten.extend(site.map(|node| (self.number, node)));
            }
        }
    }

    /// One more block is there, where that is a matter of the property.
    fn count_block(&mut self, object: ObjectId, named: &Named) {
        if !self.follows_leaks() {
            return;
        }
        let memory = &mut self.low.memory;
        let left = match memory.left(object) {
            Some(left) => left,
            None => memory.count_left(object, named),
        };
        let more = match memory.is_row(object) {
            true => memory.term(left).add(Term::int(1)),
            false => Term::int(1),
        };
        let site = self.emit(Step::Assign(left, more));
        self.low.leaks.allocations.extend(site.map(|node| (self.number, node, object)));
    }

    /// The program ends here.
    pub(super) fn end_program(&mut self, locals: Locals) {
        if self.follows_leaks() && self.low.config.threads.is_some() {
            self.unsupported("the end of a program without main, where what is left then matters");
        }
        if self.follows_leaks() {
            let site = self.emit(Step::Assume(Term::bool(true)));
            self.low.leaks.ends.extend(site.map(|node| (self.number, node, locals)));
        }
    }

    /// The next block of a row.
    fn next_block(
        &mut self,
        (object, init): (ObjectId, Init),
        base: Term,
        stride: u64,
        counter: VarId,
        name: &str,
    ) -> Term {
        let result = self.temporary(self.low.memory.pointer_type(), name);
        let next = self.low.memory.term(counter);
        let most = i128::from(row_length(self.low.unit)) - 1;
        self.emit(Step::Assume(next.le(Term::int(most))));
        let node = self.emit(Step::Assign(result, base.add(next.mul(Term::int(i128::from(stride))))));
        self.emit(Step::Assign(counter, next.add(Term::int(1))));
        self.obtained(node, (object, Some(counter)), init);
        self.low.memory.term(result)
    }

    /// Whether it matters which blocks there are.
    pub(super) fn follows_blocks(&self) -> bool {
        let config = self.low.config;
        let memory = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::ValidMemcleanup];
        memory.into_iter().any(|property| config.asks(property))
    }

    /// What a pointer points to must be the start of a block that is still there.
    fn check_block(&mut self, pointer: Term) {
        let spot = self.spot_at(pointer);
        let freed = self.read(&spot, FREED);
        self.check(freed.eq_to(Term::int(0)), UbKind::InvalidFree);
    }

    /// `free(pointer)`: undefined unless it is null or the start of a block that is still there.
    pub(super) fn free(&mut self, pointer: Term) {
        let (yes, done) = (self.label(), self.label());
        self.branch(pointer.ne(Term::int(0)), yes, done);
        self.land(yes);
        let spot = self.spot_at(pointer);
        self.emit(Step::AtomicBegin);
        self.check_block(pointer);
        self.write(&spot, FREED, Term::int(1));
        self.emit(Step::AtomicEnd);
        self.land(done);
    }

    /// `realloc(old, size)`: a new block with the contents of the old one, which is freed.
    fn reallocate(&mut self, old: Term, size: Term, wanted: Option<Type>) -> Term {
        if old.as_int() == Some(0) {
            return self.obtain(Request { size, wanted, init: Init::Arbitrary, align: BLOCK_ALIGN });
        }
        let ty = wanted.clone().unwrap_or(Type::Int(IntType::new(8, true)));
        let known = match self.spot_at(old) {
            super::place::Spot::Known { object, offset: 0, indices } if indices.is_empty() => {
                self.low.memory.object(object).heap.map(|_| self.low.memory.object(object).size)
            }
            _ => None,
        };
        let (Some(before), Some(after)) = (known, size.as_int().and_then(|n| u64::try_from(n).ok())) else {
            self.unsupported("realloc of a block whose size is not known here");
            return Term::int(0);
        };
        let new = self.obtain(Request { size, wanted, init: Init::Arbitrary, align: BLOCK_ALIGN });
        let (yes, done) = (self.label(), self.label());
        self.branch(new.ne(Term::int(0)), yes, done);
        self.land(yes);
        self.check_block(old);
        let common = before.min(after) / self.low.unit.size_of(&ty).max(1);
        let (source, target) = (self.spot_at(old), self.spot_at(new));
        self.copy(&target, &source, &Type::Array(Rc::new(ty), common));
        self.free(old);
        self.land(done);
        new
    }

    /// Runs an access to a known object, undefined if the object has been freed.
    pub(super) fn guarded<T>(&mut self, object: ObjectId, access: impl FnOnce(&mut Self) -> T) -> T {
        let Some(freed) = self.low.memory.freed(object) else { return access(self) };
        let alive = self.low.memory.term(freed).eq_to(Term::int(0));
        let mut nodes = Vec::new();
        nodes.extend(self.emit(Step::AtomicBegin));
        nodes.extend(self.emit(Step::Check(alive, UbKind::InvalidPointer)));
        let result = access(self);
        nodes.extend(self.emit(Step::AtomicEnd));
        self.low.heap.guards.push(Guard { thread: self.number, object, nodes });
        result
    }

    fn span_line(&self) -> String {
        let Span { line, .. } = self.span;
        format!("@{line}")
    }
}

/// What a block is aligned to whose caller asks for this alignment: at least as any other. One that is no power of two, or is not
/// known, promises nothing.
fn alignment_of(asked: Term) -> u64 {
    let constant = asked.as_int().and_then(|n| u64::try_from(n).ok());
    constant.filter(|n| n.is_power_of_two() && *n < MAX_BYTES).map_or(BLOCK_ALIGN, |n| n.max(BLOCK_ALIGN))
}

/// Blocks must be smaller than this.
const MAX_BYTES: u64 = 1 << 31;

/// Blocks of a size that is known only when they are allocated have at most so many bytes.
fn measured_bytes(unit: &Unit) -> u64 {
    match unit.data_model {
        DataModel::Lp64 => MAX_BYTES - 1,
        DataModel::Ilp32 => 1 << 24,
    }
}

/// How a block of any size is used: as an array of what the result is converted to.
fn measured_layout(unit: &Unit, wanted: Option<Type>) -> Option<Layout> {
    let ty = wanted.filter(|ty| !matches!(ty, Type::Void | Type::Function(_)))?;
    let count = measured_bytes(unit).checked_div(unit.size_of(&ty))?;
    Some(Layout { ty: Type::Array(Rc::new(ty), count), tail: None, align: BLOCK_ALIGN })
}

/// What an argument points to, under conversions to `void *`.
pub(super) fn pointee(argument: &Expr) -> Type {
    let mut expr = argument;
    while let (Type::Pointer(target), crate::hir::ExprKind::Cast(inner)) = (&expr.ty, &expr.kind) {
        let untyped = |ty: &Type| *ty == Type::Void || matches!(ty, Type::Pointer(inner) if **inner == Type::Void);
        if !untyped(target) {
            break;
        }
        expr = inner;
    }
    match &expr.ty {
        Type::Pointer(target) => target.as_ref().clone(),
        _ => Type::Void,
    }
}

/// How a block of so many bytes is used: as what the result is converted to, as often as it fits.
fn layout(unit: &Unit, size: u64, wanted: Option<Type>) -> Layout {
    let bytes = Type::Array(Rc::new(Type::Int(IntType::new(8, true))), size);
    let plain = |ty: Type| Layout { ty, tail: None, align: BLOCK_ALIGN };
    let Some(ty) = wanted.filter(|ty| !matches!(ty, Type::Void | Type::Function(_))) else { return plain(bytes) };
    let one = unit.size_of(&ty);
    if let Type::Record(id) = &ty
        && let Some(field) = unit.records[id.0 as usize].fields.last()
        && let Type::Array(element, 0) = &field.ty
        && size >= one
    {
        let count = (size - field.offset) / unit.size_of(element).max(1);
        let tail = Some((field.offset, element.as_ref().clone(), count));
        return Layout { tail, ty, align: BLOCK_ALIGN };
    }
    match (size.checked_div(one), size.checked_rem(one)) {
        (Some(1), Some(0)) => plain(ty),
        (Some(count), Some(0)) => plain(Type::Array(Rc::new(ty), count)),
        _ => plain(bytes),
    }
}
