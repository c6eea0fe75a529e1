//! What a proof rests on, by the numbers of docs/assumptions.md.

use frontend::{Assumption, Loaded, Obstacle};

/// The assumptions that proofs of these programs need, each with the first place that does; nothing if they need none.
pub fn text(proved: &[&Loaded]) -> String {
    let consistency: String = proved.iter().map(|loaded| consistency(loaded)).collect();
    let all = united(proved);
    if all.is_empty() {
        return consistency;
    }
    let mut text = String::from("assuming (threader explain assumption-N says more):\n");
    for (loaded, assumption) in all {
        text.push_str(&format!("{:>3}. {}", assumption.number, assumption.text));
        if let Some(span) = assumption.span {
            text.push_str(&format!(" ({})", loaded.program.place(span)));
        }
        text.push('\n');
    }
    text.push('\n');
    text + &consistency
}

/// What proofs of these programs rest on together, in the order of the numbers, with a program that needs it.
pub fn united<'a>(proved: &[&'a Loaded]) -> Vec<(&'a Loaded, &'a Assumption)> {
    let mut all: Vec<(&Loaded, &Assumption)> = Vec::new();
    for loaded in proved {
        for assumption in &loaded.assumptions {
            let same = |other: &Assumption| (other.number, &other.text) == (assumption.number, &assumption.text);
            if !all.iter().any(|(_, other)| same(other)) {
                all.push((loaded, assumption));
            }
        }
    }
    all.sort_by_key(|(_, assumption)| assumption.number);
    all
}

/// Whether sequential consistency is assumed or a theorem, where that was asked for.
fn consistency(loaded: &Loaded) -> String {
    match loaded.obstacles.as_deref() {
        None => String::new(),
        Some([]) => {
            "without data races, and with atomic operations that are seq_cst, C11 promises sequential consistency: \
                     assumption 1 is discharged\n\n"
                .into()
        }
        Some(obstacles) => {
            let place = |obstacle: &Obstacle| format!("{} ({})", obstacle.what, loaded.program.place(obstacle.span));
            let places: Vec<String> = obstacles.iter().map(place).collect();
            format!("that memory is sequentially consistent stays assumption 1, because of {}\n\n", places.join(", "))
        }
    }
}
