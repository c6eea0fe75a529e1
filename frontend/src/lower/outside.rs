//! What a program is given from outside: its arguments, its environment, messages of the system.

use std::collections::BTreeMap;
use std::rc::Rc;

use program::{Bookkeeping, Choice, Init, IntType, Span, Term, UbKind, Untracked, VarId, VarKind};

use super::build::ThreadBuilder;
use super::expr::Value;
use super::lent::literal;
use super::place::Spot;
use crate::hir::{DataModel, Expr, FunctionId, Type, Unit};
use crate::memory::{Memory, Named, ObjectId, Shape};

/// Which text from outside is meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Given {
    /// The argument with this number.
    Argument(i128),
    /// An argument whose number is not known here, or is not always the same.
    SomeArgument,
    /// This variable of the environment.
    Variable(Vec<u8>),
}

/// What the lowering of all threads has met of it.
#[derive(Debug, Default)]
pub(super) struct Outside {
    /// `argv`, and how many arguments there are.
    vector: Option<(ObjectId, Term)>,
    /// The characters of all arguments.
    arguments: Option<ObjectId>,
    /// The variables of the environment that are asked for: whether they are set, and their characters.
    variables: BTreeMap<Vec<u8>, (VarId, ObjectId)>,
    /// A message whose characters nobody may look at.
    message: Option<ObjectId>,
    /// Temporaries that point to such a text, or are null.
    pointers: BTreeMap<VarId, Given>,
    /// How often each text is asked for.
    looks: BTreeMap<Given, usize>,
    /// Numbers that were read from a text without looking at its characters.
    numbers: Vec<(VarId, Given)>,
}

/// What had been asked of texts before an attempt.
#[derive(Debug)]
pub(super) struct Asked {
    looks: BTreeMap<Given, usize>,
    numbers: usize,
}

impl Outside {
    /// What has been asked so far.
    pub(super) fn asked(&self) -> Asked {
        Asked { looks: self.looks.clone(), numbers: self.numbers.len() }
    }

    /// Forgets what has been asked since.
    pub(super) fn forget(&mut self, asked: Asked) {
        self.looks = asked.looks;
        self.numbers.truncate(asked.numbers);
    }

    /// A number may be anything if nothing else of its text is looked at; else it has to do with what was seen there.
    pub(super) fn settle(&self, memory: &mut Memory) {
        for (var, given) in &self.numbers {
            let loose = matches!(given, Given::Argument(_)) && self.looks.contains_key(&Given::SomeArgument);
            if loose || *given == Given::SomeArgument || self.looks.get(given) != Some(&1) {
                memory.cell_mut(*var).choice = Choice::Untracked(Untracked::Text);
            }
        }
    }
}

/// The bytes of an argument, its end included, and the number of arguments: as many as addresses allow for.
fn extents(unit: &Unit) -> (u64, u64) {
    match unit.data_model {
        DataModel::Lp64 => (1 << 17, 1 << 31),
        DataModel::Ilp32 => (1 << 10, 1 << 20),
    }
}

impl ThreadBuilder<'_, '_> {
    /// main's parameters, or those of a function run by --threads: arbitrary, `argc` and `argv` as they belong together.
    pub(super) fn outside_arguments(&mut self, function: FunctionId) -> Vec<Value> {
        let info = &self.low.unit.functions[function.0 as usize];
        let (name, parameters) = (info.name.clone(), info.ty.parameters.clone());
        let is_vector = |ty: &Type| match ty {
            Type::Pointer(text) => matches!(&**text, Type::Pointer(letter) if **letter == Type::Int(LETTER)),
            _ => false,
        };
        match parameters.as_slice() {
            [Type::Int(count), vector, rest @ ..] if name == "main" && is_vector(vector) => {
                let (count, rest) = (*count, rest.to_vec());
                let mut values = self.argument_vector(count);
                values.extend(rest.iter().map(|ty| self.nondet("outside", ty, Choice::Other)));
                values
            }
            _ => parameters.iter().map(|ty| self.nondet("outside", ty, Choice::Other)).collect(),
        }
    }

    fn argument_vector(&mut self, ty: IntType) -> Vec<Value> {
        let count = self.decision(ty, "argc", Choice::Arguments);
        let (_, most) = extents(self.low.unit);
        self.emit(crate::cfg::Step::Assume(count.within(1, i128::from(most) - 1)));
        // The one that stands for all that is not known comes first.
        self.low.memory.opaque(self.low.unit);
        let vector = self.outside_object("argv", Type::Void, Init::Value(Term::int(0)));
        self.low.memory.objects[vector.0 as usize].opaque = true;
        self.low.outside.vector = Some((vector, count));
        vec![Value::Scalar(count), Value::Scalar(self.low.memory.address_of(vector))]
    }

    fn outside_object(&mut self, name: &str, ty: Type, init: Init) -> ObjectId {
        let named = Named { name, span: Span::default(), kind: VarKind::Control(Bookkeeping::Other), private: false };
        let home = self.low.memory.home.take();
        let object = self.low.memory.allocate(self.low.unit, &ty, &named, init);
        self.low.memory.home = home;
        object
    }

    /// The characters of a text. Where it ends is not modelled, so that where that matters, nobody may look at them.
    fn letters(&mut self, name: &str, count: u64) -> ObjectId {
        // The one that stands for all that is not known comes first.
        self.low.memory.opaque(self.low.unit);
        let text = self.outside_object(name, Type::Array(Rc::new(Type::Int(LETTER)), count), Init::Arbitrary);
        self.low.memory.objects[text.0 as usize].opaque = self.follows_pointers();
        text
    }

