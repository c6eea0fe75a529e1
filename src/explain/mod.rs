//! `threader explain`: what a diagnostic, a result or an assumption means, and what to do.

mod assumptions;
mod topics;

use frontend::diagnostic::Code;

use crate::arguments::ExplainArguments;
use crate::output;
use crate::status::Status;

/// The stable name of a code: `E-` for what ends a run, `W-` for what does not.
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Unreadable => "E-unreadable",
        Code::NotText => "E-not-text",
        Code::Preprocessor => "E-preprocessor",
        Code::Syntax => "E-syntax",
        Code::Invalid => "E-invalid",
        Code::Task => "E-task",
        Code::Unsupported => "E-unsupported",
        Code::UnboundedCreation => "E-unbounded-creation",
        Code::NoAssertion => "W-no-assertion",
        Code::WeakOrder => "W-weak-order",
        Code::Vacuous => "W-vacuous",
        Code::AcceptedRace => "W-accepted-race",
        Code::LeftOut => "W-left-out",
        Code::Internal => "E-internal",
    }
}

/// Something that can be explained.
pub struct Topic {
    name: &'static str,
    meaning: &'static str,
    advice: &'static str,
    example: &'static str,
}

/// Prints what is known about a code or a result; without one, what there is.
pub fn run(arguments: &ExplainArguments) -> Status {
    let Some(code) = &arguments.code else { return output::print(&list(), Status::Success) };
    match find(code) {
        Some(topic) => output::print(&text(topic), Status::Success),
        None => {
            let message = format!("there is nothing to explain about {code}; threader explain lists what there is");
            output::complain(&message, Status::Usage)
        }
    }
}

fn all() -> impl Iterator<Item = &'static Topic> {
    topics::TOPICS.iter().chain(assumptions::ASSUMPTIONS)
}

/// All names, each with the beginning of what it means.
fn list() -> String {
    let mut text = String::new();
    for topic in all() {
        let first = topic.meaning.split_inclusive(['.', ':', ';']).next().unwrap_or_default();
        let words = first.trim_end_matches(['.', ':', ';']).split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("{:<26}{words}", topic.name);
        let shown = if line.chars().count() <= 80 { line } else { line.chars().take(78).chain("..".chars()).collect() };
        text.push_str(&format!("{}\n", shown.trim_end()));
    }
    text + "\nthreader explain NAME says more; a result can be given as it was printed.\n"
}

fn text(topic: &Topic) -> String {
    let advice = wrapped(&format!("What to do: {}", topic.advice));
    format!("{}\n\n{}\n{advice}\nExample:\n{}\n", topic.name, wrapped(topic.meaning), topic.example)
}

/// The text broken into lines of at most 80 characters, each with its newline.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 80 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n") + "\n"
}

/// Codes in any case; results as they are printed (`Result: unknown(unsupported: inline assembly)`) or by their reason.
fn find(asked: &str) -> Option<&'static Topic> {
    let lower = asked.trim().to_lowercase();
    let result = lower.strip_prefix("result:").unwrap_or(&lower).trim();
    let inner = result.strip_prefix("unknown(").or_else(|| result.strip_prefix("error("));
    let reason = inner.map_or(result, |inner| inner.strip_suffix(')').unwrap_or(inner));
    // What follows the colon, or stands in the parentheses of a violation, is about the program, not about the topic.
    let head = reason.split([':', '(']).next().unwrap_or_default().trim();
    let key = match head.replace([' ', '_'], "-") {
        key if key.starts_with("more-than-") => "more-than".to_string(),
        key if key.starts_with("no-proof-up-to-") => "no-proof-up-to".to_string(),
        key if key == "internal" => "e-internal".to_string(),
        key => key,
    };
    all().find(|topic| topic.name.to_lowercase() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: [Code; 14] = [
        Code::Unreadable,
        Code::NotText,
        Code::Preprocessor,
        Code::Syntax,
        Code::Invalid,
        Code::Task,
        Code::Unsupported,
        Code::UnboundedCreation,
        Code::NoAssertion,
        Code::WeakOrder,
        Code::Vacuous,
        Code::AcceptedRace,
        Code::LeftOut,
        Code::Internal,
    ];

    #[test]
    fn every_code_is_explained() {
        for code in CODES {
            let name = code_name(code);
            assert_eq!(find(name).map(|topic| topic.name), Some(name));
        }
        let named = all().filter(|topic| topic.name.starts_with("E-") || topic.name.starts_with("W-"));
        assert_eq!(named.count(), CODES.len());
    }

    #[test]
    fn results_are_found_as_they_are_printed() {
        for (asked, name) in [
            ("e-SYNTAX", "E-syntax"),
            ("Result: unknown(unsupported: inline assembly)", "unsupported"),
            ("unknown(timeout)", "timeout"),
            ("evidence rejected", "evidence-rejected"),
            ("Result: false(unreach-call)", "false"),
            ("unknown(not implemented: prove)", "not-implemented"),
            ("unknown(unbounded thread creation)", "unbounded-thread-creation"),
            ("unknown(unsupported: monolithic proofs about any number of threads)", "unsupported"),
            ("unknown(no proof up to level 2, no error with up to 3 instances)", "no-proof-up-to"),
            ("unknown(more than 300 refinements)", "more-than"),
            ("unknown(refinement is stuck: no new predicate)", "refinement-is-stuck"),
            ("error(killed)", "killed"),
            ("error(internal)", "E-internal"),
            (" true ", "true"),
        ] {
            assert_eq!(find(asked).map(|topic| topic.name), Some(name), "{asked}");
        }
        assert!(find("E-nonsense").is_none());
        assert!(find("").is_none());
    }

    #[test]
    fn explanations_fit_a_terminal() {
        for topic in all() {
            for line in text(topic).lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", topic.name);
            }
        }
    }
}
