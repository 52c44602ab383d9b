//! Volume and inertia.
//!
//! Source: polyhedra by the divergence theorem (Tonon 2004, "Explicit exact formulas for the 3-D tetrahedron inertia
//! tensor").

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use super::{Core, Part};

/// The least part of a moment of inertia that may be left after elimination of the other axes. What is left has lost
/// its digits to cancellation: with 1e-12, four of sixteen remain.
const MIN_PIVOT: f64 = 1e-12;

/// Mass properties for density 1 and scale 1. The mass of a body is `density * volume * scale^3`,
/// its inertia `density * inertia * scale^5`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// For a compound the sum over its parts: where parts overlap, the overlap counts as often.
    pub volume: f64,
    /// Inertia tensor about the centre of mass, in the shape's frame.
    pub inertia: DMat3,
    /// Its inverse.
    pub inverse_inertia: DMat3,
}

impl MassProperties {
    /// Whether the inertia is positive definite, and its inverse has digits that are no rounding: the pivots of
    /// Cholesky's decomposition are parts of the diagonal.
    pub(super) fn has_inverse(&self) -> bool {
        let [[a, b, c], [_, d, e], [_, _, f]] = self.inertia.to_cols_array_2d();
        let second = d - b * (b / a);
        let mixed = e - b * (c / a);
        let third = f - c * (c / a) - mixed * (mixed / second);
        // Comparisons with what is not a number fail.
        a > 0.0 && second > MIN_PIVOT * d && third > MIN_PIVOT * f
    }

    /// The properties of parts with a volume, and their centre of mass.
    pub(super) fn of_parts(parts: &[Part]) -> (Self, DVec3) {
        // All moments are about a point inside the shape, which costs fewer digits than the origin.
        let base = parts[0].center();
        let mut moments = Moments::ZERO;
        for part in parts {
            moments.add(&match *part.core().vertices() {
                [center] => ball(center - base, part.radius()),
                [from, to] => capsule([from - base, to - base], part.radius()),
                _ => polyhedron(part.core(), base),
            });
        }
        let from_base = moments.first / moments.volume;
        let second = moments.second - moments.volume * outer(from_base);
        // Sums of two, not the trace less one: a needle's inertia about its axis is far below the trace.
        let [x, y, z] = [second.x_axis.x, second.y_axis.y, second.z_axis.z];
        let mut inertia = -second;
        (inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z) = (y + z, z + x, x + y);
        let mass = Self { volume: moments.volume, inertia, inverse_inertia: inertia.inverse() };
        (mass, base + from_base)
    }
}

/// Integrals over a body: of 1, of the position, and of its outer product with itself.
#[derive(Clone, Copy, Debug)]
struct Moments {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

impl Moments {
    const ZERO: Self = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    fn add(&mut self, other: &Self) {
        self.volume += other.volume;
        self.first += other.first;
        self.second += other.second;
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

fn ball(center: DVec3, radius: f64) -> Moments {
    let square = radius * radius;
    let volume = 2.0 * TAU * (square * radius / 3.0);
    let own = 2.0 * TAU / 3.0 * (square * square * radius / 5.0);
    let second = outer(center) * volume + DMat3::from_diagonal(DVec3::splat(own));
    Moments { volume, first: center * volume, second }
}

/// A cylinder between two half balls, whose centroids are 3/8 of the radius beyond its ends.
fn capsule([from, to]: [DVec3; 2], radius: f64) -> Moments {
    let (center, length, square) = ((from + to) / 2.0, from.distance(to), radius * radius);
    let (barrel, caps) = (PI * square * length, 4.0 / 3.0 * PI * square * radius);
    let across = barrel * (square / 4.0) + caps * (square / 5.0);
    let along = barrel * (length * length / 12.0)
        + caps * (square / 5.0 + length * (length / 4.0 + radius * 3.0 / 8.0));
    let axis = outer((to - from) / length);
    let volume = barrel + caps;
    let own = axis * along + (DMat3::IDENTITY - axis) * across;
    Moments { volume, first: center * volume, second: outer(center) * volume + own }
}

/// The tetrahedra between `base` and the triangles of the faces; negative where a triangle faces it.
fn polyhedron(core: &Core, base: DVec3) -> Moments {
    let mut sum = Moments::ZERO;
    for face in core.faces() {
        let at = |i: usize| core.vertices()[usize::from(face.vertices[i])] - base;
        for i in 2..face.vertices.len() {
            let (a, b, c) = (at(0), at(i - 1), at(i));
            let six_volumes = a.dot(b.cross(c));
            let corners = a + b + c;
            let squares = outer(corners) + outer(a) + outer(b) + outer(c);
            sum.add(&Moments {
                volume: six_volumes / 6.0,
                first: corners * (six_volumes / 24.0),
                second: squares * (six_volumes / 120.0),
            });
        }
    }
    sum
}
