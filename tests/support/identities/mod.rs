//! Programs about what identifies things: addresses, ids of threads and keys, and the bytes that objects are made of.
//!
//! Each family has a syntax tree that is printed as C, a generator, and an oracle that executes the tree on all that the
//! program may meet: layouts of memory, ids, inputs.

pub mod address_ast;
pub mod byte_ast;
pub mod byte_runs;
pub mod gen_addresses;
pub mod gen_bytes;
pub mod gen_ids;
pub mod id_ast;
pub mod id_runs;
pub mod layouts;

use super::rng::Rng;

/// A generated program, and what is known of it.
pub struct Case {
    /// The C text.
    pub text: String,
    /// Whether an assertion can fail.
    pub fails: bool,
    /// Whether it fails although every object lies behind those declared before it, or ids ascend: what numbers handed out in
    /// order would show.
    pub fails_ascending: bool,
}

/// What all executions of a program together can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub fails: bool,
    pub fails_ascending: bool,
}

/// The case with this number: mostly a program that cannot fail if it is even, and one that can if it is odd.
pub fn balanced(seed: u64, number: u64, make: impl Fn(&mut Rng) -> (String, Outcome)) -> Case {
    const ATTEMPTS: u64 = 8;
    let wanted = number % 2 == 1;
    let attempt = |attempt: u64| make(&mut Rng::for_case(seed, number * ATTEMPTS + attempt));
    let mut attempts = (0..ATTEMPTS).map(attempt);
    let first = attempts.next().expect("there is an attempt");
    let (text, outcome) = if first.1.fails == wanted {
        first
    } else {
        attempts.find(|(_, outcome)| outcome.fails == wanted).unwrap_or(first)
    };
    Case { text, fails: outcome.fails, fails_ascending: outcome.fails_ascending }
}

/// Choices of one execution after another, until all have been made.
#[derive(Default)]
pub struct Choices {
    /// What is chosen, and of how many.
    made: Vec<(usize, usize)>,
    next: usize,
}

impl Choices {
    /// A number below `bound`, which depends on the choices before it only.
    pub fn below(&mut self, bound: usize) -> usize {
        if self.next == self.made.len() {
            self.made.push((0, bound));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }
    /// The next execution makes the same choices again.
    pub fn restart(&mut self) {
        self.next = 0;
    }
    /// Goes on to other choices than the last execution made, if there are any left.
    pub fn advance(&mut self) -> bool {
        self.made.truncate(self.next);
        while let Some((chosen, bound)) = self.made.pop() {
            if chosen + 1 < bound {
                self.made.push((chosen + 1, bound));
                return true;
            }
        }
        false
    }
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
}

impl Op {
    pub const ALL: [Op; 4] = [Op::Eq, Op::Ne, Op::Lt, Op::Le];

    pub fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Op::Eq => left == right,
            Op::Ne => left != right,
            Op::Lt => left < right,
            Op::Le => left <= right,
        }
    }

    pub fn c_text(self) -> &'static str {
        match self {
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
        }
    }
}
