//! Which sphere a half-line meets first.

use crate::camera::Ray;
use glam::Vec3;

/// The nearest sphere that a ray enters, or stands in; `None` where it meets none.
///
/// Linear in the number of spheres: a click can wait a millisecond.
pub fn nearest_sphere(ray: Ray, centers: &[Vec3], radii: &[f32]) -> Option<u32> {
    let entry = |center: Vec3, radius: f32| {
        let to_center = center - ray.origin;
        let along = to_center.dot(ray.direction);
        // From the nearest point of the ray's line, and not by the difference of two large squares.
        let aside = (to_center - ray.direction * along).length_squared();
        let half_chord = radius * radius - aside;
        (half_chord >= 0.0 && along + half_chord.sqrt() >= 0.0)
            .then(|| (along - half_chord.sqrt()).max(0.0))
    };
    let spheres = (0..).zip(centers.iter().zip(radii));
    let met = spheres.filter_map(|(object, (center, radius))| {
        entry(*center, *radius).map(|distance| (object, distance))
    });
    met.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(object, _)| object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_in_front_is_met() {
        let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X };
        let centers = [Vec3::X * 9.0, Vec3::X * 5.0, Vec3::X * -2.0, Vec3::new(3.0, 1.1, 0.0)];
        assert_eq!(nearest_sphere(ray, &centers, &[1.0; 4]), Some(1));
        assert_eq!(nearest_sphere(ray, &centers, &[1.0, 1.0, 1.0, 1.2]), Some(3));
        assert_eq!(nearest_sphere(ray, &centers, &[1.0, 1.0, 2.5, 1.2]), Some(2));
        assert_eq!(nearest_sphere(ray, &centers[3..], &[1.0]), None);
        assert_eq!(nearest_sphere(ray, &[], &[]), None);
    }
}
