//! The parts of a structure, and of what is known of bodies, in a picture, as named on the command line.

use crate::composer::DrawOptions;
use crate::simulation::Levels;
use broadphase::inspect::Overlay;
use broadphase::registry::{Algorithm, Algorithms};
use std::fmt;
use std::str::FromStr;

/// The words for the parts.
const WORDS: [(&str, Shown); 13] = [
    ("planes", Shown::Structure(Overlay::Planes)),
    ("regions", Shown::Structure(Overlay::Regions)),
    ("boxes", Shown::Structure(Overlay::TreeBoxes)),
    ("lists", Shown::Structure(Overlay::Endpoints)),
    ("curve", Shown::Structure(Overlay::Curve)),
    ("fat", Shown::Structure(Overlay::FatBoxes)),
    ("pairs", Shown::Structure(Overlay::CachedPairs)),
    ("blocks", Shown::Structure(Overlay::Blocks)),
    ("matrix", Shown::Structure(Overlay::Matrix)),
    ("aabbs", Shown::Aabbs),
    ("volumes", Shown::Volumes),
    ("contacts", Shown::Contacts),
    ("normals", Shown::Normals),
];

/// What can be drawn besides the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
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
}

impl From<Overlay> for Shown {
    fn from(overlay: Overlay) -> Self {
        Self::Structure(overlay)
    }
}

/// A part that is to be drawn: `planes`, `boxes:2`, `volumes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part.
    pub shown: Shown,
    /// Levels of planes and boxes. `None` keeps the default.
    pub levels: Option<Levels>,
}

impl Part {
    /// Whether a picture has it: the matrix is drawn in the legend of the window.
    pub fn is_in_pictures(self) -> bool {
        self.shown != Overlay::Matrix.into()
    }

    /// Whether it is drawn of bodies alone.
    pub fn is_of_bodies(self) -> bool {
        !matches!(self.shown, Shown::Structure(_))
    }

    /// Whether it can be drawn while an algorithm runs.
    pub fn is_shown_by(self, algorithm: &Algorithm) -> bool {
        match self.shown {
            Shown::Structure(overlay) => algorithm.shows(overlay),
            _ => true,
        }
    }

    /// Switches its drawing on.
    pub fn switch_on(self, options: &mut DrawOptions) {
        match self.shown {
            Shown::Structure(Overlay::Planes) => {
                options.plane_depth =
                    self.levels.map_or(options.plane_depth, |levels| levels.depth);
            }
            Shown::Structure(Overlay::TreeBoxes) => {
                options.tree_levels = self.levels.unwrap_or(options.tree_levels);
            }
            _ => {}
        }
        *switch(self.shown, options) = true;
    }

    /// The parts that are switched on, of those that an algorithm has, and of bodies if there are any.
    pub fn switched_on(
        options: &DrawOptions,
        algorithm: &Algorithm,
        has_bodies: bool,
    ) -> Vec<Self> {
        let mut options = *options;
        let (planes, tree) =
            (Levels { depth: options.plane_depth, only: false }, options.tree_levels);
        let parts = WORDS.iter().map(|(_, shown)| {
            let levels = match shown {
                Shown::Structure(Overlay::Planes) => Some(planes),
                Shown::Structure(Overlay::TreeBoxes) => Some(tree),
                _ => None,
            };
            Self { shown: *shown, levels }
        });
        let offered = parts
            .filter(|part| part.is_shown_by(algorithm) && (has_bodies || !part.is_of_bodies()));
        offered.filter(|part| *switch(part.shown, &mut options)).collect()
    }
}

/// The switch of a part.
fn switch(shown: Shown, options: &mut DrawOptions) -> &mut bool {
    match shown {
        Shown::Structure(overlay) => options.switch_of(overlay),
        Shown::Aabbs => &mut options.body_boxes,
        Shown::Volumes => &mut options.volumes,
        Shown::Contacts => &mut options.contact_points,
        Shown::Normals => &mut options.contact_normals,
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(self.shown).unwrap_or_default())?;
        match self.levels {
            None => Ok(()),
            Some(Levels { depth, only: false }) => write!(f, ":{depth}"),
            Some(Levels { depth, only: true }) => write!(f, ":={depth}"),
        }
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, depth) = match text.split_once(':') {
            Some((word, depth)) => (word, Some(depth)),
            None => (text, None),
        };
        let known = WORDS.iter().find(|(known, _)| *known == word);
        let Some(&(_, shown)) = known else {
            let words: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
            return Err(format!("expected {NO_PART} or one of {}, not {word:?}", words.join(", ")));
        };
        let levels = match (depth, shown) {
            (None, _) => None,
            (Some(text), Shown::Structure(Overlay::Planes | Overlay::TreeBoxes)) => {
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
pub struct Word(pub Option<Part>);

/// The word for no part.
pub const NO_PART: &str = "none";

impl FromStr for Word {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NO_PART { Ok(Self(None)) } else { text.parse().map(|part| Self(Some(part))) }
    }
}

/// Why a part cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NothingToShow {
    /// The chosen algorithm has no such part.
    #[error("{algorithm} has no {missing} to show, {}", Offer(.offers))]
    Chosen {
        /// Its id.
        algorithm: &'static str,
        /// The word for the missing part.
        missing: &'static str,
        /// The parts that it has.
        offers: &'static [Overlay],
    },
    /// No algorithm has all of the parts.
    #[error("no algorithm has all of these parts to show; draw a picture of each")]
    All,
}

