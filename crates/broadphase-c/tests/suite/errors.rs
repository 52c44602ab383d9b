//! Bad input gives a status and a text, and leaves the instance usable.

use crate::support::{Instance, cube_at, last_error, result};
use broadphase_c::{
    BpAabb, BpBroadPhase, BpLayer, BpPair, BpSettings, BpStatus, bp_create, bp_destroy,
    bp_find_pairs, bp_set_layers,
};
use std::ffi::c_char;
use std::ptr;

#[track_caller]
fn assert_refused(status: BpStatus, expected: BpStatus, text: &str) {
    assert_eq!(result(status), Err((expected, text.to_owned())));
}

#[track_caller]
fn assert_still_works(instance: &Instance) {
    let pairs = instance.find_pairs(&[cube_at(0.0), cube_at(3.0), cube_at(0.5)]);
    assert_eq!(pairs, Ok(vec![BpPair { a: 0, b: 2 }]));
}

/// Calls `bp_create` with the default settings.
fn create(id: *const c_char) -> (BpStatus, *mut BpBroadPhase) {
    let mut created = ptr::dangling_mut();
    // SAFETY: the id is null or a string, and the result is a variable.
    let status = unsafe { bp_create(id, ptr::null(), &mut created) };
    (status, created)
}

#[test]
fn id_that_is_null_not_utf8_or_unknown_is_refused() {
    let not_utf8 = "`id` is not UTF-8: invalid utf-8 sequence of 1 bytes from index 1";
    let unknown = "no algorithm has the id `octopus`; bp_algorithm_id lists the ids";
    let removed = "bvh-linear+object was removed: use bvh-linear; bp_algorithm_id lists the ids";
    for (id, expected, text) in [
        (ptr::null(), BpStatus::InvalidPointer, "`id` is null"),
        (c"a\xff".as_ptr(), BpStatus::InvalidText, not_utf8),
        (c"octopus".as_ptr(), BpStatus::UnknownAlgorithm, unknown),
        (c"bvh-linear+object".as_ptr(), BpStatus::UnknownAlgorithm, removed),
    ] {
        let (status, created) = create(id);
        assert!(created.is_null());
        assert_refused(status, expected, text);
    }
}

#[test]
fn null_settings_are_the_defaults() {
    let (status, created) = create(c"auto".as_ptr());
    assert_eq!(status, BpStatus::Ok);
    assert_still_works(&Instance(created));
}

#[test]
fn null_result_of_create_is_refused() {
    // SAFETY: the id is a string; null is allowed for the others.
    let status = unsafe { bp_create(c"auto".as_ptr(), ptr::null(), ptr::null_mut()) };
    assert_refused(status, BpStatus::InvalidPointer, "`created` is null");
}

#[test]
fn memory_limit_refuses_an_instance() {
    let settings = BpSettings { objects: 1_000_000, memory_limit: 1000, ..BpSettings::default() };
    let (status, text) = Instance::with("sap-matrix", &settings).err().unwrap();
    assert_eq!(status, BpStatus::InvalidSettings);
    assert!(text.starts_with("sap-matrix needs ") && text.contains("1000000 objects"), "{text}");
}

#[test]
fn more_objects_than_ids_are_refused() {
    let settings = BpSettings { objects: usize::MAX, ..BpSettings::default() };
    let (status, text) = Instance::with("auto", &settings).err().unwrap();
    assert_eq!(status, BpStatus::InvalidLength);
    let begin = format!("`settings->objects` is {}, but at most ", usize::MAX);
    assert!(text.starts_with(&begin), "{text}");
}

#[test]
fn null_instance_is_refused() {
    let text = "`instance` is null";
    let (mut pairs, mut count) = (ptr::dangling::<BpPair>(), 7);
    // SAFETY: an instance may be null; the results are variables.
    let status = unsafe { bp_find_pairs(ptr::null_mut(), ptr::null(), 0, &mut pairs, &mut count) };
    assert_refused(status, BpStatus::InvalidPointer, text);
    assert!(pairs.is_null() && count == 0, "no pairs are left from before");
    // SAFETY: an instance may be null.
    let status = unsafe { bp_set_layers(ptr::null_mut(), ptr::null(), 0) };
    assert_refused(status, BpStatus::InvalidPointer, text);
}

#[test]
fn null_is_destroyed_without_effect() {
    // SAFETY: null is allowed.
    assert_eq!(unsafe { bp_destroy(ptr::null_mut()) }, BpStatus::Ok);
}

#[test]
fn null_arrays_are_refused_unless_they_are_empty() {
    let instance = Instance::create("auto");
    let (mut pairs, mut count) = (ptr::null(), 0);
    let mut find = |objects| {
        // SAFETY: the array may be null; the results are variables.
        unsafe { bp_find_pairs(instance.0, ptr::null(), objects, &mut pairs, &mut count) }
    };
    assert_refused(find(2), BpStatus::InvalidPointer, "`boxes` is null");
    assert_eq!(find(0), BpStatus::Ok);
    // SAFETY: the array may be null.
    let set = |objects| unsafe { bp_set_layers(instance.0, ptr::null(), objects) };
    assert_refused(set(2), BpStatus::InvalidPointer, "`layers` is null");
    assert_eq!(set(0), BpStatus::Ok);
    assert_still_works(&instance);
}

