//! A small deterministic generator of random numbers (splitmix64), and the knobs of the random tests.

/// The same numbers for the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for the `case`-th case of a run: any one case can be repeated without those before it.
    pub fn for_case(seed: u64, case: u64) -> Rng {
        let mut mixer = Rng(seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Rng(mixer.next())
    }
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `bound`, which is positive.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// One of the items, of which there is at least one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
    /// The index of one of the weights, in proportion.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return index;
            }
            rest -= weight;
        }
        0
    }
}

/// The seed of this run: `THREADER_SEED`, or a fixed one.
pub fn seed() -> u64 {
    number("THREADER_SEED").unwrap_or(20110714)
}

/// How many cases to try: `THREADER_CASES`, or `default`.
pub fn cases(default: u64) -> u64 {
    number("THREADER_CASES").unwrap_or(default)
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not {text}")))
}
