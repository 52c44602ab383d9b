//! The times of a stage, and the row that they become.

use super::pair_motion::PairMotion;
use crate::rows::{Labels, Outcome, Stage, StageRow, Status};
use crate::table::{median, median_interval};

/// Times of a stage.
#[derive(Default)]
pub(super) struct Times {
    pub(super) tests: u64,
    ns: u64,
    /// Picoseconds per test of each frame with a test, for each repetition.
    test_ps: Vec<Vec<u64>>,
}

impl Times {
    pub(super) fn add(&mut self, repeat: u32, tests: u64, ns: u64) {
        self.tests += tests;
        self.ns += ns;
        self.test_ps.resize_with(self.test_ps.len().max(repeat as usize + 1), Vec::new);
        if tests > 0 {
            self.test_ps[repeat as usize].push((u128::from(ns) * 1000 / u128::from(tests)) as u64);
        }
    }
}

/// What the rows of a case have in common.
pub(super) struct RowForm<'a> {
    pub(super) labels: Labels,
    /// Id of the kind of boxes; empty for random pairs.
    pub(super) box_kind: &'a str,
    /// Which moving objects of a world collide continuously; empty for none.
    pub(super) continuous: &'static str,
    /// How random pairs move.
    pub(super) motion: Option<PairMotion>,
    pub(super) frames: u32,
    pub(super) repeats: u32,
    /// Seed of the bootstrap.
    pub(super) seed: u64,
}

impl RowForm<'_> {
    /// A row with times, but without counts of pairs.
    pub(super) fn row(
        &self,
        stage: Stage,
        method: &str,
        times: &Times,
        outcome: &Outcome,
    ) -> StageRow {
        let (status, reason) = outcome.status();
        let is_ok = status == Status::Ok;
        let Labels { run_id, input, n, seed, algorithm, threads } = self.labels.clone();
        let ns_of = |ps: u64| ps as f64 / 1000.0;
        let middle = median(&mut times.test_ps.concat()).filter(|_| is_ok);
        let interval = median_interval(&times.test_ps, self.seed).filter(|_| is_ok);
        // Nothing forces the bootstrap's quantiles to lie on either side of the median.
        let low = interval.zip(middle).map(|(interval, middle)| interval.low.min(middle));
        let high = interval.zip(middle).map(|(interval, middle)| interval.high.max(middle));
        StageRow {
            run_id,
            input,
            n,
            seed,
            algorithm,
            threads,
            stage,
            method: method.to_owned(),
            box_kind: self.box_kind.to_owned(),
            tests: is_ok.then_some(times.tests),
            ns: is_ok.then_some(times.ns),
            frames: self.frames,
            repeats: self.repeats,
            test_ns: middle.map(ns_of),
            ci_low_test_ns: low.map(ns_of),
            ci_high_test_ns: high.map(ns_of),
            status,
            reason,
            continuous: self.continuous.to_owned(),
            speed: self.motion.map(|motion| motion.speed),
            spin: self.motion.map(|motion| motion.spin),
            ..StageRow::default()
        }
    }
}
