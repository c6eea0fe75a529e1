//! Statements on whole structs as instructions: an access to an `_Atomic` struct, and an operation of the `__atomic_` family, is
//! one; a plain struct is copied member by member.

use super::brute::{Compiler, Op};
use super::pairs::{Form, Member, Pair, Strength, Where, Whole};

/// An instruction on a shared struct. Of two members on the stack, the second is on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairOp {
    Load,
    Store,
    /// Takes the new members, leaves the old ones.
    Exchange,
    /// Takes the expected members and the new ones; leaves those found, and whether they were the expected ones.
    Compare(Strength),
}

const MEMBERS: [Member; 2] = [Member::A, Member::B];

impl PairOp {
    /// All that it can make of a struct and the top of a stack.
    pub fn outcomes(self, pair: [i64; 2], stack: &[i64]) -> Vec<([i64; 2], Vec<i64>)> {
        let taken = |count: usize| stack.split_at(stack.len() - count);
        let with = |rest: &[i64], more: &[i64]| rest.iter().chain(more).copied().collect::<Vec<_>>();
        let [a, b] = pair;
        match self {
            PairOp::Load => vec![(pair, with(stack, &pair))],
            PairOp::Store => {
                let (rest, new) = taken(2);
                vec![([new[0], new[1]], rest.to_vec())]
            }
            PairOp::Exchange => {
                let (rest, new) = taken(2);
                vec![([new[0], new[1]], with(rest, &pair))]
            }
            PairOp::Compare(strength) => {
                let (rest, given) = taken(4);
                let failed = (pair, with(rest, &[a, b, 0]));
                if pair != given[..2] {
                    return vec![failed];
                }
                let succeeded = ([given[2], given[3]], with(rest, &[a, b, 1]));
                match strength {
                    Strength::Strong => vec![succeeded],
                    Strength::Weak => vec![succeeded, failed],
                }
            }
        }
    }
}

impl Compiler<'_> {
    pub fn whole(&mut self, whole: &Whole) {
        match whole {
            Whole::Set(v, [a, b]) => {
                self.expr(a);
                self.expr(b);
                self.keep(*v);
            }
            Whole::Load(v, at, form) => self.at(at, &|this, s| match this.is_whole(s, *form) {
                true => {
                    this.emit(Op::Pair(s, PairOp::Load));
                    this.keep(*v);
                }
                false => MEMBERS.into_iter().for_each(|m| {
                    this.code_of(&[Op::LoadMember(s, m), Op::StoreLocalMember(*v, m)]);
                }),
            }),
            Whole::Store(at, v, form) => self.at(at, &|this, s| match this.is_whole(s, *form) {
                true => {
                    this.give(*v);
                    this.emit(Op::Pair(s, PairOp::Store));
                }
                false => MEMBERS.into_iter().for_each(|m| {
                    this.code_of(&[Op::LoadLocalMember(*v, m), Op::StoreMember(s, m)]);
                }),
            }),
            Whole::Copy(to, from) => self.at(to, &|this, s| this.at(from, &|this, t| this.copy(s, t))),
            Whole::Exchange { at, new, old, .. } => self.at(at, &|this, s| {
                this.give(*new);
                this.emit(Op::Pair(s, PairOp::Exchange));
                this.keep(*old);
            }),
            Whole::CompareExchange { at, expected, desired, strength, told, .. } => self.at(at, &|this, s| {
                this.give(*expected);
                this.give(*desired);
                this.emit(Op::Pair(s, PairOp::Compare(*strength)));
                this.compared(*expected, *told);
            }),
        }
    }

    /// After a comparison: where it failed, what was found replaces what was expected.
    fn compared(&mut self, expected: usize, told: Option<usize>) {
        let failed = self.emit(Op::Block);
        self.code_of(&[Op::Pop, Op::Pop]);
        self.tell(told, 1);
        let done = self.emit(Op::Block);
        self.patch(failed, Op::JumpIfZero(self.here()));
        self.keep(expected);
        self.tell(told, 0);
        self.patch(done, Op::Jump(self.here()));
    }

    fn tell(&mut self, told: Option<usize>, value: i64) {
        if let Some(local) = told {
            self.code_of(&[Op::Push(value), Op::StoreLocal(local)]);
        }
    }

    fn copy(&mut self, to: usize, from: usize) {
        let (target, source) = (self.pair(to), self.pair(from));
        match (target, source) {
            (Pair::Plain, Pair::Plain) => MEMBERS.into_iter().for_each(|m| {
                self.code_of(&[Op::LoadMember(from, m), Op::StoreMember(to, m)]);
            }),
            (Pair::Plain, Pair::Atomic) => self.code_of(&[
                Op::Pair(from, PairOp::Load),
                Op::Swap,
                Op::StoreMember(to, Member::A),
                Op::StoreMember(to, Member::B),
            ]),
            (Pair::Atomic, Pair::Plain) => self.code_of(&[
                Op::LoadMember(from, Member::A),
                Op::LoadMember(from, Member::B),
                Op::Pair(to, PairOp::Store),
            ]),
            (Pair::Atomic, Pair::Atomic) => {
                self.code_of(&[Op::Pair(from, PairOp::Load), Op::Pair(to, PairOp::Store)]);
            }
        }
    }

    fn is_whole(&self, s: usize, form: Form) -> bool {
        form != Form::Assignment || self.pair(s) == Pair::Atomic
    }

    /// Stores the members on the stack in a struct of the thread's own.
    fn keep(&mut self, v: usize) {
        self.code_of(&[Op::StoreLocalMember(v, Member::B), Op::StoreLocalMember(v, Member::A)]);
    }

    fn give(&mut self, v: usize) {
        self.code_of(&[Op::LoadLocalMember(v, Member::A), Op::LoadLocalMember(v, Member::B)]);
    }

    /// What is done with the struct that is there.
    fn at(&mut self, at: &Where, each: &dyn Fn(&mut Self, usize)) {
        match at {
            Where::Named(s) => each(self, *s),
            Where::Pointed(e, s, t) => self.choice(e, &|this| each(this, *s), &|this| each(this, *t)),
        }
    }
}
