//! What a search observes: the values of C expressions over globals, as terms over their cells.
//!
//! Nothing is executed to look at a state, so that an expression has no effects, and follows no pointers. Signed arithmetic is
//! mathematical: which states are told apart is up to whoever looks.

use program::{BitOp, IntType, Term};

use super::Lowering;
use super::expr::compare;
use crate::diagnostic::{Code, Diagnostic, Failure};
use crate::hir::{BinaryOp, Expr, ExprKind, FunctionId, Place, PlaceKind, Stmt, StmtKind, Type, UnaryOp};
use crate::memory::{Cells, Located, ObjectId};

/// Where a place is: an object, bytes from its start, and indices with their strides.
type Whereabouts = (ObjectId, i128, Vec<(Term, i128)>);

impl Lowering<'_> {
    /// The values of the expressions that these functions consist of.
    pub(super) fn observed(&self, functions: &[FunctionId]) -> Result<Vec<Term>, Failure> {
        functions.iter().map(|id| self.observed_value(self.only_expression(*id)?)).collect()
    }

    fn only_expression(&self, id: FunctionId) -> Result<&Expr, Failure> {
        let function = &self.unit.functions[id.0 as usize];
        match function.body.as_ref().map(|body| &body.kind) {
            Some(StmtKind::Block(items)) => match items.as_slice() {
                [Stmt { kind: StmtKind::Expr(expr), .. }] => Ok(expr),
                _ => Err(invalid("not one expression", function.span)),
            },
            _ => Err(invalid("not one expression", function.span)),
        }
    }

    fn observed_value(&self, expr: &Expr) -> Result<Term, Failure> {
        if let Some(value) = crate::sema::const_value(expr) {
            return Ok(Term::int(value));
        }
        let value = |part: &Expr| self.observed_value(part);
        let truth = |part: &Expr| value(part).map(|term| term.ne(Term::int(0)));
        Ok(match &expr.kind {
            ExprKind::Const(value) => Term::int(*value),
            ExprKind::Load(place) => self.observed_place(place)?,
            ExprKind::Unary(op, a) => {
                let negated = value(a)?.neg();
                fitted(if *op == UnaryOp::Neg { negated } else { negated.sub(Term::int(1)) }, &expr.ty)
            }
            ExprKind::Binary(op, a, b) => match &expr.ty {
                Type::Int(ty) => fitted(binary(*op, *ty, value(a)?, value(b)?), &expr.ty),
                _ => return Err(unobservable("floating point", expr)),
            },
            ExprKind::Compare(op, a, b) => compare(*op, value(a)?, value(b)?).as_c_int(),
            ExprKind::Not(a) => truth(a)?.not().as_c_int(),
            ExprKind::LogicalAnd(a, b) => Term::and([truth(a)?, truth(b)?]).as_c_int(),
            ExprKind::LogicalOr(a, b) => Term::or([truth(a)?, truth(b)?]).as_c_int(),
            ExprKind::Conditional(c, a, b) => Term::ite(truth(c)?, value(a)?, value(b)?),
            ExprKind::Cast(inner) => match (&inner.ty, &expr.ty) {
                (Type::Int(_) | Type::Pointer(_), Type::Int(ty)) if ty.bits == 1 => truth(inner)?.as_c_int(),
                (Type::Int(_), Type::Int(ty)) => value(inner)?.wrap(*ty),
                (Type::Pointer(_), Type::Pointer(_)) => value(inner)?,
                _ => return Err(unobservable("this conversion", expr)),
            },
            ExprKind::Assign(..) | ExprKind::Update(..) | ExprKind::Call(..) | ExprKind::Block(_) => {
                return Err(unobservable("what may have effects", expr));
            }
            ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) | ExprKind::String(_) => {
                return Err(unobservable("an address", expr));
            }
            _ => return Err(unobservable("this expression", expr)),
        })
    }

    fn observed_place(&self, place: &Place) -> Result<Term, Failure> {
        let refuse = |what: &str| Failure::from(Diagnostic::new(Code::Unsupported, not_observed(what)).at(place.span));
        let shape = self.shape_of(place).ok_or_else(|| refuse("what is no integer and no pointer"))?;
        let (object, offset, indices) = self.whereabouts(place)?;
        let Located::Leaf(number, digits) = self.memory.locate(object, offset, &indices, shape) else {
            return Err(refuse("a place that its object does not have"));
        };
        if !self.memory.rivals(object, number).is_empty() {
            return Err(refuse("a member of a union"));
        }
        let leaf = &self.memory.object(object).leaves[number];
        let index = leaf.number(&digits);
        Ok(match &leaf.cells {
            Cells::Array(var) => self.memory.term(*var).select(index),
            Cells::Split(vars) => {
                let (last, others) = vars.split_last().ok_or_else(|| refuse("an object without parts"))?;
                let otherwise = self.memory.term(*last);
                let cases = (0..).zip(others);
                cases.fold(otherwise, |rest, (k, var)| {
                    Term::ite(index.eq_to(Term::int(k)), self.memory.term(*var), rest)
                })
            }
        })
    }

    fn whereabouts(&self, place: &Place) -> Result<Whereabouts, Failure> {
        let refuse = |what: &str| Failure::from(Diagnostic::new(Code::Unsupported, not_observed(what)).at(place.span));
        match &place.kind {
            PlaceKind::Global(id) if self.unit.globals[id.0 as usize].thread_local => {
                Err(refuse("what each thread has its own of"))
            }
            PlaceKind::Global(id) => Ok((self.globals[id.0 as usize], 0, Vec::new())),
            PlaceKind::Field(base, index) => {
                let (object, offset, indices) = self.whereabouts(base)?;
                let Type::Record(id) = base.ty.unatomic() else { return Err(refuse("this member")) };
                let field = &self.unit.records[id.0 as usize].fields[*index];
                Ok((object, offset + i128::from(field.offset), indices))
            }
            PlaceKind::Index(base, index) => {
                let (object, offset, mut indices) = self.whereabouts(base)?;
                let (index, stride) = (self.observed_value(index)?, i128::from(self.unit.size_of(&place.ty)));
                match index.as_int() {
                    Some(index) => Ok((object, offset + index * stride, indices)),
                    None => {
                        indices.push((index, stride));
                        Ok((object, offset, indices))
                    }
                }
            }
            PlaceKind::Deref(_) => Err(refuse("what a pointer points to")),
            PlaceKind::Local(_) | PlaceKind::Temporary(_) | PlaceKind::Literal(..) => Err(refuse("a temporary object")),
        }
    }
}

fn binary(op: BinaryOp, ty: IntType, a: Term, b: Term) -> Term {
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => a.div(b),
        BinaryOp::Rem => a.rem(b),
        BinaryOp::Shl => Term::bits(BitOp::Shl, ty, a, b),
        BinaryOp::Shr => Term::bits(BitOp::Shr, ty, a, b),
        BinaryOp::And => Term::bits(BitOp::And, ty, a, b),
        BinaryOp::Or => Term::bits(BitOp::Or, ty, a, b),
        BinaryOp::Xor => Term::bits(BitOp::Xor, ty, a, b),
    }
}

/// Unsigned types wrap.
fn fitted(exact: Term, ty: &Type) -> Term {
    match ty {
        Type::Int(ty) if !ty.signed => exact.wrap(*ty),
        _ => exact,
    }
}

fn invalid(message: &str, span: program::Span) -> Failure {
    Diagnostic::new(Code::Invalid, message).at(span).into()
}

fn unobservable(what: &str, expr: &Expr) -> Failure {
    Diagnostic::new(Code::Unsupported, not_observed(what)).at(expr.span).into()
}

fn not_observed(what: &str) -> String {
    format!("observing {what}")
}
