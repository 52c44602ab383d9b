//! How much memory there is, and whether the content of a file fits into it.

use bytesize::ByteSize;
use std::io;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes left to the rest of the machine, which would swap or kill processes without them.
const RESERVE: u64 = 256 << 20;

/// Bytes that may be taken now, less a reserve: what the system, the control group (containers) and
/// the limits of the process (`ulimit -v`) leave. `u64::MAX` where the system does not report it.
pub fn available_memory() -> u64 {
    let free = free_memory().min(free_address_space());
    if free == u64::MAX { free } else { free.saturating_sub(RESERVE) }
}

fn free_memory() -> u64 {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::everything());
    let Ok(system) = System::new_with_specifics(refresh) else {
        return u64::MAX;
    };
    if system.total_memory() == 0 {
        return u64::MAX;
    }
    match system.cgroup_limits() {
        Some(limits) => system.available_memory().min(limits.free_memory),
        None => system.available_memory(),
    }
}

/// Bytes by which the process may still grow.
#[cfg(target_os = "linux")]
fn free_address_space() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let [space, data] = [Resource::As, Resource::Data].map(|of| getrlimit(of).current);
    // Sizes in pages. Field 0: the whole process; field 5: its data and stack.
    let sizes = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let size = |at: usize| -> u64 {
        let pages = sizes.split_whitespace().nth(at).and_then(|pages| pages.parse().ok());
        pages.unwrap_or(0_u64).saturating_mul(rustix::param::page_size() as u64)
    };
    let left =
        |limit: Option<u64>, at: usize| limit.map_or(u64::MAX, |l| l.saturating_sub(size(at)));
    left(space, 0).min(left(data, 5))
}

/// Bytes by which the memory of a page may still grow, which has 65,536 pages of 64 KiB at most.
#[cfg(target_family = "wasm")]
fn free_address_space() -> u64 {
    (65_536 - core::arch::wasm32::memory_size(0) as u64) << 16
}

/// Bytes by which the process may still grow: it has no limit of its own.
#[cfg(not(any(target_os = "linux", target_family = "wasm")))]
fn free_address_space() -> u64 {
    u64::MAX
}

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
