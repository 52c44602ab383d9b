//! What of a structure is drawn in a picture, as the command line says it.

use crate::composer::DrawOptions;
use broadphase::{ALGORITHMS, Algorithm, Overlay};
use std::fmt;
use std::str::FromStr;

/// The words for what a structure can show.
const WORDS: [(&str, Overlay); 5] = [
    ("planes", Overlay::Planes),
    ("regions", Overlay::Regions),
    ("boxes", Overlay::TreeBoxes),
    ("lists", Overlay::Endpoints),
    ("curve", Overlay::Curve),
];

/// A part of a structure that is to be drawn: `planes`, `boxes:2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub overlay: Overlay,
    /// Planes and boxes down to this depth; the root's has depth 0. `None` leaves it as it is.
    pub depth: Option<u32>,
}

impl Part {
    /// Switches it on.
    pub fn switch_on(self, options: &mut DrawOptions) {
        match self.overlay {
            Overlay::Planes => {
                options.planes = true;
                options.plane_depth = self.depth.unwrap_or(options.plane_depth);
            }
            Overlay::Regions => options.regions = true,
            Overlay::TreeBoxes => {
                options.tree_boxes = true;
                let levels = &mut options.tree_levels;
                levels.depth = self.depth.unwrap_or(levels.depth);
            }
            Overlay::Endpoints => options.endpoints = true,
            Overlay::Curve => options.curve = true,
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
        let Some(&(_, overlay)) = known else {
            let words: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
            return Err(format!("expected one of {}, not {word:?}", words.join(", ")));
        };
        let depth = match (depth, overlay) {
            (None, _) => None,
            (Some(depth), Overlay::Planes | Overlay::TreeBoxes) => {
                Some(depth.parse().map_err(|_| {
                    format!("expected a depth after {word}:, as in {word}:2, not {depth:?}")
                })?)
            }
            (Some(_), _) => return Err(format!("{word} have no depth: planes and boxes have")),
        };
        Ok(Self { overlay, depth })
    }
}

/// An algorithm has nothing of what is to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NothingToShow {
    /// The one that was chosen.
    #[error("{algorithm} has no {missing} to show, {}", Offer(.offers))]
    Chosen {
        /// Its id.
        algorithm: &'static str,
        /// The word for what it lacks.
        missing: &'static str,
        /// What it has.
        offers: &'static [Overlay],
    },
    /// None has all of it.
    #[error("no algorithm has all of this to show; draw a picture of each")]
    All,
}

/// What an algorithm can show, for a sentence.
struct Offer<'a>(&'a [Overlay]);

impl fmt::Display for Offer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.0.iter().map(|overlay| word(*overlay)).collect();
        match words.is_empty() {
            true => write!(f, "nor anything else"),
            false => write!(f, "only {}", words.join(", ")),
        }
    }
}

fn word(overlay: Overlay) -> &'static str {
    WORDS.iter().find(|(_, known)| *known == overlay).map_or("part", |(word, _)| word)
}

/// Whose structure is drawn: the algorithm that was chosen, or else the first that has all parts.
///
/// # Errors
///
/// Where a part is not to be had.
pub fn algorithm_with(
    chosen: Option<&'static Algorithm>,
    parts: &[Part],
) -> Result<&'static Algorithm, NothingToShow> {
    let lacks = |row: &Algorithm| parts.iter().map(|p| p.overlay).find(|o| !row.shows(*o));
    // Brute force would do where nothing is asked for, but takes n² a frame.
    let mut structured = ALGORITHMS.iter().filter(|row| !row.overlays.is_empty());
    match chosen {
        None => structured.find(|row| lacks(row).is_none()).ok_or(NothingToShow::All),
        Some(row) => match lacks(row) {
            None => Ok(row),
            Some(overlay) => Err(NothingToShow::Chosen {
                algorithm: row.id,
                missing: word(overlay),
                offers: row.overlays,
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part> {
        text.split(',').filter(|t| !t.is_empty()).map(|t| t.parse().expect("a part")).collect()
    }

    fn id(chosen: Option<&str>, text: &str) -> Result<&'static str, String> {
        let chosen = chosen.map(|id| broadphase::find(id).expect("an algorithm"));
        algorithm_with(chosen, &parts(text)).map(|row| row.id).map_err(|error| error.to_string())
    }

    #[test]
    fn parts_are_read_or_refused_with_what_is_known() {
        let boxes = Part { overlay: Overlay::TreeBoxes, depth: Some(2) };
        let curve = Part { overlay: Overlay::Curve, depth: None };
        assert_eq!(parts("boxes:2,curve"), [boxes, curve]);
        for (bad, expected) in [
            ("cells", "expected one of planes, regions, boxes, lists, curve, not \"cells\""),
            ("", "not \"\""),
            ("boxes:", "as in boxes:2, not \"\""),
            ("planes:-1", "as in planes:2, not \"-1\""),
            ("lists:1", "lists have no depth"),
        ] {
            let told = bad.parse::<Part>().expect_err(bad);
            assert!(told.contains(expected), "{bad}: {told}");
        }
    }

    #[test]
    fn each_part_has_a_word_and_switches_on_itself_alone() {
        let off = DrawOptions::of_scene(&sim::Scene::default());
        for row in ALGORITHMS {
            for overlay in row.overlays {
                let part: Part = word(*overlay).parse().expect("a word");
                assert_eq!(part, Part { overlay: *overlay, depth: None });
                let mut on = off;
                part.switch_on(&mut on);
                let watch = on.watch(None);
                let shown = [
                    (watch.planes, Overlay::Planes),
                    (watch.regions, Overlay::Regions),
                    (watch.tree_boxes.is_some(), Overlay::TreeBoxes),
                    (watch.endpoints, Overlay::Endpoints),
                    (watch.curve, Overlay::Curve),
                ];
                assert!(shown.iter().all(|(is_on, of)| *is_on == (of == overlay)), "{overlay:?}");
            }
        }
    }

    #[test]
    fn depths_are_those_asked_for() {
        let mut options = DrawOptions::of_scene(&sim::Scene::default());
        parts("planes:7,boxes:9").into_iter().for_each(|part| part.switch_on(&mut options));
        assert_eq!((options.plane_depth, options.tree_levels.depth), (7, 9));
    }

    #[test]
    fn what_an_algorithm_has_nothing_of_is_refused_with_what_it_has() {
        assert_eq!(id(Some("bvh-linear"), "boxes:1,curve"), Ok("bvh-linear"));
        let told = id(Some("bsp"), "planes,curve");
        assert_eq!(told, Err("bsp has no curve to show, only planes, regions".into()));
        let told = id(Some("brute-force"), "boxes");
        assert_eq!(told, Err("brute-force has no boxes to show, nor anything else".into()));
    }

    #[test]
    fn where_none_is_chosen_it_is_the_first_that_has_it_all() {
        assert_eq!(id(None, ""), Ok("bsp"));
        assert_eq!(id(None, "regions"), Ok("bsp"));
        assert_eq!(id(None, "curve"), Ok("bvh-linear"));
        assert!(id(None, "lists,curve").expect_err("none").contains("a picture of each"));
    }
}
