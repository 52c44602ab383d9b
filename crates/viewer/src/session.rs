//! A scene or a recording in motion under one algorithm, with others compared with it; its steps
//! clocked and recorded.

mod activity;
mod compared;
mod contact_events;
mod contender;
mod copies;
mod disagreement;
pub(crate) mod export_path;
mod figures;
mod heat;
mod history;
mod input_name;
mod inputs;
mod invalidation;
mod lineup;
mod methods;
mod moments;
mod motion;
mod played;
mod rates;
mod restarting;
mod stages;
mod step;
mod step_log;
mod timeline;
mod touching;
mod travel;
mod views;

pub use activity::{Activity, AtWork, Task};
pub use compared::ComparedFigures;
pub use contact_events::{ContactEvent, MAX_EVENTS};
pub use contender::StructureAt;
pub use disagreement::Disagreement;
pub use export_path::export_path;
pub use figures::{ImpactFigures, SearchFigures, StageFigures};
pub use heat::HIT_STEPS;
pub use history::{FrameFigures, HISTORY_STEPS, History, Spread};
pub use inputs::DriveRun;
pub use invalidation::Change;
pub(crate) use invalidation::Stale;
pub use methods::Methods;
pub use motion::{Motion, MotionState, Recording};
pub use rates::{Drawing, Rates};
pub use stages::{StageFault, Stages};
pub use step::Stepped;
pub use timeline::{Bin, Peak, Timeline};
pub use touching::TouchingPair;
pub(crate) use touching::touching;
pub(crate) use travel::RESTART;

use broadphase::registry::{ALGORITHMS, Algorithm, Algorithms, CreateError, Settings};
use contact_events::ContactEvents;
use contender::Contender;
use input_name::InputName;
use lineup::Lineup;
use measure::{AllocationCount, Case, Clock, InputError, Instruments, available_memory};
use narrowphase::BoxKind;
use sim::{Bodies, Scene, World};
use std::sync::Arc;
use std::time::Duration;
use step_log::StepLog;

