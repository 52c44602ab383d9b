//! The shapes that a query may ask with.

use super::Probe;
use crate::Aabb;
use crate::swept::touch_moving;
use glam::{DVec3, DVec4, Vec3};

/// Share by which a shape may miss what it meets: more than all roundings of a measure, at most six of 1.1e-16. So none
/// loses a hit.
const EDGE: f64 = 2e-15;

/// The same for a bound, which multiplies by a reciprocal where a measure divides, and is not above that measure.
const SLACK: f64 = 2.0 * EDGE;

/// Square of a distance that counts as none: squares of shorter ones are rounded to 0, or by more than [`EDGE`].
const NO_DISTANCE: f64 = 1e-300;

// The maximum and the minimum by one instruction; a NaN in `b` is ignored.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The least `t` from 0 to `reach` at which a moving point is between all of three pairs of planes. `low` and `high` are
/// the distances of the planes from its start along each axis.
///
/// The slab method (Kay, Kajiya 1986). A direction parallel to a plane is a case of its own: a point that moves in a
/// plane touches it.
fn enters(low: DVec3, high: DVec3, direction: DVec3, reach: f64) -> Option<f64> {
    // Below infinity, at which planes are that are reached after the largest number.
    let (mut first, mut last) = (0.0f64, reach.min(f64::MAX));
    for axis in 0..3 {
        let (low, high, direction) = (low[axis], high[axis], direction[axis]);
        if direction == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (low, high) = (low / direction, high / direction);
        first = first.max(low.min(high));
        last = last.min(low.max(high));
    }
    // -0 becomes 0.
    (first <= last * (1.0 + EDGE)).then_some(first.min(last) + 0.0)
}

/// At most the result of [`enters`]; infinite if there is none.
///
/// Without motion along an axis, a quotient is infinite, or NaN on a plane.
#[inline(always)]
fn enters_slabs(low: DVec3, high: DVec3, direction: DVec3, reach: f64) -> f64 {
    let (mut first, mut last) = (0.0, smaller(f64::MAX, reach));
    for axis in 0..3 {
        let mut inverse = 1.0 / direction[axis];
        if direction[axis] != 0.0 && inverse.is_infinite() {
            // A motion so slow bounds nothing: as if on a plane.
            inverse = f64::NAN;
        }
        let is_backward = inverse < 0.0;
        let (near, far) = (low[axis] * inverse, high[axis] * inverse);
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
    pub origin: DVec3,
    /// Its direction, of any finite length; if that is 0, the ray is the point `origin`. A ray with a NaN, or with
    /// another infinite number than `reach`, hits nothing.
    pub direction: DVec3,
    /// The largest `t`, in multiples of `direction`; infinite for a ray without end.
    pub reach: f64,
}

impl Ray {
    /// A ray without end.
    pub fn new(origin: impl Into<DVec3>, direction: impl Into<DVec3>) -> Self {
        Self { origin: origin.into(), direction: direction.into(), reach: f64::INFINITY }
    }

    #[inline(always)]
    fn is_valid(&self) -> bool {
        self.origin.is_finite() & self.direction.is_finite() & !self.reach.is_nan()
    }

    /// The smallest `t` at which the ray is in a box, faces included; 0 for a start inside. `None` if
    /// it misses the box or ends before it, and for an empty box.
    ///
    /// Differences and quotients are rounded. A box that the ray misses by less than that may be entered; none that it enters
    /// is missed, unless at a `t` above [`f64::MAX`].
    pub fn enters(&self, b: &Aabb) -> Option<f64> {
        if !self.is_valid() || b.is_empty() {
            return None;
        }
        let [low, high] = [b.min, b.max].map(|corner| corner.as_dvec3() - self.origin);
        enters(low, high, self.direction, self.reach)
    }
}

impl Probe for Ray {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        self.enters(b)
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let Self { origin, direction, reach } = *self;
        let t = enters_slabs(min - origin, max - origin, direction, reach);
        if self.is_valid() { t } else { f64::INFINITY }
    }
}

/// A box that moves by a displacement along a line, at a constant speed. It meets each box that it touches on the way.
///
/// If the displacement has numbers of `f32`, it meets no others; else it may meet boxes that it misses by the rounding of
/// a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBox {
    /// The box at its start. If it is empty, or not finite, nothing is met.
    pub start: Aabb,
    /// Its way in the time from 0 to 1; may be 0. If it is not finite, nothing is met.
    pub displacement: DVec3,
}

impl MovingBox {
    /// A box at its start, and its way.
    pub fn new(start: Aabb, displacement: impl Into<DVec3>) -> Self {
        Self { start, displacement: displacement.into() }
    }

    #[inline(always)]
    fn is_valid(&self) -> bool {
        self.start.is_finite() & self.displacement.is_finite() & !self.start.is_empty()
    }

