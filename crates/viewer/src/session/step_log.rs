//! The recorded steps: the rows of an export, and the views of them that the window shows.

use super::history::{FrameFigures, HISTORY_STEPS, History};
use super::rates::RateMeter;
use super::timeline::Timeline;
use broadphase::registry::Algorithm;
use measure::{FrameRow, Labels, RunId, write_rows};
use std::collections::VecDeque;
use std::io;

/// Maximum of steps, some 10 MB with all algorithms compared: more than can be gone back. The oldest are dropped first.
const MAX_STEPS: usize = 1_000;

/// The recorded steps of the present motion.
pub(super) struct StepLog {
    run: RunId,
    /// Rising.
    steps: VecDeque<RecordedStep>,
    /// The first step in charts.
    charted: u64,
    pub(super) meter: RateMeter,
    /// Pairs and times along all known steps, also of those that are only shown.
    pub(super) timeline: Timeline,
}

/// A step.
#[derive(Debug)]
pub(super) struct RecordedStep {
    step: u64,
    /// The columns of its rows that name their input.
    labels: Labels,
    /// Times of the tests of bodies.
    stages: [u64; 4],
    /// The search of the running algorithm, which is always there, then those of the compared ones.
    searches: Vec<(&'static Algorithm, FrameRow)>,
}

impl StepLog {
    pub(super) fn new() -> Self {
        Self {
            run: RunId::now(),
            steps: VecDeque::new(),
            charted: 0,
            meter: RateMeter::default(),
            timeline: Timeline::default(),
        }
    }

    /// Begins another motion.
    pub(super) fn begin_motion(&mut self) {
        self.steps.clear();
        self.charted = 0;
    }

    /// The last step that is recorded; 0 without one. After going back, steps up to it are kept until another one is taken.
    pub(super) fn latest(&self) -> u64 {
        self.steps.back().map_or(0, |last| last.step)
    }

    /// The first step that a view shows from now on.
    pub(super) fn next(&self) -> u64 {
        self.steps.back().map_or(0, |last| last.step + 1)
    }

    /// Records a step by the search of its running algorithm. Its tests of bodies took the times `stages`. The searches of
    /// others and its [end](Self::end_step) follow.
    pub(super) fn step(
        &mut self,
        step: u64,
        algorithm: &'static Algorithm,
        labels: Labels,
        stages: [u64; 4],
        sample: FrameRow,
    ) {
        self.timeline.push(step, sample.pairs, Some(sample.detection_ns()));
        if self.steps.len() == MAX_STEPS {
            self.steps.pop_front();
        }
        let labels = Labels { run_id: self.run.to_string(), ..labels };
        let searches = vec![(algorithm, sample)];
        self.steps.push_back(RecordedStep { step, labels, stages, searches });
    }

    /// The last step ended. Returns the nanoseconds that it is known to have taken.
    pub(super) fn end_step(&mut self, at_ns: u64) -> u64 {
        let Some(last) = self.steps.back() else { return 0 };
        let (figures, compared_ns) = (last.figures(), last.compared_ns());
        self.meter.step(at_ns, figures);
        figures.motion_ns + figures.collision_ns() + compared_ns
    }

    /// Records the search of a compared algorithm in the last step.
    pub(super) fn compared(&mut self, algorithm: &'static Algorithm, sample: FrameRow) {
        if let Some(last) = self.steps.back_mut() {
            last.searches.push((algorithm, sample));
        }
    }

    /// Records the drawing time of a step; only its first picture counts.
    pub(super) fn drawn(&mut self, step: u64, render_ns: u64) {
        if let Ok(place) = self.place(step)
            && let Some((_, running)) = self.steps[place].searches.first_mut()
        {
            running.render_ns.get_or_insert(render_ns);
        }
    }

    /// Lets charts and rates begin with the next step.
    pub(super) fn forget_charts(&mut self) {
        self.charted = self.next();
        self.meter.forget();
    }

    /// Forgets the steps after one: other ones follow. A recording keeps the figures along its steps, which come again.
    pub(super) fn forget_after(&mut self, step: u64, come_again: bool) {
        self.steps.truncate(self.place(step + 1).unwrap_or_else(|place| place));
        self.charted = self.charted.min(step + 1);
        if !come_again {
            self.timeline.forget_after(step);
        }
    }

    fn place(&self, step: u64) -> Result<usize, usize> {
        self.steps.binary_search_by_key(&step, |recorded| recorded.step)
    }

    /// The steps in charts, the newest first.
    pub(super) fn charted(&self) -> impl Iterator<Item = &RecordedStep> {
        self.steps.iter().rev().take_while(|recorded| recorded.step >= self.charted)
    }

