//! The recorded steps: the rows of an export, and the views of them that the window shows.
//!
//! A view begins at the serial number of a row. To forget figures is to let their view begin later.

mod export;

use super::compared::SearchTime;
use super::history::{FrameFigures, HISTORY_STEPS, History};
use super::rates::RateMeter;
use super::stage_figures::StageTimes;
use super::timeline::Timeline;
use broadphase::registry::Algorithm;
use measure::{FrameRow, RunId};
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum of rows, some 90 MB: about an hour of one algorithm at 60 steps a second. The oldest
/// are dropped first.
const CAPACITY: usize = 200_000;

/// All steps of one run of the program.
pub(super) struct StepLog {
    run: RunId,
    /// The number of the repetition, from 0: a restart begins one, and a step that is taken after going back.
    pub(super) repeat: u32,
    /// For each step, a row of the running algorithm, then one of each compared algorithm.
    rows: VecDeque<RecordedSearch>,
    /// The serial number of the next row: a view that begins there is empty. Numbers of forgotten rows are not used
    /// again.
    pub(super) next: u64,
    /// The first row in charts, and the first one of the present motion.
    charted: u64,
    motion: u64,
    pub(super) meter: RateMeter,
    /// Pairs and times along all known steps, also of those that are only shown.
    pub(super) timeline: Timeline,
    /// The last step that is finished and recorded. After going back, steps up to it are kept until another one is taken.
    pub(super) latest: u64,
}

/// An algorithm's search in a step.
#[derive(Clone, Debug)]
struct RecordedSearch {
    serial: u64,
    step: u64,
    /// The number of rows of this step before this one: 0 of the running algorithm.
    place: usize,
    algorithm: &'static Algorithm,
    input: RowInput,
    threads: u32,
    /// Times of the tests of bodies; only of the running algorithm.
    stages: StageTimes,
    sample: FrameRow,
    /// Another motion followed an earlier step. The row is kept, but is not of the present motion.
    is_superseded: bool,
}

/// The columns of rows that name their input.
#[derive(Clone, Debug)]
pub(super) struct RowInput {
    pub(super) name: Arc<str>,
    pub(super) objects: usize,
    pub(super) seed: Option<u64>,
}

impl StepLog {
    pub(super) fn new() -> Self {
        Self {
            run: RunId::now(),
            repeat: 0,
            // The system gives memory as rows come. A list that grows would copy them in the middle of a step,
            // and would end with room for a third more, all of which a ring touches.
            rows: VecDeque::with_capacity(CAPACITY),
            next: 0,
            charted: 0,
            motion: 0,
            meter: RateMeter::default(),
            timeline: Timeline::default(),
            latest: 0,
        }
    }

    /// Begins another motion at a step.
    pub(super) fn begin_motion(&mut self, step: u64) {
        self.motion = self.next;
        self.begin_repetition(step);
    }

    fn begin_repetition(&mut self, step: u64) {
        self.repeat += 1;
        self.latest = step;
    }

    /// Records a step by the row of its running algorithm. Its tests of bodies took the times `stages`.
    pub(super) fn step(
        &mut self,
        step: u64,
        algorithm: &'static Algorithm,
        input: RowInput,
        stages: StageTimes,
        sample: FrameRow,
    ) {
        self.timeline.push(step, sample.pairs, Some(sample.detection_ns()));
        self.latest = step;
        self.push(RecordedSearch {
            serial: self.next,
            step,
            place: 0,
            algorithm,
            input,
            threads: rayon::current_num_threads() as u32,
            stages,
            sample,
            is_superseded: false,
        });
    }

    /// Records the search of a compared algorithm in the last step.
    pub(super) fn compared(&mut self, algorithm: &'static Algorithm, sample: FrameRow) {
        let Some(last) = self.rows.back().cloned() else { return };
        let (place, stages) = (last.place + 1, StageTimes::default());
        self.push(RecordedSearch { serial: self.next, place, algorithm, stages, sample, ..last });
    }

