//! The command line's grammar. Others script against it: it grows, but what is here stays.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use frontend::hir::DataModel;
use frontend::source::Flags;
use frontend::{
    Allocation, Client, Creation, Fusion, Options, Population, PropertySource, Reuse, Templating, Tentative,
};
use program::ClaimId;
use rules::{Bounds, Hashing, Order, Search};

use crate::values::{
    DataModelChoice, EngineChoice, Family, FusionChoice, ProveRule, RuleChoice, Seeds, Sequences, SolverChoice,
    UndefinedChoice, VocabularyChoice, definition, family, identifier, property, seconds, sequences, standard,
};

/// A verifier for multi-threaded C that finds unbounded safety proofs.
#[derive(Debug, Parser)]
#[command(name = "threader", version = version(), disable_help_subcommand = true, term_width = 0)]
#[command(after_help = "Exit status: 0 true, 10 false, 5 unknown, 1 bad usage, 2 malformed input, 6 internal error.")]
pub struct Arguments {
    /// Log to stderr: -v progress, -vv details, -vvv everything (or THREADER_LOG=info|debug|trace)
    #[arg(short, long, action = ArgAction::Count, global = true, display_order = 1000)]
    pub verbose: u8,
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find a proof or a counterexample
    Prove(Box<ProveArguments>),
    /// Look for an error within bounds, and say what was covered
    Refute(Box<RefuteArguments>),
    /// Check a certificate again, and write its obligations
    Check(CheckArguments),
    /// Compare the proof rules on many programs
    Compare(CompareArguments),
    /// Print the transition system of a program, or a proof rule's Horn clauses
    Model(ModelArguments),
    /// Say what a diagnostic or a result means and what to do
    Explain(ExplainArguments),
    /// Print the completions for a shell
    Completions(CompletionsArguments),
    /// Write the manual pages
    Manual(ManualArguments),
}

/// What a compiler would be told; `flags.rs` puts its words in ours.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "As for a compiler (others of its flags are let pass: -W.. -O.. -g -f.. -pthread -l..)")]
pub struct FlagArguments {
    /// Search this directory for #include
    #[arg(short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath)]
    include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    define: Vec<String>,
    /// Do not define a macro
    #[arg(short = 'U', value_name = "NAME", value_parser = identifier)]
    undefine: Vec<String>,
    /// Include a file before the first line (-include FILE)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    include_file: Vec<PathBuf>,
    /// Search this directory for #include after others (-isystem DIR)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    isystem: Vec<PathBuf>,
    /// Search this directory for #include ".." alone (-iquote DIR)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    iquote: Vec<PathBuf>,
    /// The language (-std=..) [default: gnu11]
    #[arg(long, value_name = "NAME", value_parser = standard, overrides_with = "std")]
    std: Option<String>,
    /// Sizes of ILP32 (-m32)
    #[arg(long, overrides_with = "m64")]
    m32: bool,
    /// Sizes of LP64 (-m64)
    #[arg(long, overrides_with = "m32")]
    m64: bool,
    /// Take definitions without initialiser in several files for one (-fcommon)
    #[arg(long)]
    common: bool,
}

impl FlagArguments {
    /// What the preprocessor is told.
    pub fn flags(&self) -> Flags {
        Flags {
            include_dirs: self.include.clone(),
            quote_dirs: self.iquote.clone(),
            system_dirs: self.isystem.clone(),
            undefines: self.undefine.clone(),
            defines: self.define.clone(),
            include_files: self.include_file.clone(),
            standard: self.std.clone(),
        }
    }

    /// The sizes of types, if they are told.
    pub fn data_model(&self) -> Option<DataModel> {
        match (self.m32, self.m64) {
            (true, _) => Some(DataModel::Ilp32),
            (_, true) => Some(DataModel::Lp64),
            _ => None,
        }
    }

