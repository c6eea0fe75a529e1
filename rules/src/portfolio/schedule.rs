//! Who runs when, and with how much: all figures of the portfolio. They are counts, so that runs repeat.
//!
//! | Program | Turn | Engine | Given |
//! |---|---|---|---|
//! | each thread by itself | first, where no rule was asked for | explicit | [`FIRST_STATES`] |
//! | | then all rules side by side, or the one asked for | cegar | [`crate::Options`] |
//! | | before refinement 2, 4, 8, .. of each rule | explicit | [`EXECUTED`] states a refinement |
//! | | before refinement 4, 8, 16, .. of monolithic, where no rule was asked for | boxes | [`BOXES`] a refinement |
//! | | before refinement 8 of Owicki-Gries and of monolithic, where no rule was asked for | houdini | [`GUESSED`] places |
//! | equal threads, [`OFTEN`] at least, or scans of arrays | before all that | explicit | [`FEW_STATES`], [`SCANNING_STATES`] |
//! | | next | cegar about any number of them | [`ATTEMPT`] |
//! | any number of threads | first | explicit with 1 .. [`INSTANCES`] instances | [`NEAR_STATES`] |
//! | | then, where there are arrays: templates, whatever arrays hold; level 1, then 2 | cegar | [`WITHOUT_ARRAYS`] |
//! | | then in rounds: templates, then exact; level 1, then 2; without counters, then with | cegar | [`ROUNDS`], pairs at least [`PAIRS`] states |
//! | | after the attempts with templates of the first round | explicit with 1 that moves and any number that are created and never do, up to [`LONG_PREEMPTIONS`] preemptions | [`LONG_STATES`] |
//! | | after the first round | explicit with up to [`CREATED`] instances, with 1 .. [`INSTANCES`] | [`NEAR_STATES`], [`FAR_STATES`] |
//! | | then | explicit with 1 .. [`MOVING`] that move, and any number that are created and never do | [`FAR_STATES`] |
//! | | last | all rules with 1 .. [`INSTANCES`] instances | [`crate::Options`] |
//! | with a proof, whether runs come to its claims | after it | explicit | [`VISIT_STATES`] |
//! | | for those that none was found to come to | as above, for a proof that none does | [`ATTEMPT`] |

/// States that each search before anything else keeps: some hundredths of a second.
pub const FIRST_STATES: usize = 5_000;
/// States that each search keeps for each refinement there has been: several ways are tried, each with so many.
pub const EXECUTED: usize = 200;
/// Boxes that a search makes for each refinement there has been.
pub const BOXES: usize = 1_000;

/// Places that guesses are kept of.
pub const GUESSED: usize = 5_000;
/// Questions about them.
pub const GUESSED_QUERIES: u64 = 3_000_000;
/// Those of them that Z3 is asked.
pub const GUESSED_SOLVER: u64 = 2_000;

/// Whether guesses have a turn before this refinement: once, where predicates that are learned do not soon suffice.
pub fn guesses(refinement: usize) -> bool {
    refinement == 8
}

/// Whether execution has a turn before this refinement: it costs more than it finds, the more often it has found nothing.
pub fn executes(refinement: usize) -> bool {
    refinement >= 2 && refinement.is_power_of_two()
}

/// Whether boxes have a turn before this refinement: what needs fewer has a proof that says more.
pub fn makes_boxes(refinement: usize) -> bool {
    refinement >= 4 && refinement.is_power_of_two()
}

/// Whether refinement looks for runs along its derivation as well: now and then, like execution.
pub fn searches(refinement: usize) -> bool {
    refinement.is_power_of_two()
}

/// So many equal threads are first tried as any number of them.
pub const OFTEN: usize = 3;
/// Before that, an error is looked for among so many states.
pub const FEW_STATES: usize = 10_000;
/// The same where they scan arrays: that takes many steps, and a proof that is not there for ever.
pub const SCANNING_STATES: usize = 30_000;

/// The levels that are tried where none is asked for.
pub const LEVELS: [usize; 2] = [1, 2];
/// The most instances that are tried.
pub const INSTANCES: usize = 4;
/// The most that are created: what goes wrong may be that there are many.
pub const CREATED: usize = 20;
/// The most that move where any number are created that never do.
pub const MOVING: usize = 2;
/// Preemptions of the first executions in which one thread moves of many that are created.
pub const LONG_PREEMPTIONS: u32 = 2;
/// States of each of them: a loop that creates some ten thousand threads has two a round.
pub const LONG_STATES: usize = 50_000;
/// States of the first executions.
pub const NEAR_STATES: usize = 5_000;
/// States of the later ones.
pub const FAR_STATES: usize = 100_000;
/// Abstract states that an attempt at a higher level is given at least: two instances at a time have more of them than one, and fewer
/// other ways to a proof.
pub const PAIRS: usize = 6_000;

/// States that each search for runs to proved claims keeps.
pub const VISIT_STATES: usize = 20_000;

/// States that a search within bounds keeps for each number of instances, in one round after the other.
pub const BOUNDED_STATES: [usize; 3] = [100_000, 1_000_000, 20_000_000];

/// States of an exhaustive search within bounds, counted without reductions, of which a certificate is made.
pub const CERTIFIED_STATES: usize = 5_000;

/// What an attempt is given, all rounds together.
pub struct Limits {
    /// Refinements.
    pub refinements: usize,
    /// Abstract states.
    pub states: usize,
    /// Entailments put to Z3, if that is limited.
    pub solver_queries: Option<u64>,
}

/// What each attempt is given, in one round after the other. One at a level at which there is no proof must not take the time of one at
/// which there is.
pub const ROUNDS: &[Limits] = &[
    Limits { refinements: 40, states: 6_000, solver_queries: None },
    Limits { refinements: 64, states: 20_000, solver_queries: None },
    Limits { refinements: 96, states: 50_000, solver_queries: None },
    Limits { refinements: 192, states: 50_000, solver_queries: None },
];

/// What an attempt is given that does without arrays: what claims and indices suggest is there from the start, and mostly enough.
pub const WITHOUT_ARRAYS: Limits = Limits { refinements: 8, states: 1_000, solver_queries: Some(2_000) };

/// What a quick attempt is given, before something else is tried.
pub const ATTEMPT: &[Limits] = &[Limits { refinements: 32, states: 2_000, solver_queries: Some(20_000) }];
