//! Random C expressions of all integer types and operators, without undefined behaviour.
//!
//! The generator knows the value of every variable and evaluates what it builds: an operator that would overflow, divide by
//! zero or shift badly on the values at hand is replaced. Side effects are only placed where C sequences them, or where
//! the other operand does not touch the variable.

use frontend::hir::DataModel;

use super::ctype::{ALL, ARITHMETIC, COMPARISONS, Kind, Op, apply, common, convert, promote, size_type};
use super::rng::Rng;

/// A variable with the value that it has at this point of the evaluation.
#[derive(Clone, Debug)]
pub struct Slot {
    pub name: String,
    pub kind: Kind,
    pub value: i128,
}

/// An expression with its value.
#[derive(Clone, Debug)]
pub struct Node {
    pub text: String,
    /// C's precedence: 1 comma, 2 assignment, 3 conditional, 4 `||`, 5 `&&`, 6 to 13 as in [`Op`], 14 unary, 15 postfix.
    precedence: u32,
    pub kind: Kind,
    pub value: i128,
}

/// Which variables an expression may use, as bits of their indices.
#[derive(Clone, Copy)]
struct Access {
    read: u32,
    write: u32,
}

/// The generator of one expression.
pub struct Generator<'a> {
    pub rng: &'a mut Rng,
    pub model: DataModel,
    pub slots: Vec<Slot>,
}

