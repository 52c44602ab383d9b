//! The convex hull of points, checked.

use glam::{DMat3, DVec3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::exact_hull::hull_triangles;
use super::flatten::flatten;
use super::merge_faces::{MIN_FACING, merge_faces};
use super::rounding::Rounding;
use super::surface::PLANE_TOLERANCE;
use super::{Core, Face, LENGTHS, MAX_POINTS, MAX_VERTICES, ShapeError};

/// How far vertices of a face may be from the plane of its largest triangle, in units of the hull's
/// size: far above rounding, and below the tolerance that the core is checked by.
const MERGE_TOLERANCE: f64 = 1e-10;

/// How far from their plane corners may stay in faces that are made plane, in units of the hull's size: a hundredth of
/// the tolerance that the core is checked by.
const FLATTEN_TOLERANCE: f64 = 1e-11;

/// How far a corner may move until its faces are plane, in units of the tolerance of planes. At a prism of 64 sides, which
/// meet at six degrees, a corner moves by ten of its roundings, which is 1.25.
const MAX_STEP: f64 = 4.0;

/// The hull of points, and how many of them equal an earlier one.
///
/// parry3d computes triangles. Those in one plane become one face. The result is not trusted: it
/// must be a closed convex surface that contains every point. A panic of the library is an error too.
///
/// Rounding moves points off their common plane: the library fails, or finds many faces where one is meant. Then the
/// hull is built by exact predicates, and its faces that are plane to the precision of the points become plane. Where that
/// fails, they stay triangles.
pub(crate) fn convex_hull(
    points: &[DVec3],
    rounding: Rounding,
) -> Result<(Core, usize), ShapeError> {
    if !(4..=MAX_POINTS).contains(&points.len()) {
        return Err(ShapeError::PointCount(points.len()));
    }
    let is_good = |point: &DVec3| point.abs().max_element() <= *LENGTHS.end();
    // A comparison with not-a-number is false, but `max_element` may drop one.
    if let Some(at) = points.iter().position(|point| !point.is_finite() || !is_good(point)) {
        return Err(ShapeError::Coordinate(at));
    }
    let center = points.iter().sum::<DVec3>() / points.len() as f64;
    let size = points.iter().map(|point| point.distance(center)).fold(0.0, f64::max);
    if size < *LENGTHS.start() {
        return Err(ShapeError::Size { what: "distance of points", found: size });
    }
    let tolerance = PLANE_TOLERANCE * size;
    let different = without_duplicates(points, tolerance, rounding);
    if different.len() < 4 {
        return Err(ShapeError::PointCount(different.len()));
    }
    if is_flat(&different, tolerance, rounding) {
        return Err(ShapeError::Flat);
    }
    let hull = Hull { points: &different, center, size, rounding };
    Ok((hull.core()?, points.len() - different.len()))
}

/// Different points that are not in one plane.
struct Hull<'a> {
    points: &'a [DVec3],
    center: DVec3,
    size: f64,
    rounding: Rounding,
}

