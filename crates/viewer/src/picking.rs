//! The first sphere, body or box on a ray.

mod bodies;

pub use bodies::nearest_body;

use crate::camera::Ray;
use broadphase::Aabb;
use glam::Vec3;

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

#[cfg(test)]
mod tests {
    use super::*;

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