#[test]
fn null_results_of_find_pairs_are_refused() {
    let instance = Instance::create("auto");
    let (mut pairs, mut count) = (ptr::null(), 0);
    // SAFETY: a result may be null; the other is a variable.
    let status = unsafe { bp_find_pairs(instance.0, ptr::null(), 0, ptr::null_mut(), &mut count) };
    assert_refused(status, BpStatus::InvalidPointer, "`pairs` is null");
    // SAFETY: as above.
    let status = unsafe { bp_find_pairs(instance.0, ptr::null(), 0, &mut pairs, ptr::null_mut()) };
    assert_refused(status, BpStatus::InvalidPointer, "`pair_count` is null");
    assert_still_works(&instance);
}

#[test]
fn misaligned_pointers_are_refused() {
    let instance = Instance::create("auto");
    let (mut pairs, mut count) = (ptr::null(), 0);
    let boxes = [cube_at(0.0); 3];
    let misaligned = boxes.as_ptr().cast::<u8>().wrapping_add(1).cast::<BpAabb>();
    // SAFETY: a misaligned pointer is refused without a read; the results are variables.
    let status = unsafe { bp_find_pairs(instance.0, misaligned, 2, &mut pairs, &mut count) };
    assert_refused(status, BpStatus::InvalidPointer, "`boxes` is not aligned to 4 bytes");
    let misaligned = instance.0.cast::<u8>().wrapping_add(1).cast::<BpBroadPhase>();
    // SAFETY: as above.
    let status = unsafe { bp_destroy(misaligned) };
    assert_refused(status, BpStatus::InvalidPointer, "`instance` is not aligned to 8 bytes");
    assert_still_works(&instance);
}

#[test]
fn impossible_lengths_are_refused() {
    let instance = Instance::create("auto");
    let (mut pairs, mut count) = (ptr::null(), 0);
    let b = cube_at(0.0);
    let layer = BpLayer { mask: 1, group: 0, is_static: 0 };
    for length in [isize::MAX as usize, usize::MAX] {
        let text = |size: usize| {
            let most = (u32::MAX as usize).min(isize::MAX as usize / size);
            format!("`count` is {length}, but at most {most} are possible")
        };
        // SAFETY: an impossible length is refused without a read; the results are variables.
        let status = unsafe { bp_find_pairs(instance.0, &b, length, &mut pairs, &mut count) };
        assert_refused(status, BpStatus::InvalidLength, &text(size_of::<BpAabb>()));
        // SAFETY: as above.
        let status = unsafe { bp_set_layers(instance.0, &layer, length) };
        assert_refused(status, BpStatus::InvalidLength, &text(size_of::<BpLayer>()));
    }
    assert_still_works(&instance);
}

#[test]
fn bad_box_is_refused_with_its_object() {
    let instance = Instance::create("auto");
    let mut boxes = [cube_at(0.0), cube_at(3.0), cube_at(0.5)];
    boxes[1].max[2] = f32::NAN;
    let nan = (BpStatus::InvalidBox, "object 1: a coordinate of its box is NaN".to_owned());
    assert_eq!(instance.find_pairs(&boxes), Err(nan));
    boxes[1].max[2] = f32::INFINITY;
    let (status, text) = instance.find_pairs(&boxes).unwrap_err();
    assert_eq!(status, BpStatus::InvalidBox);
    assert!(text.starts_with("object 1: ") && text.contains("infinite"), "{text}");
    assert_still_works(&instance);
}

#[test]
fn bad_layer_is_refused_and_changes_nothing() {
    let instance = Instance::create("auto");
    let meets_none = BpLayer { mask: 0, group: 31, is_static: 0 };
    instance.set_layers(&[meets_none]).unwrap();
    let bad = BpLayer { mask: u32::MAX, group: 32, is_static: 0 };
    let text = "layer 2: its group is 32, but the last group is 31".to_owned();
    let all = BpLayer { group: 0, ..bad };
    assert_eq!(instance.set_layers(&[all, all, bad]), Err((BpStatus::InvalidLayer, text)));
    let pairs = instance.find_pairs(&[cube_at(0.0), cube_at(0.5)]);
    assert_eq!(pairs, Ok(Vec::new()), "the layers from before hold");
}

#[test]
fn last_error_is_per_thread_and_outlasts_success() {
    let other = std::thread::spawn(|| {
        assert_eq!(last_error(), "", "no call has failed here");
        assert_eq!(create(c"other".as_ptr()).0, BpStatus::UnknownAlgorithm);
        last_error()
    });
    assert_eq!(create(c"mine".as_ptr()).0, BpStatus::UnknownAlgorithm);
    assert!(other.join().unwrap().contains("`other`"));
    assert_still_works(&Instance::create("auto"));
    assert!(last_error().contains("`mine`"));
}