    /// What becomes of definitions without initialiser in several files.
    pub fn tentative(&self) -> Tentative {
        if self.common { Tentative::Common } else { Tentative::Separate }
    }

    /// The same where paths are relative to this directory.
    pub fn within(mut self, directory: &Path) -> FlagArguments {
        let FlagArguments { include, include_file, isystem, iquote, .. } = &mut self;
        for path in [include, include_file, isystem, iquote].into_iter().flatten() {
            *path = directory.join(&*path);
        }
        self
    }

    /// The same as words of our own command line.
    pub fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let mut all = |flag: &str, values: Vec<OsString>| {
            words.extend(values.into_iter().flat_map(|value| [flag.into(), value]));
        };
        let paths = |all: &[PathBuf]| all.iter().map(OsString::from).collect();
        let texts = |all: &[String]| all.iter().map(OsString::from).collect();
        all("-I", paths(&self.include));
        all("--isystem", paths(&self.isystem));
        all("--iquote", paths(&self.iquote));
        all("--include-file", paths(&self.include_file));
        all("-U", texts(&self.undefine));
        all("-D", texts(&self.define));
        all("--std", self.std.iter().map(OsString::from).collect());
        let switches = [(self.m32, "--m32"), (self.m64, "--m64"), (self.common, "--common")];
        words.extend(switches.into_iter().filter(|(on, _)| *on).map(|(_, word)| word.into()));
        words
    }
}

/// What is verified.
#[derive(Clone, Debug, Args)]
pub struct InputArguments {
    /// C source (.c) or preprocessed C (.i), any number of files; `-` is standard input. Or an SV-COMP task (.yml), or a compilation
    /// database (compile_commands.json)
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// With a compilation database: the file whose main is meant
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub main: Option<PathBuf>,
    /// The properties: names such as unreach-call or no-overflow, or a .prp file
    #[arg(long, value_name = "NAME,..|FILE.prp", value_parser = property)]
    pub property: Option<PropertySource>,
    /// Sizes of C's types [default: the task's, else LP64]
    #[arg(long, value_enum, ignore_case = true, hide_possible_values = true, value_name = "ILP32|LP64")]
    pub data_model: Option<DataModelChoice>,
    /// For a file without main: run these functions in parallel
    #[arg(long, value_name = "F,G,..", value_delimiter = ',', value_parser = identifier)]
    pub threads: Option<Vec<String>>,
    /// For a library without main: any number of threads repeat any of these sequences of calls
    #[arg(long, value_name = "F;G,H,..", value_parser = sequences, conflicts_with = "threads")]
    pub client: Option<Sequences>,
    /// With --client: call these functions first
    #[arg(long, value_name = "F,G,..", value_delimiter = ',', value_parser = identifier, requires = "client")]
    pub setup: Vec<String>,
    /// With --client: so many objects of each type are shared
    #[arg(long, value_name = "K", default_value_t = 1, requires = "client", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub objects: u32,
    /// What functions do that are neither defined nor modelled
    #[arg(long, value_enum, default_value_t = UndefinedChoice::Refuse)]
    pub undefined_functions: UndefinedChoice,
    /// Let pthread_create and thrd_create fail
    #[arg(long)]
    pub create_may_fail: bool,
    /// Consider that malloc and its relatives may return a null pointer
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Assume that addresses of freed memory are never handed out again
    #[arg(long)]
    pub no_reuse: bool,
    #[command(flatten)]
    pub flags: FlagArguments,
}

impl InputArguments {
    /// What the frontend needs to know.
    pub fn options(&self) -> Options {
        self.told(Options {
            data_model: self.data_model.map(Into::into).or(self.flags.data_model()),
            flags: self.flags.flags(),
            tentative: self.flags.tentative(),
            threads: self.threads.clone(),
            client: self.client.clone().map(|Sequences(sequences)| Client {
                sequences,
                setup: self.setup.clone(),
                objects: self.objects,
            }),
            undefined: self.undefined_functions.into(),
            property: self.property.clone().unwrap_or_default(),
            fusion: Fusion::On,
            creation: if self.create_may_fail { Creation::MayFail } else { Creation::Succeeds },
            allocation: if self.malloc_may_fail { Allocation::MayFail } else { Allocation::Succeeds },
            reuse: if self.no_reuse { Reuse::Never } else { Reuse::Modelled },
            ..Options::default()
        })
    }
}