    fn push(&mut self, row: RecordedSearch) {
        if self.rows.len() == CAPACITY {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
        self.next += 1;
    }

    /// Records the drawing time of a step; only its first picture counts.
    pub(super) fn drawn(&mut self, step: u64, render_ns: u64) {
        let of_repetition = self.heads().take_while(|row| row.sample.repeat == self.repeat);
        let found = of_repetition.take_while(|row| row.step >= step).find(|row| row.step == step);
        if let Some(serial) = found.map(|row| row.serial) {
            let place = self.rows.partition_point(|row| row.serial < serial);
            self.rows[place].sample.render_ns.get_or_insert(render_ns);
        }
    }

    /// Lets charts and rates begin with the next step.
    pub(super) fn forget_charts(&mut self) {
        self.charted = self.next;
        self.meter = RateMeter::default();
    }

    /// Other steps follow `step`: the later rows are of an earlier repetition from now on. A recording keeps the figures
    /// along its steps, which come again.
    pub(super) fn branch(&mut self, step: u64, come_again: bool) {
        let of_motion = self.rows.iter_mut().rev().take_while(|row| row.serial >= self.motion);
        of_motion.filter(|row| row.step > step).for_each(|row| row.is_superseded = true);
        self.begin_repetition(step);
        if !come_again {
            self.timeline.forget_after(step);
        }
    }

    /// The rows of running algorithms in the present motion, the newest first.
    fn heads(&self) -> impl Iterator<Item = &RecordedSearch> {
        let mut end = self.rows.len();
        let all = std::iter::from_fn(move || {
            let last = end.checked_sub(1)?;
            // The head of the oldest step may be dropped.
            end = last.checked_sub(self.rows[last].place)?;
            Some(&self.rows[end])
        });
        all.filter(|row| !row.is_superseded)
    }

    /// The newest step in the charts.
    pub(super) fn last(&self) -> Option<FrameFigures> {
        let newest = self.heads().next().filter(|row| row.serial >= self.charted);
        newest.map(RecordedSearch::figures)
    }

    /// The row of the running algorithm in a step of the present motion; `None` if it was not recorded.
    fn recorded(&self, step: u64) -> Option<&RecordedSearch> {
        let mut of_motion = self.heads().take_while(|row| row.serial >= self.motion);
        of_motion.find(|row| row.step <= step).filter(|row| row.step == step)
    }

    /// The collisions that the world answered in a step; `None` if it was not recorded.
    pub(super) fn hits(&self, step: u64) -> Option<u64> {
        self.recorded(step)?.sample.hits
    }

    /// The bytes that an algorithm held after a step; `None` if they were not recorded.
    pub(super) fn heap_bytes(&self, step: u64, algorithm: &Algorithm) -> Option<u64> {
        self.recorded(step).filter(|row| row.algorithm == algorithm)?.sample.heap_bytes
    }

    /// Fills in the steps that charts show, and the rates.
    pub(super) fn fill(&self, history: &mut History) {
        history.rates = self.meter.rates();
        let charted = self.heads().take_while(|row| row.serial >= self.charted);
        history.frames.clear();
        history.frames.extend(charted.take(HISTORY_STEPS).map(RecordedSearch::figures));
        history.frames.reverse();
    }

    /// The searches of compared algorithms in the last steps, oldest first, each with its serial number.
    pub(super) fn compared_searches(
        &self,
    ) -> impl Iterator<Item = (&'static Algorithm, u64, SearchTime)> {
        let first = self.heads().take(HISTORY_STEPS).last().map_or(self.next, |row| row.serial);
        let first = self.rows.partition_point(|row| row.serial < first);
        let compared = self.rows.range(first..).filter(|row| row.place > 0 && !row.is_superseded);
        compared.map(|row| {
            let phases = row.sample.times();
            (row.algorithm, row.serial, SearchTime { step: row.step, phases })
        })
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

impl RecordedSearch {
    fn figures(&self) -> FrameFigures {
        FrameFigures::new(self.step, &self.sample, self.stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::registry::ALGORITHMS;

    fn sample(repeat: u32, step: u64, motion_ns: Option<u64>) -> FrameRow {
        FrameRow {
            repeat,
            frame: step as u32 - 1,
            motion_ns,
            update_ns: step,
            pairs_ns: 1,
            pairs: 100 + step,
            ..FrameRow::default()
        }
    }

    /// Records steps of the first algorithm, with the second one compared.
    fn record(log: &mut StepLog, steps: std::ops::RangeInclusive<u64>) {
        for step in steps {
            let input = RowInput { name: "test".into(), objects: 2, seed: None };
            let running = sample(log.repeat, step, Some(1));
            log.step(step, &ALGORITHMS[0], input, StageTimes::default(), running.clone());
            log.compared(&ALGORITHMS[1], sample(log.repeat, step, None));
            let frame = FrameFigures::new(step, &running, StageTimes::default());
            log.meter.step(10_000_000 * step, &frame, 1);
        }
    }

    fn log(steps: u64) -> StepLog {
        let mut log = StepLog::new();
        record(&mut log, 1..=steps);
        log
    }

    fn history(log: &StepLog) -> History {
        let mut history = History::default();
        log.fill(&mut history);
        history
    }

    fn charted(log: &StepLog) -> Vec<u64> {
        history(log).frames.iter().map(|frame| frame.step).collect()
    }

    fn compared(log: &StepLog, from: u64) -> Vec<u64> {
        let shown = log.compared_searches().filter(|(_, serial, _)| *serial >= from);
        shown.map(|(_, _, time)| time.step).collect()
    }

    #[test]
    fn drawing_time_is_recorded_for_the_step_shown() {
        let mut log = log(3);
        log.drawn(2, 5);
        log.drawn(2, 6);
        log.drawn(9, 100);
        // Two rows a step: the driving algorithm has it.
        let drawn: Vec<_> = log.rows.iter().map(|row| row.sample.render_ns).collect();
        assert_eq!(drawn, [None, None, Some(5), None, None, None]);
        log.branch(1, false);
        assert_eq!(charted(&log), [1]);
    }

    #[test]
    fn views_show_the_last_steps_and_all_are_kept() {
        let log = log(400);
        let last: Vec<u64> = (101..=400).collect();
        assert_eq!((charted(&log), compared(&log, 0), log.len()), (last.clone(), last, 800));
        assert_eq!(history(&log).rates.unwrap().steps, 100.0);
    }

    #[test]
    fn forgotten_charts_begin_with_the_next_step() {
        let mut log = log(20);
        log.forget_charts();
        assert!(charted(&log).is_empty() && history(&log).rates.is_none() && log.last().is_none());
        assert_eq!(compared(&log, 0).len(), 20, "the compared ones still run");
        let next = log.next;
        // Steps taken back, and taken again, are those of the new charts.
        log.branch(15, false);
        record(&mut log, 16..=18);
        assert_eq!((charted(&log), compared(&log, next)), (vec![16, 17, 18], vec![16, 17, 18]));
        assert_eq!((log.len(), log.latest, log.repeat), (46, 18, 1));
        assert_eq!(log.timeline.figures(18), (Some(118), Some(19)));
        assert_eq!(log.timeline.figures(19), (None, None));
    }

    #[test]
    fn steps_of_an_earlier_repetition_are_kept_after_going_back() {
        let mut log = log(5);
        log.begin_motion(0);
        record(&mut log, 1..=3);
        log.branch(0, false);
        log.drawn(4, 7);
        assert_eq!((log.len(), log.latest), (16, 0));
        assert!(log.rows.iter().all(|row| row.sample.render_ns.is_none()));
    }

    #[test]
    fn steps_of_an_abandoned_motion_are_never_charted() {
        let mut log = log(100);
        log.branch(90, false);
        record(&mut log, 91..=91);
        log.branch(50, false);
        record(&mut log, 51..=52);
        assert_eq!(charted(&log), (1..=52).collect::<Vec<_>>());
        assert_eq!((compared(&log, 0), log.repeat), ((1..=52).collect(), 2));
    }

    #[test]
    fn hits_are_those_of_the_present_motion() {
        let mut log = log(3);
        log.rows.iter_mut().for_each(|row| row.sample.hits = Some(10 + row.step));
        assert_eq!([1, 3, 4].map(|step| log.hits(step)), [Some(11), Some(13), None]);
        log.branch(1, false);
        assert_eq!([1, 3].map(|step| log.hits(step)), [Some(11), None]);
        log.begin_motion(0);
        assert_eq!(log.hits(1), None);
    }

    #[test]
    fn step_whose_first_row_was_dropped_is_not_shown() {
        let mut log = log(3);
        log.rows.pop_front();
        assert_eq!((charted(&log), compared(&log, 0)), (vec![2, 3], vec![2, 3]));
    }
}
