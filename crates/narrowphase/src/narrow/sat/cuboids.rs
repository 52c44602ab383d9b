//! Fifteen axes of two cuboids, each projected with a few products instead of all vertices.

use glam::{DMat3, DVec3};

use super::search::BestAxis;
use crate::pair::PartPair;
use crate::shape::Core;

/// Two cuboids, in the axes of the first one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuboids {
    half_a: DVec3,
    half_b: DVec3,
    /// From the centre of the first to that of the second.
    between: DVec3,
    /// Axes of the second, as columns.
    turn: DMat3,
    /// The axes of the first, as columns.
    axes_a: DMat3,
}

impl Cuboids {
    /// `None` unless both cores are cuboids.
    pub(super) fn of(pair: &PartPair) -> Option<Self> {
        let a = Cuboid::of(pair.a.core())?;
        let b = Cuboid::of(pair.b.core())?;
        let frame = pair.frame;
        let to_a = a.axes.transpose();
        Some(Self {
            half_a: a.half * frame.scale_a,
            half_b: b.half * frame.scale_b,
            between: to_a * (frame.point_b(b.centre) - a.centre * frame.scale_a),
            turn: to_a * (frame.rotation * b.axes),
            axes_a: a.axes,
        })
    }

    /// The first axis with a gap, for sharp cuboids.
    pub(super) fn separating_axis(&self) -> BestAxis {
        self.search::<false>(0.0)
    }

    /// The axis of the greatest gap, or the first with a gap above `enough`.
    pub(super) fn greatest_gap(&self, enough: f64) -> BestAxis {
        self.search::<true>(enough)
    }

    /// Without `BEST`, products of edges are not normalised: the sign of their gap is the same.
    fn search<const BEST: bool>(&self, enough: f64) -> BestAxis {
        let Self { half_a, half_b, between, turn, .. } = *self;
        let size = turn.abs();
        let mut best = BestAxis::none();
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
        for i in 0..3 {
            let (next, last) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let across = turn.col(j);
                // The product of unit vector i with `across`, and its projections.
                let extent_a = half_a[next] * size.col(j)[last] + half_a[last] * size.col(j)[next];
                let (one, other) = ((j + 1) % 3, (j + 2) % 3);
                let extent_b = half_b[one] * size.col(other)[i] + half_b[other] * size.col(one)[i];
                let distance = between[last] * across[next] - between[next] * across[last];
                let squared = across[next] * across[next] + across[last] * across[last];
                best.tested += 1;
                if squared < NEARLY_PARALLEL {
                    if let Some(axis) = unit(i).cross(across).try_normalize() {
                        best.raise(self.gap_along(axis), axis);
                    }
                } else {
                    let gap = distance.abs() - extent_a - extent_b;
                    if BEST || gap > enough {
                        best.raise(gap / squared.sqrt(), unit(i).cross(across));
                    }
                }
                if best.gap > enough {
                    return self.directed(best);
                }
            }
        }
        self.directed(best)
    }

    /// The gap along a unit vector, by all six half edges.
    fn gap_along(&self, axis: DVec3) -> f64 {
        let extent_b = (self.turn.transpose() * axis).abs().dot(self.half_b);
        axis.dot(self.between).abs() - axis.abs().dot(self.half_a) - extent_b
    }

    /// The axis as a unit vector from the first cuboid to the second, in the frame of the first body.
    fn directed(&self, mut best: BestAxis) -> BestAxis {
        let axis = best.axis.normalize();
        let towards = if axis.dot(self.between) < 0.0 { -axis } else { axis };
        best.axis = self.axes_a * towards;
        best
    }
}

/// Squared sine of an angle between edges below which the short formulas of their product lose more than four
/// digits.
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
        let half = DVec3::new(first.dot(*x), second.dot(*y), third.dot(*z)) * 0.5;
        let is_right = x.dot(*y).abs().max(y.dot(*z).abs()).max(z.dot(*x).abs()) < 1e-13;
        let centre = corner + (first + second + third) * 0.5;
        is_right.then(|| Self { centre, axes: DMat3::from_cols(*x, *y, *z), half: half.abs() })
    }
}
