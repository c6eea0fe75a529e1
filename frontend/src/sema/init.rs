//! Initialisers, flattened [C11, 6.7.9].

use std::collections::{HashMap, HashSet};

use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use program::Span;

use super::convert::{Purpose, int, unsupported};
use super::expr::Operand;
use super::literal::Text;
use super::types::Declared;
use super::{INT, R, Sema, const_value};
use crate::hir::{Expr, Init, Place, PlaceKind, SyncKind, Type};

/// More items than this in one range designator are not modelled.
const LARGEST_RANGE: u64 = 1 << 16;

/// A way from an object to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Field(usize),
    Index(u64),
}

type Path = Vec<Step>;

/// The values that an initialiser gives, by part.
pub struct Plan {
    /// The type of the object, its length known.
    pub ty: Type,
    items: Vec<Option<(Path, Expr)>>,
    by_path: HashMap<Path, usize>,
    /// All parts that contain parts with items.
    containers: HashSet<Path>,
    zero_rest: bool,
    /// How many elements the outermost array needs.
    length: u64,
}

impl Plan {
    fn new(ty: Type) -> Plan {
        Plan { ty, items: Vec::new(), by_path: HashMap::new(), containers: HashSet::new(), zero_rest: false, length: 0 }
    }

    /// One value for the whole object.
    pub fn whole(value: Expr) -> Plan {
        let mut plan = Plan::new(value.ty.clone());
        plan.push(&[], value);
        plan
    }

    fn push(&mut self, path: &[Step], value: Expr) {
        if self.containers.contains(path) {
            self.clear(path);
        }
        if let Some(Step::Index(index)) = path.first() {
            self.length = self.length.max(index + 1);
        }
        for depth in 0..path.len() {
            self.containers.insert(path[..depth].to_vec());
        }
        let position = self.items.len();
        if let Some(earlier) = self.by_path.insert(path.to_vec(), position) {
            // Overridden: an effect of the earlier value is kept, a constant has none.
            if self.items[earlier].as_ref().is_some_and(|(_, value)| const_value(value).is_some()) {
                self.items[earlier] = None;
            }
        }
        self.items.push(Some((path.to_vec(), value)));
    }

    /// Forgets what was said about an object and its parts.
    fn clear(&mut self, path: &[Step]) {
        if !self.containers.contains(path) && !self.by_path.contains_key(path) {
            return;
        }
        for item in &mut self.items {
            if item.as_ref().is_some_and(|(own, _)| own.starts_with(path)) {
                *item = None;
            }
        }
        self.by_path.retain(|own, _| !own.starts_with(path));
        self.containers.retain(|own| !own.starts_with(path) || own.len() < path.len());
    }
}

/// A braced list being read.
struct Cursor<'a> {
    items: &'a [Node<InitializerListItem>],
    position: usize,
    /// The current item's designators have been followed.
    designated: bool,
    /// The current item's expression, if it has been looked at already.
    pending: Option<Operand>,
}

impl<'a> Cursor<'a> {
    fn new(items: &'a [Node<InitializerListItem>]) -> Cursor<'a> {
        Cursor { items, position: 0, designated: false, pending: None }
    }
    fn item(&self) -> Option<&'a InitializerListItem> {
        self.items.get(self.position).map(|item| &item.node)
    }
    /// The designators of the current item, if they are still to be followed.
    fn designators(&self) -> Option<&'a [Node<Designator>]> {
        let item = self.item().filter(|item| !self.designated && !item.designation.is_empty())?;
        Some(&item.designation)
    }
    fn advance(&mut self) {
        self.position += 1;
        self.designated = false;
        self.pending = None;
    }
}

/// A designator, resolved as far as it can be.
#[derive(Clone, Copy)]
enum Target<'a> {
    Written(&'a Node<Designator>),
    Field(usize),
}

