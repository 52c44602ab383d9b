//! The functions that take pointers, and the version.

use crate::failure::status_of;
use crate::pointer::{answer_list, check, reference, slice, text};
use crate::{BpAabb, BpBroadPhase, BpLayer, BpPair, BpSettings, BpStatus};
use std::ffi::{CStr, c_char};
use std::ptr;

/// Creates an instance of an algorithm. It is destroyed by bp_destroy.
///
/// `id`: which algorithm, as bp_algorithm_id lists them; "auto" chooses by the motion.
/// `settings`: may be null for the defaults.
/// `created`: receives the instance, or null if the call fails.
///
/// # Safety
///
/// `id` is null or a string that ends with a NUL, `settings` null or a valid struct, `created` null or
/// valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_create(
    id: *const c_char,
    settings: *const BpSettings,
    created: *mut *mut BpBroadPhase,
) -> BpStatus {
    status_of(|| {
        check(created, "created")?;
        // SAFETY: not null and aligned, hence valid for a write by the contract.
        unsafe { created.write(ptr::null_mut()) };
        // SAFETY: a string by the contract, unless it is null.
        let id = unsafe { text(id, "id") }?;
        let settings = if settings.is_null() {
            BpSettings::default()
        } else {
            // SAFETY: a valid struct by the contract.
            *unsafe { reference(settings, "settings") }?
        };
        let instance = Box::new(BpBroadPhase::create(id, &settings)?);
        // SAFETY: as above.
        unsafe { created.write(Box::into_raw(instance)) };
        Ok(())
    })
}

/// Sets the collision filters of an instance, which are copied.
///
/// They hold from the next bp_find_pairs on, until they are set again. An object whose id is not below
/// `count` has no filter: it meets all objects. So a count of 0, with `layers` null, removes them.
///
/// # Safety
///
/// `instance` is null or from bp_create and not destroyed; `layers` points to `count` layers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_set_layers(
    instance: *mut BpBroadPhase,
    layers: *const BpLayer,
    count: usize,
) -> BpStatus {
    status_of(|| {
        // SAFETY: a live instance by the contract, unless it is null. It is only shared: its lock
        // guards what changes.
        let instance = unsafe { reference(instance, "instance") }?;
        // SAFETY: an array of this length by the contract.
        let layers = unsafe { slice(layers, count, "layers", "count") }?;
        instance.set_layers(layers)
    })
}

/// Finds every pair of overlapping boxes of the next frame, each pair once, in any order.
///
/// It updates the structure to the boxes and then searches. One function does both, so that boxes are
/// neither copied nor used after it returns.
///
/// `boxes`: a box for each object; may be null if `count` is 0. The index is the object's id. The
/// number of objects may differ from frame to frame.
/// `pairs`, `pair_count`: receive the pairs, or null and 0 if the call fails; neither is written if
/// one of them is null. The list belongs to the
/// instance, and is valid until the next bp_find_pairs or bp_destroy with this instance.
///
/// # Safety
///
/// `instance` is null or from bp_create and not destroyed; `boxes` points to `count` boxes that no
/// thread changes during the call; `pairs` and `pair_count` are null or valid for a write, and overlap
/// neither each other nor the boxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_find_pairs(
    instance: *mut BpBroadPhase,
    boxes: *const BpAabb,
    count: usize,
    pairs: *mut *const BpPair,
    pair_count: *mut usize,
) -> BpStatus {
    status_of(|| {
        let find = || {
            // SAFETY: a live instance by the contract, unless it is null. It is only shared: its lock
            // guards what changes.
            let instance = unsafe { reference(instance, "instance") }?;
            // SAFETY: an array of this length by the contract.
            instance.find_pairs(unsafe { slice(boxes, count, "boxes", "count") }?)
        };
        // SAFETY: null or valid for a write by the contract.
        unsafe { answer_list((pairs, "pairs"), (pair_count, "pair_count"), find) }
    })
}

/// Destroys an instance and its list of pairs. Null does nothing.
///
/// It is refused while another thread is seen in a call with the instance: BP_STATUS_IN_USE. The
/// caller still has to ensure that no call, and no use of its pairs, overlaps with this one.
///
/// # Safety
///
/// `instance` is null or from bp_create and not destroyed; no thread begins a call with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bp_destroy(instance: *mut BpBroadPhase) -> BpStatus {
    status_of(|| {
        if instance.is_null() {
            return Ok(());
        }
        // SAFETY: a live instance by the contract.
        unsafe { reference(instance, "instance") }?.check_unused()?;
        // SAFETY: from `Box::into_raw` in `bp_create`, and not destroyed, by the contract.
        drop(unsafe { Box::from_raw(instance) });
        Ok(())
    })
}

const VERSION: &CStr = c_str(concat!(env!("CARGO_PKG_VERSION"), "\0"));

const fn c_str(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("the text ends with its only NUL"),
    }
}

