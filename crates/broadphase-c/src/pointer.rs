//! Raw pointers of the caller, checked as far as possible.

use crate::failure::Failure;
use std::ffi::{CStr, c_char};

/// Refuses a pointer that is null or not aligned.
pub(crate) fn check<T>(pointer: *const T, name: &'static str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    if !pointer.is_aligned() {
        return Err(Failure::Misaligned { name, alignment: align_of::<T>() });
    }
    Ok(())
}

/// The value that a pointer points to.
///
/// # Safety
///
/// A pointer that is not null and aligned points to a `T` that nothing changes during `'a`.
pub(crate) unsafe fn reference<'a, T>(
    pointer: *const T,
    name: &'static str,
) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: it is not null and aligned; the rest is this function's contract.
    Ok(unsafe { &*pointer })
}

/// The values of an array. Its pointer may be null if its length is 0.
///
/// # Safety
///
/// A pointer that is not null and aligned points to `length` values that nothing changes during `'a`.
pub(crate) unsafe fn slice<'a, T>(
    pointer: *const T,
    length: usize,
    name: &'static str,
    length_name: &'static str,
) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    check_length(length, size_of::<T>(), length_name)?;
    // SAFETY: it is not null and aligned, and the size is at most `isize::MAX` bytes; the rest is
    // this function's contract.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Writes the answer of a call, before it `none`, which stays if the call fails.
///
/// # Safety
///
/// A pointer that is not null and aligned is valid for a write.
pub(crate) unsafe fn answer<T>(
    place: *mut T,
    name: &'static str,
    none: T,
    find: impl FnOnce() -> Result<Option<T>, Failure>,
) -> Result<(), Failure> {
    check(place, name)?;
    // SAFETY: it is not null and aligned; the rest is this function's contract.
    unsafe { place.write(none) };
    if let Some(found) = find()? {
        // SAFETY: as above.
        unsafe { place.write(found) };
    }
    Ok(())
}

/// Writes the list that a call gives, before it null and 0, which stay if the call fails. Neither is written if one of
/// the pointers is null.
///
/// # Safety
///
/// Pointers that are not null and aligned are valid for a write.
pub(crate) unsafe fn answer_list<T>(
    (list, name): (*mut *const T, &'static str),
    (count, count_name): (*mut usize, &'static str),
    find: impl FnOnce() -> Result<(*const T, usize), Failure>,
) -> Result<(), Failure> {
    check(list, name)?;
    check(count, count_name)?;
    let write = |(first, length)| {
        // SAFETY: both are not null and aligned; the rest is this function's contract.
        unsafe {
            list.write(first);
            count.write(length);
        }
    };
    write((std::ptr::null(), 0));
    find().map(write)
}

/// Refuses more objects than ids of 32 bits, or than an array of elements of `size` bytes can hold.
pub(crate) fn check_length(length: usize, size: usize, name: &'static str) -> Result<(), Failure> {
    let most = (isize::MAX as usize / size).min(u32::MAX as usize);
    if length > most { Err(Failure::Length { name, length, most }) } else { Ok(()) }
}

/// The text of a C string.
///
/// # Safety
///
/// A pointer that is not null points to a string that ends with a NUL and that nothing changes
/// during `'a`.
pub(crate) unsafe fn text<'a>(
    pointer: *const c_char,
    name: &'static str,
) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: it is not null; the rest is this function's contract.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|error| Failure::Text { name, error })
}
