//! The C interface, called from Rust with pointers that are valid.

use broadphase_c::{
    BpAabb, BpBroadPhase, BpLayer, BpPair, BpSettings, BpStatus, bp_create, bp_destroy,
    bp_find_pairs, bp_last_error, bp_set_layers,
};
use std::ffi::{CStr, CString, c_char};
use std::ptr;

/// A status and its text.
pub(crate) type Refusal = (BpStatus, String);

/// An instance that is destroyed when it is dropped.
pub(crate) struct Instance(pub(crate) *mut BpBroadPhase);

impl Instance {
    pub(crate) fn create(id: &str) -> Self {
        Self::with(id, &BpSettings::default()).unwrap()
    }

    pub(crate) fn with(id: &str, settings: &BpSettings) -> Result<Self, Refusal> {
        let id = CString::new(id).unwrap();
        let mut created = ptr::null_mut();
        // SAFETY: all three point to what they should.
        let status = unsafe { bp_create(id.as_ptr(), settings, &mut created) };
        assert_eq!(created.is_null(), status != BpStatus::Ok);
        result(status).map(|()| Self(created))
    }

    pub(crate) fn set_layers(&self, layers: &[BpLayer]) -> Result<(), Refusal> {
        // SAFETY: the instance is live, and the slice valid.
        result(unsafe { bp_set_layers(self.0, layers.as_ptr(), layers.len()) })
    }

    /// The sorted pairs.
    pub(crate) fn find_pairs(&self, boxes: &[BpAabb]) -> Result<Vec<BpPair>, Refusal> {
        let (mut pairs, mut count) = (ptr::dangling(), usize::MAX);
        // SAFETY: the instance is live, the slice valid, and both results are variables.
        let status =
            unsafe { bp_find_pairs(self.0, boxes.as_ptr(), boxes.len(), &mut pairs, &mut count) };
        let Err(refusal) = result(status) else {
            // SAFETY: the list is valid until the next call with the instance.
            let mut pairs = unsafe { std::slice::from_raw_parts(pairs, count) }.to_vec();
            pairs.sort_unstable();
            return Ok(pairs);
        };
        assert!(pairs.is_null() && count == 0, "a failed call gives no pairs");
        Err(refusal)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the instance is live, and its only owner ends.
        let status = unsafe { bp_destroy(self.0) };
        assert_eq!(status, BpStatus::Ok);
    }
}

/// An error with the text of the last failure, unless the call succeeded.
pub(crate) fn result(status: BpStatus) -> Result<(), Refusal> {
    if status == BpStatus::Ok { Ok(()) } else { Err((status, last_error())) }
}

pub(crate) fn last_error() -> String {
    string(bp_last_error()).unwrap()
}

/// The string that the library returned, or nothing for null.
pub(crate) fn string(text: *const c_char) -> Option<String> {
    // SAFETY: the library's strings end with a NUL, and are valid until this thread's next failure.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) });
    text.map(|text| text.to_str().unwrap().to_owned())
}

/// A cube with sides of 1 from a corner on the x axis.
pub(crate) fn cube_at(x: f32) -> BpAabb {
    BpAabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] }
}
