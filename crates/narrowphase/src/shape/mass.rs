//! Volume and inertia.
//!
//! A part is its core and what lies within the radius of it: a prism over each face, a sector of a
//! cylinder about each edge, and a cone of the ball about each vertex. The moments of each are
//! closed forms, so points, segments, flat polygons and polyhedra are treated alike.
//!
//! Source: the core by the divergence theorem (Tonon 2004, "Explicit exact formulas for the 3-D
//! tetrahedron inertia tensor"); the volume by Steiner's formula (Schneider 2014, "Convex bodies",
//! section 4.2). The cones of the vertices are ours: [`Arc`].

use std::f64::consts::TAU;

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
        parts.iter().for_each(|part| moments.add(&Moments::of(part, base)));
        let from_base = moments.first / moments.volume;
        let second = moments.second - moments.volume * outer(from_base, from_base);
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

    /// Moments of a part, with positions relative to `base`.
    fn of(part: &Part, base: DVec3) -> Self {
        let (core, radius) = (part.core(), part.radius());
        let mut sum = Self::ZERO;
        for triangle in triangles(core, base) {
            sum.add(&cone_over(triangle));
        }
        if radius > 0.0 {
            for face in core.faces() {
                for triangle in fan(core, &face.vertices, base) {
                    sum.add(&prism(triangle, face.normal, radius));
                }
            }
            for arc in arcs(core) {
                sum.add(&arc.wedge(base, radius));
            }
            for vertex in 0..core.vertices().len() {
                sum.add(&ball_cone(core, vertex, base, radius));
            }
        }
        sum
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

fn symmetric(a: DVec3, b: DVec3) -> DMat3 {
    outer(a, b) + outer(b, a)
}

/// The triangles of a face, from its first corner, relative to `base`.
fn fan<'a>(
    core: &'a Core,
    corners: &'a [u8],
    base: DVec3,
) -> impl Iterator<Item = [DVec3; 3]> + 'a {
    let at = move |i: usize| core.vertices()[usize::from(corners[i])] - base;
    (2..corners.len()).map(move |i| [at(0), at(i - 1), at(i)])
}

fn triangles(core: &Core, base: DVec3) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    core.faces().iter().flat_map(move |face| fan(core, &face.vertices, base))
}

/// The tetrahedron of the origin and a triangle; negative where the triangle faces the origin.
fn cone_over([a, b, c]: [DVec3; 3]) -> Moments {
    let six_volumes = a.dot(b.cross(c));
    let sum = a + b + c;
    let squares = outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c);
    Moments {
        volume: six_volumes / 6.0,
        first: sum * (six_volumes / 24.0),
        second: squares * (six_volumes / 120.0),
    }
}

/// The prism of height `height` over a triangle.
fn prism([a, b, c]: [DVec3; 3], normal: DVec3, height: f64) -> Moments {
    let area = (b - a).cross(c - a).length() / 2.0;
    let sum = a + b + c;
    let first = sum * (area / 3.0);
    let second = (outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c)) * (area / 12.0);
    let lift = normal * (height * height / 2.0);
    Moments {
        volume: area * height,
        first: first * height + area * lift,
        second: second * height
            + symmetric(first, lift)
            + outer(normal, normal) * (area * height * height * height / 3.0),
    }
}

/// An edge, and the outward directions between the normals of its faces: an arc of the unit circle
/// about it.
///
/// The arcs of the edges at a vertex bound its directions on the unit sphere. By Stokes' theorem,
/// the integrals over those directions follow from those over the arcs:
///
/// - of d: -1/2 of the sum of angle times n over the arcs, n the unit vector along the edge away
///   from the region;
/// - of the outer product of d with itself: W/3 times the unit matrix, minus 1/6 of the sum of
///   `n S' + S n'` over the arcs, W the solid angle and S the integral of d over the arc. For on
///   the sphere, the Laplacian of `d_i d_j` is 2 (if i = j) - 6 `d_i d_j`.
struct Arc {
    ends: [usize; 2],
    middle: DVec3,
    along: DVec3,
    length: f64,
    angle: f64,
    /// Integral of the direction.
    first: DVec3,
    /// Integral of its outer product with itself.
    second: DMat3,
}

