//! The proof rule for any number of threads, after thread modularity at many levels (Hoenicke, Majumdar, Podelski, POPL 2017).
//!
//! At level K an assertion is about K instances of templates, or about a single thread ([`views`]); it speaks of their own
//! variables, of the globals, and where need be of single threads. Let R(g, l_1 .. l_K) be the assertion, for one template:
//!
//!   init -> R;   R and rho_i -> R' (i = 1 .. K);
//!   R(g, l_1 .. l_K) and R with l_m in the place of each of l_1 .. l_K in turn and rho_m -> R';   R and err -> false.
//!
//! This is the rule of Owicki and Gries [T, Eq. 2] with one assertion for all K-tuples of instances: whichever instances take
//! part in a step, they are copies of these K + 1. Soundness is argued where it matters, in the checker ([`check`], its module on
//! parametric proofs), which knows nothing of what follows here: abstract reachability over views, refinement by the clauses of a
//! derivation, levels, and counters.
//!
//! A derivation whose clauses have no solution shows that the level is too low, or that there is an error: which of the two, a search
//! with a number of instances may tell. Where assertions about K instances cannot add up what many do (K + 1 readers with a count
//! of K look fine K at a time), ghost counters say how many instances are at certain locations ([`counters`]).

mod counters;
mod effect;
mod eliminate;
mod encode;
mod handed;
mod indices;
mod prove;
mod reach;
mod refine;
mod scans;
mod sites;
mod views;
mod vocabulary;

pub use counters::counting;
pub use prove::{ParametricOutcome, ParametricProver, ParametricVerdict, prove_parametric};
pub use scans::has_scans;
