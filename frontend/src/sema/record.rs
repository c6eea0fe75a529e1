//! Structs, unions and enums, laid out as gcc does on x86.

use std::collections::HashSet;

use lang_c::ast::{
    Attribute, EnumType, SpecifierQualifier, StructDeclaration, StructField, StructKind, StructType, TypeSpecifier,
};
use lang_c::span::Node;
use program::{IntType, Span};

use super::scope::{Symbol, Tag};
use super::types::{Declared, TypeAlign, attribute_name};
use super::{INT, R, Sema};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{DataModel, Field, Record, RecordId, Type};

/// Attributes of a record.
#[derive(Clone, Copy, Default)]
struct Shape {
    packed: bool,
    align: Option<u64>,
}

/// Where the next member goes.
struct Layout {
    union: bool,
    /// The first free bit.
    next: u64,
    /// The largest member of a union, in bits.
    largest: u64,
    align: u64,
    /// Whether a member's declaration or typedef says how it is aligned.
    asked: bool,
    /// Whether there is a flexible array member.
    flexible: bool,
    fields: Vec<Field>,
}

/// How a member is placed.
struct Member {
    name: String,
    ty: Type,
    align: u64,
    /// Whether its declaration or typedef says so.
    asked: bool,
    packed: bool,
}

impl Sema<'_> {
    /// A struct or union specifier.
    pub fn record(&mut self, node: &Node<StructType>, attributes: &[&Attribute]) -> R<RecordId> {
        let span = self.at(node.span);
        let union = node.node.kind.node == StructKind::Union;
        let tag = node.node.identifier.as_ref().map(|name| name.node.name.as_str());
        let Some(declarations) = &node.node.declarations else {
            return self.reference(tag, union, span);
        };
        let id = match tag.and_then(|tag| self.scopes.tag_here(tag).cloned()) {
            Some(Tag::Record(id)) if self.unit.records[id.0 as usize].union == union => id,
            Some(_) => return self.wrong_tag(tag, span),
            None => self.new_record(tag, union),
        };
        if self.complete.contains(&id) {
            return self.invalid(span, format!("redefinition of `{}`", tag.unwrap_or("")));
        }
        let mut shape = Shape::default();
        for attribute in attributes {
            match attribute_name(attribute) {
                "packed" => shape.packed = true,
                name @ ("ms_struct" | "scalar_storage_order") => {
                    let message = format!("the attribute {name}");
                    return Err(Diagnostic::new(Code::Unsupported, message).at(span).into());
                }
                "aligned" => shape.align = Some(self.alignment(attribute)?),
                _ => {}
            }
        }
        self.members(id, declarations, shape)?;
        self.complete.insert(id);
        self.unique_members(id, span)?;
        Ok(id)
    }

    /// A tag without members: the visible record of that name, or a new one without members yet.
    fn reference(&mut self, tag: Option<&str>, union: bool, span: Span) -> R<RecordId> {
        match tag.and_then(|tag| self.scopes.tag(tag).cloned()) {
            Some(Tag::Record(id)) if self.unit.records[id.0 as usize].union == union => Ok(id),
            Some(_) => self.wrong_tag(tag, span),
            None => Ok(self.new_record(tag, union)),
        }
    }

    /// `struct tag;` on its own declares the tag in the innermost block.
    pub fn forward_record(&mut self, node: &StructType) {
        let union = node.kind.node == StructKind::Union;
        if let Some(tag) = node.identifier.as_ref().map(|name| name.node.name.as_str())
            && self.scopes.tag_here(tag).is_none()
        {
            self.new_record(Some(tag), union);
        }
    }

    fn wrong_tag<T>(&self, tag: Option<&str>, span: Span) -> R<T> {
        self.invalid(span, format!("`{}` defined as wrong kind of tag", tag.unwrap_or("")))
    }

    fn new_record(&mut self, tag: Option<&str>, union: bool) -> RecordId {
        let id = RecordId(program::number(self.unit.records.len()));
        let kind = if union { "union" } else { "struct" };
        let name = tag.map_or_else(|| format!("{kind}.{}", id.0), str::to_string);
        self.unit.records.push(Record { name, union, size: 0, align: 1, member_align: 1, fields: Vec::new() });
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, Tag::Record(id));
        }
        id
    }

    fn members(&mut self, id: RecordId, declarations: &[Node<StructDeclaration>], shape: Shape) -> R<()> {
        let union = self.unit.records[id.0 as usize].union;
        let mut layout =
            Layout { union, next: 0, largest: 0, align: 1, asked: false, flexible: false, fields: Vec::new() };
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
                StructDeclaration::Field(field) => self.member(&field.node, self.at(field.span), shape, &mut layout)?,
            }
        }
        let align = layout.align.max(shape.align.unwrap_or(1));
        let bits = if union { layout.largest } else { layout.next };
        let size = bits.div_ceil(8).next_multiple_of(align);
        if layout.flexible || !layout.fields.iter().all(|field| self.is_scalar(&field.ty)) {
            self.in_memory.insert(id);
        }
        let aligned = layout.asked || shape.align.is_some();
        if aligned {
            self.aligned_records.insert(id);
        }
        let member_align = if aligned { align } else { self.scalar_align(id, size, align) };
        let record = &mut self.unit.records[id.0 as usize];
        (record.size, record.align, record.fields) = (size, align, layout.fields);
        record.member_align = member_align;
        Ok(())
    }

    /// The alignment of the record as a member, unless attributes are responsible for it. gcc handles one of 8 bytes like
    /// a scalar, of which the i386 ABI aligns members to 4, unless it must be in memory.
    fn scalar_align(&self, id: RecordId, size: u64, align: u64) -> u64 {
        let narrow = self.unit.data_model == DataModel::Ilp32 && size == 8 && !self.in_memory.contains(&id);
        if narrow { align.min(4) } else { align }
    }

    /// Whether an object of the type fits a register of the machine, and so may what it is a part of.
    fn is_scalar(&self, ty: &Type) -> bool {
        let parts = match ty.unatomic() {
            Type::Record(id) => !self.in_memory.contains(id),
            Type::Array(element, _) => self.is_scalar(element),
            _ => true,
        };
        let size = self.unit.size_of(ty);
        size == 0 || (parts && matches!(size, 1 | 2 | 4 | 8))
    }

    /// Whether the type is made of a record for whose alignment attributes are responsible.
    fn is_aligned_record(&self, ty: &Type) -> bool {
        match ty.unatomic() {
            Type::Record(id) => self.aligned_records.contains(id),
            Type::Array(element, _) => self.is_aligned_record(element),
            _ => false,
        }
    }

    fn member(&mut self, field: &StructField, span: Span, shape: Shape, layout: &mut Layout) -> R<()> {
        let base = self.specifier_qualifiers(&field.specifiers)?;
        if field.declarators.is_empty() {
            // Only an untagged struct or union is a member without a name; gcc ignores everything else.
            if untagged(&field.specifiers) {
                let member = self.placed(String::new(), &base, base.packed || shape.packed, span)?;
                layout.ordinary(self, member);
            }
            return Ok(());
        }
        for declarator in &field.declarators {
            let (name, declared) = match &declarator.node.declarator {
                Some(node) => {
                    let named = self.declarator(base.clone(), node)?;
                    (named.name.map_or(String::new(), |(name, _)| name), named.declared)
                }
                None => (String::new(), base.clone()),
            };
            let member = self.placed(name, &declared, declared.packed || shape.packed, span)?;
            match &declarator.node.bit_width {
                Some(width) => {
                    let width = self.constant(width)?;
                    self.bit_field(member, width, declared.asked.map(|asked| asked.greatest), span, layout)?;
                }
                None => {
                    if !self.is_complete(&declared.ty) || matches!(declared.ty, Type::Void | Type::Function(_)) {
                        return self.invalid(span, format!("field `{}` has incomplete type", member.name));
                    }
                    layout.flexible |= declared.unsized_array;
                    layout.ordinary(self, member);
                }
            }
        }
        Ok(())
    }

    fn placed(&self, name: String, declared: &Declared, packed: bool, span: Span) -> R<Member> {
        if declared.type_align == TypeAlign::Unknown && !packed {
            let message = format!("the alignment of member `{name}`, whose type is an expression's");
            return Err(Diagnostic::new(Code::Unsupported, message).at(span).into());
        }
        // Of a type whose size is not known either, nothing is said.
        let natural = if packed { 1 } else { self.member_align(declared).unwrap_or(1) };
        let align = declared.asked.map_or(natural, |asked| asked.greatest.max(natural));
        let asked = declared.asked.is_some_and(|asked| asked.greatest >= self.unit.preferred_align(&declared.ty))
            || declared.type_align != TypeAlign::Own
            || self.is_aligned_record(&declared.ty);
        Ok(Member { name, ty: declared.ty.clone(), align, asked, packed })
    }

    fn bit_field(
        &self,
        member: Member,
        width: Option<i128>,
        asked: Option<u64>,
        span: Span,
        layout: &mut Layout,
    ) -> R<()> {
        let int = match member.ty.unatomic() {
            Type::Int(int) => *int,
            _ => return self.invalid(span, format!("bit-field `{}` has invalid type", member.name)),
        };
        let width = width.and_then(|width| u32::try_from(width).ok()).filter(|&width| width <= int.bits);
        let Some(width) = width.filter(|&width| width > 0 || member.name.is_empty()) else {
            return self.invalid(span, format!("invalid width of bit-field `{}`", member.name));
        };
        let size = self.unit.size_of(&member.ty) * 8;
        let type_align = self.unit.align_of(&member.ty) * 8;
        if asked.is_some() && width == 64 && self.unit.data_model == DataModel::Ilp32 {
            let message = format!("an alignment for the bit-field `{}` of 64 bits", member.name);
            return Err(Diagnostic::new(Code::Unsupported, message).at(span).into());
        }
        if layout.union {
            layout.next = 0;
        }
        if let Some(align) = asked {
            layout.next = layout.next.next_multiple_of(align * 8);
        }
        if width == 0 {
            layout.next = layout.next.next_multiple_of(type_align);
            return Ok(());
        }
        let spanned = (layout.next % type_align + u64::from(width)).div_ceil(type_align);
        if !member.packed && spanned > size / type_align {
            layout.next = layout.next.next_multiple_of(type_align);
        }
        let unit = if member.packed { 8 } else { type_align };
        let (offset, first) = (layout.next / unit * (unit / 8), layout.next % unit);
        layout.next += u64::from(width);
        layout.largest = layout.largest.max(layout.next);
        if !member.name.is_empty() {
            layout.align = layout.align.max(member.align);
            // For a bit-field, less than its type has is asked for as well.
            layout.asked |= member.asked || asked.is_some();
            let bits = Some((width, u32::try_from(first).unwrap_or(0)));
            layout.fields.push(Field { name: member.name, ty: member.ty, offset, align: member.align, bits });
        }
        Ok(())
    }

    fn unique_members(&self, id: RecordId, span: Span) -> R<()> {
        let mut seen = HashSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            for field in &self.unit.records[id.0 as usize].fields {
                match (field.name.is_empty(), field.ty.unatomic()) {
                    (true, Type::Record(inner)) => open.push(*inner),
                    (true, _) => {}
                    (false, _) if seen.insert(field.name.as_str()) => {}
                    (false, _) => return self.invalid(span, format!("duplicate member `{}`", field.name)),
                }
            }
        }
        Ok(())
    }

    /// The fields that lead to a member, through anonymous records.
    pub fn find_member(&self, id: RecordId, name: &str) -> Option<Vec<usize>> {
        let fields = &self.unit.records[id.0 as usize].fields;
        if let Some(index) = fields.iter().position(|field| field.name == name) {
            return Some(vec![index]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_empty()).find_map(|(index, field)| {
            match field.ty.unatomic() {
                Type::Record(inner) => {
                    let mut path = self.find_member(*inner, name)?;
                    path.insert(0, index);
                    Some(path)
                }
                _ => None,
            }
        })
    }

    /// An enum specifier: enters its enumerators, gives its type.
    pub fn enumeration(&mut self, node: &Node<EnumType>, attributes: &[&Attribute]) -> R<IntType> {
        let span = self.at(node.span);
        let tag = node.node.identifier.as_ref().map(|name| name.node.name.as_str());
        if node.node.enumerators.is_empty() {
            return match tag.and_then(|tag| self.scopes.tag(tag).cloned()) {
                Some(Tag::Enum(ty)) => Ok(ty.unwrap_or(IntType::new(32, false))),
                Some(Tag::Record(_)) => self.wrong_tag(tag, span),
                None => {
                    if let Some(tag) = tag {
                        self.scopes.bind_tag(tag, Tag::Enum(None));
                    }
                    Ok(IntType::new(32, false))
                }
            };
        }
        match tag.and_then(|tag| self.scopes.tag_here(tag)) {
            Some(Tag::Enum(None)) | None => {}
            Some(Tag::Enum(Some(_))) => return self.invalid(span, format!("redefinition of `{}`", tag.unwrap_or(""))),
            Some(Tag::Record(_)) => return self.wrong_tag(tag, span),
        }
        let values = self.enumerators(node)?;
        let widths: &[u32] = match attributes.iter().any(|attribute| attribute_name(attribute) == "packed") {
            true => &[8, 16, 32, 64],
            false => &[32, 64],
        };
        let ty = enum_type(values.iter().map(|(_, value)| *value), widths);
        for (name, value) in values {
            let own = if INT.contains(value) { INT } else { ty };
            self.scopes.bind(&name, Symbol::Enumerator(value, own));
        }
        if let Some(tag) = tag {
            if self.scopes.tag_here(tag).is_some() {
                self.scopes.rebind_tag(tag, Tag::Enum(Some(ty)));
            } else {
                self.scopes.bind_tag(tag, Tag::Enum(Some(ty)));
            }
        }
        Ok(ty)
    }

    fn enumerators(&mut self, node: &Node<EnumType>) -> R<Vec<(String, i128)>> {
        let mut next = 0i128;
        let mut values = Vec::new();
        for enumerator in &node.node.enumerators {
            let name = &enumerator.node.identifier.node.name;
            let span = self.at(enumerator.node.identifier.span);
            if self.scopes.symbol_here(name).is_some() {
                return self.invalid(span, format!("redeclaration of enumerator `{name}`"));
            }
            if let Some(expression) = &enumerator.node.expression {
                next = match self.constant(expression)? {
                    Some(value) => value,
                    None => {
                        let message = format!("the value of enumerator `{name}` is not an integer constant");
                        return self.invalid(span, message);
                    }
                };
            }
            let own = enum_type([next].into_iter(), &[32, 64]);
            self.scopes.bind(name, Symbol::Enumerator(next, if INT.contains(next) { INT } else { own }));
            values.push((name.clone(), next));
            next += 1;
        }
        Ok(values)
    }
}