/// What a run is about, what it may take, and what it writes.
#[derive(Clone, Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub input: InputArguments,
    /// Give up after this many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up beyond this much memory
    #[arg(long, value_name = "MB", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// Worker threads [default: the machine's cores]
    #[arg(short, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Stop at the first claim that is violated
    #[arg(long)]
    pub first: bool,
    /// Show internal steps of a counterexample as well
    #[arg(long)]
    pub full_trace: bool,
    /// Print the whole proof on standard output
    #[arg(long)]
    pub proof: bool,
    /// Keep a proof as it was found, with all that it says and need not
    #[arg(long)]
    pub as_found: bool,
    /// Write an SV-COMP witness
    #[arg(long, value_name = "FILE.yml", value_hint = ValueHint::FilePath)]
    pub witness: Option<PathBuf>,
    /// Write a C program that replays the counterexample
    #[arg(long, value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub harness: Option<PathBuf>,
    /// Accept the violations that this file names
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Write the violations that are found, and those accepted, as a baseline
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub write_baseline: Option<PathBuf>,
    /// The claims that are accepted.
    #[arg(skip)]
    pub accepted: BTreeSet<ClaimId>,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub json: Option<PathBuf>,
    /// Write the result as SARIF
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sarif: Option<PathBuf>,
    /// Write the result as a page
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
}

/// `threader prove`.
#[derive(Clone, Debug, Args)]
#[allow(dead_code, reason = "validated now, read when there is a prover")]
pub struct ProveArguments {
    #[command(flatten)]
    pub run: RunArguments,
    /// The proof rule
    #[arg(long, value_enum, default_value_t = ProveRule::Auto)]
    pub rule: ProveRule,
    /// Treat several threads of one function as any number of them
    #[arg(long)]
    pub parametric: bool,
    /// For threads of any number: how many of them an assertion relates; without effect on others [default: 1, then 2]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub level: Option<u32>,
    /// Accept only thread-modular proofs
    #[arg(long)]
    pub modular_only: bool,
    /// What transition predicates start from
    #[arg(long, value_enum, default_value_t = Seeds::Evident)]
    pub seeds: Seeds,
    /// What solves the rule's clauses
    #[arg(long, value_enum, default_value_t = SolverChoice::Cegar)]
    pub solver: SolverChoice,
    /// With --solver spacer: what a thread's assertion may speak about [default: full]
    #[arg(long, value_enum)]
    pub vocabulary: Option<VocabularyChoice>,
    /// Write the proof's certificate
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub certificate: Option<PathBuf>,
    /// Validate an SV-COMP witness
    #[arg(long, value_name = "FILE.yml", value_hint = ValueHint::FilePath)]
    pub validate_witness: Option<PathBuf>,
    /// What is looked for within bounds, instead of a proof.
    #[arg(skip)]
    pub within: Option<RefuteBounds>,
}

/// `threader refute`.
#[derive(Clone, Debug, Args)]
pub struct RefuteArguments {
    #[command(flatten)]
    pub run: RunArguments,
    #[command(flatten)]
    pub within: RefuteBounds,
    /// Write the certificate, if all states are so few that they are a proof
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub certificate: Option<PathBuf>,
}

