//! The heap: a block for every allocation that happens once, an endless row of blocks for one in a loop.
//!
//! Calls are inlined and loops of constant bound that allocate are unrolled, so most allocations happen once: such a block
//! is an object like any other, at an address known at compile time. In any other loop the n-th execution gets the n-th block of a
//! row, whose scalars are arrays over n. Blocks that have been freed are used again where that matters ([`crate::reuse`]). Each block has a hidden scalar that says whether it
//! has been freed, at its first byte and without any bytes of its own, so that `free(p)` is an access like any other.

use std::collections::BTreeMap;

use program::{Bookkeeping, Init, IntType, Sort, Term, VarId, VarKind};

use super::layout::{Cut, Part, Plan, flatten, is_untracked};
use super::{Cells, Leaf, Memory, Named, ObjectId, Shape};
use crate::hir::{DataModel, Type, Unit};

/// How often an allocation happens in a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    Often,
}

/// What a block is made of.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) ty: Type,
    /// The elements of a flexible array at the end of a struct: where, of what type, how many.
    pub(crate) tail: Option<(u64, Type, u64)>,
    /// Its address is a multiple of this power of two.
    pub(crate) align: u64,
}

/// What `malloc` aligns its blocks to, at least: for any type.
pub(crate) const BLOCK_ALIGN: u64 = 16;

/// What makes an object a heap object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heap {
    /// The number of the leaf that says what has been freed.
    freed: usize,
    /// Bytes of a block.
    pub(crate) bytes: u64,
    /// Bytes from one block to the next, if there is a row of them.
    pub(crate) stride: Option<u64>,
    /// How many bytes the block has, if that is known only when it is allocated.
    pub(crate) length: Option<VarId>,
    /// How many blocks there are that nobody has freed, if that is counted.
    pub(crate) left: Option<VarId>,
}

/// What `free` looks at: a bit at a block's first byte that overlaps nothing.
pub(crate) const FREED: Shape =
    Shape { ty: IntType { bits: 1, signed: false }, size: 0, bit: 0, pointer: false, loose: false };

/// Blocks in a row: more than a program can hold at a time.
pub(crate) fn row_length(unit: &Unit) -> u64 {
    match unit.data_model {
        DataModel::Lp64 => 1 << 32,
        DataModel::Ilp32 => 1 << 20,
    }
}

impl Memory {
    /// A new object on the heap.
    pub(crate) fn allocate_block(
        &mut self,
        unit: &Unit,
        layout: &Layout,
        times: Times,
        named: &Named,
        init: Init,
    ) -> ObjectId {
        let tail = layout.tail.as_ref().map_or(0, |(offset, ty, count)| offset + unit.size_of(ty) * count);
        let size = unit.size_of(&layout.ty).max(tail);
        // A gap keeps the blocks of a row apart, as if each were an object of its own.
        let stride = (times == Times::Often).then(|| size.next_multiple_of(layout.align) + layout.align);
        let whole = match stride {
            Some(stride) => Part { dims: vec![(stride, row_length(unit))], name: "[]".into(), ..Part::default() },
            None => Part::default(),
        };
        let mut plan = Plan::new();
        flatten(unit, &layout.ty, &whole, &mut plan);
        if let Some((offset, ty, count)) = &layout.tail {
            let elements = Type::Array(std::rc::Rc::new(ty.clone()), *count);
            flatten(
                unit,
                &elements,
                &Part { offset: *offset, name: format!("{}.", whole.name), ..whole.clone() },
                &mut plan,
            );
        }
        let untracked = is_untracked(unit, &layout.ty);
        let bytes = stride.map_or(size, |stride| stride * row_length(unit));
        let id = self.install(plan, named, init, (bytes, layout.align), untracked);
        let freed = format!("freed({})", named.name);
        let hidden = Named { name: &freed, kind: VarKind::Control(Bookkeeping::Freed), ..named.clone() };
        let cut = Cut { part: whole, shape: FREED, sync: None, field: false };
        let leaf = self.leaf(cut, &hidden, Init::Value(Term::int(0)));
        let object = &mut self.objects[id.0 as usize];
        object.leaves.push(leaf);
        object.own = true;
        object.heap = Some(Heap { freed: object.leaves.len() - 1, bytes: size, stride, length: None, left: None });
        id
    }

