//! Memory: objects with addresses, cut into scalar cells.
//!
//! Every object gets an address of its own, so that pointers are integers and C's pointer arithmetic, comparisons and
//! casts mean what they mean in C. Until the Program is finished an address is a symbolic variable, which lets the
//! points-to analysis see which object a term points into; then it becomes a number, or an unknown where a program can tell one number
//! from another ([`crate::addresses`]). The ids of threads and of keys are addresses in this sense, too. An object's scalar parts are its cells; small arrays are one cell
//! an element, larger ones one SMT array per scalar part of the element.

mod heap;
mod layout;
mod runs;
mod views;

use std::collections::HashMap;

use program::{Bookkeeping, Choice, Init, IntType, Sort, Span, Term, TermKind, UbKind, VarId, VarKind};

use crate::hir::{Type, Unit};
use crate::points_to::{Offset, gcd};
pub(crate) use heap::{BLOCK_ALIGN, FREED, Heap, Layout, Times, row_length};
pub(crate) use layout::sync_shape;
use layout::{Cut, Part, Plan, flatten, is_untracked};

/// An object: a variable, a string literal, a function, a piece of bookkeeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub(crate) u32);

/// Arrays up to this length are one cell an element; a symbolic index then becomes a case split, which predicate
/// abstraction follows better than array theory. Not so where any number of threads have elements of their own: see
/// [`Memory::allocate_whole`].
const SPLIT_LIMIT: u64 = 8;
/// The first address. Far from the small integers that programs cast to pointers.
const FIRST_ADDRESS: u64 = 0x1_0000;
/// Bytes between two objects: one past the end of one is not the beginning of the next.
const GAP: u64 = 8;
/// No object has a byte this close to either end of the address space: null pointers, small integers and error codes that are
/// kept in pointers are no addresses.
pub(crate) const MARGIN: i128 = 4096;

/// What a scalar access looks at: the type of the value and, for a bit-field, its first bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// The type of the value.
    pub(crate) ty: IntType,
    /// Bytes of the access.
    pub(crate) size: u64,
    /// The first bit within the unit.
    pub(crate) bit: u32,
    /// Whether it is a pointer: arithmetic on it stays inside an object or is undefined, so it never wraps.
    pub(crate) pointer: bool,
    /// Whether a pointer alone names it, which need not stay in an array that it was made from: it may go through the whole object.
    pub(crate) loose: bool,
}

impl Shape {
    /// What it is to look where there is nothing of the kind: what is to be freed is no block.
    pub(crate) fn misuse(&self, kind: UbKind) -> UbKind {
        if *self == FREED { UbKind::InvalidFree } else { kind }
    }
    /// Whether it is part of a larger unit: a bit-field.
    fn is_field(&self) -> bool {
        self.bit > 0 || (self.size <= 8 && u64::from(self.ty.bits) < self.size * 8)
    }
}

/// Where a leaf's value is kept.
#[derive(Clone, Debug)]
pub(crate) enum Cells {
    /// One variable an element (one in all, if the leaf is no array).
    Split(Vec<VarId>),
    /// One array variable.
    Array(VarId),
}

/// A scalar part of an object, repeated if it lies within arrays.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Bytes from the object's start to the first element.
    pub(crate) offset: u64,
    /// What an element is.
    pub(crate) shape: Shape,
    /// Enclosing arrays, outermost first: (stride in bytes, count). Adjacent dimensions are merged.
    pub(crate) dims: Vec<(u64, u64)>,
    /// Its variables.
    pub(crate) cells: Cells,
    /// Whether it is an object of the pthread library, whose bytes are nobody's business.
    sync: bool,
    /// Whether it is a bit-field.
    field: bool,
}

