//! Names and where they are visible.

use std::collections::HashMap;

use program::IntType;

use super::types::Declared;
use crate::hir::{FunctionId, GlobalId, LocalId, RecordId, Type};

/// What an ordinary identifier means.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// A type's name.
    Typedef(Declared),
    /// An enumerator.
    Enumerator(i128, IntType),
    /// An object with static storage.
    Global(GlobalId),
    /// A parameter or automatic local.
    Local(LocalId),
    /// A function.
    Function(FunctionId),
    /// A parameter of a prototype: it has a type, but no value.
    Parameter(Type),
}

/// What a tag means.
#[derive(Clone, Debug)]
pub enum Tag {
    /// A struct or union.
    Record(RecordId),
    /// An enum: its type, if its enumerators are known.
    Enum(Option<IntType>),
}

/// The names declared in one block.
#[derive(Debug, Default)]
pub struct Scope {
    symbols: HashMap<String, Symbol>,
    tags: HashMap<String, Tag>,
}

/// All blocks around the current place, the file first.
#[derive(Debug)]
pub struct Scopes {
    stack: Vec<Scope>,
}

impl Scopes {
    /// The file scope alone.
    pub fn new() -> Scopes {
        Scopes { stack: vec![Scope::default()] }
    }
    /// Enters a block.
    pub fn push(&mut self, scope: Scope) {
        self.stack.push(scope);
    }
    /// Leaves a block.
    pub fn pop(&mut self) -> Scope {
        if self.stack.len() > 1 { self.stack.pop().unwrap_or_default() } else { Scope::default() }
    }
    /// Whether no block is open.
    pub fn at_file(&self) -> bool {
        self.stack.len() == 1
    }
    /// The meaning of an identifier.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.stack.iter().rev().find_map(|scope| scope.symbols.get(name))
    }
    /// The meaning of an identifier in the innermost block.
    pub fn symbol_here(&self, name: &str) -> Option<&Symbol> {
        self.stack.last().and_then(|scope| scope.symbols.get(name))
    }
    /// The meaning of a tag.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.stack.iter().rev().find_map(|scope| scope.tags.get(name))
    }
    /// The meaning of a tag in the innermost block.
    pub fn tag_here(&self, name: &str) -> Option<&Tag> {
        self.stack.last().and_then(|scope| scope.tags.get(name))
    }
    /// Declares an identifier in the innermost block.
    pub fn bind(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.stack.last_mut() {
            scope.symbols.insert(name.to_string(), symbol);
        }
    }
    /// Declares a tag in the innermost block.
    pub fn bind_tag(&mut self, name: &str, tag: Tag) {
        if let Some(scope) = self.stack.last_mut() {
            scope.tags.insert(name.to_string(), tag);
        }
    }
    /// Replaces the meaning of a tag where it is declared.
    pub fn rebind_tag(&mut self, name: &str, tag: Tag) {
        if let Some(entry) = self.stack.iter_mut().rev().find_map(|scope| scope.tags.get_mut(name)) {
            *entry = tag;
        }
    }
}
