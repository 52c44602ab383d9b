//! The ids of the algorithms.

use broadphase::registry::ALGORITHMS;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::LazyLock;

static IDS: LazyLock<Vec<CString>> = LazyLock::new(|| {
    ALGORITHMS.iter().map(|entry| CString::new(entry.id).expect("an id has no NUL")).collect()
});

/// The number of algorithms.
#[unsafe(no_mangle)]
pub extern "C" fn bp_algorithm_count() -> usize {
    IDS.len()
}

/// The id of an algorithm, as bp_create takes it. Null if the index is not below bp_algorithm_count.
///
/// The string ends with a NUL, and is valid until the program ends.
#[unsafe(no_mangle)]
pub extern "C" fn bp_algorithm_id(index: usize) -> *const c_char {
    IDS.get(index).map_or(ptr::null(), |id| id.as_ptr())
}
