//! The styles of algorithms and phases, the same in every figure.

use broadphase::registry::{ALGORITHMS, families};
use charts::{Dash, Style};

/// The style of an algorithm, by its place in the registry. Families come first, so that a new variant does
/// not change their styles. An id of another version, which the registry does not have, gets a place
/// after it by its name.
pub(crate) fn style_of(algorithm: &str) -> Style {
    let variants = ALGORITHMS.iter().filter(|entry| entry.variant.is_some());
    let known = families().chain(variants).position(|entry| entry.id == algorithm);
    Style::nth(known.unwrap_or_else(|| {
        let sum = algorithm.bytes().fold(0usize, |sum, byte| (31 * sum + usize::from(byte)) % 997);
        ALGORITHMS.len() + sum
    }))
}

/// The style of an algorithm's variant number `variant` (threads, drawn or not): the same colour and
/// marker, another dash.
pub(crate) fn variant_style(algorithm: &str, variant: usize) -> Style {
    Style { dash: Dash::ALL[variant % Dash::ALL.len()], ..style_of(algorithm) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_differ_in_the_registry_and_are_stable_outside_it() {
        for (index, row) in ALGORITHMS.iter().enumerate() {
            let before = &ALGORITHMS[..index];
            assert!(before.iter().all(|other| style_of(other.id) != style_of(row.id)));
        }
        for (place, family) in families().enumerate() {
            assert_eq!(style_of(family.id), Style::nth(place), "variants come after the families");
        }
        assert_eq!(style_of("of-another-version"), style_of("of-another-version"));
    }
}
