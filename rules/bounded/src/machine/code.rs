//! Terms compiled to trees over slots, for values that fit machine words. What does not is left to [`Term::eval`].

use program::{BitOp, IntType, Linear, Sort, Term, TermKind, VarId};

use super::{Slot, SlotInfo, UNSET, Word};

/// A node of [`Code`].
pub(crate) type NodeId = u32;

/// A list of nodes with factors, or of nodes: a range of [`Code::items`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items {
    start: u32,
    end: u32,
}

/// A compiled term. Truth values are 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    Const(i64),
    Slot(Slot),
    /// A slot whose word can stand for a value beyond the signed ones.
    Wide(Slot),
    Input(u32),
    WideInput(u32),
    Sum(Items, i64),
    Mul(NodeId, NodeId),
    Div(NodeId, NodeId),
    Rem(NodeId, NodeId),
    Wrap(IntType, NodeId),
    Bits(BitOp, IntType, NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
    /// The most frequent conditions: a slot's value compared with a constant.
    SlotLe(Slot, i64),
    SlotEq(Slot, i64),
    Le(Items, i64),
    Eq(Items, i64),
    Not(NodeId),
    All(Items),
    Any(Items),
    Select(NodeId, NodeId),
    Store(NodeId, NodeId, NodeId),
    Filled(NodeId),
    /// Left to [`Term::eval`].
    Slow,
}

/// All compiled terms of a program.
#[derive(Default)]
pub(crate) struct Code {
    nodes: Vec<Node>,
    items: Vec<(NodeId, i64)>,
}

/// Nodes after which a term is left to [`Term::eval`], which evaluates shared subterms once: as a tree, a fused piece of code
/// can be exponentially larger.
const LARGEST: usize = 400;

/// What compilation has to know about variables.
pub(crate) struct Names<'a> {
    pub(crate) slots: &'a [SlotInfo],
    pub(crate) slot_of: &'a [Option<Slot>],
    /// The step's inputs with their types, by position.
    pub(crate) inputs: &'a [(VarId, IntType)],
}

