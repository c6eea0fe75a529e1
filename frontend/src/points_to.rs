//! Who points where: an inclusion-based analysis over the inlined graphs, flow-insensitive, per scalar cell.
//!
//! Inlining makes it context-sensitive for nothing; cells make it field-sensitive. Addresses are symbolic variables in terms,
//! so every way in which an address can flow (assignments, arithmetic, casts, arrays) is seen.

use std::collections::BTreeSet;

use program::{Init, Term, TermKind, VarId};

use crate::cfg::{Access, Await, Graph, NodeKind, Step};
use crate::memory::{Cells, Located, Memory, ObjectId};

/// Where in an object a pointer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Offset {
    /// Exactly here.
    At(i128),
    /// It started here and was moved by an unknown amount.
    From(i128),
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
    /// Analyses all threads together. `results` are the variables that a join may read.
    pub(crate) fn of(
        memory: &Memory,
        graphs: &[&Graph],
        foreign: &[VarId],
        opaque: ObjectId,
        results: &[VarId],
    ) -> PointsTo {
        let mut analysis = PointsTo { sets: vec![Targets::new(); memory.cells.len()] };
        for var in foreign {
            analysis.sets[var.0 as usize].insert(Target { object: opaque, offset: Offset::From(0) });
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
                Step::Await(Await { result: Some(var), .. }) => {
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
            let exact = set.iter().filter(|t| t.object == target.object && matches!(t.offset, Offset::At(_))).count();
            let target = match target.offset {
                Offset::At(at) if exact >= MAX_OFFSETS && !set.contains(&target) => {
                    Target { offset: moved(memory, target.object, at), ..target }
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
                Some(object) => Targets::from([Target { object, offset: Offset::At(0) }]),
                None => self.sets.get(var.0 as usize).cloned().unwrap_or_default(),
            },
            TermKind::Sum(sum) => {
                let mut out = Targets::new();
                let parts: Vec<(Targets, i128)> =
                    sum.monomials().iter().map(|(atom, factor)| (self.targets(memory, *atom), *factor)).collect();
                // The difference of two pointers is a number: C allows it only within one object.
                let balance: i128 = parts.iter().filter(|(set, _)| !set.is_empty()).map(|(_, factor)| factor).sum();
                if balance == 0 {
                    return out;
                }
                let exact = matches!(parts.as_slice(), [(_, 1)]);
                for (targets, _) in parts {
                    for target in targets {
                        let offset = match target.offset {
                            Offset::At(at) if exact => Offset::At(at.saturating_add(sum.offset())),
                            Offset::At(at) | Offset::From(at) => {
                                moved(memory, target.object, at.saturating_add(sum.offset()))
                            }
                        };
                        out.insert(Target { offset, ..target });
                    }
                }
                out
            }
            TermKind::Wrap(_, inner) | TermKind::ConstArray(inner) | TermKind::Select(inner, _) => {
                self.targets(memory, *inner)
            }
            TermKind::Ite(_, a, b) => &self.targets(memory, *a) | &self.targets(memory, *b),
            TermKind::Store(array, _, value) => &self.targets(memory, *array) | &self.targets(memory, *value),
            TermKind::Int(_) | TermKind::Bool(_) => Targets::new(),
            // Addresses in any other arithmetic (masks, products): somewhere in the same object.
            _ => term
                .children()
                .into_iter()
                .flat_map(|child| self.targets(memory, child))
                .map(|t| Target { offset: Offset::From(ANYWHERE), ..t })
                .collect(),
        }
    }

    /// The cells an access may touch.
    pub(crate) fn cells(&self, memory: &Memory, access: &Access) -> Vec<VarId> {
        let mut cells = Vec::new();
        for target in self.targets(memory, access.address) {
            let object = memory.object(target.object);
            let exact = match target.offset {
                Offset::At(at) => match memory.locate(target.object, at, &[], access.shape) {
                    Located::Leaf(leaf, digits) => Some((leaf, object.leaves[leaf].number(&digits))),
                    _ => continue,
                },
                Offset::From(_) => None,
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

/// A start that is no place in the object.
const ANYWHERE: i128 = i128::MIN;

/// A pointer into an array that is moved stays in that array, so where in it it started does not matter; and outside the
/// object there is only one "outside". This keeps the number of offsets finite.
fn moved(memory: &Memory, object: ObjectId, start: i128) -> Offset {
    match memory.leaf_at(object, start) {
        Some(leaf) if !leaf.dims.is_empty() => Offset::From(i128::from(leaf.offset)),
        Some(_) => Offset::From(start),
        None => Offset::From(ANYWHERE),
    }
}
