//! Certificates as text, for `--certificate` and `threader check`: one s-expression, terms in SMT-LIB over the program's names.
//!
//! ```text
//! (threader-certificate 2
//!   (producer |threader 0.1.0|)
//!   (source lock.c 8d5e..)                ; the C file and its SHA-256
//!   (rule rely-guarantee)
//!   (claims (unreach-call lock.c 31 5))   ; what is proved: property, file, line and column of each claim, or of both its places
//!   (invariant (|worker#1|)               ; R_i: whose locations are explicit
//!     (at (3) (= m 2)))                   ; what holds there; other places are never reached
//!   (environment |worker#1|               ; E_i: what the others' steps do, x' being x after the step
//!     (= |x'| x)))
//! ```
//!
//! A proof about any number of threads says in addition how many instances of templates its assertions are about, which counters
//! they speak of (how many instances of a template are at certain locations), and by which sums of amounts of steps locations
//! are told apart. A location that is several has its number with the sums that it is reached with first; the others come after
//! all.
//!
//! ```text
//!   (level 2 reader writer)               ; the functions of which there are any number
//!   (tally reader (4 0 1) (9 0 -1))       ; the step, which sum, and what the step adds to it
//!   (counter reader (3 4))
//! ```
//!
//! The rules are `monolithic` (one invariant, over all threads), `owicki-gries` (one a thread) and `rely-guarantee` (one a
//! thread, and an environment a thread). Locations are those that `threader model` prints; `|at(f)|` is thread f's location as a
//! term. Everything after a `;` is a comment.
//!
//! `(serves unreach-call no-overflow)` says which part of what is asked the program serves, where several programs are needed; a file has the
//! certificates of all, one after the other.
//!
//! A text without claims is about all of the program's. `(lowered excluding-reuse)` says that the program is the one in which a use of a
//! pointer to freed memory is an error, instead of one in which memory is used again.
//!
//! Reading is no part of what is trusted: whatever assertions a text is read as, the checker decides whether they are a proof. So
//! the origin is no condition either; it says which program a proof was made for when it does not fit this one.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use program::{
    Claim, Counter, LocationId, LocationKind, Program, Reader, Sexpr, Sort, Span, Tally, Term, ThreadId, VarId,
    smtlib_name, smtlib_term,
};

use crate::certificate::{Certificate, Invariant};
use crate::location::location_var;

const VERSION: &str = "2";
const HEAD: &str = "threader-certificate";
/// Reading is a recursion: a text nested more deeply than this is refused rather than a danger to the stack.
const DEEPEST: usize = 10_000;

/// Who made a certificate, and for what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The program that wrote it, with its version.
    pub producer: String,
    /// The C files: their names, and their SHA-256 in hexadecimal.
    pub files: Vec<(String, String)>,
    /// How the text was lowered, where that was not as usual.
    pub lowered: Option<String>,
    /// The part of what is asked that the program serves, where that is not all: names of properties.
    pub serves: Vec<String>,
}

/// A certificate's text, read as far as that is possible without the program.
#[derive(Clone, Debug)]
pub struct CertificateText {
    /// Where it comes from.
    pub origin: Origin,
    rule: String,
    claims: Option<Vec<Vec<String>>>,
    level: Option<usize>,
    templates: Vec<String>,
    tallies: Vec<(String, Vec<[i32; 3]>)>,
    counters: Vec<(String, Vec<LocationId>)>,
    parts: Vec<Sexpr>,
}

/// Assertions about more instances than this are nobody's.
const HIGHEST: usize = 8;

