//! What objects are made of: the scalars that copies and atomic operations go through.

use program::IntType;

use super::Lowering;
use crate::hir::Type;
use crate::memory::Shape;

/// Objects of more scalars than this are not modelled one by one.
pub(super) const MAX_PARTS: usize = 4096;

/// A scalar of an object: bytes from the object's start, its shape, and how many bits of the object it stands for.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Scalar {
    pub(super) offset: i128,
    pub(super) shape: Shape,
    width: u64,
}

impl Scalar {
    /// A scalar that is no bit-field stands for all bits of its bytes: a `_Bool` for eight.
    fn whole(offset: i128, shape: Shape) -> Scalar {
        Scalar { offset, shape, width: shape.size * 8 }
    }

    /// A scalar that stands for the bits of its value alone.
    fn bits_of(offset: i128, shape: Shape) -> Scalar {
        Scalar { offset, shape, width: u64::from(shape.ty.bits) }
    }

    /// The first bit, and the first bit behind it.
    fn bits(&self) -> (i128, i128) {
        let first = self.offset * 8 + i128::from(self.shape.bit);
        (first, first + i128::from(self.width))
    }
}

/// Scalars that share bits, as members of a union do: they are read and written in one step, the widest first.
pub(super) type Group = Vec<Scalar>;

impl Lowering<'_> {
    /// The parts of a type that are copied one by one, floating-point parts left out unless they have cells; nothing if they are too many.
    pub(super) fn scalars(&self, ty: &Type) -> Option<Vec<Group>> {
        let mut groups = Vec::new();
        self.collect(ty, 0, &mut groups)?;
        Some(groups)
    }

    /// The first scalar of a type.
    pub(super) fn first_scalar(&self, ty: &Type) -> Option<Shape> {
        self.scalars(ty)?.first()?.first().map(|scalar| scalar.shape)
    }

    fn collect(&self, ty: &Type, offset: i128, groups: &mut Vec<Group>) -> Option<()> {
        match ty.unatomic() {
            Type::Record(id) => {
                let record = &self.unit.records[id.0 as usize];
                let mut found = Vec::new();
                for field in &record.fields {
                    let at = offset + i128::from(field.offset);
                    match (field.bits, &field.ty) {
                        (Some((width, bit)), Type::Int(int)) => {
                            let ty = IntType::new(width, int.signed);
                            let size = self.unit.size_of(&field.ty);
                            let shape = Shape { ty, size, bit, pointer: false, loose: false };
                            found.push(vec![Scalar::bits_of(at, shape)]);
                        }
                        _ => self.collect(&field.ty, at, &mut found)?,
                    }
                }
                groups.extend(if record.union { regroup(found) } else { found });
            }
            Type::Array(element, length) => {
                let size = i128::from(self.unit.size_of(element));
                for index in 0..*length {
                    self.collect(element, offset + i128::from(index) * size, groups)?;
                }
            }
            Type::Sync(kind) => {
                let fields = (0u32..).take(self.unit.sync_fields(*kind).len());
                let shapes = fields.map(|field| crate::memory::sync_shape(self.unit, *kind, field));
                // The parts of a pthread object are told apart by numbers that are no bits.
                groups.extend(shapes.map(|shape| vec![Scalar::bits_of(offset, shape)]));
            }
            Type::Float(size) if self.unit.float_cells => {
                groups.push(vec![Scalar::whole(offset, crate::memory::float_shape(*size))]);
            }
            Type::Float(_) | Type::Void | Type::Function(_) => {}
            Type::Opaque(_) => return None,
            other => groups.extend(self.scalar_shape(other).map(|shape| vec![Scalar::whole(offset, shape)])),
        }
        (groups.len() <= MAX_PARTS).then_some(())
    }

    /// Whether integers and pointers are all that a type is made of, so that they tell its bytes.
    pub(super) fn is_tracked(&self, ty: &Type) -> bool {
        match ty.unatomic() {
            Type::Int(_) | Type::Pointer(_) => true,
            Type::Array(element, _) => self.is_tracked(element),
            Type::Record(id) => self.unit.records[id.0 as usize].fields.iter().all(|f| self.is_tracked(&f.ty)),
            _ => false,
        }
    }
}

/// Whether some bit of an object of so many bytes belongs to none of its scalars.
pub(super) fn has_padding(groups: &[Group], size: u64) -> bool {
    let mut bits: Vec<(i128, i128)> = groups.iter().flatten().map(Scalar::bits).collect();
    bits.sort_unstable();
    let covered = bits.iter().fold(0, |end, (first, last)| if *first > end { end } else { end.max(*last) });
    covered < i128::from(size) * 8
}

/// The scalars of a union's members, those together that share bits.
fn regroup(found: Vec<Group>) -> Vec<Group> {
    let mut all: Vec<Scalar> = Vec::new();
    for scalar in found.into_iter().flatten() {
        let same = |other: &Scalar| other.bits() == scalar.bits() && other.shape.size == scalar.shape.size;
        if !all.iter().any(same) {
            all.push(scalar);
        }
    }
    all.sort_by_key(|scalar| (scalar.bits().0, -scalar.bits().1));
    let mut groups: Vec<Group> = Vec::new();
    for scalar in all {
        match groups.last_mut() {
            Some(group) if group.iter().any(|other| other.bits().1 > scalar.bits().0) => group.push(scalar),
            _ => groups.push(vec![scalar]),
        }
    }
    groups.iter_mut().for_each(|group| group.sort_by_key(|scalar| scalar.bits().0 - scalar.bits().1));
    groups
}

/// The scalars of a whole object; nothing if they are too many.
pub(super) fn object_groups(object: &crate::memory::Object) -> Option<Vec<Group>> {
    let mut found = Vec::new();
    for leaf in object.leaves.iter().filter(|leaf| leaf.shape.size > 0) {
        if leaf.count() > MAX_PARTS as u64 {
            return None;
        }
        for number in 0..leaf.count() {
            let bytes: u64 =
                leaf.digits(number).iter().zip(&leaf.dims).map(|(digit, (stride, _))| digit * stride).sum();
            found.push(vec![Scalar::bits_of(i128::from(leaf.offset + bytes), leaf.shape)]);
        }
    }
    Some(regroup(found))
}
