//! The marks of an overlay, limited to a number that a screen can show.

use super::tree_boxes::MAX_BOXES;
use broadphase::Pair;
use broadphase::inspect::{BoxMark, Inspect, Mark, Overlay, PairMark};
use glam::Vec3;

/// Most pairs that are kept. More hide each other.
pub const MAX_PAIRS: usize = 20_000;

/// Most points of a curve that are kept.
pub const MAX_POINTS: usize = 20_000;

/// Most objects whose matrix is kept. The cells of more are too small to be seen.
pub const MAX_ROWS: usize = 64;

/// Boxes of objects, pairs or points. An overlay has marks of one shape.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// Boxes. Above [`MAX_BOXES`] objects, those of every n-th object, and of inspected ones.
    pub boxes: Vec<BoxMark>,
    /// Pairs. Above [`MAX_PAIRS`], every n-th one, and all of the picked object.
    pub pairs: Vec<PairMark>,
    /// Points of a curve. Above [`MAX_POINTS`], every n-th one.
    pub points: Vec<Vec3>,
    /// The number of all marks.
    pub number: usize,
    /// Their number by role.
    pub counts: Vec<usize>,
}

impl Layer {
    /// The number of marks that are kept.
    pub fn kept(&self) -> usize {
        self.boxes.len() + self.pairs.len() + self.points.len()
    }

    /// The number of marks with a role.
    pub fn count(&self, role: usize) -> usize {
        self.counts.get(role).copied().unwrap_or_default()
    }

    /// The objects that are in a pair with an object, of those that are kept.
    pub fn partners_of(&self, object: u32) -> impl Iterator<Item = u32> {
        self.pairs.iter().filter_map(move |mark| match mark.pair {
            Pair { a, b } if a == object => Some(b),
            Pair { a, b } if b == object => Some(a),
            _ => None,
        })
    }

    /// Copies the marks of an overlay, and passes all of its boxes to `see_box`.
    pub(super) fn fill(
        &mut self,
        inspect: &dyn Inspect,
        overlay: Overlay,
        objects: usize,
        picked: Option<u32>,
        is_inspected: &dyn Fn(u32) -> bool,
        see_box: &mut dyn FnMut(&BoxMark),
    ) {
        if overlay == Overlay::Matrix && objects > MAX_ROWS {
            return;
        }
        let of_boxes = objects.div_ceil(MAX_BOXES).max(1) as u32;
        inspect.marks(overlay, &mut |mark| {
            self.count_mark(&mark);
            match mark {
                Mark::Box(mark) => {
                    see_box(&mark);
                    if mark.object.is_multiple_of(of_boxes) || is_inspected(mark.object) {
                        self.boxes.push(mark);
                    }
                }
                Mark::Pair(mark) if self.number <= MAX_PAIRS => self.pairs.push(mark),
                Mark::Point(point) if self.number <= MAX_POINTS => self.points.push(point),
                _ => {}
            }
        });
        if self.kept() < self.number && self.boxes.is_empty() {
            self.spread(inspect, overlay, picked);
        }
    }

    /// Keeps pairs and points that are spread over all, whose number is known now.
    fn spread(&mut self, inspect: &dyn Inspect, overlay: Overlay, picked: Option<u32>) {
        self.pairs.clear();
        self.points.clear();
        let of_pairs = self.number.div_ceil(MAX_PAIRS);
        let of_points = self.number.div_ceil(MAX_POINTS);
        let mut place = 0usize;
        inspect.marks(overlay, &mut |mark| {
            match mark {
                Mark::Pair(mark) => {
                    let Pair { a, b } = mark.pair;
                    let is_own = picked.is_some_and(|object| a == object || b == object);
                    if is_own || place.is_multiple_of(of_pairs) {
                        self.pairs.push(mark);
                    }
                }
                Mark::Point(point) if place.is_multiple_of(of_points) => self.points.push(point),
                _ => {}
            }
            place += 1;
        });
    }

    fn count_mark(&mut self, mark: &Mark<'_>) {
        self.number += 1;
        let role = match mark {
            Mark::Box(BoxMark { role, .. }) | Mark::Pair(PairMark { role, .. }) => *role,
            _ => 0,
        };
        if role >= self.counts.len() {
            self.counts.resize(role + 1, 0);
        }
        self.counts[role] += 1;
    }

    pub(super) fn clear(&mut self) {
        self.boxes.clear();
        self.pairs.clear();
        self.points.clear();
        self.counts.clear();
        self.number = 0;
    }
}
