//! Symbols for what is not linear. A remainder modulo 2^n, a quotient, a choice or an array's element gets a symbol of its own, and
//! linear formulas that define it: with these, linear arithmetic decides what is said of it.
//!
//! A definition is exact if every solution of it is one of the term: then a solution of the whole counts. Otherwise only a
//! contradiction does.

use program::{IntType, Linear, Term, TermKind};

use crate::literal::{Literal, LiteralTable, Symbol, variable};

/// Names are numbered from here on, variables below.
pub(crate) const NAMES: Symbol = 1 << 31;

/// Sums that wrap around more often than this have no definition.
const TURNS: i128 = 3;
/// Elements of one array that are told apart from all others.
const ELEMENTS: usize = 64;

/// A term with a symbol of its own.
#[derive(Debug)]
pub(crate) struct Name {
    term: Term,
    range: Option<(i128, i128)>,
    definition: Vec<Literal>,
    exact: bool,
    /// What its definition speaks of, and itself.
    symbols: Vec<Symbol>,
    /// Earlier elements of the same array, before the step or after it, with what holds if the two arrays are one: that the indices
    /// differ or the elements are equal.
    peers: Vec<Peer>,
}

#[derive(Debug)]
struct Peer {
    symbol: Symbol,
    /// The array that both are elements of; none if one is of the array before the step and the other of that after it.
    same: bool,
    array: Symbol,
    agree: Literal,
}

/// A conjunction with the definitions of all that is named in it.
pub(crate) struct Defined {
    pub(crate) literals: Vec<Literal>,
    /// Whether a solution is one of the conjunction.
    pub(crate) exact: bool,
}

impl LiteralTable {
    /// The values that a symbol may have, if they are bounded.
    pub fn range(&self, symbol: Symbol) -> Option<(i128, i128)> {
        if symbol >= NAMES { self.name(symbol).range } else { self.ranges.get(&variable(symbol)?).copied() }
    }

    fn name(&self, symbol: Symbol) -> &Name {
        &self.names[(symbol - NAMES) as usize]
    }

    /// What a symbol stands for, and all symbols of its definition.
    pub(crate) fn spoken_of(&self, symbol: Symbol) -> &[Symbol] {
        &self.name(symbol).symbols
    }

    /// The conjunction with its definitions, if it needs any.
    pub(crate) fn defined(&self, literals: &[Literal]) -> Option<Defined> {
        let plain = |literal: &Literal| {
            let info = self.info(*literal);
            info.symbols.last().is_none_or(|symbol| *symbol < NAMES) && !info.shape.is_opaque()
        };
        if literals.iter().all(plain) {
            return None;
        }
        let mut defined = Defined { literals: Vec::with_capacity(2 * literals.len()), exact: true };
        let mut names: Vec<Symbol> = self.names_in(literals).collect();
        let mut unchanged: Vec<Symbol> = Vec::new();
        for literal in literals {
            let info = self.info(*literal);
            match self.unchanged_array(info.term) {
                Some(array) => unchanged.push(array),
                None if info.shape.is_opaque() => defined.exact = false,
                None => defined.literals.push(*literal),
            }
        }
        names.sort_unstable();
        names.dedup();
        // A literal that is part of a definition was made before all that the definition speaks of had a name.
        loop {
            let mut all: Vec<Symbol> = names.iter().flat_map(|name| self.spoken_of(*name)).copied().collect();
            all.retain(|symbol| *symbol >= NAMES);
            all.sort_unstable();
            all.dedup();
            if all.len() == names.len() {
                break;
            }
            names = all;
        }
        for symbol in &names {
            let name = self.name(*symbol);
            defined.exact &= name.exact;
            defined.literals.extend_from_slice(&name.definition);
            let known = name.peers.iter().filter(|peer| peer.same || unchanged.contains(&peer.array));
            let present = known.filter(|peer| names.binary_search(&peer.symbol).is_ok());
            defined.literals.extend(present.map(|peer| peer.agree));
        }
        debug_assert!(self.names_in(&defined.literals).all(|symbol| names.binary_search(&symbol).is_ok()));
        Some(defined)
    }

