//! Narrow phases: separating axes, distances by simplices, triangles.

mod gjk;
mod registry;
mod sat;
mod triangles;

use glam::DVec3;

use crate::answer::{Answer, NarrowPhase, PairCache};
use crate::body::Body;
use crate::pair::{Frame, PartPair};

pub use registry::{NARROW_PHASES, NarrowPhaseKind, NarrowProperties, find};

pub(crate) use gjk::{Distance, Found};
pub(crate) use sat::{AxisSearch, Cuboids, NEARLY_PARALLEL, lowest_above, perpendicular_to_both};

/// A narrow phase that tests one pair of parts after the other until two touch.
///
/// `test` answers in the frame of the first body. It is given the scratch, the axis that the cache keeps of the pair, and
/// the count of steps. Separated compounds have one axis for each pair of parts, so that none is reported.
struct ByParts<S, F> {
    scratch: S,
    test: F,
    steps: u64,
}

impl<S, F> ByParts<S, F>
where
    S: Send + 'static,
    F: FnMut(&mut S, &PartPair, &mut DVec3, &mut u64) -> Answer + Send + 'static,
{
    fn boxed(scratch: S, test: F) -> Box<dyn NarrowPhase + Send> {
        Box::new(Self { scratch, test, steps: 0 })
    }
}

impl<S, F> NarrowPhase for ByParts<S, F>
where
    F: FnMut(&mut S, &PartPair, &mut DVec3, &mut u64) -> Answer,
{
    fn test(&mut self, a: &Body, b: &Body, cache: &mut PairCache) -> Answer {
        let frame = Frame::new(a, b);
        let axes = cache.axes(a.shape.parts().len() * b.shape.parts().len());
        let (mut axis, mut failed) = (None, false);
        for (pair, known) in frame.pairs(a, b).zip(&mut *axes) {
            match (self.test)(&mut self.scratch, &pair, known, &mut self.steps) {
                Answer::Separated { axis: found } => axis = found,
                Answer::Touching { point } => {
                    return Answer::Touching { point: point.map(|point| a.pose.point(point)) };
                }
                Answer::Failed => failed = true,
            }
        }
        if failed {
            return Answer::Failed;
        }
        let axis = axis.filter(|_| axes.len() == 1);
        Answer::Separated { axis: axis.map(|axis| a.pose.rotation * axis) }
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// A normal of a triangle, as long as twice its area, counterclockwise about it.
///
/// It is the cross product of the two shorter sides: that of two long ones that are nearly parallel is tilted, and at the
/// other end of a needle its plane is far beside the triangle.
fn normal_of_triangle([a, b, c]: [DVec3; 3]) -> DVec3 {
    let sides = [b - a, c - b, a - c];
    let [first, second, third] = sides.map(DVec3::length_squared);
    if first >= second && first >= third {
        sides[1].cross(sides[2])
    } else if second >= third {
        sides[2].cross(sides[0])
    } else {
        sides[0].cross(sides[1])
    }
}

/// Where on the segment the nearest point to the origin is, from 0 to 1.
pub(crate) fn share_on_segment(from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let squared = along.length_squared();
    if squared > 0.0 { (-from.dot(along) / squared).clamp(0.0, 1.0) } else { 1.0 }
}
