//! What leads to blocks: chains of pointers that begin in variables.
//!
//! Reachability over the finitely many blocks that are allocated once is unfolded along all simple paths of what points-to says. Blocks
//! of a row are told apart by their numbers; where they may be linked to one another, paths of a few of them are looked at, which are
//! all that there are as long as no more blocks of that kind are there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use program::{Sort, Term, VarId};

use crate::memory::{Cells, Memory, ObjectId};
use crate::points_to::PointsTo;

/// Linked blocks of rows on one path.
const LINKED: usize = 3;
/// More pointers than this are not unfolded.
const POINTERS: usize = 48;
/// Longer arrays of pointers are not looked at element by element.
const ELEMENTS: u64 = 16;

/// Where it is to be seen that no block is lost.
pub(super) struct Chains {
    /// For each object: how many of its blocks are there, and to how many of them pointers lead.
    pub(super) counts: Vec<(Term, Term)>,
    /// Beyond so many blocks in all, of those counted, what leads to them is not known exactly.
    pub(super) limit: Option<(Term, i128)>,
    /// The variables that lead to a block.
    pub(super) holders: BTreeSet<VarId>,
    /// What says that a block which leads to others has been freed.
    pub(super) links: BTreeSet<VarId>,
}

/// What is known of all objects.
pub(super) struct Heap<'a> {
    pub(super) memory: &'a Memory,
    pub(super) points_to: &'a PointsTo,
    pub(super) addresses: &'a HashMap<VarId, Term>,
    /// Blocks that are not lost, as the text shows.
    pub(super) kept: &'a BTreeSet<ObjectId>,
}

/// A pointer, where there is one, and what it was found through.
#[derive(Clone)]
struct Pointer {
    there: Term,
    value: Term,
    /// The variable that it is in, or is an element of.
    var: VarId,
    passed: Vec<ObjectId>,
}

/// A block that a pointer leads to: where that is so, and its number in its row.
struct Reached {
    there: Term,
    number: Term,
}

