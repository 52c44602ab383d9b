//! The text of the last failure, for each thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
}

/// Keeps the text of a failure of this thread.
pub(crate) fn keep(text: &str) {
    // A message may quote input or a panic, but a C string ends at its first NUL.
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    // Without effect while the thread ends, when its variables are gone.
    let _ = TEXT.try_with(|last| last.replace(text));
}

/// The text of the last call that failed on this thread: UTF-8 that ends with a NUL, empty if none failed.
///
/// A successful call does not change it. It is valid until the next call on this thread that fails,
/// or until the thread ends.
#[unsafe(no_mangle)]
pub extern "C" fn bp_last_error() -> *const c_char {
    TEXT.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