impl Code {
    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }
    pub(crate) fn items(&self, items: Items) -> &[(NodeId, i64)] {
        &self.items[items.start as usize..items.end as usize]
    }

    /// Compiles a term.
    pub(crate) fn compile(&mut self, term: Term, names: &Names<'_>) -> NodeId {
        let mut budget = LARGEST;
        let (nodes, items) = (self.nodes.len(), self.items.len());
        if let Some(node) = self.term(term, names, &mut budget) {
            return node;
        }
        self.nodes.truncate(nodes);
        self.items.truncate(items);
        self.push(Node::Slow)
    }

    /// The slot that a comparison with a constant is about, if the node is one.
    pub(crate) fn only_slot(&self, id: NodeId) -> Option<Slot> {
        match self.node(id) {
            Node::SlotLe(slot, _) | Node::SlotEq(slot, _) => Some(slot),
            Node::Not(inner) => self.only_slot(inner),
            _ => None,
        }
    }

    /// Whether a comparison of a slot with a constant is false initially.
    pub(crate) fn closed_initially(&self, id: NodeId, initial: &[Word]) -> bool {
        self.holds_initially(id, initial) == Some(false)
    }

    fn holds_initially(&self, id: NodeId, initial: &[Word]) -> Option<bool> {
        let known = |slot: Slot| Some(initial[slot as usize]).filter(|word| *word != UNSET);
        match self.node(id) {
            Node::SlotLe(slot, bound) => Some(known(slot)? <= bound),
            Node::SlotEq(slot, bound) => Some(known(slot)? == bound),
            Node::Not(inner) => Some(!self.holds_initially(inner, initial)?),
            _ => None,
        }
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        program::number(self.nodes.len() - 1)
    }

    fn push_items(&mut self, items: &[(NodeId, i64)]) -> Items {
        let start = program::number(self.items.len());
        self.items.extend_from_slice(items);
        Items { start, end: program::number(self.items.len()) }
    }

    /// Nothing if the term is too large or a constant does not fit.
    fn term(&mut self, term: Term, names: &Names<'_>, budget: &mut usize) -> Option<NodeId> {
        *budget = budget.checked_sub(1)?;
        let mut sub = |code: &mut Code, part: Term| code.term(part, names, budget);
        let node = match term.kind() {
            TermKind::Int(value) => Node::Const(small(*value)?),
            TermKind::Bool(value) => Node::Const(i64::from(*value)),
            TermKind::Var(var, sort) => leaf(*var, *sort, names)?,
            TermKind::Primed(..) | TermKind::ArrayEq(..) => return None,
            TermKind::Sum(form) => Node::Sum(self.monomials(form, names, budget)?, small(form.offset())?),
            TermKind::Add(a, b) => {
                let items = [(sub(self, *a)?, 1), (sub(self, *b)?, 1)];
                Node::Sum(self.push_items(&items), 0)
            }
            TermKind::Mul(a, b) => Node::Mul(sub(self, *a)?, sub(self, *b)?),
            TermKind::Div(a, b) => Node::Div(sub(self, *a)?, sub(self, *b)?),
            TermKind::Rem(a, b) => Node::Rem(sub(self, *a)?, sub(self, *b)?),
            TermKind::Wrap(ty, a) => Node::Wrap(*ty, sub(self, *a)?),
            TermKind::Bits(op, ty, a, b) => Node::Bits(*op, *ty, sub(self, *a)?, sub(self, *b)?),
            TermKind::Ite(c, a, b) => Node::Ite(sub(self, *c)?, sub(self, *a)?, sub(self, *b)?),
            TermKind::Le(form, bound) => {
                let (items, bound) = (self.monomials(form, names, budget)?, small(*bound)?);
                self.single(items).map_or(Node::Le(items, bound), |slot| Node::SlotLe(slot, bound))
            }
            TermKind::Eq(form, bound) => {
                let (items, bound) = (self.monomials(form, names, budget)?, small(*bound)?);
                self.single(items).map_or(Node::Eq(items, bound), |slot| Node::SlotEq(slot, bound))
            }
            TermKind::Not(a) => Node::Not(sub(self, *a)?),
            TermKind::And(items) => Node::All(self.list(items, names, budget)?),
            TermKind::Or(items) => Node::Any(self.list(items, names, budget)?),
            TermKind::Select(a, i) => Node::Select(sub(self, *a)?, sub(self, *i)?),
            TermKind::Store(a, i, v) => Node::Store(sub(self, *a)?, sub(self, *i)?, sub(self, *v)?),
            TermKind::ConstArray(v) => Node::Filled(sub(self, *v)?),
        };
        Some(self.push(node))
    }

    fn monomials(&mut self, form: &Linear, names: &Names<'_>, budget: &mut usize) -> Option<Items> {
        let mut items = Vec::with_capacity(form.monomials().len());
        for (term, factor) in form.monomials() {
            items.push((self.term(*term, names, budget)?, small(*factor)?));
        }
        Some(self.push_items(&items))
    }

    fn list(&mut self, terms: &[Term], names: &Names<'_>, budget: &mut usize) -> Option<Items> {
        let items: Option<Vec<_>> = terms.iter().map(|term| Some((self.term(*term, names, budget)?, 1))).collect();
        Some(self.push_items(&items?))
    }

    /// The slot that a sum consists of.
    fn single(&self, items: Items) -> Option<Slot> {
        match self.items(items) {
            [(node, 1)] => match self.node(*node) {
                Node::Slot(slot) => Some(slot),
                _ => None,
            },
            _ => None,
        }
    }
}

fn small(value: i128) -> Option<i64> {
    i64::try_from(value).ok()
}

/// Whether words stand for values of this type that are not their own.
pub(crate) fn is_wide(ty: IntType) -> bool {
    ty.bits == 64 && !ty.signed
}

fn leaf(var: VarId, sort: Sort, names: &Names<'_>) -> Option<Node> {
    if let Some(position) = names.inputs.iter().position(|(input, _)| *input == var) {
        let wide = is_wide(names.inputs[position].1);
        let position = program::number(position);
        return Some(if wide { Node::WideInput(position) } else { Node::Input(position) });
    }
    let slot = names.slot_of[var.0 as usize]?;
    let wide = sort == Sort::Int && is_wide(names.slots[slot as usize].ty);
    Some(if wide { Node::Wide(slot) } else { Node::Slot(slot) })
}
