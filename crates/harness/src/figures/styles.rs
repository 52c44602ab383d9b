//! The looks of algorithms and phases, the same in every figure.

use broadphase::ALGORITHMS;
use charts::{Dash, Style};

/// The look of an algorithm: by its place in the registry. One that the registry does not know, as a
/// file of another version may name, gets a place behind, by its name.
pub(crate) fn style_of(algorithm: &str) -> Style {
    let known = ALGORITHMS.iter().position(|row| row.id == algorithm);
    Style::nth(known.unwrap_or_else(|| {
        let sum = algorithm.bytes().fold(0usize, |sum, byte| (31 * sum + usize::from(byte)) % 997);
        ALGORITHMS.len() + sum
    }))
}

/// The look of an algorithm's variant number `variant` (threads, drawn or not): the same colour and
/// marker, another dash.
pub(crate) fn variant_style(algorithm: &str, variant: usize) -> Style {
    Style { dash: Dash::ALL[variant % Dash::ALL.len()], ..style_of(algorithm) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_of_the_registry_looks_different_and_strangers_look_the_same_always() {
        for (index, row) in ALGORITHMS.iter().enumerate() {
            let before = &ALGORITHMS[..index];
            assert!(before.iter().all(|other| style_of(other.id) != style_of(row.id)));
        }
        assert_eq!(style_of("of-another-version"), style_of("of-another-version"));
    }
}
