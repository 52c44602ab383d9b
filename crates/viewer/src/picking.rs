//! The first sphere, body or box on a ray.

use crate::camera::Ray;
use crate::scene_renderer::ShapeMesh;
use broadphase::Aabb;
use glam::Vec3;
use narrowphase::Body;

/// Boxes with a side of this share of the longest side of the space would hide the others: they are drawn as edges, and
/// picked only if no other box is met.
const LARGE: f32 = 0.5;

/// Boxes are picked at least this far from their middle, as a share of the longest side of the space: boxes without
/// thickness can be picked too.
const REACH: f32 = 0.002;

/// Whether a box would hide others in a space.
pub fn is_large(bounds: &Aabb, space: &Aabb) -> bool {
    bounds.size().max_element() >= LARGE * space.size().max_element()
}

/// The nearest of all boxes that a ray enters or starts in; `None` if it meets none. Boxes that are
/// [large](is_large) for their `space` come after all others, and absent objects are never met.
///
/// Linear in the number of boxes, which takes about a millisecond for a click.
pub fn nearest_box(ray: Ray, boxes: &[Aabb], space: Aabb) -> Option<u32> {
    let reach = REACH * space.size().max_element();
    let reach = if reach.is_finite() { reach } else { 0.0 };
    let ray = broadphase::query::Ray::new(ray.origin, ray.direction);
    let met =
        (0..).zip(boxes).filter(|(_, bounds)| !bounds.is_empty()).filter_map(|(object, bounds)| {
            let (low, high) = (bounds.center() - reach, bounds.center() + reach);
            let reached = Aabb::new(bounds.min.min(low), bounds.max.max(high));
            Some((is_large(bounds, &space), ray.enters(&reached)?, object))
        });
    let first = met.min_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    first.map(|(_, _, object)| object)
}

/// The nearest of all spheres that a ray enters or starts in; `None` if it meets none. Of spheres
/// equally near, the first.
///
/// Linear in the number of spheres, which takes about a millisecond for a click.
pub fn nearest_sphere(ray: Ray, centers: &[Vec3], radii: &[f32]) -> Option<u32> {
    let spheres = (0..).zip(centers.iter().zip(radii));
    let met = spheres
        .filter_map(|(object, (center, radius))| Some((entry(ray, *center, *radius)?, object)));
    met.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, object)| object)
}

/// Distance along a ray at which it enters a sphere; 0 if it starts inside.
fn entry(ray: Ray, center: Vec3, radius: f32) -> Option<f32> {
    let to_center = center - ray.origin;
    let along = to_center.dot(ray.direction);
    // From the nearest point of the ray's line: the difference of two large squares would cancel.
    let aside = (to_center - ray.direction * along).length_squared();
    let half_chord = radius * radius - aside;
    (half_chord >= 0.0 && along + half_chord.sqrt() >= 0.0)
        .then(|| (along - half_chord.sqrt()).max(0.0))
}