impl Leaf {
    /// The number of elements.
    pub(crate) fn count(&self) -> u64 {
        self.dims.iter().map(|(_, n)| n).product()
    }
    /// Whether an access of the shape at an element's first byte means the element.
    pub(crate) fn fits(&self, shape: Shape) -> bool {
        let place = self.shape.bit == shape.bit && self.shape.size == shape.size;
        if self.sync {
            return place;
        }
        let width = match self.field {
            true => self.shape.ty.bits == shape.ty.bits,
            // A `_Bool` looks like a field of one bit.
            false => !shape.is_field() || (shape.ty.bits == 1 && shape.size == 1),
        };
        place && width
    }
    /// The number of an element, row by row.
    pub(crate) fn number(&self, digits: &[Term]) -> Term {
        self.dims
            .iter()
            .zip(digits)
            .fold(Term::int(0), |index, ((_, count), digit)| index.mul(Term::int(i128::from(*count))).add(*digit))
    }
    /// The index in each dimension of the element with this number.
    pub(crate) fn digits(&self, number: u64) -> Vec<u64> {
        let mut rest = number;
        let mut digits: Vec<u64> = self
            .dims
            .iter()
            .rev()
            .map(|(_, count)| {
                let count = (*count).max(1);
                let digit = rest % count;
                rest /= count;
                digit
            })
            .collect();
        digits.reverse();
        digits
    }
}

/// What the value is that [`Object::address`] stands for, and so what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Storage {
    /// The address of bytes that no other object has.
    Bytes,
    /// The address of a function.
    Code,
    /// The address of a string literal, which may lie within another one.
    Literal,
    /// The id of a thread.
    Thread,
    /// An id of any of the threads that run a function of which there may be any number.
    Threads,
    /// The kernel's id of a thread.
    Task,
    /// The number of a key for thread-specific data.
    Key,
}

impl Storage {
    /// Whether it is an address, not an id.
    pub(crate) fn is_memory(self) -> bool {
        matches!(self, Storage::Bytes | Storage::Code | Storage::Literal)
    }
    /// Whether two such values are of one kind, so that different things have different ones.
    pub(crate) fn is_like(self, other: Storage) -> bool {
        let kind = |storage: Storage| match storage {
            Storage::Bytes | Storage::Code | Storage::Literal => 0,
            Storage::Thread | Storage::Threads => 1,
            Storage::Key => 2,
            Storage::Task => 3,
        };
        kind(self) == kind(other)
    }
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// What kind of thing it is.
    pub(crate) storage: Storage,
    /// A power of two that divides its address.
    pub(crate) align: u64,
    /// Its scalar parts. Floating-point parts have none: their values are not tracked.
    pub(crate) leaves: Vec<Leaf>,
    /// The variable that stands for its address.
    pub(crate) address: VarId,
    /// Whether only one thread can ever write it, and never through a pointer: then that thread can track its constants.
    pub(crate) private: bool,
    /// Whether it keeps its initial value for ever.
    pub(crate) constant: bool,
    /// Its bytes; none for what has no contents to look at (functions).
    pub(crate) size: u64,
    /// Whether some of its bytes are in no leaf but can be looked at: floating point.
    pub(crate) untracked: bool,
    /// Memory that is not modelled: argv, what an unknown pointer points to. Every access is reported.
    pub(crate) opaque: bool,
    /// Pairs of leaves that share bytes: members of unions.
    shared_bytes: Vec<(usize, usize)>,
    /// Whether it belongs to a thread: a local or a block.
    pub(crate) own: bool,
    /// For what an allocation function returned.
    pub(crate) heap: Option<Heap>,
    /// Whether its life has ended, for a local of which that matters.
    pub(crate) ended: Option<VarId>,
}

/// A variable before the Program is finished.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    pub(crate) ty: IntType,
    pub(crate) kind: VarKind,
    /// What an arbitrary value that it is given decides.
    pub(crate) choice: Choice,
    pub(crate) length: Option<u64>,
    pub(crate) init: Init,
    pub(crate) span: Span,
    /// For an address, its value as long as nobody can tell.
    pub(crate) address: Option<u64>,
    /// Whether nobody ever writes it: an unknown constant, which threads read without touching anything shared.
    pub(crate) rigid: bool,
    /// The thread it was made for, by number; nothing for what has static storage.
    pub(crate) home: Option<usize>,
}

