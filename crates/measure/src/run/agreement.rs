//! Compares the checksums of all algorithms' frames, outside the clock.

use super::cell::Cell;
use super::plan::Contender;
use super::runner::CaseBench;
use crate::input::{Case, InputError};
use crate::play::{Halt, RunError, find_sorted, reference};
use crate::process::guarded;
use crate::rows::{Outcome, Sample};
use broadphase::benchmark::{Difference, PairFault, checksum};
use broadphase::registry::{Algorithm, Settings};
use std::sync::atomic::AtomicBool;

/// Most objects with which a wrong frame is played again and its first wrong pair is found by brute
/// force: within a second.
const MAX_OBJECTS_TO_LOCATE: usize = 20_000;

/// A cell that disagrees, by its index, with where and how it does.
type Disagreement = (usize, String);

impl CaseBench<'_> {
    /// The cells with a frame that differs from brute force's, and whether brute force has seen every frame that was
    /// compared. It may take `most_tests` to prove what it was not measured on.
    ///
    /// All repetitions show the same boxes, so every frame has one right checksum: that of brute
    /// force's first repetition. Frames on which it was not measured it plays now, outside the
    /// clock. Where that would take too long, the first algorithm that was measured stands in for
    /// it, and brute force checks single frames only, or if even that takes too long, both are wrong.
    /// Programs are never the reference, and one that differs does not make the reference suspect. Cells
    /// whose own pair lists were found wrong before, or which panicked or failed, are left as they are.
    pub(super) fn compare(
        &self,
        cells: &[Cell],
        most_tests: u64,
    ) -> Result<(Vec<Disagreement>, bool), RunError> {
        let mut right_lists = self.first_lists(cells);
        let is_proven = |list: &RightList| match list.cell {
            Some(cell) => cells[cell].algorithm == reference().id,
            None => true,
        };
        // A program may have got farther than any algorithm.
        let first = |cell: &Cell| cell.samples.iter().filter(|s| s.repeat == 0).count();
        let frames = cells.iter().map(first).max().unwrap_or(0);
        let are_proven = |lists: &[RightList]| lists.len() == frames && lists.iter().all(is_proven);
        let can_prove = self.case.brute_force_tests(frames as u64) <= most_tests;
        if !are_proven(&right_lists) && can_prove {
            right_lists = self.prove(frames)?.unwrap_or(right_lists);
        }
        let proven = are_proven(&right_lists);

        let mut disagreements: Vec<Disagreement> = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            if matches!(cell.outcome, Outcome::Ok | Outcome::Skipped(_)) {
                disagreements.extend(self.disagreements_of(cells, index, &right_lists)?);
            }
        }
        Ok((disagreements, proven))
    }

    /// The disagreement of a cell with the right lists, or of the cell that they are from.
    fn disagreements_of(
        &self,
        cells: &[Cell],
        index: usize,
        right_lists: &[RightList],
    ) -> Result<Vec<Disagreement>, RunError> {
        let cell = &cells[index];
        let right_list = |sample: &Sample| right_lists.get(sample.frame as usize);
        let differs = |s: &&Sample| right_list(s).is_none_or(|list| !list.is_of(s));
        let Some(sample) = cell.samples.iter().find(differs) else { return Ok(Vec::new()) };
        let &Sample { frame, repeat, pairs, .. } = sample;
        let Some(right) = right_list(sample) else {
            let reason = format!(
                "frame {frame} of repetition {repeat}: no algorithm has found its pairs, so nothing \
                 confirms them"
            );
            return Ok(vec![(index, reason)]);
        };
        let counts = match right.pairs {
            right if right == pairs => String::new(),
            right => format!(" ({pairs} instead of {right})"),
        };
        let reason = |from: &str, fault: Option<PairFault>| {
            let fault = fault.map(|fault| format!("; {fault}")).unwrap_or_default();
            format!(
                "frame {frame} of repetition {repeat}: its pairs differ from {from}{counts}{fault}"
            )
        };
        let own_fault = self.locate(cells, index, frame)?;
        let mut disagreements = Vec::new();
        let mut other_fault = None;
        let from = match right.cell {
            None => reference().id,
            Some(other) if other == index => "its own first repetition",
            Some(other) => &cells[other].algorithm,
        };
        if let Some(other) = right.cell.filter(|&other| other != index)
            && from != reference().id
            && own_fault.is_none()
            && self.algorithm(index).is_some()
        {
            other_fault = self.locate(cells, other, frame)?;
            let reason = reason(&cell.algorithm, other_fault);
            disagreements.push((other, reason));
        }
        if other_fault.is_none() {
            disagreements.push((index, reason(from, own_fault)));
        }
        Ok(disagreements)
    }

    /// The algorithm of a cell, unless that is of a program.
    fn algorithm(&self, index: usize) -> Option<&Algorithm> {
        match self.plan.contenders().nth(index)?.0 {
            Contender::Algorithm(algorithm) => Some(algorithm),
            Contender::Program(_) => None,
        }
    }

    /// Brute force's lists of the first frames, on the most threads that there are. `None` where one has more pairs than can be
    /// held: what was measured so far does not count its pairs.
    fn prove(&self, frames: usize) -> Result<Option<Vec<RightList>>, RunError> {
        let play = || -> Result<Option<Vec<RightList>>, RunError> {
            let mut playback =
                self.case.start_observed(self.settings.memory_limit, &mut (), self.stop)?;
            let Ok(mut brute_force) = self.case.create(reference(), &self.settings) else {
                return Ok(None);
            };
            let mut pairs = Vec::new();
            let mut lists = Vec::with_capacity(frames);
            for _ in 0..frames {
                let step = playback.step(|shown| {
                    let shown = shown.stopped_by(self.stop);
                    find_sorted(&mut *brute_force, &shown, &mut pairs);
                    if shown.is_stopped() { Err(RunError::Stopped) } else { Ok(&pairs) }
                });
                let step = match step {
                    Err(RunError::Input(InputError::TooManyPairs { .. })) => return Ok(None),
                    step => step?,
                };
                let pairs = step.found.len() as u64;
                lists.push(RightList { checksum: checksum(step.found), pairs, cell: None });
            }
            Ok(Some(lists))
        };
        self.pools.install_widest(play)
    }

    fn locate(
        &self,
        cells: &[Cell],
        index: usize,
        frame: u32,
    ) -> Result<Option<PairFault>, RunError> {
        let Self { case, settings, pools, stop, .. } = self;
        // A program reports no pairs.
        let Some(algorithm) = self.algorithm(index) else { return Ok(None) };
        pools.install(cells[index].threads, || locate(case, algorithm, settings, frame, stop))
    }

    /// For each frame the list of brute force's first repetition; where that was not measured, or not so
    /// far, of the first algorithm that was.
    fn first_lists(&self, cells: &[Cell]) -> Vec<RightList> {
        let (trusted, others): (Vec<_>, Vec<_>) = cells
            .iter()
            .enumerate()
            .filter(|(index, _)| self.algorithm(*index).is_some())
            .partition(|(_, cell)| cell.algorithm == reference().id);
        let mut lists = Vec::new();
        for (index, cell) in trusted.into_iter().chain(others) {
            let first = cell.samples.iter().filter(|s| s.repeat == 0);
            let missing = first.skip(lists.len());
            lists.extend(missing.map(|&Sample { checksum, pairs, .. }| RightList {
                checksum,
                pairs,
                cell: Some(index),
            }));
        }
        lists
    }
}

