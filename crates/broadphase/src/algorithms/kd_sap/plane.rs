//! The plane of a node, and the items that it divides.

use crate::regions::Plane;
use crate::spread::Spread;
use crate::{Aabb, Axis};

/// Most objects of a node that are read to choose its plane, and its sweep axis.
const SAMPLE: usize = 256;

/// An object with its box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) b: Aabb,
    pub(super) object: u32,
    /// The highest upper bound on the sweep axis in its list, up to there.
    pub(super) reach: f32,
}

impl Item {
    pub(super) fn new(b: Aabb, object: u32) -> Self {
        Self { b, object, reach: f32::NEG_INFINITY }
    }
}

/// Whether a plane straddles not many more objects than it puts on either side, and divides the others into comparable
/// halves.
fn is_useful(plane: Plane, items: &[Item]) -> bool {
    let [mut low, mut across, mut high] = [0usize; 3];
    for item in sample(items) {
        match plane.touches(&item.b) {
            [true, true] => across += 1,
            [true, false] => low += 1,
            _ => high += 1,
        }
    }
    let smaller = low.min(high);
    2 * across <= 3 * smaller && 8 * smaller >= low + across + high
}

/// The mean on the axis of the largest variance, from a sample of the items. Where that is no useful plane, the median,
/// which is robust against outliers; then the other axes. `values` is scratch.
pub(super) fn choose(items: &[Item], values: &mut Vec<f32>) -> Option<Plane> {
    let spread = Spread::of(sample(items).map(|item| &item.b))?;
    let mut axes = Axis::ALL;
    axes.sort_by(|a, b| spread.variance(*b).total_cmp(&spread.variance(*a)));
    for axis in axes.into_iter().filter(|axis| spread.variance(*axis) > 0.0) {
        let mean = Plane { axis, position: spread.mean(axis) };
        if is_useful(mean, items) {
            return Some(mean);
        }
        values.clear();
        values.extend(sample(items).map(|item| item.b.center()[axis.index()]));
        let half = values.len() / 2;
        let position = *values.select_nth_unstable_by(half, f32::total_cmp).1;
        let median = Plane { axis, position };
        if is_useful(median, items) {
            return Some(median);
        }
    }
    None
}

/// The axis with the fewest overlaps in a sweep of some items.
pub(super) fn sweep_axis(items: &[Item]) -> Axis {
    let spread = Spread::of(sample(items).map(|item| &item.b));
    spread.map_or(Axis::X, |spread| spread.sweep_axis())
}

/// At most [`SAMPLE`] of the items, evenly spread.
fn sample(items: &[Item]) -> impl Iterator<Item = &Item> {
    items.iter().step_by(items.len().div_ceil(SAMPLE).max(1))
}
