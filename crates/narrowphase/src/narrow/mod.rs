//! Narrow phases: separating axes, distances by simplices, triangles.

mod gjk;
mod registry;
mod sat;
mod triangles;

use glam::DVec3;

use crate::answer::{Answer, NarrowCounters, PairCache};
use crate::body::Body;
use crate::pair::{Frame, PartPair};

pub use gjk::{Gjk, GjkStep};
pub use registry::{NARROW_PHASES, NarrowPhaseKind, NarrowProperties, find};
pub use sat::Sat;
pub use triangles::Triangles;

pub(crate) use gjk::{Distance, Found};
pub(crate) use sat::{AxisSearch, Cuboids, NEARLY_PARALLEL, lowest_above, perpendicular_to_both};

/// What a method finds for two convex parts, in the frame of the first body.
#[derive(Clone, Copy, Debug)]
enum PartAnswer {
    /// The unit axis, if the method has one.
    Separated(Option<DVec3>),
    /// A common point, if the method has one.
    Touching(Option<DVec3>),
    Failed,
}

/// Tests all pairs of parts by `test` until two touch. `test` is given the axis that the cache
/// keeps of the pair.
///
/// Separated compounds have one axis for each pair of parts, so that none is reported.
fn test_parts(
    [a, b]: [&Body; 2],
    cache: &mut PairCache,
    counters: &mut NarrowCounters,
    mut test: impl FnMut(PartPair, &mut DVec3, &mut NarrowCounters) -> PartAnswer,
) -> Answer {
    counters.tests += 1;
    let frame = Frame::new(a, b);
    let (parts_a, parts_b) = (a.shape.parts(), b.shape.parts());
    let axes = cache.axes(parts_a.len() * parts_b.len());
    let mut axis = None;
    let mut failed = false;
    for (i, part_a) in parts_a.iter().enumerate() {
        for (j, part_b) in parts_b.iter().enumerate() {
            counters.part_tests += 1;
            let pair = frame.parts(part_a, part_b);
            match test(pair, &mut axes[i * parts_b.len() + j], counters) {
                PartAnswer::Separated(found) => axis = found,
                PartAnswer::Touching(point) => {
                    return Answer::Touching { point: point.map(|point| a.pose.point(point)) };
                }
                PartAnswer::Failed => failed = true,
            }
        }
    }
    if failed {
        counters.failures += 1;
        return Answer::Failed;
    }
    let axis = axis.filter(|_| axes.len() == 1);
    Answer::Separated { axis: axis.map(|axis| a.pose.rotation * axis) }
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
