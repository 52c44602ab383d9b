//! The first sphere on a ray.

use crate::camera::Ray;
use glam::Vec3;

/// The nearest of all spheres that a ray enters or starts in; `None` if it meets none. Of spheres
/// equally near, the first.
///
/// Linear in the number of spheres, which takes about a millisecond for a click.
pub fn nearest_sphere(ray: Ray, centers: &[Vec3], radii: &[f32]) -> Option<u32> {
    nearest_among(ray, 0..centers.len() as u32, centers, radii)
}

/// The same among some spheres, in any order. Numbers of no sphere are ignored.
pub fn nearest_among(
    ray: Ray,
    objects: impl IntoIterator<Item = u32>,
    centers: &[Vec3],
    radii: &[f32],
) -> Option<u32> {
    let met = objects.into_iter().filter_map(|object| {
        let at = object as usize;
        let distance = entry(ray, *centers.get(at)?, *radii.get(at)?)?;
        Some((distance, object))
    });
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
        assert_eq!(nearest_sphere(ray, &centers, &[1.0, 1.0, 1.0, 1.2]), Some(3));
        assert_eq!(nearest_sphere(ray, &centers, &[1.0, 1.0, 2.5, 1.2]), Some(2));
        assert_eq!(nearest_sphere(ray, &centers[3..], &[1.0]), None);
        assert_eq!(nearest_sphere(ray, &[], &[]), None);
    }

    #[test]
    fn candidates_may_come_in_any_order() {
        let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X };
        let centers = [Vec3::X * 9.0, Vec3::X * 5.0, Vec3::X * 5.0];
        let among =
            |objects: &[u32]| nearest_among(ray, objects.iter().copied(), &centers, &[1.0; 3]);
        assert_eq!(among(&[2, 0, 1]), Some(1), "of equals the first");
        assert_eq!((among(&[0, 77]), among(&[77]), among(&[])), (Some(0), None, None));
    }
}
