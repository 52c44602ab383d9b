//! What moves: the spheres of a scene, or prescribed boxes; and all that a step changes or takes back.

mod views;
mod visiting;

use super::heat::Heat;
use super::past::Past;
use super::played::Played;
use broadphase::{Aabb, Pair, check_boxes};
use measure::{Case, Clock, InputError};
use narrowphase::BoxKind;
use sim::{DriveKeys, Edit, EditError, Hold, Placing, Pull, Response, World};
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

/// Boxes whose motion the input prescribes, instead of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The number of frames; `None` for generated boxes, which move on without end.
    pub frames: Option<u32>,
    /// Whether the last frame is shown.
    pub at_end: bool,
}

/// Where a motion is, among the steps that are known.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionState {
    /// The recorded or generated motion; `None` for a scene.
    pub recording: Option<Recording>,
    /// The seed of what moves; a trace has none.
    pub seed: Option<u64>,
    /// Counts restarts and steps taken back.
    pub epoch: u64,
    /// Steps since the scene began, or the frame of a recording, from 0.
    pub steps: u64,
    /// The number of the step's frame in rows and recordings, from 0; `None` at the start of a scene.
    pub frame: Option<u32>,
    /// The last step that was taken, which is later than `steps` after going back.
    pub latest: u64,
    /// The steps that can be shown.
    pub kept: RangeInclusive<u64>,
    /// Simulated seconds since the start.
    pub time: f64,
    /// Bytes of what is kept of earlier steps, copies of structures included, and most that may be kept.
    pub kept_bytes: [usize; 2],
}

impl MotionState {
    /// Steps that can be taken back.
    pub fn steps_back(&self) -> u64 {
        self.steps - self.kept.start()
    }
}

/// The objects with their boxes, their heat and their recent states.
pub struct Motion {
    mover: Mover,
    boxes: Vec<Aabb>,
    /// How those of bodies are computed, in this world and the next ones.
    box_kind: BoxKind,
    /// Counts restarts and steps taken back.
    epoch: u64,
}

/// Keys and mouse of the user in a step of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByHand {
    pub(super) hold: Hold,
    pub(super) pull: Option<Pull>,
    pub(super) keys: DriveKeys,
}

/// What moves the objects.
enum Mover {
    /// The forces and collisions of a scene. Recent states are kept, since a step cannot be reversed.
    World { world: Box<World>, heat: Heat, past: Past },
    /// An input that knows all of its frames.
    Played(Box<Played>),
}

