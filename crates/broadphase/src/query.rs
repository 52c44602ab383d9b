//! Queries: objects touched by a box, hit by a ray, nearest to a point.

use crate::Aabb;
use glam::Vec3;

/// A ray or a segment: the points `origin + t * direction` for `t` from 0 to `reach`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its start.
    pub origin: Vec3,
    /// Its direction, of any finite length; if that is 0, the ray is the point `origin`. A ray with a NaN, or with
    /// another infinite number than `reach`, hits nothing.
    pub direction: Vec3,
    /// The largest `t`, in multiples of `direction`; infinite for a ray without end.
    pub reach: f32,
}

impl Ray {
    /// A ray without end.
    pub fn new(origin: Vec3, direction: Vec3) -> Self {
        Self { origin, direction, reach: f32::INFINITY }
    }

    /// The smallest `t` at which the ray is in a box, faces included; 0 for a start inside. `None` if
    /// it misses the box or ends before it, and for an empty box.
    ///
    /// The slab method (Kay, Kajiya 1986). A direction parallel to a face is a case of its own: a ray
    /// in the plane of a face touches the box.
    ///
    /// Differences and quotients are rounded to `f64`, where no finite `f32` overflows or underflows.
    ///
    /// The result is never larger than that of a box inside `b`, so a tree may skip a node that the
    /// ray misses. An infinite direction would break that (infinity divided by infinity), so a ray
    /// that is not finite hits nothing.
    #[inline]
    pub fn enters(&self, b: &Aabb) -> Option<f64> {
        if !(self.origin.is_finite() && self.direction.is_finite()) || self.reach.is_nan() {
            return None;
        }
        let (mut first, mut last) = (0.0f64, f64::from(self.reach));
        for axis in 0..3 {
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            if direction == 0.0 {
                if origin < b.min[axis] || origin > b.max[axis] {
                    return None;
                }
                continue;
            }
            let (origin, direction) = (f64::from(origin), f64::from(direction));
            let at = |face: f32| (f64::from(face) - origin) / direction;
            let (low, high) = (at(b.min[axis]), at(b.max[axis]));
            first = first.max(low.min(high));
            last = last.min(low.max(high));
        }
        (first <= last && !b.is_empty()).then_some(first)
    }
}

/// An object that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Id of the object.
    pub object: u32,
    /// The `t` at which the ray enters its box, in multiples of [`Ray::direction`]. It may exceed `f32::MAX` for a short
    /// one.
    pub t: f64,
}

/// The object nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Id of the object.
    pub object: u32,
    /// Square of the distance between the point and the nearest point of its box; 0 inside.
    pub distance_squared: f64,
}

/// Queries of a structure, from one [`update`](crate::BroadPhase::update) to the next.
///
/// Trees of boxes answer them ([`algorithms::bvh`](crate::algorithms::bvh)), and a [`Scan`] for any other algorithm.
///
/// `boxes` must be the boxes of that update: a structure may hold only larger ones. Layers are
/// ignored. Answers are the same for all structures. Boxes touched by a box are exact, and `t` and distances are rounded
/// to `f64`, for finite numbers of any size. Among objects that are equally near when rounded it is the lowest id.
/// Lists are unsorted, each object once.
pub trait Query {
    /// Appends every object whose box shares a point with `b`.
    fn touching(&self, boxes: &[Aabb], b: &Aabb, objects: &mut Vec<u32>);

    /// Appends every object whose box the ray hits.
    fn along(&self, boxes: &[Aabb], ray: &Ray, hits: &mut Vec<RayHit>);

    /// The object whose box the ray enters first; `None` if it hits none.
    fn first_along(&self, boxes: &[Aabb], ray: &Ray) -> Option<RayHit>;

    /// The object whose box is nearest to a point; `None` if all boxes are empty, or the point is not finite.
    fn nearest(&self, boxes: &[Aabb], point: Vec3) -> Option<Nearest>;
}