impl Hull<'_> {
    fn core(&self) -> Result<Core, ShapeError> {
        let library = self.of_library();
        let is_right = match &library {
            Ok(core) => !self.is_rough(core),
            // Rounding may have made corners, but not others.
            Err(error) => *error != ShapeError::Hull && self.rounding.is_exact(),
        };
        if is_right {
            return library;
        }
        match (self.smooth(), library) {
            (Ok(core), _) | (_, Ok(core)) => Ok(core),
            (Err(ShapeError::Hull), _) => self.exact(),
            (other, _) => other,
        }
    }

    /// By the library, about the centre and in units of the size, so that its tolerances, which are absolute, suit the
    /// points.
    fn of_library(&self) -> Result<Core, ShapeError> {
        let frame = DMat3::from_diagonal(DVec3::splat(self.size));
        let to_unit = frame.inverse();
        let unit = self.points.iter().map(|&point| to_unit * (point - self.center));
        let unit: Vec<Vector> = unit.map(|point| Vector::from_array(point.to_array())).collect();
        let (vertices, triangles) = guarded(|| try_convex_hull(&unit))?;
        let back = |vertex: &Vector| frame * DVec3::from_array(vertex.to_array());
        let vertices: Vec<DVec3> = vertices.iter().map(back).collect();
        let tolerance = MERGE_TOLERANCE * self.size;
        let (mut corners, loops) = merged(&vertices, &triangles, &|_| tolerance)?;
        corners.iter_mut().for_each(|corner| *corner += self.center);
        self.checked(corners, &loops)
    }

    /// Whether rounding hides the angle between two faces.
    fn is_rough(&self, core: &Core) -> bool {
        let is_in = |face: &Face, other: &Face| {
            let corners = other.vertices.iter().map(|&at| core.vertices()[usize::from(at)]);
            let lowest = corners.map(|corner| face.normal.dot(corner)).fold(f64::MAX, f64::min);
            face.offset - lowest <= self.rounding.along(face.normal)
        };
        core.edge_faces().iter().any(|sides| {
            let [one, other] = sides.map(|at| &core.faces()[usize::from(at)]);
            let face_alike = one.normal.dot(other.normal) > MIN_FACING;
            face_alike && (is_in(one, other) || is_in(other, one))
        })
    }

    /// By exact predicates, with faces that are plane to the precision of the points.
    fn smooth(&self) -> Result<Core, ShapeError> {
        let triangles = hull_triangles(self.points, self.rounding).ok_or(ShapeError::Flat)?;
        let tolerance = |normal| self.rounding.along(normal);
        let (mut corners, loops) = merged(self.points, &triangles, &tolerance)?;
        let before = corners.clone();
        let is_plane = flatten(&mut corners, &loops, FLATTEN_TOLERANCE * self.size);
        // The corners of faces at a small angle would move far along them.
        let is_near = |(from, to): (&DVec3, &DVec3)| {
            let step = *to - *from;
            step.length_squared() <= MAX_STEP * self.rounding.along(step)
        };
        let is_near = before.iter().zip(&corners).all(is_near);
        if is_plane && is_near { self.checked(corners, &loops) } else { Err(ShapeError::Hull) }
    }

    /// By exact predicates, with every point that is outside of the others.
    fn exact(&self) -> Result<Core, ShapeError> {
        let triangles = hull_triangles(self.points, Rounding::EXACT).ok_or(ShapeError::Flat)?;
        let of_faces = |tolerance: f64| {
            let (corners, loops) = merged(self.points, &triangles, &|_| tolerance)?;
            self.checked(corners, &loops)
        };
        // With a negative tolerance all triangles are faces.
        of_faces(MERGE_TOLERANCE * self.size).or_else(|_| of_faces(-1.0))
    }

    /// The core of corners and faces, if it contains all points.
    fn checked(&self, corners: Vec<DVec3>, loops: &[Vec<usize>]) -> Result<Core, ShapeError> {
        if corners.len() > MAX_VERTICES {
            return Err(ShapeError::VertexCount(corners.len()));
        }
        let loops: Vec<Vec<u8>> =
            loops.iter().map(|corners| corners.iter().map(|&at| at as u8).collect()).collect();
        let core = Core::polyhedron(corners, &loops).map_err(|_| ShapeError::Hull)?;
        let is_behind = |point: &DVec3, Face { normal, offset, .. }: &Face| {
            let tolerance = PLANE_TOLERANCE * self.size + self.rounding.along(*normal);
            normal.dot(*point) <= offset + tolerance
        };
        let is_inside = |point| core.faces().iter().all(|face| is_behind(point, face));
        let is_hull = core.faces().len() >= 4 && self.points.iter().all(is_inside);
        if is_hull { Ok(core) } else { Err(ShapeError::Hull) }
    }
}

type Faces = (Vec<DVec3>, Vec<Vec<usize>>);

/// Corners, and the faces of triangles that are in one plane.
fn merged(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    tolerance: &dyn Fn(DVec3) -> f64,
) -> Result<Faces, ShapeError> {
    let (corners, loops) = merge_faces(points, triangles, tolerance).ok_or(ShapeError::Hull)?;
    Ok((corners.into_iter().map(|at| points[at]).collect(), loops))
}

/// What the library computes. It reports some failures, and panics at others: its check of links between facets.
fn guarded<T, E>(hull: impl FnOnce() -> Result<T, E>) -> Result<T, ShapeError> {
    // The points are only read, and all else is dropped.
    let result = catch_unwind(AssertUnwindSafe(hull));
    result.map_err(|_| ShapeError::Hull)?.map_err(|_| ShapeError::Hull)
}

/// The first of each group of equal points, in their order.
fn without_duplicates(points: &[DVec3], tolerance: f64, rounding: Rounding) -> Vec<DVec3> {
    let mut by_x: Vec<usize> = (0..points.len()).collect();
    by_x.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(a.cmp(&b)));
    let reach = tolerance.max(rounding.along(DVec3::X));
    let mut is_duplicate = vec![false; points.len()];
    for (place, &i) in by_x.iter().enumerate() {
        let near = by_x[place + 1..].iter();
        for &j in near.take_while(|&&j| points[j].x - points[i].x <= reach) {
            let step = points[j] - points[i];
            if step.length() <= tolerance || rounding.may_be(step) {
                is_duplicate[i.max(j)] = true;
            }
        }
    }
    points.iter().zip(is_duplicate).filter(|(_, dropped)| !dropped).map(|(p, _)| *p).collect()
}

/// Whether the points are in one plane, to `tolerance` or to their precision: measured from the plane of the first one,
/// the one furthest from it, and the one furthest from that line.
fn is_flat(points: &[DVec3], tolerance: f64, rounding: Rounding) -> bool {
    let furthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = points.iter().map(|&point| (measure(point), point));
        measured.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, points[0]))
    };
    let base = points[0];
    let (_, end) = furthest(&|point| point.distance(base));
    let along = (end - base).normalize();
    let (width, side) = furthest(&|point| (point - base).cross(along).length());
    let normal = along.cross(side - base).normalize_or_zero();
    let (depth, _) = furthest(&|point| (point - base).dot(normal).abs());
    width <= tolerance || depth <= tolerance.max(rounding.along(normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_of_the_library_is_an_error() {
        assert_eq!(guarded(|| Ok::<_, ()>(3)), Ok(3));
        assert_eq!(guarded(|| Err::<u8, _>(())), Err(ShapeError::Hull));
        let panics = || -> Result<u8, ()> { panic!("planted panic") };
        assert_eq!(guarded(panics), Err(ShapeError::Hull));
    }
}
