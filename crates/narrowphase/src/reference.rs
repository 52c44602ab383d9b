//! The answer that all methods are compared with, and that the motion of a world follows.

use glam::DVec3;

use crate::answer::Answer;
use crate::body::Body;
use crate::narrow::{AxisSearch, Distance, Found, lowest_above};
use crate::pair::{BAND, Frame, PartPair};

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

/// The reference's answer for two bodies.
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

/// The reference's answer for two parts.
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
        self.gather(&frame, a, b, f64::INFINITY);
        let Some(nearest) = self.nearest() else {
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

    /// Finds the pairs of parts whose gap is at most `reach`; pairs further apart may be left out.
    ///
    /// The answer for a pair is that of [`examine`](Self::examine), to the last bit. It takes less time
    /// where most parts are apart: a search ends as soon as a pair is known to be beyond `reach`.
    pub fn near(&mut self, a: &Body, b: &Body, reach: f64) -> &[PartVerdict] {
        self.gather(&Frame::new(a, b), a, b, reach);
        &self.parts
    }

    /// Pairs of parts of the bodies examined last, by the first body's part, then the second's: all of them, or those
    /// that are [`near`](Self::near).
    #[must_use]
    pub fn parts(&self) -> &[PartVerdict] {
        &self.parts
    }

    /// The pair of parts with the least gap of those.
    #[must_use]
    pub fn nearest(&self) -> Option<&PartVerdict> {
        self.parts.iter().min_by(|one, other| one.gap.total_cmp(&other.gap))
    }

    fn gather(&mut self, frame: &Frame, a: &Body, b: &Body, reach: f64) {
        self.parts.clear();
        // A search ends only where rounding cannot turn its answer.
        let enough = reach + 1e-11 * frame.size();
        for (part_a, one) in a.shape.parts().iter().enumerate() {
            for (part_b, other) in b.shape.parts().iter().enumerate() {
                if frame.least_gap(one, other) > reach {
                    continue;
                }
                let gap = part_gap(&mut self.axes, &frame.parts(one, other), enough);
                if let Some(PartGap { gap, axis, point }) = gap {
                    let axis = a.pose.rotation * axis;
                    let point = point.map(|point| a.pose.point(point));
                    self.parts.push(PartVerdict { part_a, part_b, gap, axis, point });
                }
            }
        }
    }
}

/// Cosine of the angle between planes from which they are one.
const ALIKE: f64 = 1.0 - 1e-12;

/// Visits the face normals of two parts of bodies along which their gap is at least `least`, but for the axis of their
/// verdict. Such planes separate at edges only.
///
/// # Panics
///
/// If the bodies have no such parts.
pub fn face_planes(
    [a, b]: &[Body; 2],
    &PartVerdict { part_a, part_b, axis: known, .. }: &PartVerdict,
    least: f64,
    mut visit: impl FnMut(PartVerdict),
) {
    let frame = Frame::new(a, b);
    let pair = frame.parts(&a.shape.parts()[part_a], &b.shape.parts()[part_b]);
    let (core_a, core_b) = (pair.a.core(), pair.b.core());
    let mut consider = |axis: DVec3, base: f64, vertices: &[DVec3], local: DVec3| {
        let base = base + axis.dot(frame.translation) - pair.radius;
        if let Some(lowest) = lowest_above(vertices, local, least - base, &mut 0) {
            let (gap, axis) = (base + lowest, a.pose.rotation * axis);
            if axis.dot(known) < ALIKE {
                visit(PartVerdict { part_a, part_b, gap, axis, point: None });
            }
        }
    };
    for face in core_a.faces() {
        let local = frame.matrix.transpose() * face.normal;
        consider(face.normal, -frame.scale_a * face.offset, core_b.vertices(), local);
    }
    for face in core_b.faces() {
        let axis = -(frame.rotation * face.normal);
        consider(axis, -frame.scale_b * face.offset, core_a.vertices(), axis * -frame.scale_a);
    }
}

/// Gap, axis and common point of two parts, in the frame of the first body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartGap {
    pub(crate) gap: f64,
    pub(crate) axis: DVec3,
    pub(crate) point: Option<DVec3>,
}

/// `None` for parts that are further apart than `enough`.
pub(crate) fn part_gap(axes: &mut AxisSearch, pair: &PartPair, enough: f64) -> Option<PartGap> {
    let start = pair.direction_of_centres();
    let distance = Distance::exact_up_to(pair, start, pair.radius + enough);
    if distance.lower > pair.radius + enough {
        return None;
    }
    if distance.found == Found::Apart {
        let gap = distance.upper - pair.radius;
        let (first, second) = distance.witnesses();
        let point = (gap <= 0.0).then(|| pair.between(first, second));
        return Some(PartGap { gap, axis: distance.axis, point });
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
    Some(PartGap { gap, axis: best.axis, point })
}
