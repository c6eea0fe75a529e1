//! From a file to a program: the frontend's one entry point.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::{ClaimId, Location, LocationId, LocationKind, Population, Program, Property, Span, Templating, ThreadId};

use crate::assumptions::{Assumption, Known, assumptions};
use crate::claims::{apart, claims, defined, goes_on, with_claims};
use crate::client::{self, Client};
use crate::consistency::{Obstacle, obstacles};
use crate::diagnostic::{Code, Diagnostic, Failure, Sources};
use crate::finish::{Finished, finish};
use crate::fuse::Fusion;
use crate::hir::{DataModel, FunctionId, SyncUse, Unit};
use crate::legend::Legend;
use crate::link::{Selection, Tentative, link};
use crate::lower::heap::{Allocation, Blocks};
use crate::lower::{Config, Creation, Halt, Refusal, Undefined};
use crate::parts::{is_by_value, parts};
use crate::prepare::{Prepared, prepare};
use crate::properties::{self, PropertySource};
use crate::reuse::Reuse;
use crate::source::{self, Flags, Parsed, StatementPlace, statements};
use crate::text::{Input, LoadError, Text, with_stack};
use crate::visits::Goal;

/// What the command line says about the input.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sizes of types; if not given, from the task file, else LP64.
    pub data_model: Option<DataModel>,
    /// What a compiler would be told about all files.
    pub flags: Flags,
    /// What becomes of definitions without initialiser in several files.
    pub tentative: Tentative,
    /// What chooses among the files; without it all of them are meant.
    pub selection: Option<Selection>,
    /// Functions to run in parallel, for a file without main.
    pub threads: Option<Vec<String>>,
    /// What is to be verified.
    pub property: PropertySource,
    /// Of that, the [part](crate::parts) that the program is to serve; all of it if nothing is said.
    pub part: Option<Vec<Property>>,
    /// Whether the creation of a thread may fail.
    pub creation: Creation,
    /// Size of steps.
    pub fusion: Fusion,
    /// Whether malloc can fail.
    pub allocation: Allocation,
    /// What becomes of threads that are created again and again.
    pub population: Population,
    /// Which threads that concerns.
    pub templating: Templating,
    /// Claims that are not asked for: what violates one ends its thread, and nothing else.
    pub unasked: BTreeSet<ClaimId>,
    /// What errors stand for.
    pub goal: Goal,
    /// Whether addresses are handed out again.
    pub reuse: Reuse,
    /// How a library without main is used.
    pub client: Option<Client>,
    /// What calls of functions do that have no body and are not modelled.
    pub undefined: Undefined,
    /// C expressions over globals that a search recognises states by.
    pub observe: Vec<String>,
}

/// A program, and what is needed to speak about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// What it was made from, and can be made from in other ways.
    pub text: Arc<Text>,
    /// The texts that its spans point into.
    pub sources: Sources,
    /// What the reader should know.
    pub warnings: Vec<Diagnostic>,
    /// The C files: those that were named, or the one that the task names.
    pub inputs: Vec<PathBuf>,
    /// The sizes of types that it was read with.
    pub data_model: DataModel,
    /// Where its statements are.
    pub statements: Vec<StatementPlace>,
    /// What is asked for, in the order of asking.
    pub properties: Vec<Property>,
    /// The part of it that the program serves, if that is not all.
    pub part: Option<Vec<Property>>,
    /// What a proof rests on.
    pub assumptions: Vec<Assumption>,
    /// Functions that several threads run, but not without bound, and how many of them there are at most: candidates for
    /// templates, or templates.
    pub repeated: Vec<(String, usize)>,
    /// What comes right after what within a step: an execution does not stop between them.
    pub passed: BTreeSet<(Span, Span)>,
    /// How many bytes after the beginning of their blocks variables are, by their names, as far as that is one number.
    pub offsets: BTreeMap<String, u64>,
    /// What the program does not say at its locations that are not modelled, by their places.
    pub unmodelled: BTreeMap<Span, &'static str>,
    /// Where threads enter atomic sections of the text, as far as a step begins there.
    pub sections: BTreeSet<(ThreadId, LocationId)>,
    /// What its numbers mean to a reader.
    pub legend: Legend,
    /// The names of variables with an `_Atomic` struct or union in them, whose members C cannot name.
    pub sealed: BTreeSet<String>,
    /// Where the absence of data races is asked for: what keeps C11 from promising sequential consistency then.
    pub obstacles: Option<Vec<Obstacle>>,
    /// What is asked for and not claimed by the program: a proof of its claims is none of all that is asked.
    pub undecided: Option<Diagnostic>,
    /// How memory that is used again was dealt with.
    pub reuse: Reuse,
    /// Whether [`Reuse::Excluded`] makes a difference, and can be had.
    pub excludable: bool,
}

