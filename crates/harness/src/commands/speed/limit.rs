//! The time to read all boxes once and to write all pairs once. It bounds memory traffic, not the search:
//! comparisons come on top.

use super::parts::Part;
use super::rows::SpeedRow;
use broadphase::{Aabb, Pair};
use fearless_simd::{Level, dispatch};
use measure::{Clock, Status, median};
use std::hint::black_box;

/// Number of samples; their median counts.
const SAMPLES: usize = 21;
/// The least duration of a sample, ns. Reading a hundred boxes takes less than the clock's resolution.
const SAMPLE_NS: u64 = 1_000_000;

/// Measures the limit of each input of a part with peers, and writes it into its rows.
///
/// It needs the number of pairs, from a row whose pairs were right.
pub(super) fn note(part: Part, rows: &mut [SpeedRow], clock: &dyn Clock) {
    if !part.has_peers() {
        return;
    }
    for case in rows.chunk_by_mut(|a, b| (&a.input, a.n) == (&b.input, b.n)) {
        let right = case.iter().filter(|row| row.status == Status::Ok);
        let Some(pairs) = right.filter_map(|row| row.pairs).next() else { continue };
        let limit = limit_ns(case[0].n as usize, pairs.round() as usize, clock);
        case.iter_mut().for_each(|row| row.limit_ns = limit);
    }
}

/// The time to read `boxes` boxes and to write `pairs` pairs, on this thread, ns.
///
/// Every pass takes the same boxes and the same list, so they stay in the cache that holds both, as in a frame
/// loop without other data.
fn limit_ns(boxes: usize, pairs: usize, clock: &dyn Clock) -> Option<f64> {
    // No zeros: the system may not have mapped pages for those yet.
    let boxes = vec![Aabb::EMPTY; boxes];
    let mut pairs = vec![Pair { a: 0, b: 1 }; pairs];
    let mut sample = |passes: u32| {
        let start = clock.now_ns();
        for _ in 0..passes {
            black_box(pass(black_box(&boxes), black_box(&mut pairs)));
        }
        clock.now_ns() - start
    };
    let mut passes = 1;
    while sample(passes) < SAMPLE_NS {
        passes *= 2;
    }
    let mut samples = [(); SAMPLES].map(|()| sample(passes));
    Some(median(&mut samples)? as f64 / f64::from(passes))
}

/// Overwrites all pairs, and returns the sum of the bits of all bounds.
///
/// The sum is of integers: vectorising a sum of floats would change its order. The loops are compiled for
/// every instruction set, so that they are vectorised.
fn pass(boxes: &[Aabb], pairs: &mut [Pair]) -> u32 {
    dispatch!(Level::new(), _simd => {
        let mut sum = 0u32;
        for bits in bytemuck::cast_slice::<Aabb, u32>(boxes) {
            sum = sum.wrapping_add(*bits);
        }
        for (id, pair) in (0u32..).zip(pairs) {
            *pair = Pair { a: id, b: id.wrapping_add(1) };
        }
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// A clock that returns the given moments one by one.
    struct Scripted(Mutex<std::vec::IntoIter<u64>>);

    impl Clock for Scripted {
        fn now_ns(&self) -> u64 {
            self.0.lock().unwrap().next().unwrap()
        }
    }

    #[test]
    fn limit_is_the_median_sample_over_its_passes() {
        let short = [300_000, 600_000];
        let kept = [[1_000_000; 10], [9_000_000; 10]].concat();
        let samples = [&short[..], &[1_000_000], &kept[..], &[2_000_000]].concat();
        let moments = samples.iter().enumerate().flat_map(|(i, ns)| {
            let start = 10_000_000 * i as u64;
            [start, start + ns]
        });
        let clock = Scripted(Mutex::new(moments.collect::<Vec<_>>().into_iter()));
        assert_eq!(limit_ns(10, 3, &clock), Some(500_000.0), "2 ms of four passes");
        assert_eq!(clock.0.lock().unwrap().next(), None, "{SAMPLES} samples");
    }

    #[test]
    fn pass_reads_every_bound_and_writes_every_pair() {
        let boxes = [Aabb::EMPTY; 37];
        let old = Pair { a: 7, b: 7 };
        let mut pairs = [old; 53];
        let sum = pass(&boxes, &mut pairs);
        assert!(pairs.iter().all(|pair| *pair != old), "{pairs:?}");
        for (index, corner) in (0..boxes.len()).flat_map(|i| (0..6).map(move |c| (i, c))) {
            let mut changed = boxes;
            let b = &mut changed[index];
            if corner < 3 {
                b.min[corner] = 1.0
            } else {
                b.max[corner - 3] = 1.0
            }
            assert_ne!(pass(&changed, &mut pairs), sum, "bound {corner} of box {index}");
        }
    }
}
