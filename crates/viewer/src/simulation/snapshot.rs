//! All that a viewer shows of a simulation at one moment.

use super::order::{Notice, Pace};
use super::structure::Structure;
use super::watch::{ColorBy, Watch};
use crate::session::{Disagreement, History, Session, ShadowFigures, touch};
use broadphase::{Algorithm, Counters, Region, SplitPlane};
use glam::Vec3;
use sim::scene::Source;
use sim::{Hold, Scene};
use std::sync::Arc;
use std::time::Duration;

/// A copy of what is worth seeing, made by the simulation between two steps, so that whoever draws
/// never waits for it. Its long lists are used again for the next one.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The scene's name.
    pub label: Arc<str>,
    /// The scene with all edits, as it would be begun anew or saved.
    pub recipe: Arc<Scene>,
    /// The scene as it is now: without the sources that its events have removed.
    pub scene: Arc<Scene>,
    /// The listed sources with their numbers.
    pub sources: Vec<(u32, Source)>,
    /// What an undo would take back.
    pub undoable: Option<String>,
    /// The algorithm that finds the pairs.
    pub algorithm: &'static Algorithm,
    /// Whether the motion runs.
    pub running: bool,
    /// How fast simulated time passes.
    pub pace: Pace,
    /// What is spent on each real collision.
    pub response_delay: Duration,
    /// Orders heard so far that a snapshot shows.
    pub heard: u64,
    /// The number of the order, among those, that began the present scene; 0 for the first one.
    pub begun: u64,
    /// Counts how often the motion was begun anew or taken back.
    pub epoch: u64,
    /// Steps since the scene began.
    pub steps: u64,
    /// Simulated seconds since then.
    pub time: f64,
    /// Whether the line attracts or repels, by a key or an event.
    pub hold: Hold,
    /// Steps that can be taken back.
    pub steps_back: usize,
    /// Centres, index = object.
    pub positions: Vec<Vec3>,
    /// Radii, index = object.
    pub radii: Vec<f32>,
    /// How fresh each object's last hit is, 1 to 0.
    pub glow: Vec<f32>,
    /// What the colours tell.
    pub tint: Tint,
    /// What the structure shows of itself, as far as it is asked for.
    pub structure: Structure,
    /// Planes that were moved lately, with how lately: 1 in the step itself, falling to 0.
    pub moved_planes: Vec<(SplitPlane, f32)>,
    /// The object that is looked at closely.
    pub picked: Option<Picked>,
    /// How often a ray has picked an object, or none.
    pub picks: u64,
    /// Whether pairs, tests and what comes of them are those of the present positions.
    pub searched: bool,
    /// What the algorithm counted in its last step.
    pub counters: Counters,
    /// Bytes that it holds.
    pub heap_bytes: u64,
    /// Recent steps.
    pub history: History,
    /// Recorded frames.
    pub recorded: usize,
    /// Algorithms that run on the same boxes.
    pub shadows: Vec<ShadowFigures>,
    /// Steps in a row, up to the last one, in which they all found the same pairs.
    pub agreed_steps: u64,
    /// Two algorithms that found different pairs in the last step, as long as both run.
    pub disagreement: Option<Disagreement>,
    /// What is to be told, oldest first.
    pub notices: Vec<Notice>,
}

/// A figure for each object, to be shown as its colour.
#[derive(Clone, Debug, Default)]
pub enum Tint {
    /// None.
    #[default]
    Plain,
    /// On a scale from 0 to `top`.
    Scale {
        /// Index = object.
        values: Vec<f32>,
        /// The largest value that is told apart, above 0.
        top: f32,
    },
    /// One of several kinds; `u32::MAX` for none.
    Kind(Vec<u32>),
}

/// An object, looked at closely.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Its number.
    pub object: u32,
    /// Its centre.
    pub center: Vec3,
    /// Its radius.
    pub radius: f32,
    /// Its velocity in units/s.
    pub velocity: Vec3,
    /// Pairs with it that the algorithm tested in the last step.
    pub tests: u32,
    /// Objects whose boxes overlap its box, ascending.
    pub candidates: Vec<u32>,
    /// Those of them that touch it.
    pub hits: Vec<u32>,
    /// Leaves or cells in which it stands.
    pub regions: Vec<Region>,
    /// The source whose walls hold it.
    pub source: Option<u32>,
}

