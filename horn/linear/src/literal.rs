//! Literals as small numbers, with what entailment needs to know about each.

use rustc_hash::FxHashMap;

use program::{Linear, Sort, Term, TermKind, VarId};

use crate::names::{NAMES, Name, plain_symbol};

/// A formula that premises are made of: an index into a [`LiteralTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// Its index: literals that were met earlier have smaller ones.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A variable, or one after the step, or what has a name of its own, as entailment sees it.
pub type Symbol = u32;

/// The symbol that stands for zero in difference constraints.
pub const ZERO: Symbol = 0;

/// What a literal says, as far as it can be decided without Z3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `plus - minus <= bound`.
    Le {
        /// What is added.
        plus: Symbol,
        /// What is subtracted.
        minus: Symbol,
        /// What it is compared with.
        bound: i128,
    },
    /// `plus - minus = bound`.
    Eq {
        /// What is added.
        plus: Symbol,
        /// What is subtracted.
        minus: Symbol,
        /// What it is compared with.
        bound: i128,
    },
    /// `plus - minus != bound`.
    Ne {
        /// What is added.
        plus: Symbol,
        /// What is subtracted.
        minus: Symbol,
        /// What it is compared with.
        bound: i128,
    },
    /// A linear sum of other than one symbol or two, compared with a bound.
    Sum {
        /// Symbols with their coefficients.
        terms: Box<[(Symbol, i128)]>,
        /// How it is compared.
        relation: Relation,
        /// What it is compared with.
        bound: i128,
    },
    /// One of these.
    Or(Box<[Literal]>),
    /// All of these.
    And(Box<[Literal]>),
    /// A constant.
    Constant(bool),
    /// Anything else.
    Opaque,
}

impl Shape {
    /// Whether nothing is known of what it says.
    pub(crate) fn is_opaque(&self) -> bool {
        matches!(self, Shape::Opaque)
    }
}

/// How a sum is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// At most.
    Le,
    /// Equal.
    Eq,
    /// Unequal.
    Ne,
}

/// A literal and what entailment needs to know of it.
#[derive(Debug)]
pub struct Info {
    /// The formula.
    pub term: Term,
    /// What it says.
    pub shape: Shape,
    /// What it speaks of, sorted.
    pub symbols: Box<[Symbol]>,
}

/// All literals met so far.
#[derive(Default)]
pub struct LiteralTable {
    index: FxHashMap<Term, Literal>,
    infos: Vec<Info>,
    pub(crate) ranges: FxHashMap<VarId, (i128, i128)>,
    pub(crate) names: Vec<Name>,
    pub(crate) named: FxHashMap<Term, Symbol>,
    /// The named elements of each array.
    pub(crate) elements: FxHashMap<Symbol, Vec<Symbol>>,
}

impl LiteralTable {
    /// No literals yet, about variables with these ranges.
    pub fn new(ranges: impl IntoIterator<Item = (VarId, (i128, i128))>) -> LiteralTable {
        LiteralTable { ranges: ranges.into_iter().collect(), ..LiteralTable::default() }
    }

    /// The range of a variable, if it has one.
    pub fn range_of_variable(&self, var: VarId) -> Option<(i128, i128)> {
        self.ranges.get(&var).copied()
    }

    /// What is known about a literal.
    pub fn info(&self, literal: Literal) -> &Info {
        &self.infos[literal.0 as usize]
    }

    /// Whether there is a disjunction in it.
    pub(crate) fn has_choice(&self, literal: Literal) -> bool {
        match &self.info(literal).shape {
            Shape::Or(_) => true,
            Shape::And(items) => items.iter().any(|item| self.has_choice(*item)),
            _ => false,
        }
    }

    /// The literal of a formula that has one.
    pub fn known(&self, term: Term) -> Option<Literal> {
        self.index.get(&term).copied()
    }

    /// The literal of a formula.
    pub fn literal(&mut self, term: Term) -> Literal {
        if let Some(literal) = self.index.get(&term) {
            return *literal;
        }
        let shape = self.shape(term);
        let mut symbols = self.symbols_of(&shape);
        term.visit(&mut |sub| symbols.extend(plain_symbol(sub)));
        symbols.sort_unstable();
        symbols.dedup();
        let literal = Literal(program::number(self.infos.len()));
        self.infos.push(Info { term, shape, symbols: symbols.into() });
        self.index.insert(term, literal);
        literal
    }