impl Generator<'_> {
    /// An expression of at most this depth. Afterwards the slots hold what the variables hold after its evaluation.
    pub fn expression(&mut self, depth: u32) -> Node {
        let all = (1 << self.slots.len()) - 1;
        self.expr(depth, Access { read: all, write: all })
    }

    fn expr(&mut self, depth: u32, access: Access) -> Node {
        if depth == 0 {
            return self.leaf(access);
        }
        let depth = depth - 1;
        let effect = if access.write == 0 { 0 } else { 4 };
        match self.rng.weighted(&[2, 20, 7, 5, 4, 4, 5, effect, effect, effect, 1, 2]) {
            0 => self.leaf(access),
            1 => self.binary(&ARITHMETIC, depth, access),
            2 => self.binary(&COMPARISONS, depth, access),
            3 => self.unary(depth, access),
            4 => self.logical(depth, access),
            5 => self.conditional(depth, access),
            6 => self.cast(depth, access),
            7 => self.assign(depth, access),
            8 => self.compound(depth, access),
            9 => self.step(access),
            10 => self.size(depth, access),
            _ => self.comma(depth, access),
        }
    }

    fn leaf(&mut self, access: Access) -> Node {
        match self.pick_slot(access.read) {
            Some(index) if self.rng.chance(70) => {
                let slot = &self.slots[index];
                Node { text: slot.name.clone(), precedence: 16, kind: slot.kind, value: slot.value }
            }
            _ => literal(self.rng, self.model),
        }
    }

    /// Two operands that C does not sequence: with effects, they share no variable.
    fn operands(&mut self, depth: u32, access: Access) -> (Node, Node) {
        let (left, right) = if access.write != 0 && self.rng.chance(50) {
            let mask = self.rng.next() as u32;
            let part = |m: u32| Access { read: access.read & m, write: access.write & m };
            (part(mask), part(!mask))
        } else {
            let pure = Access { write: 0, ..access };
            (pure, pure)
        };
        (self.expr(depth, left), self.expr(depth, right))
    }

    fn binary(&mut self, ops: &[Op], depth: u32, access: Access) -> Node {
        let (left, right) = self.operands(depth, access);
        let op = *self.rng.pick(ops);
        self.combine(op, left, right)
    }

    /// `left op right`, with casts, a mask or another operator where that is undefined.
    fn combine(&mut self, op: Op, left: Node, right: Node) -> Node {
        let model = self.model;
        let compute = op.compute(left.kind, right.kind, model);
        if let Some(value) = evaluate(op, compute, &left, &right, model) {
            let own = op.precedence();
            let text = format!("{} {} {}", self.at_least(&left, own), op.text(), self.at_least(&right, own + 1));
            return Node { text, precedence: own, kind: op.result(compute), value };
        }
        if op.is_shift() && !(0..i128::from(compute.bits(model))).contains(&right.value) {
            let width = i128::from(compute.bits(model));
            let mask = Node { text: (width - 1).to_string(), precedence: 16, kind: Kind::Int, value: width - 1 };
            let masked = self.combine(Op::And, right, mask);
            return self.combine(op, left, masked);
        }
        if compute.signed() && matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Shl) && self.rng.chance(60) {
            let unsigned = self.cast_to(compute.unsigned(), left);
            return self.combine(op, unsigned, right);
        }
        let other = *self.rng.pick(&[Op::And, Op::Or, Op::Xor, Op::Lt, Op::Ne]);
        self.combine(other, left, right)
    }

    fn unary(&mut self, depth: u32, access: Access) -> Node {
        let operand = self.expr(depth, access);
        let kind = promote(operand.kind);
        let value = convert(operand.value, kind, self.model);
        let least = kind.signed() && value == kind.least(self.model);
        let (op, kind, value) = match self.rng.below(4) {
            0 if !least => ("-", kind, convert(-value, kind, self.model)),
            1 => ("+", kind, value),
            2 => ("!", Kind::Int, i128::from(value == 0)),
            _ => ("~", kind, convert(-value - 1, kind, self.model)),
        };
        let text = self.at_least(&operand, 14);
        // `--x` and `++x` are other tokens than `- -x`.
        let space = if text.starts_with(['-', '+']) { " " } else { "" };
        Node { text: format!("{op}{space}{text}"), precedence: 14, kind, value }
    }

    fn logical(&mut self, depth: u32, access: Access) -> Node {
        let and = self.rng.chance(50);
        let left = self.expr(depth, access);
        let decided = (left.value != 0) != and;
        let before = self.slots.clone();
        let right = self.expr(depth, access);
        if decided {
            // Not evaluated: its effects do not happen.
            self.slots = before;
        }
        let truth = if decided { !and } else { right.value != 0 };
        let (op, own) = if and { ("&&", 5) } else { ("||", 4) };
        let text = format!("{} {op} {}", self.at_least(&left, own), self.at_least(&right, own + 1));
        Node { text, precedence: own, kind: Kind::Int, value: i128::from(truth) }
    }

    fn conditional(&mut self, depth: u32, access: Access) -> Node {
        let cond = self.expr(depth, access);
        let before = self.slots.clone();
        let then = self.expr(depth, access);
        let after_then = std::mem::replace(&mut self.slots, before);
        let otherwise = self.expr(depth, access);
        if cond.value != 0 {
            self.slots = after_then;
        }
        let kind = common(then.kind, otherwise.kind, self.model);
        let value = convert(if cond.value != 0 { then.value } else { otherwise.value }, kind, self.model);
        let (cond, then, otherwise) = (self.at_least(&cond, 4), self.at_least(&then, 1), self.at_least(&otherwise, 3));
        Node { text: format!("{cond} ? {then} : {otherwise}"), precedence: 3, kind, value }
    }

    fn comma(&mut self, depth: u32, access: Access) -> Node {
        let left = self.expr(depth, access);
        let right = self.expr(depth, access);
        let text = format!("{}, {}", self.at_least(&left, 1), self.at_least(&right, 2));
        Node { text, precedence: 1, ..right }
    }

    fn cast(&mut self, depth: u32, access: Access) -> Node {
        let operand = self.expr(depth, access);
        let kind = *self.rng.pick(&ALL);
        self.cast_to(kind, operand)
    }

    fn cast_to(&mut self, kind: Kind, operand: Node) -> Node {
        let value = convert(operand.value, kind, self.model);
        Node { text: format!("({}){}", kind.name(), self.at_least(&operand, 14)), precedence: 14, kind, value }
    }

    /// `x = e`, where e may read x but not write it.
    fn assign(&mut self, depth: u32, access: Access) -> Node {
        let Some(index) = self.pick_slot(access.write) else { return self.leaf(access) };
        let operand = self.expr(depth, Access { write: access.write & !(1 << index), ..access });
        let value = self.store(index, operand.value);
        let slot = &self.slots[index];
        let (name, kind) = (slot.name.clone(), slot.kind);
        Node { text: format!("{name} = {}", self.at_least(&operand, 2)), precedence: 2, kind, value }
    }

    /// `x op= e`, where e may read x but not write it.
    fn compound(&mut self, depth: u32, access: Access) -> Node {
        let Some(index) = self.pick_slot(access.write) else { return self.leaf(access) };
        let mut operand = self.expr(depth, Access { write: access.write & !(1 << index), ..access });
        let slot = &self.slots[index];
        let old = Node { text: slot.name.clone(), precedence: 16, kind: slot.kind, value: slot.value };
        let mut op = *self.rng.pick(&ARITHMETIC);
        let mut result = evaluate(op, op.compute(old.kind, operand.kind, self.model), &old, &operand, self.model);
        if result.is_none() && op == Op::Shr {
            let mask = Node { text: "7".into(), precedence: 16, kind: Kind::Int, value: 7 };
            operand = self.combine(Op::And, operand, mask);
            result = evaluate(op, op.compute(old.kind, operand.kind, self.model), &old, &operand, self.model);
        }
        if result.is_none() {
            op = *self.rng.pick(&[Op::And, Op::Or, Op::Xor]);
            result = evaluate(op, op.compute(old.kind, operand.kind, self.model), &old, &operand, self.model);
        }
        let value = self.store(index, result.expect("bitwise operators are total"));
        let text = format!("{} {}= {}", old.text, op.text(), self.at_least(&operand, 2));
        Node { text, precedence: 2, kind: old.kind, value }
    }

    /// `x++` and the like.
    fn step(&mut self, access: Access) -> Node {
        let Some(index) = self.pick_slot(access.write) else { return self.leaf(access) };
        let Slot { name, kind, value: old } = self.slots[index].clone();
        let overflows = |by: i128| promote(kind) == kind && kind.signed() && !kind.contains(old + by, self.model);
        let mut by = if self.rng.chance(50) { 1 } else { -1 };
        if overflows(by) {
            by = -by;
        }
        let new = self.store(index, old + by);
        let op = if by == 1 { "++" } else { "--" };
        if self.rng.chance(50) {
            Node { text: format!("{name}{op}"), precedence: 15, kind, value: old }
        } else {
            Node { text: format!("{op}{name}"), precedence: 14, kind, value: new }
        }
    }

    /// `sizeof e` does not evaluate e; `sizeof(T)`.
    fn size(&mut self, depth: u32, access: Access) -> Node {
        let before = self.slots.clone();
        let operand = self.expr(depth, access);
        self.slots = before;
        let of_type = self.rng.chance(30);
        let of = if of_type { operand.kind.name().to_string() } else { operand.text };
        let (kind, value) = (size_type(self.model), i128::from(operand.kind.bytes(self.model)));
        Node { text: format!("sizeof({of})"), precedence: 14, kind, value }
    }

    fn store(&mut self, index: usize, value: i128) -> i128 {
        let slot = &mut self.slots[index];
        slot.value = convert(value, slot.kind, self.model);
        slot.value
    }

    fn pick_slot(&mut self, among: u32) -> Option<usize> {
        let candidates: Vec<usize> = (0..self.slots.len()).filter(|i| among >> i & 1 == 1).collect();
        (!candidates.is_empty()).then(|| *self.rng.pick(&candidates))
    }

    /// The text, in parentheses if it binds less tightly than needed, and sometimes when it does not.
    fn at_least(&mut self, node: &Node, precedence: u32) -> String {
        if node.precedence < precedence || self.rng.chance(10) { format!("({})", node.text) } else { node.text.clone() }
    }
}

