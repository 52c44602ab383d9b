//! Queries about the last frame (objects touched by a box, hit by a ray, nearest to a point), and joins of two sets.

use crate::failure::{Failure, status_of};
use crate::pointer::{answer, answer_list, reference, slice};
use crate::{BpAabb, BpBroadPhase, BpJoinPair, BpNearest, BpRay, BpRayHit, BpStatus};
use broadphase::Aabb;
use broadphase::glam::Vec3;
use broadphase::query::{Hit, Query, Ray, Sphere};

/// The object of an answer if there is none.
pub const BP_NO_OBJECT: u32 = u32::MAX;

/// Finds every object of the last frame whose box shares a point with a box, in any order. Layers are ignored.
///
/// The first query of a frame builds a tree, of about 76 bytes an object, or refits it. It is dropped after 40 frames without
/// a query.
///
/// `boxes`: those of the last bp_find_pairs with this instance, unchanged. Only their number is checked.
/// `area`: without a NaN. It may be infinite, and touches nothing if its min exceeds its max.
/// `objects`, `object_count`: receive the ids, or null and 0 if the call fails; neither is written if
/// one of them is null. The list belongs to the instance, and is valid until its next bp_query_box or bp_destroy.
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
        let find = || {
            // SAFETY: this function's contract.
            let (instance, boxes) =
                unsafe { with_boxes(instance, (boxes, "boxes"), (count, "count")) }?;
            // SAFETY: a valid struct by the contract, unless it is null.
            let area: Aabb = bytemuck::cast(*unsafe { reference(area, "area") }?);
            require(!area.min.is_nan() && !area.max.is_nan(), "`area` has a NaN")?;
            instance.touching(boxes, &area)
        };
        // SAFETY: null or valid for a write by the contract.
        unsafe { answer_list((objects, "objects"), (object_count, "object_count"), find) }
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
        let find = || {
            // SAFETY: this function's contract.
            let (instance, boxes) =
                unsafe { with_boxes(instance, (boxes, "boxes"), (count, "count")) }?;
            // SAFETY: a valid struct by the contract, unless it is null.
            let BpRay { origin, direction, reach } = *unsafe { reference(ray, "ray") }?;
            let ray =
                Ray { reach: reach.into(), ..Ray::new(Vec3::from(origin), Vec3::from(direction)) };
            let is_finite = ray.origin.is_finite() && ray.direction.is_finite() && !reach.is_nan();
            require(is_finite, "`ray` is not finite; only its `reach` may be infinite")?;
            let first = instance.query(boxes, |tree| tree.first(&ray))?;
            Ok(first.map(|Hit { object, measure: t }| BpRayHit { object, t }))
        };
        // SAFETY: null or valid for a write by the contract.
        unsafe { answer(hit, "hit", BpRayHit { object: BP_NO_OBJECT, t: 0.0 }, find) }
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
        let find = || {
            // SAFETY: this function's contract.
            let (instance, boxes) =
                unsafe { with_boxes(instance, (boxes, "boxes"), (count, "count")) }?;
            // SAFETY: three numbers by the contract, unless it is null.
            let point = Vec3::from(*unsafe { reference(point.cast::<[f32; 3]>(), "point") }?);
            require(point.is_finite(), "`point` is not finite")?;
            let sphere = Sphere::unbounded(point);
            let first = instance.query(boxes, |tree| tree.first(&sphere))?;
            Ok(first.map(|Hit { object, measure }| BpNearest { object, distance_squared: measure }))
        };
        let none = BpNearest { object: BP_NO_OBJECT, distance_squared: 0.0 };
        // SAFETY: null or valid for a write by the contract.
        unsafe { answer(nearest, "nearest", none, find) }
    })
}

/// Finds every pair of a box of one set and a box of another that overlap, each pair once, in any order.
///
/// Boxes of one set are not compared with each other. The algorithm of the instance, its layers and its
/// last frame play no part: only the memory for the search belongs to it.
///
/// `a`, `b`: the sets; one may be null if its count is 0.
/// `pairs`, `pair_count`: receive the pairs, or null and 0 if the call fails; neither is written if one of
/// them is null. The list belongs to the instance, and is valid until its next bp_join or bp_destroy.
///
/// # Safety
///
/// `instance` is null or from bp_create and not destroyed; `a` and `b` point to as many boxes as their
/// counts, which no thread changes during the call; `pairs` and `pair_count` are null or valid for a
/// write, and overlap nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_join(
    instance: *mut BpBroadPhase,
    a: *const BpAabb,
    a_count: usize,
    b: *const BpAabb,
    b_count: usize,
    pairs: *mut *const BpJoinPair,
    pair_count: *mut usize,
) -> BpStatus {
    status_of(|| {
        let find = || {
            // SAFETY: this function's contract.
            let (instance, a) = unsafe { with_boxes(instance, (a, "a"), (a_count, "a_count")) }?;
            // SAFETY: as above.
            instance.join(a, unsafe { slice(b, b_count, "b", "b_count") }?)
        };
        // SAFETY: null or valid for a write by the contract.
        unsafe { answer_list((pairs, "pairs"), (pair_count, "pair_count"), find) }
    })
}

/// The instance and the boxes of a call.
///
/// # Safety
///
/// `instance` is null or live, and `boxes` points to `count` boxes that nothing changes during `'a`.
unsafe fn with_boxes<'a>(
    instance: *mut BpBroadPhase,
    (boxes, name): (*const BpAabb, &'static str),
    (count, count_name): (usize, &'static str),
) -> Result<(&'a BpBroadPhase, &'a [BpAabb]), Failure> {
    // SAFETY: this function's contract. The instance is only shared: its lock guards what changes.
    unsafe { Ok((reference(instance, "instance")?, slice(boxes, count, name, count_name)?)) }
}

fn require(holds: bool, otherwise: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::Query(otherwise.to_owned())) }
}