    /// What a shape speaks of, with what the names in it stand for.
    fn symbols_of(&self, shape: &Shape) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = match shape {
            Shape::Le { plus, minus, .. } | Shape::Eq { plus, minus, .. } | Shape::Ne { plus, minus, .. } => {
                vec![*plus, *minus]
            }
            Shape::Sum { terms, .. } => terms.iter().map(|(symbol, _)| *symbol).collect(),
            Shape::Or(items) | Shape::And(items) => {
                items.iter().flat_map(|item| self.info(*item).symbols.iter().copied()).collect()
            }
            Shape::Constant(_) | Shape::Opaque => Vec::new(),
        };
        symbols.retain(|symbol| *symbol != ZERO);
        let names: Vec<Symbol> = symbols.iter().copied().filter(|symbol| *symbol >= NAMES).collect();
        symbols.extend(names.into_iter().flat_map(|name| self.spoken_of(name).iter().copied()));
        symbols
    }

    fn shape(&mut self, term: Term) -> Shape {
        match term.kind() {
            TermKind::Bool(value) => Shape::Constant(*value),
            TermKind::Le(form, bound) => match self.difference(form) {
                Some((plus, minus)) => Shape::Le { plus, minus, bound: *bound },
                None => self.sum(form, 1, Relation::Le, *bound),
            },
            TermKind::Eq(form, bound) => match self.difference(form) {
                Some((plus, minus)) => Shape::Eq { plus, minus, bound: *bound },
                None => self.sum(form, 1, Relation::Eq, *bound),
            },
            // A boolean is a symbol that is 1 or 0: nothing else is ever said of it.
            TermKind::Var(_, Sort::Bool) | TermKind::Primed(_, Sort::Bool) => truth(term, 1),
            TermKind::Not(inner) => match inner.kind() {
                TermKind::Var(_, Sort::Bool) | TermKind::Primed(_, Sort::Bool) => truth(*inner, 0),
                TermKind::Le(form, bound) => match self.difference(form) {
                    Some((plus, minus)) => Shape::Le { plus: minus, minus: plus, bound: -bound - 1 },
                    None => self.sum(form, -1, Relation::Le, -bound - 1),
                },
                TermKind::Eq(form, bound) => match self.difference(form) {
                    Some((plus, minus)) => Shape::Ne { plus, minus, bound: *bound },
                    None => self.sum(form, 1, Relation::Ne, *bound),
                },
                _ => Shape::Opaque,
            },
            TermKind::Or(items) => Shape::Or(items.iter().map(|item| self.literal(*item)).collect()),
            TermKind::And(items) => Shape::And(items.iter().map(|item| self.literal(*item)).collect()),
            _ => Shape::Opaque,
        }
    }

    /// The form times a sign, compared with a bound.
    fn sum(&mut self, form: &Linear, sign: i128, relation: Relation, bound: i128) -> Shape {
        let term = |(term, c): &(Term, i128)| Some((self.symbol(*term), c.checked_mul(sign)?));
        match form.monomials().iter().map(term).collect() {
            Some(terms) => Shape::Sum { terms, relation, bound },
            None => Shape::Opaque,
        }
    }

    /// (x, y) for the form x - y, with [`ZERO`] for what is missing.
    fn difference(&mut self, form: &Linear) -> Option<(Symbol, Symbol)> {
        match form.monomials() {
            [(x, 1)] => Some((self.symbol(*x), ZERO)),
            [(x, -1)] => Some((ZERO, self.symbol(*x))),
            [(x, 1), (y, -1)] => Some((self.symbol(*x), self.symbol(*y))),
            [(x, -1), (y, 1)] => Some((self.symbol(*y), self.symbol(*x))),
            _ => None,
        }
    }
}

/// The variable that a symbol stands for, before the step or after it.
pub(crate) fn variable(symbol: Symbol) -> Option<VarId> {
    (symbol != ZERO && symbol < NAMES).then(|| VarId(symbol / 2 - 1))
}

fn truth(term: Term, bound: i128) -> Shape {
    plain_symbol(term).map_or(Shape::Opaque, |plus| Shape::Eq { plus, minus: ZERO, bound })
}