    /// The searches of a step; none if it was not recorded.
    fn searches(&self, step: u64) -> &[(&'static Algorithm, FrameRow)] {
        self.place(step).map_or(&[], |place| &self.steps[place].searches)
    }

    /// The collisions that the world answered in a step; `None` if it was not recorded.
    pub(super) fn hits(&self, step: u64) -> Option<u64> {
        self.searches(step).first()?.1.hits
    }

    /// The bytes that an algorithm held after a step; `None` if they were not recorded.
    pub(super) fn heap_bytes(&self, step: u64, algorithm: &Algorithm) -> Option<u64> {
        self.searches(step).iter().find(|(of, _)| *of == algorithm)?.1.heap_bytes
    }

    /// The steps that charts show, and the rates.
    pub(super) fn history(&self) -> History {
        let last = self.charted().take(HISTORY_STEPS);
        let mut frames: Vec<FrameFigures> = last.map(RecordedStep::figures).collect();
        frames.reverse();
        History { frames, rates: self.meter.rates() }
    }

    /// The searches of a compared algorithm and of the driving one in the last steps, `from` one on, oldest first.
    pub(super) fn searches_of(
        &self,
        algorithm: &'static Algorithm,
        from: u64,
    ) -> impl DoubleEndedIterator<Item = (u64, [&FrameRow; 2])> {
        let last = self.steps.range(self.steps.len().saturating_sub(HISTORY_STEPS)..);
        last.filter(move |recorded| recorded.step >= from).filter_map(move |recorded| {
            let (_, own) = recorded.searches[1..].iter().find(|(of, _)| *of == algorithm)?;
            Some((recorded.step, [own, &recorded.searches[0].1]))
        })
    }

    /// All rows in the columns of `frames.csv`.
    pub(super) fn table(&self) -> io::Result<Vec<u8>> {
        let rows = self.steps.iter().flat_map(|recorded| {
            recorded.searches.iter().map(|(of, sample)| {
                let algorithm = of.id.to_owned();
                sample.clone().labelled(&Labels { algorithm, ..recorded.labels.clone() })
            })
        });
        let mut table = Vec::new();
        write_rows(&mut table, rows)?;
        Ok(table)
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.steps.iter().map(|recorded| recorded.searches.len()).sum()
    }
}

impl RecordedStep {
    pub(super) fn figures(&self) -> FrameFigures {
        FrameFigures::new(self.step, &self.searches[0].1, self.stages)
    }

    /// Nanoseconds of all compared searches.
    pub(super) fn compared_ns(&self) -> u64 {
        self.searches[1..].iter().map(|(_, sample)| sample.detection_ns()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::registry::ALGORITHMS;

    fn sample(step: u64) -> FrameRow {
        FrameRow {
            frame: step as u32 - 1,
            motion_ns: Some(1),
            update_ns: step,
            pairs_ns: 1,
            pairs: 100 + step,
            hits: Some(10 + step),
            ..FrameRow::default()
        }
    }

    /// Records steps of the first algorithm, with the second one compared.
    fn record(log: &mut StepLog, steps: std::ops::RangeInclusive<u64>) {
        for step in steps {
            log.step(step, &ALGORITHMS[0], Labels::default(), [0; 4], sample(step));
            log.compared(&ALGORITHMS[1], sample(step));
            log.end_step(10_000_000 * step);
        }
    }

    fn log(steps: u64) -> StepLog {
        let mut log = StepLog::new();
        record(&mut log, 1..=steps);
        log
    }

    fn charted(log: &StepLog) -> Vec<u64> {
        log.history().frames.iter().map(|frame| frame.step).collect()
    }

    fn compared(log: &StepLog) -> Vec<u64> {
        log.searches_of(&ALGORITHMS[1], 0).map(|(step, _)| step).collect()
    }

    #[test]
    fn views_show_the_last_steps_and_the_oldest_are_dropped() {
        let log = log(1200);
        let last: Vec<u64> = (901..=1200).collect();
        assert_eq!((charted(&log), compared(&log), log.len()), (last.clone(), last, 2000));
        assert_eq!([200, 201, 1201].map(|step| log.hits(step)), [None, Some(211), None]);
        assert_eq!(log.meter.rates().unwrap().steps, 100.0);
    }

    #[test]
    fn forgotten_charts_begin_with_the_next_step() {
        let mut log = log(20);
        log.forget_charts();
        assert!(charted(&log).is_empty() && log.meter.rates().is_none());
        assert_eq!(compared(&log).len(), 20, "the compared ones still run");
        // Steps taken back, and taken again, are those of the new charts.
        log.forget_after(15, false);
        record(&mut log, 16..=18);
        assert_eq!((charted(&log), log.len(), log.latest()), (vec![16, 17, 18], 36, 18));
        assert_eq!(log.timeline.figures(18), (Some(118), Some(19)));
        assert_eq!(log.timeline.figures(19), (None, None));
    }
}
