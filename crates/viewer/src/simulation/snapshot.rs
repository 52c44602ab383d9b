//! The state of a simulation at one moment, for display.

use super::bodies::ShownBodies;
use super::contact_points;
use super::flashes::Changed;
use super::order::{Notice, Pace};
use super::picked::Picked;
use super::properties::Properties;
use super::shown_fault::ShownFault;
use super::structure::Structure;
use super::tint::Tint;
use super::watch::Watch;
use crate::camera::OrbitCamera;
use crate::session::{ComparedFigures, Disagreement, Found, History, Recording, Session, Timeline};
use broadphase::inspect::{Alternative, Overlay, Work};
use broadphase::registry::{Algorithm, Algorithms};
use broadphase::{Aabb, Counters};
use glam::Vec3;
use sim::scene::Source;
use sim::{Hold, Scene};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

/// A copy of everything shown, made by the simulation between two steps, so that drawing never waits
/// for it. Its lists are reused for the next snapshot.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The input's name.
    pub label: Arc<str>,
    /// The recorded or generated motion; `None` for a scene.
    pub recording: Option<Recording>,
    /// The scene with all edits, as it would be restarted or saved; an empty one for a recording.
    pub recipe: Arc<Scene>,
    /// The present scene: the recipe without the sources that events have removed.
    pub scene: Arc<Scene>,
    /// The seed of what moves; a trace has none.
    pub seed: Option<u64>,
    /// The space that the objects are in.
    pub space: Aabb,
    /// The same with all objects, some of which may be outside: cells hold nothing beyond it.
    pub occupied: Aabb,
    /// The listed sources with their numbers.
    pub sources: Vec<(u32, Source)>,
    /// The edit that an undo would take back.
    pub undoable: Option<String>,
    /// Whether the present step depends on the line that attracts or repels, or on an edit, even if it was undone.
    pub by_hand: bool,
    /// The algorithm that finds the pairs.
    pub algorithm: &'static Algorithm,
    /// The algorithms that may be chosen.
    pub offered: Algorithms,
    /// Threads that a step may use.
    pub threads: usize,
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
    /// Steps since the scene began, or the frame of a recording, from 0.
    pub steps: u64,
    /// The last step that was taken, which is later than `steps` after going back.
    pub latest: u64,
    /// The steps that can be shown.
    pub kept: RangeInclusive<u64>,
    /// Simulated seconds since then.
    pub time: f64,
    /// Whether the line attracts or repels, because of a key or an event.
    pub hold: Hold,
    /// Steps that can be taken back.
    pub steps_back: usize,
    /// Centres, index = object.
    pub positions: Vec<Vec3>,
    /// Radii, of bodies those of their bounding spheres, index = object; none for a recording.
    pub radii: Vec<f32>,
    /// What bodies have besides; `None` where all objects are spheres.
    pub bodies: Option<ShownBodies>,
    /// The boxes of a recording, index = object, empty for absent objects; none for a scene.
    pub boxes: Vec<Aabb>,
    /// The number of objects that are present: of a recording, some may be absent.
    pub present: usize,
    /// Glow of each sphere after a hit, 1 to 0.
    pub glow: Vec<f32>,
    /// The values that the colours show.
    pub tint: Tint,
    /// Properties of the objects, if they are requested.
    pub properties: Option<Properties>,
    /// The requested parts of the structure.
    pub structure: Structure,
    /// Watched parts of the structure that changed lately.
    pub changed: Changed,
    /// What the structure decided in the last step, and why, in sentences.
    pub remarks: Vec<String>,
    /// How it could have answered the last step, with the predicted costs.
    pub alternatives: Vec<Alternative>,
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
    /// Pairs and times along all known steps.
    pub timeline: Timeline,
    /// Number of recorded frames.
    pub recorded: usize,
    /// The compared algorithms.
    pub compared: Vec<ComparedFigures>,
    /// Steps in a row, up to the last one, in which all algorithms found the same pairs.
    pub agreed_steps: u64,
    /// Two algorithms that found different pairs in the last step, while both run.
    pub disagreement: Option<Disagreement>,
    /// A wrong answer about two bodies in the last step.
    pub fault: Option<Arc<ShownFault>>,
    /// New messages, oldest first.
    pub notices: Vec<Notice>,
}