impl Motion {
    /// Places the objects of a scene, or shows the first frame of other inputs. Kept states take at most `room` bytes.
    /// `None` once `goes_on`, which is called again and again, returns false.
    pub(super) fn new(
        case: &Case,
        room: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, InputError> {
        let (mut boxes, mut watch) = (Vec::new(), |_| goes_on());
        let mover = match case.scene() {
            Some(scene) => World::place(scene, &mut Placing::new(&mut watch)).ok().map(|world| {
                world.boxes(&mut boxes);
                let heat = Heat::new(world.len());
                Mover::World { world: Box::new(world), heat, past: Past::new(room) }
            }),
            None => Played::new(case, room, &mut boxes, &mut watch)?
                .map(|played| Mover::Played(Box::new(played))),
        };
        let box_kind = BoxKind::default();
        Ok(mover.map(|mover| Self { mover, boxes, box_kind, epoch: 0 }))
    }

    /// Replaces what moves. Returns whether that was done before `goes_on` returned false.
    ///
    /// # Errors
    ///
    /// If the input cannot be read; nothing is replaced then.
    pub(super) fn restart(
        &mut self,
        case: &Case,
        room: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<bool, InputError> {
        let Some(new) = Self::new(case, room, goes_on)? else { return Ok(false) };
        let kind = self.box_kind;
        *self = Self { epoch: self.epoch + 1, ..new };
        self.set_box_kind(kind);
        Ok(true)
    }

    /// Computes the boxes of bodies in another way, of the present ones too.
    pub(super) fn set_box_kind(&mut self, kind: BoxKind) {
        self.box_kind = kind;
        if let Mover::World { world, past, .. } = &mut self.mover
            && world.bodies().is_some_and(|bodies| bodies.box_kind() != kind)
        {
            world.set_box_kind(kind);
            world.boxes(&mut self.boxes);
            past.forget_boxes();
        }
    }

    /// Moves the objects by one step, under the clock. Returns the nanoseconds of the motion; `None` if `stop` ended the
    /// step: the objects are back where they were.
    ///
    /// # Errors
    ///
    /// A message of one line. The spheres of a scene have moved then, prescribed boxes have not.
    pub(super) fn advance(
        &mut self,
        ByHand { hold, pull, keys }: ByHand,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> Result<Option<u64>, String> {
        match &mut self.mover {
            Mover::World { world, heat, past } => {
                past.push(world, heat, &self.boxes);
                // After that: the step before has its own velocity.
                pull.map(|pull| world.pull(pull));
                world.set_drive(keys);
                let start = clock.now_ns();
                // Spheres move within some milliseconds.
                let is_whole = match world.bodies() {
                    Some(_) => world.step_unless(hold, stop),
                    None => {
                        world.step(hold);
                        true
                    }
                };
                if !is_whole {
                    let step = world.steps();
                    past.go_to(step, world, heat, &mut self.boxes, false);
                    return Ok(None);
                }
                world.boxes(&mut self.boxes);
                let motion_ns = clock.now_ns() - start;
                check_boxes(&self.boxes).map_err(|bad| format!("step {}: {bad}", world.steps()))?;
                Ok(Some(motion_ns))
            }
            Mover::Played(played) => {
                let start = clock.now_ns();
                let is_whole =
                    played.advance(&mut self.boxes, stop).map_err(|error| error.to_string())?;
                Ok(is_whole.then(|| clock.now_ns() - start))
            }
        }
    }

    /// Responds to the pairs of a step. Prescribed boxes do not respond.
    pub(super) fn respond(&mut self, pairs: &[Pair]) -> Option<Response> {
        self.respond_unless(pairs, &AtomicBool::new(false))
    }

    /// [`respond`](Self::respond), unless `stop` is set: `None` then, and the step is to be undone.
    pub(super) fn respond_unless(&mut self, pairs: &[Pair], stop: &AtomicBool) -> Option<Response> {
        match &mut self.mover {
            Mover::World { world, .. } => world.respond_unless(pairs, stop),
            Mover::Played(_) => None,
        }
    }

    /// Counts the real collisions of a step for the colours. Returns whether that was done before `stop` was set: if not,
    /// the step is to be undone.
    pub(super) fn count_hits(&mut self, pairs: &[Pair], stop: &AtomicBool) -> bool {
        match &mut self.mover {
            Mover::World { world, heat, .. } => heat.step(world, pairs, stop),
            Mover::Played(_) => true,
        }
    }

    /// Goes to another step. Returns whether it is kept. The steps after it stay kept until the next one is begun; so does
    /// the present one.
    ///
    /// # Errors
    ///
    /// A message of one line, if its frame cannot be read; nothing changes then.
    pub(super) fn go_to(&mut self, step: u64) -> Result<bool, String> {
        let is_kept = self.show(step, true, &AtomicBool::new(false))?;
        self.epoch += u64::from(is_kept);
        Ok(is_kept)
    }

    /// Takes a step back that is not finished.
    ///
    /// # Errors
    ///
    /// As [`go_to`](Self::go_to).
    pub(super) fn undo_step(&mut self) -> Result<(), String> {
        match &mut self.mover {
            Mover::World { .. } => {
                let before = self.steps().saturating_sub(1);
                self.show(before, false, &AtomicBool::new(false)).map(|_| ())
            }
            Mover::Played(played) => played.undo(&mut self.boxes).map_err(|e| e.to_string()),
        }
    }

    /// Shows a step. Returns whether it is kept, and that was done before `stop` was set.
    fn show(&mut self, step: u64, is_whole: bool, stop: &AtomicBool) -> Result<bool, String> {
        match &mut self.mover {
            Mover::World { world, heat, past } => {
                if !past.go_to(step, world, heat, &mut self.boxes, is_whole) {
                    return Ok(false);
                }
            }
            Mover::Played(played) => {
                let Ok(frame) = u32::try_from(step) else { return Ok(false) };
                if played.frames().is_some_and(|frames| frame >= frames) {
                    return Ok(false);
                }
                return played
                    .go_to(frame, &mut self.boxes, stop)
                    .map_err(|error| error.to_string());
            }
        }
        Ok(true)
    }

    /// Forgets the steps of a scene after the present one.
    pub(super) fn forget_later(&mut self) {
        if let Mover::World { past, .. } = &mut self.mover {
            past.forget_later();
        }
    }

    /// Bytes of the kept states.
    pub(super) fn kept_bytes(&self) -> usize {
        match &self.mover {
            Mover::World { past, .. } => past.heap_bytes(),
            Mover::Played(played) => played.kept_bytes(),
        }
    }

    /// The steps that can be shown.
    pub fn kept(&self) -> RangeInclusive<u64> {
        match &self.mover {
            Mover::World { world, past, .. } => past.kept(world.steps()),
            Mover::Played(played) => 0..=played.last_known().into(),
        }
    }

    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        match &mut self.mover {
            Mover::World { world, .. } => world.edit(edit),
            Mover::Played(_) => Ok(()),
        }
    }

    pub(super) fn undo(&mut self) -> Option<String> {
        match &mut self.mover {
            Mover::World { world, .. } => world.undo(),
            Mover::Played(_) => None,
        }
    }
}
