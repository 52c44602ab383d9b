//! Whether the content of a file fits into memory.

use super::memory::available_memory;
use bytesize::ByteSize;
use std::io;

/// Bytes that the content of a file may take in any case: a part of the reserve that
/// [`available_memory`](crate::available_memory) leaves.
const FREE_MEMORY: u64 = 64 << 20;

/// Refuses a file of `length` bytes that takes `times` as much memory when it is read, where only `memory` bytes can
/// be had.
pub(crate) fn check_fits(length: u64, times: u64, memory: u64) -> io::Result<()> {
    check_needed(length.saturating_mul(times), memory)
        .map_err(|lack| io::Error::other(format!("its {} {lack}", ByteSize(length).display().si())))
}

/// Refuses what is read where it needs more than the memory that is left. The error begins with a verb: "need about".
///
/// # Errors
///
/// Where fewer than `needed` bytes can be had.
pub fn check_memory_left(needed: u64) -> Result<(), String> {
    check_needed(needed, available_memory())
}

fn check_needed(needed: u64, memory: u64) -> Result<(), String> {
    if needed <= memory.max(FREE_MEMORY) {
        return Ok(());
    }
    let [needed, memory] = [needed, memory].map(|bytes| ByteSize(bytes).display().si());
    Err(format!("need about {needed} of memory, but only {memory} can be had"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn small_file_is_read_whatever_the_memory() {
        assert!(super::check_fits(2 << 20, 32, 0).is_ok());
        assert!(super::check_fits(u64::MAX, 32, u64::MAX - 1).is_err());
    }
}