/// What a new object is called and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Named<'a> {
    pub(crate) name: &'a str,
    pub(crate) span: Span,
    pub(crate) kind: VarKind,
    pub(crate) private: bool,
}

/// All objects and cells.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) cells: Vec<Cell>,
    pub(crate) objects: Vec<Object>,
    /// The thread for which cells are being made.
    pub(crate) home: Option<usize>,
    by_address: HashMap<VarId, ObjectId>,
    next_address: u64,
    word: IntType,
}

/// Where in an object an access falls.
#[derive(Clone, Debug)]
pub(crate) enum Located {
    /// This leaf, with an index for each of its dimensions.
    Leaf(usize, Vec<Term>),
    /// Outside the object, whatever the state.
    Outside,
    /// Inside, but not at a scalar of that size: the bytes of an object seen through another type.
    Punned,
}

impl Memory {
    pub(crate) fn new(unit: &Unit) -> Memory {
        let word = IntType::new(u32::try_from(unit.data_model.word() * 8).unwrap_or(64), false);
        Memory {
            cells: Vec::new(),
            objects: Vec::new(),
            home: None,
            by_address: HashMap::new(),
            next_address: FIRST_ADDRESS,
            word,
        }
    }

    /// Whether the objects need more addresses than there are.
    pub(crate) fn is_exhausted(&self) -> bool {
        i128::from(self.next_address) > self.word.greatest()
    }
    /// The type of a pointer's value.
    pub(crate) fn pointer_type(&self) -> IntType {
        self.word
    }
    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }
    pub(crate) fn cell(&self, id: VarId) -> &Cell {
        &self.cells[id.0 as usize]
    }
    pub(crate) fn cell_mut(&mut self, id: VarId) -> &mut Cell {
        &mut self.cells[id.0 as usize]
    }
    /// The variable as a term.
    pub(crate) fn term(&self, id: VarId) -> Term {
        Term::var(id, self.cell(id).sort)
    }
    /// The object whose address the variable is.
    pub(crate) fn addressed(&self, var: VarId) -> Option<ObjectId> {
        self.by_address.get(&var).copied()
    }
    /// The thread, by number, whose own an object is: others know it only if they are told its address.
    pub(crate) fn home_of(&self, id: ObjectId) -> Option<usize> {
        self.cell(self.object(id).address).home.filter(|_| self.object(id).own)
    }
    /// The least and the greatest value that the address of an object can have.
    pub(crate) fn address_range(&self, id: ObjectId) -> (i128, i128) {
        let object = self.object(id);
        match object.storage {
            Storage::Bytes | Storage::Code | Storage::Literal => {
                (MARGIN, self.word.greatest() + 1 - MARGIN - i128::from(object.size.max(1)))
            }
            Storage::Thread => (1, self.word.greatest()),
            // What is added to it is part of the id.
            Storage::Threads => (0, 0),
            Storage::Task => (1, (1 << 31) - 1),
            Storage::Key => (0, (1 << 32) - 1),
        }
    }
    /// The address of an object's first byte.
    pub(crate) fn address_of(&self, id: ObjectId) -> Term {
        Term::var(self.object(id).address, Sort::Int)
    }

    /// Gives the objects of one thread the addresses of another's, which runs the same function.
    pub(crate) fn align(&mut self, first: usize, other: usize) {
        let own = |memory: &Memory, thread: usize| -> Vec<VarId> {
            let objects = (0u32..).zip(&memory.objects).filter(|(id, _)| memory.home_of(ObjectId(*id)) == Some(thread));
            objects.map(|(_, object)| object.address).collect()
        };
        for (from, to) in own(self, first).into_iter().zip(own(self, other)) {
            self.cell_mut(to).address = self.cell(from).address;
        }
    }

    /// A scalar variable that is no part of an object.
    pub(crate) fn scalar(&mut self, named: &Named, ty: IntType, init: Init) -> VarId {
        self.push_cell(named, Sort::Int, ty, None, init)
    }

    fn push_cell(&mut self, named: &Named, sort: Sort, ty: IntType, length: Option<u64>, init: Init) -> VarId {
        let cell = Cell {
            name: named.name.to_string(),
            sort,
            ty,
            kind: named.kind,
            choice: Choice::Other,
            length,
            init,
            span: named.span,
            address: None,
            rigid: false,
            home: self.home,
        };
        self.cells.push(cell);
        VarId(program::number(self.cells.len() - 1))
    }

    /// A new object of the type. `init` is what every scalar in it starts with.
    pub(crate) fn allocate(&mut self, unit: &Unit, ty: &Type, named: &Named, init: Init) -> ObjectId {
        self.allocate_cut(unit, ty, named, init, &Part::default())
    }

    /// The id of a thread or a key, which is this number as long as the program cannot tell.
    pub(crate) fn identify(&mut self, storage: Storage, named: &Named, number: u64) -> ObjectId {
        let init = Init::Value(Term::int(0));
        let next = self.next_address;
        let id = self.install(Plan::new(), named, init, (1, 1), false);
        self.next_address = next;
        self.objects[id.0 as usize].storage = storage;
        let address = self.object(id).address;
        self.cell_mut(address).address = Some(number);
        id
    }

    /// The same, with arrays in one piece, however short they are.
    pub(crate) fn allocate_whole(&mut self, unit: &Unit, ty: &Type, named: &Named, init: Init) -> ObjectId {
        self.allocate_cut(unit, ty, named, init, &Part { whole: true, ..Part::default() })
    }

    fn allocate_cut(&mut self, unit: &Unit, ty: &Type, named: &Named, init: Init, all: &Part) -> ObjectId {
        let mut plan = Plan::new();
        flatten(unit, ty, all, &mut plan);
        let (size, align) = if *ty == Type::Void { (0, 1) } else { (unit.size_of(ty), unit.align_of(ty)) };
        self.install(plan, named, init, (size, align), is_untracked(unit, ty))
    }

    /// Says that an object's address is a multiple of this power of two.
    pub(crate) fn realign(&mut self, id: ObjectId, align: u64) {
        let address = self.object(id).address;
        let size = self.object(id).size;
        let before = self.cell(address).address.unwrap_or_default();
        if !before.is_multiple_of(align.max(1)) {
            let base = self.next_address.checked_next_multiple_of(align).unwrap_or(u64::MAX);
            self.next_address = base.saturating_add(size.max(1) + GAP);
            self.cell_mut(address).address = Some(base);
        }
        let object = &mut self.objects[id.0 as usize];
        object.align = align;
    }

    /// A new object, cut as planned, of so many bytes with this alignment.
    fn install(
        &mut self,
        plan: Plan,
        named: &Named,
        init: Init,
        (size, align): (u64, u64),
        untracked: bool,
    ) -> ObjectId {
        let leaves: Vec<Leaf> = plan.into_iter().map(|cut| self.leaf(cut, named, init)).collect();
        let base = self.next_address.checked_next_multiple_of(align.max(8)).unwrap_or(u64::MAX);
        self.next_address = base.saturating_add(size.max(1) + GAP);
        let address = self.push_cell(
            &Named { kind: VarKind::Control(Bookkeeping::Other), ..named.clone() },
            Sort::Int,
            self.word,
            None,
            init,
        );
        self.cell_mut(address).address = Some(base);
        let id = ObjectId(program::number(self.objects.len()));
        self.objects.push(Object {
            storage: Storage::Bytes,
            align,
            shared_bytes: Memory::overlaps(&leaves),
            leaves,
            address,
            private: named.private,
            constant: false,
            size,
            untracked,
            opaque: false,
            own: false,
            heap: None,
            ended: None,
        });
        self.by_address.insert(address, id);
        id
    }

    /// Whether it is a row of blocks, each an object of its own.
    pub(crate) fn is_row(&self, id: ObjectId) -> bool {
        self.object(id).heap.is_some_and(|heap| heap.stride.is_some())
    }

    /// How many bytes no other object has: one at least of functions and of blocks, none of an object without any.
    pub(crate) fn extent(&self, id: ObjectId) -> u64 {
        let object = self.object(id);
        let empty = object.storage == Storage::Bytes && object.heap.is_none();
        if empty { object.size } else { object.size.max(1) }
    }

    /// Whether members of a union show parts of the bytes of others.
    pub(crate) fn is_cut(&self, id: ObjectId) -> bool {
        let object = self.object(id);
        let place = |leaf: usize| {
            let leaf = &object.leaves[leaf];
            (leaf.offset, leaf.shape.size, leaf.shape.bit, leaf.dims.clone())
        };
        object.shared_bytes.iter().any(|(a, b)| place(*a) != place(*b))
    }

    /// The leaf that the byte at a constant offset belongs to.
    pub(crate) fn leaf_at(&self, object: ObjectId, offset: i128) -> Option<&Leaf> {
        self.object(object).leaves.iter().find(|leaf| covers(leaf, offset))
    }

    /// Whether the byte at a constant offset is one of the object's.
    fn contains(&self, object: ObjectId, offset: i128) -> bool {
        (0..i128::from(self.object(object).size)).contains(&offset)
    }

    /// All variables of an object.
    pub(crate) fn cells_of(&self, object: ObjectId) -> Vec<VarId> {
        let cells = self.object(object).leaves.iter().flat_map(|leaf| match &leaf.cells {
            Cells::Split(vars) => vars.clone(),
            Cells::Array(var) => vec![*var],
        });
        cells.collect()
    }

    /// Whether some of the bytes of a type are not followed: floating point.
    pub(crate) fn is_untracked(&self, unit: &Unit, ty: &Type) -> bool {
        is_untracked(unit, ty)
    }

    /// The memory that is not modelled.
    pub(crate) fn opaque(&mut self, unit: &Unit) -> ObjectId {
        if let Some(index) = self.objects.iter().position(|o| o.opaque) {
            return ObjectId(program::number(index));
        }
        let named = Named {
            name: "elsewhere",
            span: Span::default(),
            kind: VarKind::Control(Bookkeeping::Other),
            private: false,
        };
        let id = self.allocate(unit, &Type::Void, &named, Init::Value(Term::int(0)));
        self.objects[id.0 as usize].opaque = true;
        id
    }

    fn leaf(&mut self, cut: Cut, named: &Named, init: Init) -> Leaf {
        let Cut { part, shape, sync, field } = cut;
        let kind = if sync.is_some() { VarKind::Lock } else { named.kind };
        let pattern = format!("{}{}", named.name, part.name);
        let count: u64 = part.dims.iter().map(|(_, n)| n).product();
        let whole = part.whole && !part.dims.is_empty() && sync.is_none();
        let cells = if count <= SPLIT_LIMIT && !whole {
            let names = (0..count).map(|index| element_name(&pattern, &part.dims, index));
            let vars = names.map(|name| {
                let named = Named { name: &name, kind, ..named.clone() };
                self.push_cell(&named, Sort::Int, shape.ty, None, init)
            });
            Cells::Split(vars.collect())
        } else {
            let init = match init {
                Init::Value(value) => Init::Value(Term::const_array(value)),
                Init::Arbitrary => Init::Arbitrary,
            };
            let name = pattern.replace("[]", "");
            let named = Named { name: &name, kind, ..named.clone() };
            Cells::Array(self.push_cell(&named, Sort::Array, shape.ty, Some(count), init))
        };
        Leaf { offset: part.offset, shape, dims: merge(part.dims), cells, sync: sync.is_some(), field }
    }

    /// The scalar of `shape` at `offset + sum of index * stride` bytes in the object.
    ///
    /// The leaf is the one in which the access falls where all indices are zero. If there is none (`*(p + i - 1)` with p at an
    /// array's start), it is the only array that the strides fit.
    pub(crate) fn locate(&self, object: ObjectId, offset: i128, indices: &[(Term, i128)], shape: Shape) -> Located {
        let leaves = &self.object(object).leaves;
        let mut punned = false;
        let mut outside: Vec<(usize, Vec<Term>)> = Vec::new();
        // A bit-field and a `_Bool` look alike; where both are, each is meant by its like.
        let mut order: Vec<(usize, &Leaf)> = leaves.iter().enumerate().collect();
        order.sort_by_key(|(_, leaf)| leaf.field != shape.is_field());
        for (number, leaf) in order {
            let fits = leaf.fits(shape);
            match element(leaf, offset, indices) {
                Element::Inside(digits) if fits => return Located::Leaf(number, digits),
                Element::Shifted(digits) if fits => outside.push((number, digits)),
                Element::Inside(_) => punned = true,
                Element::Shifted(_) => {}
                Element::Elsewhere => punned |= covers(leaf, offset),
            }
        }
        let past_end =
            indices.is_empty() && offset.saturating_add(i128::from(shape.size)) > i128::from(self.object(object).size);
        match (outside.pop(), outside.is_empty()) {
            (Some((number, digits)), true) => Located::Leaf(number, digits),
            // What is freed must be the start of a block; what reaches past the end is undefined whatever is inside.
            (None, _) if shape == FREED || past_end => Located::Outside,
            (Some(_), false) => Located::Punned,
            // Padding and floating-point parts are inside, too.
            (None, _) if punned || !indices.is_empty() || self.contains(object, offset) => Located::Punned,
            (None, _) => Located::Outside,
        }
    }
}

