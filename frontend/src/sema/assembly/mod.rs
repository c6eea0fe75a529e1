//! Inline assembly by its meaning: barriers, hints, and x86's atomic instructions, which become gcc's builtins.
//!
//! The operands are evaluated first, as inputs of the assembly; then comes at most one instruction that touches memory; then the
//! outputs are stored. An output that no instruction gives a value to keeps what its register held, if that is known. Whatever
//! is not understood is not modelled.

mod template;

use std::rc::Rc;

use lang_c::ast::{AsmStatement, GnuAsmOperand, GnuExtendedAsmStatement};
use lang_c::span::Node;
use program::{IntType, Span};

use super::builtins;
use super::convert::{Purpose, int, opaque};
use super::expr::Operand;
use super::init::Plan;
use super::{INT, R, Sema, const_value, literal};
use crate::hir::{Callee, Comparison, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind, Type};
use template::{Expected, Instruction, Memory, Source, instructions};

/// An operand of the assembly.
struct Port {
    /// Without `=`, `+` and the like.
    constraint: String,
    role: Role,
    /// What is written, or is in memory.
    place: Option<Place>,
    /// What its register holds before and, if nothing else is said, after the instructions.
    held: Option<Expr>,
    /// What an instruction puts into its register.
    given: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Output,
    Both,
    Input,
}

impl Port {
    fn is_memory(&self) -> bool {
        !self.constraint.is_empty() && self.constraint.chars().all(|c| matches!(c, 'm' | 'o' | 'V' | 'Q'))
    }

    /// The one register that the constraint allows.
    fn fixed(&self) -> Option<char> {
        let mut letters = self.constraint.chars();
        let letter = letters.next().filter(|c| matches!(c, 'a' | 'b' | 'c' | 'd' | 'S' | 'D' | 'A'))?;
        letters.next().is_none().then_some(letter)
    }
}

