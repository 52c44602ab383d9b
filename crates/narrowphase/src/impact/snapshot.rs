//! Static tests of two moving bodies at one time.

use super::moving_pair::MovingPair;
use crate::narrow::{AxisSearch, Distance, Found};
use crate::pair::{Frame, PartPair};
use crate::reference::{Reference, part_gap};
use glam::DVec3;

/// Tests that keep their scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    axes: AxisSearch,
    reference: Reference,
}

/// Coordinates further apart than this have squares that are not finite, or soon.
const FAR: f64 = 1e100;

impl Snapshot {
    /// Whether the bodies are at most `margin` apart after `time` seconds, by GJK.
    pub(super) fn touches(
        &mut self,
        moving: &MovingPair,
        time: f64,
        margin: f64,
        steps: &mut u64,
    ) -> bool {
        *steps += 1;
        let [a, b] = moving.at(time);
        let between = (b.pose.position - a.pose.position).abs().max_element();
        if between > a.bounding_radius() + b.bounding_radius() + margin {
            return false;
        }
        Frame::new(&a, &b).pairs(&a, &b).any(|pair| {
            let pair = PartPair { radius: pair.radius + margin, ..pair };
            let distance = Distance::until_decided(&pair, pair.direction_of_centres());
            match distance.found {
                Found::Apart => distance.lower <= pair.radius,
                Found::Overlapping => true,
                Found::Unresolved => part_gap(&mut self.axes, &pair, f64::INFINITY)
                    .is_some_and(|found| found.gap <= 0.0),
            }
        })
    }

    /// The signed gap after `time` seconds, or less where the bodies are far apart, and its axis: a unit vector of the
    /// world from the first body to the second.
    pub(super) fn gap(&mut self, moving: &MovingPair, time: f64, steps: &mut u64) -> (f64, DVec3) {
        *steps += 1;
        let [a, b] = moving.at(time);
        let between = b.pose.position - a.pose.position;
        let apart = between.abs().max_element();
        if apart > FAR {
            let axis = (between / apart).normalize_or(DVec3::X);
            return (apart - a.bounding_radius() - b.bounding_radius(), axis);
        }
        self.reference.examine(&a, &b);
        self.reference.nearest().map_or((f64::INFINITY, DVec3::X), |part| (part.gap, part.axis))
    }
}
