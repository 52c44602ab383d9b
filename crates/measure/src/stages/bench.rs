//! All methods side by side on the same candidates.

use super::answers::{Answers, BodyFrame, StageEnd};
use super::measured::MeasuredMethod;
use super::method::RunningMethod;
use crate::play::Rounds;
use crate::process::Clock;
use crate::rows::Outcome;
use sim::stages::BodyList;
use std::sync::atomic::{AtomicBool, Ordering};

/// Clock and limits of the methods in a repetition.
#[derive(Clone, Copy)]
pub(crate) struct BenchLimits<'a> {
    pub(crate) repeat: u32,
    pub(crate) clock: &'a dyn Clock,
    /// Ends the checks when it is set. The caller then drops what was found.
    pub(crate) stop: &'a AtomicBool,
    /// Nanoseconds that a method may take for all its frames, its checks included.
    pub(crate) budget_ns: Option<u64>,
}

impl BenchLimits<'_> {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn allows(&self, spent_ns: u64) -> bool {
        self.budget_ns.is_none_or(|budget| spent_ns <= budget)
    }
}

/// Nanoseconds of all methods in all repetitions.
pub(crate) fn spent_ns(methods: &[MeasuredMethod]) -> u64 {
    methods.iter().map(|method| method.spent_ns).sum()
}

/// The methods in a repetition. Every frame is a round, in an order of its own. A fault of a method ends it, and the others
/// go on.
pub(crate) struct Bench<'a> {
    pub(super) methods: &'a mut [MeasuredMethod],
    /// `None` for methods that have ended.
    running: Vec<Option<RunningMethod>>,
    /// Methods that ended as they began.
    ended: Vec<(usize, StageEnd)>,
    order: Rounds,
    pub(super) answers: Answers,
    limits: BenchLimits<'a>,
    needs_impacts: bool,
}

impl<'a> Bench<'a> {
    /// Begins a repetition. `seed` is that of the order, which is drawn for every second frame.
    pub(crate) fn new(
        methods: &'a mut [MeasuredMethod],
        bodies: &impl BodyList,
        seed: u64,
        limits: BenchLimits<'a>,
    ) -> Self {
        let mut ended = Vec::new();
        let start = |(at, method): (usize, &mut MeasuredMethod)| {
            let started = method.start(bodies, &limits);
            started.map_err(|end| ended.push((at, end))).unwrap_or_default()
        };
        Self {
            running: methods.iter_mut().enumerate().map(start).collect(),
            ended,
            order: Rounds::new(methods.len(), seed ^ u64::from(limits.repeat)),
            answers: Answers::default(),
            limits,
            needs_impacts: methods.iter().any(|measured| measured.method.needs_impacts()),
            methods,
        }
    }

    /// Nanoseconds of all methods in all repetitions.
    pub(crate) fn spent_ns(&self) -> u64 {
        spent_ns(self.methods)
    }

    /// Asks the references about the candidates of a frame, as long as `goes_on`, and runs all methods on them.
    pub(crate) fn frame(
        &mut self,
        of: BodyFrame<'_, impl BodyList>,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(), StageEnd> {
        let spent_ns = self.spent_ns();
        let seconds = of.seconds.filter(|_| self.needs_impacts);
        let of = BodyFrame { seconds, ..of };
        self.answers.examine(&of, &|| goes_on(spent_ns))?;
        for (at, end) in self.ask(&of)? {
            let (frame, repeat) = (of.frame, self.limits.repeat);
            self.methods[at].ended = Some(match end {
                StageEnd::Faulty(problem) => problem.outcome(frame, repeat),
                StageEnd::Unfinished => Outcome::out_of_time(frame, repeat),
            });
        }
        Ok(())
    }

    /// Runs all methods on candidates that were examined. Returns those that end here, or ended as they began.
    pub(super) fn ask(
        &mut self,
        of: &BodyFrame<'_, impl BodyList>,
    ) -> Result<Vec<(usize, StageEnd)>, StageEnd> {
        let Self { methods, running, order, answers, limits, ended, .. } = self;
        for &at in order.draw() {
            if let Some(method) = &mut running[at]
                && let Err(end) = methods[at].frame(method, of, answers, limits)
            {
                ended.push((at, end));
                running[at] = None;
            }
            // It may have cut the check short.
            if limits.is_stopped() {
                return Err(StageEnd::Unfinished);
            }
        }
        Ok(std::mem::take(ended))
    }

    /// Methods that answer about each candidate, and have given no wrong answer.
    pub(super) fn answering(&self) -> usize {
        let each = self.methods.iter().zip(&self.running);
        each.filter(|(measured, running)| running.is_some() && measured.method.answers()).count()
    }
}