/// Whether the specifiers name a struct or union without a tag.
fn untagged(specifiers: &[Node<SpecifierQualifier>]) -> bool {
    specifiers.iter().any(|specifier| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(node) => match &node.node {
            TypeSpecifier::Struct(record) => record.node.identifier.is_none(),
            _ => false,
        },
        _ => false,
    })
}

/// gcc: the first of these widths that has all values, unsigned if no enumerator is negative.
fn enum_type(values: impl Iterator<Item = i128>, widths: &[u32]) -> IntType {
    let (mut least, mut greatest) = (0, 0);
    for value in values {
        least = value.min(least);
        greatest = value.max(greatest);
    }
    let signed = least < 0;
    let mut types = widths.iter().map(|&bits| IntType::new(bits, signed));
    types.find(|ty| ty.contains(least) && ty.contains(greatest)).unwrap_or(IntType::new(64, signed))
}

impl Layout {
    fn ordinary(&mut self, sema: &Sema<'_>, member: Member) {
        let size = sema.unit.size_of(&member.ty);
        self.align = self.align.max(member.align);
        self.asked |= member.asked;
        let offset = if self.union { 0 } else { self.next.div_ceil(8).next_multiple_of(member.align) };
        self.next = offset.saturating_add(size).saturating_mul(8);
        self.largest = self.largest.max(self.next);
        self.fields.push(Field { name: member.name, ty: member.ty, offset, align: member.align, bits: None });
    }
}
