//! The views of a motion: its objects, and where it is.

use super::{Motion, MotionState, Mover, Recording};
use broadphase::registry::Settings;
use broadphase::{Aabb, Frame, Layer};
use glam::Vec3;
use sim::World;
use sim::scene::Continuous;

impl Motion {
    /// The present boxes as a frame of the motion's time step.
    pub(in crate::session) fn frame(&self) -> Frame<'_> {
        Frame::new(&self.boxes).time_step(self.time_step()).layered(self.layers())
    }

    /// The first step whose boxes are searched. Those at the start of a scene are no step's.
    pub(in crate::session) fn first_step(&self) -> u64 {
        u64::from(self.scenery().is_some())
    }

    /// Whether its objects are bodies.
    pub(crate) fn has_bodies(&self) -> bool {
        self.world().is_some_and(|world| world.bodies().is_some())
    }

    /// Whether bodies collide at their first contact within a step: the response moves them.
    pub(in crate::session) fn is_continuous(&self) -> bool {
        let is_continuous = |world: &World| world.scene().continuous != Continuous::Off;
        self.has_bodies() && self.world().is_some_and(is_continuous)
    }

    /// The objects' layers; empty where every object meets every other.
    pub fn layers(&self) -> &[Layer] {
        match &self.mover {
            Mover::Scene(scenery) => scenery.world.layers(),
            Mover::Played(played) => played.source.layers(),
        }
    }

    /// Simulated seconds of a step.
    pub fn time_step(&self) -> f32 {
        match &self.mover {
            Mover::Scene(scenery) => scenery.world.scene().dt,
            Mover::Played(played) => played.source.time_step(),
        }
    }

    /// Where it is; `latest` is the last step that was recorded. Copies of structures take some of the `kept_bytes`.
    pub(in crate::session) fn state(&self, latest: u64, kept_bytes: [usize; 2]) -> MotionState {
        MotionState {
            recording: self.recording(),
            seed: self.seed(),
            epoch: self.epoch,
            steps: self.steps(),
            frame: self.row_of(self.steps()),
            latest,
            kept: self.kept(),
            time: self.steps() as f64 * f64::from(self.time_step()),
            kept_bytes,
        }
    }

    /// Steps of a scene since its start, or the frame of another input, from 0.
    pub fn steps(&self) -> u64 {
        match &self.mover {
            Mover::Scene(scenery) => scenery.world.steps(),
            Mover::Played(played) => played.frame.into(),
        }
    }

    /// The number of a step's frame in recorded rows, which is that of the harness; `None` before the first step of a
    /// scene, whose start is no frame.
    pub(in crate::session) fn row_of(&self, step: u64) -> Option<u32> {
        step.checked_sub(self.first_step()).map(|frame| frame as u32)
    }

    /// The velocity of an object in units/s; of a box that of its centre, `None` in the first frame of a recording and
    /// where the object was absent in the frame before.
    pub fn velocity(&self, object: usize) -> Option<Vec3> {
        match &self.mover {
            Mover::Scene(scenery) => Some(scenery.world.velocities()[object]),
            Mover::Played(played) => played.velocity(object, &self.boxes),
        }
    }

    /// The seed of what moves; a trace has none.
    pub fn seed(&self) -> Option<u64> {
        match &self.mover {
            Mover::Scene(scenery) => Some(scenery.world.recipe().seed),
            Mover::Played(played) => played.seed,
        }
    }

    /// The settings that algorithms are created for: the number of objects, and the space that fixed trees divide.
    pub(in crate::session) fn settings(&self) -> Settings {
        match &self.mover {
            Mover::Scene(scenery) => {
                Settings::new(scenery.world.len()).world(scenery.world.recipe().bounds())
            }
            Mover::Played(played) => played.settings,
        }
    }

    /// The space that the objects are in.
    pub fn space(&self) -> Aabb {
        match &self.mover {
            Mover::Scene(scenery) => scenery.world.scene().bounds(),
            Mover::Played(played) => played.extent,
        }
    }

    /// The spheres; `None` where the motion is prescribed.
    pub fn world(&self) -> Option<&World> {
        self.scenery().map(|scenery| &scenery.world)
    }

    /// The recorded or generated motion; `None` for a scene.
    pub fn recording(&self) -> Option<Recording> {
        match &self.mover {
            Mover::Scene(_) => None,
            Mover::Played(played) => {
                Some(Recording { frames: played.source.frames(), at_end: played.is_at_end() })
            }
        }
    }

    /// Whether a recording shows its last frame.
    pub fn is_at_end(&self) -> bool {
        self.recording().is_some_and(|recording| recording.at_end)
    }

    /// The objects' boxes, index = object. Those of absent objects are empty.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// Recent collisions of each sphere, index = object; older ones count less. Empty for a recording.
    pub fn heat(&self) -> &[f32] {
        self.scenery().map_or(&[], |scenery| scenery.heat.values())
    }

    /// Glow of an object: 1 in the step of a hit, falling to 0.
    pub fn hit_glow(&self, object: usize) -> f32 {
        self.scenery().map_or(0.0, |scenery| scenery.heat.glow(object))
    }

    /// Counts restarts and steps taken back.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}
