//! A scene in motion under one algorithm at a time, its frames clocked and recorded.

mod history;
mod recorder;

pub use history::{FrameFigures, History, Rates};

use broadphase::{Aabb, Algorithm, BroadPhase, Counters, Frame, Settings, check_boxes, checksum};
use measure::{
    AllocationCount, Case, Clock, FramesFile, Meter, OutputError, Phase, RunId, Sample,
    available_memory,
};
use recorder::Recorder;
use sim::{Hold, Scene, World};
use std::path::{Path, PathBuf};

/// Frames after a start or a switch that only bring the structure and the caches up.
const WARMUP: u32 = 10;

/// Steps for which a sphere is marked after a hit.
pub const HIT_STEPS: u64 = 6;

/// Why there is no such session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The scene's objects have no room in memory.
    #[error(transparent)]
    Memory(#[from] measure::MemoryError),
    /// The algorithm has none.
    #[error(transparent)]
    Algorithm(#[from] broadphase::CreateError),
}

/// One scene, one algorithm, and what was measured so far.
///
/// A session knows no window: the app drives it and reads from it. All that users do to it is a
/// method here.
pub struct Session {
    label: String,
    /// What the next [`generate`](Self::generate) starts from.
    scene: Scene,
    world: World,
    row: &'static Algorithm,
    structure: Box<dyn BroadPhase>,
    meter: Meter<'static>,
    boxes: Vec<Aabb>,
    /// For each object the step of its last hit, counted from 1; 0 if it had none.
    last_hits: Vec<u64>,
    run: RunId,
    /// How often the world was begun anew.
    repeat: u32,
    /// Frames since the last start or switch.
    fresh_frames: u32,
    recorder: Recorder,
    history: History,
    clock: &'static dyn Clock,
}

impl Session {
    /// Places a scene under an algorithm. `label` is the scene's name in exported rows.
    ///
    /// # Errors
    ///
    /// Where the scene or the algorithm has no room in memory.
    pub fn new(
        label: impl Into<String>,
        scene: Scene,
        row: &'static Algorithm,
        clock: &'static dyn Clock,
        allocations: Option<AllocationCount>,
    ) -> Result<Self, SessionError> {
        let label = label.into();
        let (world, structure) = begin(&label, &scene, row)?;
        let mut session = Self {
            label,
            scene,
            boxes: Vec::new(),
            last_hits: vec![0; world.len()],
            world,
            row,
            structure,
            meter: Meter::new(clock, allocations),
            run: RunId::now(),
            repeat: 0,
            fresh_frames: 0,
            recorder: Recorder::default(),
            history: History::default(),
            clock,
        };
        session.bring_structure_up();
        Ok(session)
    }

    /// Begins anew with other settings of the scene.
    ///
    /// # Errors
    ///
    /// Where they have no room in memory; the session goes on as it was.
    pub fn generate(&mut self, scene: Scene) -> Result<(), SessionError> {
        let (world, structure) = begin(&self.label, &scene, self.row)?;
        self.scene = scene;
        self.last_hits = vec![0; world.len()];
        self.world = world;
        self.structure = structure;
        self.repeat += 1;
        self.fresh_frames = 0;
        self.history.clear();
        self.bring_structure_up();
        Ok(())
    }

    /// Lets another algorithm find the pairs from now on. The world goes on as it is.
    ///
    /// # Errors
    ///
    /// Where the algorithm has no room in memory; the session goes on with the old one.
    pub fn set_algorithm(&mut self, row: &'static Algorithm) -> Result<(), SessionError> {
        self.structure = row.create(&settings(&self.scene, self.world.len()))?;
        self.row = row;
        self.fresh_frames = 0;
        self.history.clear();
        self.bring_structure_up();
        Ok(())
    }

    /// Shows the structure its first frame, so that a session that stands still has planes to see.
    fn bring_structure_up(&mut self) {
        self.world.boxes(&mut self.boxes);
        if check_boxes(&self.boxes).is_ok() {
            self.structure.update(&Frame::new(&self.boxes, 0.0));
        }
    }

    /// One frame: motion, search, response, each clocked.
    ///
    /// # Errors
    ///
    /// One line for a person where the motion has left the range of numbers; the frame is not
    /// recorded.
    pub fn step(&mut self, hold: Hold) -> Result<(), String> {
        let Self { meter, world, boxes, structure, .. } = self;
        let ((), motion_ns) = meter.clocked(|| {
            world.step(hold);
            world.boxes(boxes);
        });
        check_boxes(boxes).map_err(|bad| format!("step {}: {bad}", world.steps()))?;
        let frame = Frame::new(boxes, world.scene().dt);
        let collision = meter.collide(&mut **structure, &frame);
        meter.sort_pairs();
        let pairs = meter.pairs();
        let (response, response_ns) = meter.clocked(|| world.respond(pairs));
        let sample = Sample {
            repeat: self.repeat,
            frame: world.steps().saturating_sub(1) as u32,
            phase: if self.fresh_frames < WARMUP { Phase::Warmup } else { Phase::Measure },
            motion_ns: Some(motion_ns),
            collision,
            response_ns: Some(response_ns),
            render_ns: None,
            counters: structure.counters(),
            pairs: pairs.len() as u64,
            hits: Some(response.hits),
            heap_bytes: structure.heap_bytes() as u64,
            checksum: checksum(pairs),
        };
        self.mark_hits();
        self.fresh_frames += 1;
        self.recorder.push(self.row.id, self.world.len(), self.scene.seed, sample);
        self.history.push(self.clock.now_ns(), &sample);
        Ok(())
    }

    /// Remembers which spheres touch, for their colour.
    fn mark_hits(&mut self) {
        let (positions, radii) = (self.world.positions(), self.world.radii());
        let step = self.world.steps();
        for pair in self.meter.pairs() {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let reach = radii[a] + radii[b];
            if positions[a].distance_squared(positions[b]) <= reach * reach {
                self.last_hits[a] = step;
                self.last_hits[b] = step;
            }
        }
    }

    /// Tells the session how long its last frame took to draw.
    pub fn drawn(&mut self, render_ns: u64) {
        self.recorder.drawn(render_ns);
        self.history.drawn(render_ns);
    }

    /// Where an export goes: into `results/` in `folder`, named after the scene and the moment.
    pub fn export_path(&self, folder: &Path) -> PathBuf {
        let stem = Path::new(&self.label).file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = format!("{}-{}.csv", stem.unwrap_or_default(), RunId::now().stamp());
        folder.join("results").join(name)
    }

    /// Writes all recorded frames in the columns of `frames.csv`; tells how many.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written; nothing is lost, and none is left half written.
    pub fn export(&self, path: &Path) -> Result<usize, OutputError> {
        let run_id = self.run.to_string();
        let rows = self.recorder.rows(&run_id, &self.label);
        FramesFile::create(path)?.write(rows)?;
        Ok(self.recorder.len())
    }

    /// The scene's name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The scene as it was begun; [`World::scene`] tells how it is now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The spheres.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The spheres, to change what acts on them.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The algorithm's row in the registry.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    /// The algorithm's structure, to look at.
    pub fn structure(&self) -> &dyn BroadPhase {
        &*self.structure
    }

    /// What the algorithm counted in its last frame.
    pub fn counters(&self) -> Counters {
        self.structure.counters()
    }

    /// Recent frames.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Recorded frames.
    pub fn recorded(&self) -> usize {
        self.recorder.len()
    }

    /// How fresh an object's last hit is: 1 in the step of the hit, falling to 0.
    pub fn hit_glow(&self, object: usize) -> f32 {
        let last = self.last_hits[object];
        let age = self.world.steps() - last;
        if last == 0 || age >= HIT_STEPS { 0.0 } else { 1.0 - age as f32 / HIT_STEPS as f32 }
    }
}

fn settings(scene: &Scene, objects: usize) -> Settings {
    Settings { objects, world: scene.bounds(), memory_limit: available_memory() }
}

/// Places a scene, unless it has no room.
fn begin(
    label: &str,
    scene: &Scene,
    row: &'static Algorithm,
) -> Result<(World, Box<dyn BroadPhase>), SessionError> {
    Case::of_scene(label, scene.clone(), 0, 1).check_memory(available_memory())?;
    let structure = row.create(&settings(scene, scene.total_objects()))?;
    Ok((World::new(scene), structure))
}