/// Pairs that are checked or counted between two checks of a stop flag. Far apart in memory, they take some 20 ms.
const PAIRS_PER_CHECK: usize = 1 << 16;

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
    /// Another input follows; see [`Activity::is_superseded`].
    #[error("another input follows")]
    Superseded,
    /// A frame of a trace cannot be read again.
    #[error("{0}")]
    Frame(String),
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
    /// The tests of the pairs of bodies.
    stages: Stages,
    response_delay: Duration,
    /// The figures of the search of the present step; `None` until it is done.
    found: Option<SearchFigures>,
    /// Bytes for moments and for copies of structures.
    kept_room: usize,
    log: StepLog,
    /// The first step that is not as the input says, since the user has changed the motion.
    by_hand_from: u64,
    contact_events: ContactEvents,
    /// The scene with its edits before each restart with other settings, the last one last.
    replaced: Vec<Scene>,
    /// Compared algorithms that were dropped, until they are taken.
    dropped: Vec<String>,
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
        entry: &'static Algorithm,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, SessionError> {
        Self::of_case(&scene_case(label, scene), entry, clock, allocations)
    }

    /// Places a scene, or shows the first frame of another input, under an algorithm.
    ///
    /// # Errors
    ///
    /// If the input or the algorithm does not fit into memory, or a trace cannot be read.
    pub fn of_case(
        case: &Case,
        entry: &'static Algorithm,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, SessionError> {
        case.check_memory_to_show(available_memory())?;
        let activity = Arc::new(Activity::new(clock));
        let instruments = Instruments::new(clock, allocations);
        let kept_room = moments::room(case.n as u64, available_memory());
        let motion = Motion::new(case, kept_room, &|| true)?;
        let motion = motion.ok_or(SessionError::Superseded)?;
        Ok(Self {
            algorithms: Lineup::new(entry, settings(case), instruments, activity.clone())?,
            input: InputName::new(case.input.as_str().into(), case.scene()),
            offered: ALGORITHMS,
            motion,
            stages: Stages::default(),
            response_delay: Duration::ZERO,
            found: None,
            kept_room,
            log: StepLog::new(),
            by_hand_from: u64::MAX,
            contact_events: ContactEvents::default(),
            replaced: Vec::new(),
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

    /// Forgets what a change makes wrong.
    fn forget(&mut self, change: Change) {
        for stale in change.stale() {
            match stale {
                Stale::Charts => self.log.forget_charts(),
                Stale::Timeline => self.log.timeline = Timeline::default(),
                Stale::Times => self.log.timeline.forget_times(),
                Stale::Pairs => self.found = None,
                Stale::Structures => {
                    self.algorithms.contenders_mut().for_each(Contender::forget_steps)
                }
                Stale::WarmUp => {
                    let next = self.log.next();
                    self.algorithms.contenders_mut().for_each(|of| of.forget_times(next));
                }
                Stale::Marks | Stale::Disagreement | Stale::Fault => {}
            }
        }
    }

    /// Renames the scene in future rows; the present scene is what a file of that name holds.
    pub fn rename(&mut self, label: impl Into<Arc<str>>) {
        self.input = InputName::new(label.into(), self.world().map(World::recipe));
        self.update_input_name();
    }

    fn update_input_name(&mut self) {
        let world = self.motion.world();
        let box_kind = world.and_then(World::bodies).map(Bodies::box_kind);
        self.input.update(world.map(World::recipe), box_kind, self.response_delay);
    }

    /// Lets another algorithm find the pairs from now on. The world is not changed.
    ///
    /// A compared algorithm changes places with the one that ran so far.
    ///
    /// # Errors
    ///
    /// If the algorithm does not fit into memory; the session goes on with the old one.
    pub fn set_algorithm(&mut self, entry: &'static Algorithm) -> Result<(), SessionError> {
        self.algorithms.set_running(entry, self.motion.settings(), self.log.next())?;
        self.forget(Change::Algorithm);
        Ok(())
    }

    /// Computes the boxes of bodies in another way from now on. The motion does not depend on it; a world of spheres
    /// is not changed.
    pub fn set_box_kind(&mut self, kind: BoxKind) {
        self.motion.set_box_kind(kind);
        self.forget(Change::BoxKind);
        self.update_input_name();
    }

    /// Tests the pairs of bodies with other methods from now on. The motion does not depend on them. The times of the
    /// old ones are forgotten.
    pub fn set_methods(&mut self, methods: Methods) {
        self.stages.set_methods(methods);
        self.forget(Change::Methods);
    }

    /// Lets other algorithms run on the same boxes, to be compared. The one that moves the world is
    /// left out of `rows`.
    ///
    /// # Errors
    ///
    /// The first refusal if some do not fit into memory; the others run.
    pub fn set_compared(&mut self, rows: &[&'static Algorithm]) -> Result<(), SessionError> {
        Ok(self.algorithms.set_compared(rows, self.motion.settings(), self.log.next())?)
    }

    /// Lets the compared algorithms search in each step, or pauses them. Paused ones forget their times at
    /// the next step.
    pub fn set_comparing(&mut self, comparing: bool) {
        self.algorithms.paused = !comparing;
    }

    /// Takes the compared algorithms that were dropped since the last call, because each took at least a
    /// hundred times as long as the running one.
    pub fn take_dropped(&mut self) -> Vec<String> {
        std::mem::take(&mut self.dropped)
    }

    /// Forgets all times, before a change of threads. The next searches count as warm-up.
    pub fn forget_times(&mut self) {
        self.forget(Change::Threads);
    }

    /// Whether an algorithm runs, moving the world or compared.
    pub fn runs(&self, entry: &Algorithm) -> bool {
        self.algorithms.runs(entry)
    }

    /// Sets the time spent on each real collision.
    pub fn set_response_delay(&mut self, delay: Duration) {
        self.response_delay = delay;
        self.update_input_name();
    }

    /// The time spent on each real collision.
    pub fn response_delay(&self) -> Duration {
        self.response_delay
    }

    /// Validates each structure after each of its updates from the next search on, or no longer. A
    /// structure that fails is dropped as after a panic; [`step`](Self::step) returns the reason.
    pub fn set_validation(&mut self, validate: bool) {
        self.algorithms.validates = validate;
    }

    /// Whether each structure is validated after each of its updates.
    pub fn validates(&self) -> bool {
        self.algorithms.validates
    }
}

/// A scene as a case; its frames are not limited here.
fn scene_case(label: impl Into<Arc<str>>, scene: &Scene) -> Case {
    Case::of_scene(&*label.into(), scene.clone(), 0, 1)
}

/// Settings that algorithms are created for: the number of objects, and the space that fixed trees divide.
fn settings(case: &Case) -> Settings {
    Settings::new(case.n).world(case.space())
}
