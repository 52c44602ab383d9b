//! The answer that all methods are compared with, and that the motion of a world follows.

use glam::DVec3;

use crate::narrow::{AxisSearch, Distance, Found};
use crate::oracle::BAND;
use crate::pair::{Frame, PartPair};
use crate::{Answer, Body};

/// GJK from a cold start for separated parts, the greatest gap over the axes of SAT for overlapping
/// ones.
///
/// It tests all pairs of parts. It keeps its scratch and nothing else: an answer depends on the two
/// bodies alone.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    axes: AxisSearch,
    parts: Vec<PartVerdict>,
}

/// What the reference knows of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// With its witness: an axis for convex bodies, a point for touching ones. Compounds have an
    /// axis for each pair of parts, in [`Reference::parts`].
    pub answer: Answer,
    /// The distance, or the negative penetration depth of the deepest pair of parts.
    pub gap: f64,
    /// Whether the gap is within the band of 1e-9 of size and distance, where either answer is
    /// right.
    pub is_in_band: bool,
}

/// What the reference knows of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartVerdict {
    /// Index of the first body's part.
    pub part_a: usize,
    /// Index of the second body's part.
    pub part_b: usize,
    /// The distance, or the negative penetration depth.
    pub gap: f64,
    /// A unit vector of the world, from the first to the second part: the gap is along it.
    pub axis: DVec3,
    /// A point of the world in both, if they touch.
    pub point: Option<DVec3>,
}

impl Reference {
    /// A reference without scratch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tests two bodies.
    pub fn examine(&mut self, a: &Body, b: &Body) -> Verdict {
        let frame = Frame::new(a, b);
        self.parts.clear();
        for (part_a, one) in a.shape.parts().iter().enumerate() {
            for (part_b, other) in b.shape.parts().iter().enumerate() {
                let PartGap { gap, axis, point } =
                    part_gap(&mut self.axes, &frame.parts(one, other));
                let axis = a.pose.rotation * axis;
                let point = point.map(|point| a.pose.point(point));
                self.parts.push(PartVerdict { part_a, part_b, gap, axis, point });
            }
        }
        let nearest = self.parts.iter().min_by(|one, other| one.gap.total_cmp(&other.gap));
        let Some(nearest) = nearest else {
            return Verdict { answer: Answer::Failed, gap: f64::NAN, is_in_band: false };
        };
        let answer = if !nearest.gap.is_finite() {
            // A pose or a scale is not a number, or infinite.
            Answer::Failed
        } else if nearest.gap > 0.0 {
            let axis = (self.parts.len() == 1).then_some(nearest.axis);
            Answer::Separated { axis }
        } else {
            Answer::Touching { point: nearest.point }
        };
        let is_in_band = nearest.gap.abs() <= BAND * frame.size();
        Verdict { answer, gap: nearest.gap, is_in_band }
    }

    /// All pairs of parts of the bodies examined last, by the first body's part, then the second's.
    #[must_use]
    pub fn parts(&self) -> &[PartVerdict] {
        &self.parts
    }
}

/// Gap, axis and common point of two parts, in the frame of the first body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartGap {
    pub(crate) gap: f64,
    pub(crate) axis: DVec3,
    pub(crate) point: Option<DVec3>,
}

pub(crate) fn part_gap(axes: &mut AxisSearch, pair: &PartPair) -> PartGap {
    let distance = Distance::exact(pair, pair.direction_of_centres());
    if distance.found == Found::Apart {
        let gap = distance.upper - pair.radius;
        let (first, second) = distance.witnesses();
        let point = (gap <= 0.0).then(|| pair.between(first, second));
        return PartGap { gap, axis: distance.axis, point };
    }
    let best = axes.greatest_gap(pair);
    let gap = best.gap - pair.radius;
    // Where the search was not resolved, the axes alone decide.
    let point = match distance.found {
        Found::Overlapping => Some(distance.witnesses().0),
        _ if distance.is_within_rounding(pair) => {
            let (first, second) = distance.witnesses();
            Some(pair.between(first, second))
        }
        _ => None,
    };
    PartGap { gap, axis: best.axis, point }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Shape};
    use glam::DQuat;

    #[test]
    fn bodies_that_are_nowhere_get_no_answer() {
        let cube = Shape::cuboid(DVec3::ONE).unwrap();
        let good = Body::new(&cube, Pose::IDENTITY);
        let nowhere = Pose { position: DVec3::new(f64::NAN, 0.0, 0.0), ..Pose::IDENTITY };
        let far = Pose { position: DVec3::X * f64::INFINITY, ..Pose::IDENTITY };
        let turned = Pose { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, f64::NAN), ..Pose::IDENTITY };
        let mut bad: Vec<Body> =
            [nowhere, far, turned].iter().map(|pose| Body::new(&cube, *pose)).collect();
        bad.push(Body { scale: f64::NAN, ..good });
        for body in bad {
            for [a, b] in [[&good, &body], [&body, &good]] {
                assert_eq!(Reference::new().examine(a, b).answer, Answer::Failed, "{a:?}, {b:?}");
            }
        }
    }
}
