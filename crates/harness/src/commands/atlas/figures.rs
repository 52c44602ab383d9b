//! The figures of an algorithm on a cell, from the frames of all repetitions.

use measure::{Checksum, Sample, mean, median};
use std::collections::BTreeMap;

/// Frames with a mean of their own: the first that an algorithm could have learnt for.
const EARLY: std::ops::RangeInclusive<u32> = 5..=44;
/// Frames up to this one belong to the start: an algorithm may still be learning.
const LATE: u32 = 50;

/// The figures of one algorithm on one cell. A frame's time is the least of its repetitions: a disturbance
/// only makes a repetition slower, and each has a new structure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figures {
    /// Mean over all frames, ns.
    pub(super) mean_ns: f64,
    /// Median over all frames, ns.
    pub(super) median_ns: u64,
    /// Mean over frames 5 to 44, ns.
    pub(super) early_ns: Option<f64>,
    /// The slowest frame.
    pub(super) worst_frame: u32,
    /// Its time, ns.
    pub(super) worst_ns: u64,
    /// Time of the slowest frame from frame 50 on, ns.
    pub(super) late_worst_ns: Option<u64>,
    /// Tests, mean per frame.
    pub(super) tests: Option<f64>,
    /// Overlapping pairs, mean per frame.
    pub(super) pairs: Option<f64>,
    /// Heap allocations, mean per frame.
    pub(super) allocations: Option<f64>,
    /// Most bytes that the structure held at once.
    pub(super) peak_heap_bytes: Option<u64>,
    /// The checksums of all frames, in their order.
    pub(super) checksum: Checksum,
}

impl Figures {
    /// The figures of the frames of all repetitions; `None` without a frame.
    pub(super) fn of(samples: &[Sample]) -> Option<Self> {
        let mut least: BTreeMap<u32, u64> = BTreeMap::new();
        for sample in samples {
            let ns = sample.detection_ns();
            least.entry(sample.frame).and_modify(|least| *least = ns.min(*least)).or_insert(ns);
        }
        let times = || least.values().copied();
        // The first of equally slow frames.
        let (worst_frame, worst_ns) =
            least.iter().rev().max_by_key(|(_, ns)| **ns).map(|(frame, ns)| (*frame, *ns))?;
        let first = samples.iter().filter(|sample| sample.repeat == 0);
        Some(Self {
            mean_ns: rounded(mean(times())?),
            median_ns: median(&mut times().collect::<Vec<_>>())?,
            early_ns: mean(least.range(EARLY).map(|(_, ns)| *ns)).map(rounded),
            worst_frame,
            worst_ns,
            late_worst_ns: least.range(LATE..).map(|(_, ns)| *ns).max(),
            tests: mean(samples.iter().map(|s| s.counters.tests)).map(rounded),
            pairs: mean(samples.iter().map(|s| s.pairs)).map(rounded),
            allocations: mean(samples.iter().filter_map(|s| s.collision.allocations)).map(rounded),
            peak_heap_bytes: samples.iter().filter_map(|s| s.collision.peak_heap_bytes).max(),
            checksum: Checksum(
                first.fold(0, |hash, s| broadphase::benchmark::mix(hash ^ s.checksum)),
            ),
        })
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
    use measure::{Collision, Phase, PhaseTimes};

    fn sample(repeat: u32, frame: u32, ns: u64) -> Sample {
        Sample {
            repeat,
            frame,
            phase: Phase::Measure,
            motion_ns: None,
            collision: Collision {
                times: PhaseTimes::new([ns / 2, ns - ns / 2]),
                peak_heap_bytes: Some(100 + u64::from(frame)),
                ..Collision::default()
            },
            response_ns: None,
            render_ns: None,
            counters: Counters { tests: u64::from(frame), ..Counters::default() },
            pairs: 7,
            hits: None,
            heap_bytes: 0,
            checksum: u64::from(frame),
            events: None,
            stages: None,
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
        let figures = Figures::of(&frames.collect::<Vec<_>>()).unwrap();
        // 1000 + 50 + 13 + 97 * 10 over 100 frames.
        assert_eq!(figures.mean_ns, 20.33);
        assert_eq!((figures.median_ns, figures.early_ns), (10, Some(10.0)));
        assert_eq!((figures.worst_frame, figures.worst_ns), (0, 1000));
        assert_eq!(figures.late_worst_ns, Some(50));
        assert_eq!((figures.tests, figures.pairs), (Some(49.5), Some(7.0)));
        assert_eq!((figures.allocations, figures.peak_heap_bytes), (None, Some(199)));
    }

    #[test]
    fn short_cells_have_no_late_frames() {
        let samples = [sample(0, 0, 8), sample(0, 1, 4)];
        let figures = Figures::of(&samples).unwrap();
        assert_eq!((figures.mean_ns, figures.early_ns, figures.late_worst_ns), (6.0, None, None));
        assert_eq!(Figures::of(&[]), None);
    }
}
