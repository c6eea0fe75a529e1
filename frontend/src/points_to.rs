//! Who points where: an inclusion-based analysis over the inlined graphs, flow-insensitive, per scalar cell.
//!
//! Inlining makes it context-sensitive for nothing; cells make it field-sensitive. Addresses are symbolic variables in terms,
//! so every way in which an address can flow (assignments, arithmetic, casts, arrays) is seen.

use std::collections::BTreeSet;

use program::{Init, Linear, Term, TermKind, VarId};

use crate::cfg::{Access, Await, Graph, NodeKind, Purpose, Step};
use crate::memory::{Cells, Located, Memory, ObjectId};

/// Where in an object a pointer points: `start + k * step` bytes from its beginning, for some integer k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Offset {
    /// One of the places.
    pub(crate) start: i128,
    /// The distance between neighbouring places; 0 if there is just one.
    pub(crate) step: i128,
}

impl Offset {
    /// Any place in the object; that it started at none tells it from a pointer that goes through an array of bytes.
    const ANYWHERE: Offset = Offset { start: i128::MIN, step: 1 };

    /// Whether nothing is known of the place, so that the pointer may not even be one into the object.
    pub(crate) fn is_anywhere(self) -> bool {
        self == Offset::ANYWHERE
    }

    /// Exactly here.
    pub(crate) fn at(start: i128) -> Offset {
        Offset { start, step: 0 }
    }
    /// The place, if there is just one.
    pub(crate) fn exact(self) -> Option<i128> {
        (self.step == 0).then_some(self.start)
    }
    /// The remainder of all these places by a number that divides the object's alignment, if they have the same.
    fn residue(self, modulus: i128) -> Option<i128> {
        (modulus > 0 && self.step % modulus == 0).then(|| self.start.rem_euclid(modulus))
    }
}

/// A possible target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) object: ObjectId,
    pub(crate) offset: Offset,
}

type Targets = BTreeSet<Target>;

/// More exact offsets into one object than this are merged into one unknown offset.
const MAX_OFFSETS: usize = 32;

/// The result: what each variable may point to.
pub(crate) struct PointsTo {
    sets: Vec<Targets>,
}

impl PointsTo {
    /// Analyses all threads together. `foreign` may point out of the program, `results` are what a join may read.
    pub(crate) fn of(
        memory: &Memory,
        graphs: &[&Graph],
        foreign: &[VarId],
        opaque: ObjectId,
        results: &[VarId],
    ) -> PointsTo {
        let mut analysis = PointsTo { sets: vec![Targets::new(); memory.cells.len()] };
        for var in foreign {
            analysis.sets[var.0 as usize].insert(Target { object: opaque, offset: Offset::ANYWHERE });
        }
        for (index, cell) in memory.cells.iter().enumerate() {
            if let (Init::Value(value), None) = (cell.init, cell.address) {
                let targets = analysis.targets(memory, value);
                analysis.sets[index].extend(targets);
            }
        }
        while graphs.iter().filter(|graph| analysis.pass(memory, graph, results)).count() > 0 {}
        analysis
    }

