//! One algorithm's time over another's, pair by pair.

use crate::rows::{FrameRow, Phase};
use serde::Serialize;
use std::collections::HashMap;

/// Least confidence of the interval, where the rounds suffice for it: six do.
const CONFIDENCE: f64 = 0.95;

/// B's time over A's: below 1, B is faster.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

/// A ratio of measurements that belong together, round by round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedRatio {
    /// The median of the rounds' ratios, and its interval.
    pub ratio: Ratio,
    /// Probability with which the interval holds the true median: at least 95 % from six rounds on.
    pub confidence: f64,
    /// Rounds that it comes from.
    pub rounds: usize,
}

impl PairedRatio {
    /// Whether the interval is one of at least 95 %.
    pub fn suffices(&self) -> bool {
        self.confidence >= CONFIDENCE
    }
}

impl Ratio {
    /// Whether the interval holds a ratio of 1: no difference is shown.
    pub fn holds_one(&self) -> bool {
        self.low <= 1.0 && 1.0 <= self.high
    }
}

/// The time of a frame, and which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTime {
    /// The round, counted from 0.
    pub repeat: u32,
    /// The frame in it, counted from 0.
    pub frame: u32,
    /// Nanoseconds of update and pairs.
    pub ns: u64,
}

impl FrameTime {
    /// The time of a frame; none of a warm-up frame.
    pub fn of_row(row: &FrameRow) -> Option<Self> {
        let &FrameRow { repeat, frame, phase, .. } = row;
        (phase == Phase::Measure).then(|| Self { repeat, frame, ns: row.detection_ns() })
    }
}

/// The ratio of B's update + pairs to A's.
///
/// Each frame of a round is compared with the same frame of the same round: the same boxes, moments
/// apart. A round's ratio is the median of its frames' ratios, and the result the median of the
/// rounds'. The interval lies between two order statistics of the rounds' ratios (sign test): it
/// supposes nothing but that rounds are independent. `None` where no frame was measured in both.
pub fn paired_ratio(
    a: impl IntoIterator<Item = FrameTime>,
    b: impl IntoIterator<Item = FrameTime>,
) -> Option<PairedRatio> {
    let by_frame = |time: FrameTime| ((time.repeat, time.frame), time.ns.max(1));
    let a: HashMap<(u32, u32), u64> = a.into_iter().map(by_frame).collect();
    let b: HashMap<(u32, u32), u64> = b.into_iter().map(by_frame).collect();
    let mut rounds: HashMap<u32, Vec<f64>> = HashMap::new();
    for (frame, ns) in &b {
        if let Some(base) = a.get(frame) {
            rounds.entry(frame.0).or_default().push((*ns as f64 / *base as f64).ln());
        }
    }
    let mut logs: Vec<f64> = rounds.into_values().map(middle).collect();
    logs.sort_unstable_by(f64::total_cmp);
    let (rank, confidence) = outer_rank(logs.len())?;
    let (low, high) = (logs[rank].exp(), logs[logs.len() - 1 - rank].exp());
    let rounds = logs.len();
    let ratio = Ratio { ratio: middle(logs).exp(), low, high };
    Some(PairedRatio { ratio, confidence, rounds })
}

/// The median. Of logarithms, so that B over A is exactly one over A over B.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let upper = values[values.len() / 2];
    let lower = values[(values.len() - 1) / 2];
    (lower + upper) / 2.0
}

/// The largest `rank` such that the values from that rank to the same from above, counted from 0,
/// hold the median with [`CONFIDENCE`], and with which confidence they do: the chance that more than
/// `rank` of `count` coins fall on either side. `None` for no values.
fn outer_rank(count: usize) -> Option<(usize, f64)> {
    let mut best = None;
    // The logarithm of the probability of exactly `rank` heads (2^-2000 is 0 as a float), and the
    // probability of at most `rank`.
    let mut exactly = count as f64 * 0.5f64.ln();
    let mut at_most = 0.0;
    for rank in 0..count.div_ceil(2) {
        at_most += exactly.exp();
        let confidence = 1.0 - 2.0 * at_most;
        if rank > 0 && confidence < CONFIDENCE {
            break;
        }
        best = Some((rank, confidence.max(0.0)));
        exactly += ((count - rank) as f64 / (rank + 1) as f64).ln();
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_sign_test() {
        // From tables: n = 6 gives 1 to 6 with 96.9 %, n = 10 gives 2 to 9 with 97.9 %.
        for (count, rank, confidence) in
            [(6, 0, 0.96875), (10, 1, 1.0 - 22.0 / 1024.0), (20, 5, 0.9586), (5, 0, 0.9375)]
        {
            let found = outer_rank(count).unwrap();
            assert_eq!(found.0, rank);
            assert!((found.1 - confidence).abs() < 1e-4, "{count}: {found:?}");
        }
        assert_eq!(outer_rank(1).unwrap(), (0, 0.0), "one round shows nothing of others");
        assert_eq!(outer_rank(0), None);
        // By the normal approximation at most 2500 - 1.96 / 2 * sqrt(5000) - 1/2 = 2430.2.
        assert_eq!(outer_rank(5000).unwrap().0, 2430);
    }

    /// Rounds of nine measured frames, each `factor` times as long as `ns` says.
    fn times(rounds: u32, factor: u64, ns: impl Fn(u32, u32) -> u64) -> Vec<FrameTime> {
        let frames = (0..rounds).flat_map(|repeat| (1..10).map(move |frame| (repeat, frame)));
        let time = |(repeat, frame)| FrameTime { repeat, frame, ns: factor * ns(repeat, frame) };
        frames.map(time).collect()
    }

    #[test]
    fn pairing_takes_out_what_both_have_in_common() {
        // Rounds differ by a factor of ten, frames by two; B takes thrice as long throughout.
        let ns = |round: u32, frame: u32| 1000 * u64::from((1 + round) * (9 + frame));
        let found = paired_ratio(times(10, 1, ns), times(7, 3, ns)).unwrap();
        let Ratio { ratio, low, high } = found.ratio;
        assert!([ratio, low, high].iter().all(|r| (r - 3.0).abs() < 1e-9), "{found:?}");
        assert_eq!((found.rounds, found.ratio.holds_one()), (7, false), "others have no partner");
        let back = paired_ratio(times(10, 3, ns), times(10, 1, ns)).unwrap();
        assert!((back.ratio.ratio - 1.0 / 3.0).abs() < 1e-9, "{back:?}");
        assert_eq!(paired_ratio([], times(10, 1, ns)), None);
        let warmup = FrameRow { phase: Phase::Warmup, ..FrameRow::default() };
        assert_eq!(FrameTime::of_row(&warmup), None);
    }

    #[test]
    fn a_difference_that_comes_and_goes_is_none() {
        let b = |round, _| if round % 2 == 0 { 90 } else { 115 };
        let found = |rounds| paired_ratio(times(rounds, 100, |_, _| 1), times(10, 1, b)).unwrap();
        assert!(found(10).ratio.holds_one() && found(10).suffices(), "{:?}", found(10));
        assert!(!found(3).suffices());
    }
}
