//! Queries about the last frame: objects touched by a box, hit by a ray, nearest to a point.

use crate::failure::{Failure, status_of};
use crate::pointer::{check, reference, slice};
use crate::{BpAabb, BpBroadPhase, BpNearest, BpRay, BpRayHit, BpStatus};
use broadphase::glam::Vec3;
use broadphase::{Aabb, Nearest, Ray};
use std::ptr;

/// The object of an answer if there is none.
pub const BP_NO_OBJECT: u32 = u32::MAX;

/// Finds every object of the last frame whose box shares a point with a box, in any order. Layers are ignored.
///
/// The trees of boxes ("bvh-...") answer in logarithmic time, all other algorithms test every box.
///
/// `boxes`: those of the last bp_find_pairs with this instance, unchanged. Only their number is checked.
/// `area`: without a NaN. It may be infinite, and touches nothing if its min exceeds its max.
/// `objects`, `object_count`: receive the ids, or null and 0 if the call fails; neither is written if one
/// of them is null. The list belongs to the instance, and is valid until its next bp_query_box or bp_destroy.
///
/// # Safety
///
/// `instance` is null or from bp_create and not destroyed; `boxes` points to `count` boxes and `area` is
/// null or valid, and no thread changes them during the call; `objects` and `object_count` are null or
/// valid for a write, and overlap nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_query_box(
    instance: *mut BpBroadPhase,
    boxes: *const BpAabb,
    count: usize,
    area: *const BpAabb,
    objects: *mut *const u32,
    object_count: *mut usize,
) -> BpStatus {
    status_of(|| {
        check(objects, "objects")?;
        check(object_count, "object_count")?;
        let write = |list, length| {
            // SAFETY: both are not null and aligned, hence valid for a write by the contract.
            unsafe {
                objects.write(list);
                object_count.write(length);
            }
        };
        write(ptr::null(), 0);
        // SAFETY: this function's contract.
        let (instance, boxes) = unsafe { frame(instance, boxes, count) }?;
        // SAFETY: a valid struct by the contract, unless it is null.
        let area: Aabb = bytemuck::cast(*unsafe { reference(area, "area") }?);
        require(!area.min.is_nan() && !area.max.is_nan(), "`area` has a NaN")?;
        let (list, length) = instance.touching(boxes, &area)?;
        write(list, length);
        Ok(())
    })
}

/// Finds the object of the last frame whose box a ray enters first. Layers are ignored.
///
/// `boxes`: as for bp_query_box.
/// `ray`: finite, except that `reach` may be infinite.
/// `hit`: receives the object with the lowest id of those that are hit first, or BP_NO_OBJECT if none is
/// or the call fails.
///
/// # Safety
///
/// As for bp_query_box, with `ray` and `hit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_query_ray(
    instance: *mut BpBroadPhase,
    boxes: *const BpAabb,
    count: usize,
    ray: *const BpRay,
    hit: *mut BpRayHit,
) -> BpStatus {
    status_of(|| {
        check(hit, "hit")?;
        let mut answer = BpRayHit { object: BP_NO_OBJECT, t: 0.0 };
        // SAFETY: not null and aligned, hence valid for a write by the contract.
        unsafe { hit.write(answer) };
        // SAFETY: this function's contract.
        let (instance, boxes) = unsafe { frame(instance, boxes, count) }?;
        // SAFETY: a valid struct by the contract, unless it is null.
        let BpRay { origin, direction, reach } = *unsafe { reference(ray, "ray") }?;
        let ray = Ray { origin: origin.into(), direction: direction.into(), reach };
        let is_finite = ray.origin.is_finite() && ray.direction.is_finite() && !reach.is_nan();
        require(is_finite, "`ray` is not finite; only its `reach` may be infinite")?;
        if let Some(first) = instance.query(boxes, |query, all| query.first_along(all, &ray))? {
            answer = BpRayHit { object: first.object, t: first.t };
        }
        // SAFETY: as above.
        unsafe { hit.write(answer) };
        Ok(())
    })
}

/// Finds the object of the last frame whose box is nearest to a point. Layers are ignored.
///
/// `boxes`: as for bp_query_box.
/// `point`: three finite coordinates.
/// `nearest`: receives the object with the lowest id of those that are nearest, or BP_NO_OBJECT if all are
/// absent or the call fails.
///
/// # Safety
///
/// As for bp_query_box, with `point` and `nearest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_query_nearest(
    instance: *mut BpBroadPhase,
    boxes: *const BpAabb,
    count: usize,
    point: *const f32,
    nearest: *mut BpNearest,
) -> BpStatus {
    status_of(|| {
        check(nearest, "nearest")?;
        let mut answer = BpNearest { object: BP_NO_OBJECT, distance_squared: 0.0 };
        // SAFETY: not null and aligned, hence valid for a write by the contract.
        unsafe { nearest.write(answer) };
        // SAFETY: this function's contract.
        let (instance, boxes) = unsafe { frame(instance, boxes, count) }?;
        // SAFETY: three numbers by the contract, unless it is null.
        let point = Vec3::from(*unsafe { reference(point.cast::<[f32; 3]>(), "point") }?);
        require(point.is_finite(), "`point` is not finite")?;
        if let Some(found) = instance.query(boxes, |query, all| query.nearest(all, point))? {
            let Nearest { object, distance_squared } = found;
            answer = BpNearest { object, distance_squared };
        }
        // SAFETY: as above.
        unsafe { nearest.write(answer) };
        Ok(())
    })
}

/// The instance and the boxes of a call.
///
/// # Safety
///
/// `instance` is null or live, and `boxes` points to `count` boxes that nothing changes during `'a`.
unsafe fn frame<'a>(
    instance: *mut BpBroadPhase,
    boxes: *const BpAabb,
    count: usize,
) -> Result<(&'a BpBroadPhase, &'a [BpAabb]), Failure> {
    // SAFETY: this function's contract. The instance is only shared: its lock guards what changes.
    unsafe { Ok((reference(instance, "instance")?, slice(boxes, count, "boxes", "count")?)) }
}

fn require(holds: bool, otherwise: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::Query(otherwise.to_owned())) }
}
