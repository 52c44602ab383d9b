//! The floating-point environment of a call.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::hint::black_box;

/// Refuses a thread that rounds other than to nearest, or replaces denormal numbers by 0: its searches would lose pairs.
/// Libraries built with `-ffast-math` set that, and `torch.set_flush_denormal(True)`.
pub(crate) fn check() -> PyResult<()> {
    let [one, tiny] = [black_box(1.0f32), black_box(f32::MIN_POSITIVE)];
    let rounds_to_nearest = one + tiny == 1.0 && one - tiny == 1.0;
    // The first is computed as denormal, the second read as such.
    let keeps_denormals = tiny * black_box(0.5) != 0.0 && black_box(f32::from_bits(1)) > 0.0;
    if rounds_to_nearest && keeps_denormals {
        return Ok(());
    }
    Err(PyRuntimeError::new_err(
        "this thread rounds denormal numbers to zero, or not to nearest, so that pairs would be lost: a library built \
         with -ffast-math, or torch.set_flush_denormal(True), did that; set the default, or call in a thread that has it",
    ))
}