impl Loaded {
    /// The first of its files.
    pub fn input(&self) -> &Path {
        self.inputs.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// Why a step to this location is no violation: from there on the program does what is not modelled.
    pub fn refusal(&self, location: &Location) -> Option<Diagnostic> {
        if location.kind != LocationKind::Unmodelled {
            return None;
        }
        let what = self.unmodelled.get(&location.span).copied().unwrap_or("what is done here");
        Some(Diagnostic::new(Code::Unsupported, what).at(location.span))
    }
}

impl Text {
    /// How to lower it for each part of what is asked of it: as it is, if one program serves all.
    pub fn parts(&self, options: &Options) -> Result<Vec<Options>, LoadError> {
        let asked = asked(self, options).map_err(|failure| LoadError { failure, sources: self.sources.clone() })?;
        let parts = parts(&asked.properties);
        if parts.len() <= 1 {
            return Ok(vec![options.clone()]);
        }
        Ok(parts.into_iter().map(|part| Options { part: Some(part), ..options.clone() }).collect())
    }

    /// The program that it describes. How it was read stays as it is.
    pub fn lower(self: &Arc<Text>, options: &Options) -> Result<Loaded, LoadError> {
        with_stack(|| match lower_here(self, options) {
            Ok(found) => Ok(found.with(self.clone())),
            Err(mut failure) => {
                failure.0.also.extend(self.left_out.iter().cloned());
                Err(LoadError { failure, sources: self.sources.clone() })
            }
        })
    }
}

/// What is asked of a text.
fn asked(text: &Text, options: &Options) -> Result<Config, Failure> {
    let tasks = text.task.iter().flat_map(|task| task.properties.iter().map(|property| property.file.clone()));
    properties::config(&options.property, &tasks.collect::<Vec<PathBuf>>())
}

/// The program that a file describes: C, preprocessed C, or an SV-COMP task.
pub fn load(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    load_files(&[path.into()], options)
}

/// The program that files describe together.
pub fn load_files(files: &[Input], options: &Options) -> Result<Loaded, LoadError> {
    Arc::new(Text::read(files, options)?).lower(options)
}

/// A program without the texts that its spans point into.
struct Found {
    program: Program,
    warnings: Vec<Diagnostic>,
    statements: Vec<StatementPlace>,
    properties: Vec<Property>,
    part: Option<Vec<Property>>,
    assumptions: Vec<Assumption>,
    repeated: Vec<(String, usize)>,
    passed: BTreeSet<(Span, Span)>,
    offsets: BTreeMap<String, u64>,
    unmodelled: BTreeMap<Span, &'static str>,
    sections: BTreeSet<(ThreadId, LocationId)>,
    legend: Legend,
    sealed: BTreeSet<String>,
    undecided: Option<Diagnostic>,
    obstacles: Option<Vec<Obstacle>>,
    reuse: Reuse,
    excludable: bool,
}

impl Found {
    fn with(self, text: Arc<Text>) -> Loaded {
        let Found { program, warnings, statements, properties, part, assumptions, repeated, .. } = self;
        let Found { passed, offsets, unmodelled, sections, sealed, undecided, obstacles, .. } = self;
        let Found { reuse, excludable, legend, .. } = self;
        Loaded {
            program,
            sources: text.sources.clone(),
            warnings,
            inputs: text.inputs.clone(),
            data_model: text.data_model,
            text,
            statements,
            properties,
            part,
            assumptions,
            repeated,
            passed,
            offsets,
            unmodelled,
            sections,
            legend,
            sealed,
            undecided,
            obstacles,
            reuse,
            excludable,
        }
    }
}

fn lower_here(text: &Text, options: &Options) -> Result<Found, Failure> {
    let Text { sources, .. } = text;
    let data_model = text.data_model;
    let mut config = Config {
        threads: options.threads.clone(),
        allocation: options.allocation,
        creation: options.creation,
        population: options.population,
        unasked: options.unasked.clone(),
        goal: options.goal,
        reuse: options.reuse,
        undefined: options.undefined,
        ..asked(text, options)?
    };
    let properties = config.properties.clone();
    if let Some(part) = &options.part {
        config.keep(part);
    }
    if !is_by_value(&config.properties) {
        config.reuse = Reuse::Never;
    }
    let mut numbers = BTreeMap::new();
    let units = text.parsed().iter().map(|parsed| analysed(parsed, data_model));
    let units = units.collect::<Result<Vec<Unit>, Failure>>()?;
    let mut unit = link(units, options.tentative)?;
    if let (Some(client), Some(file)) = (&options.client, sources.find(client::SOURCE)) {
        client::add(&mut unit, client, file)?;
    }
    config.observers = (0..options.observe.len()).filter_map(|k| unit.function(&source::observer(k))).collect();
    unit.float_cells = config.properties.contains(&Property::NoDataRace);
    let names = sources.names();
    let lowered = lower(&mut unit, &mut config, options, &names, &mut numbers).or_else(|failure| {
        // What keeps its blocks to itself is easier to prove; but where others are told of them, this must be said of all.
        if config.templates.is_empty() || !config.population.has_templates() {
            return Err(failure);
        }
        config.blocks = Blocks::Common;
        lower(&mut unit, &mut config, options, &names, &mut numbers).map_err(|_| failure)
    });
    let lowered = lowered.map_err(|failure| with_all(failure, &mut unit, &config))?;
    let LoweredText { finished, known, repeated, undecided, excludable } = lowered;
    let undecided = undecided.map(|span| Diagnostic::new(Code::Unsupported, "whether this block is lost").at(span));
    let Finished { program, passed, offsets, unmodelled, sections, legend, checked, contests, deadlock, .. } = finished;
    let mut claims = claims(&unit, &config);
    claims.extend(checked.iter().map(|(id, kind)| defined(*id, *kind, &unit)));
    let accepted = accepted(&program, sources);
    let program = program.tolerating(accepted.iter().copied());
    let conflicts = program.conflicts().iter().map(|conflict| conflict.claim);
    let races: BTreeSet<ClaimId> = conflicts.filter(|claim| claim.property == Property::NoDataRace).collect();
    claims.extend(races.into_iter().map(|id| apart(id, &program, &contests, &unit)));
    claims.extend(deadlock.filter(|id| !config.unasked.contains(id)).map(|id| goes_on(id, &unit)));
    let others_state = options.part.is_some() || config.asks(Property::NoDataRace);
    let stated = others_state || !claims.is_empty() || !config.unasked.is_empty();
    let internal = |malformed: program::Malformed| Diagnostic::new(Code::Internal, malformed.to_string());
    let program = with_claims(program, claims).map_err(internal)?;
    let mut warnings = text.left_out.clone();
    if let Some(first) = accepted.first() {
        let number =
            if accepted.len() == 1 { "1 data race is".into() } else { format!("{} data races are", accepted.len()) };
        let message = format!("{number} accepted, if there: `{RACY}` says so");
        warnings.push(Diagnostic::new(Code::AcceptedRace, message).at(first.span));
    }
    if let Some(span) = known.weak_order {
        let message = "memory orders weaker than sequential consistency are verified as sequentially consistent";
        warnings.push(Diagnostic::new(Code::WeakOrder, message).at(span));
    }
    if !stated {
        warnings.push(
            Diagnostic::new(Code::NoAssertion, format!("nothing in {} can fail", text.shown()))
                .help("state what must hold with assert(..), or call reach_error() where control must not come"),
        );
    }
    let of = |parsed: &Parsed| statements(&parsed.unit, &parsed.pieces, &parsed.lines);
    let statements = text.parsed().iter().flat_map(of).collect();
    let mut assumptions = assumptions(&program, &known, &config);
    if let Some(client) = &options.client {
        assumptions.push(Assumption { number: 13, text: client.assumption(), span: None });
    }
    let left_out = config.unasked.iter().chain(&accepted).find(|claim| claim.property == Property::NoDataRace);
    let obstacles =
        config.asks(Property::NoDataRace).then(|| obstacles(&unit, known.weak_order, left_out.map(|race| race.span)));
    Ok(Found {
        program,
        warnings,
        statements,
        properties,
        part: options.part.clone(),
        assumptions,
        repeated,
        passed,
        offsets,
        unmodelled,
        sections,
        legend,
        sealed: unit.sealed(),
        obstacles,
        undecided,
        reuse: config.reuse,
        excludable,
    })
}

/// A file, typed.
pub(crate) fn analysed(parsed: &Parsed, data_model: DataModel) -> Result<Unit, Failure> {
    let locate = |offset| parsed.lines.span(offset);
    crate::sema::analyse(&parsed.with_library(), &parsed.pieces, data_model, &locate)
}

/// What keeps a unit from being modelled, together with all else that does: what is found by going on behind it.
fn with_all(failure: Failure, unit: &mut Unit, config: &Config) -> Failure {
    if failure.0.code != Code::Unsupported {
        return failure;
    }
    let mut config = Config { refusal: Refusal::All, ..config.clone() };
    let lowered = loop {
        unit.sync = SyncUse::default();
        match crate::lower::lower(unit, &config) {
            Ok(lowered) => break lowered,
            Err(Halt::Unbounded(Some(function), _)) if config.templates.insert(function) => {}
            Err(_) => return failure,
        }
    };
    let mut first = *failure.0;
    for refused in lowered.refused {
        if refused.message == first.message {
            // It is the same one, seen with the calls that lead to it.
            if refused.span == first.span && first.notes.is_empty() {
                first.notes = refused.notes;
            }
            continue;
        }
        // What begins before another one in its line is around it, and refused because of it.
        let around = |other: &Diagnostic| match (other.span, refused.span) {
            (Some(inner), Some(outer)) => {
                (inner.file, inner.line) == (outer.file, outer.line) && outer.column <= inner.column
            }
            _ => false,
        };
        let known = |other: &Diagnostic| other.message == refused.message || around(other);
        if !known(&first) && !first.also.iter().any(known) {
            first.also.push(refused);
        }
    }
    first.into()
}

/// What accepts the races of the line that it ends.
const RACY: &str = "// threader: racy";

/// The races that a line of the text accepts.
fn accepted(program: &Program, sources: &Sources) -> BTreeSet<ClaimId> {
    let says = |span: Span| sources.line(span).is_some_and(|line| line.trim_end().ends_with(RACY));
    let claims = program.conflicts().iter().map(|conflict| conflict.claim);
    let claims = claims.filter(|claim| claim.property == Property::NoDataRace);
    claims.filter(|claim| claim.places().any(says)).collect()
}

/// A Program and what it does not say by itself.
struct LoweredText {
    finished: Finished,
    known: Known,
    repeated: Vec<(String, usize)>,
    undecided: Option<Span>,
    excludable: bool,
}

/// Lowers a unit. `numbers` says how many threads run functions that have become templates, though not without bound.
fn lower(
    unit: &mut Unit,
    config: &mut Config,
    options: &Options,
    names: &[String],
    numbers: &mut BTreeMap<FunctionId, usize>,
) -> Result<LoweredText, Failure> {
    let prepared = populate(unit, config, options.templating, numbers)?;
    let created = prepared.created.iter().filter(|(id, _)| !config.templates.contains(id));
    let several = created.filter(|(_, count)| **count > 1).chain(numbers.iter());
    let repeated = several.map(|(id, count)| (unit.functions[id.0 as usize].name.clone(), *count)).collect();
    let mut known = Known {
        weak_order: prepared.weak_order,
        given_up: prepared.given_up,
        counted_join: prepared.counted_join,
        bodiless: prepared.bodiless.clone(),
        creation: prepared.first_creation(),
        allocation: prepared.allocation,
        not_reused: prepared.not_reused,
        compared_local: prepared.compared_local,
        endings: Vec::new(),
    };
    let undecided = prepared.undecided;
    // What is more than the text says of threads that it counts must be a proof of what it says, too.
    if let (Templating::Repeated, Reuse::Modelled, Some(span)) = (options.templating, config.reuse, prepared.not_reused)
        && options.population.has_templates()
    {
        let what = "memory that is used again, and any number of threads";
        return Err(Diagnostic::new(Code::Unsupported, what).at(span).into());
    }
    let excludable = prepared.excludable;
    let mut finished = finish(prepared, names.to_vec(), options.fusion, config)?;
    known.endings = std::mem::take(&mut finished.endings);
    Ok(LoweredText { finished, known, repeated, undecided, excludable })
}

/// Lowers a unit; which functions any number of threads run is found by trying.
fn populate(
    unit: &mut Unit,
    config: &mut Config,
    templating: Templating,
    numbers: &mut BTreeMap<FunctionId, usize>,
) -> Result<Prepared, Failure> {
    loop {
        unit.sync = SyncUse::default();
        match crate::lower::lower(unit, config).and_then(|lowered| prepare(lowered, unit, config)) {
            Ok(prepared) => {
                let wanted = config.population != Population::Each && templating == Templating::Repeated;
                let known = |function: &FunctionId| config.templates.contains(function);
                let often = prepared.created.iter().filter(|(f, count)| wanted && **count > 1 && !known(f));
                let often: BTreeMap<FunctionId, usize> = often.map(|(f, count)| (*f, *count)).collect();
                if often.is_empty() {
                    return Ok(prepared);
                }
                config.templates.extend(often.keys());
                numbers.extend(often);
            }
            Err(Halt::Failed(failure)) => return Err(failure),
            Err(Halt::Reused(places)) => config.reused.extend(places),
            Err(Halt::Unbounded(function, span)) => {
                let function = function.filter(|_| config.population != Population::Each);
                if !function.is_some_and(|function| config.templates.insert(function)) {
                    let help = "give the loop a constant number of rounds, counted by a variable that no pointer writes, or write \
                                the creations out";
                    let unbounded = Diagnostic::new(Code::UnboundedCreation, "unbounded thread creation");
                    return Err(unbounded.at(span).help(help).into());
                }
            }
        }
    }
}
