//! Which of the programs that a text can be lowered to, as far as the number of threads goes.

/// What becomes of threads that are created again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Population {
    /// Each creation is a thread; creation without bound is refused.
    #[default]
    Each,
    /// Any number of threads run a function: [`crate::Template`]s.
    Templates,
    /// The same, and of these threads no more start than are created, and joins wait: proofs may need that, but are harder to find.
    Exact,
    /// So many threads run each such function at most: whoever creates one more waits for ever.
    Bounded(usize),
    /// So many of the threads that run such a function take a step, whichever they are; the others are created, and never move.
    Sparse(usize),
}

impl Population {
    /// How many threads may move that run such a function, if that is bounded.
    pub fn moving(self) -> Option<usize> {
        match self {
            Population::Bounded(count) | Population::Sparse(count) => Some(count),
            Population::Each | Population::Templates | Population::Exact => None,
        }
    }
    /// Whether some threads stand for any number of them.
    pub fn has_templates(self) -> bool {
        matches!(self, Population::Templates | Population::Exact)
    }
}

/// Which functions any number of threads may run, if the population is not one thread for each creation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Templating {
    /// Those created without constant bound.
    #[default]
    Unbounded,
    /// Those created more than once.
    Repeated,
}
