//! One algorithm on one case, as the figures need it.

use measure::InputName;
use serde::Deserialize;

/// What identifies a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Key {
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub n: u64,
    /// The seed of what moves; a trace has none.
    pub seed: Option<u64>,
    /// Id of the algorithm.
    pub algorithm: String,
    /// Threads that it could use.
    pub threads: u32,
}

/// One algorithm on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The input as the user named it.
    pub input: String,
    /// What the input's name says.
    pub name: InputName,
    /// Number of objects.
    pub n: u64,
    /// The seed of what moves; a trace has none.
    pub seed: Option<u64>,
    /// Id of the algorithm.
    pub algorithm: String,
    /// Threads that it could use.
    pub threads: u32,
    /// Measured frames per repetition, and repetitions.
    pub effort: Option<[u32; 2]>,
    /// Median of update and pairs, ns.
    pub median_ns: Option<f64>,
    /// 95 % interval of that median, ns.
    pub interval_ns: Option<[f64; 2]>,
    /// Mean of update and pairs, ns.
    pub mean_ns: Option<f64>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// Share of the whole frame that goes to collisions, 0 to 1.
    pub collision_share: Option<f64>,
    /// Time of each of [`PHASES`] per frame, ns: means where the frames are at hand, else medians. `None` where the phase
    /// was not measured.
    pub phases: [Option<f64>; PHASES.len()],
    /// Counts of the algorithm, from a summary.
    pub counts: Counts,
}

/// Counts of an algorithm, means per frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Pairs tested.
    pub tests: Option<f64>,
    /// Objects listed in leaves or cells, once in each.
    pub listings: Option<f64>,
    /// Pairs that overlap on a swept axis.
    pub axis_overlaps: Option<f64>,
}

/// The phases of a frame whose times are known, in their order.
pub const PHASES: [&str; 4] = ["update", "pairs", "response", "drawing"];

impl Cell {
    /// A cell without figures.
    pub fn new(key: Key) -> Self {
        let Key { input, n, seed, algorithm, threads } = key;
        Self {
            name: InputName::read(&input),
            input,
            n,
            seed,
            algorithm,
            threads,
            effort: None,
            median_ns: None,
            interval_ns: None,
            mean_ns: None,
            fps: None,
            collision_share: None,
            phases: [None; PHASES.len()],
            counts: Counts::default(),
        }
    }

    /// Share of the whole frame, motion included, that goes to drawing, 0 to 1: known from the share
    /// of the collisions.
    pub fn drawing_share(&self) -> Option<f64> {
        let [update, pairs, response, render] = self.phases;
        let collisions = update? + pairs? + response.unwrap_or(0.0);
        let whole = collisions / self.collision_share?;
        Some(render? / whole).filter(|share| share.is_finite())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A cell with this median, ns.
    pub(in crate::figures) fn cell(algorithm: &str, n: u64, median_ns: f64) -> Cell {
        let (input, algorithm) = ("random.scene".into(), algorithm.into());
        let key = Key { input, n, seed: Some(1739), algorithm, threads: 1 };
        let fps = Some(1e9 / median_ns);
        Cell { median_ns: Some(median_ns), fps, ..Cell::new(key) }
    }

    #[test]
    fn the_share_of_drawing_counts_the_motion_as_part_of_the_frame() {
        let phases = [Some(10.0), Some(20.0), None, Some(40.0)];
        // Collisions 30 are 30 % of 100: the motion took 30.
        let cell = Cell { collision_share: Some(0.3), phases, ..cell("bsp", 5, 30.0) };
        assert!((cell.drawing_share().unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(Cell { collision_share: None, ..cell }.drawing_share(), None);
    }
}
