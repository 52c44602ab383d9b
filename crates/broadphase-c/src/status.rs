//! The status that functions return.

/// The result of a function. The text is in bp_last_error.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum BpStatus {
    /// The function did what it says.
    Ok = 0,
    /// A pointer is null, or not aligned for its type.
    InvalidPointer = 1,
    /// A string is not UTF-8.
    InvalidText = 2,
    /// No algorithm has this id.
    UnknownAlgorithm = 3,
    /// The algorithm refuses the settings: it needs more memory than memory_limit.
    InvalidSettings = 4,
    /// A length or a number of objects is larger than UINT32_MAX, or than the address space.
    InvalidLength = 5,
    /// A box has a NaN, or is not empty and has an infinite side. The instance stays usable.
    InvalidBox = 6,
    /// The group of a layer is larger than 31. The instance keeps the layers that it had.
    InvalidLayer = 7,
    /// Another thread is in a call on this instance. Nothing was done.
    InUse = 8,
    /// The library panicked, which is a bug. The instance answers only with this status from now on,
    /// and is to be destroyed.
    Panicked = 9,
    /// A query has a NaN or another number that it must not have, or its boxes are not those of the
    /// last frame.
    InvalidQuery = 10,
    /// The pairs or other results do not fit into memory. The instance stays usable.
    OutOfMemory = 11,
}