/// The parts of an algorithm, in words.
struct Offer<'a>(&'a [Overlay]);

impl fmt::Display for Offer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.0.iter().filter_map(|overlay| word((*overlay).into())).collect();
        match words.is_empty() {
            true => write!(f, "nor anything else"),
            false => write!(f, "only {}", words.join(", ")),
        }
    }
}

/// The word for a part; `None` for one that this program does not know.
fn word(shown: Shown) -> Option<&'static str> {
    WORDS.iter().find(|(_, known)| *known == shown).map(|(word, _)| *word)
}

/// The algorithm whose structure is drawn: the chosen one, or else the first on offer that has all parts.
///
/// # Errors
///
/// If the chosen algorithm lacks a part, or no algorithm has all of them.
pub fn algorithm_with(
    offered: Algorithms,
    chosen: Option<&'static Algorithm>,
    parts: &[Part],
) -> Result<&'static Algorithm, NothingToShow> {
    let lacks = |row: &Algorithm| parts.iter().find(|part| !part.is_shown_by(row));
    // Without parts brute force would do too, but takes n² time a frame.
    let mut structured = offered.iter().filter(|row| !row.overlays.is_empty());
    match chosen {
        None => structured.find(|row| lacks(row).is_none()).ok_or(NothingToShow::All),
        Some(row) => match lacks(row) {
            None => Ok(row),
            Some(part) => Err(NothingToShow::Chosen {
                algorithm: row.id,
                missing: word(part.shown).unwrap_or("such part"),
                offers: row.overlays,
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::registry::ALGORITHMS;

    fn parts(text: &str) -> Vec<Part> {
        text.split(',').filter(|t| !t.is_empty()).map(|t| t.parse().expect("a part")).collect()
    }

    fn id(chosen: Option<&str>, text: &str) -> Result<&'static str, String> {
        let chosen = chosen.map(|id| broadphase::registry::find(id).expect("an algorithm"));
        algorithm_with(ALGORITHMS, chosen, &parts(text))
            .map(|row| row.id)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn unknown_parts_are_refused_with_the_known_ones() {
        let levels = |only| Some(Levels { depth: 2, only });
        let boxes = |only| Part { shown: Overlay::TreeBoxes.into(), levels: levels(only) };
        let curve = Part { shown: Overlay::Curve.into(), levels: None };
        assert_eq!(parts("boxes:2,curve,boxes:=2"), [boxes(false), curve, boxes(true)]);
        for (bad, expected) in [
            (
                "cells",
                "expected none or one of planes, regions, boxes, lists, curve, fat, pairs, blocks, matrix, aabbs, volumes, \
                 contacts, normals, not \"cells\"",
            ),
            ("", "not \"\""),
            ("boxes:", "as in boxes:2, not \"\""),
            ("planes:-1", "as in planes:2, not \"-1\""),
            ("planes:=1", "as in planes:2, not \"=1\""),
            ("lists:1", "only planes and boxes have a depth, not lists"),
        ] {
            let message = bad.parse::<Part>().expect_err(bad);
            assert!(message.contains(expected), "{bad}: {message}");
        }
    }

    #[test]
    fn each_word_switches_on_its_part_alone() {
        let off = DrawOptions::of_scene(&sim::Scene::default());
        for row in ALGORITHMS {
            for (overlay, word) in row.overlays.iter().filter_map(|o| Some((o, word((*o).into())?)))
            {
                let part: Part = word.parse().expect("a word");
                assert_eq!(part, Part { shown: (*overlay).into(), levels: None });
                let mut on = off;
                part.switch_on(&mut on);
                let watch = on.watch(None);
                let shown = [
                    (watch.planes, Overlay::Planes),
                    (watch.regions, Overlay::Regions),
                    (watch.tree_boxes.is_some(), Overlay::TreeBoxes),
                    (watch.endpoints, Overlay::Endpoints),
                    (watch.curve, Overlay::Curve),
                    (watch.fat_boxes, Overlay::FatBoxes),
                    (watch.cached_pairs, Overlay::CachedPairs),
                    (watch.blocks, Overlay::Blocks),
                    (watch.matrix, Overlay::Matrix),
                ];
                assert!(shown.iter().all(|(is_on, of)| *is_on == (of == overlay)), "{overlay:?}");
            }
        }
    }

    #[test]
    fn words_for_bodies_are_those_of_any_algorithm() {
        let off = DrawOptions::of_scene(&sim::Scene::default());
        let mut on = off;
        parts("volumes,contacts").into_iter().for_each(|part| part.switch_on(&mut on));
        assert_eq!(on, DrawOptions { volumes: true, contact_points: true, ..off });
        parts("aabbs,normals").into_iter().for_each(|part| part.switch_on(&mut on));
        for row in ALGORITHMS {
            let words = |has_bodies| -> Vec<String> {
                Part::switched_on(&on, row, has_bodies).iter().map(Part::to_string).collect()
            };
            assert_eq!(words(true), ["aabbs", "volumes", "contacts", "normals"]);
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
            options.planes = true;
            let words: Vec<String> =
                Part::switched_on(&options, bvh, false).iter().map(Part::to_string).collect();
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
