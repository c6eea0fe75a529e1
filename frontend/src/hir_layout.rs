//! Sizes and alignments of types: gcc's on x86.

use crate::hir::{DataModel, SyncKind, Type, Unit};

/// Size and alignment.
type Layout = (u64, u64);

/// Types whose values are not modelled, with their layouts for LP64 and for ILP32 (none: there is no such type).
const OPAQUE: &[(&str, Layout, Option<Layout>)] = &[
    ("__int128", (16, 16), None),
    ("_Complex float", (8, 4), Some((8, 4))),
    ("_Complex double", (16, 8), Some((16, 8))),
    ("_Complex long double", (32, 16), Some((24, 4))),
    ("_Complex int", (8, 4), Some((8, 4))),
];

impl Unit {
    /// Bytes of an object of the type.
    pub fn size_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void | Type::Function(_) => 1,
            Type::Int(int) => u64::from(int.bits.div_ceil(8)),
            Type::Float(size) => *size,
            Type::Pointer(_) => self.data_model.word(),
            Type::Array(element, length) => self.size_of(element) * length,
            Type::Record(id) => self.records[id.0 as usize].size,
            Type::Sync(kind) => self.sync_size(*kind),
            Type::Atomic(inner) => self.size_of(inner),
            Type::Opaque(name) => self.opaque_layout(name).map_or(8, |(size, _)| size),
        }
    }

    /// The alignment of members and elements of the type: what `_Alignof` says.
    pub fn align_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(element, _) => self.align_of(element_for_alignment(element)),
            Type::Record(id) => self.records[id.0 as usize].member_align.max(1),
            // The i386 ABI aligns scalars of 8 bytes to 4 inside of structs, unless they are atomic.
            Type::Int(_) | Type::Float(8) | Type::Opaque(_) if self.data_model == DataModel::Ilp32 => {
                self.preferred_align(ty).min(4)
            }
            _ => self.preferred_align(ty),
        }
    }

    /// The alignment of objects that are no part of others: what `__alignof__` says.
    pub fn preferred_align(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void | Type::Function(_) | Type::Int(_) | Type::Pointer(_) => self.size_of(ty),
            // The size of a long double for ILP32, and that of a va_list, are no powers of two.
            Type::Float(size) => 1 << size.trailing_zeros().min(4),
            Type::Array(element, _) => self.preferred_align(element_for_alignment(element)),
            Type::Record(id) => self.records[id.0 as usize].align.max(1),
            Type::Sync(SyncKind::Once) => 4,
            Type::Sync(_) => self.data_model.word(),
            Type::Atomic(inner) => self.atomic_align(inner, self.preferred_align(inner)),
            Type::Opaque(name) => self.opaque_layout(name).map_or(8, |(_, align)| align),
        }
    }

    /// What `_Atomic` makes of a type's alignment: that of the machine's atomic word of the same size, if there is one.
    pub fn atomic_align(&self, ty: &Type, align: u64) -> u64 {
        match self.size_of(ty) {
            size @ (1 | 2 | 4 | 8 | 16) => align.max(size),
            _ => align,
        }
    }

    /// Size and alignment of a type that is not modelled, if they are known.
    pub fn opaque_layout(&self, name: &str) -> Option<(u64, u64)> {
        let (_, lp64, ilp32) = OPAQUE.iter().find(|(known, ..)| *known == name)?;
        if self.data_model == DataModel::Lp64 { Some(*lp64) } else { *ilp32 }
    }

    /// glibc's sizes on x86, which `sizeof` shows.
    fn sync_size(&self, kind: SyncKind) -> u64 {
        let (lp64, ilp32) = match kind {
            SyncKind::Mutex => (40, 24),
            SyncKind::Condition => (48, 48),
            SyncKind::RwLock => (56, 32),
            SyncKind::Barrier => (32, 20),
            SyncKind::Semaphore => (32, 16),
            SyncKind::Once => (4, 4),
            SyncKind::Attribute => (56, 36),
        };
        if self.data_model == DataModel::Lp64 { lp64 } else { ilp32 }
    }
}

/// The type that says how an array is aligned: gcc forgets `_Atomic` of structs and unions there.
fn element_for_alignment(element: &Type) -> &Type {
    match element.unatomic() {
        record @ Type::Record(_) => record,
        _ => element,
    }
}
