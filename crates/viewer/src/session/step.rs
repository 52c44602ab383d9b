//! One step: motion, search, tests of bodies, response, record. A step that is stopped, or fails, is undone.

use super::contender::{Contender, StructureAt, Wanted};
use super::figures::SearchFigures;
use super::inputs::Input;
use super::motion::Motion;
use super::stages::Candidates;
use super::{Disagreement, Methods, Session, StageFault, touching};
use broadphase::benchmark::check_pairs;
use measure::{Clock, Labels, Method, Phase, stage_holders};
use sim::{Hold, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Longest delay of the response of a step: an hour; a second in a page, where nothing could end it: it has one thread.
const MAX_SPENT_NS: u64 =
    if cfg!(target_family = "wasm") { 1_000_000_000 } else { 3_600_000_000_000 };

/// Longest sleep between two checks of the stop flag, so that an order is carried out at once.
#[cfg(not(target_family = "wasm"))]
const LONGEST_SLEEP: Duration = Duration::from_millis(5);

/// The outcome of a step.
#[derive(Clone, Debug)]
pub enum Stepped {
    /// It is done and recorded.
    Done,
    /// It was stopped, and is undone.
    Stopped,
    /// Two algorithms found different pairs: the world responded to the right pairs, but nothing is
    /// recorded.
    Disagreed(Disagreement),
    /// A method after the search gave a wrong answer about bodies. The world responded as the reference says, but
    /// nothing is recorded.
    Faulted(Arc<StageFault>),
}

/// A phase of a step, or how the step ended before it was recorded.
type Phased<T> = Result<T, Result<Stepped, String>>;

/// The response of a step.
struct Responded {
    /// Real collisions; `None` where nothing responds.
    hits: Option<u64>,
    response_ns: u64,
    /// The delay of all collisions was spent.
    is_whole: bool,
}

/// Waits until the `delay` of each of `hits` collisions has passed since `start_ns`, or `stop` is set. Returns whether all of the
/// time was spent.
fn spend(delay: Duration, hits: u64, start_ns: u64, clock: &dyn Clock, stop: &AtomicBool) -> bool {
    let end_ns = start_ns + (delay.as_nanos() as u64 * hits).min(MAX_SPENT_NS);
    loop {
        let left = end_ns.saturating_sub(clock.now_ns());
        if left == 0 {
            return true;
        }
        if stop.load(Relaxed) {
            return false;
        }
        // A page cannot sleep.
        #[cfg(not(target_family = "wasm"))]
        std::thread::sleep(Duration::from_nanos(left).min(LONGEST_SLEEP));
    }
}

/// Ends a step that was stopped, unless a phase of it `is_done`.
fn unless_stopped(is_done: bool) -> Phased<()> {
    if is_done { Ok(()) } else { Err(Ok(Stepped::Stopped)) }
}

impl Session {
    /// One step: motion, search, response, each clocked. The compared algorithms search too, unless they are
    /// paused.
    ///
    /// Once it is [stopped](super::Activity::stop), the step ends as soon as the algorithm checks that, and is undone: the
    /// objects are where they were, and nothing is recorded.
    ///
    /// # Errors
    ///
    /// A message of one line if a position is not finite, the next frame of a trace cannot be read, there are more
    /// pairs than fit into memory, or an algorithm panicked, failed its validation or reported an impossible pair. The
    /// step is not recorded. It is undone, except after an impossible pair.
    pub fn step(&mut self, hold: Hold) -> Result<Stepped, String> {
        match self.take_step(hold) {
            Ok(()) => Ok(Stepped::Done),
            Err(ended) => ended,
        }
    }

    fn take_step(&mut self, hold: Hold) -> Phased<()> {
        self.remember_contacts()?;
        let Self { algorithms, motion, .. } = self;
        let is_ready = algorithms.catch_up(Wanted::Next, motion, &mut |_, _| ());
        unless_stopped(is_ready.map_err(Err)?)?;
        self.forget_later();
        self.keep_moment();
        let before = self.steps();
        let input = self.motion.inputs.next(before + 1, hold);
        let ended = self.move_and_respond(input);
        if self.steps() > before {
            if ended.is_ok() || self.found.is_some() {
                self.finish_step(input, ended.is_ok());
            } else {
                self.undo_step(before);
            }
        }
        ended
    }

    /// Stores a moment of the step before the next one, if one is due.
    fn keep_moment(&mut self) {
        if !self.motion.spacing.is_due(self.steps()) {
            return;
        }
        let began = self.clock.now_ns();
        self.motion.keep_moment();
        let stored = self.clock.now_ns();
        if self.motion.spacing.took(stored - began) {
            let room = self.kept_room.saturating_sub(self.motion.kept_bytes());
            self.algorithms.keep_copies(room, *self.motion.kept().start());
            self.motion.spacing.copied(self.clock.now_ns() - stored);
        }
    }

    /// Keeps the inputs of a step and what it changed, for steps that are taken again.
    fn finish_step(&mut self, input: Input, is_ordinary: bool) {
        let step = self.steps();
        self.motion.finish_step(is_ordinary);
        if !is_ordinary {
            self.forget_rows(step);
        }
        if let Some(world) = self.world() {
            let last_edit = world.last_edit();
            let is_moved = input.hold != Hold::None || input.pull.is_some();
            if is_moved || self.is_edited() {
                self.changed_by_hand(step);
            }
            let pairs = is_ordinary.then_some(self.algorithms.running.checksum);
            self.motion.inputs.keep(step, input, pairs, last_edit);
        }
        self.note_contacts();
    }

    /// Takes a step back that is not finished.
    fn undo_step(&mut self, before: u64) {
        self.algorithms.contenders_mut().for_each(|of| of.forget_after(before));
        self.stages.skip();
        self.stages.forget_contacts();
        self.motion.undo_step();
    }

    /// Finds the contact points of the present step where they are not known: those of the next one are kept from them.
    fn remember_contacts(&mut self) -> Phased<()> {
        let at = (self.motion.epoch(), self.steps());
        let is_step = self.steps() >= self.motion.first_step();
        if self.motion.has_bodies() && is_step && !self.stages.remembers(at) {
            self.search_here(&mut |_| ()).map_err(Err)?;
            unless_stopped(self.found.is_some())?;
        }
        Ok(())
    }

    fn move_and_respond(&mut self, input: Input) -> Phased<()> {
        let before = self.steps();
        self.activity.turn_to("moving the objects", None);
        let moved = self.motion.advance(input, self.clock, &self.activity.stop);
        if self.steps() > before {
            self.found = None;
        }
        let motion_ns = moved.map_err(Err)?.ok_or(Ok(Stepped::Stopped))?;
        self.find_pairs()?;
        // Bodies are tested where they are shown later: the response of a continuous world moves them.
        let is_continuous = self.motion.is_continuous();
        if !is_continuous {
            self.test_bodies(false)?;
        }
        let responded = self.respond()?;
        if is_continuous {
            self.test_bodies(true)?;
        }
        self.record(motion_ns, &responded);
        Ok(())
    }

    /// Lets all algorithms search, and compares them. After wrong pairs, the world responds rightly, and the step ends.
    fn find_pairs(&mut self) -> Phased<()> {
        let step = self.steps();
        self.count_holders();
        let frame = self.motion.frame().stopped_by(&self.activity.stop);
        unless_stopped(self.algorithms.search(frame, step).map_err(Err)?)?;
        // A wrong list is no result, and is not recorded.
        if let Some(disagreement) = self.algorithms.disagreement(&self.motion.frame(), step) {
            self.algorithms.count_agreement(false);
            self.respond_rightly(&disagreement);
            self.finish_untested();
            return Err(Ok(Stepped::Disagreed(disagreement)));
        }
        if let Err(problem) = self.algorithms.check(step) {
            self.finish_untested();
            return Err(Err(problem));
        }
        Ok(())
    }

    /// Tests the pairs of bodies. After a wrong answer the step ends, with the response unless that `has_responded`.
    fn test_bodies(&mut self, has_responded: bool) -> Phased<()> {
        unless_stopped(self.run_stages())?;
        let Some(fault) = self.stages.fault() else { return Ok(()) };
        if !has_responded {
            self.motion.respond(self.algorithms.pairs());
        }
        self.found = Some(self.count_found());
        Err(Ok(Stepped::Faulted(fault)))
    }

    /// Ends the step. Its pairs are known, and no stage tests them.
    fn finish_untested(&mut self) {
        self.stages.skip();
        self.found = Some(self.count_found());
    }

    /// Responds with the pairs that the boxes confirm: a wrong compared algorithm changes no motion.
    fn respond_rightly(&mut self, disagreement: &Disagreement) {
        let pairs = self.algorithms.right_pairs(disagreement, &self.motion.frame());
        if let Some(pairs) = pairs {
            self.motion.respond(pairs);
        }
    }

    /// Lets the world respond to the pairs, and spends the delay of its collisions.
    fn respond(&mut self) -> Phased<Responded> {
        if self.world().is_some() {
            self.activity.turn_to("responding to the pairs", None);
        }
        let (start, stop) = (self.clock.now_ns(), &self.activity.stop);
        let response = self.motion.respond_unless(self.algorithms.pairs(), stop);
        unless_stopped(response.is_some() || self.world().is_none())?;
        let (hits, delay) = (response.map(|response| response.hits), self.response_delay);
        let mut is_whole = true;
        if let Some(hits) = hits.filter(|_| !delay.is_zero()) {
            self.activity.turn_to("delaying the responses (keys - and +)", None);
            is_whole = spend(delay, hits, start, self.clock, stop);
        }
        let response_ns = self.clock.now_ns() - start;
        self.activity.turn_to("recording the step", None);
        // A step whose delay was stopped is finished: another would be stopped likewise.
        let never = AtomicBool::new(false);
        let stop = if is_whole { stop } else { &never };
        unless_stopped(self.motion.count_hits(self.algorithms.pairs(), stop))?;
        Ok(Responded { hits, response_ns, is_whole })
    }

    /// Forgets the rows of a step that is finished again, and of later ones. A step that is stopped leaves them: they hold until
    /// others follow.
    fn forget_rows(&mut self, step: u64) {
        self.algorithms.take_back(step..=self.log.latest());
        self.log.forget_after(step - 1, self.world().is_none());
    }

    /// Records the step, which is finished.
    fn record(&mut self, motion_ns: u64, responded: &Responded) {
        let Responded { hits, response_ns, is_whole } = *responded;
        let step = self.steps();
        self.forget_rows(step);
        let frame = self.motion.row_of(step).unwrap_or(0);
        let first = self.motion.first_step();
        let mut sample = self.algorithms.running.sample(frame, first);
        sample.motion_ns = Some(motion_ns);
        sample.response_ns = hits.map(|_| response_ns);
        sample.hits = hits;
        if !is_whole {
            sample.phase = Phase::Warmup;
        }
        let labels = Labels {
            input: self.input.in_rows().to_string(),
            n: self.motion.boxes().len() as u64,
            seed: self.motion.seed(),
            threads: rayon::current_num_threads() as u32,
            ..Labels::default()
        };
        let stages = self.stages.figures();
        stages.iter().for_each(|stages| stages.note_in(&mut sample));
        let times = stages.map(|figures| figures.times).unwrap_or_default();
        self.log.step(step, self.algorithms.running.algorithm, labels, times, sample);
        if self.algorithms.paused {
            // The times of all must be of the same steps.
            let next = self.log.next();
            self.algorithms.compared.iter_mut().for_each(|compared| compared.forget_times(next));
        }
        for contender in self.algorithms.searching_mut() {
            let sample = contender.sample(frame, first);
            self.log.compared(contender.algorithm, sample);
        }
        self.dropped.extend(self.algorithms.drop_too_slow(&self.log));
        self.motion.spacing.step(self.log.end_step(self.clock.now_ns()));
        if self.world().is_some() {
            self.log.timeline.forget_before(*self.motion.kept().start());
        }
        self.found = Some(self.count_found());
        self.algorithms.count_agreement(true);
    }

    /// Counts what holds the pairs of bodies besides the algorithms.
    fn count_holders(&mut self) {
        let Methods { volume, narrow, .. } = self.stages.methods();
        let methods = [Method::Volume(volume), Method::Narrow(narrow), Method::Contacts];
        let world = self.motion.world().filter(|world| world.bodies().is_some());
        let stages = world.map_or(0, |world| stage_holders(world.scene(), &methods));
        self.algorithms.other_holders = stages;
    }

    /// Tests the candidates of the present bodies, if there are any. Returns whether that was done before it was stopped.
    fn run_stages(&mut self) -> bool {
        let Some(bodies) = self.motion.world().and_then(World::bodies) else {
            self.stages.forget();
            return true;
        };
        self.activity.turn_to("testing the bodies, and checking the answers", None);
        let present = Candidates::of(&self.motion, bodies, self.algorithms.pairs());
        self.stages.run(present, self.clock, &self.activity.stop)
    }

    /// Finds what the running algorithm found in the present step, for display: nothing moves, nothing is recorded. Its
    /// structure is the one that it had then, as far as the steps before are kept; else it is
    /// [new](SearchFigures::since). `replayed` is called after each step that is searched for that. Returns a wrong answer
    /// about bodies in the present step.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn search_here(
        &mut self,
        replayed: &mut dyn FnMut(StructureAt<'_>),
    ) -> Result<Option<Arc<StageFault>>, String> {
        broadphase::check_boxes(self.motion.boxes()).map_err(|bad| bad.to_string())?;
        self.count_holders();
        self.found = None;
        if self.motion.has_bodies() {
            // The stages also need the pairs of the step before.
            self.algorithms.running.found = None;
        }
        let step = self.steps();
        let (stages, clock, stop) = (&mut self.stages, self.clock, &self.activity.stop);
        let mut is_reported = false;
        let mut after = |motion: &Motion, contender: &Contender| {
            is_reported |= motion.steps() == step;
            replayed(contender.structure_at(motion.steps()));
            // Which contact points are kept depends on the step before.
            if let Some(bodies) = motion.world().and_then(World::bodies)
                && motion.steps() + 1 == step
                && check_pairs(&motion.frame(), contender.pairs()).is_ok()
            {
                stages.run(Candidates::of(motion, bodies, contender.pairs()), clock, stop);
            }
        };
        if !self.algorithms.show(&mut self.motion, &mut after)? {
            return Ok(None);
        }
        if !is_reported {
            replayed(self.structure_here());
        }
        let checked = self.algorithms.check(step);
        if checked.is_err() {
            self.stages.skip();
        } else if !self.run_stages() {
            return Ok(None);
        }
        if step < self.motion.first_step() {
            self.stages.forget_contacts();
        }
        let figures = self.count_found();
        self.found = Some(figures);
        checked?;
        // A time that is not measured in the course of the steps is not that of the step.
        self.log.timeline.push(step, figures.pairs, None);
        Ok(self.stages.fault())
    }

    /// Whether a compared algorithm that is not paused has searched nothing yet.
    pub fn has_new_compared(&self) -> bool {
        self.algorithms.searching().iter().any(|contender| contender.is_new)
    }

    /// Lets compared algorithms that have searched nothing yet search the present step, for display. Returns the first one that
    /// found other pairs.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn search_compared(&mut self) -> Result<Option<Disagreement>, String> {
        let Self { algorithms, motion, .. } = self;
        let is_done = algorithms.catch_up(Wanted::New, motion, &mut |_, _| ())?;
        let (frame, step) = (motion.frame(), motion.steps());
        Ok(if is_done { algorithms.disagreement(&frame, step) } else { None })
    }

    /// The first step that a structure has searched, if that is not the first of all.
    pub(super) fn new_since(&self, contender: &Contender) -> Option<u64> {
        contender.since().filter(|since| *since > self.motion.first_step())
    }

    /// The figures of the running algorithm's last search.
    fn count_found(&self) -> SearchFigures {
        let (world, running) = (self.motion.world(), &self.algorithms.running);
        let pairs = self.algorithms.pairs();
        // Contacts that a continuous world answered within the step cannot be found from its end.
        let answered = self.log.hits(self.steps());
        let touching = || world.map_or(0, |world| touching(world, pairs).len() as u64);
        SearchFigures {
            tests: running.structure().counters().tests,
            pairs: pairs.len() as u64,
            hits: answered.unwrap_or_else(touching),
            stages: world.and_then(World::bodies).and_then(|_| self.stages.figures()),
            times: running.last.times(),
            heap_bytes: running
                .heap_bytes(self.motion.first_step())
                .or_else(|| self.log.heap_bytes(self.steps(), running.algorithm)),
            since: self.new_since(running),
        }
    }
}
