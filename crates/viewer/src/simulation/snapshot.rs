//! The state of a simulation at one moment, for display.

mod input;
mod objects;

pub use input::InputState;
pub use objects::ObjectStates;
pub(super) use objects::center;

use super::bodies::ShownBodies;
use super::engine::EngineState;
use super::flashes::Changed;
use super::order::Notice;
use super::picked::Picked;
use super::tint::Tint;
use crate::camera::{OrbitCamera, Ray, corners};
use crate::picking::{nearest_body, nearest_box, nearest_sphere};
use crate::picture::Drawing;
use crate::session::{
    ComparedFigures, ContactEvent, History, MotionState, SearchFigures, Session, Timeline,
    TouchingPair, touching,
};
use crate::view::{Row, View};
use broadphase::inspect::{Alternative, Overlay, Work};
use broadphase::registry::{Algorithm, Algorithms};
use broadphase::{Aabb, Counters, Pair};
use sim::scene::Continuous;

/// Most contact events of a snapshot.
pub const MAX_LISTED: usize = 1000;

/// An object is a ground if it is this share of the scene long in two directions, in which the scene is not thin, and thin:
/// its shortest side is at most this share of its longest one.
const GROUND: f32 = 0.75;
const THIN: f32 = 0.1;

/// A copy of everything shown, made by the simulation between two steps, so that drawing never waits
/// for it. Its lists are reused for the next snapshot.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The state of the engine.
    pub engine: EngineState,
    /// The input and its scene.
    pub input: InputState,
    /// The step that is shown, among those that are known.
    pub motion: MotionState,
    /// The objects.
    pub objects: ObjectStates,
    /// The values that the colours show.
    pub tint: Tint,
    /// The pairs that touch, in ascending order, if they are requested; none before the search, or in a recording.
    pub touching: Vec<TouchingPair>,
    /// The last contacts of bodies that began and ended, the newest first, if they are requested.
    pub contact_events: Vec<ContactEvent>,
    /// The inspected object.
    pub picked: Option<Picked>,
    /// The algorithm that finds the pairs.
    pub algorithm: &'static Algorithm,
    /// The algorithms that may be chosen.
    pub offered: Algorithms,
    /// Its search of the present boxes.
    pub search: SearchState,
    /// The overlays of its structure.
    pub drawing: Drawing,
    /// Watched parts of the structure that changed lately.
    pub changed: Changed,
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
    /// New messages, oldest first.
    pub notices: Vec<Notice>,
}

impl Snapshot {
    /// The state of a stopped session, with all that a view shows but changes.
    pub fn of(session: &Session, view: &View) -> Self {
        let mut snapshot = Self {
            engine: EngineState::default(),
            input: InputState::default(),
            motion: session.motion_state(),
            objects: ObjectStates::default(),
            tint: Tint::Plain,
            touching: Vec::new(),
            contact_events: Vec::new(),
            picked: None,
            algorithm: session.algorithm(),
            offered: session.offered(),
            search: SearchState::default(),
            drawing: Drawing::default(),
            changed: Changed::default(),
            history: History::default(),
            timeline: Timeline::default(),
            recorded: 0,
            compared: Vec::new(),
            agreed_steps: 0,
            notices: Vec::new(),
        };
        snapshot.fill(session, view);
        snapshot.draw(session, view);
        snapshot
    }

    /// Copies the state of a session. The parts that the engine keeps stay as they are.
    pub(super) fn fill(&mut self, session: &Session, view: &View) {
        self.input.fill(session);
        self.motion = session.motion_state();
        let objects = session.motion().boxes().len();
        let picked = view.picked.filter(|object| (*object as usize) < objects);
        let world = session.world().filter(|_| view.touching && session.is_searched());
        self.touching = world.map(|world| touching(world, session.pairs())).unwrap_or_default();
        let listed = if view.contact_events { MAX_LISTED } else { 0 };
        self.contact_events = session.contact_events().take(listed).copied().collect();
        self.picked = picked.map(|object| Picked::of(session, object));
        self.objects.fill(session);
        self.tint = Tint::of(session, view.color);
        self.algorithm = session.algorithm();
        self.search = SearchState::of(session);
        self.history = session.history();
        self.timeline.clone_from(session.timeline());
        self.recorded = session.recorded();
        self.compared = session.compared();
        self.agreed_steps = session.agreed_steps();
    }

    /// Draws the structure, with what changed in it lately.
    pub fn draw(&mut self, session: &Session, view: &View) {
        self.drawing = Drawing::of(self, session, view);
    }

    /// The part of the scene that a camera frames: all objects and their space, but only the other objects where there is a
    /// ground. They would be dots on it.
    pub fn framed(&self) -> Aabb {
        let ObjectStates { space, occupied, positions, .. } = &self.objects;
        let all = if occupied.size().is_finite() { occupied } else { space };
        let longest = all.size().max_element();
        let is_ground = |b: &Aabb| {
            let (side, all) = (b.size(), all.size());
            let spans =
                |axis: &usize| all[*axis] > THIN * longest && side[*axis] > GROUND * all[*axis];
            (0..3).filter(spans).count() == 2 && side.min_element() <= THIN * side.max_element()
        };
        let boxes = (0..positions.len() as u32).filter_map(|object| self.bounds_of(object));
        let (grounds, others): (Vec<Aabb>, Vec<Aabb>) = boxes.partition(is_ground);
        let others = others.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        if grounds.is_empty() || others.is_empty() { *all } else { others }
    }