/// What `threader refute` looks at.
#[derive(Clone, Debug, Args)]
pub struct RefuteBounds {
    /// What looks for errors
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    pub engine: EngineChoice,
    /// Interrupt threads that could go on at most so often [default: 0, 1, 2 ..]
    #[arg(long, value_name = "K")]
    pub preemptions: Option<u32>,
    /// Switch between threads at most so often
    #[arg(long, value_name = "K")]
    pub contexts: Option<u32>,
    /// Go back to the head of each loop at most so often
    #[arg(long, value_name = "U")]
    pub unwind: Option<u32>,
    /// Shorter runs first: the one found is a shortest
    #[arg(long)]
    pub shortest: bool,
    /// Recognise states by two of 2^N bits: less memory, and some may be missed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=36))]
    pub bitstate: Option<u32>,
    /// Take states that agree on these C expressions over globals, and on where all threads are, for one
    #[arg(long, value_name = "EXPR,..", value_delimiter = ',')]
    pub observe: Vec<String>,
}

impl RefuteArguments {
    /// The same as a run of `prove` that looks within bounds.
    pub fn as_prove(&self) -> ProveArguments {
        ProveArguments {
            run: self.run.clone(),
            rule: ProveRule::Auto,
            parametric: false,
            level: None,
            modular_only: false,
            seeds: Seeds::Evident,
            solver: SolverChoice::Cegar,
            vocabulary: None,
            certificate: self.certificate.clone(),
            validate_witness: None,
            within: Some(self.within.clone()),
        }
    }

    fn conflict(&self) -> Option<String> {
        let RunArguments { witness, harness, json, sarif, html, write_baseline, .. } = &self.run;
        let outputs = [&self.certificate, witness, harness, json, sarif, html, write_baseline];
        overwritten(outputs.into_iter().flatten().chain(&self.run.input.files))
    }
}

impl RefuteBounds {
    /// The bounds, if there are any.
    pub fn bounds(&self) -> Option<Bounds> {
        let RefuteBounds { preemptions, contexts, unwind, .. } = *self;
        let bounded = preemptions.or(contexts).or(unwind).is_some() || self.shortest || self.bitstate.is_some();
        bounded.then(|| Bounds { preemptions, contexts, unwind, ..Bounds::default() })
    }

    /// How to go about it.
    pub fn search(&self) -> Search {
        let order = if self.shortest { Order::BreadthFirst } else { Order::DepthFirst };
        let hashing = self.bitstate.map_or(Hashing::Exact, Hashing::Bitstate);
        Search { order, hashing, ..Search::default() }
    }
}

impl Deref for ProveArguments {
    type Target = RunArguments;
    fn deref(&self) -> &RunArguments {
        &self.run
    }
}

impl ProveArguments {
    /// What the frontend needs to know.
    pub fn options(&self) -> Options {
        let population = if self.parametric { Population::Templates } else { Population::Each };
        let observe = self.within.as_ref().map_or(Vec::new(), |within| within.observe.clone());
        let unasked = self.accepted.clone();
        Options { population, templating: self.templating(), unasked, observe, ..self.input.options() }
    }

    /// Which functions any number of threads may run.
    pub fn templating(&self) -> Templating {
        if self.parametric { Templating::Repeated } else { Templating::Unbounded }
    }

    fn conflict(&self) -> Option<String> {
        if self.vocabulary.is_some() && self.solver != SolverChoice::Spacer {
            return Some("--vocabulary needs --solver spacer".into());
        }
        if self.solver.is_monolithic() && !matches!(self.rule, ProveRule::Auto | ProveRule::Monolithic) {
            let solver = if self.solver == SolverChoice::Boxes { "boxes" } else { "houdini" };
            return Some(format!(
                "--solver {solver} finds monolithic proofs: leave out --rule, or use --rule monolithic"
            ));
        }
        let RunArguments { witness, harness, json, sarif, html, write_baseline, .. } = &self.run;
        let outputs = [&self.certificate, witness, harness, json, sarif, html, write_baseline].into_iter().flatten();
        overwritten(outputs.chain(&self.validate_witness).chain(&self.input.files))
    }
}