fn arcs(core: &Core) -> impl Iterator<Item = Arc> + '_ {
    core.edges().iter().enumerate().map(|(edge, &ends)| {
        let ends = ends.map(usize::from);
        let [from, to] = ends.map(|end| core.vertices()[end]);
        let along = (to - from).normalize();
        let normals = core.edge_faces().get(edge);
        let (start, angle) = normals.map_or((along.any_orthonormal_vector(), TAU), |faces| {
            let [left, right] = faces.map(|face| core.faces()[usize::from(face)].normal);
            (left, angle_between(left, right))
        });
        let side = along.cross(start);
        let (sine, cosine) = libm::sincos(angle);
        let half_sine = sine * cosine / 2.0;
        Arc {
            ends,
            middle: (from + to) / 2.0,
            along,
            length: from.distance(to),
            angle,
            first: start * sine + side * (1.0 - cosine),
            second: outer(start, start) * (angle / 2.0 + half_sine)
                + outer(side, side) * (angle / 2.0 - half_sine)
                + symmetric(start, side) * (sine * sine / 2.0),
        }
    })
}

impl Arc {
    /// The sector of the cylinder of radius `radius` about the edge.
    fn wedge(&self, base: DVec3, radius: f64) -> Moments {
        let (length, middle) = (self.length, self.middle - base);
        let [halves, thirds, quarters, _] = integrals_of_powers(radius);
        let line = outer(middle, middle) + outer(self.along, self.along) * (length * length / 12.0);
        Moments {
            volume: length * self.angle * halves,
            first: (middle * (self.angle * halves) + self.first * thirds) * length,
            second: (line * (self.angle * halves)
                + symmetric(middle, self.first) * thirds
                + self.second * quarters)
                * length,
        }
    }
}

/// The cone of the ball of radius `radius` about a vertex, over the directions that no face and no
/// edge has.
fn ball_cone(core: &Core, vertex: usize, base: DVec3, radius: f64) -> Moments {
    let at = core.vertices()[vertex] - base;
    let solid_angle = if core.edges().is_empty() {
        2.0 * TAU
    } else {
        // The area of a polygon on the sphere: its exterior angles are the angles of the faces.
        TAU - core
            .faces()
            .iter()
            .map(|face| corner_angle(core, &face.vertices, vertex))
            .sum::<f64>()
    };
    let mut first = DVec3::ZERO;
    let mut second = DMat3::from_diagonal(DVec3::splat(solid_angle / 3.0));
    for arc in arcs(core).filter(|arc| arc.ends.contains(&vertex)) {
        let away = if arc.ends[0] == vertex { arc.along } else { -arc.along };
        first -= away * (arc.angle / 2.0);
        second -= symmetric(away, arc.first) / 6.0;
    }
    let [_, thirds, quarters, fifths] = integrals_of_powers(radius);
    Moments {
        volume: solid_angle * thirds,
        first: at * (solid_angle * thirds) + first * quarters,
        second: outer(at, at) * (solid_angle * thirds)
            + symmetric(at, first) * quarters
            + second * fifths,
    }
}

/// The integrals from 0 to `radius` of x, x^2, x^3 and x^4.
fn integrals_of_powers(radius: f64) -> [f64; 4] {
    let square = radius * radius;
    [square / 2.0, square * radius / 3.0, square * square / 4.0, square * square * radius / 5.0]
}

/// The angle of a face at a vertex, 0 if it is not one of its corners.
fn corner_angle(core: &Core, corners: &[u8], vertex: usize) -> f64 {
    let Some(place) = corners.iter().position(|&corner| usize::from(corner) == vertex) else {
        return 0.0;
    };
    let count = corners.len();
    let at = |i: usize| core.vertices()[usize::from(corners[i % count])];
    angle_between(at(place + 1) - at(place), at(place + count - 1) - at(place))
}

/// From 0 to pi, exact for small angles too.
fn angle_between(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::shape::Shape;

    /// Integrals over the octant of the unit ball in whose direction each corner of a cube is.
    #[test]
    fn cones_of_a_cubes_corners_are_octants_of_the_ball() {
        let cube = Shape::cuboid(DVec3::ONE).unwrap();
        let core = cube.parts()[0].core();
        for (at, vertex) in core.vertices().iter().enumerate() {
            let octant = ball_cone(core, at, *vertex, 1.0);
            let signs = vertex.signum();
            assert!((octant.volume - PI / 6.0).abs() < 1e-14);
            assert!(octant.first.distance(signs * (PI / 16.0)) < 1e-14);
            let squares = DMat3::from_diagonal(DVec3::splat(PI / 30.0 - 1.0 / 15.0));
            let difference = octant.second - squares - outer(signs, signs) / 15.0;
            assert!(difference.to_cols_array().iter().all(|x| x.abs() < 1e-14), "{difference}");
        }
    }
}
