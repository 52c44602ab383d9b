//! The state of a simulation at one moment, for display.

use super::flashes::Changed;
use super::order::{Notice, Pace};
use super::picked::Picked;
use super::structure::Structure;
use super::tint::Tint;
use super::watch::Watch;
use crate::session::{ComparedFigures, Disagreement, Found, History, Session};
use broadphase::inspect::Work;
use broadphase::registry::Algorithm;
use broadphase::{Aabb, Counters};
use glam::Vec3;
use sim::scene::Source;
use sim::{Hold, Scene};
use std::sync::Arc;
use std::time::Duration;

/// A copy of everything shown, made by the simulation between two steps, so that drawing never waits
/// for it. Its lists are reused for the next snapshot.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The scene's name.
    pub label: Arc<str>,
    /// The scene with all edits, as it would be restarted or saved.
    pub recipe: Arc<Scene>,
    /// The present scene: the recipe without the sources that events have removed.
    pub scene: Arc<Scene>,
    /// The listed sources with their numbers.
    pub sources: Vec<(u32, Source)>,
    /// The edit that an undo would take back.
    pub undoable: Option<String>,
    /// The algorithm that finds the pairs.
    pub algorithm: &'static Algorithm,
    /// Whether the motion runs.
    pub running: bool,
    /// Whether each structure is validated after each of its updates.
    pub validate: bool,
    /// How fast simulated time passes.
    pub pace: Pace,
    /// Time spent on each real collision.
    pub response_delay: Duration,
    /// Orders carried out so far, of those whose effect a snapshot shows.
    pub heard: u64,
    /// The number of the order, among those, that began the present scene; 0 for the first scene.
    pub begun: u64,
    /// Counts restarts and steps taken back.
    pub epoch: u64,
    /// Steps since the scene began.
    pub steps: u64,
    /// Simulated seconds since then.
    pub time: f64,
    /// Whether the line attracts or repels, because of a key or an event.
    pub hold: Hold,
    /// Steps that can be taken back.
    pub steps_back: usize,
    /// Centres, index = object.
    pub positions: Vec<Vec3>,
    /// Radii, index = object.
    pub radii: Vec<f32>,
    /// Glow of each object after a hit, 1 to 0.
    pub glow: Vec<f32>,
    /// The values that the colours show.
    pub tint: Tint,
    /// The requested parts of the structure.
    pub structure: Structure,
    /// Watched parts of the structure that changed lately.
    pub changed: Changed,
    /// What the structure decided in the last step, and why, in sentences.
    pub remarks: Vec<String>,
    /// The inspected object.
    pub picked: Option<Picked>,
    /// Picks by a ray so far, of an object or of none.
    pub picks: u64,
    /// Whether pairs, tests and figures are those of the present positions.
    pub searched: bool,
    /// What the search of the present positions found. Until it is done, what that of the last step found;
    /// `None` without one.
    pub found: Option<Found>,
    /// The algorithm's counters of its last step.
    pub counters: Counters,
    /// Its own kinds of work in that step.
    pub work: Vec<Work>,
    /// Bytes that the algorithm holds.
    pub heap_bytes: u64,
    /// Recent steps.
    pub history: History,
    /// Number of recorded frames.
    pub recorded: usize,
    /// The compared algorithms.
    pub compared: Vec<ComparedFigures>,
    /// Steps in a row, up to the last one, in which all algorithms found the same pairs.
    pub agreed_steps: u64,
    /// Two algorithms that found different pairs in the last step, while both run.
    pub disagreement: Option<Disagreement>,
    /// New messages, oldest first.
    pub notices: Vec<Notice>,
}

impl Snapshot {
    /// The state of a stopped session, with the parts that `watch` requests.
    pub fn of(session: &Session, watch: &Watch) -> Self {
        let scene = Arc::new(session.world().scene().clone());
        let mut snapshot = Self {
            label: session.label().clone(),
            recipe: scene.clone(),
            scene,
            sources: Vec::new(),
            undoable: None,
            algorithm: session.algorithm(),
            running: false,
            validate: false,
            pace: Pace::Times(1.0),
            response_delay: Duration::ZERO,
            heard: 0,
            begun: 0,
            epoch: 0,
            steps: 0,
            time: 0.0,
            hold: Hold::None,
            steps_back: 0,
            positions: Vec::new(),
            radii: Vec::new(),
            glow: Vec::new(),
            tint: Tint::Plain,
            structure: Structure::default(),
            changed: Changed::default(),
            remarks: Vec::new(),
            picked: None,
            picks: 0,
            searched: false,
            found: None,
            counters: Counters::default(),
            work: Vec::new(),
            heap_bytes: 0,
            history: History::default(),
            recorded: 0,
            compared: Vec::new(),
            agreed_steps: 0,
            disagreement: None,
            notices: Vec::new(),
        };
        snapshot.fill(session, watch);
        snapshot
    }

    /// The bounding box of an object; `None` if there is no such object.
    pub fn bounds(&self, object: u32) -> Option<Aabb> {
        let at = object as usize;
        Some(Aabb::around_sphere(*self.positions.get(at)?, *self.radii.get(at)?))
    }

    /// Copies the state of a session. Fields of the engine stay as they are.
    pub(super) fn fill(&mut self, session: &Session, watch: &Watch) {
        let world = session.world();
        self.label = session.label().clone();
        // Scenes change seldom, and may have many obstacles to copy.
        share(&mut self.recipe, world.recipe());
        share(&mut self.scene, world.scene());
        self.sources.clear();
        self.sources.extend(world.sources().map(|(number, source)| (number, *source)));
        self.undoable = world.undoable();
        self.algorithm = session.algorithm();
        self.validate = session.validates();
        self.response_delay = session.response_delay();
        self.epoch = session.epoch();
        self.steps = world.steps();
        self.time = world.time();
        self.hold = world.hold();
        self.steps_back = session.steps_back();
        self.positions.clear();
        self.positions.extend_from_slice(world.positions());
        self.radii.clear();
        self.radii.extend_from_slice(world.radii());
        self.glow.clear();
        self.glow.extend((0..world.len()).map(|object| session.hit_glow(object)));
        self.tint.fill(session, watch.color);
        let picked = watch.picked.filter(|object| (*object as usize) < world.len());
        self.picked = picked.map(|object| Picked::of(session, object));
        let picked = self.picked.as_ref();
        let is_inspected = |object: u32| picked.is_some_and(|picked| picked.concerns(object));
        let object = picked.map(|picked| picked.object);
        self.structure.fill(session.structure(), world.len(), watch, object, &is_inspected);
        self.searched = session.is_searched();
        self.found = session.found();
        self.counters = session.structure().counters();
        self.work.clear();
        session.structure().inspect().work(&mut |work| self.work.push(work));
        self.remarks.clear();
        session.structure().inspect().remarks(&mut |remark| self.remarks.push(remark));
        self.heap_bytes = session.structure().heap_bytes() as u64;
        self.history.clone_from(session.history());
        self.recorded = session.recorded();
        self.compared = session.compared();
        self.agreed_steps = session.agreed_steps();
    }
}

/// Replaces a shared scene if it has changed.
fn share(shared: &mut Arc<Scene>, scene: &Scene) {
    if **shared != *scene {
        *shared = Arc::new(scene.clone());
    }
}