    fn pass(&mut self, memory: &Memory, graph: &Graph, results: &[VarId]) -> bool {
        let mut changed = false;
        for node in &graph.nodes {
            let NodeKind::Step(step, _) = &node.kind else { continue };
            match step {
                Step::Assign(var, term) => {
                    let targets = self.targets(memory, *term);
                    changed |= self.add(memory, *var, targets);
                }
                Step::Load(var, access) => {
                    for cell in self.cells(memory, access) {
                        let targets = self.sets[cell.0 as usize].clone();
                        changed |= self.add(memory, *var, targets);
                    }
                }
                Step::Store(access, value) => {
                    let targets = self.targets(memory, *value);
                    if !targets.is_empty() {
                        for cell in self.cells(memory, access) {
                            changed |= self.add(memory, cell, targets.clone());
                        }
                    }
                }
                Step::Await(Await { purpose: Purpose::Join(Some(var)), .. }) => {
                    for result in results {
                        let targets = self.sets[result.0 as usize].clone();
                        changed |= self.add(memory, *var, targets);
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Adds targets; offsets into one object that become too many are merged, which also makes the iteration end.
    fn add(&mut self, memory: &Memory, var: VarId, targets: Targets) -> bool {
        let set = &mut self.sets[var.0 as usize];
        let mut changed = false;
        for target in targets {
            let exact: Vec<i128> =
                set.iter().filter(|t| t.object == target.object).filter_map(|t| t.offset.exact()).collect();
            let target = match target.offset.exact() {
                Some(at) if exact.len() >= MAX_OFFSETS && !set.contains(&target) => {
                    let step = exact.iter().fold(0, |step, other| gcd(step, at.saturating_sub(*other)));
                    Target { offset: moved(memory, target.object, at, step), ..target }
                }
                _ => target,
            };
            changed |= set.insert(target);
        }
        changed
    }

    /// What a term may point to.
    pub(crate) fn targets(&self, memory: &Memory, term: Term) -> Targets {
        match term.kind() {
            TermKind::Var(var, _) => match memory.addressed(*var) {
                Some(object) => Targets::from([Target { object, offset: Offset::at(0) }]),
                None => self.sets.get(var.0 as usize).cloned().unwrap_or_default(),
            },
            TermKind::Sum(sum) => self.sum_targets(memory, sum),
            TermKind::Wrap(_, inner) => match inner.kind() {
                TermKind::Sum(sum) => self.integer_targets(memory, sum),
                _ => self.targets(memory, *inner),
            },
            TermKind::ConstArray(inner) | TermKind::Select(inner, _) => self.targets(memory, *inner),
            TermKind::Ite(_, a, b) => &self.targets(memory, *a) | &self.targets(memory, *b),
            TermKind::Store(array, _, value) => &self.targets(memory, *array) | &self.targets(memory, *value),
            TermKind::Int(_) | TermKind::Bool(_) => Targets::new(),
            // The low bits of an address are a tag, and no address.
            TermKind::Rem(_, modulus) if modulus.as_int().is_some_and(|m| m.unsigned_abs() <= LARGEST_TAG) => {
                Targets::new()
            }
            // Addresses in any other arithmetic (masks, products): somewhere in the same object.
            _ => term
                .children()
                .into_iter()
                .flat_map(|child| self.targets(memory, child))
                .map(|t| Target { offset: Offset::ANYWHERE, ..t })
                .collect(),
        }
    }

    /// What a sum of unsigned integers may point to. Other than that of pointers, a difference may be of addresses of different
    /// objects, and one of them comes back when the other is added.
    fn integer_targets(&self, memory: &Memory, sum: &Linear) -> Targets {
        let found = self.sum_targets(memory, sum);
        if !found.is_empty() {
            return found;
        }
        let all: Targets = sum.atoms().flat_map(|atom| self.targets(memory, atom)).collect();
        let objects: BTreeSet<ObjectId> = all.iter().map(|target| target.object).collect();
        if objects.len() < 2 {
            return Targets::new();
        }
        objects.into_iter().map(|object| Target { object, offset: Offset::ANYWHERE }).collect()
    }

    /// What a sum may point to: the targets of its pointers, moved by the rest.
    fn sum_targets(&self, memory: &Memory, sum: &Linear) -> Targets {
        let parts: Vec<(Term, Targets, i128)> =
            sum.monomials().iter().map(|(atom, factor)| (*atom, self.targets(memory, *atom), *factor)).collect();
        // The difference of two pointers is a number: C allows it only within one object.
        let balance: i128 = parts.iter().filter(|(_, set, _)| !set.is_empty()).map(|(.., factor)| factor).sum();
        if balance == 0 {
            return Targets::new();
        }
        let mut out = Targets::new();
        for (pointer, targets, factor) in &parts {
            for target in targets {
                let mut start = target.offset.start.saturating_add(sum.offset());
                let mut step = if *factor == 1 { target.offset.step } else { 1 };
                for (atom, _, factor) in parts.iter().filter(|(atom, ..)| atom != pointer) {
                    match low_bits(memory, *atom, *pointer, *target) {
                        Some(bits) => start = start.saturating_add(factor.saturating_mul(bits)),
                        None => step = gcd(step, *factor),
                    }
                }
                let offset = if step == 0 { Offset::at(start) } else { moved(memory, target.object, start, step) };
                out.insert(Target { offset, ..*target });
            }
        }
        out
    }

    /// The variables that may hold a pointer into an object.
    pub(crate) fn holders(&self, object: ObjectId) -> Vec<VarId> {
        let holds = |targets: &Targets| targets.iter().any(|target| target.object == object);
        (0u32..).map(VarId).zip(&self.sets).filter(|(_, targets)| holds(targets)).map(|(var, _)| var).collect()
    }

    /// The cells an access may touch.
    pub(crate) fn cells(&self, memory: &Memory, access: &Access) -> Vec<VarId> {
        let mut cells = Vec::new();
        for target in self.targets(memory, access.address) {
            let object = memory.object(target.object);
            let exact = match target.offset.exact() {
                Some(at) => match memory.locate(target.object, at, &[], access.shape) {
                    Located::Leaf(leaf, digits) => Some((leaf, object.leaves[leaf].number(&digits))),
                    _ => continue,
                },
                None => None,
            };
            for (number, leaf) in object.leaves.iter().enumerate() {
                match (&leaf.cells, &exact) {
                    (_, Some((wanted, _))) if *wanted != number => {}
                    (Cells::Split(vars), Some((_, index))) => {
                        cells.extend(index.as_int().and_then(|i| usize::try_from(i).ok()).and_then(|i| vars.get(i)));
                    }
                    (Cells::Split(vars), None) if leaf.shape.size == access.shape.size => cells.extend(vars),
                    (Cells::Array(var), _) if leaf.shape.size == access.shape.size => cells.push(*var),
                    _ => {}
                }
            }
        }
        cells
    }
}

/// Remainders up to this number are taken for tags in the low bits of addresses.
const LARGEST_TAG: u128 = 4096;

/// The value of `pointer % modulus` where the pointer has this target, if the alignment of the object tells.
fn low_bits(memory: &Memory, atom: Term, pointer: Term, target: Target) -> Option<i128> {
    let TermKind::Rem(divided, modulus) = atom.kind() else { return None };
    let modulus = modulus.as_int().filter(|_| *divided == pointer)?;
    let aligned = memory.object(target.object).align;
    (modulus > 0 && i128::from(aligned) % modulus == 0).then(|| target.offset.residue(modulus))?
}

/// A pointer into an array that is moved stays in that array, so where in it it started does not matter, up to the step; and
/// outside the object there is only one "outside". This keeps the number of offsets finite.
fn moved(memory: &Memory, object: ObjectId, start: i128, step: i128) -> Offset {
    let step = step.abs().max(1);
    let first = start.rem_euclid(step);
    match memory.leaf_at(object, start).or_else(|| memory.leaf_at(object, first).filter(|_| step > 1)) {
        Some(leaf) if !leaf.dims.is_empty() => {
            let base = i128::from(leaf.offset);
            Offset { start: base + (start - base).rem_euclid(step), step }
        }
        _ if step > 1 => Offset { start: first, step },
        _ => Offset::ANYWHERE,
    }
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