/// Answers queries by a scan of all boxes: the reference for every other structure. Linear in their
/// number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan;

impl Query for Scan {
    fn touching(&self, boxes: &[Aabb], b: &Aabb, objects: &mut Vec<u32>) {
        objects.extend((0..).zip(boxes).filter(|(_, other)| b.overlaps(other)).map(|(o, _)| o));
    }

    fn along(&self, boxes: &[Aabb], ray: &Ray, hits: &mut Vec<RayHit>) {
        let hit = |(object, b): (u32, &Aabb)| ray.enters(b).map(|t| RayHit { object, t });
        hits.extend((0..).zip(boxes).filter_map(hit));
    }

    fn first_along(&self, boxes: &[Aabb], ray: &Ray) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        for (object, b) in (0..).zip(boxes) {
            if let Some(t) = ray.enters(b)
                && first.is_none_or(|first| t < first.t)
            {
                first = Some(RayHit { object, t });
            }
        }
        first
    }

    fn nearest(&self, boxes: &[Aabb], point: Vec3) -> Option<Nearest> {
        let mut nearest: Option<Nearest> = None;
        if !point.is_finite() {
            return None;
        }
        for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            let distance_squared = b.distance_squared(point);
            if nearest.is_none_or(|nearest| distance_squared < nearest.distance_squared) {
                nearest = Some(Nearest { object, distance_squared });
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ONE };

    #[test]
    fn ray_enters_at_its_first_point_in_the_box() {
        let from_left = |y: f32| Ray::new(Vec3::new(-2.0, y, 0.5), Vec3::X * 0.5);
        assert_eq!(from_left(0.5).enters(&UNIT), Some(4.0));
        assert_eq!(from_left(1.0).enters(&UNIT), Some(4.0), "along a face");
        assert_eq!(from_left(1.1).enters(&UNIT), None);
        assert_eq!(Ray::new(Vec3::splat(0.5), Vec3::Y).enters(&UNIT), Some(0.0), "from inside");
        assert_eq!(Ray::new(Vec3::splat(2.0), Vec3::ONE).enters(&UNIT), None, "behind it");
        assert_eq!(Ray { reach: 3.9, ..from_left(0.5) }.enters(&UNIT), None, "too short");
        assert_eq!(from_left(0.5).enters(&Aabb::EMPTY), None);
        let inverted = Aabb::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(0.4, 1.0, 1.0));
        assert_eq!(from_left(0.5).enters(&inverted), None);
        let endless = Ray::new(Vec3::splat(0.5), Vec3::X * f32::INFINITY);
        assert_eq!(endless.enters(&UNIT), None, "an infinite direction");
        let unknown = Ray { reach: f32::NAN, ..from_left(0.5) };
        assert_eq!(unknown.enters(&UNIT), None, "an end that is not a number");
        let point = |at| Ray::new(at, Vec3::ZERO).enters(&UNIT);
        assert_eq!([point(Vec3::ONE), point(Vec3::splat(1.1))], [Some(0.0), None], "a point");
    }

    #[test]
    fn scan_returns_the_lowest_id_of_equally_near_objects() {
        let boxes = [Aabb::EMPTY, UNIT, UNIT];
        let ray = Ray::new(Vec3::new(-1.0, 0.5, 0.5), Vec3::X);
        assert_eq!(Scan.first_along(&boxes, &ray), Some(RayHit { object: 1, t: 1.0 }));
        assert_eq!(Scan.nearest(&boxes, Vec3::ZERO).map(|n| n.object), Some(1));
        assert_eq!(Scan.nearest(&boxes[..1], Vec3::ZERO), None);
        assert_eq!(Scan.nearest(&boxes, Vec3::new(0.0, f32::NAN, 0.0)), None);
        assert_eq!(Scan.nearest(&boxes, Vec3::X * f32::INFINITY), None);
    }
}