/// `threader check`.
#[derive(Clone, Debug, Args)]
#[allow(dead_code, reason = "validated now, read when there are certificates")]
pub struct CheckArguments {
    #[command(flatten)]
    pub input: InputArguments,
    /// The certificate
    #[arg(value_name = "CERT", value_hint = ValueHint::FilePath)]
    pub certificate: PathBuf,
    /// Write the obligations as SMT-LIB 2 into this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub export: Option<PathBuf>,
    /// Give up after this many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up beyond this much memory
    #[arg(long, value_name = "MB", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}

/// `threader compare`.
#[derive(Clone, Debug, Args)]
pub struct CompareArguments {
    /// Programs (.c, .i, .yml), or directories of programs
    #[arg(required = true, value_name = "FILES_OR_DIRS", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,
    /// The proof rules
    #[arg(long, value_enum, value_name = "RULE,..", value_delimiter = ',', num_args = 1, default_values = RULES)]
    pub rules: Vec<RuleChoice>,
    /// What solves the rules' clauses
    #[arg(long, value_enum, value_name = "SOLVER,..", value_delimiter = ',', num_args = 1, default_values = ["cegar"])]
    pub solvers: Vec<SolverChoice>,
    /// With --solvers spacer: what a thread's assertion may speak about
    #[arg(long, value_enum, value_name = "VOCABULARY,..", value_delimiter = ',', num_args = 1, default_values = ["full"])]
    pub vocabularies: Vec<VocabularyChoice>,
    /// For threads of any number: how many of them an assertion relates, each in a run of its own
    #[arg(long, value_name = "K,..", value_delimiter = ',', num_args = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub levels: Vec<u32>,
    /// Run each program once with each value of this macro, and show how it scales
    #[arg(long, value_name = "NAME=VALUE,..", value_parser = family)]
    pub family: Option<Family>,
    /// End a run after this many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value = "60", value_parser = seconds)]
    pub timeout: Duration,
    /// End a run beyond this much memory
    #[arg(long, value_name = "MB", allow_negative_numbers = true, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: u64,
    /// Runs at a time, each with one worker thread [default: the machine's cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Repeat each run; tables show the one of median time
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Where to write rows, tables and plots
    #[arg(long, value_name = "DIR", default_value = "threader-study", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Go on with the study that is in DIR, if there is one
    #[arg(long)]
    pub resume: bool,
    /// Print a table a rule, with memory and counters, and with Spacer's time if it was run
    #[arg(long)]
    pub details: bool,
    #[command(flatten)]
    pub flags: FlagArguments,
}

const RULES: [&str; 3] = ["monolithic", "owicki-gries", "rely-guarantee"];

/// What `threader model` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelFormat {
    /// The transition system, for reading
    Text,
    /// The transition system, for Graphviz
    Dot,
    /// The recursive Horn clauses of a proof rule in SMT-LIB 2
    Smt2,
}

/// `threader model`.
#[derive(Clone, Debug, Args)]
pub struct ModelArguments {
    #[command(flatten)]
    pub input: InputArguments,
    /// What to print
    #[arg(long, value_enum, default_value_t = ModelFormat::Text)]
    pub format: ModelFormat,
    /// With --format smt2: the proof rule
    #[arg(long, value_enum)]
    pub rule: Option<RuleChoice>,
    /// With --format smt2: what a thread's assertion may speak about [default: full]
    #[arg(long, value_enum)]
    pub vocabulary: Option<VocabularyChoice>,
    /// Whether steps that touch nothing shared are fused
    #[arg(long, value_enum, default_value_t = FusionChoice::On)]
    pub fusion: FusionChoice,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

impl ModelArguments {
    /// What the frontend needs to know.
    pub fn options(&self) -> Options {
        Options { fusion: self.fusion.into(), ..self.input.options() }
    }

