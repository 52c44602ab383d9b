//! Fifteen axes of two cuboids, each projected with a few products instead of all vertices.

use glam::{DMat3, DVec3, Vec3Swizzles};

use super::search::BestAxis;
use crate::pair::PartPair;
use crate::shape::Core;

/// Two cuboids, in the axes of the first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboids {
    /// Half the edges of the first.
    pub(crate) half_a: DVec3,
    /// Half the edges of the second.
    pub(crate) half_b: DVec3,
    /// From the centre of the first to that of the second.
    pub(crate) between: DVec3,
    /// Axes of the second, as columns.
    pub(crate) turn: DMat3,
    /// The axes of the first in its body's frame, as columns.
    pub(crate) axes_a: DMat3,
}

impl Cuboids {
    /// `None` unless both cores are cuboids.
    pub(crate) fn of(pair: &PartPair) -> Option<Self> {
        let a = Cuboid::of(pair.a.core())?;
        let b = Cuboid::of(pair.b.core())?;
        let frame = pair.frame;
        let between = frame.point_b(b.centre) - a.centre * frame.scale_a;
        let turned = if b.is_aligned { frame.rotation } else { frame.rotation * b.axes };
        let (between, turn) = if a.is_aligned {
            (between, turned)
        } else {
            (a.axes.transpose() * between, a.axes.transpose() * turned)
        };
        let (half_a, half_b) = (a.half * frame.scale_a, b.half * frame.scale_b);
        Some(Self { half_a, half_b, between, turn, axes_a: a.axes })
    }

    /// The first axis with a gap above `enough`, which is at least 0.
    pub(crate) fn separating_axis(&self, enough: f64) -> BestAxis {
        self.search::<false>(enough)
    }

    /// The axis of the greatest gap, or the first with a gap above `enough`.
    pub(super) fn greatest_gap(&self, enough: f64) -> BestAxis {
        self.search::<true>(enough)
    }

    /// Without `BEST`, products of edges are not normalised: the sign of their gap is the same.
    fn search<const BEST: bool>(&self, enough: f64) -> BestAxis {
        let Self { half_a, half_b, between, turn, .. } = *self;
        let size = turn.abs();
        let mut best = BestAxis::above(f64::NEG_INFINITY);
        let first = between.abs() - half_a - size * half_b;
        for i in 0..3 {
            best.consider(first[i], unit(i));
            if first[i] > enough {
                return self.directed(best);
            }
        }
        let along = turn.transpose() * between;
        let second = along.abs() - half_b - size.transpose() * half_a;
        for j in 0..3 {
            best.consider(second[j], turn.col(j));
            if second[j] > enough {
                return self.directed(best);
            }
        }
        // Rows: component i of all three axes of the second cuboid.
        let rows = turn.transpose();
        for (i, next, last) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            // Products of unit vector i with all three axes, and their projections.
            let (forth, back) = (rows.col(next), rows.col(last));
            let lengths = rows.col(i).abs();
            let extents_a = half_a[next] * back.abs() + half_a[last] * forth.abs();
            let extents_b = half_b.yzx() * lengths.zxy() + half_b.zxy() * lengths.yzx();
            let distances = between[last] * forth - between[next] * back;
            let gaps = distances.abs() - extents_a - extents_b;
            let squared = forth * forth + back * back;
            best.tested += 3;
            let is_precise = squared.min_element() >= NEARLY_PARALLEL;
            if is_precise && !BEST && gaps.max_element() <= enough {
                continue;
            }
            for j in 0..3 {
                let axis = unit(i).cross(turn.col(j));
                if squared[j] >= NEARLY_PARALLEL {
                    best.raise(gaps[j] / squared[j].sqrt(), axis);
                } else if let Some(axis) = axis.try_normalize() {
                    best.raise(self.gap_along(axis), axis);
                }
            }
            if best.gap > enough {
                break;
            }
        }
        self.directed(best)
    }

    /// The gap along a unit vector, by all six half edges.
    fn gap_along(&self, axis: DVec3) -> f64 {
        let extent_b = (self.turn.transpose() * axis).abs().dot(self.half_b);
        axis.dot(self.between).abs() - axis.abs().dot(self.half_a) - extent_b
    }

    /// The axis as a unit vector from the first cuboid to the second, in the frame of the first
    /// body.
    fn directed(&self, mut best: BestAxis) -> BestAxis {
        let axis = best.axis.normalize();
        let towards = if axis.dot(self.between) < 0.0 { -axis } else { axis };
        best.axis = self.axes_a * towards;
        best
    }
}

/// Squared sine of an angle between edges below which the short formulas of their product lose more
/// than four digits.
const NEARLY_PARALLEL: f64 = 1e-8;

fn unit(i: usize) -> DVec3 {
    DVec3::AXES[i]
}

/// A centre, three perpendicular axes and half the edges along them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid {
    pub(crate) centre: DVec3,
    /// As columns.
    pub(crate) axes: DMat3,
    pub(crate) half: DVec3,
    /// Whether the axes are those of the shape.
    pub(crate) is_aligned: bool,
}

impl Cuboid {
    /// `None` unless the core is a cuboid.
    pub(crate) fn of(core: &Core) -> Option<Self> {
        let ([x, y, z], [first, second, third, ..]) = (core.directions(), core.edges()) else {
            return None;
        };
        // The edges are sorted: the first three begin at vertex 0.
        if core.vertices().len() != 8 || first[0] != 0 || second[0] != 0 || third[0] != 0 {
            return None;
        }
        let corner = core.vertices()[0];
        let edge = |edge: &[u8; 2]| core.vertices()[usize::from(edge[1])] - corner;
        let (first, second, third) = (edge(first), edge(second), edge(third));
        let diagonal = first + second + third;
        let centre = corner + diagonal * 0.5;
        let is_aligned = [x, y, z].into_iter().all(|axis| axis.abs().element_sum() == 1.0);
        if is_aligned {
            let half = diagonal.abs() * 0.5;
            return Some(Self { centre, axes: DMat3::IDENTITY, half, is_aligned });
        }
        let is_right = x.dot(*y).abs().max(y.dot(*z).abs()).max(z.dot(*x).abs()) < 1e-13;
        let half = DVec3::new(first.dot(*x), second.dot(*y), third.dot(*z)).abs() * 0.5;
        let axes = DMat3::from_cols(*x, *y, *z);
        is_right.then_some(Self { centre, axes, half, is_aligned })
    }
}
