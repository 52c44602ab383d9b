//! The search for the nearest point of the difference.

use glam::DVec3;

use super::simplex::{Corner, Simplex};
use crate::pair::{BAND, PartPair};

/// Steps before a search is given up. Measured: 10^6 random pairs take at most 30.
const MAX_STEPS: u32 = 100;

/// Steps without a nearer point before the bounds are taken as they are.
const MAX_STALLS: u32 = 6;

/// Bounds of the distance that are this close, relative to the size of the pair, are equal. It is
/// far below the band of 1e-9 within which either answer is right.
const RESOLUTION: f64 = 1e-11;

/// Bounds of the distance of two cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    pub(crate) found: Found,
    /// A unit vector from the first core to the second, along which their gap is `lower`.
    pub(crate) axis: DVec3,
    /// At most the distance; negative if no axis with a gap was found.
    pub(crate) lower: f64,
    /// At least the distance, to rounding.
    pub(crate) upper: f64,
    /// Points of the difference that were found.
    pub(crate) steps: u32,
    simplex: Simplex,
    /// Point of the difference nearest to the origin.
    nearest: DVec3,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The bounds of the distance are what the caller asked for.
    Apart,
    /// The cores have a common point.
    Overlapping,
    /// Neither: the bounds do not agree, and no step brings them closer.
    Unresolved,
}

impl Distance {
    /// Searches from `start`, a unit vector, until the bounds say whether the distance is above the
    /// rounding radii.
    pub(crate) fn until_decided(pair: &PartPair, start: DVec3) -> Self {
        search(pair, start, |lower, upper| lower > pair.radius || upper <= pair.radius)
    }

    /// Searches from `start`, a unit vector, until the bounds agree, or the distance is known to be above `enough`.
    pub(crate) fn exact_up_to(pair: &PartPair, start: DVec3, enough: f64) -> Self {
        search(pair, start, |lower, _| lower > enough)
    }

    /// Whether the cores are so near that both answers are right, although the bounds do not agree.
    pub(crate) fn is_within_rounding(&self, pair: &PartPair) -> bool {
        self.upper - pair.radius <= 0.1 * BAND * pair.frame.size()
    }

    /// How the search ends at its present bounds, if it does.
    fn end(&self, size: f64, is_enough: &impl Fn(f64, f64) -> bool) -> Option<Found> {
        if is_enough(self.lower, self.upper) {
            return Some(Found::Apart);
        }
        if self.upper <= RESOLUTION * size {
            return Some(Found::Overlapping);
        }
        if self.upper - self.lower <= 1e-12 * self.upper + 1e-15 * size {
            return Some(Found::Apart);
        }
        (self.steps >= MAX_STEPS).then_some(Found::Unresolved)
    }

    /// The nearest points of both cores, or twice a common point.
    pub(crate) fn witnesses(&self) -> (DVec3, DVec3) {
        self.simplex.witnesses(self.nearest)
    }
}

/// Searches from `start`, and from other directions if rounding stops the search: about one in a
/// million random pairs.
fn search(pair: &PartPair, start: DVec3, is_enough: impl Fn(f64, f64) -> bool) -> Distance {
    let mut distance = search_from(pair, start, &is_enough);
    for other in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
        if distance.found != Found::Unresolved {
            break;
        }
        let steps = distance.steps;
        distance = search_from(pair, other, &is_enough);
        distance.steps += steps;
    }
    distance
}

fn search_from(pair: &PartPair, start: DVec3, is_enough: &impl Fn(f64, f64) -> bool) -> Distance {
    let size = pair.frame.size();
    let mut near = [0; 2];
    let first = corner(pair, start, &mut near);
    let mut nearest = first.difference;
    let mut simplex = Simplex::new(first);
    let (found, axis) = (Found::Apart, start);
    let (lower, upper) = (-nearest.dot(start), nearest.length());
    let mut distance = Distance { found, axis, lower, upper, steps: 1, simplex, nearest };
    let mut stalled = 0;
    loop {
        if let Some(found) = distance.end(size, is_enough) {
            return Distance { found, ..distance };
        }
        let axis = -nearest / nearest.length();
        let next = corner(pair, axis, &mut near);
        distance.steps += 1;
        let gap = -next.difference.dot(axis);
        if gap > distance.lower {
            distance.lower = gap;
            distance.axis = axis;
            if is_enough(gap, distance.upper) {
                return distance;
            }
        }
        simplex.push(next);
        let Some(point) = simplex.reduce() else {
            let found = Found::Overlapping;
            return Distance { found, axis, simplex, nearest: DVec3::ZERO, ..distance };
        };
        nearest = point;
        let length = point.length();
        if length < distance.upper {
            distance.simplex = simplex;
            distance.nearest = point;
            distance.upper = length;
        } else {
            // Where the distance is hardly more than rounding, another axis may still have a
            // greater gap.
            stalled += 1;
            if stalled > MAX_STALLS {
                let is_exact = distance.upper - distance.lower <= RESOLUTION * size;
                let found = if is_exact { Found::Apart } else { Found::Unresolved };
                return Distance { found, ..distance };
            }
        }
    }
}

/// The point of the difference that is furthest against `axis`.
fn corner(pair: &PartPair, axis: DVec3, near: &mut [usize; 2]) -> Corner {
    let (first, second) = pair.support(axis, near);
    Corner { difference: first - second, first }
}
