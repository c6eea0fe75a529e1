//! What a proof rests on, by the numbers of the README.

use frontend::Loaded;

/// The assumptions that this program needs, each with the first place that does; nothing if it needs none.
pub fn text(loaded: &Loaded) -> String {
    if loaded.assumptions.is_empty() {
        return String::new();
    }
    let mut text = String::from("assuming, by the numbers of the README:\n");
    for assumption in &loaded.assumptions {
        text.push_str(&format!("{:>3}. {}", assumption.number, assumption.text));
        if let Some(span) = assumption.span {
            text.push_str(&format!(" ({})", loaded.program.place(span)));
        }
        text.push('\n');
    }
    text.push('\n');
    text
}
