//! Values of the command line.

use super::{Configured, StepRange};
use crate::view::expected_id;
use broadphase::registry::{Algorithm, Algorithms, ParameterError};

/// Reads the id of an algorithm of a list.
pub(super) fn algorithm_of(
    offered: Algorithms,
) -> impl Fn(&str) -> Result<&'static Algorithm, String> + Clone + Send + Sync {
    move |id| offered.resolve(id).map_err(|error| refusal(offered, error))
}

/// Reads values of a parameter of an algorithm of a list.
pub(super) fn values_of(
    offered: Algorithms,
) -> impl Fn(&str) -> Result<Configured, String> + Clone + Send + Sync {
    move |text| {
        offered.resolve_values(text).map(Configured).map_err(|error| refusal(offered, error))
    }
}

/// The message of an error, with all ids where the id is unknown.
fn refusal(offered: Algorithms, error: ParameterError) -> String {
    match error {
        ParameterError::Algorithm(_) => expected_id(offered.iter().map(|entry| entry.id)),
        error => error.to_string(),
    }
}

/// Answers an option that is gone.
pub(super) fn refuse_impact(_: &str) -> Result<(), String> {
    Err("the window draws first contacts, and no longer chooses a method for them: leave the option out; \
         `harness bodies --impacts` compares the methods"
        .to_owned())
}

pub(super) fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("expected a share from 0 to 1, as in 0.25, not {text:?}"))
}

pub(super) fn parse_steps(text: &str) -> Result<StepRange, String> {
    let expected = || format!("expected the first and the last step, as in 60..300, not {text:?}");
    let (first, last) = text.split_once("..").ok_or_else(expected)?;
    let step = |step: &str| step.parse().ok().filter(|n| *n <= 1_000_000_000);
    let steps = step(first).ok_or_else(expected)?..=step(last).ok_or_else(expected)?;
    if steps.is_empty() { Err(expected()) } else { Ok(steps) }
}

pub(super) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let expected = || format!("expected width x height in pixels, as in 1280x720, not {text:?}");
    let (width, height) = text.split_once('x').ok_or_else(expected)?;
    let side = |side: &str| side.parse().ok().filter(|n| (1..=16_384).contains(n));
    Ok([side(width).ok_or_else(expected)?, side(height).ok_or_else(expected)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_steps_are_refused() {
        assert_eq!(parse_steps("60..300"), Ok(60..=300));
        assert_eq!(parse_steps("7..7"), Ok(7..=7));
        for bad in ["", "7", "7..", "..7", "8..7", "-1..7", "1...7", "0..1000000001"] {
            assert!(parse_steps(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn invalid_sizes_are_refused() {
        assert_eq!(parse_size("640x360"), Ok([640, 360]));
        for bad in ["", "640", "640x", "0x9", "axb", "640x360x2", "99999x9"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