    /// `argv[i]`, if the place is one: the i-th text, or null behind the last.
    pub(super) fn read_argument(&mut self, spot: &Spot, shape: Shape) -> Option<Term> {
        let Spot::Known { object, offset, indices } = spot else { return None };
        let (vector, count) = self.low.outside.vector?;
        let word = i128::from(self.low.unit.data_model.word());
        let strides = indices.iter().all(|(_, stride)| stride % word == 0);
        if *object != vector || !shape.pointer || offset % word != 0 || !strides {
            return None;
        }
        let number = indices
            .iter()
            .fold(Term::int(offset / word), |sum, (index, stride)| sum.add(index.mul(Term::int(stride / word))));
        self.check(Term::and([Term::int(0).le(number), number.le(count)]), UbKind::OutOfBounds);
        let (stride, most) = extents(self.low.unit);
        let texts = match self.low.outside.arguments {
            Some(texts) => texts,
            None => self.letters("arguments", stride * most),
        };
        self.low.outside.arguments = Some(texts);
        let text = self.low.memory.address_of(texts).add(number.mul(Term::int(i128::from(stride))));
        let known = number.as_int().filter(|_| !self.in_loop());
        let given = known.map_or(Given::SomeArgument, Given::Argument);
        Some(self.text_or_null(number.lt(count), text, given))
    }

    fn text_or_null(&mut self, there: Term, text: Term, given: Given) -> Term {
        let pointer = self.low.memory.pointer_type();
        let result = self.temporary(pointer, "text");
        let (yes, no, done) = (self.label(), self.label(), self.label());
        self.branch(there, yes, no);
        self.land(yes);
        self.assign(None, result, text);
        self.jump(done);
        self.land(no);
        self.assign(None, result, Term::int(0));
        self.land(done);
        *self.low.outside.looks.entry(given.clone()).or_default() += 1;
        self.low.outside.pointers.insert(result, given);
        self.low.memory.term(result)
    }

    /// `getenv(name)`, for a name that is known.
    pub(super) fn environment(&mut self, arguments: &[Expr]) -> Option<Value> {
        let [argument] = arguments else { return None };
        let name = literal(argument)?;
        let (set, text) = match self.low.outside.variables.get(&name) {
            Some(known) => *known,
            None => {
                let shown = String::from_utf8_lossy(&name).trim_end_matches('\0').to_string();
                let (set, text) = (format!("set({shown})"), format!("environment({shown})"));
                let text = self.letters(&text, extents(self.low.unit).0);
                let kind = VarKind::Control(Bookkeeping::Other);
                let named = Named { name: &set, span: Span::default(), kind, private: false };
                let home = self.low.memory.home.take();
                let set = self.low.memory.scalar(&named, IntType::new(1, false), Init::Arbitrary);
                self.low.memory.home = home;
                self.low.outside.variables.insert(name.clone(), (set, text));
                (set, text)
            }
        };
        let there = self.low.memory.term(set).ne(Term::int(0));
        let text = self.low.memory.address_of(text);
        let given = Given::Variable(name);
        if self.in_loop() {
            *self.low.outside.looks.entry(given.clone()).or_default() += 1;
        }
        Some(Value::Scalar(self.text_or_null(there, text, given)))
    }

    /// The number that a text from outside says, in a call that looks for nothing else; nothing for other texts.
    pub(super) fn number_in_text(&mut self, name: &str, arguments: &[Expr], ty: &Type) -> Option<Value> {
        let plain =
            |at: usize, value: i128| arguments.get(at).is_some_and(|e| crate::sema::const_value(e) == Some(value));
        let whole = match name {
            "atoi" | "atol" | "atoll" => true,
            "strtol" | "strtoul" | "strtoll" | "strtoull" => plain(1, 0) && plain(2, 10),
            _ => false,
        };
        let Type::Int(int) = ty else { return None };
        if !whole || !is_load(arguments.first()?) {
            return None;
        }
        let saved = self.save();
        let value = self.scalar(&arguments[0]);
        let Some(given) = value.as_var().and_then(|var| self.low.outside.pointers.get(&var).cloned()) else {
            self.restore(saved);
            return None;
        };
        self.check(value.ne(Term::int(0)), UbKind::InvalidPointer);
        let number = self.decision(*int, "number", Choice::Other);
        self.low.outside.numbers.extend(number.as_var().map(|var| (var, given)));
        Some(Value::Scalar(number))
    }

    /// A message of the system, which may be passed on, but not be looked at.
    pub(super) fn message(&mut self) -> Value {
        let object = match self.low.outside.message {
            Some(object) => object,
            None => {
                let object = self.letters("message", 1 << 12);
                let cells = self.low.memory.cells_of(object);
                self.low.texts.extend(cells);
                object
            }
        };
        self.low.outside.message = Some(object);
        Value::Scalar(self.low.memory.address_of(object))
    }

    /// Whether a text is one from outside, which has an end: then it only must be there.
    pub(super) fn is_from_outside(&mut self, address: Term) -> bool {
        if let Some(var) = address.as_var().filter(|var| self.low.outside.pointers.contains_key(var)) {
            let pointer = self.low.memory.term(var);
            self.check(pointer.ne(Term::int(0)), UbKind::InvalidPointer);
            return true;
        }
        let message = self.low.outside.message;
        matches!(self.spot_at(address), Spot::Known { object, offset: 0, .. } if Some(object) == message)
    }
}

/// `char`.
const LETTER: IntType = IntType { bits: 8, signed: true };

/// Whether an expression reads something where it stands, or calls a function: what is saved in a variable may be looked at again.
fn is_load(expr: &Expr) -> bool {
    match &expr.kind {
        crate::hir::ExprKind::Cast(inner) => is_load(inner),
        crate::hir::ExprKind::Load(place) => matches!(place.kind, crate::hir::PlaceKind::Deref(_)),
        crate::hir::ExprKind::Call(..) => true,
        _ => false,
    }
}