/// The certificate as text.
pub fn write_certificate(program: &Program, certificate: &Certificate, origin: &Origin) -> String {
    let names = |var: VarId| variable_name(program, var);
    let thread_name = |id: ThreadId| smtlib_name(&program.thread(id).name);
    let symbol = |text: &str| smtlib_name(text);
    // Writing to a string cannot fail.
    let mut text = format!("({HEAD} {VERSION}\n  (producer {})\n", symbol(&origin.producer));
    for (file, sha256) in &origin.files {
        let _ = writeln!(text, "  (source {} {sha256})", symbol(file));
    }
    let _ = write!(text, "  (rule {})", certificate.rule_name());
    if let Some(lowered) = &origin.lowered {
        let _ = write!(text, "\n  (lowered {})", symbol(lowered));
    }
    if !origin.serves.is_empty() {
        let _ = write!(text, "\n  (serves {})", origin.serves.join(" "));
    }
    let claims: Vec<String> =
        program.claims().iter().map(|claim| format!(" ({})", named(program, claim).join(" "))).collect();
    let _ = write!(text, "\n  (claims{})", claims.concat());
    if let Some(template) = program.templates().first() {
        let names: Vec<String> = program.templates().iter().map(|t| symbol(&t.name)).collect();
        let _ = write!(text, "\n  (level {} {})", template.copies.len() - 1, names.join(" "));
    }
    for tally in program.tallies() {
        let _ = write!(text, "\n  (tally {}", symbol(&program.templates()[tally.template].name));
        for ((step, kind), amount) in &tally.amounts {
            let _ = write!(text, " ({step} {kind} {amount})");
        }
        text.push(')');
    }
    for (counter, _) in program.counters() {
        let name = symbol(&program.templates()[counter.template].name);
        let places: Vec<String> = counter.locations.iter().map(|l| l.0.to_string()).collect();
        let _ = write!(text, "\n  (counter {name} ({}))", places.join(" "));
    }
    for invariant in certificate.invariants() {
        let threads: Vec<String> = invariant.threads.iter().map(|t| thread_name(*t)).collect();
        let _ = write!(text, "\n  (invariant ({})", threads.join(" "));
        for (place, formula) in &invariant.at {
            let numbers: Vec<String> = place.iter().map(|l| l.0.to_string()).collect();
            let lines: Vec<String> = invariant.threads.iter().zip(place).map(|(t, l)| line(program, *t, *l)).collect();
            let _ = write!(
                text,
                "\n    ; {}\n    (at ({}) {})",
                lines.join(", "),
                numbers.join(" "),
                smtlib_term(*formula, &names)
            );
        }
        text.push(')');
    }
    if let Certificate::RelyGuarantee { environment, .. } = certificate {
        for (invariant, disjuncts) in certificate.invariants().iter().zip(environment) {
            let threads: Vec<String> = invariant.threads.iter().map(|t| thread_name(*t)).collect();
            let whose = if threads.len() == 1 { threads.concat() } else { format!("({})", threads.join(" ")) };
            let _ = write!(text, "\n  (environment {whose}");
            for disjunct in disjuncts {
                let _ = write!(text, "\n    {}", smtlib_term(*disjunct, &names));
            }
            text.push(')');
        }
    }
    text.push_str(")\n");
    text
}

/// How a claim is named: property, then file without its folder, line and column of its places.
fn named(program: &Program, claim: &Claim) -> Vec<String> {
    let property = claim.id.property.name().to_string();
    [property].into_iter().chain(claim.id.places().flat_map(|span| place(program, span))).collect()
}

fn place(program: &Program, span: Span) -> [String; 3] {
    let file = program.files().get(span.file as usize).map_or("?", String::as_str);
    let file = file.rsplit('/').next().unwrap_or(file);
    [smtlib_name(file), span.line.to_string(), span.column.to_string()]
}

/// A location for readers.
fn line(program: &Program, thread: ThreadId, location: LocationId) -> String {
    let Some(location) = program.thread(thread).locations.get(location.0 as usize) else { return "nowhere".into() };
    match location.kind {
        LocationKind::Plain => format!("line {}", location.span.line),
        LocationKind::End => "end".into(),
        LocationKind::Error(_) => "error".into(),
        LocationKind::Unmodelled => "unmodelled".into(),
    }
}

