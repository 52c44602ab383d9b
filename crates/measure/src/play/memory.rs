//! Whether a case and the pairs of a frame fit into memory.

use super::prescribed::MIN_STATE_BYTES;
use crate::input::{Case, MemoryError, PairsError};
use broadphase::Frame;
use broadphase::benchmark::mix;
use broadphase::registry::Algorithm;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// Bytes of one object without algorithms and pair lists: its box twice (in the world and in the
/// frame), position, velocity, radius, cell of the placement grid, with room for vectors that grow.
pub(crate) const BYTES_PER_OBJECT: u64 = 160;

/// Bytes of a moving body without volumes, on top of those of an object: state, mass and inertia, what it meets.
const BYTES_PER_BODY: u64 = 640;

/// Bytes of the response to a pair of bodies that touches.
pub(crate) const BYTES_PER_RESPONSE: u64 = 256;

/// Bytes of a pair in two lists, each with room for as many again.
pub(crate) const BYTES_PER_PAIR: u64 = 32;

/// Bytes of a pair of which events are found: in the lists of two frames, of pairs that began and ended, and in those of
/// the sort (measured).
pub(crate) const BYTES_PER_EVENT: u64 = 128;

/// Pairs expected in a sample of a frame whose pairs just fit into memory. The standard deviation of the estimate
/// is then 6 %: a frame that takes half as much again is missed by one sample in 10^10.
const PAIRS_IN_SAMPLE: f64 = 256.0;

/// Largest sample, per object. It bounds the cost: each sample compares two boxes at random places in memory. The bound
/// is reached where fewer than eight pairs an object fit. Where 2.5 fit, 80 are still expected in the sample.
const MAX_SAMPLED_PER_OBJECT: f64 = 16.0;

/// Bytes that a pair takes while an algorithm searches: in its list, and in the algorithm.
pub fn search_memory(algorithm: &Algorithm) -> u64 {
    BYTES_PER_PAIR + algorithm.pair_memory
}

/// Refuses a frame whose pairs do not fit into `available` bytes, where each takes `bytes`: those of every algorithm that
/// searches ([`search_memory`]), and what others keep ([`stage_memory`](crate::stage_memory)). Where not even all objects
/// as pairs would need as much, this costs nothing. Elsewhere the number of pairs is estimated from a sample. It is drawn by
/// a key of the process, so that no input can be made to avoid it. In one process, equal frames have equal estimates.
///
/// # Errors
///
/// How many pairs there are about, what they would take, and what there is.
pub fn check_pairs_fit(frame: &Frame<'_>, bytes: u64, available: u64) -> Result<(), PairsError> {
    static KEY: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
    check_pairs_sampled(frame, bytes, available, *KEY)
}

/// [`check_pairs_fit`] with the key that draws the sample.
fn check_pairs_sampled(
    frame: &Frame<'_>,
    bytes: u64,
    available: u64,
    key: u64,
) -> Result<(), PairsError> {
    let (n, bytes) = (frame.boxes.len() as f64, bytes as f64);
    let all = n * (n - 1.0) / 2.0;
    if all * bytes <= available as f64 {
        return Ok(());
    }
    let share = available as f64 / (all * bytes);
    let sampled = (PAIRS_IN_SAMPLE / share).min(MAX_SAMPLED_PER_OBJECT * n).ceil();
    let pairs = all * sampled_share(frame, sampled as u64, key);
    match (pairs * bytes) as u64 {
        needed if needed <= available => Ok(()),
        needed => Err(PairsError { pairs: pairs as u64, needed, available }),
    }
}

/// The share of overlapping boxes among `sampled` random pairs of objects, drawn by `key`.
///
/// The pairs are drawn independently. A few objects compared with all others would need as much time for a far worse
/// estimate: a heap of 2 % of all objects is missed by a quarter of all samples of 64.
fn sampled_share(frame: &Frame<'_>, sampled: u64, key: u64) -> f64 {
    let n = frame.boxes.len();
    if n < 2 || sampled == 0 {
        return 0.0;
    }
    let is_pair = |at: &u64| {
        let (a, b) = sampled_pair(*at, n, key);
        frame.boxes[a as usize].overlaps(&frame.boxes[b as usize]) && frame.admits(a, b)
    };
    (0..sampled).filter(is_pair).count() as f64 / sampled as f64
}