fn evaluate(op: Op, compute: Kind, left: &Node, right: &Node, model: DataModel) -> Option<i128> {
    let right_kind = if op.is_shift() { promote(right.kind) } else { compute };
    apply(op, compute, convert(left.value, compute, model), convert(right.value, right_kind, model), model)
}

/// A value of the type, often at an edge.
pub fn value(rng: &mut Rng, kind: Kind, model: DataModel) -> i128 {
    let (least, greatest) = (kind.least(model), kind.greatest(model));
    let value = match rng.below(8) {
        0 => greatest,
        1 => least,
        2 => greatest - rng.below(3) as i128,
        3 => least + rng.below(3) as i128,
        4 | 5 => rng.below(40) as i128 - 20,
        _ => i128::from(rng.next()) >> rng.below(64),
    };
    convert(value, kind, model)
}

/// A constant in any of C's notations.
fn literal(rng: &mut Rng, model: DataModel) -> Node {
    let (text, kind, value) = match rng.below(8) {
        0 => (r"'\xff'".to_string(), Kind::Int, -1),
        1 => (r"'\n'".to_string(), Kind::Int, 10),
        2 => {
            let letter = b'a' + rng.below(26) as u8;
            (format!("'{}'", letter as char), Kind::Int, i128::from(letter))
        }
        _ => number(rng, model),
    };
    Node { text, precedence: 16, kind, value }
}