    /// Distances of the planes between which the start moves where it meets a box.
    #[inline(always)]
    fn slabs(&self, min: DVec3, max: DVec3) -> [DVec3; 2] {
        [min - self.start.max.as_dvec3(), max - self.start.min.as_dvec3()]
    }

    /// The time of the first touch, from 0 to 1, rounded to `f64`; `None` if the boxes do not touch.
    pub fn touches(&self, b: &Aabb) -> Option<f64> {
        if !self.is_valid() || b.is_empty() {
            return None;
        }
        let [low, high] = self.slabs(b.min.as_dvec3(), b.max.as_dvec3());
        let t = enters(low, high, self.displacement, 1.0)?;
        // A rounded time loses no touch. Whether there is one is exact in numbers of `f32`.
        let displacement = self.displacement.as_vec3();
        let is_rounded = displacement.as_dvec3() != self.displacement;
        let touches = is_rounded || touch_moving([&self.start, b], [displacement, Vec3::ZERO]);
        touches.then_some(t)
    }
}

impl Probe for MovingBox {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        self.touches(b)
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let [low, high] = self.slabs(min, max);
        let t = enters_slabs(low, high, self.displacement, 1.0);
        if self.is_valid() { t } else { f64::INFINITY }
    }
}

/// A closed ball. The measure of a box is the square of its distance from the centre, 0 inside.
///
/// It meets each box that shares a point with it, and may meet those that it misses by the rounding of a square, or by 1e-150.
/// Squares above [`f64::MAX`] count as that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre. If it is not finite, nothing is met.
    pub center: DVec3,
    /// Its radius; 0 for a point, infinite for all boxes. If it is negative or NaN, nothing is met.
    pub radius: f64,
}

impl Sphere {
    /// A centre and a radius: for the objects within a distance.
    pub fn new(center: impl Into<DVec3>, radius: impl Into<f64>) -> Self {
        Self { center: center.into(), radius: radius.into() }
    }

    /// A sphere of infinite radius: for the objects nearest to a point. It meets every box that is not empty, if its centre is
    /// finite.
    pub fn unbounded(center: impl Into<DVec3>) -> Self {
        Self::new(center, f64::INFINITY)
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
        let Self { center, radius } = *self;
        let outside = |axis: usize| {
            let side = larger(min[axis] - center[axis], center[axis] - max[axis]);
            larger(0.0, side)
        };
        let [x, y, z] = [0, 1, 2].map(outside);
        let distance = x * x + y * y + z * z;
        let reach = radius * radius * (1.0 + EDGE) + NO_DISTANCE;
        let meets = (distance <= reach) & (radius >= 0.0) & center.is_finite();
        if meets { smaller(f64::MAX, distance) } else { f64::INFINITY }
    }
}

/// The points in front of all planes: of a camera, or of any convex shape.
///
/// It meets each box that no single plane excludes, the usual test of culling. So it meets all boxes that share a point with
/// the frustum, and some near its edges. No rounding excludes a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum<'a> {
    /// The planes: a point p is in front of one if `p · xyz + w >= 0`. The normals, `xyz`, point inwards, with any length.
    /// If a plane is not finite, nothing is met; without planes, every box.
    pub planes: &'a [DVec4],
}

impl Probe for Frustum<'_> {
    fn measure(&self, _: u32, b: &Aabb) -> Option<f64> {
        let bound = self.bound(b.min.as_dvec3(), b.max.as_dvec3());
        (bound == 0.0 && !b.is_empty()).then_some(bound)
    }

    #[inline(always)]
    fn bound(&self, min: DVec3, max: DVec3) -> f64 {
        let is_in_front = |plane: &DVec4| {
            // The corner of the box that lies farthest along the normal: monotone in every face.
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let normal = plane[axis];
                normal * if normal < 0.0 { min[axis] } else { max[axis] }
            });
            let rounding = EDGE * (x.abs() + y.abs() + z.abs() + plane.w.abs());
            let sum = x + y + z + plane.w;
            // Sums that overflow exclude nothing.
            plane.is_finite() & ((sum >= -rounding) | sum.is_nan())
        };
        let meets = self.planes.iter().fold(true, |meets, plane| meets & is_in_front(plane));
        if meets { 0.0 } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ONE };

    #[test]
    fn ray_enters_at_its_first_point_in_the_box() {
        let from_left = |y| Ray::new(DVec3::new(-2.0, y, 0.5), Vec3::X * 0.5);
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
        let unknown = Ray { reach: f64::NAN, ..from_left(0.5) };
        assert_eq!(unknown.enters(&UNIT), None, "an end that is not a number");
        let point = |at| Ray::new(at, Vec3::ZERO).enters(&UNIT);
        assert_eq!([point(Vec3::ONE), point(Vec3::splat(1.1))], [Some(0.0), None], "a point");
    }
}
