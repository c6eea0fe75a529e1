//! Numbers of things that are counted from zero.

/// A position as the number that an id holds.
///
/// # Panics
///
/// If there are more things of a kind than numbers: two of them would be one and the same.
pub fn number(position: usize) -> u32 {
    u32::try_from(position).expect("there are fewer than 2^32 things of a kind")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_positions() {
        assert_eq!((number(0), number(u32::MAX as usize)), (0, u32::MAX));
    }

    #[test]
    #[should_panic(expected = "fewer than 2^32")]
    fn two_positions_never_have_one_number() {
        number(u32::MAX as usize + 1);
    }
}
