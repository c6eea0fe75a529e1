//! Random statements on structs of two members, plain and `_Atomic`.
//!
//! Whether a program has structs is drawn apart, so that the others do not depend on it. Members are often equal: what is torn is
//! seen by an assertion that they are.

use super::gen_threads::{Frame, Maker};
use super::pairs::{Form, Member, Pair, Record, Strength, Where, Whole};
use super::rng::Rng;
use super::thread_ast::{Binary, Expr, Stmt, Target};

/// The shared structs of the program with this number: one in four has some.
pub fn pairs(seed: u64, number: u64) -> Vec<Pair> {
    let mut rng = Rng::for_case(seed ^ 0x7061_6972, number);
    let count = if rng.chance(25) { rng.between(1, 2) } else { 0 };
    (0..count).map(|_| if rng.chance(70) { Pair::Atomic } else { Pair::Plain }).collect()
}

impl Maker<'_> {
    /// Main stores the first value of each shared struct.
    pub fn first_values(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for s in 0..self.pairs.len() {
            body.push(Stmt::Whole(Whole::Set(0, [Expr::Const(0), Expr::Const(0)])));
            body.push(Stmt::Whole(Whole::Store(Where::Named(s), 0, Form::Assignment)));
        }
        body
    }

    /// A statement on whole structs.
    pub fn whole(&mut self, frame: &Frame) -> Stmt {
        let at = self.place(frame);
        let form = self.form(&at);
        Stmt::Whole(match if frame.pairs == 0 { 0 } else { self.rng.below(10) } {
            0 => Whole::Copy(at, self.place(frame)),
            1 => Whole::Set(self.own(frame), self.members(frame)),
            2..=4 => Whole::Load(self.own(frame), at, form),
            5 | 6 => Whole::Store(at, self.own(frame), form),
            7 => Whole::Exchange { at, new: self.own(frame), old: self.own(frame), form: operation(form) },
            _ => Whole::CompareExchange {
                at,
                expected: self.own(frame),
                desired: self.own(frame),
                strength: if self.rng.chance(30) { Strength::Weak } else { Strength::Strong },
                form: operation(form),
                told: (frame.usable > 0).then(|| self.rng.below(frame.usable)),
            },
        })
    }

    /// A member of a struct of the thread's own, or of a shared one that is not `_Atomic`.
    pub fn member(&mut self, frame: &Frame) -> Option<Target> {
        let shared = (0..self.pairs.len()).filter(|s| self.pairs[*s] == Pair::Plain).map(Record::Shared);
        let records: Vec<Record> = shared.chain((0..frame.pairs).map(Record::Local)).collect();
        let member = if self.rng.chance(50) { Member::A } else { Member::B };
        (!records.is_empty()).then(|| Target::Member(*self.rng.pick(&records), member))
    }

    /// After a statement that gets a struct: mostly an assertion that its members are equal.
    pub fn look(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let own = match stmt {
            Stmt::Whole(Whole::Load(own, ..) | Whole::Exchange { old: own, .. }) => *own,
            Stmt::Whole(Whole::CompareExchange { expected, .. }) => *expected,
            _ => return None,
        };
        let read = |member| Box::new(Expr::Read(Target::Member(Record::Local(own), member)));
        let equal = Expr::Binary(Binary::Eq, read(Member::A), read(Member::B));
        self.rng.chance(70).then(|| self.assert(equal))
    }

    fn own(&mut self, frame: &Frame) -> usize {
        self.rng.below(frame.pairs)
    }

    fn members(&mut self, frame: &Frame) -> [Expr; 2] {
        if self.rng.chance(70) {
            let value = Expr::Const(self.rng.below(3) as i64);
            return [value.clone(), value];
        }
        [self.expr(frame, 0), self.expr(frame, 0)]
    }

    fn place(&mut self, frame: &Frame) -> Where {
        let s = self.rng.below(self.pairs.len());
        let alike = (0..self.pairs.len()).rev().find(|t| self.pairs[*t] == self.pairs[s] && *t != s);
        match alike {
            Some(t) if self.rng.chance(50) => Where::Pointed(Box::new(self.expr(frame, 0)), s, t),
            _ if self.rng.chance(10) => Where::Pointed(Box::new(self.expr(frame, 0)), s, s),
            _ => Where::Named(s),
        }
    }

    fn form(&mut self, at: &Where) -> Form {
        let (Where::Named(s) | Where::Pointed(_, s, _)) = at;
        match (self.pairs[*s], self.rng.below(5)) {
            (_, 0) => Form::Address,
            (Pair::Atomic, 1 | 2) => Form::Value,
            _ => Form::Assignment,
        }
    }
}

/// There is no assignment that exchanges.
fn operation(form: Form) -> Form {
    match form {
        Form::Value => Form::Value,
        Form::Assignment | Form::Address => Form::Address,
    }
}
