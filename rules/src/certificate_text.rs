//! Certificates as text, for `--certificate` and `threader check`: one s-expression, terms in SMT-LIB over the program's names.
//!
//! ```text
//! (threader-certificate 1 owicki-gries
//!   (invariant (0)
//!     (at (3) (= m 1)))
//!   (environment 0
//!     (= |x'| x)))
//! ```
//!
//! Reading is no part of what is trusted: whatever assertions a text is read as, the checker decides whether they are a proof.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use check::{Certificate, Invariant, location_var};
use program::{LocationId, Program, Sort, Term, ThreadId, VarId, smtlib_name, smtlib_term};
use smt::{Reader, Sexpr};

use crate::rule::Rule;

const VERSION: &str = "1";
const HEAD: &str = "threader-certificate";

/// The certificate as text.
pub fn write_certificate(program: &Program, certificate: &Certificate) -> String {
    let names = |var: VarId| name(program, var);
    let mut text = format!("({HEAD} {VERSION} {}", rule(certificate).name());
    for invariant in certificate.invariants() {
        let threads: Vec<String> = invariant.threads.iter().map(|t| t.0.to_string()).collect();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  (invariant ({})", threads.join(" "));
        for (place, formula) in &invariant.at {
            let place: Vec<String> = place.iter().map(|l| l.0.to_string()).collect();
            let _ = write!(text, "\n    (at ({}) {})", place.join(" "), smtlib_term(*formula, &names));
        }
        text.push(')');
    }
    if let Certificate::RelyGuarantee { environment, .. } = certificate {
        for (thread, disjuncts) in environment.iter().enumerate() {
            let _ = write!(text, "\n  (environment {thread}");
            for disjunct in disjuncts {
                let _ = write!(text, "\n    {}", smtlib_term(*disjunct, &names));
            }
            text.push(')');
        }
    }
    text.push_str(")\n");
    text
}

/// The certificate that the text is, for this program; or what is wrong with the text.
pub fn read_certificate(program: &Program, text: &str) -> Result<Certificate, String> {
    let expr = Sexpr::parse(text).map_err(|error| error.to_string())?;
    let items = expr.items().unwrap_or_default();
    let [head, version, rule, parts @ ..] = items else { return Err("not a certificate".into()) };
    if head.symbol() != Some(HEAD) {
        return Err("not a certificate".into());
    }
    if version.symbol() != Some(VERSION) {
        return Err(format!("a certificate of version {version}, and only {VERSION} is known"));
    }
    let rule = Rule::ALL.into_iter().find(|r| rule.symbol() == Some(r.name())).ok_or("an unknown rule")?;
    let table = symbols(program);
    let lookup = |name: &str| table.get(name).copied();
    let mut invariants = Vec::new();
    let mut environment = Vec::new();
    for part in parts {
        match part.items() {
            Some([tag, threads, places @ ..]) if tag.symbol() == Some("invariant") => {
                let threads = numbers(threads)?.into_iter().map(ThreadId).collect();
                invariants.push(Invariant { threads, at: read_places(places, &lookup)? });
            }
            Some([tag, _, disjuncts @ ..]) if tag.symbol() == Some("environment") => {
                let read = |d: &Sexpr| Reader::new(&lookup).read(d).map_err(|error| error.to_string());
                environment.push(disjuncts.iter().map(read).collect::<Result<Vec<_>, _>>()?);
            }
            _ => return Err(format!("neither an invariant nor an environment: {part}")),
        }
    }
    match (rule, invariants.len()) {
        (Rule::Monolithic, 1) => Ok(Certificate::Monolithic(invariants.swap_remove(0))),
        (Rule::Monolithic, _) => Err("a monolithic certificate has one invariant".into()),
        (Rule::OwickiGries, _) => Ok(Certificate::OwickiGries(invariants)),
        (Rule::RelyGuarantee, _) => Ok(Certificate::RelyGuarantee { invariants, environment }),
    }
}

fn rule(certificate: &Certificate) -> Rule {
    match certificate {
        Certificate::Monolithic(_) => Rule::Monolithic,
        Certificate::OwickiGries(_) => Rule::OwickiGries,
        Certificate::RelyGuarantee { .. } => Rule::RelyGuarantee,
    }
}

/// A variable's name; locations have names that no C identifier is.
fn name(program: &Program, var: VarId) -> String {
    match (var.0 as usize).checked_sub(program.vars().count()) {
        Some(thread) => format!("pc {thread}"),
        None => program.var(var).name.clone(),
    }
}

/// The terms that symbols of the text stand for.
fn symbols(program: &Program) -> HashMap<String, Term> {
    let mut all = HashMap::new();
    let vars = program.vars().map(|(id, var)| (id, var.sort));
    let locations = program.threads().map(|(id, _)| (location_var(program, id), Sort::Int));
    for (id, sort) in vars.chain(locations) {
        let plain = name(program, id);
        let key = |text: String| smtlib_name(&text).trim_matches('|').to_string();
        all.insert(key(format!("{plain}'")), Term::primed(id, sort));
        all.insert(key(plain), Term::var(id, sort));
    }
    all
}

fn numbers(expr: &Sexpr) -> Result<Vec<u32>, String> {
    let number = |item: &Sexpr| item.symbol().and_then(|text| text.parse().ok());
    let all: Option<Vec<u32>> = expr.items().unwrap_or_default().iter().map(number).collect();
    all.ok_or_else(|| format!("not a list of numbers: {expr}"))
}

fn read_places(
    places: &[Sexpr],
    lookup: &dyn Fn(&str) -> Option<Term>,
) -> Result<BTreeMap<Vec<LocationId>, Term>, String> {
    let mut all = BTreeMap::new();
    for place in places {
        let Some([tag, locations, formula]) = place.items() else { return Err(format!("not a place: {place}")) };
        if tag.symbol() != Some("at") {
            return Err(format!("not a place: {place}"));
        }
        let formula = Reader::new(lookup).read(formula).map_err(|error| error.to_string())?;
        all.insert(numbers(locations)?.into_iter().map(LocationId).collect(), formula);
    }
    Ok(all)
}
