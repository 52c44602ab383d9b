//! Lines between two objects.

use broadphase::Aabb;
use glam::Vec3;

/// A box counts as much larger than another if its longest side is more than this many times as long: boxes on a ground,
/// not two bodies of different sizes.
const MUCH_LARGER: f32 = 4.0;

/// The ends of a line between two objects, of which the places and the boxes are given: their places. A much larger box is
/// met at its surface: the lines of a ground with all that lies on it would be a star around its middle.
pub(super) fn ends([(a, a_box), (b, b_box)]: [(Vec3, Aabb); 2]) -> [Vec3; 2] {
    let [a_side, b_side] = [a_box, b_box].map(|bounds| bounds.size().max_element());
    if a_side > MUCH_LARGER * b_side {
        [nearest_on(&a_box, b), b]
    } else if b_side > MUCH_LARGER * a_side {
        [a, nearest_on(&b_box, a)]
    } else {
        [a, b]
    }
}

/// The point of a box's surface that is nearest to a place.
fn nearest_on(bounds: &Aabb, place: Vec3) -> Vec3 {
    let mut nearest = place.clamp(bounds.min, bounds.max);
    if nearest == place {
        let faces = (0..3).flat_map(|axis| [(axis, bounds.min[axis]), (axis, bounds.max[axis])]);
        let gap = |&(axis, face): &(usize, f32)| (face - place[axis]).abs();
        if let Some((axis, face)) = faces.min_by(|a, b| gap(a).total_cmp(&gap(b))) {
            nearest[axis] = face;
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_larger_box_is_met_at_its_surface() {
        let ground = Aabb::new(Vec3::new(-10.0, -10.0, -1.0), Vec3::new(10.0, 10.0, 0.0));
        let ball = |center: Vec3| (center, Aabb::around_sphere(center, 0.5));
        let [above, inside] = [Vec3::new(7.0, -3.0, 0.4), Vec3::new(7.0, -3.0, -0.2)].map(ball);
        for other in [above, inside] {
            let met = Vec3::new(7.0, -3.0, 0.0);
            let middle = (ground.center(), ground);
            assert_eq!(ends([middle, other]), [met, other.0]);
            assert_eq!(ends([other, middle]), [other.0, met]);
        }
        let centers = [above, inside].map(|(center, _)| center);
        assert_eq!(ends([above, inside]), centers, "similar boxes are met in their middles");
    }
}
