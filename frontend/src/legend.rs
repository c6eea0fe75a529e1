//! What the numbers of a run mean to a reader: which variables hold pointers, what lies at which address, whose id a number is, and
//! which calls a place stands in.

use std::collections::{BTreeMap, BTreeSet};

use program::{LocationId, Span, ThreadId, VarId};

use crate::calls::Inlined;
use crate::memory::{Cells, Leaf, Memory, Object, Storage};

/// What is known of a Program's numbers and places besides what it says itself.
#[derive(Clone, Debug, Default)]
pub struct Legend {
    /// The names of variables that hold pointers.
    pub pointers: BTreeSet<String>,
    /// The names of variables that hold characters, or numbers that small.
    pub characters: BTreeSet<String>,
    /// What lies where, by address, as far as addresses are numbers.
    pub regions: Vec<Region>,
    /// Whose id a number is.
    pub threads: BTreeMap<i128, ThreadId>,
    /// The calls around errors, the innermost first: of functions that were inlined there.
    pub calls: BTreeMap<(ThreadId, LocationId), Vec<Inlined>>,
}

/// An object in memory, or a row of blocks that one statement allocates again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its first byte.
    pub address: i128,
    /// Its bytes, or those of the row.
    pub size: u64,
    /// Bytes from one block to the next, if it is a row.
    pub stride: Option<u64>,
    /// What it is.
    pub kind: RegionKind,
    /// Its parts by offset, as they are called behind the object's name: `.head`, `[2]`.
    pub parts: Vec<(u64, String)>,
}

/// What lies somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A variable, with its name.
    Variable(String),
    /// A function, with its name.
    Function(String),
    /// A string literal.
    Literal,
    /// What was allocated there, and how many of the blocks before were allocated at the same place.
    Block(Span, usize),
}

impl Legend {
    /// What is known when variables have got their names.
    pub(crate) fn of(
        memory: &Memory,
        names: &BTreeMap<VarId, String>,
        ids: impl Iterator<Item = Option<i128>>,
    ) -> Legend {
        let mut legend = Legend::default();
        let mut blocks: BTreeMap<Span, usize> = BTreeMap::new();
        for object in &memory.objects {
            for leaf in &object.leaves {
                let named = || cells(leaf).iter().filter_map(|cell| names.get(cell).cloned());
                if leaf.shape.pointer {
                    legend.pointers.extend(named());
                } else if leaf.shape.size == 1 && leaf.shape.ty.bits == 8 {
                    legend.characters.extend(named());
                }
            }
            let kind = kind(memory, object, names, &mut blocks);
            legend.regions.extend(kind.and_then(|kind| region(memory, object, kind)));
        }
        legend.regions.sort_by_key(|region| region.address);
        legend.threads = ids.zip((0..).map(ThreadId)).filter_map(|(id, thread)| Some((id?, thread))).collect();
        legend
    }

    /// The thread with this id.
    pub fn thread(&self, id: i128) -> Option<ThreadId> {
        self.threads.get(&id).copied()
    }

    /// What an address points into, and how many bytes after its beginning.
    pub fn at(&self, address: i128) -> Option<(&Region, u64)> {
        let after = self.regions.partition_point(|region| region.address <= address);
        let region = self.regions.get(after.checked_sub(1)?)?;
        let offset = u64::try_from(address - region.address).ok()?;
        // One past the end is still the object's.
        (offset <= region.size).then_some((region, offset))
    }
}

fn cells(leaf: &Leaf) -> &[VarId] {
    match &leaf.cells {
        Cells::Split(vars) => vars,
        Cells::Array(var) => std::slice::from_ref(var),
    }
}

fn kind(
    memory: &Memory,
    object: &Object,
    names: &BTreeMap<VarId, String>,
    blocks: &mut BTreeMap<Span, usize>,
) -> Option<RegionKind> {
    let cell = memory.cell(object.address);
    match object.storage {
        Storage::Bytes if object.heap.is_some() => {
            let before = blocks.entry(cell.span).or_default();
            *before += 1;
            Some(RegionKind::Block(cell.span, *before - 1))
        }
        Storage::Bytes => {
            // The thread whose local it is stands before the name of its first part, too.
            let part = object.leaves.iter().flat_map(cells).find_map(|cell| names.get(cell));
            let home =
                part.and_then(|name| name.split_once("::")).map_or(String::new(), |(home, _)| format!("{home}::"));
            Some(RegionKind::Variable(format!("{home}{}", cell.name)))
        }
        Storage::Code => Some(RegionKind::Function(cell.name.clone())),
        Storage::Literal => Some(RegionKind::Literal),
        Storage::Thread | Storage::Threads | Storage::Task | Storage::Key => None,
    }
}

fn region(memory: &Memory, object: &Object, kind: RegionKind) -> Option<Region> {
    let cell = memory.cell(object.address);
    let stride = object.heap.and_then(|heap| heap.stride);
    let mut parts = Vec::new();
    for leaf in object.leaves.iter().filter(|leaf| leaf.shape.size > 0) {
        for (number, var) in (0..).zip(cells(leaf)) {
            // The number of a block in its row is told apart.
            let name = memory.cell(*var).name.strip_prefix(cell.name.as_str());
            let Some(name) = name.map(|name| if stride.is_some() { name.trim_start_matches("[]") } else { name })
            else {
                continue;
            };
            let digits = leaf.digits(number);
            let offset = if stride.is_some() { 0 } else { leaf.dims.iter().zip(digits).map(|((s, _), d)| s * d).sum() };
            parts.push((leaf.offset + offset, name.to_string()));
        }
    }
    Some(Region { address: i128::from(cell.address?), size: object.size, stride, kind, parts })
}
