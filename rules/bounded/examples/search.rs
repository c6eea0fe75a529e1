//! Searches C programs for errors, and prints what was found, in how long, with how many states and steps.
//!
//!     search FILES.. [--preemptions K] [--contexts K] [--unwind U] [--steps N] [--states N] [--samples N] [--instances N]
//!                    [--unbounded] [--fresh] [--turns] [--no-reduction] [--sleep] [--breadth] [--bitstate N] [-D NAME=VALUE] [--trace]
//!                    [--fusion off|local|on]
//!                    [--seconds S] [--workers N]
//!
//! Without bounds on preemptions, switches, iterations or steps, and without `--unbounded`, they are raised step by step.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::{Duration, Instant};

use bounded::{Bounds, Deepening, Fresh, Hashing, Order, Outcome, Reduction, Schedule, Search, deepen, search};
use frontend::source::Flags;
use frontend::{Fusion, Options, Population, load};

#[derive(Default)]
struct Arguments {
    files: Vec<String>,
    bounds: Bounds,
    search: Search,
    instances: Option<usize>,
    defines: Vec<String>,
    fusion: Fusion,
    seconds: u64,
    workers: usize,
    is_bounded: bool,
    shows_trace: bool,
}

fn arguments() -> Arguments {
    let mut all = Arguments { seconds: 30, workers: 1, ..Arguments::default() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse::<u32>().ok()).expect("a number");
        match word.as_str() {
            "--preemptions" => (all.bounds.preemptions, all.is_bounded) = (Some(number()), true),
            "--contexts" => (all.bounds.contexts, all.is_bounded) = (Some(number()), true),
            "--unwind" => (all.bounds.unwind, all.is_bounded) = (Some(number()), true),
            "--steps" => (all.bounds.steps, all.is_bounded) = (Some(number()), true),
            "--unbounded" => all.is_bounded = true,
            "--states" => all.bounds.states = number() as usize,
            "--samples" => all.bounds.samples = number() as usize,
            "--instances" => all.instances = Some(number() as usize),
            "--seconds" => all.seconds = u64::from(number()),
            "--workers" => all.workers = number() as usize,
            "--bitstate" => all.search.hashing = Hashing::Bitstate(number()),
            "--turns" => all.bounds.schedule = Schedule::Turns,
            "--fresh" => all.bounds.fresh = Fresh::First,
            "--no-reduction" => all.search.reduction = Reduction::None,
            "--sleep" => all.search.reduction = Reduction::SleepSets,
            "--breadth" => all.search.order = Order::BreadthFirst,
            "--trace" => all.shows_trace = true,
            "--fusion" => all.fusion = fusion(&words.next().expect("off, local or on")),
            "-D" => all.defines.push(words.next().expect("a macro")),
            file => all.files.push(file.to_string()),
        }
    }
    all
}

fn fusion(name: &str) -> Fusion {
    match name {
        "off" => Fusion::Off,
        "local" => Fusion::Local,
        _ => Fusion::On,
    }
}

fn main() {
    let arguments = arguments();
    for file in &arguments.files {
        examine(file, &arguments);
    }
}

fn examine(file: &str, arguments: &Arguments) {
    let population = arguments.instances.map_or(Population::Each, Population::Bounded);
    let options = Options {
        flags: Flags { defines: arguments.defines.clone(), ..Flags::default() },
        population,
        fusion: arguments.fusion,
        ..Options::default()
    };
    let begun = Instant::now();
    let program = match load(Path::new(file), &options) {
        Ok(loaded) => loaded.program,
        Err(error) => {
            println!("{file}: not lowered: {}", error.failure.0.message);
            return;
        }
    };
    let lowered = begun.elapsed();
    let begun = Instant::now();
    let limit = Duration::from_secs(arguments.seconds);
    let cancel = || begun.elapsed() > limit;
    let outcome = if arguments.is_bounded {
        search(&program, &arguments.bounds, &arguments.search, &cancel, &|_| {})
    } else {
        let (search, workers) = (arguments.search.clone(), arguments.workers);
        deepen(&program, &Deepening { search, workers, ..Deepening::default() }, &cancel, &|_| {})
    };
    let seconds = begun.elapsed().as_secs_f64();
    let coverage = outcome.coverage();
    let (states, steps) = (coverage.states.max(1), coverage.steps);
    let rate = Duration::from_secs_f64(seconds).as_secs_f64().max(1e-9);
    let name = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    println!(
        "{name}: {} in {seconds:.3} s (lowered in {:.3} s): {states} states, {steps} steps, {} runs, {:.2} M steps/s, {} bytes a state, {} words",
        match &outcome {
            Outcome::Error(run, _) => format!("error after {} steps", run.steps.len()),
            Outcome::Covered(coverage) if coverage.is_exhaustive() => "no error, exhaustive".into(),
            Outcome::Covered(_) => "no error".into(),
        },
        lowered.as_secs_f64(),
        coverage.runs,
        steps as f64 / rate / 1e6,
        coverage.bytes / states,
        program.state_vars().count() + program.threads().count(),
    );
    if let Outcome::Covered(coverage) = &outcome {
        println!("  {}", coverage.statement(&program));
    }
    if let (Outcome::Error(run, _), true) = (&outcome, arguments.shows_trace) {
        for step in &run.steps {
            let thread = program.thread(step.thread);
            println!("  {} at {}", thread.name, program.place(thread.transitions[step.transition].span));
        }
    }
}