    /// The parts of a block, but the one that says whether it has been freed.
    pub(crate) fn block_leaves(&self, id: ObjectId) -> impl Iterator<Item = &Leaf> {
        let object = self.object(id);
        let hidden = object.heap.map(|heap| heap.freed);
        object.leaves.iter().enumerate().filter(move |(index, _)| Some(*index) != hidden).map(|(_, leaf)| leaf)
    }

    /// How many bytes after the beginning of their blocks variables are, as far as that is one number.
    pub(crate) fn offsets(&self) -> BTreeMap<VarId, u64> {
        let mut all = BTreeMap::new();
        for object in &self.objects {
            let Some(heap) = &object.heap else { continue };
            for leaf in &object.leaves {
                match (&leaf.cells, leaf.dims.as_slice()) {
                    (Cells::Split(cells), []) => all.extend(cells.iter().map(|cell| (*cell, leaf.offset))),
                    (Cells::Split(cells), [(stride, _)]) => {
                        all.extend(cells.iter().zip(0..).map(|(cell, index)| (*cell, leaf.offset + stride * index)));
                    }
                    (Cells::Array(cell), [(stride, _)]) if heap.stride == Some(*stride) => {
                        all.insert(*cell, leaf.offset);
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// Makes the length of a block a matter of the execution, and gives the variable that holds it.
    pub(crate) fn measure(&mut self, id: ObjectId, named: &Named) -> VarId {
        let hidden = Named {
            name: &format!("length({})", named.name),
            kind: VarKind::Control(Bookkeeping::Other),
            ..named.clone()
        };
        let length = self.scalar(&hidden, self.word, Init::Value(Term::int(0)));
        if let Some(heap) = &mut self.objects[id.0 as usize].heap {
            heap.length = Some(length);
        }
        length
    }

    /// Counts the blocks that nobody has freed, and gives the variable that does.
    pub(crate) fn count_left(&mut self, id: ObjectId, named: &Named) -> VarId {
        let hidden = Named {
            name: &format!("left({})", named.name),
            kind: VarKind::Control(Bookkeeping::Other),
            ..named.clone()
        };
        let left = self.scalar(&hidden, self.word, Init::Value(Term::int(0)));
        if let Some(heap) = &mut self.objects[id.0 as usize].heap {
            heap.left = Some(left);
        }
        left
    }

    /// The variable that counts the blocks that nobody has freed.
    pub(crate) fn left(&self, id: ObjectId) -> Option<VarId> {
        self.object(id).heap?.left
    }

    /// Whether a variable is part of a block.
    pub(crate) fn is_in_block(&self, var: VarId) -> bool {
        self.block_of(var).is_some()
    }

    /// The object on the heap that a variable is part of.
    pub(crate) fn block_of(&self, var: VarId) -> Option<ObjectId> {
        let ids = (0u32..).map(ObjectId).zip(&self.objects).filter(|(_, object)| object.heap.is_some());
        ids.map(|(id, _)| id).find(|id| self.cells_of(*id).contains(&var))
    }

    /// That so many bytes at this place of an object are in it, where its length does not say so by itself.
    pub(crate) fn inside(&self, id: ObjectId, place: Term, bytes: u64) -> Option<Term> {
        let length = self.term(self.object(id).heap?.length?);
        Some(place.add(Term::int(i128::from(bytes))).le(length))
    }

    /// The variable that says whether a heap object, or which blocks of it, have been freed.
    pub(crate) fn freed(&self, id: ObjectId) -> Option<VarId> {
        let object = self.object(id);
        match &object.leaves[object.heap?.freed].cells {
            Cells::Split(vars) => vars.first().copied(),
            Cells::Array(var) => Some(*var),
        }
    }

    /// That the block an address points into has not been freed.
    pub(crate) fn alive(&self, id: ObjectId, address: Term) -> Option<Term> {
        let freed = self.term(self.freed(id)?);
        let bit = match (freed.sort(), self.object(id).heap?.stride) {
            (Sort::Array, Some(stride)) => {
                freed.select(address.sub(self.address_of(id)).div(Term::int(i128::from(stride))))
            }
            _ => freed,
        };
        Some(bit.eq_to(Term::int(0)))
    }
}