impl CertificateText {
    /// The one certificate that a text is, whatever its program; or what is wrong with the text.
    pub fn parse(text: &str) -> Result<CertificateText, String> {
        let mut all = CertificateText::parse_all(text)?;
        match (all.pop(), all.is_empty()) {
            (Some(single), true) => Ok(single),
            _ => Err("there are several, one after the other".into()),
        }
    }

    /// The certificates that a text has, one at least; or what is wrong with the text.
    pub fn parse_all(text: &str) -> Result<Vec<CertificateText>, String> {
        if deepest(text) > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        if text.trim().is_empty() {
            return Err("it is empty".into());
        }
        let all = Sexpr::parse_all(text).map_err(|error| {
            let cut = text.trim_start().starts_with(&format!("({HEAD}")) && error.0 >= text.len();
            if cut { "it ends too early: it was cut off, or brackets are missing".into() } else { error.to_string() }
        })?;
        if all.is_empty() {
            return Err("it is something else".into());
        }
        all.iter().map(CertificateText::read).collect()
    }

    fn read(expr: &Sexpr) -> Result<CertificateText, String> {
        let items = expr.items().unwrap_or_default();
        let [head, version, rest @ ..] = items else { return Err("it is something else".into()) };
        if head.symbol() != Some(HEAD) {
            return Err("it is something else".into());
        }
        if version.symbol() != Some(VERSION) {
            return Err(format!("it is of version {version}, and only version {VERSION} is known"));
        }
        let mut read = CertificateText {
            origin: Origin::default(),
            rule: String::new(),
            claims: None,
            level: None,
            templates: Vec::new(),
            tallies: Vec::new(),
            counters: Vec::new(),
            parts: Vec::with_capacity(rest.len()),
        };
        for part in rest {
            match part.items() {
                Some([tag, Sexpr::Atom(name)]) if tag.symbol() == Some("producer") => {
                    read.origin.producer.clone_from(name)
                }
                Some([tag, Sexpr::Atom(file), Sexpr::Atom(hash)]) if tag.symbol() == Some("source") => {
                    read.origin.files.push((file.clone(), hash.clone()));
                }
                Some([tag, Sexpr::Atom(how)]) if tag.symbol() == Some("lowered") => {
                    read.origin.lowered = Some(how.clone());
                }
                Some([tag, names @ ..]) if tag.symbol() == Some("serves") => {
                    let names = names.iter().map(|name| name.symbol().map(str::to_string));
                    read.origin.serves = names.collect::<Option<_>>().ok_or("it serves what is no name")?;
                }
                Some([tag, Sexpr::Atom(rule)]) if tag.symbol() == Some("rule") => read.rule.clone_from(rule),
                Some([tag, claims @ ..]) if tag.symbol() == Some("claims") => {
                    read.claims = Some(claims.iter().map(claim).collect::<Result<_, _>>()?);
                }
                Some([tag, Sexpr::Atom(level), names @ ..]) if tag.symbol() == Some("level") => {
                    read.templates = names.iter().filter_map(|name| name.symbol().map(str::to_string)).collect();
                    let known = level.parse().ok().filter(|level| (1..=HIGHEST).contains(level));
                    read.level = Some(known.ok_or_else(|| format!("there is no level {}", clipped(level)))?);
                }
                Some([tag, Sexpr::Atom(name), amounts @ ..]) if tag.symbol() == Some("tally") => {
                    read.tallies.push((name.clone(), amounts.iter().map(amount).collect::<Result<_, _>>()?));
                }
                Some([tag, Sexpr::Atom(name), places]) if tag.symbol() == Some("counter") => {
                    read.counters.push((name.clone(), numbers(places)?));
                }
                Some([tag, ..]) if matches!(tag.symbol(), Some("invariant" | "environment")) => {
                    read.parts.push(part.clone())
                }
                _ => return Err(format!("it has an unknown part: {}", short(part))),
            }
        }
        Ok(read)
    }

