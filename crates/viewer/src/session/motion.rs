//! The world in motion, and all of it that a step changes or takes back.

use super::heat::Heat;
use super::past::Past;
use broadphase::{Aabb, Frame, Pair, check_boxes};
use measure::Clock;
use sim::{Edit, EditError, Hold, Response, Scene, World};

/// The spheres with their boxes, their heat and their recent states.
pub(super) struct Motion {
    world: World,
    boxes: Vec<Aabb>,
    heat: Heat,
    past: Past,
    /// Counts restarts and steps taken back.
    epoch: u64,
    /// Nanoseconds of a motion whose step is not finished yet.
    unfinished_ns: Option<u64>,
}

impl Motion {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut motion = Self {
            world: World::new(scene),
            boxes: Vec::new(),
            heat: Heat::default(),
            past: Past::default(),
            epoch: 0,
            unfinished_ns: None,
        };
        motion.heat = Heat::new(motion.world.len());
        motion.refresh_boxes();
        motion
    }

    /// Places the objects of a scene.
    pub(super) fn restart(&mut self, scene: &Scene) {
        *self = Self { epoch: self.epoch + 1, ..Self::new(scene) };
    }

    /// Moves the spheres by one step, under the clock, unless an unfinished step has moved them
    /// already. Returns the nanoseconds of the motion.
    pub(super) fn advance(&mut self, hold: Hold, clock: &dyn Clock) -> Result<u64, String> {
        if let Some(motion_ns) = self.unfinished_ns {
            return Ok(motion_ns);
        }
        self.past.push(&self.world, &self.heat);
        let start = clock.now_ns();
        self.world.step(hold);
        self.world.boxes(&mut self.boxes);
        let motion_ns = clock.now_ns() - start;
        check_boxes(&self.boxes).map_err(|bad| format!("step {}: {bad}", self.world.steps()))?;
        self.unfinished_ns = Some(motion_ns);
        Ok(motion_ns)
    }

    /// Ends the step: the next call of [`advance`](Self::advance) moves the spheres.
    pub(super) fn finish_step(&mut self) {
        self.unfinished_ns = None;
    }

    /// Whether the spheres of a step have moved, and the step is not finished.
    pub(super) fn is_within_step(&self) -> bool {
        self.unfinished_ns.is_some()
    }

    /// Responds to the pairs of a step.
    pub(super) fn respond(&mut self, pairs: &[Pair]) -> Response {
        self.world.respond(pairs)
    }

    /// Counts the real collisions of a step for the colours.
    pub(super) fn count_hits(&mut self, pairs: &[Pair]) {
        self.heat.step(&self.world, pairs);
    }

    /// Goes back to the state before the last step. Returns whether there was one.
    pub(super) fn step_back(&mut self) -> bool {
        if !self.past.pop(&mut self.world, &mut self.heat) {
            return false;
        }
        self.epoch += 1;
        self.unfinished_ns = None;
        self.refresh_boxes();
        true
    }

    /// Steps that can be taken back.
    pub(super) fn steps_back(&self) -> usize {
        self.past.len()
    }

    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.world.edit(edit)
    }

    pub(super) fn undo(&mut self) -> Option<String> {
        self.world.undo()
    }

    /// The present boxes as a frame of the scene's time step.
    pub(super) fn frame(&self) -> Frame<'_> {
        self.frame_of(self.world.scene().dt)
    }

    /// The present boxes as a frame in which no time passes.
    pub(super) fn still_frame(&self) -> Frame<'_> {
        self.frame_of(0.0)
    }

    fn frame_of(&self, time_step: f32) -> Frame<'_> {
        Frame::new(&self.boxes).time_step(time_step).layered(self.world.layers())
    }

    fn refresh_boxes(&mut self) {
        self.world.boxes(&mut self.boxes);
    }

    pub(super) fn world(&self) -> &World {
        &self.world
    }

    pub(super) fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    pub(super) fn heat(&self) -> &Heat {
        &self.heat
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }
}