/// Pair `at` of the sample that `key` draws among `n` objects.
fn sampled_pair(at: u64, n: usize, key: u64) -> (u32, u32) {
    // From half a hash each, by multiplication: a remainder takes longer.
    let below = |half: u64, n: usize| (((half & 0xffff_ffff) * n as u64) >> 32) as u32;
    let hash = mix(key ^ at);
    let a = below(hash >> 32, n);
    let other = below(hash, n - 1);
    (a, if other >= a { other + 1 } else { other })
}

impl Case {
    /// Refuses a case whose objects do not fit into `available` bytes, before any is made.
    ///
    /// # Errors
    ///
    /// What it would take, and what there is.
    pub fn check_memory(&self, available: u64) -> Result<(), MemoryError> {
        self.check_bytes(BYTES_PER_OBJECT, available)
    }

    /// [`check_memory`](Self::check_memory) for a case of which any frame can be shown, by
    /// [`prescribed`](Self::prescribed): generated boxes keep some of their states.
    ///
    /// # Errors
    ///
    /// As [`check_memory`](Self::check_memory).
    pub fn check_memory_to_show(&self, available: u64) -> Result<(), MemoryError> {
        let is_generated = self.scene().is_none() && self.trace().is_none();
        let states = if is_generated { MIN_STATE_BYTES } else { 0 };
        self.check_bytes(BYTES_PER_OBJECT + states, available)
    }

    /// Bytes of a body without volumes, on top of those of an object; 0 if the objects are spheres.
    pub(crate) fn bytes_per_body(&self) -> u64 {
        match (self.has_bodies(), self.continuous()) {
            (false, _) => 0,
            (true, "") => BYTES_PER_BODY,
            (true, _) => BYTES_PER_BODY + sim::BYTES_PER_PATH as u64,
        }
    }