impl Sema<'_> {
    /// An assembly statement.
    pub(super) fn assembly(&mut self, asm: &AsmStatement, span: Span) -> R<StmtKind> {
        let meant = match asm {
            AsmStatement::GnuBasic(text) => self.instructions_alone(&text.node, span)?,
            AsmStatement::GnuExtended(asm) => self.extended(asm, span)?,
        };
        Ok(match meant {
            Some(statements) if statements.is_empty() => StmtKind::Empty,
            Some(statements) => StmtKind::Block(statements),
            None => StmtKind::Unsupported("inline assembly".to_string()),
        })
    }

    /// Assembly without operands.
    fn instructions_alone(&mut self, parts: &[String], span: Span) -> R<Option<Vec<Stmt>>> {
        let Some(instructions) = instructions(&literal::text(parts), &[]) else { return Ok(None) };
        let mut out = Vec::new();
        for instruction in instructions {
            if !self.act(&instruction, &mut [], &mut None, &mut out, span)? {
                return Ok(None);
            }
        }
        Ok(Some(out))
    }

    fn extended(&mut self, asm: &GnuExtendedAsmStatement, span: Span) -> R<Option<Vec<Stmt>>> {
        let operands: Vec<&Node<GnuAsmOperand>> = asm.outputs.iter().chain(&asm.inputs).collect();
        let names: Vec<Option<&str>> =
            operands.iter().map(|o| o.node.symbolic_name.as_ref().map(|name| name.node.name.as_str())).collect();
        let Some(instructions) = instructions(&literal::text(&asm.template.node), &names) else { return Ok(None) };
        let mut out = Vec::new();
        let mut ports = Vec::new();
        for (position, operand) in operands.iter().enumerate() {
            let Some(port) = self.port(&operand.node, position >= asm.outputs.len(), &mut out)? else {
                return Ok(None);
            };
            ports.push(port);
        }
        tie(&mut ports);
        let mut flag = None;
        let mut acted = false;
        for instruction in instructions {
            if instruction == Instruction::Nothing {
                continue;
            }
            let sets = matches!(instruction, Instruction::Set(..));
            if (acted && !sets) || !self.act(&instruction, &mut ports, &mut flag, &mut out, span)? {
                return Ok(None);
            }
            acted = true;
        }
        if self.store_outputs(ports, flag, &mut out, span)? { Ok(Some(out)) } else { Ok(None) }
    }

    fn port(&mut self, operand: &GnuAsmOperand, input: bool, out: &mut Vec<Stmt>) -> R<Option<Port>> {
        let text = literal::text(&operand.constraints.node);
        let role = match text.chars().next() {
            Some('+') => Role::Both,
            Some('=') => Role::Output,
            _ if input => Role::Input,
            _ => return Ok(None),
        };
        let constraint = text.trim_start_matches(['=', '+', '&', '%']).to_string();
        let mut port = Port { constraint, role, place: None, held: None, given: None };
        let node = &operand.variable_name;
        if role == Role::Input && !port.is_memory() {
            let value = self.value(node)?;
            if opaque(&value).is_some() || !matches!(value.ty, Type::Int(_) | Type::Pointer(_)) {
                return Ok(None);
            }
            port.held = Some(if const_value(&value).is_some() { value } else { self.keep(value, out)? });
            return Ok(Some(port));
        }
        let Operand::Place(place) = self.operand(node)? else { return Ok(None) };
        if role == Role::Both && !port.is_memory() {
            let value = self.load(place.clone())?;
            port.held = Some(self.keep(value, out)?);
        }
        port.place = Some(place);
        Ok(Some(port))
    }

    /// A nameless local with this value.
    fn keep(&mut self, value: Expr, out: &mut Vec<Stmt>) -> R<Expr> {
        let (ty, span) = (value.ty.clone(), value.span);
        let id = self.new_local("asm", ty.clone(), span)?;
        let place = Place { kind: PlaceKind::Local(id), ty: ty.clone(), span };
        let init = self.build_init(Plan::whole(value), &place);
        out.push(Stmt { kind: StmtKind::Declare(id, Some(init)), span });
        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }

    /// What an instruction does; false if that is not known.
    fn act(
        &mut self,
        instruction: &Instruction,
        ports: &mut [Port],
        flag: &mut Option<Expr>,
        out: &mut Vec<Stmt>,
        span: Span,
    ) -> R<bool> {
        match instruction {
            Instruction::Nothing => {}
            Instruction::Trap => {
                let call = self.call_of("__builtin_trap", span);
                out.push(Stmt { kind: StmtKind::Expr(call), span });
            }
            Instruction::TimeStamp => {
                for port in ports.iter_mut().filter(|port| matches!(port.fixed(), Some('a' | 'd'))) {
                    let call = self.call_of("__VERIFIER_nondet_uint", span);
                    port.given = Some(self.keep(call, out)?);
                }
                return Ok(ports.iter().all(|port| port.fixed() != Some('A')));
            }
            Instruction::Set(register, expected) => {
                let (Some(flag), Some(port)) = (flag.as_ref(), ports.get_mut(*register)) else { return Ok(false) };
                let op = if *expected == Expected::Zero { Comparison::Ne } else { Comparison::Eq };
                port.given = Some(self.comparison(op, flag.clone(), int(0, INT, span), span)?);
            }
            Instruction::FetchAdd(register, memory) => {
                return self.exchanged("__sync_fetch_and_add", *register, memory, ports, out, span);
            }
            Instruction::Exchange(register, memory) => {
                return self.exchanged("__sync_lock_test_and_set", *register, memory, ports, out, span);
            }
            Instruction::CompareExchange(register, memory) => {
                let Some(target) = self.target(memory, ports, span)? else { return Ok(false) };
                let accumulator = ports.iter().find(|port| port.fixed() == Some('a') && port.held.is_some());
                let compared = accumulator.and_then(|port| port.held.clone());
                let (Some(expected), Some(desired)) =
                    (self.operand_value(compared, &target)?, self.register_value(*register, ports, &target)?)
                else {
                    return Ok(false);
                };
                let name = "__sync_val_compare_and_swap";
                let old = self.builtin(name, vec![target, expected.clone(), desired], out, span)?;
                *flag = Some(self.comparison(Comparison::Eq, old.clone(), expected, span)?);
                for port in ports.iter_mut().filter(|port| port.fixed() == Some('a') && port.role != Role::Input) {
                    port.given = Some(old.clone());
                }
            }
            Instruction::Store(source, memory) => {
                let Some(target) = self.target(memory, ports, span)? else { return Ok(false) };
                let Some(value) = self.source_value(*source, ports, &target)? else { return Ok(false) };
                self.builtin("__sync_lock_test_and_set", vec![target, value], out, span)?;
            }
            Instruction::Modify(operation, source, memory) => {
                let Some(target) = self.target(memory, ports, span)? else { return Ok(false) };
                let Some(value) = self.source_value(*source, ports, &target)? else { return Ok(false) };
                let new = self.builtin(&format!("__sync_{operation}_and_fetch"), vec![target, value], out, span)?;
                *flag = Some(self.comparison(Comparison::Eq, new, int(0, INT, span), span)?);
            }
        }
        Ok(true)
    }

    /// A call without arguments.
    fn call_of(&mut self, name: &str, span: Span) -> Expr {
        let id = self.implicit_function(name, span);
        let ty = self.unit.functions[id.0 as usize].ty.result.clone();
        Expr { kind: ExprKind::Call(Callee::Function(id), Vec::new()), ty, span }
    }

    /// `xadd` and `xchg`: the register gets what was in memory.
    fn exchanged(
        &mut self,
        name: &str,
        register: usize,
        memory: &Memory,
        ports: &mut [Port],
        out: &mut Vec<Stmt>,
        span: Span,
    ) -> R<bool> {
        let Some(target) = self.target(memory, ports, span)? else { return Ok(false) };
        let Some(value) = self.register_value(register, ports, &target)? else { return Ok(false) };
        let old = self.builtin(name, vec![target, value], out, span)?;
        ports[register].given = Some(old);
        Ok(true)
    }

    /// The address of a memory operand, if what is there is as large as the instruction says.
    fn target(&mut self, memory: &Memory, ports: &[Port], span: Span) -> R<Option<Expr>> {
        let Some(port) = ports.get(memory.operand) else { return Ok(None) };
        let place = match (memory.behind, &port.place, &port.held) {
            (false, Some(place), _) if port.is_memory() => place.clone(),
            (true, _, Some(pointer)) if matches!(&pointer.ty, Type::Pointer(to) if !matches!(**to, Type::Void)) => {
                match self.dereference(pointer.clone(), span)? {
                    Operand::Place(place) => place,
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let ty = place.ty.unatomic().clone();
        if !self.is_complete(&ty) || self.is_opaque(&ty).is_some() {
            return Ok(None);
        }
        let size = self.unit.size_of(&ty);
        if memory.bytes.is_some_and(|bytes| bytes != size) {
            return Ok(None);
        }
        match (&ty, place.kind) {
            (Type::Int(_) | Type::Pointer(_), kind) => {
                Ok(Some(self.address_of(Operand::Place(Place { kind, ..place }), span)?))
            }
            // A struct that only says how much memory is touched.
            (Type::Record(_), PlaceKind::Deref(pointer)) if matches!(size, 1 | 2 | 4 | 8) => {
                let word = Type::Int(IntType::new(8 * size as u32, false));
                Ok(Some(self.explicit_cast(*pointer, &Type::Pointer(Rc::new(word)), span)?))
            }
            _ => Ok(None),
        }
    }

    fn source_value(&mut self, source: Source, ports: &[Port], target: &Expr) -> R<Option<Expr>> {
        match source {
            Source::Constant(value) => self.operand_value(Some(int(value, INT, target.span)), target),
            Source::Operand(operand) => self.register_value(operand, ports, target),
        }
    }

    fn register_value(&mut self, register: usize, ports: &[Port], target: &Expr) -> R<Option<Expr>> {
        let held = ports.get(register).and_then(|port| port.held.clone());
        self.operand_value(held, target)
    }

    /// A register's value as one of what the target points to: registers are as wide as that, or their values constant.
    fn operand_value(&mut self, value: Option<Expr>, target: &Expr) -> R<Option<Expr>> {
        let (Some(value), Type::Pointer(pointee)) = (value, &target.ty) else { return Ok(None) };
        let pointee = pointee.unatomic().clone();
        let same = self.unit.size_of(&value.ty) == self.unit.size_of(&pointee);
        if !same && const_value(&value).is_none() {
            return Ok(None);
        }
        let span = value.span;
        Ok(Some(self.explicit_cast(value, &pointee, span)?))
    }

    fn builtin(&mut self, name: &str, arguments: Vec<Expr>, out: &mut Vec<Stmt>, span: Span) -> R<Expr> {
        let Some(atomic) = builtins::atomic(name) else { return self.invalid(span, "an unknown builtin") };
        let call = self.atomic_of(name, atomic, arguments, span)?;
        self.keep(call, out)
    }

    fn store_outputs(&mut self, ports: Vec<Port>, flag: Option<Expr>, out: &mut Vec<Stmt>, span: Span) -> R<bool> {
        for port in ports {
            let Some(place) = port.place.clone().filter(|_| port.role != Role::Input && !port.is_memory()) else {
                continue;
            };
            let condition = match port.constraint.as_str() {
                "@ccz" | "@cce" => flag.clone(),
                _ => None,
            };
            let Some(value) = condition.or(port.given).or(port.held) else { return Ok(false) };
            if self.unit.size_of(&value.ty) != self.unit.size_of(place.ty.unatomic())
                && const_value(&value).is_none()
                && !port.constraint.starts_with('@')
                && !matches!(value.kind, ExprKind::Compare(..))
            {
                return Ok(false);
            }
            let value = self.explicit_cast(value, place.ty.unatomic(), span)?;
            let value = self.convert(value, &place.ty, Purpose::Assign)?;
            let ty = place.ty.unatomic().clone();
            let kind = ExprKind::Assign(Box::new(place), Box::new(value));
            out.push(Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span });
        }
        Ok(true)
    }
}

/// Whether assembly without operands changes nothing under sequential consistency: it is empty, or a fence, or a hint to wait.
pub(super) fn is_barrier(parts: &[String]) -> bool {
    let known = instructions(&literal::text(parts), &[]);
    known.is_some_and(|all| all.iter().all(|one| *one == Instruction::Nothing))
}

/// An input whose constraint is a number, or one register that an output has as well, is what that output's register holds first.
fn tie(ports: &mut [Port]) {
    for input in 0..ports.len() {
        if ports[input].role != Role::Input {
            continue;
        }
        let number = ports[input].constraint.parse::<usize>().ok();
        let letter = ports[input].fixed();
        let same = |port: &Port| port.role == Role::Output && letter.is_some() && port.fixed() == letter;
        let output = number.or_else(|| ports.iter().position(same));
        if let Some(output) = output.filter(|output| *output < input) {
            ports[output].held = ports[input].held.clone();
        }
    }
}