    /// The claims of this program that the certificate is not about.
    pub fn leaves_out<'p>(&self, program: &'p Program) -> Vec<&'p Claim> {
        let Some(known) = &self.claims else { return Vec::new() };
        let symbol = |text: String| text.trim_matches('|').to_string();
        let symbols = |claim: &Claim| named(program, claim).into_iter().map(symbol).collect::<Vec<_>>();
        program.claims().iter().filter(|claim| !known.contains(&symbols(claim))).collect()
    }

    /// The functions of which there are any number of instances.
    pub fn templates(&self) -> &[String] {
        &self.templates
    }

    /// The program that the assertions are about: this one with the copies and counters that they speak of; or what does not fit.
    pub fn program(&self, program: &Program) -> Result<Program, String> {
        let Some(level) = self.level else { return Ok(program.clone()) };
        if program.templates().is_empty() {
            return Err("there are no threads of unbounded number in it".into());
        }
        let named = |name: &str| program.templates().iter().position(|t| bare(&t.name) == name);
        let template = |name: &str| named(name).ok_or_else(|| format!("there is no template {}", clipped(name)));
        let counter = |(name, places): &(String, Vec<LocationId>)| {
            Ok(Counter { template: template(name)?, locations: places.iter().copied().collect() })
        };
        let tally = |(name, amounts): &(String, Vec<[i32; 3]>)| {
            let entry = |[step, kind, amount]: &[i32; 3]| {
                let index = |number: &i32| usize::try_from(*number).map_err(|_| "a tally counts from 0".to_string());
                Ok(((index(step)?, index(kind)?), i128::from(*amount)))
            };
            let amounts = amounts.iter().map(entry).collect::<Result<_, String>>()?;
            Ok(Tally { template: template(name)?, amounts })
        };
        let tallies = self.tallies.iter().map(tally).collect::<Result<Vec<_>, String>>()?;
        let counters = self.counters.iter().map(counter).collect::<Result<Vec<_>, String>>()?;
        let copied = program.with_copies(level + 1);
        let told = copied.with_tallies(&tallies).and_then(|told| told.with_counters(&counters));
        told.map_err(|malformed| malformed.to_string())
    }

    /// The assertions, over this program's variables; or what does not fit the program.
    pub fn certificate(&self, program: &Program) -> Result<Certificate, String> {
        let table = symbols(program);
        let lookup = |name: &str| table.get(name).copied();
        let term = |expr: &Sexpr| Reader::new(&lookup).read(expr).map_err(|error| clipped(&error.to_string()));
        let mut invariants = Vec::new();
        let mut environment: BTreeMap<Vec<ThreadId>, Vec<Term>> = BTreeMap::new();
        for part in &self.parts {
            match part.items() {
                Some([tag, threads, places @ ..]) if tag.symbol() == Some("invariant") => {
                    let threads = threads.items().unwrap_or_default().iter();
                    let threads = threads.map(|t| thread(program, t)).collect::<Result<Vec<_>, _>>()?;
                    invariants.push(Invariant { threads, at: read_places(places, &term)? });
                }
                Some([_, name, disjuncts @ ..]) => {
                    let disjuncts = disjuncts.iter().map(term).collect::<Result<Vec<_>, _>>()?;
                    let whose = name.items().unwrap_or(std::slice::from_ref(name));
                    let whose = whose.iter().map(|t| thread(program, t)).collect::<Result<Vec<_>, _>>()?;
                    if environment.insert(whose, disjuncts).is_some() {
                        return Err(format!("there are two environments of {name}"));
                    }
                }
                _ => return Err(format!("it has an unknown part: {}", short(part))),
            }
        }
        if self.rule != "rely-guarantee" && !environment.is_empty() {
            return Err(format!("a proof by the rule `{}` has no environment", self.rule));
        }
        match (self.rule.as_str(), invariants.len()) {
            ("monolithic", 1) => Ok(Certificate::Monolithic(invariants.swap_remove(0))),
            ("monolithic", _) => Err("a monolithic proof has one invariant".into()),
            ("owicki-gries", _) => Ok(Certificate::OwickiGries(invariants)),
            ("rely-guarantee", _) => {
                // Each assertion has one; where one is missing there are too few, and the checker says so.
                let of = |invariant: &Invariant| environment.remove(&invariant.threads);
                let mut ordered: Vec<Vec<Term>> = invariants.iter().filter_map(of).collect();
                ordered.extend(environment.into_values());
                Ok(Certificate::RelyGuarantee { invariants, environment: ordered })
            }
            (other, _) => Err(format!("there is no rule `{other}`")),
        }
    }
}

