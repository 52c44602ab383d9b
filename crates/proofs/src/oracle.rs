//! An independent check of answers: slow, and simple enough to be trusted.
//!
//! It shares no code with the methods. Both bodies are moved into the world's axes about the second
//! body's centre, vertex by vertex. Then all pairs of features, or all axes, are taken one by one.
//! A pair of hulls of 16 points takes about a tenth of a millisecond.

use glam::DVec3;

use narrowphase::shape::Face;
use narrowphase::{Body, Part, rounding_of, size_of_pair};

/// Rounding of the checks, relative to the size of a pair: both bounding radii and the distance of
/// the centres.
pub const ROUNDING: f64 = 1e-12;

/// Slack for common points that methods find, relative to the size of a pair.
pub const WITNESS: f64 = 1e-10;

/// The signed gap of two bodies: their distance, or the negative penetration depth of the deepest
/// pair of parts. The depth is the shortest translation that separates two parts.
#[must_use]
pub fn signed_gap(a: &Body, b: &Body) -> f64 {
    let mut least = f64::INFINITY;
    for one in Solid::of_body(a, b.pose.position) {
        for other in Solid::of_body(b, b.pose.position) {
            least = least.min(one.signed_gap(&other));
        }
    }
    least
}

/// Most pairs of edges of two bodies for which [`signed_gap`] is computed while methods are measured: a fifth of a second
/// for two hulls of 128 points. Two compounds of 32 such hulls have a thousand times as many.
pub const MAX_EDGE_PAIRS: usize = 200_000;

/// Whether [`signed_gap`] takes a fifth of a second at most: the bodies have at most [`MAX_EDGE_PAIRS`].
#[must_use]
pub fn is_affordable(a: &Body, b: &Body) -> bool {
    let edges = |body: &Body| -> usize {
        body.shape.parts().iter().map(|part| part.core().edges().len()).sum()
    };
    edges(a).saturating_mul(edges(b)) <= MAX_EDGE_PAIRS
}

/// The gap of the projections of parts `i` of `a` and `j` of `b` on `axis`, a vector of the world
/// from `a` to `b`: above 0 if it separates them.
///
/// # Panics
///
/// If there are no such parts.
#[must_use]
pub fn gap_along(a: &Body, i: usize, b: &Body, j: usize, axis: DVec3) -> f64 {
    let axis = axis.normalize();
    // Without the other features: witnesses of every pair are checked in every step.
    let (one, other) = (&a.shape.parts()[i], &b.shape.parts()[j]);
    let along = |body: &Body, v: &DVec3| moved(body, b.pose.position, *v).dot(axis);
    let highest = one.core().vertices().iter().map(|v| along(a, v)).fold(f64::MIN, f64::max);
    let lowest = other.core().vertices().iter().map(|v| along(b, v)).fold(f64::MAX, f64::min);
    lowest - highest - one.radius() * a.scale - other.radius() * b.scale
}

/// A vertex of a body's core, relative to `origin`.
fn moved(body: &Body, origin: DVec3, vertex: DVec3) -> DVec3 {
    body.pose.rotation * (vertex * body.scale) + (body.pose.position - origin)
}

/// Whether `axis`, a vector of the world from `a` to `b`, separates all parts of the bodies, to
/// [`ROUNDING`].
#[must_use]
pub fn axis_separates(a: &Body, b: &Body, axis: DVec3) -> bool {
    let parts = |body: &Body| 0..body.shape.parts().len();
    parts(a).all(|i| parts(b).all(|j| axis_separates_parts(a, i, b, j, axis)))
}

/// Whether `axis`, a vector of the world from `a` to `b`, separates part `i` of `a` from part `j` of `b`, to
/// [`ROUNDING`].
///
/// # Panics
///
/// If there are no such parts.
#[must_use]
pub fn axis_separates_parts(a: &Body, i: usize, b: &Body, j: usize, axis: DVec3) -> bool {
    gap_along(a, i, b, j, axis) > -ROUNDING * size_of_pair(a, b)
}

/// How far `point`, of the world, is outside of `body`: at most 0 if it is inside.
#[must_use]
pub fn distance_outside(body: &Body, point: DVec3) -> f64 {
    let outside = |solid: Solid| solid.distance_outside(DVec3::ZERO);
    Solid::of_body(body, point).map(outside).fold(f64::INFINITY, f64::min)
}

/// Whether `point`, of the world, is inside both bodies, to [`WITNESS`].
#[must_use]
pub fn is_common_point(a: &Body, b: &Body, point: DVec3) -> bool {
    let slack = WITNESS * size_of_pair(a, b) + rounding_of(point);
    let is_inside = |body| is_inside_a_core(body, point) || distance_outside(body, point) <= slack;
    is_inside(a) && is_inside(b)
}