    /// The camera of a scene; that of a recording sees all of it.
    pub fn first_camera(&self) -> OrbitCamera {
        let mut camera = OrbitCamera::from_pose(self.input.scene.camera);
        if self.motion.recording.is_some() {
            // Pictures are wider than high.
            camera.frame(&corners(&self.framed()), 1.0);
        }
        camera
    }

    /// The camera that a window begins with: the first one, farther away where that would cut off objects.
    pub fn opening_camera(&self) -> OrbitCamera {
        let mut camera = self.first_camera();
        // The part that panels leave free is square at least.
        camera.back_off(&corners(&self.framed()), 1.0);
        camera
    }

    /// Whether objects collide at their first contact within a step.
    pub fn is_continuous(&self) -> bool {
        self.input.scene.continuous != Continuous::Off
    }

    /// The numbers of the driven bodies.
    pub fn driven(&self) -> impl Iterator<Item = u32> {
        let placed = &self.input.scene.placed_bodies;
        // Bodies that are placed one by one come last.
        let first = self.objects.positions.len().saturating_sub(placed.len()) as u32;
        (first..).zip(placed).filter(|(_, body)| body.is_driven).map(|(object, _)| object)
    }

    /// The pair on which two algorithms differ, or about which a method was wrong, while the objects are at that step.
    pub fn disputed(&self) -> Option<Pair> {
        let (EngineState { disagreement, fault, .. }, steps) = (&self.engine, self.motion.steps);
        let disagreement = disagreement.filter(|found| found.step == steps);
        let fault = fault.as_ref().filter(|fault| fault.step == steps);
        disagreement.map(|found| found.pair()).or_else(|| fault.map(|fault| fault.pair()))
    }

    /// The kind of the objects: spheres or bodies of a scene, or boxes of a recording.
    pub fn kind(&self) -> &'static str {
        match (&self.motion.recording, &self.objects.bodies) {
            (Some(_), _) => "box",
            (None, Some(_)) => "body",
            (None, None) => "sphere",
        }
    }

    /// The first object that a ray meets, as it is drawn. The structure is not asked: its tree of queries would count as
    /// memory of the algorithm.
    pub fn pick(&self, ray: Ray) -> Option<u32> {
        let ObjectStates { positions, radii, boxes, bodies, space, .. } = &self.objects;
        match (&self.motion.recording, bodies) {
            (Some(_), _) => nearest_box(ray, boxes, *space),
            (None, Some(bodies)) => nearest_body(ray, 0..positions.len() as u32, |object| {
                bodies.body(object as usize, *positions.get(object as usize)?)
            }),
            (None, None) => nearest_sphere(ray, positions, radii),
        }
    }

    /// The box of an object; `None` if it is absent, or there is no such object.
    pub fn bounds_of(&self, object: u32) -> Option<Aabb> {
        self.objects.bounds_of(object)
    }

    /// Whether a row of the view has an effect on this input, under this algorithm.
    pub fn offers(&self, row: Row) -> bool {
        let is_scene = self.motion.recording.is_none();
        let bodies = self.objects.bodies.as_ref();
        match row {
            Row::Structure(overlay) => self.algorithm.shows(overlay),
            Row::Objects | Row::Shading => true,
            Row::Sources | Row::Obstacles | Row::Glow => is_scene,
            Row::Outlines => !is_scene,
            Row::Labels => !self.input.scene.labels.is_empty(),
            Row::Impacts | Row::Paths => bodies.is_some() && self.is_continuous(),
            Row::Parts => bodies.is_some_and(ShownBodies::has_compounds),
            Row::Aabbs | Row::Volumes | Row::Contacts | Row::Normals | Row::Waiting => {
                bodies.is_some()
            }
        }
    }

    /// Whether an overlay is switched on, and the algorithm has it.
    pub fn draws(&self, view: &View, overlay: Overlay) -> bool {
        view.shows(overlay) && self.algorithm.shows(overlay)
    }

    /// Whether an overlay of the algorithm's structure is drawn.
    pub fn shows_structure(&self, view: &View) -> bool {
        self.algorithm.overlays.iter().any(|caption| view.shows(caption.overlay))
    }
}

/// The running algorithm's last search: its pairs, and their cost.
#[derive(Clone, Debug, Default)]
pub struct SearchState {
    /// Whether pairs, tests and figures are those of the present positions.
    pub searched: bool,
    /// Figures of the search of the present positions; `None` until it is done.
    pub found: Option<SearchFigures>,
    /// Whether each structure is validated after each of its updates.
    pub validate: bool,
    /// The algorithm's counters of its last step.
    pub counters: Counters,
    /// Its own kinds of work in that step.
    pub work: Vec<Work>,
    /// Decisions of the structure in the last step, with the reasons, in sentences.
    pub remarks: Vec<String>,
    /// How it could have answered the last step, with the predicted costs.
    pub alternatives: Vec<Alternative>,
}

impl SearchState {
    pub(super) fn of(session: &Session) -> Self {
        let structure = session.structure();
        let inspect = structure.inspect();
        let mut state = Self {
            searched: session.is_searched(),
            found: session.found(),
            validate: session.validates(),
            counters: structure.counters(),
            ..Self::default()
        };
        inspect.work(&mut |work| state.work.push(work));
        inspect.remarks(&mut |remark| state.remarks.push(remark));
        inspect.alternatives(&mut |way| state.alternatives.push(way));
        state
    }
}