impl Memory {
    /// Whether a scalar of this shape at one of these places can lie in the object (in one block of a row) without being an
    /// element of one of these leaves.
    pub(crate) fn has_gaps(&self, id: ObjectId, leaves: &[usize], places: Offset, shape: Shape) -> bool {
        let object = self.object(id);
        let row = object.heap.and_then(|heap| Some((heap.bytes, heap.stride?)));
        let (bytes, step) = match row {
            Some((bytes, stride)) => (bytes, gcd(places.step, i128::from(stride))),
            None => (object.size, places.step.max(1)),
        };
        let last = i128::from(bytes) - i128::from(shape.size);
        let mut at = places.start.rem_euclid(step);
        for _ in 0..MAX_PLACES {
            if at > last {
                return false;
            }
            let runs = leaves.iter().filter_map(|leaf| run(&object.leaves[*leaf], at, step));
            match runs.max() {
                Some(run) => at += run,
                None => return true,
            }
        }
        true
    }
}

/// More places in an object than this are not looked at one by one.
const MAX_PLACES: usize = 1 << 16;

/// How many bytes from an element on there are elements at every step; nothing if there is none here.
fn run(leaf: &Leaf, at: i128, step: i128) -> Option<i128> {
    let Element::Inside(digits) = element(leaf, at, &[]) else { return None };
    match (leaf.dims.last(), digits.last().and_then(|digit| digit.as_int())) {
        (Some((stride, count)), Some(digit)) if step % i128::from(*stride) == 0 => {
            let left = (i128::from(*count) - digit) * i128::from(*stride);
            Some((left - 1) / step * step + step)
        }
        _ => Some(step),
    }
}

