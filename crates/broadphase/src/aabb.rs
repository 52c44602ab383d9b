//! The axis-aligned bounding box, and the check that refuses bad ones.

use crate::simd::level;
use fearless_simd::dispatch;
use glam::{DVec3, Vec3};

/// A closed axis-aligned bounding box: it contains its faces, so boxes that only touch overlap.
///
/// A box whose `min` exceeds its `max` on some axis is *empty*. It stands for an object that is
/// absent in this frame, and overlaps nothing, not even itself. [`Aabb::EMPTY`] is the canonical
/// empty box.
///
/// Coordinates are `f32` in any unit, the same for all boxes of a frame. The layout is six `f32`
/// (min x, y, z, max x, y, z), in memory as in a trace file.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Aabb {
    /// The lowest corner.
    pub min: Vec3,
    /// The highest corner.
    pub max: Vec3,
}

impl Aabb {
    /// The canonical empty box, and the neutral element of [`Aabb::union`].
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// A box from its lowest and its highest corner. Not checked: see [`check_boxes`].
    pub const fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    /// The box around `f64` coordinates: `min` is rounded down, and `max` up, each to the next `f32`.
    ///
    /// Boxes that overlap in `f64` overlap after it, so that no pair is lost. Boxes up to two units in the last place apart
    /// may overlap, too: see *Large worlds* in the [crate's documentation](crate). A coordinate beyond `f32::MAX` becomes
    /// `f32::MAX`, an infinite one as well. A box that is empty in `f64` becomes [`EMPTY`](Self::EMPTY). A NaN stays one.
    ///
    /// ```
    /// use broadphase::Aabb;
    /// use broadphase::glam::DVec3;
    ///
    /// let b = Aabb::from_f64(DVec3::splat(0.1), DVec3::splat(0.1));
    /// assert!(f64::from(b.min.x) < 0.1 && f64::from(b.max.x) > 0.1);
    /// ```
    pub fn from_f64(min: DVec3, max: DVec3) -> Self {
        if min.cmpgt(max).any() && !min.is_nan() && !max.is_nan() {
            return Self::EMPTY;
        }
        let (min, max) = (min.to_array(), max.to_array());
        Self::new(Vec3::from(min.map(round_down)), Vec3::from(max.map(|high| -round_down(-high))))
    }

    /// The box around a sphere.
    pub fn around_sphere(center: Vec3, radius: f32) -> Self {
        Self::new(center - radius, center + radius)
    }

    /// The smallest box around every non-empty box of `boxes`; empty if there is none.
    pub fn bounds(boxes: &[Aabb]) -> Self {
        boxes.iter().fold(Self::EMPTY, |all, b| all.union(b))
    }

    /// Whether the box stands for an absent object.
    pub fn is_empty(&self) -> bool {
        // Not `min > max`: a box with a NaN must count as empty.
        !self.min.cmple(self.max).all()
    }

    /// Whether every coordinate is finite, hence not NaN. [`Aabb::EMPTY`] is not finite.
    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// Refuses a NaN, and an infinite side of a non-empty box.
    pub(crate) fn check(&self) -> Result<(), BoxFault> {
        if self.min.is_nan() || self.max.is_nan() {
            return Err(BoxFault::NotANumber);
        }
        if !self.is_empty() && !self.is_finite() {
            return Err(BoxFault::Infinite);
        }
        Ok(())
    }

    /// Whether two boxes share a point. Boxes that only touch do; an empty box shares none.
    pub fn overlaps(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all()
            && other.min.cmple(self.max).all()
            && !self.is_empty()
            && !other.is_empty()
    }

    /// Whether the whole of `other` lies in the box, faces included. No box contains an empty one.
    pub fn contains(&self, other: &Aabb) -> bool {
        !other.is_empty() && self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// The smallest box around both; an empty box adds nothing.
    pub fn union(&self, other: &Aabb) -> Self {
        if other.is_empty() {
            return *self;
        }
        if self.is_empty() {
            return *other;
        }
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    /// The centre of the box; meaningless for an empty box.
    pub fn center(&self) -> Vec3 {
        // Halved first: the sum could overflow.
        self.min * 0.5 + self.max * 0.5
    }

    /// Side lengths, infinite where they exceed `f32::MAX`; meaningless for an empty box.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }
}

impl Default for Aabb {
    /// [`Aabb::EMPTY`].
    fn default() -> Self {
        Self::EMPTY
    }
}

/// The highest finite `f32` that is not above a number; `f32::MIN` below all of them.
fn round_down(number: f64) -> f32 {
    let nearest = number as f32;
    let below = if f64::from(nearest) > number { nearest.next_down() } else { nearest };
    below.clamp(f32::MIN, f32::MAX)
}

/// A box that [`check_boxes`] refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("object {object}: {fault}")]
pub struct BoxError {
    /// Id of the object: the index of its box.
    pub object: usize,
    /// The fault of its box.
    pub fault: BoxFault,
}

/// The fault of a refused box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoxFault {
    /// A coordinate is not a number.
    #[error("a coordinate of its box is NaN")]
    NotANumber,
    /// The box is not empty, yet a side is infinite.
    #[error("its box is not empty, yet a side of it is infinite")]
    Infinite,
}

/// Refuses boxes with a NaN, and non-empty boxes with an infinite side.
///
/// Algorithms rely on it: call it once for every frame whose boxes come from outside. Linear in the
/// number of boxes.
///
/// # Errors
///
/// The first object with a bad box, and the fault of the box.
pub fn check_boxes(boxes: &[Aabb]) -> Result<(), BoxError> {
    dispatch!(level(), _simd => check_blocks(boxes))
}

// Inlined, so that it is compiled for the instruction set.
#[inline(always)]
fn check_blocks(boxes: &[Aabb]) -> Result<(), BoxError> {
    for (block, first) in boxes.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
        if !all_are_finite(block) {
            check_each(block).map_err(|bad| BoxError { object: first + bad.object, ..bad })?;
        }
    }
    Ok(())
}

