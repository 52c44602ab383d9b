//! The styles of algorithms and phases, the same in every figure.

use broadphase::registry::{ALGORITHMS, split_id};
use charts::{Dash, Style};

/// The style of an algorithm, by its place in the registry. Families come first, so that a new variant does
/// not change their styles. An id of another version, which the registry does not have, gets a place
/// after it by its name. With values of parameters, the colour is the algorithm's, marker and dash are theirs.
pub fn style_of(algorithm: &str) -> Style {
    if let (entry, Some(values)) = split_id(algorithm) {
        return Style { color: style_of(entry).color, ..Style::nth(place_of(values)) };
    }
    let variants = ALGORITHMS.iter().filter(|entry| entry.variant.is_some());
    let known = ALGORITHMS.families().chain(variants).position(|entry| entry.id == algorithm);
    Style::nth(known.unwrap_or_else(|| ALGORITHMS.len() + place_of(algorithm)))
}

/// The style of a thing that is no algorithm, by its place in a list.
pub(super) fn style_of_place(place: Option<usize>) -> Style {
    Style::nth(place.unwrap_or(0))
}

/// A place among the styles, by a name.
fn place_of(name: &str) -> usize {
    name.bytes().fold(0, |sum, byte| (31 * sum + usize::from(byte)) % 997)
}

/// The style of an algorithm's variant number `variant` (threads, drawn or not): the same colour and
/// marker, another dash.
pub fn variant_style(algorithm: &str, variant: usize) -> Style {
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
        for (place, family) in ALGORITHMS.families().enumerate() {
            assert_eq!(style_of(family.id), Style::nth(place), "variants come after the families");
        }
        assert_eq!(style_of("of-another-version"), style_of("of-another-version"));
        let [a, b, c] = ["bsp@depth=1", "bsp@depth=2", "kd-tree@depth=4"].map(style_of);
        assert!(a != b && b != c && c != a);
        assert_eq!(a.color, style_of("bsp").color);
    }
}
