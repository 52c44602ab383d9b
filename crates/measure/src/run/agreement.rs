//! Compares the checksums of all algorithms' frames, outside the clock.

use super::plan::{Contender, Plan, Watch};
use super::runner::{CaseBench, Cell, CellTrack};
use super::verify::verify_case;
use crate::play::{Instruments, MAX_TESTS_TO_PROVE, Problem, RunError, reference};
use crate::rows::{FrameRow, Outcome};
use broadphase::registry::Algorithm;

/// A cell that disagrees, by its index, with where and how it does.
type Disagreement = (usize, String);

/// A cell with whose first repetition the others are compared, and its index; `None` for brute force that was asked afterwards.
type RightCell<'a> = (Option<usize>, &'a Cell);

/// A frame of the first repetition of a cell.
fn first_row(cell: &Cell, frame: u32) -> Option<&FrameRow> {
    cell.samples.get(frame as usize).filter(|row| row.repeat == 0)
}

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
        let first = |cell: &Cell| cell.samples.iter().filter(|row| row.repeat == 0).count();
        // A program may have got farther than any algorithm.
        let frames = cells.iter().map(first).max().unwrap_or(0);
        let indices = (0..cells.len()).filter(|&index| self.algorithm(index).is_some());
        let mut right: Vec<RightCell<'_>> = indices.map(|at| (Some(at), &cells[at])).collect();
        let is_reference = |cell: &Cell| cell.algorithm == reference().id;
        right.sort_by_key(|(_, cell)| !is_reference(cell));
        let is_proven = |right: &[RightCell<'_>]| {
            frames == 0 || right.iter().any(|(_, cell)| is_reference(cell) && first(cell) == frames)
        };
        let can_prove = self.case.brute_force_tests(frames as u64) <= most_tests;
        let proof = match can_prove && !is_proven(&right) {
            true => self.prove(frames as u32)?,
            false => None,
        };
        right.splice(0..0, proof.as_ref().map(|cell| (None, cell)));
        let mut disagreements = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            if !matches!(cell.outcome, Outcome::Error(_)) {
                disagreements.extend(self.disagreements_of(cells, index, &right)?);
            }
        }
        Ok((disagreements, is_proven(&right)))
    }

    /// The disagreement of a cell with the right lists, or of the cell that they are from.
    fn disagreements_of(
        &self,
        cells: &[Cell],
        index: usize,
        right: &[RightCell<'_>],
    ) -> Result<Vec<Disagreement>, RunError> {
        let cell = &cells[index];
        let right_of =
            |frame| right.iter().find_map(|&(other, cell)| Some((other, first_row(cell, frame)?)));
        let differs = |row: &&FrameRow| {
            let found = (row.checksum, row.pairs);
            right_of(row.frame).is_none_or(|(_, right)| (right.checksum, right.pairs) != found)
        };
        let Some(row) = cell.samples.iter().find(differs) else { return Ok(Vec::new()) };
        let &FrameRow { frame, repeat, pairs, .. } = row;
        let place = format!("frame {frame} of repetition {repeat}");
        let Some((from, right)) = right_of(frame) else {
            let why = "no algorithm has found its pairs, so nothing confirms them";
            return Ok(vec![(index, format!("{place}: {why}"))]);
        };
        let counts = match right.pairs {
            right if right == pairs => String::new(),
            right => format!(" ({pairs} instead of {right})"),
        };
        let reason = |from: &str, fault: Option<String>| {
            let fault = fault.map(|fault| format!("; {fault}")).unwrap_or_default();
            format!("{place}: its pairs differ from {from}{counts}{fault}")
        };
        let own_fault = self.locate(cells, index, frame)?;
        let name = match from {
            None => reference().id,
            Some(other) if other == index => "its own first repetition",
            Some(other) => &cells[other].algorithm,
        };
        let is_suspect = name != reference().id && own_fault.is_none();
        let other = from.filter(|&other| other != index && is_suspect);
        let Some(other) = other.filter(|_| self.algorithm(index).is_some()) else {
            return Ok(vec![(index, reason(name, own_fault))]);
        };
        // Either may be wrong, unless brute force finds a wrong pair of the other.
        let fault = self.locate(cells, other, frame)?;
        let own = fault.is_none().then(|| (index, reason(name, None)));
        Ok([(other, reason(&cell.algorithm, fault))].into_iter().chain(own).collect())
    }

    /// The algorithm of a cell, unless that is of a program.
    fn algorithm(&self, index: usize) -> Option<&Algorithm> {
        match self.plan.contenders().nth(index)?.0 {
            Contender::Algorithm(algorithm) => Some(algorithm),
            Contender::Program(_) => None,
        }
    }

    /// Brute force on the first frames, on the most threads that there are. `None` where one has more pairs than can be held:
    /// what was measured so far does not count its pairs.
    fn prove(&self, frames: u32) -> Result<Option<Cell>, RunError> {
        let threads = self.plan.threads.iter().copied().max().unwrap_or(1);
        let case = self.case.first_frames(frames);
        let instruments = Instruments::new(self.instruments.clock, None);
        let trial = self.plan.trial(std::slice::from_ref(&threads));
        let mut bench = CaseBench::new(&case, &trial, instruments, self.stop)?;
        let mut track = CellTrack::new(Contender::Algorithm(reference()), threads, Vec::new());
        let proof = bench.repetition(&mut track, 0, &mut ())?;
        track.take(proof);
        Ok(Some(track.into_cell()).filter(|cell| cell.outcome == Outcome::Ok))
    }

    /// The first wrong pair of an algorithm in a frame that is known to be its first wrong one: the frames until then are
    /// verified. `None` where that would take long, or where the fault is not reproducible.
    fn locate(&self, cells: &[Cell], index: usize, frame: u32) -> Result<Option<String>, RunError> {
        let is_affordable = self.case.brute_force_tests(1 + u64::from(frame)) <= MAX_TESTS_TO_PROVE;
        // A program reports no pairs.
        let Some(algorithm) = self.algorithm(index).filter(|_| is_affordable) else {
            return Ok(None);
        };
        let (case, threads) = (self.case.first_frames(frame + 1), [cells[index].threads]);
        let plan = Plan { algorithms: &[algorithm], ..self.plan.trial(&threads) };
        let watch = Watch { observer: &mut (), stop: self.stop, finished: Vec::new() };
        let report = verify_case(&case, reference(), &plan, self.instruments.clock, watch)?;
        let faults = report.findings.into_iter().filter(|found| found.frame == frame);
        let mut faults = faults.map(|found| found.problem).filter(Problem::is_disagreement);
        Ok(faults.next().map(|fault| fault.to_string()))
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
        let (told, _) = compared(0, |cells| cells[1].samples[0].checksum.0 ^= 1);
        assert!(matches!(told[..], [(0, _), (1, _)]), "either is wrong: {told:?}");
        let (told, _) = compared(0, |cells| cells[0].samples[5].checksum.0 ^= 1);
        let reason = "frame 2 of repetition 1: its pairs differ from its own first repetition";
        assert_eq!(told, [(0, reason.to_owned())]);
    }
}
