//! The parts of a structure, and of what is known of bodies, in a picture, as named on the command line.

use crate::composer::DrawOptions;
use crate::simulation::Levels;
use broadphase::inspect::{Caption, Overlay};
use broadphase::registry::{Algorithm, Algorithms};
use std::fmt;
use std::str::FromStr;

/// The overlays of bodies, with their words.
const OF_BODIES: [(&str, PartKind); 8] = [
    ("aabbs", PartKind::Aabbs),
    ("volumes", PartKind::Volumes),
    ("contacts", PartKind::Contacts),
    ("normals", PartKind::Normals),
    ("impacts", PartKind::Impacts),
    ("paths", PartKind::Paths),
    ("waiting", PartKind::Waiting),
    ("parts", PartKind::Parts),
];

/// The words for the parts.
fn words() -> impl Iterator<Item = (&'static str, PartKind)> {
    Overlay::ALL.map(|overlay| (overlay.word(), overlay.into())).into_iter().chain(OF_BODIES)
}

/// What can be drawn besides the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A part of the algorithm's structure.
    Structure(Overlay),
    /// The boxes of bodies.
    Aabbs,
    /// The bounding volumes of bodies.
    Volumes,
    /// The points where bodies touch.
    Contacts,
    /// The contact normals there.
    Normals,
    /// First contacts within the step.
    Impacts,
    /// The paths of the bodies that met within it.
    Paths,
    /// The bodies that waited in it.
    Waiting,
    /// The boxes of the parts of bodies.
    Parts,
}

impl From<Overlay> for PartKind {
    fn from(overlay: Overlay) -> Self {
        Self::Structure(overlay)
    }
}

/// A part that is to be drawn: `planes`, `boxes:2`, `volumes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturePart {
    /// The part.
    pub shown: PartKind,
    /// Levels of planes and boxes. `None` keeps the default.
    pub levels: Option<Levels>,
}

impl PicturePart {
    /// All parts, with their words.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        words().map(|(word, shown)| (word, Self { shown, levels: None }))
    }

    /// Whether a picture has it: the matrix is drawn in the legend of the window.
    pub fn is_in_pictures(self) -> bool {
        self.shown != Overlay::Matrix.into()
    }

    /// Whether it is drawn of bodies alone.
    pub fn is_of_bodies(self) -> bool {
        !matches!(self.shown, PartKind::Structure(_))
    }

    /// Whether it can be drawn while an algorithm runs.
    pub fn is_shown_by(self, algorithm: &Algorithm) -> bool {
        match self.shown {
            PartKind::Structure(overlay) => algorithm.shows(overlay),
            _ => true,
        }
    }

    /// Switches its drawing on.
    pub fn switch_on(self, options: &mut DrawOptions) {
        match self.shown {
            PartKind::Structure(Overlay::Planes) => {
                options.plane_depth =
                    self.levels.map_or(options.plane_depth, |levels| levels.depth);
            }
            PartKind::Structure(Overlay::TreeBoxes) => {
                options.tree_levels = self.levels.unwrap_or(options.tree_levels);
            }
            _ => {}
        }
        switch(self.shown, options, true);
    }

    /// The parts that are switched on, of those that an algorithm has, and of bodies if there are any.
    pub fn switched_on(
        options: &DrawOptions,
        algorithm: &Algorithm,
        has_bodies: bool,
    ) -> Vec<Self> {
        let (planes, tree) =
            (Levels { depth: options.plane_depth, only: false }, options.tree_levels);
        let parts = words().map(|(_, shown)| {
            let levels = match shown {
                PartKind::Structure(Overlay::Planes) => Some(planes),
                PartKind::Structure(Overlay::TreeBoxes) => Some(tree),
                _ => None,
            };
            Self { shown, levels }
        });
        let offered = parts
            .filter(|part| part.is_shown_by(algorithm) && (has_bodies || !part.is_of_bodies()));
        offered.filter(|part| is_on(part.shown, options)).collect()
    }
}

/// Switches a part on or off.
fn switch(shown: PartKind, options: &mut DrawOptions, on: bool) {
    match shown {
        PartKind::Structure(overlay) => options.overlays.set(overlay, on),
        PartKind::Aabbs => options.body_boxes = on,
        PartKind::Volumes => options.volumes = on,
        PartKind::Contacts => options.contact_points = on,
        PartKind::Normals => options.contact_normals = on,
        PartKind::Impacts => options.impacts = on,
        PartKind::Paths => options.paths = on,
        PartKind::Waiting => options.waiting = on,
        PartKind::Parts => options.parts = on,
    }
}

