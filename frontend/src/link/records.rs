//! Which structs and unions of different files are one type.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::hir::{Field, FunctionType, Record, RecordId, Type, Unit};

/// The records of a program, and for each unit which of them its own are. Those are one that have the same tag, or none, and the same
/// members [C11, 6.2.7]; one without members is the first with its tag that has some. C keeps records without a tag apart within a
/// file: but the analysis of each file is over, and what is left of a type is its layout.
pub(super) fn merge(units: &[Unit]) -> (Vec<Record>, Vec<Vec<RecordId>>) {
    let all: Vec<Record> = units.iter().flat_map(|unit| unit.records.iter().cloned()).collect();
    let firsts = units.iter().scan(0, |next, unit| {
        let first = *next;
        *next += unit.records.len();
        Some(first)
    });
    let firsts: Vec<usize> = firsts.collect();
    // Members speak of records by their numbers among all.
    let globally = |first: usize| move |id: RecordId| number(first + id.0 as usize);
    let homes = units.iter().zip(&firsts).flat_map(|(unit, first)| vec![*first; unit.records.len()]);
    let all: Vec<Record> = all.iter().zip(homes).map(|(r, first)| with_members(r, &globally(first))).collect();
    let meant = meant(&all);
    let classes = classes(&all, &meant);
    // A class is named by the first of its records, and numbered in their order.
    let mut order: BTreeMap<usize, (usize, RecordId)> = BTreeMap::new();
    for (index, class) in classes.iter().enumerate() {
        let next = number(order.len());
        let complete = meant[index];
        order.entry(*class).or_insert((complete, next));
    }
    let id = |record: RecordId| order[&classes[record.0 as usize]].1;
    let mut merged: Vec<(RecordId, Record)> =
        order.values().map(|(first, id_of)| (*id_of, with_members(&all[*first], &id))).collect();
    merged.sort_by_key(|(id, _)| *id);
    let places = units.iter().zip(&firsts).map(|(unit, first)| {
        let all = (*first..first + unit.records.len()).map(|index| id(number(index)));
        all.collect()
    });
    (merged.into_iter().map(|(_, record)| record).collect(), places.collect())
}

/// For each record itself, or for one without members the one that it stands for.
fn meant(all: &[Record]) -> Vec<usize> {
    let mut complete: HashMap<(&str, bool), usize> = HashMap::new();
    for (index, record) in all.iter().enumerate().filter(|(_, record)| !is_incomplete(record)) {
        complete.entry((&record.name, record.union)).or_insert(index);
    }
    let known = |record: &Record| complete.get(&(record.name.as_str(), record.union)).copied();
    let meant = all.iter().enumerate().map(|(index, record)| match is_incomplete(record) {
        true => known(record).unwrap_or(index),
        false => index,
    });
    meant.collect()
}

/// What distinguishes a record from others, given classes of those that it speaks of.
type Signature<'a> = (Option<&'a str>, bool, [u64; 3], Vec<(&'a str, Type, u64, u64, Option<(u32, u32)>)>);

/// The coarsest partition in which members of one class agree, up to classes.
fn classes(all: &[Record], meant: &[usize]) -> Vec<usize> {
    let mut classes = vec![0; all.len()];
    let mut count = 1;
    loop {
        let mut known: HashMap<Signature<'_>, usize> = HashMap::new();
        let class = |id: RecordId| number(classes[meant[id.0 as usize]]);
        let refined = meant.iter().map(|index| {
            let next = known.len();
            *known.entry(signature(&all[*index], &class)).or_insert(next)
        });
        classes = refined.collect();
        if known.len() == count {
            return classes;
        }
        count = known.len();
    }
}

fn signature<'a>(record: &'a Record, class: &dyn Fn(RecordId) -> RecordId) -> Signature<'a> {
    // The analysis makes up names with a point, which no tag has.
    let tag = Some(record.name.as_str()).filter(|name| !name.contains('.'));
    let member =
        |field: &'a Field| (field.name.as_str(), with_records(&field.ty, class), field.offset, field.align, field.bits);
    let fields = record.fields.iter().map(member).collect();
    (tag, record.union, [record.size, record.align, record.member_align], fields)
}

fn is_incomplete(record: &Record) -> bool {
    record.size == 0 && record.fields.is_empty()
}

fn number(index: usize) -> RecordId {
    RecordId(program::number(index))
}

fn with_members(record: &Record, id: &dyn Fn(RecordId) -> RecordId) -> Record {
    let member = |field: &Field| Field { ty: with_records(&field.ty, id), ..field.clone() };
    Record { fields: record.fields.iter().map(member).collect(), ..record.clone() }
}

/// The type with other records in it.
pub(super) fn with_records(ty: &Type, id: &dyn Fn(RecordId) -> RecordId) -> Type {
    let inner = |ty: &Rc<Type>| Rc::new(with_records(ty, id));
    match ty {
        Type::Record(record) => Type::Record(id(*record)),
        Type::Pointer(pointee) => Type::Pointer(inner(pointee)),
        Type::Array(element, length) => Type::Array(inner(element), *length),
        Type::Atomic(plain) => Type::Atomic(inner(plain)),
        Type::Function(function) => Type::Function(Rc::new(with_signature(function, id))),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Sync(_) | Type::Opaque(_) => ty.clone(),
    }
}

/// The function type with other records in it.
pub(super) fn with_signature(function: &FunctionType, id: &dyn Fn(RecordId) -> RecordId) -> FunctionType {
    FunctionType {
        result: with_records(&function.result, id),
        parameters: function.parameters.iter().map(|ty| with_records(ty, id)).collect(),
        variadic: function.variadic,
    }
}
