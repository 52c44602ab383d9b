//! A scene in motion under one algorithm, with others as its shadows; its steps clocked and recorded.

mod contender;
mod disagreement;
mod heat;
mod history;
mod past;
mod recorder;
mod room;
mod shadow;

pub use disagreement::Disagreement;
pub use heat::HIT_STEPS;
pub(crate) use heat::touch;
pub use history::{FrameFigures, HISTORY_STEPS, History, Rates, Spread};
pub use shadow::{SearchTime, ShadowFigures};

use crate::camera::Ray;
use crate::picking::{nearest_among, nearest_sphere};
use broadphase::{Aabb, Algorithm, BroadPhase, CreateError, Frame, Pair, check_boxes};
use contender::Contender;
use heat::Heat;
use measure::{
    AllocationCount, Case, Clock, FramesFile, OutputError, Phase, RunId, SummaryRow,
    available_memory, own_fault,
};
use past::Past;
use recorder::Recorder;
use room::Room;
use shadow::Shadow;
use sim::{Edit, EditError, Hold, Scene, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why there is no such session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The scene's objects have no room in memory.
    #[error(transparent)]
    Memory(#[from] measure::MemoryError),
    /// The algorithm has none.
    #[error(transparent)]
    Algorithm(#[from] CreateError),
}

/// What became of a step.
#[derive(Clone, Copy, Debug)]
pub enum Stepped {
    /// It is done and recorded.
    Done,
    /// It was stopped in the middle of the search; the next step ends it.
    Stopped,
    /// Two algorithms found different pairs: the spheres have moved, but nothing is recorded.
    Disagreed(Disagreement),
}

/// One scene, one algorithm, its shadows, and what was measured so far.
///
/// A session knows no window and no thread. All that users do to it is a method here.
pub struct Session {
    label: Arc<str>,
    /// The name of the input in recorded rows: that of the scene, and what was changed of it.
    input: Arc<str>,
    /// The scene as its file says.
    original: Scene,
    world: World,
    running: Contender,
    shadows: Vec<Shadow>,
    boxes: Vec<Aabb>,
    /// The spheres have moved, but the pairs of this step are not found yet, and this is how long
    /// the motion took.
    moved: Option<u64>,
    /// The pairs are those of the present boxes.
    searched: bool,
    /// They are what pairs can be.
    sound: bool,
    /// Counts how often the motion was begun anew or taken back: pictures of before show steps that
    /// are gone.
    epoch: u64,
    past: Past,
    heat: Heat,
    /// Steps in a row in which all of the algorithms that now run found the same pairs.
    agreed_steps: u64,
    /// Spent on each real collision, to see how the algorithms fare when the answer is costly.
    response_delay: Duration,
    run: RunId,
    /// How often the world was begun anew.
    repeat: u32,
    recorder: Recorder,
    history: History,
    clock: &'static dyn Clock,
    allocations: Option<AllocationCount>,
}

impl Session {
    /// Places a scene under an algorithm. `label` is the scene's name in exported rows.
    ///
    /// # Errors
    ///
    /// Where the scene or the algorithm has no room in memory.
    pub fn new(
        label: impl Into<Arc<str>>,
        scene: &Scene,
        row: &'static Algorithm,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, SessionError> {
        let label = label.into();
        check_memory(&label, scene)?;
        let room = Room::new(scene, scene.total_objects());
        let running = Contender::new(row, &room.settings, clock, allocations)?;
        let world = World::new(scene);
        let mut session = Self {
            input: label.clone(),
            original: scene.clone(),
            label,
            boxes: Vec::new(),
            heat: Heat::new(world.len()),
            world,
            running,
            shadows: Vec::new(),
            moved: None,
            searched: false,
            sound: true,
            epoch: 0,
            past: Past::default(),
            agreed_steps: 0,
            response_delay: Duration::ZERO,
            run: RunId::now(),
            repeat: 0,
            recorder: Recorder::default(),
            history: History::default(),
            clock,
            allocations,
        };
        session.look();
        Ok(session)
    }

    /// Begins anew with a scene, under the same algorithms. `label` is its name from now on.
    ///
    /// # Errors
    ///
    /// Where it has no room in memory; the session goes on as it was. Shadows without room are left
    /// out, and given back.
    pub fn begin(
        &mut self,
        label: impl Into<Arc<str>>,
        scene: &Scene,
    ) -> Result<Vec<CreateError>, SessionError> {
        let refused = self.place(label.into(), scene)?;
        self.original = scene.clone();
        self.name_input();
        Ok(refused)
    }

    /// Begins anew, whatever the file says.
    fn place(&mut self, label: Arc<str>, scene: &Scene) -> Result<Vec<CreateError>, SessionError> {
        check_memory(&label, scene)?;
        let mut room = Room::new(scene, scene.total_objects());
        // The old structures go.
        room.give(self.heap_bytes());
        let running = room.contender(self, self.running.row())?;
        let (mut shadows, mut refused) = (Vec::new(), Vec::new());
        for shadow in &self.shadows {
            match room.contender(self, shadow.contender.row()) {
                Ok(contender) => shadows.push(Shadow::new(contender)),
                Err(refusal) => refused.push(refusal),
            }
        }
        (self.label, self.running, self.shadows) = (label, running, shadows);
        self.world = World::new(scene);
        self.heat = Heat::new(self.world.len());
        self.moved = None;
        self.past.clear();
        self.history.clear();
        self.agreed_steps = 0;
        self.repeat += 1;
        self.epoch += 1;
        self.name_input();
        self.look();
        Ok(refused)
    }

    /// Begins anew with other settings of the scene.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn generate(&mut self, scene: &Scene) -> Result<Vec<CreateError>, SessionError> {
        self.place(self.label.clone(), scene)
    }

    /// Calls the scene by another name, in rows to come.
    pub fn rename(&mut self, label: impl Into<Arc<str>>) {
        self.label = label.into();
        self.original = self.world.recipe().clone();
        self.name_input();
    }

    /// Rows of a scene that was edited, or whose responses are delayed, must not be taken for rows
    /// of the scene in its file. Numbers of objects and seeds stand in columns of their own.
    fn name_input(&mut self) {
        let now = self.world.recipe();
        let Scene { objects, seed, .. } = *now;
        let edited = *now != Scene { objects, seed, ..self.original.clone() };
        let edited = if edited { " (edited)" } else { "" };
        self.input = match self.response_delay.as_millis() {
            0 => format!("{}{edited}", self.label).into(),
            delay => format!("{}{edited} (delay {delay} ms)", self.label).into(),
        };
    }

    /// Lets another algorithm find the pairs from now on. The world goes on as it is.
    ///
    /// A shadow changes places with the one that has run so far, so that the same algorithms are
    /// compared.
    ///
    /// # Errors
    ///
    /// Where the algorithm has no room in memory; the session goes on with the old one.
    pub fn set_algorithm(&mut self, row: &'static Algorithm) -> Result<(), SessionError> {
        let is_it = |shadow: &&mut Shadow| std::ptr::eq(shadow.contender.row(), row);
        if let Some(shadow) = self.shadows.iter_mut().find(is_it) {
            shadow.change_places(&mut self.running);
        } else {
            let mut room = Room::new(self.world.recipe(), self.world.len());
            room.give(self.running.structure().heap_bytes());
            self.running = room.contender(self, row)?;
            self.agreed_steps = 0;
        }
        self.history.clear();
        self.look();
        Ok(())
    }

    /// Lets other algorithms run on the same boxes, to be compared. The one that moves the world is
    /// left out of `rows`.
    ///
    /// # Errors
    ///
    /// The first refusal, where some have no room in memory; the others run.
    pub fn set_shadows(&mut self, rows: &[&'static Algorithm]) -> Result<(), SessionError> {
        let mut old = std::mem::take(&mut self.shadows);
        let mut room = Room::new(self.world.recipe(), self.world.len());
        let mut kept = 0;
        let mut refusal = None;
        for row in rows {
            let is_it = |shadow: &Shadow| std::ptr::eq(*row, shadow.contender.row());
            if std::ptr::eq(*row, self.running.row()) || self.shadows.iter().any(is_it) {
                continue;
            }
            if let Some(place) = old.iter().position(is_it) {
                self.shadows.push(old.swap_remove(place));
                kept += 1;
                continue;
            }
            match room.contender(self, row) {
                Ok(contender) => self.shadows.push(Shadow::new(contender)),
                Err(refused) => refusal = refusal.or(Some(refused)),
            }
        }
        // Who is left out has agreed so far; who comes in has not.
        if self.shadows.len() > kept || self.shadows.is_empty() {
            self.agreed_steps = 0;
        }
        refusal.map_or(Ok(()), |refused| Err(refused.into()))
    }

    /// Whether an algorithm runs, as the one that moves the world or as a shadow.
    pub fn runs(&self, row: &Algorithm) -> bool {
        let shadows = self.shadows.iter().map(|shadow| shadow.contender.row());
        shadows.chain([self.running.row()]).any(|running| std::ptr::eq(running, row))
    }

    /// Bytes that all structures hold.
    fn heap_bytes(&self) -> usize {
        let shadows = self.shadows.iter().map(|shadow| &shadow.contender);
        shadows.chain([&self.running]).map(|contender| contender.structure().heap_bytes()).sum()
    }

    /// Takes the boxes from where the spheres are now; their pairs are yet to be searched for.
    fn look(&mut self) {
        self.searched = false;
        self.world.boxes(&mut self.boxes);
        self.running.forget();
        for shadow in &mut self.shadows {
            shadow.contender.forget();
        }
    }

    /// One step: motion, search, response, each clocked. The shadows search too.
    ///
    /// Once `stop` is set the search is left as soon as the algorithm looks at it; the next call
    /// takes it up again on the same boxes, under whichever algorithm is chosen then.
    ///
    /// # Errors
    ///
    /// One line for a person where the motion has left the range of numbers, or the algorithm has
    /// panicked or reported what cannot be; the step is not recorded.
    pub fn step(&mut self, hold: Hold, stop: &AtomicBool) -> Result<Stepped, String> {
        let motion_ns = match self.moved {
            Some(motion_ns) => motion_ns,
            None => self.advance(hold)?,
        };
        if !self.search(stop)? {
            return Ok(Stepped::Stopped);
        }
        self.moved = None;
        // What is wrong is no result, and not recorded.
        if let Some(disagreement) = self.disagreement() {
            self.agreed_steps = 0;
            self.answer_rightly(&disagreement);
            return Ok(Stepped::Disagreed(disagreement));
        }
        self.check_soundness()?;

        let start = self.clock.now_ns();
        let response = self.world.respond(self.running.pairs());
        let answered = self.delay(response.hits, start, stop);
        let response_ns = self.clock.now_ns() - start;

        self.heat.step(&self.world, self.running.pairs());
        let frame = self.world.steps().saturating_sub(1) as u32;
        let mut sample = self.running.sample(self.repeat, frame);
        sample.motion_ns = Some(motion_ns);
        sample.response_ns = Some(response_ns);
        sample.hits = Some(response.hits);
        if !answered {
            sample.phase = Phase::Warmup;
        }
        let (objects, seed) = (self.world.len(), self.world.recipe().seed);
        self.recorder.push(&self.input, self.running.row().id, objects, seed, sample);
        for shadow in &mut self.shadows {
            shadow.keep(self.world.steps());
            let sample = shadow.contender.sample(self.repeat, frame);
            self.recorder.push(&self.input, shadow.contender.row().id, objects, seed, sample);
        }
        self.history.push(self.world.steps(), self.clock.now_ns(), &sample);
        self.agreed_steps = if self.shadows.is_empty() { 0 } else { self.agreed_steps + 1 };
        Ok(Stepped::Done)
    }

    /// Answers with the list that the boxes prove right: a wrong shadow changes no motion.
    fn answer_rightly(&mut self, disagreement: &Disagreement) {
        let shadows = self.shadows.iter().map(|shadow| &shadow.contender);
        let right = shadows
            .chain([&self.running])
            .find(|contender| std::ptr::eq(contender.row(), disagreement.other))
            .filter(|contender| own_fault(&self.frame(), contender.pairs()).is_none());
        if let Some(right) = right {
            self.world.respond(right.pairs());
            self.heat.step(&self.world, right.pairs());
        }
    }

    /// The present boxes, to judge pairs by.
    fn frame(&self) -> Frame<'_> {
        Frame::new(&self.boxes, self.world.scene().dt).layered(self.world.layers())
    }

    /// Judges the running algorithm's pairs by themselves.
    fn check_soundness(&self) -> Result<(), String> {
        match own_fault(&self.frame(), self.running.pairs()) {
            Some(fault) => {
                let (name, step) = (self.running.row().name, self.world.steps());
                Err(format!("step {step}: {name} is wrong: {fault}"))
            }
            None => Ok(()),
        }
    }

    /// Moves the spheres; gives the nanoseconds that it took.
    fn advance(&mut self, hold: Hold) -> Result<u64, String> {
        self.past.push(&self.world, &self.heat);
        let start = self.clock.now_ns();
        self.searched = false;
        self.world.step(hold);
        self.world.boxes(&mut self.boxes);
        let motion_ns = self.clock.now_ns() - start;
        check_boxes(&self.boxes).map_err(|bad| format!("step {}: {bad}", self.world.steps()))?;
        self.moved = Some(motion_ns);
        Ok(motion_ns)
    }

    /// All algorithms search; says whether they came to an end.
    fn search(&mut self, stop: &AtomicBool) -> Result<bool, String> {
        let step = self.world.steps();
        let frame = Frame::new(&self.boxes, self.world.scene().dt)
            .layered(self.world.layers())
            .stopped_by(stop);
        // Each is first in its turn: whoever comes later finds the boxes in the cache.
        let number = 1 + self.shadows.len();
        for turn in 0..number {
            let searcher = match (turn + step as usize) % number {
                0 => &mut self.running,
                other => &mut self.shadows[other - 1].contender,
            };
            // Who came to an end before the search was left need not begin again.
            if !searcher.has_finished(step) {
                searcher.search(frame, step)?;
            }
            if !searcher.has_finished(step) {
                return Ok(false);
            }
        }
        self.searched = true;
        self.sound = self.check_soundness().is_ok();
        Ok(true)
    }

    /// Whether the pairs are those of the present boxes. They are not after another algorithm was
    /// chosen, a step was taken back, or a search was stopped.
    pub fn is_searched(&self) -> bool {
        self.searched
    }

    /// Finds the pairs of the present boxes, to be looked at: nothing moves, nothing is recorded.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn search_here(&mut self, stop: &AtomicBool) -> Result<(), String> {
        check_boxes(&self.boxes).map_err(|bad| bad.to_string())?;
        let frame = Frame::new(&self.boxes, 0.0).layered(self.world.layers()).stopped_by(stop);
        self.running.search(frame, self.world.steps())?;
        self.searched = self.running.has_finished(self.world.steps());
        if self.searched {
            let judged = self.check_soundness();
            self.sound = judged.is_ok();
            judged?;
        }
        Ok(())
    }

    /// The first shadow that found other pairs.
    fn disagreement(&self) -> Option<Disagreement> {
        let running = (self.running.row(), self.running.pairs());
        self.shadows.iter().find_map(|shadow| {
            let shadow = (shadow.contender.row(), shadow.contender.pairs());
            Disagreement::between(running, shadow, &self.frame(), self.world.steps())
        })
    }

    /// Spends the response delay of some collisions, counted from `start`, unless it is stopped;
    /// says whether all of it was spent.
    fn delay(&self, hits: u64, start: u64, stop: &AtomicBool) -> bool {
        let nanoseconds = self.response_delay.as_nanos() as u64 * hits;
        if nanoseconds == 0 {
            return true;
        }
        loop {
            let left = (start + nanoseconds).saturating_sub(self.clock.now_ns());
            if left == 0 {
                return true;
            }
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            std::thread::sleep(Duration::from_nanos(left).min(Duration::from_millis(5)));
        }
    }

    /// Goes back to the state before the last step; says whether there is one. The steps that are
    /// taken back are no longer recorded.
    pub fn step_back(&mut self) -> bool {
        if !self.past.pop(&mut self.world, &mut self.heat) {
            return false;
        }
        self.epoch += 1;
        // A step whose search was left has not been compared yet.
        if self.moved.take().is_none() {
            self.agreed_steps = self.agreed_steps.saturating_sub(1);
        }
        let steps = self.world.steps();
        self.history.take_back(steps);
        self.recorder.take_back(self.repeat, steps as u32);
        self.shadows.iter_mut().for_each(|shadow| shadow.take_back(steps));
        self.look();
        true
    }

    /// Steps that can be taken back.
    pub fn steps_back(&self) -> usize {
        self.past.len()
    }

    /// Changes the running scene.
    ///
    /// # Errors
    ///
    /// Where the edit makes no sense; nothing is changed then.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.world.edit(edit)?;
        self.name_input();
        Ok(())
    }

    /// Takes the last edit back; tells which, or `None` where there is none.
    pub fn undo(&mut self) -> Option<String> {
        let undone = self.world.undo();
        self.name_input();
        undone
    }

    /// Sets what is spent on each real collision.
    pub fn set_response_delay(&mut self, delay: Duration) {
        self.response_delay = delay;
        self.name_input();
    }

    /// What is spent on each real collision.
    pub fn response_delay(&self) -> Duration {
        self.response_delay
    }

    /// Whether a step has begun, and its search was left.
    pub fn is_within_step(&self) -> bool {
        self.moved.is_some()
    }

    /// Counts how often the motion was begun anew or taken back.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Tells the session how long a picture of a step took to draw. One of another epoch shows a
    /// step that is gone, and is passed over.
    pub fn drawn(&mut self, epoch: u64, step: u64, render_ns: u64) {
        if let Some(frame) = step.checked_sub(1).filter(|_| epoch == self.epoch) {
            self.recorder.drawn(self.repeat, frame as u32, render_ns);
            self.history.drawn(step, render_ns);
        }
    }

    /// Where an export goes: into `results/` in `folder`, named after the scene and the moment.
    pub fn export_path(&self, folder: &Path, ending: &str) -> PathBuf {
        export_path(&self.label, folder, ending)
    }

    /// Writes all recorded frames in the columns of `frames.csv`; tells how many.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written; nothing is lost, and none is left half written.
    pub fn export(&self, path: &Path) -> Result<usize, OutputError> {
        let run_id = self.run.to_string();
        FramesFile::create(path)?.write(self.recorder.rows(&run_id))?;
        Ok(self.recorder.len())
    }

    /// Writes a summary of the recorded frames in the columns of `summary.csv`; tells how many rows.
    ///
    /// # Errors
    ///
    /// As [`export`](Self::export).
    pub fn export_summary(&self, path: &Path) -> Result<usize, OutputError> {
        let rows = self.summaries();
        let number = rows.len();
        FramesFile::create(path)?.write_table(&SummaryRow::COLUMNS, rows)?;
        Ok(number)
    }

    /// A summary of the recorded frames, a row for each algorithm on each scene.
    pub fn summaries(&self) -> Vec<SummaryRow> {
        self.recorder.summaries(&self.run.to_string(), self.world.recipe().seed)
    }

    /// The scene's name.
    pub fn label(&self) -> &Arc<str> {
        &self.label
    }

    /// The spheres.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Their boxes, index = object.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// The algorithm's row in the registry.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.running.row()
    }

    /// The algorithm's structure, to look at.
    pub fn structure(&self) -> &dyn BroadPhase {
        self.running.structure()
    }

    /// The pairs of the present boxes; none until they are searched for, or where the algorithm
    /// reported what no pair can be.
    pub fn pairs(&self) -> &[Pair] {
        if self.searched && self.sound { self.running.pairs() } else { &[] }
    }

    /// The nearest sphere that a ray meets, where the spheres are now.
    ///
    /// The structure of the algorithm that runs names the candidates where it answers questions and
    /// is that of the present boxes; otherwise all spheres are looked at, with the same result. What
    /// it said where it panicked comes along.
    pub fn pick(&mut self, ray: Ray) -> (Option<u32>, Result<(), String>) {
        let (boxes, searched) = (&self.boxes, self.searched);
        let along = |query: &dyn broadphase::Query| {
            let mut hits = Vec::new();
            let ray = broadphase::Ray::new(ray.origin, ray.direction);
            query.along(boxes, &ray, &mut hits);
            hits
        };
        let asked = if searched { self.running.ask(along) } else { Ok(None) };
        let (centers, radii) = (self.world.positions(), self.world.radii());
        match asked {
            Ok(Some(hits)) => {
                let objects = hits.iter().map(|hit| hit.object);
                (nearest_among(ray, objects, centers, radii), Ok(()))
            }
            Ok(None) => (nearest_sphere(ray, centers, radii), Ok(())),
            Err(trouble) => (nearest_sphere(ray, centers, radii), Err(trouble)),
        }
    }

    /// How the shadows fare.
    pub fn shadows(&self) -> Vec<ShadowFigures> {
        self.shadows.iter().map(Shadow::figures).collect()
    }

    /// Steps in a row, up to the last one, in which all algorithms that run found the same pairs;
    /// 0 without shadows.
    pub fn agreed_steps(&self) -> u64 {
        self.agreed_steps
    }

    /// Recent steps.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Recorded frames.
    pub fn recorded(&self) -> usize {
        self.recorder.len()
    }

    /// How fresh an object's last hit is: 1 in the step of the hit, falling to 0.
    pub fn hit_glow(&self, object: usize) -> f32 {
        self.heat.glow(object, self.world.steps())
    }

    /// How many collisions each object has had lately, index = object.
    pub fn heat(&self) -> &[f32] {
        self.heat.values()
    }
}

/// Where an export of a scene goes: to a name that is not taken.
pub fn export_path(label: &str, folder: &Path, ending: &str) -> PathBuf {
    let stem = Path::new(label).file_stem().map(|s| s.to_string_lossy().into_owned());
    let stem = format!("{}-{}", stem.unwrap_or_default(), RunId::now().stamp());
    let path = |name: String| folder.join("results").join(name);
    let numbered = (2..).map(|number| path(format!("{stem}-{number}{ending}")));
    let mut paths = std::iter::once(path(format!("{stem}{ending}"))).chain(numbered);
    // There is always a number that is free.
    paths.find(|path| !path.exists()).unwrap_or_default()
}

fn check_memory(label: &str, scene: &Scene) -> Result<(), measure::MemoryError> {
    Case::of_scene(label, scene.clone(), 0, 1).check_memory(available_memory())
}
