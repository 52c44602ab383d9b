//! A scene or a recording in motion under one algorithm, with others compared with it; its steps
//! clocked and recorded.

mod activity;
mod compared;
mod contender;
mod disagreement;
mod export_path;
mod found;
mod heat;
mod history;
mod input_name;
mod lineup;
mod memory_budget;
mod methods;
mod motion;
mod pair_memory;
mod past;
mod played;
mod recorder;
mod response_delay;
mod slices;
mod stage_fault;
mod stages;
mod timeline;
mod touching;

pub use activity::{Activity, AtWork, Task};
pub use compared::{ComparedFigures, SearchTime, TooSlow};
pub use disagreement::Disagreement;
pub use export_path::export_path;
pub(crate) use export_path::file_stem;
pub use found::Found;
pub use heat::HIT_STEPS;
pub use history::{Drawing, FrameFigures, HISTORY_STEPS, History, Rates, Spread};
pub use methods::Methods;
pub use motion::{Motion, MotionState, Recording};
pub use stage_fault::{Stage, StageFault, Wrong};
pub use stages::{StageFigures, StageTimes, Stages};
pub use timeline::{Bin, Peak, Timeline};
pub(crate) use touching::touching;

use crate::camera::Ray;
use crate::picking::{nearest_among, nearest_body, nearest_box};
use broadphase::registry::{ALGORITHMS, Algorithm, Algorithms, CreateError, Settings};
use broadphase::{BroadPhase, Pair, check_boxes};
use input_name::InputName;
use lineup::Lineup;
use measure::{
    AllocationCount, Case, Clock, FramesFile, InputError, Instruments, OutputError, Phase,
    SummaryRow, available_memory, stage_memory,
};
use narrowphase::BoxKind;
use pair_memory::PairMemory;
use recorder::Recorder;
use response_delay::ResponseDelay;
use sim::stages::pair_scene;
use sim::{Bodies, DEFAULT_SEED, Edit, EditError, Hold, Scene, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Why a session cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The scene's objects do not fit into memory.
    #[error(transparent)]
    Memory(#[from] measure::MemoryError),
    /// The algorithm's structure does not.
    #[error(transparent)]
    Algorithm(#[from] CreateError),
    /// The trace cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A frame of a trace cannot be read again.
    #[error("{0}")]
    Frame(String),
}

/// The outcome of a step.
#[derive(Clone, Debug)]
pub enum Stepped {
    /// It is done and recorded.
    Done,
    /// Its search was stopped; the next step finishes it.
    Stopped,
    /// Two algorithms found different pairs: the world responded to the right pairs, but nothing is
    /// recorded.
    Disagreed(Disagreement),
    /// A method after the search gave a wrong answer about bodies. The world responded as the reference says, but
    /// nothing is recorded.
    Faulted(StageFault),
}

/// One input, one algorithm, the algorithms compared with it, and their measurements.
///
/// A session knows neither window nor thread. Every action of a user is a method here.
pub struct Session {
    input: InputName,
    /// The algorithms that a user may choose.
    offered: Algorithms,
    motion: Motion,
    algorithms: Lineup,
    pair_memory: PairMemory,
    /// What is done with the pairs of bodies.
    stages: Stages,
    response_delay: ResponseDelay,
    recorder: Recorder,
    history: History,
    timeline: Timeline,
    /// The last step that is finished and recorded. After going back, steps up to it are kept until another one is taken.
    latest: u64,
    /// The first step that is not as the input says, since the user has changed the motion.
    by_hand_from: Option<u64>,
    /// The figures of the last search, which are those of the present boxes while it is not outdated.
    found: Found,
    /// Compared algorithms that were dropped, until they are taken.
    dropped: Vec<TooSlow>,
    activity: Arc<Activity>,
    clock: &'static dyn Clock,
}

impl Session {
    /// Places a scene under an algorithm. `label` is the scene's name in exported rows.
    ///
    /// # Errors
    ///
    /// If the scene or the algorithm does not fit into memory.
    pub fn new(
        label: impl Into<Arc<str>>,
        scene: &Scene,
        row: &'static Algorithm,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, SessionError> {
        Self::of_case(&scene_case(label, scene), row, clock, allocations)
    }

    /// Places a scene, or shows the first frame of another input, under an algorithm.
    ///
    /// # Errors
    ///
    /// If the input or the algorithm does not fit into memory, or a trace cannot be read.
    pub fn of_case(
        case: &Case,
        row: &'static Algorithm,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, SessionError> {
        case.check_memory_to_show(available_memory())?;
        let activity = Arc::<Activity>::default();
        let instruments = Instruments::new(clock, allocations);
        Ok(Self {
            algorithms: Lineup::new(row, settings(case), instruments, activity.clone())?,
            input: InputName::new(case.input.as_str().into(), case.scene()),
            offered: ALGORITHMS,
            motion: Motion::new(case)?,
            pair_memory: PairMemory::default(),
            stages: Stages::default(),
            response_delay: ResponseDelay::default(),
            recorder: Recorder::new(),
            history: History::default(),
            timeline: Timeline::default(),
            latest: 0,
            by_hand_from: None,
            found: Found::default(),
            dropped: Vec::new(),
            activity,
            clock,
        })
    }

    /// The algorithms that a user may choose: those of the library, until they are replaced.
    pub fn offered(&self) -> Algorithms {
        self.offered
    }

    /// Replaces the algorithms that a user may choose.
    pub fn set_offered(&mut self, offered: Algorithms) {
        self.offered = offered;
    }

    /// Replaces the input, under the same algorithms.
    ///
    /// # Errors
    ///
    /// If it does not fit into memory or cannot be read; the session goes on as it was. Compared
    /// algorithms that do not fit are left out and returned.
    pub fn begin(&mut self, case: &Case) -> Result<Vec<CreateError>, SessionError> {
        let refused = self.replace(case)?;
        self.input = InputName::new(case.input.as_str().into(), case.scene());
        self.update_input_name();
        Ok(refused)
    }

    /// Restarts the scene with other settings.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn generate(&mut self, scene: &Scene) -> Result<Vec<CreateError>, SessionError> {
        let refused = self.replace(&scene_case(self.input.label().clone(), scene))?;
        self.update_input_name();
        Ok(refused)
    }

    /// Restarts the scene with all edits, or a recording at its first frame.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn restart(&mut self) -> Result<Vec<CreateError>, SessionError> {
        if let Some(recipe) = self.world().map(|world| world.recipe().clone()) {
            return self.generate(&recipe);
        }
        let (algorithms, refused) = self.algorithms.recreated(self.motion.settings())?;
        self.motion.go_to(0).map_err(SessionError::Frame)?;
        self.algorithms = algorithms;
        self.begin_repetition();
        Ok(refused)
    }

    fn replace(&mut self, case: &Case) -> Result<Vec<CreateError>, SessionError> {
        case.check_memory_to_show(available_memory())?;
        if case.trace().is_none() {
            self.activity.turn_to(Task::Placing { objects: case.n });
        }
        let (algorithms, refused) = self.algorithms.recreated(settings(case))?;
        self.motion.restart(case)?;
        self.algorithms = algorithms;
        self.begin_repetition();
        Ok(refused)
    }

    fn begin_repetition(&mut self) {
        self.history.clear();
        self.timeline = Timeline::default();
        self.latest = self.steps();
        self.by_hand_from = None;
        self.recorder.begin_repetition();
    }

    /// Renames the scene in future rows; the present scene is what a file of that name holds.
    pub fn rename(&mut self, label: impl Into<Arc<str>>) {
        self.input = InputName::new(label.into(), self.world().map(World::recipe));
        self.update_input_name();
    }

    fn update_input_name(&mut self) {
        let world = self.motion.world();
        let box_kind = world.and_then(World::bodies).map(Bodies::box_kind);
        self.input.update(world.map(World::recipe), box_kind, self.response_delay.0);
    }

    /// Lets another algorithm find the pairs from now on. The world is not changed.
    ///
    /// A compared algorithm changes places with the one that ran so far.
    ///
    /// # Errors
    ///
    /// If the algorithm does not fit into memory; the session goes on with the old one.
    pub fn set_algorithm(&mut self, row: &'static Algorithm) -> Result<(), SessionError> {
        self.algorithms.set_running(row, self.motion.settings())?;
        self.history.clear();
        self.timeline.forget_times();
        self.algorithms.forget_boxes();
        Ok(())
    }

    /// Computes the boxes of bodies in another way from now on. The motion does not depend on it; a world of spheres
    /// is not changed.
    pub fn set_box_kind(&mut self, kind: BoxKind) {
        self.motion.set_box_kind(kind);
        self.history.clear();
        self.timeline = Timeline::default();
        self.algorithms.forget_boxes();
        self.update_input_name();
    }

    /// Tests the pairs of bodies with other methods from now on. The motion does not depend on them. The times of the
    /// old ones are forgotten.
    pub fn set_methods(&mut self, methods: Methods) {
        self.stages.set_methods(methods);
        self.history.clear();
        self.algorithms.forget_boxes();
    }

    /// Lets other algorithms run on the same boxes, to be compared. The one that moves the world is
    /// left out of `rows`.
    ///
    /// # Errors
    ///
    /// The first refusal if some do not fit into memory; the others run.
    pub fn set_compared(&mut self, rows: &[&'static Algorithm]) -> Result<(), SessionError> {
        Ok(self.algorithms.set_compared(rows, self.motion.settings())?)
    }

    /// Lets the compared algorithms search in each step, or pauses them. Paused ones forget their times at
    /// the next step.
    pub fn set_comparing(&mut self, comparing: bool) {
        self.algorithms.set_comparing(comparing);
    }

    /// Takes the compared algorithms that were dropped since the last call, because each took at least a
    /// hundred times as long as the running one.
    pub fn take_dropped(&mut self) -> Vec<TooSlow> {
        std::mem::take(&mut self.dropped)
    }

    /// Forgets all times, before a change of threads. The next searches count as warm-up. Those of the present
    /// boxes are repeated, so that no step mixes the times of both.
    pub fn forget_times(&mut self) {
        self.algorithms.forget_times();
        self.history.clear();
        self.timeline.forget_times();
        self.algorithms.forget_boxes();
    }

    /// Whether an algorithm runs, moving the world or compared.
    pub fn runs(&self, row: &Algorithm) -> bool {
        self.algorithms.runs(row)
    }

    /// One step: motion, search, response, each clocked. The compared algorithms search too, unless they are
    /// paused.
    ///
    /// Once `stop` is set, the search ends as soon as the algorithm checks it. The next call repeats
    /// the search on the same boxes, under whichever algorithm is chosen then.
    ///
    /// # Errors
    ///
    /// A message of one line if a position is not finite, the next frame of a trace cannot be read, there are more
    /// pairs than fit into memory, or an algorithm panicked, failed its validation or reported an impossible pair. The
    /// step is not recorded.
    pub fn step(&mut self, hold: Hold, stop: &AtomicBool) -> Result<Stepped, String> {
        let begins = !self.motion.is_within_step();
        if begins {
            self.forget_later();
            // Edits stay after going back.
            if self.is_edited() || (hold != Hold::None && self.world().is_some()) {
                self.changed_by_hand(self.steps() + 1);
            }
        }
        self.activity.turn_to(Task::Moving);
        let moved = self.motion.advance(hold, self.clock, stop);
        if matches!(moved, Ok(None)) {
            return Ok(Stepped::Stopped);
        }
        // A frame that cannot be read leaves the one before it, whose pairs are known.
        if begins && (moved.is_ok() || self.world().is_some()) {
            self.algorithms.outdate();
        }
        let motion_ns = moved?.unwrap_or_default();
        let step = self.steps();
        self.check_pair_memory()?;
        if !self.algorithms.search(self.motion.frame().stopped_by(stop), step)? {
            return Ok(Stepped::Stopped);
        }
        // A wrong list is no result, and is not recorded.
        if let Some(disagreement) = self.algorithms.disagreement(&self.motion.frame(), step) {
            self.motion.finish_step();
            self.algorithms.count_agreement(false);
            self.respond_rightly(&disagreement);
            self.found = self.count_found();
            return Ok(Stepped::Disagreed(disagreement));
        }
        let checked = self.algorithms.check(step);
        if checked.is_ok() && !self.run_stages(stop) {
            self.algorithms.outdate();
            return Ok(Stepped::Stopped);
        }
        if let Err(problem) = checked {
            self.motion.finish_step();
            return Err(problem);
        }
        if let Some(fault) = self.stages.fault() {
            self.motion.finish_step();
            let pairs = self.algorithms.running().pairs();
            self.motion.respond(pairs);
            self.motion.count_hits(pairs);
            self.found = self.count_found();
            return Ok(Stepped::Faulted(fault));
        }

        let start = self.clock.now_ns();
        let response = self.motion.respond_unless(self.algorithms.running().pairs(), stop);
        if response.is_none() && self.world().is_some() {
            self.algorithms.outdate();
            return Ok(Stepped::Stopped);
        }
        self.motion.finish_step();
        let hits = response.map(|response| response.hits);
        if let Some(hits) = hits
            && !self.response_delay.0.is_zero()
        {
            self.activity.turn_to(Task::Delaying { hits, delay: self.response_delay.0 });
        }
        let all_spent = self.response_delay.spend(hits.unwrap_or(0), start, self.clock, stop);
        let response_ns = self.clock.now_ns() - start;
        self.activity.turn_to(Task::UsingPairs);

        self.motion.count_hits(self.algorithms.running().pairs());
        let frame = self.motion.row_of(step).unwrap_or(0);
        let mut sample = self.algorithms.running_mut().sample(self.recorder.repetition(), frame);
        sample.motion_ns = Some(motion_ns);
        sample.response_ns = hits.map(|_| response_ns);
        sample.hits = hits;
        if !all_spent {
            sample.phase = Phase::Warmup;
        }
        let (input, objects, seed) =
            (self.input.in_rows(), self.motion.boxes().len(), self.motion.seed());
        self.recorder.push(input, self.algorithms.row().id, objects, seed, sample);
        let compared_ns = self.algorithms.keep_times(step);
        for contender in self.algorithms.searched_besides() {
            let sample = contender.sample(self.recorder.repetition(), frame);
            self.recorder.push(input, contender.row().id, objects, seed, sample);
        }
        self.dropped.extend(self.algorithms.drop_too_slow());
        let figures = self.stages.figures();
        let times = figures.map(|figures| figures.times).unwrap_or_default();
        self.history.push(step, self.clock.now_ns(), &sample, compared_ns, times);
        let search_ns = sample.collision.update_ns + sample.collision.pairs_ns;
        self.timeline.push(step, sample.pairs, Some(search_ns));
        if self.world().is_some() {
            self.timeline.forget_before(*self.motion.kept().start());
        }
        self.latest = step;
        self.found = self.history.last().map(Found::from).unwrap_or_default();
        self.found.stages = figures;
        self.algorithms.count_agreement(true);
        Ok(Stepped::Done)
    }

    fn check_pair_memory(&mut self) -> Result<(), String> {
        let at = (self.motion.epoch(), self.motion.steps());
        let bodies = self.motion.world().and_then(World::bodies);
        let Methods { volume, narrow } = self.stages.methods();
        let kept = bodies.map_or(0, |bodies| stage_memory(bodies, &[volume], &[narrow]));
        let frame = self.motion.frame();
        let held = || self.algorithms.held_memory(frame.boxes.len(), kept);
        self.pair_memory.check(&frame, at, self.algorithms.search_memory() + kept, held)
    }

    /// Responds with the pairs that the boxes confirm: a wrong compared algorithm changes no motion.
    fn respond_rightly(&mut self, disagreement: &Disagreement) {
        let pairs = self.algorithms.right_pairs(disagreement, &self.motion.frame());
        if let Some(pairs) = pairs {
            self.motion.respond(pairs);
            self.motion.count_hits(pairs);
        }
    }

    /// Whether the pairs are those of the present boxes. They are not after another algorithm was
    /// chosen, a step was taken back, or a search was stopped.
    pub fn is_searched(&self) -> bool {
        self.algorithms.is_searched()
    }

    /// Tests the candidates of the present bodies, if there are any. Returns whether that was done before `stop` was set.
    fn run_stages(&mut self, stop: &AtomicBool) -> bool {
        let Some(bodies) = self.motion.world().and_then(World::bodies) else {
            self.stages.forget();
            return true;
        };
        let parts = bodies.shapes().iter().map(|named| named.shape.parts().len()).max();
        let (candidates, parts) = (self.algorithms.pairs().len(), parts.unwrap_or(0));
        self.activity.turn_to(Task::TestingBodies { candidates, parts });
        let at = (self.motion.epoch(), self.motion.steps());
        self.stages.run(bodies, self.algorithms.pairs(), at, self.clock, stop)
    }

    /// Finds the pairs of the present boxes for display: nothing moves, nothing is recorded. Returns a wrong answer
    /// about bodies among them.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn search_here(&mut self, stop: &AtomicBool) -> Result<Option<StageFault>, String> {
        check_boxes(self.motion.boxes()).map_err(|bad| bad.to_string())?;
        self.check_pair_memory()?;
        let frame = self.motion.still_frame().stopped_by(stop);
        self.algorithms.search_running(frame, self.motion.steps())?;
        if self.is_searched() && !self.run_stages(stop) {
            self.algorithms.outdate();
        }
        let fault = if self.is_searched() { self.stages.fault() } else { None };
        self.found = self.count_found();
        // The time of a search on boxes that are new to the structure is not that of a step.
        if self.is_searched() {
            self.timeline.push(self.steps(), self.found.pairs, None);
        }
        Ok(fault)
    }

    /// The figures of the running algorithm's last search.
    fn count_found(&self) -> Found {
        let (world, running) = (self.motion.world(), self.algorithms.running());
        let pairs = self.algorithms.pairs();
        let hits = world.map_or_else(Vec::new, |world| touching(world, pairs));
        Found {
            tests: running.structure().counters().tests,
            pairs: pairs.len() as u64,
            hits: hits.len() as u64,
            stages: world.and_then(World::bodies).and_then(|_| self.stages.figures()),
            update_ns: running.last().update_ns,
            pairs_ns: running.last().pairs_ns,
        }
    }

    /// The figures of the search of the present boxes. Until it is done, those of the last step; `None`
    /// without one.
    pub fn found(&self) -> Option<Found> {
        if self.is_searched() { Some(self.found) } else { self.history.last().map(Found::from) }
    }

    /// Takes the last step back. Returns whether there is one. Steps taken back are no longer
    /// recorded.
    ///
    /// # Errors
    ///
    /// As [`go_to`](Self::go_to).
    pub fn step_back(&mut self) -> Result<bool, String> {
        let Some(step) = self.steps().checked_sub(1) else { return Ok(false) };
        let went = self.go_to(step)?;
        if went {
            self.forget_later();
        }
        Ok(went)
    }

    /// Shows another step. Returns whether it is kept. The steps after it stay kept and recorded
    /// until another one is taken from there.
    ///
    /// # Errors
    ///
    /// A message of one line, if the frame of a trace cannot be read; nothing changes then.
    pub fn go_to(&mut self, step: u64) -> Result<bool, String> {
        self.activity.turn_to(Task::Moving);
        let went = self.motion.go_to(step)?;
        if went {
            self.algorithms.forget_boxes();
        }
        Ok(went)
    }

    /// Forgets the steps after the present one.
    fn forget_later(&mut self) {
        let steps = self.steps();
        let Some(later @ 1..) = self.latest.checked_sub(steps) else { return };
        self.algorithms.forget_after(steps, later);
        self.history.forget_after(steps);
        if let Some(next) = self.motion.row_of(steps + 1) {
            self.recorder.forget_from(next);
        }
        if self.world().is_some() {
            self.timeline.forget_after(steps);
        }
        self.motion.forget_later();
        self.latest = steps;
        self.by_hand_from = self.by_hand_from.filter(|from| *from <= steps);
    }

    /// Whether there is an edit to undo.
    fn is_edited(&self) -> bool {
        self.world().is_some_and(|world| world.undoable().is_some())
    }

    /// The motion is no longer as the input says, from a step on.
    fn changed_by_hand(&mut self, from: u64) {
        let from = self.by_hand_from.map_or(from, |known| known.min(from));
        self.by_hand_from = Some(from);
    }

    /// Whether the present step depends on what the user did to the motion: the line that attracts or repels, or an
    /// edit, even if it was undone.
    pub fn is_changed_by_hand(&self) -> bool {
        self.by_hand_from.is_some_and(|from| self.steps() >= from)
    }

    /// Changes the running scene.
    ///
    /// # Errors
    ///
    /// If the edit is invalid; nothing is changed then. A recording is never changed.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.motion.edit(edit)?;
        if self.is_edited() {
            // What it released may not be held again after an undo.
            self.changed_by_hand(self.steps());
        }
        self.update_input_name();
        Ok(())
    }

    /// Takes the last edit back. Returns its description, or `None` if there is none.
    pub fn undo(&mut self) -> Option<String> {
        let undone = self.motion.undo();
        if undone.is_some() {
            self.changed_by_hand(self.steps());
        }
        self.update_input_name();
        undone
    }

    /// Sets the time spent on each real collision.
    pub fn set_response_delay(&mut self, delay: Duration) {
        self.response_delay = ResponseDelay(delay);
        self.update_input_name();
    }

    /// The time spent on each real collision.
    pub fn response_delay(&self) -> Duration {
        self.response_delay.0
    }

    /// Validates each structure after each of its updates from the next search on, or no longer. A
    /// structure that fails is dropped as after a panic; [`step`](Self::step) returns the reason.
    pub fn set_validation(&mut self, validate: bool) {
        self.algorithms.set_validation(validate);
    }

    /// Whether each structure is validated after each of its updates.
    pub fn validates(&self) -> bool {
        self.algorithms.validates()
    }

    /// Motion begins or continues: a stop of more than a second before is no part of the rates.
    pub fn resume_rates(&mut self) {
        self.history.resume(self.clock.now_ns());
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
            self.history.presented(drawing);
        }
        if let Some(frame) = self.motion.row_of(step) {
            self.recorder.drawn(frame, render_ns);
            self.history.drawn(step, render_ns);
        }
    }

    /// Where an export goes: into `results/` in `folder`, named after the scene and the moment.
    pub fn export_path(&self, folder: &Path, ending: &str) -> PathBuf {
        export_path(self.input.label(), folder, ending)
    }

    /// Writes all recorded frames in the columns of `frames.csv`. Returns their number.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; it is written whole or not at all.
    pub fn export(&self, path: &Path) -> Result<usize, OutputError> {
        self.activity.turn_to(Task::Exporting);
        self.recorder.export(path)?;
        Ok(self.recorder.len())
    }

    /// Writes a summary of the recorded frames in the columns of `summary.csv`. Returns the number
    /// of rows.
    ///
    /// # Errors
    ///
    /// As [`export`](Self::export).
    pub fn export_summary(&self, path: &Path) -> Result<usize, OutputError> {
        self.activity.turn_to(Task::Exporting);
        let rows = self.summaries();
        let number = rows.len();
        FramesFile::create(path)?.write_table(rows)?;
        Ok(number)
    }

    /// A summary of the recorded frames, a row for each algorithm on each scene.
    pub fn summaries(&self) -> Vec<SummaryRow> {
        self.recorder.summaries(self.motion.seed().unwrap_or(DEFAULT_SEED))
    }

    /// What the session is doing, for a reader on another thread.
    pub fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// The methods after the search, fitted to the bodies.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// Two bodies as a scene of their own, where they are now.
    ///
    /// # Errors
    ///
    /// A message of one line, where they are no bodies, or no file can describe them.
    pub fn pair_scene(&self, pair: Pair) -> Result<String, String> {
        let world = self.world().ok_or("a recording has no bodies")?;
        let bodies = world.bodies().ok_or("spheres are no bodies")?;
        let objects = [pair.a, pair.b].map(|object| object as usize);
        if objects.iter().any(|object| *object >= world.len()) {
            return Err("there are no such bodies".to_owned());
        }
        let names = objects.map(|object| bodies.shapes()[bodies.shape_of(object)].name.as_str());
        let [a, b] = objects.map(|object| bodies.body(object));
        pair_scene(world.scene(), names, [&a, &b]).map_err(|error| error.to_string())
    }

    /// The step that is shown, among those that are known.
    pub fn motion_state(&self) -> MotionState {
        self.motion.state(self.latest)
    }

    /// The scene's name.
    pub fn label(&self) -> &Arc<str> {
        self.input.label()
    }

    /// What moves: the objects with their boxes, and the steps that are kept.
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
        self.algorithms.row()
    }

    /// The running algorithm's structure, for inspection.
    pub fn structure(&self) -> &dyn BroadPhase {
        self.algorithms.running().structure()
    }

    /// The pairs of the present boxes; none before their search, or if the algorithm reported an
    /// impossible pair.
    pub fn pairs(&self) -> &[Pair] {
        self.algorithms.pairs()
    }

    /// The nearest sphere or body, or box of a recording, that a ray meets, where the objects are now.
    ///
    /// In a scene the running algorithm's structure names the candidates if it answers questions
    /// about the present boxes. Otherwise all are checked, with the same result. The message of a
    /// panic in the structure is returned too.
    pub fn pick(&mut self, ray: Ray) -> (Option<u32>, Result<(), String>) {
        let boxes = self.motion.boxes();
        let Some(world) = self.motion.world() else {
            return (nearest_box(ray, boxes, self.motion.space()), Ok(()));
        };
        let asked = self.algorithms.ask(|query| {
            let mut hits = Vec::new();
            query.along(boxes, &broadphase::Ray::new(ray.origin, ray.direction), &mut hits);
            hits
        });
        let all = || (0..world.len() as u32).collect();
        let (objects, answered): (Vec<u32>, _) = match asked {
            Ok(Some(hits)) => (hits.iter().map(|hit| hit.object).collect(), Ok(())),
            Ok(None) => (all(), Ok(())),
            Err(problem) => (all(), Err(problem)),
        };
        let picked = match world.bodies() {
            Some(bodies) => {
                let body = |object| {
                    ((object as usize) < world.len()).then(|| bodies.body(object as usize))
                };
                nearest_body(ray, objects, body)
            }
            None => nearest_among(ray, objects, world.positions(), world.radii()),
        };
        (picked, answered)
    }

    /// The figures of the compared algorithms.
    pub fn compared(&self) -> Vec<ComparedFigures> {
        let mut figures = Vec::new();
        self.fill_compared(&mut figures);
        figures
    }

    /// Fills in the figures of the compared algorithms. The lists are reused.
    pub(crate) fn fill_compared(&self, figures: &mut Vec<ComparedFigures>) {
        let compared = self.algorithms.compared();
        figures.truncate(compared.len());
        for (place, one) in compared.iter().enumerate() {
            if place == figures.len() {
                figures.push(ComparedFigures::of(one.contender().row()));
            }
            one.fill(self.steps(), &mut figures[place]);
        }
    }

    /// Steps in a row, up to the last one, in which all algorithms that run found the same pairs; 0
    /// without compared ones.
    pub fn agreed_steps(&self) -> u64 {
        self.algorithms.agreed_steps()
    }

    /// Recent steps.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Pairs and times along all known steps.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Number of recorded frames.
    pub fn recorded(&self) -> usize {
        self.recorder.len()
    }
}

/// A scene as a case; its frames are not limited here.
fn scene_case(label: impl Into<Arc<str>>, scene: &Scene) -> Case {
    Case::of_scene(&*label.into(), scene.clone(), 0, 1)
}

/// What algorithms are created for: the number of objects, and the space that fixed trees divide.
fn settings(case: &Case) -> Settings {
    Settings::new(case.n).world(case.space())
}
