//! The shapes that a query may ask with.

use super::Probe;
use crate::Aabb;
use crate::swept::touch_moving;
use glam::{DVec3, Vec3, Vec4};

/// Share by which a bound is below the measure that it bounds. Bounds multiply by a reciprocal where measures divide: both
/// together have at most five roundings of 1.1e-16.
const SLACK: f64 = 1e-15;

// The maximum and the minimum by one instruction; a NaN in `b` is ignored.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// At most the `t` at which a moving point is between all of three pairs of planes; infinite if that is at no `t` from 0 to
/// `reach`. `low` and `high` are the distances of the planes from its start along each axis.
///
/// The slab method (Kay, Kajiya 1986). Without motion along an axis, a quotient is infinite, or NaN on a plane.
#[inline(always)]
fn enters_slabs(low: DVec3, high: DVec3, direction: Vec3, reach: f32) -> f64 {
    let inverse = 1.0 / direction.as_dvec3();
    // Below infinity, which planes that are never reached have.
    let (mut first, mut last) = (0.0, smaller(f64::MAX, f64::from(reach)));
    for axis in 0..3 {
        let is_backward = inverse[axis] < 0.0;
        let (near, far) = (low[axis] * inverse[axis], high[axis] * inverse[axis]);
        first = larger(first, if is_backward { far } else { near });
        last = smaller(last, if is_backward { near } else { far });
    }
    let first = first * (1.0 - SLACK);
    if first <= last * (1.0 + SLACK) { first } else { f64::INFINITY }
}

/// A box meets the boxes that share a point with it. Its own sides may be infinite.
impl Probe for Aabb {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        self.overlaps(b).then_some(0.0)
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let (own_min, own_max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let meets = (min.x <= own_max.x)
            & (own_min.x <= max.x)
            & (min.y <= own_max.y)
            & (own_min.y <= max.y)
            & (min.z <= own_max.z)
            & (own_min.z <= max.z);
        if meets & !self.is_empty() { 0.0 } else { f64::INFINITY }
    }
}

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

    #[inline(always)]
    fn is_valid(&self) -> bool {
        self.origin.is_finite() & self.direction.is_finite() & !self.reach.is_nan()
    }

    /// The smallest `t` at which the ray is in a box, faces included; 0 for a start inside. `None` if
    /// it misses the box or ends before it, and for an empty box.
    ///
    /// The slab method (Kay, Kajiya 1986). A direction parallel to a face is a case of its own: a ray
    /// in the plane of a face touches the box.
    ///
    /// Differences and quotients are rounded to `f64`, where no finite `f32` overflows or underflows.
    pub fn enters(&self, b: &Aabb) -> Option<f64> {
        if !self.is_valid() || b.is_empty() {
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
        // -0 becomes 0.
        (first <= last).then_some(first + 0.0)
    }
}

impl Probe for Ray {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        self.enters(b)
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let origin = self.origin.as_dvec3();
        let t = enters_slabs(min - origin, max - origin, self.direction, self.reach);
        if self.is_valid() { t } else { f64::INFINITY }
    }
}

/// A box that moves by a displacement along a line, at a constant speed. It meets each box that it touches on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// The box at its start. If it is empty, or not finite, nothing is met.
    pub start: Aabb,
    /// Its way in the time from 0 to 1; may be 0. If it is not finite, nothing is met.
    pub displacement: Vec3,
}

impl Sweep {
    #[inline(always)]
    fn is_valid(&self) -> bool {
        self.start.is_finite() & self.displacement.is_finite() & !self.start.is_empty()
    }

    /// The time of the first touch, from 0 to 1, rounded to `f64`; `None` if the boxes do not touch, which is exact.
    pub fn touches(&self, b: &Aabb) -> Option<f64> {
        let Self { start, displacement } = self;
        if !self.is_valid() || !touch_moving([start, b], [*displacement, Vec3::ZERO]) {
            return None;
        }
        let mut first = 0.0f64;
        for axis in 0..3 {
            let way = f64::from(displacement[axis]);
            let difference = |a: f32, b: f32| f64::from(a) - f64::from(b);
            if way > 0.0 {
                first = first.max(difference(b.min[axis], start.max[axis]) / way);
            } else if way < 0.0 {
                first = first.max(difference(b.max[axis], start.min[axis]) / way);
            }
        }
        Some(first + 0.0)
    }
}

impl Probe for Sweep {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        self.touches(b)
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let (low, high) = (min - self.start.max.as_dvec3(), max - self.start.min.as_dvec3());
        let t = enters_slabs(low, high, self.displacement, 1.0);
        if self.is_valid() { t } else { f64::INFINITY }
    }
}

/// A closed ball. The measure of a box is the square of its distance from the centre, 0 inside.
///
/// [`Sphere::unbounded`] asks for the objects nearest to a point, another radius for those within a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre. If it is not finite, nothing is met.
    pub center: Vec3,
    /// Its radius; 0 for a point, infinite for all boxes. If it is negative or NaN, nothing is met.
    pub radius: f32,
}

impl Sphere {
    /// A sphere of infinite radius: it meets every box that is not empty, if its centre is finite.
    pub fn unbounded(center: Vec3) -> Self {
        Self { center, radius: f32::INFINITY }
    }
}

impl Probe for Sphere {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        let measure = self.bound(b.min.as_dvec3(), b.max.as_dvec3());
        (measure < f64::INFINITY && !b.is_empty()).then_some(measure)
    }

    /// Monotone in every face: so the bound of a box is its measure.
    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let (center, radius) = (self.center.as_dvec3(), f64::from(self.radius));
        let outside = |axis: usize| {
            let side = larger(min[axis] - center[axis], center[axis] - max[axis]);
            larger(0.0, side)
        };
        let [x, y, z] = [0, 1, 2].map(outside);
        let distance = x * x + y * y + z * z;
        let meets = (distance <= radius * radius) & (radius >= 0.0) & self.center.is_finite();
        if meets { distance } else { f64::INFINITY }
    }
}

/// The points in front of all planes: of a camera, or of any convex shape.
///
/// It meets each box that no single plane excludes, the usual test of culling. So it meets all boxes that share a point with
/// the frustum, but for rounding, and some near its edges. Products are exact, and sums are rounded to `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum<'a> {
    /// The planes: a point p is in front of one if `p · xyz + w >= 0`. The normals, `xyz`, point inwards, with any length.
    /// If a plane is not finite, nothing is met; without planes, every box.
    pub planes: &'a [Vec4],
}

impl Probe for Frustum<'_> {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        let bound = self.bound(b.min.as_dvec3(), b.max.as_dvec3());
        (bound == 0.0 && !b.is_empty()).then_some(bound)
    }

    /// The corner that lies farthest along a normal gives sums that are monotone in every face.
    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let is_in_front = |plane: &Vec4| {
            let term = |axis: usize| {
                let normal = f64::from(plane[axis]);
                normal * if normal < 0.0 { min[axis] } else { max[axis] }
            };
            plane.is_finite() & (term(0) + term(1) + term(2) + f64::from(plane.w) >= 0.0)
        };
        if self.planes.iter().fold(true, |meets, plane| meets & is_in_front(plane)) {
            0.0
        } else {
            f64::INFINITY
        }
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
}