/// Whether `point`, of the world, is behind all faces of a polyhedron of `body`. Witnesses of every pair are checked in
/// every step, and moving all features, as [`Solid`] does, takes many times as long.
fn is_inside_a_core(body: &Body, point: DVec3) -> bool {
    body.shape.parts().iter().map(Part::core).any(|core| {
        let is_behind = |face: &Face| {
            let corner = moved(body, point, core.vertices()[usize::from(face.vertices[0])]);
            (body.pose.rotation * face.normal).dot(corner) >= 0.0
        };
        core.faces().len() > 2 && core.faces().iter().all(is_behind)
    })
}

/// A part, moved: all its features.
struct Solid {
    vertices: Vec<DVec3>,
    edges: Vec<[DVec3; 2]>,
    faces: Vec<MovedFace>,
    radius: f64,
}

/// A face, moved.
struct MovedFace {
    normal: DVec3,
    corners: Vec<DVec3>,
    /// For each corner, the direction to the inside of the face from its edge to the next corner. Not taken from the
    /// corners: those of a small face far from the origin may be one point.
    inward: Vec<DVec3>,
}

impl Solid {
    fn of_body<'a>(body: &'a Body<'a>, origin: DVec3) -> impl Iterator<Item = Solid> + 'a {
        body.shape.parts().iter().map(move |part| Self::of_part(body, part, origin))
    }

    fn of_part(body: &Body, part: &Part, origin: DVec3) -> Self {
        let core = part.core();
        let vertices: Vec<_> = core.vertices().iter().map(|v| moved(body, origin, *v)).collect();
        let at = |i: u8| vertices[usize::from(i)];
        let edges = core.edges().iter().map(|&[from, to]| [at(from), at(to)]).collect();
        let faces = core.faces().iter().map(|face| {
            let next = face.vertices.iter().cycle().skip(1);
            let inward = face.vertices.iter().zip(next).map(|(&i, &next)| {
                let [from, to] = [i, next].map(|i| core.vertices()[usize::from(i)]);
                body.pose.rotation * face.normal.cross(to - from)
            });
            MovedFace {
                normal: body.pose.rotation * face.normal,
                corners: face.vertices.iter().map(|&i| at(i)).collect(),
                inward: inward.collect(),
            }
        });
        let faces = faces.collect();
        Self { vertices, edges, faces, radius: part.radius() * body.scale }
    }

    fn signed_gap(&self, other: &Self) -> f64 {
        let axes = self.greatest_gap(other);
        // Points and segments are all feature: their distance is 0 where they meet.
        let are_thin = self.faces.is_empty() && other.faces.is_empty();
        let core_gap = if axes > 0.0 || are_thin { self.distance(other) } else { axes };
        core_gap - self.radius - other.radius
    }

    fn gap_along(&self, other: &Self, axis: DVec3) -> f64 {
        let along = |v: &DVec3| v.dot(axis);
        let highest = self.vertices.iter().map(along).fold(f64::MIN, f64::max);
        let lowest = other.vertices.iter().map(along).fold(f64::MAX, f64::min);
        lowest - highest
    }

    /// The greatest gap over all axes that any pair of features has.
    fn greatest_gap(&self, other: &Self) -> f64 {
        let mut greatest = f64::NEG_INFINITY;
        let mut consider = |axis: DVec3| {
            if let Some(axis) = axis.try_normalize() {
                let gap = self.gap_along(other, axis).max(self.gap_along(other, -axis));
                greatest = greatest.max(gap);
            }
        };
        for face in self.faces.iter().chain(&other.faces) {
            consider(face.normal);
        }
        for [p, q] in &self.edges {
            for [r, s] in &other.edges {
                let (along, across) = ((q - p).normalize(), (s - r).normalize());
                consider(normal_of_both(along, across));
            }
        }
        for p in &self.vertices {
            other.vertices.iter().for_each(|r| consider(r - p));
            other.edges.iter().for_each(|edge| consider(nearest_on_segment(*p, edge) - p));
        }
        for r in &other.vertices {
            self.edges.iter().for_each(|edge| consider(nearest_on_segment(*r, edge) - r));
        }
        greatest
    }

    /// The least distance over all pairs of features, of cores without a common point.
    fn distance(&self, other: &Self) -> f64 {
        let mut least = f64::INFINITY;
        for p in &self.vertices {
            least = least.min(other.distance_to_surface(*p));
        }
        for r in &other.vertices {
            least = least.min(self.distance_to_surface(*r));
        }
        for edge in &self.edges {
            for across in &other.edges {
                least = least.min(distance_of_segments(edge, across));
            }
        }
        least
    }