/// Whether a part is switched on.
fn is_on(shown: PartKind, options: &DrawOptions) -> bool {
    match shown {
        PartKind::Structure(overlay) => options.shows(overlay),
        PartKind::Aabbs => options.body_boxes,
        PartKind::Volumes => options.volumes,
        PartKind::Contacts => options.contact_points,
        PartKind::Normals => options.contact_normals,
        PartKind::Impacts => options.impacts,
        PartKind::Paths => options.paths,
        PartKind::Waiting => options.waiting,
        PartKind::Parts => options.parts,
    }
}

impl fmt::Display for PicturePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(self.shown))?;
        match self.levels {
            None => Ok(()),
            Some(Levels { depth, only: false }) => write!(f, ":{depth}"),
            Some(Levels { depth, only: true }) => write!(f, ":={depth}"),
        }
    }
}

impl FromStr for PicturePart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, depth) = match text.split_once(':') {
            Some((word, depth)) => (word, Some(depth)),
            None => (text, None),
        };
        let Some((_, shown)) = words().find(|(known, _)| *known == word) else {
            let words: Vec<_> = words().map(|(word, _)| word).collect();
            return Err(format!("expected {NO_PART} or one of {}, not {word:?}", words.join(", ")));
        };
        let levels = match (depth, shown) {
            (None, _) => None,
            (Some(text), PartKind::Structure(Overlay::Planes | Overlay::TreeBoxes)) => {
                let (only, depth) = match text.strip_prefix('=') {
                    Some(depth) if shown == Overlay::TreeBoxes.into() => (true, depth),
                    _ => (false, text),
                };
                let depth = depth.parse().map_err(|_| {
                    format!("expected a depth after {word}:, as in {word}:2, not {text:?}")
                })?;
                Some(Levels { depth, only })
            }
            (Some(_), _) => return Err(format!("only planes and boxes have a depth, not {word}")),
        };
        Ok(Self { shown, levels })
    }
}

/// A word of the option `--show`: a part, or `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartWord(pub Option<PicturePart>);

/// The word for no part.
pub const NO_PART: &str = "none";

impl FromStr for PartWord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NO_PART { Ok(Self(None)) } else { text.parse().map(|part| Self(Some(part))) }
    }
}

/// Why a part cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NothingToShow {
    /// The chosen algorithm has no such part.
    #[error("{algorithm} has no {missing} to show, {}", Offer(.offers))]
    Chosen {
        /// Its id.
        algorithm: &'static str,
        /// The word for the missing part.
        missing: &'static str,
        /// The parts that it has.
        offers: &'static [Caption],
    },
    /// No algorithm has all of the parts.
    #[error("no algorithm has all of these parts to show; draw a picture of each")]
    All,
}

/// The parts of an algorithm, in words.
struct Offer<'a>(&'a [Caption]);

impl fmt::Display for Offer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.0.iter().map(|caption| caption.overlay.word()).collect();
        match words.is_empty() {
            true => write!(f, "nor anything else"),
            false => write!(f, "only {}", words.join(", ")),
        }
    }
}

/// The word for a part.
fn word(shown: PartKind) -> &'static str {
    words().find(|(_, known)| *known == shown).map_or("", |(word, _)| word)
}

