//! How much memory there is, and whether a case fits.

use crate::Case;
use crate::numbers::thousands;
use broadphase::Frame;
use broadphase::benchmark::mix;
use bytesize::ByteSize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes left to the rest of the machine, which would swap or kill processes without them.
const RESERVE: u64 = 256 << 20;

/// Bytes of one object without algorithms and pair lists: its box twice (in the world and in the
/// frame), position, velocity, radius, cell of the placement grid, with room for vectors that grow.
const BYTES_PER_OBJECT: u64 = 160;

/// Bytes of a pair: in a list that may have doubled just before, in an algorithm and outside it.
const BYTES_PER_PAIR: f64 = 32.0;

/// Boxes that are compared with all others to estimate the number of pairs.
const SAMPLED: usize = 64;

/// A case that cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{input}: {objects} objects and their pairs need about {}, but only {} of memory can be had; \
     take fewer objects, or smaller ones",
    ByteSize(*needed).display().si(), ByteSize(*available).display().si()
)]
pub struct MemoryError {
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub objects: usize,
    /// Bytes they need.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

/// The pairs of a frame that cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "about {} pairs need about {}, but only {} of memory can be had; take fewer objects, or \
     smaller ones",
    thousands(*pairs as f64),
    ByteSize(*needed).display().si(), ByteSize(*available).display().si()
)]
pub struct PairsError {
    /// Estimated number of pairs.
    pub pairs: u64,
    /// Bytes they need.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

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

/// Bytes by which the process may still grow: it has no limit of its own.
#[cfg(not(target_os = "linux"))]
fn free_address_space() -> u64 {
    u64::MAX
}

/// Refuses a frame whose pairs do not fit into `available` bytes. Their number is estimated, with a few of
/// the boxes, where all objects could not be pairs.
pub(crate) fn check_pairs_fit(frame: &Frame<'_>, available: u64) -> Result<(), PairsError> {
    let needed = |pairs: f64| (pairs * BYTES_PER_PAIR) as u64;
    let n = frame.boxes.len() as f64;
    if needed(n * n / 2.0) <= available {
        return Ok(());
    }
    let pairs = estimated_pairs(frame);
    match needed(pairs) {
        needed if needed <= available => Ok(()),
        needed => Err(PairsError { pairs: pairs as u64, needed, available }),
    }
}

/// The number of pairs, estimated by the pairs of [`SAMPLED`] objects. A heap of 5 % of the objects in one place
/// is missed by 4 % of all samples.
fn estimated_pairs(frame: &Frame<'_>) -> f64 {
    let n = frame.boxes.len() as u64;
    if n == 0 {
        return 0.0;
    }
    let sampled: [u32; SAMPLED] = std::array::from_fn(|at| (mix(at as u64) % n) as u32);
    let mut pairs = [0_u64; SAMPLED];
    for (id, b) in (0..).zip(frame.boxes) {
        for (pairs, &other) in pairs.iter_mut().zip(&sampled) {
            let is_pair =
                other != id && b.overlaps(&frame.boxes[other as usize]) && frame.admits(id, other);
            *pairs += u64::from(is_pair);
        }
    }
    // One object may touch all others: a ground. It must not stand for its share of the objects.
    pairs.sort_unstable();
    pairs[SAMPLED - 1] = pairs[SAMPLED - 2];
    pairs.iter().sum::<u64>() as f64 * n as f64 / SAMPLED as f64 / 2.0
}

impl Case {
    /// Refuses a case whose objects do not fit into `available` bytes, before any is made.
    ///
    /// # Errors
    ///
    /// What it would take, and what there is.
    pub fn check_memory(&self, available: u64) -> Result<(), MemoryError> {
        let pairs = (self.expected_pairs() * BYTES_PER_PAIR) as u64;
        let needed = (self.n as u64).saturating_mul(BYTES_PER_OBJECT).saturating_add(pairs);
        if needed <= available {
            return Ok(());
        }
        Err(MemoryError { input: self.input.clone(), objects: self.n, needed, available })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::{Aabb, Layer};
    use glam::Vec3;

    #[test]
    fn estimate_of_pairs_is_near_their_number() {
        let b = Aabb::around_sphere(Vec3::ZERO, 1.0);
        let boxes = vec![b; 5000];
        let all = 5000.0 * 4999.0 / 2.0;
        assert!((estimated_pairs(&Frame::new(&boxes)) / all - 1.0).abs() < 0.01);
        let still = vec![Layer::STATIC; 5000];
        assert_eq!(estimated_pairs(&Frame::new(&boxes).layered(&still)), 0.0);
        assert_eq!(estimated_pairs(&Frame::new(&[])), 0.0);
        // A third of the objects in one place, the others apart and absent.
        let at = |i: usize| match i % 3 {
            0 => b,
            1 => Aabb::around_sphere(Vec3::X * (10 * i) as f32, 1.0),
            _ => Aabb::EMPTY,
        };
        let boxes: Vec<Aabb> = (0..6000).map(at).collect();
        let ratio = estimated_pairs(&Frame::new(&boxes)) / (2000.0 * 1999.0 / 2.0);
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
        // Every object on one ground, which is sampled.
        let mut boxes: Vec<Aabb> =
            (0..700).map(|i| Aabb::around_sphere(Vec3::X * (10 * i) as f32, 1.0)).collect();
        boxes[(mix(0) % 700) as usize] = Aabb::new(Vec3::splat(-1e4), Vec3::splat(1e4));
        assert!(estimated_pairs(&Frame::new(&boxes)) < 1400.0);
    }

    #[test]
    fn pairs_beyond_the_memory_are_refused_with_their_number() {
        let boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 5000];
        let frame = Frame::new(&boxes);
        assert_eq!(check_pairs_fit(&frame, 500_000_000), Ok(()));
        let error = check_pairs_fit(&frame, 100_000_000).unwrap_err().to_string();
        assert!(error.starts_with("about 12,4"), "{error}");
        assert!(error.contains(" pairs need about 399"), "{error}");
        assert!(error.contains("only 100.0 MB of memory can be had"), "{error}");
    }
}