    fn conflict(&self) -> Option<String> {
        match (self.format, self.rule, self.vocabulary) {
            (ModelFormat::Smt2, None, _) => Some("--format smt2 needs --rule".into()),
            (ModelFormat::Text | ModelFormat::Dot, Some(_), _) => Some("--rule needs --format smt2".into()),
            (ModelFormat::Text | ModelFormat::Dot, _, Some(_)) => Some("--vocabulary needs --format smt2".into()),
            _ => overwritten(self.output.iter().chain(&self.input.files)),
        }
    }
}

/// `threader explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArguments {
    /// A code such as E-syntax, a result such as "unknown(timeout)", or assumption-3; without one all are listed
    pub code: Option<String>,
}

/// `threader completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `threader manual`.
#[derive(Clone, Debug, Args)]
pub struct ManualArguments {
    /// Where the pages go, such as ~/.local/share/man/man1
    #[arg(value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

/// The arguments, valid each and together.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let refused = |why: String| Arguments::command().error(ErrorKind::InvalidValue, why);
    let arguments = crate::flags::translated(arguments.into_iter().collect()).map_err(refused)?;
    let parsed = Arguments::try_parse_from(arguments)?;
    let (subcommand, conflict) = match &parsed.command {
        Command::Prove(prove) => ("prove", prove.conflict()),
        Command::Refute(refute) => ("refute", refute.conflict()),
        Command::Model(model) => ("model", model.conflict()),
        _ => ("", None),
    };
    let Some(message) = conflict else { return Ok(parsed) };
    let mut command = Arguments::command();
    command.build();
    let command = command.find_subcommand_mut(subcommand).map(|c| c.clone()).unwrap_or(command);
    Err(command.clone().error(ErrorKind::ArgumentConflict, message))
}

/// Whether a file is named twice, so that one use would overwrite another.
fn overwritten<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Option<String> {
    let mut seen = std::collections::BTreeSet::new();
    let repeated = paths.into_iter().find(|path| !seen.insert(path.as_path()))?;
    Some(format!("{} is named twice, and would be overwritten", repeated.display()))
}

