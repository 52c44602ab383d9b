//! Distance by simplices of the difference of two bodies (Gilbert, Johnson, Keerthi).

mod distance;
mod simplex;

use glam::DVec3;

use super::{PartAnswer, test_parts};
use crate::answer::{Answer, NarrowCounters, NarrowPhase, PairCache};
use crate::body::Body;
use crate::pair::{Frame, PartPair};

pub(crate) use distance::{Distance, Found};

/// `gjk` and `gjk+cached`: two convex bodies touch if their difference, all points of one minus all
/// of the other, contains the origin.
///
/// A simplex of at most four points of the difference moves towards the origin. It ends as soon as
/// the furthest point in the direction of search proves a gap, or the nearest point is within the
/// rounding radii. `gjk+cached` starts in the direction in which the last test of the pair ended.
#[derive(Clone, Debug, Default)]
pub struct Gjk {
    is_cached: bool,
    counters: NarrowCounters,
}

impl Gjk {
    /// Starts each test along the line of the centres.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts each test in the direction in which the pair's last one ended.
    #[must_use]
    pub fn cached() -> Self {
        Self { is_cached: true, ..Self::default() }
    }
}

/// A step of GJK, in the axes of the world: the difference is all points of the first part minus all of
/// the second.
#[derive(Clone, Debug, PartialEq)]
pub struct GjkStep {
    /// Unit vector from the first part to the second. The point of the difference that is furthest
    /// against it was found in this step.
    pub axis: DVec3,
    /// What is kept: 1 to 4 points of the difference of the cores, the newest last.
    pub simplex: Vec<DVec3>,
    /// The greatest gap of the cores that an axis has shown so far; negative if none has one.
    pub lower: f64,
    /// Distance of the simplex from the origin, which the distance of the cores is at most.
    pub upper: f64,
}

impl Gjk {
    /// The steps by which `gjk` decides whether part `i` of `a` and part `j` of `b` touch. It allocates, for
    /// pictures and lessons.
    ///
    /// # Panics
    ///
    /// If there are no such parts.
    #[must_use]
    pub fn steps(a: &Body, i: usize, b: &Body, j: usize) -> Vec<GjkStep> {
        let frame = Frame::new(a, b);
        let pair = frame.parts(&a.shape.parts()[i], &b.shape.parts()[j]);
        let mut steps = Vec::new();
        let turned = |vector: DVec3| a.pose.rotation * vector;
        Distance::observed(&pair, pair.direction_of_centres(), &mut |axis, simplex, bounds| {
            let simplex = simplex.points().map(turned).collect();
            let [lower, upper] = bounds;
            steps.push(GjkStep { axis: turned(axis), simplex, lower, upper });
        });
        steps
    }
}

impl NarrowPhase for Gjk {
    fn test(&mut self, a: &Body, b: &Body, cache: &mut PairCache) -> Answer {
        let is_cached = self.is_cached;
        test_parts([a, b], cache, &mut self.counters, |pair, axis, counters| {
            test_pair(&pair, axis, is_cached, counters)
        })
    }

    fn counters(&self) -> NarrowCounters {
        self.counters
    }
}

fn test_pair(
    pair: &PartPair,
    cached: &mut DVec3,
    is_cached: bool,
    counters: &mut NarrowCounters,
) -> PartAnswer {
    let known = is_cached && *cached != DVec3::ZERO;
    let start = if known { *cached } else { pair.direction_of_centres() };
    let distance = Distance::until_decided(pair, start);
    counters.steps += u64::from(distance.steps);
    if is_cached {
        counters.cached += u64::from(known && distance.steps == 1);
        *cached = distance.axis;
    }
    match distance.found {
        Found::Apart if distance.lower > pair.radius => PartAnswer::Separated(Some(distance.axis)),
        Found::Unresolved if !distance.is_within_rounding(pair) => PartAnswer::Failed,
        Found::Apart | Found::Unresolved => {
            let (first, second) = distance.witnesses();
            PartAnswer::Touching(Some(pair.between(first, second)))
        }
        Found::Overlapping => PartAnswer::Touching(Some(distance.witnesses().0)),
    }
}
