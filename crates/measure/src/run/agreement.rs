//! Compares the checksums of all algorithms' frames, outside the clock.

use super::cell::Cell;
use super::plan::{Checks, Contender, Plan};
use super::runner::{CaseBench, CellTrack};
use super::verify::{VerifyPlan, verify_case};
use crate::play::{Instruments, MAX_TESTS_TO_PROVE, Problem, RunError, reference};
use crate::rows::{Checksum, FrameRow, Outcome};
use broadphase::registry::Algorithm;

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
        // A program may have got farther than any algorithm.
        let first = |cell: &Cell| cell.samples.iter().filter(|s| s.repeat == 0).count();
        let frames = cells.iter().map(first).max().unwrap_or(0);
        let is_of_reference = |cell: usize| cells[cell].algorithm == reference().id;
        let is_proven = |list: &RightList| list.cell.is_none_or(is_of_reference);
        let are_proven = |lists: &[RightList]| lists.len() == frames && lists.iter().all(is_proven);
        let can_prove = self.case.brute_force_tests(frames as u64) <= most_tests;
        if !are_proven(&right_lists) && can_prove {
            right_lists = self.prove(frames as u32)?.unwrap_or(right_lists);
        }
        let mut disagreements: Vec<Disagreement> = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            if matches!(cell.outcome, Outcome::Ok | Outcome::Skipped(_)) {
                disagreements.extend(self.disagreements_of(cells, index, &right_lists)?);
            }
        }
        Ok((disagreements, are_proven(&right_lists)))
    }

    /// The disagreement of a cell with the right lists, or of the cell that they are from.
    fn disagreements_of(
        &self,
        cells: &[Cell],
        index: usize,
        right_lists: &[RightList],
    ) -> Result<Vec<Disagreement>, RunError> {
        let cell = &cells[index];
        let right_list = |row: &FrameRow| right_lists.get(row.frame as usize);
        let differs = |row: &&FrameRow| {
            right_list(row).is_none_or(|list| list.found != (row.checksum, row.pairs))
        };
        let Some(row) = cell.samples.iter().find(differs) else { return Ok(Vec::new()) };
        let &FrameRow { frame, repeat, pairs, .. } = row;
        let place = format!("frame {frame} of repetition {repeat}");
        let Some(right) = right_list(row) else {
            let why = "no algorithm has found its pairs, so nothing confirms them";
            return Ok(vec![(index, format!("{place}: {why}"))]);
        };
        let counts = match right.found.1 {
            right if right == pairs => String::new(),
            right => format!(" ({pairs} instead of {right})"),
        };
        let reason = |from: &str, fault: Option<String>| {
            let fault = fault.map(|fault| format!("; {fault}")).unwrap_or_default();
            format!("{place}: its pairs differ from {from}{counts}{fault}")
        };
        let own_fault = self.locate(cells, index, frame)?;
        let from = match right.cell {
            None => reference().id,
            Some(other) if other == index => "its own first repetition",
            Some(other) => &cells[other].algorithm,
        };
        let is_suspect = from != reference().id && own_fault.is_none();
        let other = right.cell.filter(|&other| other != index && is_suspect);
        let Some(other) = other.filter(|_| self.algorithm(index).is_some()) else {
            return Ok(vec![(index, reason(from, own_fault))]);
        };
        // Either may be wrong, unless brute force finds a wrong pair of the other.
        let fault = self.locate(cells, other, frame)?;
        let own = fault.is_none().then(|| (index, reason(from, None)));
        Ok([(other, reason(&cell.algorithm, fault))].into_iter().chain(own).collect())
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
    fn prove(&self, frames: u32) -> Result<Option<Vec<RightList>>, RunError> {
        let threads = self.plan.threads.iter().copied().max().unwrap_or(1);
        let (checks, budget, stages) = (Checks::UnknownLists, None, None);
        let trial =
            Plan { threads: &[threads], checks, budget, stages, events: false, ..*self.plan };
        let case = self.case.first_frames(frames);
        let instruments = Instruments::new(self.instruments.clock, None);
        let mut bench = CaseBench::new(&case, &trial, instruments, self.stop)?;
        let mut track = CellTrack::new(Contender::Algorithm(reference()), threads, Vec::new());
        let proof = bench.repetition(&mut track, 0, &mut ())?;
        let lists = proof.samples.iter().map(|row| RightList::new(row, None)).collect();
        Ok(Some(lists).filter(|_| proof.outcome.is_none()))
    }

    /// The first wrong pair of an algorithm in a frame that is known to be its first wrong one: the frames until then are
    /// verified. `None` where that would take long, or where the fault is not reproducible.
    fn locate(&self, cells: &[Cell], index: usize, frame: u32) -> Result<Option<String>, RunError> {
        let &Self { settings, stop, instruments: Instruments { clock, .. }, .. } = self;
        let is_affordable = self.case.brute_force_tests(1 + u64::from(frame)) <= MAX_TESTS_TO_PROVE;
        // A program reports no pairs.
        let Some(algorithm) = self.algorithm(index).filter(|_| is_affordable) else {
            return Ok(None);
        };
        let plan = VerifyPlan {
            reference: reference(),
            algorithms: &[algorithm],
            methods: &[],
            threads: &[cells[index].threads],
            budget: None,
            clock,
            memory_limit: settings.memory_limit,
            stop,
        };
        let report = verify_case(&self.case.first_frames(frame + 1), &plan, &mut ())?;
        let problems = report.findings.into_iter().filter(|found| found.frame == frame);
        Ok(problems
            .map(|found| found.problem)
            .find(Problem::is_disagreement)
            .map(|p| p.to_string()))
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
            lists.extend(missing.map(|row| RightList::new(row, Some(index))));
        }
        lists
    }
}

/// The list of a frame that the others are compared with.
struct RightList {
    /// Its checksum, and the number of pairs.
    found: (Checksum, u64),
    /// The cell that it is from; `None` where brute force was asked afterwards.
    cell: Option<usize>,
}

impl RightList {
    fn new(row: &FrameRow, cell: Option<usize>) -> Self {
        Self { found: (row.checksum, row.pairs), cell }
    }
}

#[cfg(test)]
mod tests {
    use super::super::runner::measure_case;
    use super::*;
    use crate::input::Case;
    use crate::process::MonotonicClock;
    use std::sync::atomic::AtomicBool;

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
            cells.iter_mut().for_each(|cell| cell.samples[4].checksum.0 ^= 1);
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
        assert_eq!(blamed(|cells| cells[1].samples[0].checksum.0 ^= 1), [0, 1], "either is wrong");
        let (told, _) = compared(0, |cells| cells[0].samples[5].checksum.0 ^= 1);
        let reason = "frame 2 of repetition 1: its pairs differ from its own first repetition";
        assert_eq!(told, [(0, reason.to_owned())]);
    }
}