impl Snapshot {
    /// What a session looks like while it stands still, as far as `watch` asks for it.
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
            moved_planes: Vec::new(),
            picked: None,
            picks: 0,
            searched: false,
            counters: Counters::default(),
            heap_bytes: 0,
            history: History::default(),
            recorded: 0,
            shadows: Vec::new(),
            agreed_steps: 0,
            disagreement: None,
            notices: Vec::new(),
        };
        snapshot.fill(session, watch);
        snapshot
    }

    /// Takes over what a session knows. What only its driver knows stays as it is.
    pub(super) fn fill(&mut self, session: &Session, watch: &Watch) {
        let world = session.world();
        self.label = session.label().clone();
        // Scenes change seldom, and may have many obstacles.
        share(&mut self.recipe, world.recipe());
        share(&mut self.scene, world.scene());
        self.sources.clear();
        self.sources.extend(world.sources().map(|(number, source)| (number, *source)));
        self.undoable = world.undoable();
        self.algorithm = session.algorithm();
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
        let looked_at = |object: u32| picked.is_some_and(|picked| picked.concerns(object));
        self.structure.fill(session.structure(), world.len(), watch, &looked_at);
        self.searched = session.is_searched();
        self.counters = session.structure().counters();
        self.heap_bytes = session.structure().heap_bytes() as u64;
        self.history.clone_from(session.history());
        self.recorded = session.recorded();
        self.shadows = session.shadows();
        self.agreed_steps = session.agreed_steps();
    }
}

/// Replaces a shared scene only where it has changed.
fn share(shared: &mut Arc<Scene>, scene: &Scene) {
    if **shared != *scene {
        *shared = Arc::new(scene.clone());
    }
}

impl Tint {
    fn fill(&mut self, session: &Session, color: ColorBy) {
        let world = session.world();
        let inspect = session.structure().inspect();
        match color {
            ColorBy::Plain => *self = Tint::Plain,
            ColorBy::Velocity => {
                self.scale(world.velocities().iter().map(|velocity| velocity.length()));
            }
            ColorBy::Collisions => self.scale(session.heat().iter().copied()),
            ColorBy::Tests => {
                let mut tests = vec![0; world.len()];
                inspect.tests_by_object(&mut tests);
                self.scale(tests.iter().map(|tests| *tests as f32));
            }
            ColorBy::Region => {
                let kinds = self.kinds();
                kinds.resize(world.len(), u32::MAX);
                inspect.region_by_object(kinds);
            }
            ColorBy::Source => {
                let kinds = self.kinds();
                let homes = (0..world.len()).map(|object| world.home(object).unwrap_or(u32::MAX));
                kinds.extend(homes);
            }
        }
    }

    /// Becomes a scale from 0 to the largest value.
    fn scale(&mut self, figures: impl Iterator<Item = f32>) {
        let mut values = match std::mem::take(self) {
            Tint::Scale { values, .. } => values,
            _ => Vec::new(),
        };
        values.clear();
        values.extend(figures);
        let top = values.iter().copied().fold(0.0, f32::max);
        *self = Tint::Scale { values, top: if top > 0.0 { top } else { 1.0 } };
    }

    /// Becomes an empty list of kinds.
    fn kinds(&mut self) -> &mut Vec<u32> {
        if !matches!(self, Tint::Kind(_)) {
            *self = Tint::Kind(Vec::new());
        }
        match self {
            Tint::Kind(kinds) => {
                kinds.clear();
                kinds
            }
            _ => unreachable!("it has just become one"),
        }
    }
}

impl Picked {
    /// Whether an object is the picked one or overlaps it.
    pub fn concerns(&self, object: u32) -> bool {
        self.object == object || self.candidates.binary_search(&object).is_ok()
    }

    fn of(session: &Session, object: u32) -> Self {
        let world = session.world();
        let inspect = session.structure().inspect();
        let mut tests = vec![0; world.len()];
        inspect.tests_by_object(&mut tests);
        let (mut candidates, mut hits) = (Vec::new(), Vec::new());
        for pair in session.pairs() {
            if pair.a == object || pair.b == object {
                let other = if pair.a == object { pair.b } else { pair.a };
                candidates.push(other);
                if touch(world, *pair) {
                    hits.push(other);
                }
            }
        }
        for list in [&mut candidates, &mut hits] {
            list.sort_unstable();
            // A wrong algorithm may report a pair twice.
            list.dedup();
        }
        let mut regions = Vec::new();
        inspect.regions_of(object, &mut |region| regions.push(region));
        let at = object as usize;
        Self {
            object,
            center: world.positions()[at],
            radius: world.radii()[at],
            velocity: world.velocities()[at],
            tests: tests[at],
            candidates,
            hits,
            regions,
            source: world.home(at),
        }
    }
}
