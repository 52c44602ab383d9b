//! Which axis is swept.

use crate::spread::Spread;
use crate::{Aabb, Axis};

/// Another axis replaces the one in use where its variance is this many times as large.
const HYSTERESIS: f64 = 1.5;

/// The axis with the largest variance of centres, or the one in use unless another is clearly wider. `None`
/// where no axis is in use and no object is present.
pub(super) fn choose(used: Option<Axis>, boxes: &[Aabb]) -> Option<Axis> {
    let Some(spread) = Spread::of(boxes.iter().filter(|b| !b.is_empty())) else {
        return used;
    };
    let of = |axis: Axis| spread.variance(axis);
    let wider = |widest, axis| if of(axis) > of(widest) { axis } else { widest };
    let widest = Axis::ALL.into_iter().fold(Axis::X, wider);
    used.filter(|used| of(widest) <= HYSTERESIS * of(*used)).or(Some(widest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// A box at each end of a diagonal.
    fn spread(diagonal: Vec3) -> [Aabb; 3] {
        let at = |center| Aabb::around_sphere(center, 1.0);
        [at(Vec3::splat(1e6)), Aabb::EMPTY, at(Vec3::splat(1e6) + diagonal)]
    }

    #[test]
    fn widest_axis_is_chosen() {
        assert_eq!(choose(None, &spread(Vec3::new(3.0, 2.0, 1.0))), Some(Axis::X));
        assert_eq!(choose(None, &spread(Vec3::new(2.0, 3.0, 1.0))), Some(Axis::Y));
        assert_eq!(choose(None, &spread(Vec3::new(1.0, 2.0, 3.0))), Some(Axis::Z));
        let huge = spread(Vec3::new(1e38, 2e38, -3e38));
        assert_eq!(choose(None, &huge), Some(Axis::Z));
    }

    #[test]
    fn axis_in_use_is_kept_until_another_is_clearly_wider() {
        // A variance of 1.44 times, then of 1.69 times.
        assert_eq!(choose(Some(Axis::X), &spread(Vec3::new(10.0, 12.0, 0.0))), Some(Axis::X));
        assert_eq!(choose(Some(Axis::X), &spread(Vec3::new(10.0, 13.0, 0.0))), Some(Axis::Y));
    }

    #[test]
    fn without_objects_nothing_changes() {
        assert_eq!(choose(None, &[Aabb::EMPTY]), None);
        assert_eq!(choose(Some(Axis::Z), &[]), Some(Axis::Z));
        // A single object has no variance.
        assert_eq!(choose(Some(Axis::Z), &spread(Vec3::ZERO)[..1]), Some(Axis::Z));
        assert!(choose(None, &spread(Vec3::ZERO)).is_some());
    }
}