impl Heap<'_> {
    /// What leads to these objects; nothing where that cannot be told.
    pub(super) fn chains(&self, followed: &BTreeSet<ObjectId>) -> Option<Chains> {
        let (wanted, holders) = self.leading(followed);
        let mut reached: BTreeMap<ObjectId, Vec<Reached>> = BTreeMap::new();
        let mut open = Vec::new();
        for var in holders.iter().filter(|var| self.block_of(**var, &wanted).is_none()) {
            self.elements(*var, &Term::bool(true), None, &[], &mut open)?;
        }
        let beginnings = wanted.intersection(self.kept).map(|object| Some((*object, self.is_there(*object)?)));
        for (object, there) in beginnings.collect::<Option<Vec<_>>>()? {
            self.contents(object, there, Term::int(0), &[], &mut open)?;
        }
        let (mut taken, mut is_cut) = (0, false);
        while let Some(pointer) = open.pop() {
            taken += 1;
            if taken > POINTERS {
                return None;
            }
            for object in wanted.difference(self.kept) {
                let Some(here) = self.leads(&pointer, *object)? else { continue };
                let there = Term::and([pointer.there, here]);
                let passed = pointer.passed.iter().filter(|other| *other == object).count();
                let is_row = self.memory.is_row(*object);
                if passed >= if is_row { LINKED } else { 1 } {
                    is_cut |= is_row;
                    continue;
                }
                let number = self.number(*object, pointer.value);
                let alive = Term::and([there, self.memory.alive(*object, pointer.value)?.substitute(&self.numbers())]);
                self.contents(*object, alive, number, &pointer.passed, &mut open)?;
                reached.entry(*object).or_default().push(Reached { there: alive, number });
            }
        }
        let left = |object: &ObjectId| self.memory.left(*object).map(|left| self.memory.term(left));
        let count = |object| Some((left(object)?, different(reached.get(object).map_or(&[], Vec::as_slice))));
        let counts = followed.iter().map(count).collect::<Option<Vec<_>>>()?;
        let rows = wanted.iter().filter(|object| self.memory.is_row(**object));
        let total = rows.map(left).collect::<Option<Vec<_>>>()?.into_iter().fold(Term::int(0), Term::add);
        let links = wanted.iter().filter_map(|object| self.memory.freed(*object)).collect();
        Some(Chains { counts, limit: is_cut.then_some((total, LINKED as i128)), holders, links })
    }

    /// The blocks through which others may be found, these included, and the variables that may point to one of them.
    fn leading(&self, followed: &BTreeSet<ObjectId>) -> (BTreeSet<ObjectId>, BTreeSet<VarId>) {
        let mut wanted = BTreeSet::new();
        let mut holders = BTreeSet::new();
        let mut open: Vec<ObjectId> = followed.iter().copied().collect();
        while let Some(object) = open.pop() {
            if !wanted.insert(object) {
                continue;
            }
            for var in self.points_to.holders(object) {
                holders.insert(var);
                open.extend(self.memory.block_of(var));
            }
        }
        // Who leads to what is kept anyway need not be seen.
        holders.retain(|var| wanted.difference(self.kept).any(|object| self.points_to.holders(*object).contains(var)));
        (wanted, holders)
    }

    fn block_of(&self, var: VarId, wanted: &BTreeSet<ObjectId>) -> Option<ObjectId> {
        self.memory.block_of(var).filter(|object| wanted.contains(object))
    }

    fn numbers(&self) -> impl Fn(VarId, Sort) -> Option<Term> + '_ {
        |var, _| self.addresses.get(&var).copied()
    }

    /// Where an object is.
    pub(super) fn address(&self, object: ObjectId) -> Term {
        self.memory.address_of(object).substitute(&self.numbers())
    }

    /// That a block which is allocated once is there.
    fn is_there(&self, object: ObjectId) -> Option<Term> {
        Some(self.memory.term(self.memory.left(object)?).eq_to(Term::int(1)))
    }

    /// The pointers in a variable, or in the part of it that belongs to one block of a row.
    fn elements(
        &self,
        var: VarId,
        there: &Term,
        number: Option<Term>,
        passed: &[ObjectId],
        into: &mut Vec<Pointer>,
    ) -> Option<()> {
        let whole = self.memory.term(var);
        let mut add = |value: Term| into.push(Pointer { there: *there, value, var, passed: passed.to_vec() });
        match (whole.sort(), number, self.memory.cell(var).length) {
            (Sort::Array, Some(number), _) => add(whole.select(number)),
            (Sort::Array, None, Some(length)) if length <= ELEMENTS => {
                (0..i128::from(length)).for_each(|index| add(whole.select(Term::int(index))));
            }
            (Sort::Int, _, _) => add(whole),
            _ => return None,
        }
        Some(())
    }

    /// The pointers in a block.
    fn contents(
        &self,
        object: ObjectId,
        there: Term,
        number: Term,
        passed: &[ObjectId],
        into: &mut Vec<Pointer>,
    ) -> Option<()> {
        let passed: Vec<ObjectId> = passed.iter().copied().chain([object]).collect();
        let is_row = self.memory.is_row(object);
        for leaf in self.memory.block_leaves(object) {
            let vars = match &leaf.cells {
                Cells::Split(vars) => vars.clone(),
                Cells::Array(var) => vec![*var],
            };
            for var in vars.into_iter().filter(|var| self.points_somewhere(*var)) {
                if is_row && leaf.dims.len() != 1 {
                    return None;
                }
                self.elements(var, &there, is_row.then_some(number), &passed, into)?;
            }
        }
        Some(())
    }

    fn points_somewhere(&self, var: VarId) -> bool {
        let targets = self.points_to.targets(self.memory, self.memory.term(var));
        targets.iter().any(|target| self.memory.object(target.object).heap.is_some())
    }

    /// That a pointer leads into an object, if it may; nothing where that cannot be told.
    fn leads(&self, pointer: &Pointer, object: ObjectId) -> Option<Option<Term>> {
        let targets = self.points_to.targets(self.memory, self.memory.term(pointer.var));
        let mut here: Vec<_> = targets.iter().filter(|target| target.object == object).map(|t| t.offset).collect();
        here.dedup();
        if here.is_empty() {
            return Some(None);
        }
        if here.iter().any(|offset| offset.is_anywhere()) {
            return None;
        }
        // Of addresses that are looked at as numbers it is not known what lies behind the end.
        self.address(object).as_int()?;
        let (base, size) = (self.address(object), self.memory.object(object).size);
        let exact: Option<Vec<i128>> = here.iter().map(|offset| offset.exact()).collect();
        let value = pointer.value;
        Some(Some(match exact.filter(|_| !self.memory.is_row(object)) {
            Some(places) => Term::or(places.into_iter().map(|at| value.eq_to(base.add(Term::int(at))))),
            None => Term::and([base.le(value), value.le(base.add(Term::int(i128::from(size))))]),
        }))
    }

    /// The number in its row of the block that a pointer leads into.
    fn number(&self, object: ObjectId, value: Term) -> Term {
        let stride = self.memory.object(object).heap.and_then(|heap| heap.stride);
        match stride {
            Some(stride) => value.sub(self.address(object)).div(Term::int(i128::from(stride))),
            None => Term::int(0),
        }
    }
}

/// How many different blocks of an object are reached.
fn different(reached: &[Reached]) -> Term {
    let one = |(k, block): (usize, &Reached)| {
        let before = reached[..k].iter().map(|other| Term::and([other.there, other.number.eq_to(block.number)]).not());
        Term::ite(Term::and(std::iter::once(block.there).chain(before)), Term::int(1), Term::int(0))
    };
    // Where there is one block only, that some pointer leads to it is simpler to say.
    if reached.iter().all(|block| block.number == Term::int(0)) {
        return Term::ite(Term::or(reached.iter().map(|block| block.there)), Term::int(1), Term::int(0));
    }
    reached.iter().enumerate().map(one).fold(Term::int(0), Term::add)
}