/// The version of the library, "MAJOR.MINOR.PATCH". The string is valid until the program ends.
#[unsafe(no_mangle)]
pub extern "C" fn bp_version() -> *const c_char {
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bp_last_error;
    use broadphase::{BroadPhase, Counters, Frame, Pair};
    use std::sync::{Arc, Barrier};

    /// An algorithm that does something else than finding pairs.
    struct Planted<F>(F);

    impl<F: FnMut() + Send + Sync> BroadPhase for Planted<F> {
        fn update(&mut self, _: &Frame<'_>) {}

        fn find_pairs(&mut self, _: &Frame<'_>, pairs: &mut Vec<Pair>) {
            pairs.push(Pair::new(0, 1));
            (self.0)();
        }

        fn counters(&self) -> Counters {
            Counters::default()
        }

        fn heap_bytes(&self) -> usize {
            0
        }

        fn validate(&self, _: &Frame<'_>) {}
    }

    fn planted(body: impl FnMut() + Send + Sync + 'static) -> Box<BpBroadPhase> {
        Box::new(BpBroadPhase::with(Box::new(Planted(body))))
    }

    /// Asks for the pairs of no boxes: the status, and whether the results are null and 0.
    fn find_pairs(instance: &BpBroadPhase) -> (BpStatus, bool) {
        let (mut pairs, mut count) = (ptr::dangling(), usize::MAX);
        let instance = ptr::from_ref(instance).cast_mut();
        // SAFETY: the instance is borrowed, no boxes may be null, and the results are variables.
        let status = unsafe { bp_find_pairs(instance, ptr::null(), 0, &mut pairs, &mut count) };
        (status, pairs.is_null() && count == 0)
    }

    fn set_layers(instance: &BpBroadPhase) -> BpStatus {
        // SAFETY: the instance is borrowed, and no layers may be null.
        unsafe { bp_set_layers(ptr::from_ref(instance).cast_mut(), ptr::null(), 0) }
    }

    fn last_error() -> String {
        // SAFETY: the text is valid until the next failure of this thread.
        unsafe { CStr::from_ptr(bp_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn instance_whose_call_panicked_answers_only_with_that() {
        let broken = planted(|| panic!("an \0 invariant is broken"));
        assert_eq!(find_pairs(&broken), (BpStatus::Panicked, true));
        let text = "the library panicked: an  invariant is broken; destroy the instance";
        assert_eq!(last_error(), text);
        let text = "an earlier call on this instance panicked; destroy it";
        assert_eq!(find_pairs(&broken), (BpStatus::Panicked, true));
        assert_eq!(last_error(), text);
        assert_eq!(set_layers(&broken), BpStatus::Panicked);
        assert_eq!(last_error(), text);
        // SAFETY: from a box, as in `bp_create`.
        let status = unsafe { bp_destroy(Box::into_raw(broken)) };
        assert_eq!(status, BpStatus::Ok);
    }

    #[test]
    fn panic_of_one_instance_leaves_others_usable() {
        let (broken, sound) = (planted(|| panic!("{}", 7)), planted(|| ()));
        assert_eq!(find_pairs(&broken), (BpStatus::Panicked, true));
        assert_eq!(last_error(), "the library panicked: 7; destroy the instance");
        assert_eq!(find_pairs(&sound), (BpStatus::Ok, false));
    }

    #[test]
    fn panic_of_a_destroyed_algorithm_is_caught() {
        struct PanicsLast;
        impl Drop for PanicsLast {
            fn drop(&mut self) {
                panic!("while it is dropped");
            }
        }
        let last = PanicsLast;
        let instance = Box::into_raw(planted(move || {
            let _ = &last;
        }));
        // SAFETY: from a box, as in `bp_create`.
        let status = unsafe { bp_destroy(instance) };
        assert_eq!(status, BpStatus::Panicked);
        assert!(last_error().contains("while it is dropped"));
    }

    #[test]
    fn second_call_at_the_same_time_is_refused() {
        let barrier = Arc::new(Barrier::new(2));
        let inside = Arc::clone(&barrier);
        let instance = planted(move || {
            inside.wait();
            inside.wait();
        });
        std::thread::scope(|scope| {
            let first = scope.spawn(|| find_pairs(&instance));
            barrier.wait();
            assert_eq!(find_pairs(&instance), (BpStatus::InUse, true));
            assert_eq!(last_error(), "another thread is in a call on this instance");
            assert_eq!(set_layers(&instance), BpStatus::InUse);
            // SAFETY: it is refused, and destroys nothing.
            let status = unsafe { bp_destroy(ptr::from_ref(&*instance).cast_mut()) };
            assert_eq!(status, BpStatus::InUse);
            barrier.wait();
            assert_eq!(first.join().unwrap(), (BpStatus::Ok, false));
        });
        assert_eq!(set_layers(&instance), BpStatus::Ok);
    }
}