/// `0.1.0 (Z3 4.15.4)`.
fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let z3 = smt::z3_version();
        format!("{} (Z3 {})", env!("CARGO_PKG_VERSION"), z3.trim_start_matches("Z3 "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Arguments, clap::Error> {
        parse(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_grammar_is_consistent() {
        Arguments::command().debug_assert();
    }

    /// Everything that the design lists, at once.
    #[test]
    fn all_that_is_promised_is_accepted() {
        for line in [
            "threader prove f.c",
            "threader prove f.c --rule auto --property unreach-call --data-model ILP32 --timeout 60 --memory 4000 -j 2 \
             -I inc -I inc2 -D N=3 -D M --threads f,g --parametric --level 2 --modular-only --seeds none --solver cegar \
             --full-trace --proof --as-found --certificate c --witness w.yml --validate-witness v.yml --harness h.c --json j --sarif s --html p",
            "threader prove f.yml --rule rely-guarantee --solver spacer --vocabulary modular --seeds evident -vv",
            "threader prove f.i --rule monolithic --property p.prp --data-model lp64",
            "threader prove f.i --rule owicki-gries -Iinc -DN=3 -j2",
            "threader refute f.c --preemptions 2 --contexts 3 --unwind 4 --shortest --bitstate 20 --observe x,s.f[2] --certificate c",
            "threader check f.c cert --export out --timeout 9 --memory 900",
            "threader compare a.c dir --out results",
            "threader compare dir --rules monolithic,owicki-gries --solvers cegar,spacer --timeout 9 --memory 900 --jobs 2 \
             --repeat 3 --resume --vocabularies modular,full --levels 1,2 --family N=2,4 --details",
            "threader model f.c --format text",
            "threader model f.c --format dot -o f.dot --fusion off",
            "threader -v model f.c --format smt2 --rule owicki-gries --vocabulary full",
            "threader explain E-syntax",
            "threader explain",
            "threader prove a.c b.c -Iinc -isystem s -iquote q -include f.h -UX -std=c99 -m32 -O2 -g -Wall -pthread -lrt",
            "threader check a.c b.c cert -fcommon",
            "threader model - -m64",
            "threader prove lock.c --client lock;unlock,try?;unlock,get --setup init --objects 2",
            "threader prove driver.c --undefined-functions nondet",
            "threader refute build/compile_commands.json --main a.c",
            "threader compare dir -Iinc -DN=2 -m32 -O2",
        ] {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(parse_line(&line).is_ok(), "{line}: {}", parse_line(&line).unwrap_err());
        }
    }

    #[test]
    fn values_reach_the_frontend() {
        let Command::Model(model) =
            parse_line("threader model f.c --data-model ILP32 -Ia -DN=3 --threads f,g --fusion off").unwrap().command
        else {
            panic!("another subcommand");
        };
        let options = model.options();
        assert_eq!(options.data_model, Some(frontend::hir::DataModel::Ilp32));
        assert_eq!(options.flags.include_dirs, [PathBuf::from("a")]);
        assert_eq!(options.flags.defines, ["N=3"]);
        assert_eq!(options.threads, Some(vec!["f".to_string(), "g".to_string()]));
        assert_eq!(options.property, PropertySource::Default);
        assert_eq!(options.fusion, Fusion::Off);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (line, message) in [
            ("threader model f.c --format smt2", "--format smt2 needs --rule"),
            ("threader model f.c --rule monolithic", "--rule needs --format smt2"),
            ("threader model f.c --vocabulary full", "--vocabulary needs --format smt2"),
            ("threader model f.c -o f.c", "f.c is named twice, and would be overwritten"),
            ("threader model f.c --format smt2 --rule auto", "invalid value 'auto' for '--rule <RULE>'"),
            ("threader prove f.c --vocabulary full", "--vocabulary needs --solver spacer"),
            ("threader prove f.c --json a --html a", "a is named twice, and would be overwritten"),
            ("threader prove f.c -j 0", "invalid value '0' for '-j <N>': 0 is not in 1..=4294967295"),
            ("threader prove f.c --timeout 0", "expected a number of seconds greater than 0"),
            ("threader prove f.c --memory 0", "invalid value '0' for '--memory <MB>'"),
            ("threader prove f.c -D 3=4", "expected NAME or NAME=VALUE"),
            ("threader prove f.c --threads f,,g", "expected a C identifier"),
            ("threader prove f.c --data-model LLP64", "invalid value 'LLP64'"),
            ("threader compare --out d", "<FILES_OR_DIRS>"),
            ("threader compare f.c --rules auto", "invalid value 'auto' for '--rules <RULE,..>'"),
            ("threader compare f.c --family N", "expected NAME=VALUE,.."),
            ("threader compare f.c --family N=2,0", "expected whole numbers greater than 0, each once"),
            ("threader compare f.c --family 2=2", "expected a C identifier"),
            ("threader compare f.c --levels 0", "invalid value '0' for '--levels <K,..>': 0 is not in 1..=4"),
            ("threader compare f.c --levels 1,x", "invalid value 'x' for '--levels <K,..>'"),
            ("threader compare f.c --repeat 0", "invalid value '0' for '--repeat <K>'"),
            ("threader compare f.c --jobs 0", "invalid value '0' for '--jobs <N>'"),
            ("threader prove f.c -std=c++17", "expected a C standard such as c99 or gnu11"),
            ("threader prove f.c -funsigned-char", "-funsigned-char changes what C means"),
            ("threader prove f.c --client lock;;unlock", "expected sequences of functions"),
            ("threader prove f.c --setup init", "--client"),
            ("threader frobnicate", "unrecognized subcommand 'frobnicate'"),
        ] {
            let error = parse_line(line).unwrap_err().to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
