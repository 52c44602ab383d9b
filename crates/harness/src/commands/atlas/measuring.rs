//! Measures one cell: a probe, then all champions interleaved.

use super::plan::Planned;
use super::rows;
use crate::failure::Failure;
use crate::study::{AUTO, FULL_SEARCH, StudyRow};
use broadphase::registry::Algorithm;
use measure::{
    Cell, Instruments, Observer, Outcome, Plan, Watch, measure_case_watched, probe_case,
};
use std::sync::atomic::AtomicBool;

/// Frames of the probe, a tenth of a cell or more: enough to reach the neighbour list of a steady motion.
const PROBE_FRAMES: u32 = 40;
/// An algorithm this many times as slow as the fastest in the probe is not measured.
const TOO_SLOW: f64 = 20.0;
/// Algorithms that are measured however slow they are: the page compares with both.
const NEEDED: [&str; 2] = [AUTO, FULL_SEARCH];
/// The id of the second measurement, where ids distinguish entries.
const AGAIN: &str = "best-again";

/// The setting in which all cells are measured.
pub(super) struct CellBench<'a> {
    pub(super) plan: Plan<'a>,
    /// Whether the fastest of the probe is measured twice.
    pub(super) twice: bool,
    pub(super) instruments: Instruments<'a>,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

impl CellBench<'_> {
    /// Measures a cell. Returns its rows, and readings of the machine's speed.
    ///
    /// The second measurement is of the fastest in the probe, which enters no figure. An algorithm chosen by
    /// the figures themselves would have a first time that is too low, by its noise.
    pub(super) fn measure(
        &self,
        planned: &Planned,
        run_id: &str,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<StudyRow>, Vec<u64>), Failure> {
        let Self { plan, instruments, stop, .. } = *self;
        let case = &planned.case;
        let row = |cell: &Cell| rows::row(run_id, planned, plan.repeats, cell);
        let trials = probe_case(case, &plan, PROBE_FRAMES, TOO_SLOW, instruments, stop)?;
        let mut goes: Vec<&Algorithm> = Vec::new();
        let mut rows = Vec::new();
        let mut fastest: Option<(f64, &Algorithm)> = None;
        for (&algorithm, trial) in plan.algorithms.iter().zip(trials) {
            match trial {
                Ok(mean_ns) => {
                    goes.push(algorithm);
                    if fastest.is_none_or(|(least, _)| mean_ns < least) {
                        fastest = Some((mean_ns, algorithm));
                    }
                }
                Err(Outcome::Skipped(_)) if NEEDED.contains(&algorithm.id) => {
                    goes.push(algorithm);
                }
                Err(outcome) => rows.extend(plan.threads.iter().map(|&threads| {
                    let (algorithm, outcome) = (algorithm.id.to_owned(), outcome.clone());
                    row(&Cell::ended(algorithm, threads, outcome))
                })),
            }
        }
        let twice = fastest.filter(|_| self.twice).map(|(_, algorithm)| algorithm);
        let again = twice.map(|algorithm| Algorithm { id: AGAIN, ..*algorithm });
        goes.extend(&again);
        let plan = Plan { algorithms: &goes, ..plan };
        let watch = Watch { observer, stop, finished: Vec::new() };
        let measured = measure_case_watched(case, &plan, instruments, watch)?;
        rows.extend(measured.cells.iter().map(|cell| {
            let row = StudyRow { proven: measured.proven, ..row(cell) };
            match twice.filter(|_| cell.algorithm == AGAIN) {
                Some(twice) => StudyRow { algorithm: twice.id.to_owned(), again: true, ..row },
                None => row,
            }
        }));
        let place = |row: &StudyRow| {
            let of_plan = self.plan.algorithms.iter().position(|entry| entry.id == row.algorithm);
            (row.threads, row.again, of_plan)
        };
        rows.sort_by_key(place);
        Ok((rows, measured.calibration_ns))
    }
}
