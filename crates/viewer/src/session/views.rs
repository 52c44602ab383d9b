//! The views of a session, and its exports.

use super::contender::StructureAt;
use super::{
    Activity, ComparedFigures, Drawing, FrameFigures, History, Motion, MotionState, SearchFigures,
    Session, Stages, Timeline,
};
use broadphase::registry::Algorithm;
use broadphase::{BroadPhase, Pair};
use sim::World;
use std::io;
use std::sync::Arc;

impl Session {
    /// Whether the pairs are those of the present step. They are not after another algorithm was chosen, or another step.
    pub fn is_searched(&self) -> bool {
        let running = &self.algorithms.running;
        self.found.is_some() && running.is_sorted && running.has_found(self.steps())
    }

    /// The figures of the search of the present boxes; `None` until it is done.
    pub fn found(&self) -> Option<SearchFigures> {
        self.found.filter(|_| self.is_searched())
    }

    /// Motion begins or continues: a stop of more than a second before is no part of the rates.
    pub fn resume_rates(&mut self) {
        self.log.meter.resume(self.clock.now_ns());
    }

    /// Records how long a picture of a step took to draw. A picture of another epoch shows a step
    /// that no longer exists, and is ignored. So are all but the first one of a step, except for the shares of
    /// time while the scene is `moving`.
    pub fn drawn(&mut self, drawing: Drawing, moving: bool) {
        let Drawing { epoch, step, render_ns, .. } = drawing;
        if epoch != self.motion.epoch() {
            return;
        }
        if moving {
            self.log.meter.presented(drawing);
        }
        self.log.drawn(step, render_ns);
    }

    /// All recorded frames as a table in the columns of `frames.csv`, with their number.
    ///
    /// # Errors
    ///
    /// If a row cannot be written.
    pub fn export(&self) -> io::Result<(Vec<u8>, usize)> {
        self.activity.turn_to("writing the recorded frames", None);
        Ok((self.log.table()?, self.log.len()))
    }

    /// The present activity of the session, for a reader on another thread.
    pub fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// The methods after the search, fitted to the bodies.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// The step that is shown, among those that are known.
    pub fn motion_state(&self) -> MotionState {
        let kept = self.motion.kept_bytes() + self.algorithms.kept_bytes();
        self.motion.state(self.log.latest(), [kept, self.kept_room])
    }

    /// The scene's name.
    pub fn label(&self) -> &Arc<str> {
        self.input.label()
    }

    /// The objects with their boxes, and the steps that are kept.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The spheres of a scene; `None` for a recording.
    pub fn world(&self) -> Option<&World> {
        self.motion.world()
    }

    /// Steps of a scene since its start, or the frame of a recording, from 0.
    pub fn steps(&self) -> u64 {
        self.motion.steps()
    }

    /// The running algorithm's entry in the registry.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithms.running.algorithm
    }

    /// The running algorithm's structure, for inspection.
    pub fn structure(&self) -> &dyn BroadPhase {
        self.algorithms.running.structure()
    }

    /// The same, with its step.
    pub(crate) fn structure_here(&self) -> StructureAt<'_> {
        self.algorithms.running.structure_at(self.steps())
    }

    /// The pairs of the present boxes; none before their search, or if the algorithm reported an
    /// impossible pair.
    pub fn pairs(&self) -> &[Pair] {
        if self.is_searched() { self.algorithms.pairs() } else { &[] }
    }

    /// The figures of the compared algorithms.
    pub fn compared(&self) -> Vec<ComparedFigures> {
        let figures = self.algorithms.compared.iter().map(|contender| {
            let (algorithm, structure) = (contender.algorithm, contender.structure());
            let mut work = Vec::new();
            structure.inspect().work(&mut |of| work.push(of));
            let searches = self.log.searches_of(algorithm, contender.shown_from);
            let times = searches.map(|(step, [own, _])| FrameFigures::new(step, own, [0; 4]));
            ComparedFigures {
                algorithm,
                times: times.collect(),
                is_of_this_step: contender.has_found(self.steps()),
                since: self.new_since(contender),
                tests: structure.counters().tests,
                work,
                heap_bytes: contender.heap_bytes(self.motion.first_step()),
            }
        });
        figures.collect()
    }

    /// Steps in a row, up to the last one, in which all algorithms that run found the same pairs; 0
    /// without compared ones.
    pub fn agreed_steps(&self) -> u64 {
        self.algorithms.agreed_steps
    }

    /// Recent steps.
    pub fn history(&self) -> History {
        self.log.history()
    }

    /// Pairs and times along all known steps.
    pub fn timeline(&self) -> &Timeline {
        &self.log.timeline
    }

    /// Number of recorded frames.
    pub fn recorded(&self) -> usize {
        self.log.len()
    }
}
