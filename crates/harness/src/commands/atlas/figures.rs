//! The figures of an algorithm on a cell, from the frames of all repetitions.

use crate::study::StudyRow;
use measure::{Checksum, Sample, mean, median};
use std::collections::BTreeMap;

/// Frames with a mean of their own: the first that an algorithm could have learnt for.
const EARLY: std::ops::RangeInclusive<u32> = 5..=44;
/// Frames up to this one belong to the start: an algorithm may still be learning.
const LATE: u32 = 50;

/// A row with the figures of the frames of all repetitions. A frame's time is the least of its repetitions: a
/// disturbance only makes a repetition slower, and each has a new structure.
pub(super) fn with_figures(row: StudyRow, samples: &[Sample]) -> StudyRow {
    let mut least: BTreeMap<u32, u64> = BTreeMap::new();
    for sample in samples {
        let ns = sample.detection_ns();
        least.entry(sample.frame).and_modify(|least| *least = ns.min(*least)).or_insert(ns);
    }
    let times = || least.values().copied();
    // The first of equally slow frames.
    let worst = least.iter().rev().max_by_key(|(_, ns)| **ns);
    let (Some(mean_ns), Some((frame, ns))) = (mean(times()), worst) else { return row };
    let checksums = samples.iter().filter(|sample| sample.repeat == 0).map(|s| s.checksum);
    let peak = samples.iter().filter_map(|s| s.collision.peak_heap_bytes).max();
    StudyRow {
        mean_ns: Some(rounded(mean_ns)),
        median_ns: median(&mut times().collect::<Vec<_>>()),
        early_ns: mean(least.range(EARLY).map(|(_, ns)| *ns)).map(rounded),
        worst_frame: Some(*frame),
        worst_ns: Some(*ns),
        late_worst_ns: least.range(LATE..).map(|(_, ns)| *ns).max(),
        tests: mean(samples.iter().map(|s| s.counters.tests)).map(rounded),
        pairs: mean(samples.iter().map(|s| s.pairs)).map(rounded),
        allocations: mean(samples.iter().filter_map(|s| s.collision.allocations)).map(rounded),
        bytes_per_object: peak.map(|bytes| rounded(bytes as f64 / row.n.max(1) as f64)),
        checksum: Some(Checksum(
            checksums.fold(0, |hash, own| broadphase::benchmark::mix(hash ^ own)),
        )),
        ..row
    }
}

/// Rounded to three decimals: more are noise, and rows read back equal those written.
fn rounded(value: f64) -> f64 {
    (1000.0 * value).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Counters;
    use measure::{Collision, PhaseTimes};

    fn sample(repeat: u32, frame: u32, ns: u64) -> Sample {
        Sample {
            repeat,
            frame,
            collision: Collision {
                times: PhaseTimes::new([ns / 2, ns - ns / 2]),
                peak_heap_bytes: Some(100 + u64::from(frame)),
                ..Collision::default()
            },
            counters: Counters { tests: u64::from(frame), ..Counters::default() },
            pairs: 7,
            checksum: u64::from(frame),
            ..Sample::default()
        }
    }

    #[test]
    fn frame_counts_by_its_fastest_repetition() {
        // Frame 0 builds: 1000. Later ones take 10; 60 takes 50 in every repetition, 70 in one only.
        let frames = (0..100).flat_map(|frame| {
            let ns = move |repeat| match (frame, repeat) {
                (0, _) => 1000,
                (60, _) => 50 + repeat,
                (70, 0) => 900,
                (_, 0) => 10,
                _ => 13,
            };
            (0..3).map(move |repeat| sample(repeat, frame, ns(u64::from(repeat))))
        });
        let row = StudyRow { n: 10, ..StudyRow::default() };
        let figures = with_figures(row, &frames.collect::<Vec<_>>());
        // 1000 + 50 + 13 + 97 * 10 over 100 frames.
        assert_eq!(figures.mean_ns, Some(20.33));
        assert_eq!((figures.median_ns, figures.early_ns), (Some(10), Some(10.0)));
        assert_eq!((figures.worst_frame, figures.worst_ns), (Some(0), Some(1000)));
        assert_eq!(figures.late_worst_ns, Some(50));
        assert_eq!((figures.tests, figures.pairs), (Some(49.5), Some(7.0)));
        assert_eq!((figures.allocations, figures.bytes_per_object), (None, Some(19.9)));
    }
}