    fn distance_to_surface(&self, point: DVec3) -> f64 {
        let vertices = self.vertices.iter().map(|v| v.distance(point));
        let edges = self.edges.iter().map(|e| nearest_on_segment(point, e).distance(point));
        let faces = self.faces.iter().filter_map(|MovedFace { normal, corners, inward }| {
            let mut sides = corners.iter().zip(inward);
            let inside = sides.all(|(corner, inward)| inward.dot(point - corner) >= 0.0);
            inside.then(|| normal.dot(point - corners[0]).abs())
        });
        vertices.chain(edges).chain(faces).fold(f64::INFINITY, f64::min)
    }

    fn distance_outside(&self, point: DVec3) -> f64 {
        let beyond = |face: &MovedFace| face.normal.dot(point - face.corners[0]);
        let core = self.faces.iter().map(beyond).fold(f64::NEG_INFINITY, f64::max);
        let inside_core = core <= 0.0 && self.faces.len() > 2;
        let core = if inside_core { core } else { self.distance_to_surface(point) };
        core - self.radius
    }
}

fn nearest_on_segment(point: DVec3, [from, to]: &[DVec3; 2]) -> DVec3 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared();
    from + along * share.clamp(0.0, 1.0)
}

/// The least of the distances of the ends to the other segment, and of the lines where both are
/// nearest within the segments.
fn distance_of_segments(one: &[DVec3; 2], other: &[DVec3; 2]) -> f64 {
    let ends = one.iter().map(|p| nearest_on_segment(*p, other).distance(*p));
    let other_ends = other.iter().map(|r| nearest_on_segment(*r, one).distance(*r));
    let least = ends.chain(other_ends).fold(f64::INFINITY, f64::min);
    let (length, other_length) = (one[0].distance(one[1]), other[0].distance(other[1]));
    let along = (one[1] - one[0]) / length;
    let across = (other[1] - other[0]) / other_length;
    let normal = normal_of_both(along, across);
    if normal.length_squared() < PARALLEL {
        return least;
    }
    let between = other[0] - one[0];
    let share = between.cross(across).dot(normal) / normal.length_squared();
    let turned = across.dot(along).signum();
    let other_share = between.cross(along).dot(normal) / normal.length_squared();
    let within = |at: f64, length: f64| (0.0..=length).contains(&at);
    if within(share * turned, length) && within(other_share * turned, other_length) {
        least.min(between.dot(normal.normalize()).abs())
    } else {
        least
    }
}

/// Squared sine of an angle that is hardly more than rounding: the ends are nearest then.
const PARALLEL: f64 = 1e-26;

/// A vector perpendicular to both unit vectors. It is precise also where they are nearly parallel,
/// since the difference of two nearly equal numbers is exact.
fn normal_of_both(along: DVec3, across: DVec3) -> DVec3 {
    along.cross(across * along.dot(across).signum() - along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use narrowphase::{Pose, Shape};

    #[test]
    fn gap_of_the_largest_hulls_is_affordable_not_of_compounds() {
        let hull = Shape::hull(128, 1).unwrap();
        let beside = Pose { position: DVec3::X * 2.5, ..Pose::IDENTITY };
        let two = Shape::compound(&[(&hull, Pose::IDENTITY), (&hull, beside)]).unwrap();
        let body = |shape| Body::new(shape, Pose::IDENTITY);
        assert!(is_affordable(&body(&hull), &body(&hull)));
        assert!(!is_affordable(&body(&two), &body(&hull)));
        let ball = Shape::sphere(1.0).unwrap();
        assert!(is_affordable(&body(&two), &body(&ball)));
    }

    /// Found by the fuzzer: the corners of its faces were one point, which every point was above.
    #[test]
    fn small_body_far_away_has_its_distance() {
        let speck = Shape::tetrahedron(1e-9).unwrap();
        let mountain = Shape::tetrahedron(1e9).unwrap();
        let away = Pose { position: DVec3::new(-7e8, 8e8, 9e8), ..Pose::IDENTITY };
        let (speck, mountain) = (Body::new(&speck, away), Body::new(&mountain, Pose::IDENTITY));
        let outside = distance_outside(&mountain, away.position);
        assert!(outside > 5e8);
        for gap in [signed_gap(&speck, &mountain), signed_gap(&mountain, &speck)] {
            assert!((gap - outside).abs() < 1e-3, "{gap} is not {outside}");
        }
    }
}