impl Snapshot {
    /// The state of a stopped session, with the parts that `watch` requests.
    pub fn of(session: &Session, watch: &Watch) -> Self {
        let scene = Arc::new(Scene::default());
        let mut snapshot = Self {
            label: session.label().clone(),
            recording: None,
            recipe: scene.clone(),
            scene,
            seed: None,
            space: Aabb::EMPTY,
            occupied: Aabb::EMPTY,
            sources: Vec::new(),
            undoable: None,
            by_hand: false,
            algorithm: session.algorithm(),
            offered: session.offered(),
            threads: rayon::current_num_threads(),
            running: false,
            validate: false,
            pace: Pace::Times(1.0),
            response_delay: Duration::ZERO,
            heard: 0,
            begun: 0,
            epoch: 0,
            steps: 0,
            latest: 0,
            kept: 0..=0,
            time: 0.0,
            hold: Hold::None,
            steps_back: 0,
            positions: Vec::new(),
            radii: Vec::new(),
            bodies: None,
            boxes: Vec::new(),
            present: 0,
            glow: Vec::new(),
            tint: Tint::Plain,
            properties: None,
            structure: Structure::default(),
            changed: Changed::default(),
            remarks: Vec::new(),
            alternatives: Vec::new(),
            picked: None,
            picks: 0,
            searched: false,
            found: None,
            counters: Counters::default(),
            work: Vec::new(),
            heap_bytes: 0,
            history: History::default(),
            timeline: Timeline::default(),
            recorded: 0,
            compared: Vec::new(),
            agreed_steps: 0,
            disagreement: None,
            fault: None,
            notices: Vec::new(),
        };
        snapshot.fill(session, watch);
        snapshot
    }

    /// Copies the state of a session. Fields of the engine stay as they are.
    pub(super) fn fill(&mut self, session: &Session, watch: &Watch) {
        self.label = session.label().clone();
        self.recording = session.motion().recording();
        self.fill_scene(session);
        self.by_hand = session.is_changed_by_hand();
        self.seed = session.motion().seed();
        self.space = session.motion().space();
        self.algorithm = session.algorithm();
        self.validate = session.validates();
        self.response_delay = session.response_delay();
        self.epoch = session.motion().epoch();
        self.steps = session.steps();
        self.latest = session.latest();
        self.kept = session.motion().kept();
        self.time = session.motion().time();
        self.steps_back = session.motion().steps_back();
        let objects = session.motion().boxes().len();
        self.fill_objects(session);
        self.tint.fill(session, watch.color);
        self.properties = watch.properties.then(|| Properties::of(session)).flatten();
        let picked = watch.picked.filter(|object| (*object as usize) < objects);
        self.picked = picked.map(|object| Picked::of(session, object));
        let picked = self.picked.as_ref();
        let is_inspected = |object: u32| picked.is_some_and(|picked| picked.concerns(object));
        let object = picked.map(|picked| picked.object);
        let (structure, algorithm) = (session.structure(), session.algorithm());
        self.structure.fill(structure, algorithm, objects, watch, object, &is_inspected);
        if let Some(bodies) = self.bodies.as_mut().filter(|_| watch.volumes) {
            bodies.volumes.fill(session, picked);
        }
        if let Some(bodies) = self.bodies.as_mut().filter(|_| watch.contacts) {
            contact_points::fill(&mut bodies.contacts, session);
        }
        self.searched = session.is_searched();
        self.found = session.found();
        self.counters = session.structure().counters();
        self.work.clear();
        session.structure().inspect().work(&mut |work| self.work.push(work));
        self.remarks.clear();
        session.structure().inspect().remarks(&mut |remark| self.remarks.push(remark));
        self.alternatives.clear();
        session.structure().inspect().alternatives(&mut |way| self.alternatives.push(way));
        self.heap_bytes = session.structure().heap_bytes() as u64;
        self.history.clone_from(session.history());
        self.timeline.clone_from(session.timeline());
        self.recorded = session.recorded();
        session.fill_compared(&mut self.compared);
        self.agreed_steps = session.agreed_steps();
    }

