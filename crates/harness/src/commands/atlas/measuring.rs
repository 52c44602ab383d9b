//! Measures one cell: a probe, then all champions interleaved.

use super::plan::Planned;
use crate::failure::Failure;
use crate::study::{AUTO, FULL_SEARCH};
use broadphase::registry::Algorithm;
use measure::{
    Instruments, Observer, Outcome, Plan, Sample, Trial, Watch, measure_case_watched, probe_case,
};
use std::sync::atomic::AtomicBool;

/// Frames of the probe, a tenth of a cell or more: enough to reach the neighbour list of a steady motion.
const PROBE_FRAMES: u32 = 40;
/// An algorithm this many times as slow as the fastest in the probe is not measured.
const TOO_SLOW: f64 = 20.0;
/// Algorithms that are measured however slow they are: the page compares with both.
const NEEDED: [&str; 2] = [AUTO, FULL_SEARCH];
/// The id of the second measurement, where ids distinguish entries.
pub(super) const AGAIN: &str = "best-again";

/// The setting in which all cells are measured.
pub(super) struct CellBench<'a> {
    pub(super) plan: Plan<'a>,
    /// Whether the fastest of the probe is measured twice.
    pub(super) twice: bool,
    pub(super) instruments: Instruments<'a>,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

/// One algorithm on one number of threads.
pub(super) struct CellEntry {
    pub(super) algorithm: String,
    /// Whether it is the second measurement of the fastest of the probe.
    pub(super) again: bool,
    pub(super) threads: u32,
    pub(super) outcome: Outcome,
    /// Whether the pairs of every frame were compared with brute force.
    pub(super) proven: bool,
    pub(super) samples: Vec<Sample>,
}

/// The measurements of a cell.
pub(super) struct MeasuredEntries {
    pub(super) entries: Vec<CellEntry>,
    pub(super) calibration_ns: Vec<u64>,
}

impl CellBench<'_> {
    /// Measures a cell.
    ///
    /// The second measurement is of the fastest in the probe, which enters no figure. An algorithm chosen by
    /// the figures themselves would have a first time that is too low, by its noise.
    pub(super) fn measure(
        &self,
        planned: &Planned,
        observer: &mut dyn Observer,
    ) -> Result<MeasuredEntries, Failure> {
        let Self { plan, instruments, stop, .. } = *self;
        let case = &planned.case;
        let trials = probe_case(case, &plan, PROBE_FRAMES, TOO_SLOW, instruments, stop)?;
        let mut goes: Vec<&Algorithm> = Vec::new();
        let mut entries = Vec::new();
        let mut fastest: Option<(f64, &Algorithm)> = None;
        for (&algorithm, trial) in plan.algorithms.iter().zip(trials) {
            match trial {
                Trial::Goes { mean_ns } => {
                    goes.push(algorithm);
                    if fastest.is_none_or(|(least, _)| mean_ns < least) {
                        fastest = Some((mean_ns, algorithm));
                    }
                }
                Trial::Ends(Outcome::Skipped(_)) if NEEDED.contains(&algorithm.id) => {
                    goes.push(algorithm);
                }
                Trial::Ends(outcome) => {
                    entries.extend(plan.threads.iter().map(|&threads| CellEntry {
                        algorithm: algorithm.id.to_owned(),
                        again: false,
                        threads,
                        outcome: outcome.clone(),
                        proven: false,
                        samples: Vec::new(),
                    }))
                }
            }
        }
        let twice = fastest.filter(|_| self.twice).map(|(_, algorithm)| algorithm);
        let again = twice.map(|algorithm| Algorithm { id: AGAIN, ..*algorithm });
        goes.extend(&again);
        let plan = Plan { algorithms: &goes, ..plan };
        let watch = Watch { observer, stop, finished: Vec::new() };
        let measured = measure_case_watched(case, &plan, instruments, watch)?;
        entries.extend(measured.cells.into_iter().map(|cell| {
            let again = twice.filter(|_| cell.algorithm == AGAIN);
            CellEntry {
                algorithm: again.map_or(cell.algorithm, |twice| twice.id.to_owned()),
                again: again.is_some(),
                threads: cell.threads,
                outcome: cell.outcome,
                proven: measured.proven,
                samples: cell.samples,
            }
        }));
        let place = |entry: &CellEntry| {
            let of_plan =
                self.plan.algorithms.iter().position(|of_plan| of_plan.id == entry.algorithm);
            (entry.threads, entry.again, of_plan)
        };
        entries.sort_by_key(place);
        Ok(MeasuredEntries { entries, calibration_ns: measured.calibration_ns })
    }
}