    fn check_bytes(&self, each: u64, available: u64) -> Result<(), MemoryError> {
        let response = if self.has_bodies() { BYTES_PER_RESPONSE } else { 0 };
        let each = each + self.bytes_per_body();
        let pairs = (self.expected_pairs() * (BYTES_PER_PAIR + response) as f64) as u64;
        let needed = (self.n as u64).saturating_mul(each).saturating_add(pairs);
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

    /// The number of overlapping pairs, estimated from `sampled` random pairs of objects.
    fn estimate(frame: &Frame<'_>, sampled: u64) -> f64 {
        let n = frame.boxes.len() as f64;
        sampled_share(frame, sampled, 0) * n * (n - 1.0) / 2.0
    }

    #[test]
    fn estimate_of_pairs_is_near_their_number() {
        let b = Aabb::around_sphere(Vec3::ZERO, 1.0);
        let boxes = vec![b; 5000];
        assert_eq!(estimate(&Frame::new(&boxes), 100), 5000.0 * 4999.0 / 2.0);
        let still = vec![Layer::STATIC; 5000];
        assert_eq!(estimate(&Frame::new(&boxes).layered(&still), 100), 0.0);
        for few in [&[][..], &[b]] {
            assert_eq!(estimate(&Frame::new(few), 100), 0.0);
        }
        assert_eq!(estimate(&Frame::new(&[b, b]), 100), 1.0);
        // A third of the objects in one place, the others apart and absent.
        let at = |i: usize| match i % 3 {
            0 => b,
            1 => Aabb::around_sphere(Vec3::X * (10 * i) as f32, 1.0),
            _ => Aabb::EMPTY,
        };
        let boxes: Vec<Aabb> = (0..6000).map(at).collect();
        let ratio = estimate(&Frame::new(&boxes), 4000) / (2000.0 * 1999.0 / 2.0);
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
        // Every object on one ground.
        let mut boxes: Vec<Aabb> =
            (0..700).map(|i| Aabb::around_sphere(Vec3::X * (10 * i) as f32, 1.0)).collect();
        boxes[7] = Aabb::new(Vec3::splat(-1e4), Vec3::splat(1e4));
        assert!(estimate(&Frame::new(&boxes), 100_000) < 1400.0);
    }

    #[test]
    fn heap_of_few_objects_is_found_wherever_it_is_in_the_list() {
        // A heap of 1/50 of the objects, the others apart: every 50th object, or one after the other.
        let (n, heap) = (50_000, 1000);
        let needed = (heap * (heap - 1) / 2) as u64 * BYTES_PER_PAIR;
        for (first, stride) in (0..50).step_by(7).flat_map(|at| [(at, 50), (at * heap, 1)]) {
            let is_in_heap = |i: usize| {
                i >= first && (i - first).is_multiple_of(stride) && (i - first) / stride < heap
            };
            let at = |i| match is_in_heap(i) {
                true => Aabb::around_sphere(Vec3::ZERO, 1.0),
                false => Aabb::around_sphere(Vec3::X * (10 * (i + 1)) as f32, 1.0),
            };
            let boxes: Vec<Aabb> = (0..n).map(at).collect();
            let fits = |available| {
                check_pairs_sampled(&Frame::new(&boxes), BYTES_PER_PAIR, available, 0).is_ok()
            };
            assert!(!fits(needed / 3 * 2), "missed: from {first} by {stride}");
            assert!(fits(needed / 2 * 3), "overestimated: from {first} by {stride}");
        }
    }

    #[test]
    fn pairs_beyond_the_memory_are_refused_with_their_number() {
        let boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 5000];
        let frame = Frame::new(&boxes);
        assert_eq!(check_pairs_fit(&frame, 32, 500_000_000), Ok(()));
        assert!(check_pairs_fit(&frame, 64, 500_000_000).is_err(), "two lists do not fit");
        let error = check_pairs_fit(&frame, 32, 100_000_000).unwrap_err().to_string();
        assert!(error.starts_with("about 12,497,500 pairs need about 399"), "{error}");
        assert!(error.contains("only 100.0 MB of memory can be had"), "{error}");
    }

    #[test]
    fn trace_that_avoids_a_known_sample_is_refused() {
        // All objects are in one place, except those of the samples of some keys.
        let n = 60_000;
        let mut boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); n];
        let (bytes, sampled) = (BYTES_PER_PAIR, PAIRS_IN_SAMPLE as u64 * 4);
        let available = (n * (n - 1) / 2) as u64 * bytes / 4;
        let guessed: Vec<u64> = (0..8).chain([u64::MAX, n as u64]).collect();
        for (key, at) in guessed.iter().flat_map(|key| (0..sampled).map(move |at| (*key, at))) {
            let (a, b) = sampled_pair(at, n, key);
            for object in [a, b] {
                boxes[object as usize] =
                    Aabb::around_sphere(Vec3::X * (10 + 3 * object) as f32, 1.0);
            }
        }
        let frame = Frame::new(&boxes);
        for key in guessed {
            assert_eq!(check_pairs_sampled(&frame, bytes, available, key), Ok(()), "not avoided");
        }
        let error = check_pairs_fit(&frame, bytes, available).unwrap_err();
        assert!(error.needed > available, "{error}");
    }

    #[test]
    fn generated_boxes_to_be_shown_need_room_for_their_states() {
        let generated = crate::input::Input::boxes("line:1000".parse().unwrap());
        let generated = generated.cases(&Default::default()).unwrap().remove(0);
        let trace = Case::of_trace("a.bpt", "a.bpt".into(), 1000, 0, 1);
        let pairs = (generated.expected_pairs() * BYTES_PER_PAIR as f64) as u64;
        assert_eq!(generated.check_memory(pairs + 160_000), Ok(()));
        let error = generated.check_memory_to_show(pairs + 440_000).unwrap_err();
        assert_eq!(error.needed, pairs + 448_000, "450 bytes per object were measured");
        assert_eq!(trace.check_memory_to_show(160_000), Ok(()));
    }
}
