//! The place and the size of most objects, without a few distant or large ones.

use crate::Aabb;
use crate::mix::mix;
use glam::Vec3;

/// Most objects of the sample.
const SAMPLES: usize = 256;

/// Every `OUTSIDE`-th sample may lie below the place of the bulk, and as many above.
const OUTSIDE: usize = 32;

/// Every `LARGE`-th sample may be larger than the bulk.
const LARGE: usize = 16;

/// The bulk of a frame's objects. It comes from a sample, which is the same for the same boxes. A few objects
/// that are far away or very large do not change it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bulk {
    /// Bounds of most centres.
    pub(crate) centers: Aabb,
    /// Side lengths that most objects do not exceed.
    pub(crate) size: Vec3,
}

impl Bulk {
    /// Lists the objects that are present, in ascending order, and describes most of them. `None`
    /// where there are none.
    ///
    /// The place holds the centres that are no farther from the bulk than `reach` times the bulk's own
    /// extent.
    pub(crate) fn of(boxes: &[Aabb], reach: f32, present: &mut Vec<u32>) -> Option<Self> {
        let mut all = Aabb::EMPTY;
        present.clear();
        for (object, b) in (0..).zip(boxes) {
            if !b.is_empty() {
                present.push(object);
                let center = b.center();
                all = Aabb::new(all.min.min(center), all.max.max(center));
            }
        }
        if present.is_empty() {
            return None;
        }
        let samples = present.len().min(SAMPLES);
        let mut objects = [0; SAMPLES];
        let objects = &mut objects[..samples];
        for (number, object) in objects.iter_mut().enumerate() {
            // Drawn, not every k-th one: a period in the list must not repeat in the sample.
            let drawn = (mix(number as u64) % present.len() as u64) as usize;
            *object = present[if present.len() <= SAMPLES { number } else { drawn }];
        }
        let mut bulk = Self { centers: all, size: Vec3::ZERO };
        let (outside, last) = (samples / OUTSIDE, samples - 1);
        for axis in 0..3 {
            let sorted = |value: fn(&Aabb) -> Vec3| {
                let mut values = [f32::INFINITY; SAMPLES];
                for (at, object) in values.iter_mut().zip(&*objects) {
                    *at = value(&boxes[*object as usize])[axis];
                }
                values[..samples].sort_unstable_by(f32::total_cmp);
                values
            };
            let centers = sorted(Aabb::center);
            let (low, high) = (centers[outside], centers[last - outside]);
            // Multiplied by the reach first: a reach of 0 times an overflow would be NaN.
            let margin = (high * 0.5 - low * 0.5) * reach * 2.0;
            bulk.centers.min[axis] = bulk.centers.min[axis].max(low - margin);
            bulk.centers.max[axis] = bulk.centers.max[axis].min(high + margin);
            bulk.size[axis] = sorted(Aabb::size)[last - samples / LARGE];
        }
        Some(bulk)
    }

    /// Lengths of the place on the three axes. In `f64`, so that they do not overflow.
    pub(crate) fn span(&self) -> [f64; 3] {
        let Aabb { min, max } = self.centers;
        std::array::from_fn(|axis| f64::from(max[axis]) - f64::from(min[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(n: usize) -> Vec<Aabb> {
        (0..n).map(|i| Aabb::around_sphere(Vec3::splat(i as f32), 0.25)).collect()
    }

    #[test]
    fn few_far_or_huge_objects_do_not_change_it() {
        let mut boxes = line(1000);
        boxes[7] = Aabb::around_sphere(Vec3::splat(1e30), 0.25);
        boxes[8] = Aabb::around_sphere(Vec3::splat(5.0), 1e20);
        boxes[9] = Aabb::EMPTY;
        let mut present = Vec::new();
        let bulk = Bulk::of(&boxes, 1.0, &mut present).unwrap();
        assert_eq!(present.len(), 999);
        assert_eq!(bulk.size, Vec3::splat(0.5));
        assert_eq!(bulk.centers.min, Vec3::ZERO);
        assert!(bulk.centers.max.x > 990.0 && bulk.centers.max.x < 4000.0, "{:?}", bulk.centers);
    }

    #[test]
    fn place_is_bounded_at_the_limits_of_floats() {
        // Nearly as far apart as floats are, with an outlier on each side.
        let mut boxes = vec![Aabb::around_sphere(Vec3::splat(-3e38), 0.0); 400];
        boxes[200..].fill(Aabb::around_sphere(Vec3::splat(3e38), 0.0));
        boxes[100] = Aabb::around_sphere(Vec3::splat(-3.2e38), 0.0);
        boxes[300] = Aabb::around_sphere(Vec3::splat(3.2e38), 0.0);
        let bulk = Bulk::of(&boxes, 0.0, &mut Vec::new()).unwrap();
        let expected = Aabb::new(Vec3::splat(-3e38), Vec3::splat(3e38));
        assert_eq!(bulk.centers, expected);
    }

    #[test]
    fn bulk_of_absent_objects_is_none() {
        let mut present = vec![3];
        assert!(Bulk::of(&[Aabb::EMPTY; 3], 1.0, &mut present).is_none());
        assert!(present.is_empty());
    }
}