impl Sema<'_> {
    /// What an initialiser gives to an object of the declared type.
    pub fn plan(&mut self, declared: &Declared, node: &Node<Initializer>) -> R<Plan> {
        let span = self.at(node.span);
        match &node.node {
            Initializer::List(items) => self.list_plan(declared, items, span),
            Initializer::Expression(expression) => {
                let operand = self.operand(expression)?;
                self.expression_plan(declared, operand, span)
            }
        }
    }

    fn expression_plan(&mut self, declared: &Declared, operand: Operand, span: Span) -> R<Plan> {
        let ty = declared.ty.unatomic();
        let mut plan = Plan::new(declared.ty.clone());
        match (ty, operand) {
            (Type::Array(element, length), Operand::Text(text, span)) if fits(element, &text) => {
                let limit = if declared.unsized_array { u64::MAX } else { *length };
                self.text(&mut plan, &[], element, limit, &text, span);
            }
            (Type::Array(..), _) if matches!(ty, Type::Array(element, _) if self.is_opaque(element).is_none()) => {
                return self.invalid(span, "an array must be initialised with a list or a string");
            }
            (_, operand) => {
                let value = self.decay(operand)?;
                self.scalar_item(&mut plan, &[], ty, value)?;
            }
        }
        Ok(finished(plan, declared))
    }

    /// What a braced list gives to an object of the declared type.
    pub fn list_plan(&mut self, declared: &Declared, items: &[Node<InitializerListItem>], span: Span) -> R<Plan> {
        let mut plan = Plan::new(declared.ty.clone());
        plan.zero_rest = true;
        let mut path = Path::new();
        let ty = match declared.ty.unatomic() {
            Type::Array(element, _) if declared.unsized_array => Type::Array(element.clone(), u64::MAX),
            other => other.clone(),
        };
        self.braced(&mut plan, &mut path, &ty, items, span)?;
        Ok(finished(plan, declared))
    }

    /// The initialiser of the object at `root`.
    pub fn build_init(&self, plan: Plan, root: &Place) -> Init {
        let items = plan.items.into_iter().flatten().map(|(path, value)| {
            let place = path.iter().fold(root.clone(), |place, step| self.part(place, *step, value.span));
            (place, value)
        });
        Init { items: items.collect(), zero_rest: plan.zero_rest }
    }

    fn part(&self, place: Place, step: Step, span: Span) -> Place {
        match step {
            Step::Field(field) => self.field_place(place, field, span),
            Step::Index(index) => {
                let ty = part_type_of_array(&place.ty);
                let index = int(i128::from(index), self.long(), span);
                Place { ty, kind: PlaceKind::Index(Box::new(place), Box::new(index)), span }
            }
        }
    }

    fn braced(
        &mut self,
        plan: &mut Plan,
        path: &mut Path,
        ty: &Type,
        items: &[Node<InitializerListItem>],
        span: Span,
    ) -> R<()> {
        plan.clear(path);
        let mut cursor = Cursor::new(items);
        match ty.unatomic() {
            // Whatever the libc's macro looks like, a fresh object of the usual kind is all zero.
            Type::Sync(kind) => {
                let mut given = Vec::new();
                self.nonzero(items, &mut given)?;
                match (given.as_slice(), kind) {
                    // An adaptive mutex (3) is a normal one that spins for a while.
                    ([], _) | ([Some(3)], SyncKind::Mutex) => {}
                    // The only number in it is the mutex's type.
                    ([Some(ty @ 1..=2)], SyncKind::Mutex) => plan.push(path, int(*ty, INT, span)),
                    _ => plan.push(path, unsupported("a pthread object of another kind than the default", span)),
                }
                Ok(())
            }
            Type::Opaque(what) => {
                plan.push(path, unsupported(what, span));
                Ok(())
            }
            Type::Array(_, 0) if !items.is_empty() => {
                plan.push(path, unsupported("an initialised flexible array member", span));
                Ok(())
            }
            Type::Array(element, length) => {
                if let [item] = items
                    && let Some(text) = self.sole_text(item, element)
                {
                    let limit = *length;
                    self.text(plan, path, element, limit, &text, span);
                    return Ok(());
                }
                self.aggregate(plan, path, ty, &mut cursor)
            }
            Type::Record(_) => self.aggregate(plan, path, ty, &mut cursor),
            _ => match cursor.item() {
                Some(_) => self.element(plan, path, ty, &mut cursor),
                None => Ok(()),
            },
        }
    }

    /// `{"text"}`.
    fn sole_text(&self, item: &Node<InitializerListItem>, element: &Type) -> Option<Text> {
        let Initializer::Expression(expression) = &item.node.initializer.node else { return None };
        let Expression::StringLiteral(parts) = &self.written(expression).node else { return None };
        let text = super::literal::string(&parts.node);
        (item.node.designation.is_empty() && fits(element, &text)).then_some(text)
    }

    fn aggregate(&mut self, plan: &mut Plan, path: &mut Path, ty: &Type, cursor: &mut Cursor<'_>) -> R<()> {
        self.fill(plan, path, ty, 0, cursor)?;
        while cursor.item().is_some() {
            match cursor.designators() {
                Some(list) => {
                    let targets: Vec<Target<'_>> = list.iter().map(Target::Written).collect();
                    cursor.designated = true;
                    self.designated(plan, path, ty, &targets, cursor)?;
                }
                // gcc warns about excess initialisers and drops them.
                None => cursor.advance(),
            }
        }
        Ok(())
    }

    fn item_span(&self, cursor: &Cursor<'_>) -> Span {
        let item = cursor.items.get(cursor.position).or(cursor.items.last());
        item.map_or(Span::default(), |item| self.at(item.span))
    }

    /// Fills parts in order, from the `first`, until the list ends, jumps elsewhere, or the object is full.
    fn fill(&mut self, plan: &mut Plan, path: &mut Path, ty: &Type, first: u64, cursor: &mut Cursor<'_>) -> R<()> {
        let count = self.part_count(ty);
        let mut position = first;
        while position < count && cursor.item().is_some() && cursor.designators().is_none() {
            let Some((step, part)) = self.part_type(ty, position) else { break };
            path.push(step);
            let result = self.element(plan, path, &part, cursor);
            path.pop();
            result?;
            position += 1;
        }
        Ok(())
    }

    /// How many parts a list without designators fills: one of a union.
    fn part_count(&self, ty: &Type) -> u64 {
        match ty.unatomic() {
            Type::Array(_, length) => *length,
            Type::Record(id) => {
                let record = &self.unit.records[id.0 as usize];
                let count = record.fields.len() as u64;
                if record.union { count.min(1) } else { count }
            }
            _ => 0,
        }
    }

    fn part_type(&self, ty: &Type, position: u64) -> Option<(Step, Type)> {
        match ty.unatomic() {
            Type::Array(element, _) => Some((Step::Index(position), (**element).clone())),
            Type::Record(id) => {
                let index = usize::try_from(position).ok()?;
                let field = self.unit.records[id.0 as usize].fields.get(index)?;
                Some((Step::Field(index), field.ty.clone()))
            }
            _ => None,
        }
    }

    /// The current item for a part of the object.
    fn element(&mut self, plan: &mut Plan, path: &mut Path, ty: &Type, cursor: &mut Cursor<'_>) -> R<()> {
        let Some(item) = cursor.item() else { return Ok(()) };
        let span = self.at(item.initializer.span);
        let expression = match &item.initializer.node {
            Initializer::List(items) => {
                cursor.advance();
                return self.braced(plan, path, ty, items, span);
            }
            Initializer::Expression(expression) => expression,
        };
        if let Type::Array(_, 0) = ty.unatomic() {
            plan.push(path, unsupported("an initialised flexible array member", span));
            cursor.advance();
            return Ok(());
        }
        let operand = match cursor.pending.take() {
            Some(operand) => operand,
            None => self.operand(expression)?,
        };
        match (ty.unatomic(), operand) {
            (Type::Array(element, length), Operand::Text(text, span)) if fits(element, &text) => {
                plan.clear(path);
                self.text(plan, path, element, *length, &text, span);
                cursor.advance();
                Ok(())
            }
            (Type::Record(_), operand) if self.operand_type(&operand).unatomic() != ty.unatomic() => {
                cursor.pending = Some(operand);
                self.elided(plan, path, ty, cursor)
            }
            (Type::Array(..), operand) => {
                cursor.pending = Some(operand);
                self.elided(plan, path, ty, cursor)
            }
            (_, operand) => {
                let value = self.decay(operand)?;
                cursor.advance();
                self.scalar_item(plan, path, ty, value)
            }
        }
    }

    /// An aggregate whose braces are left out takes as many items as it needs.
    fn elided(&mut self, plan: &mut Plan, path: &mut Path, ty: &Type, cursor: &mut Cursor<'_>) -> R<()> {
        let before = cursor.position;
        match self.part_type(ty, 0) {
            Some((step, part)) if self.part_count(ty) > 0 => {
                path.push(step);
                let result = self.element(plan, path, &part, cursor);
                path.pop();
                result?;
                self.fill(plan, path, ty, 1, cursor)
            }
            _ => Ok(()),
        }?;
        // An empty struct takes nothing; its item would be asked for ever.
        if cursor.position == before && self.part_count(ty) == 0 {
            cursor.designated = true;
        }
        Ok(())
    }

    /// The values of an initialiser that are not zero; nothing for those that are not constant.
    fn nonzero(&mut self, items: &[Node<InitializerListItem>], found: &mut Vec<Option<i128>>) -> R<()> {
        for item in items {
            match &item.node.initializer.node {
                Initializer::Expression(value) => {
                    let value = self.value(value)?;
                    found.extend(Some(const_value(&value)).filter(|value| *value != Some(0)));
                }
                Initializer::List(items) => self.nonzero(items, found)?,
            }
        }
        Ok(())
    }

    fn scalar_item(&mut self, plan: &mut Plan, path: &[Step], ty: &Type, value: Expr) -> R<()> {
        if matches!(ty, Type::Sync(_)) && value.ty != *ty {
            // PTHREAD_ONCE_INIT and the like: a fresh object is all zero.
            if const_value(&value) == Some(0) {
                plan.zero_rest = true;
                return Ok(());
            }
            let span = value.span;
            plan.push(path, unsupported("the initialiser of a pthread object", span));
            return Ok(());
        }
        let value = self.convert(value, ty, Purpose::Initialise)?;
        plan.push(path, value);
        Ok(())
    }

    fn text(&self, plan: &mut Plan, path: &[Step], element: &Type, limit: u64, text: &Text, span: Span) {
        plan.zero_rest = true;
        let Type::Int(ty) = element.unatomic() else { return };
        let mut own = path.to_vec();
        for (index, &unit) in (0..limit).zip(&text.units) {
            own.push(Step::Index(index));
            plan.push(&own, int(i128::from(unit), *ty, span));
            own.pop();
        }
        if path.is_empty() {
            plan.length = plan.length.max(text.units.len() as u64 + 1);
        }
    }

    /// Follows designators, then goes on with the parts after the designated one.
    fn designated(
        &mut self,
        plan: &mut Plan,
        path: &mut Path,
        ty: &Type,
        targets: &[Target<'_>],
        cursor: &mut Cursor<'_>,
    ) -> R<()> {
        let Some((&first, rest)) = targets.split_first() else { return self.element(plan, path, ty, cursor) };
        let span = self.item_span(cursor);
        let mut rest = rest.to_vec();
        let (low, high) = match (first, ty.unatomic()) {
            (Target::Field(field), Type::Record(_)) => (field as u64, field as u64),
            (Target::Written(node), Type::Record(id)) => {
                let Designator::Member(name) = &node.node else {
                    return self.invalid(span, "an array index in the initialiser of a struct");
                };
                let Some(fields) = self.find_member(*id, &name.node.name) else {
                    let message = format!("{} has no member named `{}`", self.name_of(ty), name.node.name);
                    return self.invalid(self.at(name.span), message);
                };
                rest.splice(0..0, fields[1..].iter().map(|&field| Target::Field(field)));
                (fields[0] as u64, fields[0] as u64)
            }
            (Target::Written(node), Type::Array(_, length)) => self.index_range(node, *length, span)?,
            (_, Type::Sync(_)) => {
                cursor.advance();
                return Ok(());
            }
            _ => return self.invalid(span, "a designator in the initialiser of a scalar"),
        };
        let Some((step, part)) = self.part_type(ty, low) else {
            return self.invalid(span, "a designator beyond the end of the object");
        };
        if low == high {
            path.push(step);
            let result = self.designated(plan, path, &part, &rest, cursor);
            path.pop();
            result?;
        } else {
            self.repeated(plan, path, (low, high), (&part, &rest), cursor)?;
        }
        let union = matches!(ty.unatomic(), Type::Record(id) if self.unit.records[id.0 as usize].union);
        if union { Ok(()) } else { self.fill(plan, path, ty, high + 1, cursor) }
    }

    fn index_range(&mut self, node: &Node<Designator>, length: u64, span: Span) -> R<(u64, u64)> {
        let (low, high) = match &node.node {
            Designator::Index(index) => {
                let index = self.constant(index)?;
                (index, index)
            }
            Designator::Range(range) => (self.constant(&range.node.from)?, self.constant(&range.node.to)?),
            Designator::Member(_) => return self.invalid(span, "a member name in the initialiser of an array"),
        };
        let number = |value: Option<i128>| value.and_then(|value| u64::try_from(value).ok());
        match (number(low), number(high)) {
            (Some(low), Some(high)) if low <= high && high < length => Ok((low, high)),
            (Some(_), Some(_)) => self.invalid(span, "an array index in an initialiser is out of bounds"),
            _ => self.invalid(span, "an array index in an initialiser is not a constant"),
        }
    }

    /// `[low ... high] = value`: what one element gets, every element gets.
    fn repeated(
        &mut self,
        plan: &mut Plan,
        path: &mut Path,
        (low, high): (u64, u64),
        (part, rest): (&Type, &[Target<'_>]),
        cursor: &mut Cursor<'_>,
    ) -> R<()> {
        let span = self.item_span(cursor);
        let depth = path.len();
        let mut model = Plan::new(part.clone());
        path.push(Step::Index(low));
        let result = self.designated(&mut model, path, part, rest, cursor);
        path.pop();
        result?;
        plan.zero_rest |= model.zero_rest;
        let items: Vec<(Path, Expr)> = model.items.into_iter().flatten().collect();
        if (high - low).saturating_mul(items.len() as u64) > LARGEST_RANGE {
            path.push(Step::Index(high));
            plan.push(path, unsupported("a long range in an initialiser", span));
            path.pop();
            return Ok(());
        }
        for index in low..=high {
            path.push(Step::Index(index));
            plan.clear(path);
            path.pop();
            for (own, value) in &items {
                let mut own = own.clone();
                own[depth] = Step::Index(index);
                plan.push(&own, value.clone());
            }
        }
        if depth == 0 {
            plan.length = plan.length.max(high + 1);
        }
        Ok(())
    }
}

/// Gives an array of unknown length the length that its initialiser needs.
fn finished(mut plan: Plan, declared: &Declared) -> Plan {
    if let (true, Type::Array(element, _)) = (declared.unsized_array, &declared.ty) {
        plan.ty = Type::Array(element.clone(), plan.length);
    }
    plan
}

/// Whether a string literal initialises arrays of this element.
fn fits(element: &Type, text: &Text) -> bool {
    matches!(element.unatomic(), Type::Int(int) if int.bits == text.element.bits)
}

fn part_type_of_array(ty: &Type) -> Type {
    match ty.unatomic() {
        Type::Array(element, _) => (**element).clone(),
        _ => Type::Void,
    }
}