/// Boxes checked at once. A multiple of every vector length; a block with an absent object is checked
/// box by box.
const BLOCK: usize = 32;

/// Whether every coordinate is finite.
#[inline(always)]
fn all_are_finite(boxes: &[Aabb]) -> bool {
    // Only infinities and NaNs have an exponent of all ones. Without an early exit, the compiler
    // uses vectors.
    const EXPONENT: u32 = 0x7f80_0000;
    let coordinates: &[u32] = bytemuck::cast_slice(boxes);
    let is_bad = |bits: &u32| bits & EXPONENT == EXPONENT;
    !coordinates.iter().fold(false, |any, bits| any | is_bad(bits))
}

fn check_each(boxes: &[Aabb]) -> Result<(), BoxError> {
    for (object, b) in boxes.iter().enumerate() {
        b.check().map_err(|fault| BoxError { object, fault })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_at(x: f32) -> Aabb {
        Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0))
    }

    #[test]
    fn touching_boxes_overlap_but_not_across_a_gap_of_one_ulp() {
        assert!(unit_at(0.0).overlaps(&unit_at(1.0)));
        assert!(!unit_at(0.0).overlaps(&unit_at(1.0f32.next_up())));
    }

    #[test]
    fn a_box_empty_on_one_axis_overlaps_nothing() {
        // Its bounds alone would pass the interval test against the large box.
        let inverted = Aabb::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(0.4, 1.0, 1.0));
        assert!(inverted.is_empty());
        assert!(!inverted.overlaps(&unit_at(0.0)));
        assert!(!unit_at(0.0).overlaps(&inverted));
        assert!(!Aabb::EMPTY.overlaps(&Aabb::EMPTY));
    }

    #[test]
    fn box_contains_no_empty_box_and_none_beyond_its_faces() {
        let unit = unit_at(0.0);
        let half = Aabb::new(unit.min, unit.center());
        assert!(unit.contains(&unit) && unit.contains(&half) && !half.contains(&unit));
        for axis in Vec3::AXES {
            assert!(!unit.contains(&Aabb::new(unit.min - axis * 1e-6, unit.max)));
            assert!(!unit.contains(&Aabb::new(unit.min, unit.max + axis * 1e-6)));
        }
        assert!(!unit.contains(&Aabb::EMPTY) && !Aabb::EMPTY.contains(&unit));
    }

    #[test]
    fn union_ignores_empty_boxes_of_any_form() {
        let inverted = Aabb::new(Vec3::splat(9.0), Vec3::splat(-9.0));
        assert_eq!(unit_at(0.0).union(&inverted), unit_at(0.0));
        assert_eq!(inverted.union(&unit_at(0.0)), unit_at(0.0));
        assert!(Aabb::bounds(&[Aabb::EMPTY, inverted]).is_empty());
    }

    #[test]
    fn bad_box_is_refused_with_its_fault_anywhere_in_a_list() {
        let unit = unit_at(0.0);
        for (bad, fault) in [
            (Aabb { min: unit.min.with_z(-f32::NAN), ..unit }, BoxFault::NotANumber),
            (Aabb { max: unit.max.with_y(f32::NAN), ..unit }, BoxFault::NotANumber),
            (Aabb { min: unit.min.with_z(f32::NEG_INFINITY), ..unit }, BoxFault::Infinite),
            (Aabb { max: unit.max.with_y(f32::INFINITY), ..unit }, BoxFault::Infinite),
        ] {
            for object in [0, 31, 32, 63, 64, 99] {
                let mut boxes = [unit; 100];
                // Absent objects are not finite, and are no fault.
                (boxes[5], boxes[98]) = (Aabb::EMPTY, Aabb::EMPTY);
                assert_eq!(check_boxes(&boxes), Ok(()));
                boxes[object] = bad;
                assert_eq!(check_boxes(&boxes), Err(BoxError { object, fault }));
            }
        }
    }
}