    fn names_in<'a>(&'a self, literals: &'a [Literal]) -> impl Iterator<Item = Symbol> + 'a {
        let symbols = literals.iter().flat_map(|literal| self.info(*literal).symbols.iter().copied());
        symbols.filter(|symbol| *symbol >= NAMES)
    }

    /// The array of which a formula says that the step leaves it as it is.
    fn unchanged_array(&self, term: Term) -> Option<Symbol> {
        let TermKind::ArrayEq(a, b) = term.kind() else { return None };
        match (a.kind(), b.kind()) {
            (TermKind::Var(x, _), TermKind::Primed(y, _)) if x == y => plain_symbol(*a),
            _ => None,
        }
    }

    /// The symbol of an integer term.
    pub(crate) fn symbol(&mut self, term: Term) -> Symbol {
        if let Some(symbol) = plain_symbol(term).or_else(|| self.named.get(&term).copied()) {
            return symbol;
        }
        let range = self.range_of(term);
        // The definition speaks of the term itself: it must have its symbol by then.
        let index = self.names.len();
        let symbol = program::number(NAMES as usize + index);
        self.named.insert(term, symbol);
        let symbols = vec![symbol];
        self.names.push(Name { term, range, definition: Vec::new(), exact: false, symbols, peers: Vec::new() });
        let definition = self.definition(term);
        let exact = definition.is_some();
        let definition: Vec<Literal> = definition.into_iter().flatten().map(|term| self.literal(term)).collect();
        let peers = self.peers(term, symbol);
        let exact = exact && peers.is_some();
        let mut symbols = vec![symbol];
        symbols.extend(definition.iter().flat_map(|literal| self.info(*literal).symbols.iter().copied()));
        symbols.extend(self.symbols_within(term));
        symbols.sort_unstable();
        symbols.dedup();
        let peers = peers.unwrap_or_default();
        self.names[index] = Name { term, range, definition, exact, symbols, peers };
        symbol
    }

