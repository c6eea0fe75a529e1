//! Certificates as files: SMT-LIB terms over the program's variables, one assertion a line.
//!
//! ```text
//! (threader-certificate 1)
//! (rule owicki-gries)
//! (at (0) (3) (and (= x 1) (<= y z)))       threads, their locations, what holds there
//! (environment 0 (and (= |x'| x) ..))       one disjunct of E_0 (rely-guarantee only)
//! ```
//!
//! `pc_i` is the location of thread i; `|x'|` is the value of x after a step.

use std::collections::{BTreeMap, HashMap};

use ::check::{Certificate, Invariant, location_var};
use program::{LocationId, Program, Sort, Term, ThreadId, VarId, smtlib_name, smtlib_term};
use rules::Rule;
use smt::{Reader, Sexpr};

/// The version of the format that is written and read.
const VERSION: &str = "1";

/// The certificate's text.
pub fn write(program: &Program, certificate: &Certificate) -> String {
    let rule = match certificate {
        Certificate::Monolithic(_) => Rule::Monolithic,
        Certificate::OwickiGries(_) => Rule::OwickiGries,
        Certificate::RelyGuarantee { .. } => Rule::RelyGuarantee,
    };
    let names = |var: VarId| name(program, var);
    let mut text = format!("(threader-certificate {VERSION})\n(rule {rule})\n");
    for invariant in certificate.invariants() {
        let threads: Vec<String> = invariant.threads.iter().map(|t| t.0.to_string()).collect();
        for (place, formula) in &invariant.at {
            let place: Vec<String> = place.iter().map(|l| l.0.to_string()).collect();
            let formula = smtlib_term(*formula, &names);
            text.push_str(&format!("(at ({}) ({}) {formula})\n", threads.join(" "), place.join(" ")));
        }
    }
    if let Certificate::RelyGuarantee { environment, .. } = certificate {
        for (thread, disjuncts) in environment.iter().enumerate() {
            for disjunct in disjuncts {
                text.push_str(&format!("(environment {thread} {})\n", smtlib_term(*disjunct, &names)));
            }
        }
    }
    text
}

fn name(program: &Program, var: VarId) -> String {
    let count = u32::try_from(program.vars().count()).unwrap_or(u32::MAX);
    match var.0.checked_sub(count) {
        None => program.var(var).name.clone(),
        Some(thread) => format!("pc_{thread}"),
    }
}

/// The certificate that a text is, or what is wrong with it.
pub fn read(program: &Program, text: &str) -> Result<Certificate, String> {
    let entries = Sexpr::parse_all(text).map_err(|error| error.to_string())?;
    let mut entries = entries.iter().filter_map(Sexpr::items);
    match entries.next() {
        Some([head, version]) if head.symbol() == Some("threader-certificate") => {
            if version.symbol() != Some(VERSION) {
                return Err(format!("its format is not version {VERSION}, which this threader reads"));
            }
        }
        _ => return Err("it does not begin with (threader-certificate ..)".into()),
    }
    let rule = match entries.next() {
        Some([head, rule]) if head.symbol() == Some("rule") => rule.symbol().unwrap_or_default().to_string(),
        _ => return Err("it does not name a rule".into()),
    };
    let known = symbols(program);
    let lookup = |symbol: &str| known.get(symbol.trim_matches('|')).copied();
    let mut reader = Reader::new(&lookup);
    let mut invariants: BTreeMap<Vec<u32>, BTreeMap<Vec<LocationId>, Term>> = BTreeMap::new();
    let mut environment: Vec<Vec<Term>> = vec![Vec::new(); program.threads().count()];
    for entry in entries {
        match entry {
            [head, threads, place, formula] if head.symbol() == Some("at") => {
                let formula = reader.read(formula).map_err(|error| error.to_string())?;
                let place = numbers(place)?.into_iter().map(LocationId).collect();
                invariants.entry(numbers(threads)?).or_default().insert(place, formula);
            }
            [head, thread, disjunct] if head.symbol() == Some("environment") => {
                let disjunct = reader.read(disjunct).map_err(|error| error.to_string())?;
                let slot = number(thread).ok().and_then(|t| environment.get_mut(t as usize));
                slot.ok_or("an environment of a thread that does not exist")?.push(disjunct);
            }
            _ => return Err("an entry that is neither (at ..) nor (environment ..)".into()),
        }
    }
    assemble(&rule, program, invariants, environment)
}

fn assemble(
    rule: &str,
    program: &Program,
    invariants: BTreeMap<Vec<u32>, BTreeMap<Vec<LocationId>, Term>>,
    environment: Vec<Vec<Term>>,
) -> Result<Certificate, String> {
    let mut invariants: Vec<Invariant> = invariants
        .into_iter()
        .map(|(threads, at)| Invariant { threads: threads.into_iter().map(ThreadId).collect(), at })
        .collect();
    // A thread without an entry is never anywhere: its invariant is false, which the checker will refuse.
    if rule != Rule::Monolithic.name() {
        for (id, _) in program.threads() {
            if !invariants.iter().any(|i| i.threads == [id]) {
                invariants.push(Invariant { threads: vec![id], at: BTreeMap::new() });
            }
        }
        invariants.sort_by_key(|i| i.threads.clone());
    }
    match rule {
        "monolithic" => match <[Invariant; 1]>::try_from(invariants) {
            Ok([only]) => Ok(Certificate::Monolithic(only)),
            Err(_) => Err("a monolithic proof has one invariant for all threads together".into()),
        },
        "owicki-gries" => Ok(Certificate::OwickiGries(invariants)),
        "rely-guarantee" => Ok(Certificate::RelyGuarantee { invariants, environment }),
        other => Err(format!("there is no rule {other}")),
    }
}

/// What the symbols of a certificate mean, without their bars.
fn symbols(program: &Program) -> HashMap<String, Term> {
    let mut known = HashMap::new();
    let mut enter = |name: &str, var: VarId, sort: Sort| {
        known.insert(smtlib_name(name).trim_matches('|').to_string(), Term::var(var, sort));
        known.insert(smtlib_name(&format!("{name}'")).trim_matches('|').to_string(), Term::primed(var, sort));
    };
    for (id, var) in program.state_vars() {
        enter(&var.name, id, var.sort);
    }
    for (id, _) in program.threads() {
        enter(&format!("pc_{}", id.0), location_var(program, id), Sort::Int);
    }
    known
}

fn numbers(list: &Sexpr) -> Result<Vec<u32>, String> {
    list.items().ok_or("a list of numbers is missing")?.iter().map(number).collect()
}

fn number(atom: &Sexpr) -> Result<u32, String> {
    let text = atom.symbol().unwrap_or_default();
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}