/// The nearest body, as it is drawn, that a ray meets, among some objects in any order; `None` if it meets none.
/// Numbers for which `body_of` has no body are ignored. As in the picture, faces seen from behind are not met.
///
/// Bounding spheres are tried first, so that few shapes are triangulated.
pub fn nearest_body<'a>(
    ray: Ray,
    objects: impl IntoIterator<Item = u32>,
    body_of: impl Fn(u32) -> Option<Body<'a>>,
) -> Option<u32> {
    let enclosing = objects.into_iter().filter_map(|object| {
        let body = body_of(object)?;
        let radius = body.bounding_radius() as f32;
        Some((entry(ray, body.pose.position.as_vec3(), radius)?, object, body))
    });
    let mut enclosing: Vec<(f32, u32, Body<'_>)> = enclosing.collect();
    enclosing.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut nearest: Option<(f32, u32)> = None;
    for (entered, object, body) in enclosing {
        // No body begins before its bounding sphere.
        if nearest.is_some_and(|(distance, _)| distance <= entered) {
            break;
        }
        let met = if body.shape.is_ball() { Some(entered) } else { surface(ray, &body) };
        if let Some(distance) = met
            && nearest.is_none_or(|(least, _)| distance < least)
        {
            nearest = Some((distance, object));
        }
    }
    nearest.map(|(_, object)| object)
}

/// Distance along a ray to a body's first triangle.
fn surface(ray: Ray, body: &Body<'_>) -> Option<f32> {
    let back = body.pose.rotation.conjugate();
    let origin = (ray.origin.as_dvec3() - body.pose.position) / body.scale;
    let local = Ray {
        origin: (back * origin).as_vec3(),
        direction: (back * ray.direction.as_dvec3()).as_vec3(),
    };
    let mesh = ShapeMesh::of(body.shape);
    let met = mesh.corners().filter_map(|corners| triangle(local, corners));
    met.min_by(f32::total_cmp).map(|distance| distance * body.scale as f32)
}

/// Distance along a ray to a triangle that is seen from its front. By Cramer's rule for the barycentric coordinates
/// (Möller and Trumbore 1997).
fn triangle(ray: Ray, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac, from) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(ac);
    let determinant = ab.dot(across);
    let aside = from.cross(ab);
    let u = from.dot(across) / determinant;
    let v = ray.direction.dot(aside) / determinant;
    let distance = ac.dot(aside) / determinant;
    // It is 0 for a ray within the plane, and negative from behind.
    (determinant > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0)
        .then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{SceneDocument, World};

    /// Along x: a plank across the ray's way whose bounding sphere is wide, and a cube behind it.
    const SCENE: &str = "\
i -2 -2 -2 4 4 4 100 f
#!objects 0
#!shape plank box 0.2 2 0.2
#!shape cube box 0.4 0.4 0.4
#!body plank 0 0 0  0 0 0
#!body cube 1 0.5 0  0 0 0
#!body cube 1 0 0.5  0 0 0 rotate 1 0 0 45
";

    fn pick(y: f32, z: f32) -> Option<u32> {
        let document = SceneDocument::parse("picked.scene", SCENE.as_bytes()).unwrap();
        let world = World::new(document.scene());
        let ray = Ray { origin: Vec3::new(-1.5, y, z), direction: Vec3::X };
        let bodies = world.bodies().unwrap();
        let body = |object| (object < 3).then(|| bodies.body(object as usize));
        nearest_body(ray, [7777, 2, 1, 0], body)
    }

    #[test]
    fn shape_is_picked_and_not_its_bounding_sphere() {
        assert_eq!(pick(0.5, 0.0), Some(0), "the plank is before the cube");
        // Beside the plank, within its bounding sphere.
        assert_eq!(pick(0.5, 0.15), Some(1));
        assert_eq!(pick(-0.5, 0.15), None);
    }

    #[test]
    fn faces_seen_from_behind_are_not_picked() {
        let shape = narrowphase::Shape::cuboid(glam::DVec3::ONE).unwrap();
        let body = Body::new(&shape, narrowphase::Pose::IDENTITY);
        let ray = |x: f32| Ray { origin: Vec3::X * x, direction: Vec3::X };
        assert_eq!(nearest_body(ray(-2.0), [0], |_| Some(body)), Some(0));
        assert_eq!(nearest_body(ray(0.0), [0], |_| Some(body)), None, "from inside it is not seen");
    }

    #[test]
    fn picked_shape_is_rotated_as_it_is_drawn() {
        // The rotated cube's corner reaches higher than its side would.
        assert_eq!(pick(0.0, 0.75), Some(2));
        assert_eq!(pick(0.15, 0.68), None);
    }

    #[test]
    fn nearest_sphere_in_front_is_picked() {
        let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X };
        let centers = [Vec3::X * 9.0, Vec3::X * 5.0, Vec3::X * -2.0, Vec3::new(3.0, 1.1, 0.0)];
        assert_eq!(nearest_sphere(ray, &centers, &[1.0; 4]), Some(1));
        assert_eq!(
            nearest_sphere(ray, &[centers[1]; 2], &[1.0; 2]),
            Some(0),
            "of equals the first"
        );
        assert_eq!(nearest_sphere(ray, &centers, &[1.0, 1.0, 1.0, 1.2]), Some(3));
        assert_eq!(nearest_sphere(ray, &centers, &[1.0, 1.0, 2.5, 1.2]), Some(2));
        assert_eq!(nearest_sphere(ray, &centers[3..], &[1.0]), None);
        assert_eq!(nearest_sphere(ray, &[], &[]), None);
    }

    #[test]
    fn nearest_box_in_front_is_picked_and_large_ones_last() {
        let ray = Ray { origin: Vec3::X * -9.0, direction: Vec3::X };
        let space = Aabb::new(Vec3::splat(-10.0), Vec3::splat(10.0));
        let cube = |x: f32, half: f32| Aabb::around_sphere(Vec3::X * x, half);
        let flat = Aabb::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
        let boxes = [cube(5.0, 1.0), cube(2.0, 8.0), cube(-20.0, 1.0), Aabb::EMPTY, flat];
        let pick = |boxes: &[Aabb]| nearest_box(ray, boxes, space);
        assert_eq!(pick(&boxes), Some(4), "a segment on the ray");
        assert_eq!(pick(&boxes[..4]), Some(0), "not the box around it");
        assert_eq!(pick(&boxes[1..4]), Some(0), "the large box alone");
        assert_eq!(pick(&boxes[2..4]), None);
        let beside = flat.min + Vec3::Y;
        assert_eq!(pick(&[Aabb::new(beside, beside)]), None);
    }
}