/// How deep brackets are nested, at most.
fn deepest(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

fn short(expr: &Sexpr) -> String {
    clipped(&expr.to_string())
}

/// Messages do not repeat a whole formula.
fn clipped(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text.to_string(),
    }
}

/// A variable's name; locations have names that no C identifier is.
pub fn variable_name(program: &Program, var: VarId) -> String {
    match (var.0 as usize).checked_sub(program.var_count()) {
        None => program.var(var).name.clone(),
        Some(thread) => match program.threads().nth(thread) {
            Some((_, thread)) => format!("at({})", thread.name),
            None => format!("at({thread})"),
        },
    }
}

fn thread(program: &Program, expr: &Sexpr) -> Result<ThreadId, String> {
    let name = expr.symbol().unwrap_or_default();
    let found = program.threads().find(|(_, thread)| bare(&thread.name) == name);
    found.map(|(id, _)| id).ok_or_else(|| format!("there is no thread {}", short(expr)))
}

/// A name as its symbol is read back: quoting removed.
fn bare(name: &str) -> String {
    smtlib_name(name).trim_matches('|').to_string()
}

/// The terms that symbols of the text stand for.
fn symbols(program: &Program) -> HashMap<String, Term> {
    let mut all = HashMap::new();
    let vars = program.vars().map(|(id, var)| (id, var.sort));
    let locations = program.threads().map(|(id, _)| (location_var(program, id), Sort::Int));
    for (id, sort) in vars.chain(locations) {
        let plain = variable_name(program, id);
        all.insert(bare(&format!("{plain}'")), Term::primed(id, sort));
        all.insert(bare(&plain), Term::var(id, sort));
    }
    all
}

fn numbers(expr: &Sexpr) -> Result<Vec<LocationId>, String> {
    let number = |item: &Sexpr| item.symbol().and_then(|text| text.parse().ok()).map(LocationId);
    let all: Option<Vec<LocationId>> = expr.items().unwrap_or_default().iter().map(number).collect();
    all.ok_or_else(|| format!("these are no locations: {}", short(expr)))
}

fn claim(expr: &Sexpr) -> Result<Vec<String>, String> {
    let parts = expr.items().unwrap_or_default().iter();
    let parts: Option<Vec<String>> = parts.map(|part| part.symbol().map(str::to_string)).collect();
    let is_one = |parts: &Vec<String>| parts.len() == 4 || parts.len() == 7;
    parts.filter(is_one).ok_or_else(|| format!("this names no claim: {}", short(expr)))
}

fn amount(expr: &Sexpr) -> Result<[i32; 3], String> {
    let number = |item: &Sexpr| item.symbol().and_then(|text| text.parse().ok());
    let all: Option<Vec<i32>> = expr.items().unwrap_or_default().iter().map(number).collect();
    all.and_then(|all| all.try_into().ok()).ok_or_else(|| format!("this is no amount of a step: {}", short(expr)))
}

fn read_places(
    places: &[Sexpr],
    term: &dyn Fn(&Sexpr) -> Result<Term, String>,
) -> Result<BTreeMap<Vec<LocationId>, Term>, String> {
    let mut all = BTreeMap::new();
    for place in places {
        let (locations, formula) = match place.items() {
            Some([tag, locations, formula]) if tag.symbol() == Some("at") => (locations, formula),
            _ => return Err(format!("this is no place of an invariant: {}", short(place))),
        };
        if all.insert(numbers(locations)?, term(formula)?).is_some() {
            return Err(format!("two formulas are given for the locations {locations}"));
        }
    }
    Ok(all)
}