    /// The scene, and what acts on its spheres.
    fn fill_scene(&mut self, session: &Session) {
        self.sources.clear();
        let Some(world) = session.world() else {
            let nothing = Scene::default();
            share(&mut self.recipe, &nothing);
            share(&mut self.scene, &nothing);
            (self.undoable, self.hold) = (None, Hold::None);
            return;
        };
        // Scenes change seldom, and may have many obstacles to copy.
        share(&mut self.recipe, world.recipe());
        share(&mut self.scene, world.scene());
        self.sources.extend(world.sources().map(|(number, source)| (number, *source)));
        self.undoable = world.undoable();
        self.hold = world.hold();
    }

    /// The spheres or bodies of a scene, or the boxes of a recording.
    fn fill_objects(&mut self, session: &Session) {
        self.positions.clear();
        self.radii.clear();
        self.boxes.clear();
        self.glow.clear();
        let shown = self.bodies.take();
        match session.world() {
            Some(world) => {
                self.positions.extend_from_slice(world.positions());
                self.radii.extend_from_slice(world.radii());
                self.bodies = ShownBodies::refill(shown, session);
                self.glow.extend((0..world.len()).map(|object| session.motion().hit_glow(object)));
            }
            None => {
                self.boxes.extend_from_slice(session.motion().boxes());
                self.positions.extend(self.boxes.iter().map(center));
            }
        }
        let boxes = session.motion().boxes().iter();
        self.occupied = boxes.fold(self.space, |all, b| all.union(b));
        self.present = match session.world() {
            Some(world) => world.len(),
            None => self.boxes.iter().filter(|bounds| !bounds.is_empty()).count(),
        };
    }

    /// The camera of a scene; that of a recording sees all of it.
    pub fn first_camera(&self) -> OrbitCamera {
        let mut camera = OrbitCamera::from_pose(self.scene.camera);
        if self.recording.is_some() {
            // Pictures are wider than high.
            camera.frame(self.space, 1.0);
        }
        camera
    }

    /// What an object is: a sphere or a body of a scene, or a box of a recording.
    pub fn kind(&self) -> &'static str {
        match (&self.recording, &self.bodies) {
            (Some(_), _) => "box",
            (None, Some(_)) => "body",
            (None, None) => "sphere",
        }
    }

    /// The box of an object; `None` if it is absent, or there is no such object.
    pub fn bounds_of(&self, object: u32) -> Option<Aabb> {
        let at = object as usize;
        let bounds = match self.recording {
            Some(_) => *self.boxes.get(at)?,
            None if self.bodies.is_some() => *self.bodies.as_ref()?.boxes.get(at)?,
            None => Aabb::around_sphere(*self.positions.get(at)?, *self.radii.get(at)?),
        };
        (!bounds.is_empty()).then_some(bounds)
    }

    /// Whether leaves or cells have the colours of their depths: those of planes are divided by these, others differ in size.
    pub fn has_levels(&self) -> bool {
        self.structure.regions.levels.len() > 1 && !self.algorithm.shows(Overlay::Planes)
    }
}

/// The centre of a box; the origin for an absent object, whose box has none.
pub(super) fn center(bounds: &Aabb) -> Vec3 {
    if bounds.is_empty() { Vec3::ZERO } else { bounds.center() }
}

/// Replaces a shared scene if it has changed.
fn share(shared: &mut Arc<Scene>, scene: &Scene) {
    if **shared != *scene {
        *shared = Arc::new(scene.clone());
    }
}