/// A decimal, octal or hexadecimal constant. Its type is the first of C's list that fits.
fn number(rng: &mut Rng, model: DataModel) -> (String, Kind, i128) {
    let limit = [7, 31, 32, 40, 63, 64][rng.weighted(&[8, 3, 2, 1, 1, 1])];
    let magnitude = i128::from(rng.next()) & ((1 << limit) - 1);
    let value = if rng.chance(50) { magnitude } else { magnitude >> rng.below(limit) };
    let (unsigned, longs) = (rng.chance(30), rng.below(3) * rng.below(2));
    let decimal = rng.chance(60);
    let digits = match decimal {
        true => value.to_string(),
        false if rng.chance(30) => format!("0{value:o}"),
        false => format!("0x{value:x}"),
    };
    let candidates: &[Kind] = match (unsigned, decimal) {
        (true, _) => &[Kind::UInt, Kind::ULong, Kind::ULLong],
        (false, true) => &[Kind::Int, Kind::Long, Kind::LLong],
        (false, false) => &[Kind::Int, Kind::UInt, Kind::Long, Kind::ULong, Kind::LLong, Kind::ULLong],
    };
    let least = [Kind::Int, Kind::Long, Kind::LLong][longs];
    let fits =
        |k: &&Kind| k.bytes(model) >= least.bytes(model) && order(**k) >= order(least) && k.contains(value, model);
    match candidates.iter().find(fits) {
        Some(kind) => {
            let suffix = ["", "l", "ll"][longs].to_string();
            (format!("{digits}{}{suffix}", if unsigned { "u" } else { "" }), *kind, value)
        }
        // A decimal constant that fits no signed type.
        None => (format!("{digits}ull"), Kind::ULLong, value),
    }
}

fn order(kind: Kind) -> usize {
    ALL.iter().position(|k| *k == kind).unwrap_or(0)
}

/// One test case: C declarations and statements, and what they leave behind.
pub struct Case {
    /// Declarations at file scope.
    pub globals: String,
    /// The body of a function.
    pub body: String,
    /// The expression, for messages.
    pub text: String,
    /// Globals with the values that they hold afterwards.
    pub expected: Vec<(String, i128)>,
}

/// Stands before the cases: nothing calls `stores`, but it shows that objects of every size may be written through pointers.
pub const PRELUDE: &str = "static void keep(const void *p) { (void)p; }
void stores(_Bool *b, char *c, short *s, int *i, long *l, long long *q) { *b = 0; *c = 0; *s = 0; *i = 0; *l = 0; *q = 0; }
";

/// The case with this number: an expression over a few variables, global or local, whose final values are observed too.
pub fn case(seed: u64, number: u64, model: DataModel) -> Case {
    let mut rng = Rng::for_case(seed, number);
    let slots: Vec<Slot> = (0..rng.between(2, 5))
        .map(|k| {
            let kind = *rng.pick(&ALL);
            Slot { name: format!("v{number}_{k}"), kind, value: value(&mut rng, kind, model) }
        })
        .collect();
    let global = rng.chance(50);
    let declarations: Vec<String> =
        slots.iter().map(|s| format!("{} {} = {};\n", s.kind.name(), s.name, constant(s, model))).collect();
    let depth = rng.between(2, 4) as u32;
    let mut generator = Generator { rng: &mut rng, model, slots };
    let node = generator.expression(depth);
    let slots = generator.slots;
    let names: Vec<String> = slots.iter().map(|slot| slot.name.clone()).collect();
    let text = node.text.clone();
    let result = format!("r{number}");
    let mut globals = format!("long long {result};\n");
    // What pointers may write is not tracked as a constant: the values flow through the Program.
    let escaping = rng.chance(80);
    let escape = |name: &str| if escaping { format!("  keep(&{name});\n") } else { String::new() };
    let escapes: String = names.iter().map(|name| escape(name)).collect();
    let mut body = format!("{escapes}  {result} = (long long)({text});\n");
    let mut expected = vec![(result, convert(node.value, Kind::LLong, model))];
    if global {
        globals.push_str(&declarations.concat());
        expected.extend(slots.iter().map(|s| (s.name.clone(), s.value)));
    } else {
        body = format!("  {}{body}", declarations.join("  "));
        for (k, slot) in slots.iter().enumerate() {
            globals.push_str(&format!("{} w{number}_{k};\n", slot.kind.name()));
            body.push_str(&format!("  w{number}_{k} = {};\n", slot.name));
            expected.push((format!("w{number}_{k}"), slot.value));
        }
    }
    Case { globals, body, text, expected }
}

/// The slot's value as a constant expression of its own type: the least values have no literal.
fn constant(slot: &Slot, model: DataModel) -> String {
    match slot.value {
        v if slot.kind.signed() && v == slot.kind.least(model) => format!("-{}ll - 1", slot.kind.greatest(model)),
        v if v > i128::from(i64::MAX) => format!("{v}ull"),
        v => format!("{v}ll"),
    }
}