/// The list of a frame that the others are compared with.
struct RightList {
    checksum: u64,
    /// Number of pairs.
    pairs: u64,
    /// The cell that it is from; `None` where brute force was asked afterwards.
    cell: Option<usize>,
}

impl RightList {
    /// Whether a frame has these pairs.
    fn is_of(&self, sample: &Sample) -> bool {
        (self.checksum, self.pairs) == (sample.checksum, sample.pairs)
    }
}

/// Plays the case again up to a frame that is known to be the algorithm's first wrong one, and
/// finds its first wrong pair by brute force.
///
/// `None` where that would take long, or where the fault is not reproducible.
fn locate(
    case: &Case,
    algorithm: &Algorithm,
    settings: &Settings,
    frame: u32,
    stop: &AtomicBool,
) -> Result<Option<PairFault>, RunError> {
    if case.n > MAX_OBJECTS_TO_LOCATE {
        return Ok(None);
    }
    let Ok(Ok(mut suspect)) = guarded(|| case.create(algorithm, settings)) else {
        return Ok(None);
    };
    let mut playback = case.start_observed(settings.memory_limit, &mut (), stop)?;
    let mut pairs = Vec::new();
    for at in 0..=frame {
        let step = playback.step(|shown| {
            if guarded(|| find_sorted(&mut *suspect, shown, &mut pairs)).is_err() {
                return Err(Halt::Ended(None));
            }
            if at < frame {
                return Ok(&pairs);
            }
            let mut right = Vec::new();
            let Ok(mut brute_force) = case.create(reference(), settings) else {
                return Err(Halt::Ended(None));
            };
            find_sorted(&mut *brute_force, shown, &mut right);
            let difference = Difference::between(&right, &pairs);
            let fault = difference.map(|difference| difference.first().in_frame(shown));
            Err(Halt::Ended(fault))
        });
        match step {
            Ok(_) => {}
            Err(Halt::Failed(RunError::Input(InputError::TooManyPairs { .. }))) => return Ok(None),
            Err(halt) => return halt.result(),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::plan::Plan;
    use super::super::runner::measure_case;
    use super::*;
    use crate::play::Instruments;
    use crate::process::MonotonicClock;

    /// Two algorithms, two repetitions of three frames; `spoil` changes what they found.
    fn compared(most_tests: u64, spoil: impl FnOnce(&mut [Cell])) -> (Vec<(usize, String)>, bool) {
        let spec = "gas:100".parse().unwrap();
        let case = Case::of_generated(spec, 1, 2);
        let rows = ["bsp", "kd-tree"].map(|id| broadphase::registry::find(id).unwrap());
        let plan = Plan::new(&rows, &[1], 2);
        let clock = MonotonicClock::new();
        let mut measured = measure_case(&case, &plan, Instruments::new(&clock, None)).unwrap();
        spoil(&mut measured.cells);
        let (never, instruments) = (AtomicBool::new(false), Instruments::new(&clock, None));
        let bench = CaseBench::new(&case, &plan, instruments, &never).unwrap();
        bench.compare(&measured.cells, most_tests).unwrap()
    }

    #[test]
    fn brute_force_checks_where_it_was_not_measured() {
        assert_eq!(compared(u64::MAX, |_| {}), (vec![], true));
        // Both wrong in the same way: side by side they agree.
        let (told, _) = compared(u64::MAX, |cells| {
            cells.iter_mut().for_each(|cell| cell.samples[4].checksum ^= 1);
        });
        let reason = "frame 1 of repetition 1: its pairs differ from brute-force";
        assert_eq!(told, [(0, reason.to_owned()), (1, reason.to_owned())]);
        // The checksum is right.
        let (told, _) = compared(u64::MAX, |cells| cells[1].samples[0].pairs = 7);
        let [(1, reason)] = &told[..] else { panic!("{told:?}") };
        assert!(reason.contains("differ from brute-force (7 instead of "), "{reason}");
    }

    #[test]
    fn algorithms_check_each_other_if_brute_force_is_too_slow() {
        assert_eq!(compared(10_000, |_| {}), (vec![], false), "15,000 tests would do");
        let blamed = |spoil: fn(&mut [Cell])| -> Vec<usize> {
            compared(0, spoil).0.into_iter().map(|(cell, _)| cell).collect()
        };
        assert_eq!(blamed(|cells| cells[1].samples[0].checksum ^= 1), [0, 1], "either is wrong");
        let (told, _) = compared(0, |cells| cells[0].samples[5].checksum ^= 1);
        let reason = "frame 2 of repetition 1: its pairs differ from its own first repetition";
        assert_eq!(told, [(0, reason.to_owned())]);
    }
}