    /// The symbols of the terms that a term is made of.
    fn symbols_within(&mut self, term: Term) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        term.visit(&mut |sub| symbols.extend(plain_symbol(sub)));
        if let TermKind::Select(_, index) = term.kind() {
            // Elements are compared by their indices.
            for atom in Linear::of(*index).atoms() {
                let symbol = self.symbol(atom);
                symbols.push(symbol);
                if symbol >= NAMES {
                    symbols.extend_from_slice(self.spoken_of(symbol));
                }
            }
        }
        symbols
    }

    /// What the value of a term is, as formulas about it; none if that is not known here.
    fn definition(&self, term: Term) -> Option<Vec<Term>> {
        let choice = |condition: Term, then: Term, otherwise: Term| {
            let (then, otherwise) = (term.equation(then), term.equation(otherwise));
            Term::or([Term::and([condition, then]), Term::and([condition.not(), otherwise])])
        };
        match term.kind() {
            TermKind::Wrap(ty, value) => self.turns(term, *ty, *value),
            TermKind::Ite(condition, then, otherwise) => Some(vec![choice(*condition, *then, *otherwise)]),
            TermKind::Select(array, index) => match array.kind() {
                TermKind::Var(..) | TermKind::Primed(..) => Some(Vec::new()),
                TermKind::Store(rest, at, value) => Some(vec![choice(at.eq_to(*index), *value, rest.select(*index))]),
                TermKind::Ite(condition, then, otherwise) => {
                    Some(vec![choice(*condition, then.select(*index), otherwise.select(*index))])
                }
                _ => None,
            },
            TermKind::Div(value, by) => {
                let by = by.as_int().filter(|by| *by > 0)?;
                let rest = value.sub(Term::int(by).mul(term));
                let up = Term::and([Term::int(0).le(*value), rest.within(0, by - 1)]);
                let down = Term::and([(*value).lt(Term::int(0)), rest.within(1 - by, 0)]);
                Some(vec![Term::or([up, down])])
            }
            TermKind::Rem(value, by) => {
                by.as_int().filter(|by| *by > 0)?;
                Some(vec![term.equation(value.sub(by.mul(value.div(*by))))])
            }
            _ => None,
        }
    }

    /// A value modulo 2^n is the value less some turns, as many as its range allows.
    fn turns(&self, term: Term, ty: IntType, value: Term) -> Option<Vec<Term>> {
        let (low, high) = self.range_of(value)?;
        let size = 1i128 << ty.bits;
        let turn = |value: i128| value.checked_sub(ty.least()).map(|above| above.div_euclid(size));
        let (first, last) = (turn(low)?, turn(high)?);
        (last - first < TURNS).then_some(())?;
        Some(vec![Term::or((first..=last).map(|turn| term.equation(value.sub(Term::int(turn * size)))))])
    }

    /// The values that a term may have, if they are bounded.
    fn range_of(&self, term: Term) -> Option<(i128, i128)> {
        match term.kind() {
            TermKind::Int(value) => Some((*value, *value)),
            TermKind::Sum(form) => {
                let (mut low, mut high) = (form.offset(), form.offset());
                for (atom, c) in form.monomials() {
                    let (least, greatest) = self.range_of(*atom)?;
                    let ends = (c.checked_mul(least)?, c.checked_mul(greatest)?);
                    low = low.checked_add(ends.0.min(ends.1))?;
                    high = high.checked_add(ends.0.max(ends.1))?;
                }
                Some((low, high))
            }
            TermKind::Wrap(ty, _) | TermKind::Bits(_, ty, _, _) => Some((ty.least(), ty.greatest())),
            TermKind::Ite(_, then, otherwise) => {
                let (then, otherwise) = (self.range_of(*then)?, self.range_of(*otherwise)?);
                Some((then.0.min(otherwise.0), then.1.max(otherwise.1)))
            }
            TermKind::Div(value, by) => {
                let by = by.as_int().filter(|by| *by > 0)?;
                let (low, high) = self.range_of(*value)?;
                Some((low / by, high / by))
            }
            TermKind::Rem(_, by) => by.as_int().filter(|by| *by > 0).map(|by| (1 - by, by - 1)),
            _ => self.range(plain_symbol(term)?),
        }
    }

    /// What an element of an array has in common with earlier ones; nothing if there are too many of them.
    fn peers(&mut self, term: Term, own: Symbol) -> Option<Vec<Peer>> {
        let Some((array, after, index)) = element(term) else { return Some(Vec::new()) };
        let earlier = self.elements.entry(array).or_default().clone();
        if earlier.len() >= ELEMENTS {
            return None;
        }
        let mut peers = Vec::new();
        for symbol in earlier {
            let other = self.name(symbol).term;
            let Some((_, other_after, other_index)) = element(other) else { continue };
            let (before, beyond) = (index.lt(other_index), other_index.lt(index));
            let agree = Term::or([before, beyond, term.eq_to(other)]);
            if agree.as_bool() != Some(true) {
                let agree = self.literal(agree);
                peers.push(Peer { symbol, same: after == other_after, array, agree });
            }
        }
        self.elements.entry(array).or_default().push(own);
        Some(peers)
    }
}

/// The array whose element a term is, whether it is that after the step, and the index.
fn element(term: Term) -> Option<(Symbol, bool, Term)> {
    let TermKind::Select(array, index) = term.kind() else { return None };
    match array.kind() {
        TermKind::Var(..) => Some((plain_symbol(*array)?, false, *index)),
        TermKind::Primed(..) => Some((plain_symbol(*array)? - 1, true, *index)),
        _ => None,
    }
}

/// The symbol of a variable: even ones are values before the step, odd ones after, from 2 on.
pub(crate) fn plain_symbol(term: Term) -> Option<Symbol> {
    match term.kind() {
        TermKind::Var(var, _) => Some(2 * var.0 + 2),
        TermKind::Primed(var, _) => Some(2 * var.0 + 3),
        _ => None,
    }
}