fn element_name(pattern: &str, dims: &[(u64, u64)], index: u64) -> String {
    let mut rest = index;
    let mut digits: Vec<u64> = Vec::new();
    for (_, count) in dims.iter().rev() {
        digits.push(rest % (*count).max(1));
        rest /= (*count).max(1);
    }
    let mut digits = digits.into_iter().rev();
    let mut name = String::new();
    let mut pieces = pattern.split("[]").peekable();
    while let Some(piece) = pieces.next() {
        name.push_str(piece);
        if pieces.peek().is_some() {
            name.push_str(&format!("[{}]", digits.next().unwrap_or(0)));
        }
    }
    name
}

/// `T a[2][3]` is one row of six: strides 12 and 4 with an inner count of 3 merge.
fn merge(dims: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (stride, count) in dims {
        match merged.last_mut() {
            Some((outer, n)) if *outer == stride * count => {
                *outer = stride;
                *n *= count;
            }
            _ => merged.push((stride, count)),
        }
    }
    merged
}

/// How an access relates to a leaf.
enum Element {
    /// It starts at an element, inside the arrays where the symbolic indices are zero.
    Inside(Vec<Term>),
    /// It would start at an element, if the symbolic indices bring it back into the arrays.
    Shifted(Vec<Term>),
    /// Not at an element.
    Elsewhere,
}

