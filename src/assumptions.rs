//! What a proof rests on, by the numbers of docs/assumptions.md.

use frontend::{Loaded, Obstacle};

/// The assumptions that this program needs, each with the first place that does; nothing if it needs none.
pub fn text(loaded: &Loaded) -> String {
    let consistency = consistency(loaded);
    if loaded.assumptions.is_empty() {
        return consistency;
    }
    let mut text = String::from("assuming (threader explain assumption-N says more):\n");
    for assumption in &loaded.assumptions {
        text.push_str(&format!("{:>3}. {}", assumption.number, assumption.text));
        if let Some(span) = assumption.span {
            text.push_str(&format!(" ({})", loaded.program.place(span)));
        }
        text.push('\n');
    }
    text.push('\n');
    text + &consistency
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
