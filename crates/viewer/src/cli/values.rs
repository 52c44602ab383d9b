//! Values of the command line.

use super::{Configured, StepRange};
use crate::composer::PLANE_OPACITIES;
use crate::parts::{NO_PART, PartKind, PicturePart};
use crate::simulation::ColorBy;
use broadphase::registry::{Algorithm, Algorithms, ParameterError};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use narrowphase::BoxKind;
use narrowphase::narrow::{self, NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{self, VOLUMES, VolumeKind};

/// The help of `--show`, with the words of all parts.
pub(super) fn show_help() -> String {
    let words = |of_bodies: bool| {
        let parts = PicturePart::all().filter(|(_, part)| part.is_of_bodies() == of_bodies);
        parts.map(|(word, part)| explained(word, part)).collect::<Vec<_>>().join(", ")
    };
    format!(
        "Show these parts, in the window or the screenshot. Of the structure: {}; planes and boxes down to a depth, as \
         in boxes:2 (the root has depth 0), or boxes of one depth, as in boxes:=2. Of bodies: {}. Or {NO_PART}. Without \
         --algorithm, the first algorithm that has all of them is drawn [default: all parts of the structure in the \
         window, none in the screenshot]",
        words(false),
        words(true),
    )
}

/// A word, with the name of its part where that differs.
fn explained(word: &str, part: PicturePart) -> String {
    let name = match part.shown {
        PartKind::Structure(_) if !part.is_in_pictures() => "window only",
        PartKind::Structure(overlay) if !overlay.name().eq_ignore_ascii_case(word) => {
            overlay.name()
        }
        _ => return word.to_owned(),
    };
    format!("{word} ({name})")
}

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

pub(super) fn parse_volume(id: &str) -> Result<&'static VolumeKind, String> {
    volume::find(id).ok_or_else(|| expected_id(VOLUMES.iter().map(|kind| kind.id)))
}

pub(super) fn parse_narrow(id: &str) -> Result<&'static NarrowPhaseKind, String> {
    narrow::find(id).ok_or_else(|| expected_id(NARROW_PHASES.iter().map(|kind| kind.id)))
}

pub(super) fn parse_box_kind(id: &str) -> Result<BoxKind, String> {
    BoxKind::find(id).ok_or_else(|| expected_id(BoxKind::ALL.into_iter().map(BoxKind::id)))
}

/// Answers an option that is gone.
pub(super) fn refuse_impact(_: &str) -> Result<(), String> {
    Err("the window draws first contacts, and no longer chooses a method for them: leave the option out; \
         `harness bodies --impacts` compares the methods"
        .to_owned())
}

/// The message of an unknown id.
fn expected_id(ids: impl Iterator<Item = &'static str>) -> String {
    format!("expected one of {}", ids.collect::<Vec<_>>().join(", "))
}

pub(super) fn color_parser() -> impl TypedValueParser<Value = ColorBy> {
    PossibleValuesParser::new(ColorBy::ALL.map(ColorBy::word)).try_map(|word| {
        let known = ColorBy::ALL.into_iter().find(|color| color.word() == word);
        known.ok_or_else(|| format!("no value {word}"))
    })
}

pub(super) fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("expected a share from 0 to 1, as in 0.25, not {text:?}"))
}

pub(super) fn parse_opacity(text: &str) -> Result<f32, String> {
    let opacity = text.parse().ok().filter(|opacity| PLANE_OPACITIES.contains(opacity));
    let [least, most] = [PLANE_OPACITIES.start(), PLANE_OPACITIES.end()];
    opacity.ok_or_else(|| format!("expected an opacity from {least} to {most}, not {text:?}"))
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
    use broadphase::inspect::Overlay;
    use broadphase::registry::ALGORITHMS;

    #[test]
    fn help_of_show_has_the_word_of_every_part() {
        let help = show_help();
        let overlays = Overlay::ALL.map(Overlay::word);
        for word in
            overlays.into_iter().chain(["aabbs", "volumes", "contacts", "normals", "impacts"])
        {
            assert!(help.contains(&format!(" {word}")), "{word}: {help}");
        }
        for text in [" fat (Fat AABBs), ", " matrix (window only);", " parts. Or none."] {
            assert!(help.contains(text), "{help}");
        }
    }

    #[test]
    fn algorithms_may_set_parameters() {
        let parse_algorithm = algorithm_of(ALGORITHMS);
        assert_eq!(parse_algorithm("bsp").unwrap().id, "bsp");
        assert_eq!(parse_algorithm("bsp@depth=4").unwrap().id, "bsp@depth=4");
        assert!(parse_algorithm("fog").unwrap_err().starts_with("expected one of brute-force, "));
        assert!(parse_algorithm("bsp@depth=99").unwrap_err().contains("from 0 to 12, not `99`"));
    }

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