fn element(leaf: &Leaf, offset: i128, indices: &[(Term, i128)]) -> Element {
    let mut rest = offset.saturating_sub(i128::from(leaf.offset));
    let mut open: Vec<(Term, i128)> = indices.to_vec();
    let mut digits = Vec::new();
    let mut inside = true;
    for (stride, count) in &leaf.dims {
        let stride = i128::from(*stride);
        let constant = rest.div_euclid(stride);
        let mut digit = Term::int(constant);
        rest = rest.rem_euclid(stride);
        open.retain(|(term, by)| {
            let fits = by % stride == 0;
            if fits {
                digit = digit.add(term.mul(Term::int(by / stride)));
            }
            !fits
        });
        let in_range = (0..i128::from(*count)).contains(&constant);
        if !in_range && digit.as_int().is_some() {
            return Element::Elsewhere;
        }
        inside &= in_range;
        digits.push(digit);
    }
    match (rest == 0 && open.is_empty(), inside) {
        (false, _) => Element::Elsewhere,
        (true, true) => Element::Inside(digits),
        (true, false) => Element::Shifted(digits),
    }
}

/// Whether the byte at a constant offset belongs to some element of the leaf.
fn covers(leaf: &Leaf, offset: i128) -> bool {
    let mut rest = offset.saturating_sub(i128::from(leaf.offset));
    for (stride, count) in &leaf.dims {
        let digit = rest.div_euclid(i128::from(*stride));
        if digit < 0 || digit >= i128::from(*count) {
            return false;
        }
        rest = rest.rem_euclid(i128::from(*stride));
    }
    (0..i128::from(leaf.shape.size)).contains(&rest)
}

/// The object, the constant part of the offset, and the symbolic rest as (term, factor).
pub(crate) type Point = (ObjectId, i128, Vec<(Term, i128)>);

/// A pointer term as an object and a byte offset in it.
pub(crate) fn point(memory: &Memory, address: Term) -> Option<Point> {
    let (monomials, constant): (Vec<(Term, i128)>, i128) = match address.kind() {
        TermKind::Var(..) => (vec![(address, 1)], 0),
        TermKind::Sum(sum) => (sum.monomials().to_vec(), sum.offset()),
        _ => return None,
    };
    let object_of = |term: Term| term.as_var().and_then(|var| memory.addressed(var));
    let mut bases = monomials.iter().filter(|(term, _)| object_of(*term).is_some());
    let (base, factor) = bases.next()?;
    if *factor != 1 || bases.next().is_some() {
        return None;
    }
    let rest: Vec<(Term, i128)> = monomials.iter().filter(|(term, _)| term != base).copied().collect();
    // A second pointer hidden in the rest would make the object ambiguous.
    if rest.iter().any(|(term, _)| term.vars().iter().any(|v| memory.addressed(*v).is_some())) {
        return None;
    }
    Some((object_of(*base)?, constant, rest))
}