/// The algorithm whose structure is drawn: the chosen one, or else the first on offer that has all parts.
///
/// # Errors
///
/// If the chosen algorithm lacks a part, or no algorithm has all of them.
pub fn algorithm_with(
    offered: Algorithms,
    chosen: Option<&'static Algorithm>,
    parts: &[PicturePart],
) -> Result<&'static Algorithm, NothingToShow> {
    let lacks = |entry: &Algorithm| parts.iter().find(|part| !part.is_shown_by(entry));
    // Without parts brute force would do too, but takes n² time a frame.
    let mut structured = offered.iter().filter(|row| !row.overlays.is_empty());
    match chosen {
        None => structured.find(|row| lacks(row).is_none()).ok_or(NothingToShow::All),
        Some(row) => match lacks(row) {
            None => Ok(row),
            Some(part) => Err(NothingToShow::Chosen {
                algorithm: row.id,
                missing: word(part.shown),
                offers: row.overlays,
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::inspect::OverlaySet;
    use broadphase::registry::ALGORITHMS;

    fn parts(text: &str) -> Vec<PicturePart> {
        text.split(',').filter(|t| !t.is_empty()).map(|t| t.parse().expect("a part")).collect()
    }

    fn id(chosen: Option<&str>, text: &str) -> Result<&'static str, String> {
        let chosen = chosen.map(|id| broadphase::registry::find(id).expect("an algorithm"));
        algorithm_with(ALGORITHMS, chosen, &parts(text))
            .map(|entry| entry.id)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn unknown_parts_are_refused_with_the_known_ones() {
        let levels = |only| Some(Levels { depth: 2, only });
        let boxes = |only| PicturePart { shown: Overlay::TreeBoxes.into(), levels: levels(only) };
        let curve = PicturePart { shown: Overlay::Curve.into(), levels: None };
        assert_eq!(parts("boxes:2,curve,boxes:=2"), [boxes(false), curve, boxes(true)]);
        for (bad, expected) in [
            (
                "cells",
                "expected none or one of planes, regions, boxes, lists, curve, fat, pairs, blocks, matrix, ",
            ),
            (
                "cells",
                ", aabbs, volumes, contacts, normals, impacts, paths, waiting, parts, not \"cells\"",
            ),
            ("", "not \"\""),
            ("boxes:", "as in boxes:2, not \"\""),
            ("planes:-1", "as in planes:2, not \"-1\""),
            ("planes:=1", "as in planes:2, not \"=1\""),
            ("lists:1", "only planes and boxes have a depth, not lists"),
        ] {
            let message = bad.parse::<PicturePart>().expect_err(bad);
            assert!(message.contains(expected), "{bad}: {message}");
        }
    }

    #[test]
    fn each_word_switches_on_its_part_alone() {
        let off = DrawOptions::of_scene(&sim::Scene::default());
        for entry in ALGORITHMS {
            for overlay in entry.overlays.iter().map(|caption| caption.overlay) {
                let part: PicturePart = overlay.word().parse().expect("a word");
                assert_eq!(part, PicturePart { shown: overlay.into(), levels: None });
                let mut on = off;
                part.switch_on(&mut on);
                let alone = OverlaySet::of(&[overlay]);
                assert_eq!(on, DrawOptions { overlays: alone, ..off });
                assert_eq!(on.watch(None).overlays, alone);
            }
        }
    }

    #[test]
    fn words_for_bodies_are_those_of_any_algorithm() {
        let off = DrawOptions::of_scene(&sim::Scene::default());
        let mut on = off;
        parts("volumes,contacts").into_iter().for_each(|part| part.switch_on(&mut on));
        assert_eq!(on, DrawOptions { volumes: true, contact_points: true, ..off });
        parts("aabbs,normals,impacts,paths,waiting,parts")
            .into_iter()
            .for_each(|part| part.switch_on(&mut on));
        for entry in ALGORITHMS {
            let words = |has_bodies| -> Vec<String> {
                PicturePart::switched_on(&on, entry, has_bodies)
                    .iter()
                    .map(PicturePart::to_string)
                    .collect()
            };
            let all = OF_BODIES.map(|(word, _)| word);
            assert_eq!(words(true), all);
            assert_eq!(words(false), [] as [&str; 0]);
        }
        assert_eq!(id(Some("brute-force"), "volumes"), Ok("brute-force"));
        assert_eq!(id(None, "volumes,curve"), Ok("bvh-linear"));
    }

    #[test]
    fn depths_are_taken_from_the_words() {
        let mut options = DrawOptions::of_scene(&sim::Scene::default());
        parts("planes:7,boxes:9").into_iter().for_each(|part| part.switch_on(&mut options));
        assert_eq!((options.plane_depth, options.tree_levels.depth), (7, 9));
    }

    #[test]
    fn switched_on_parts_are_those_that_were_named() {
        let bvh = broadphase::registry::find("bvh-linear").unwrap();
        for text in ["boxes:9,curve", "boxes:=3", ""] {
            let mut options = DrawOptions::of_scene(&sim::Scene::default());
            parts(text).into_iter().for_each(|part| part.switch_on(&mut options));
            // It has no planes.
            options.overlays.set(Overlay::Planes, true);
            let words: Vec<String> = PicturePart::switched_on(&options, bvh, false)
                .iter()
                .map(PicturePart::to_string)
                .collect();
            assert_eq!(words.join(","), text);
        }
    }

    #[test]
    fn missing_part_is_refused_with_the_parts_there_are() {
        assert_eq!(id(Some("bvh-linear"), "boxes:1,curve"), Ok("bvh-linear"));
        let refusal = id(Some("bsp"), "planes,curve");
        assert_eq!(refusal, Err("bsp has no curve to show, only planes, regions".into()));
        let refusal = id(Some("brute-force"), "boxes");
        assert_eq!(refusal, Err("brute-force has no boxes to show, nor anything else".into()));
    }

    #[test]
    fn first_algorithm_with_all_parts_is_the_default() {
        assert_eq!(id(None, ""), Ok("bsp"));
        assert_eq!(id(None, "regions"), Ok("bsp"));
        assert_eq!(id(None, "curve"), Ok("bvh-linear"));
        assert!(id(None, "lists,curve").expect_err("none").contains("a picture of each"));
    }
}
