//! The objects of a scene in motion, or prescribed boxes; and the way to a step.

mod scenery;
mod views;

use super::activity::Activity;
use super::inputs::{Input, Inputs};
use super::moments::{Moment, Spacing};
use super::played::Played;
use broadphase::{Aabb, Pair, check_boxes};
use measure::{Case, Clock, InputError, PairBound};
use narrowphase::BoxKind;
use scenery::Scenery;
use sim::{DriveKeys, Edit, EditError, Placing, Response, World};
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

/// The objects with their boxes, and the way to their earlier steps.
pub struct Motion {
    mover: Mover,
    boxes: Vec<Aabb>,
    /// How those of bodies are computed, in this world and the next ones.
    box_kind: BoxKind,
    /// Counts restarts and steps taken back.
    epoch: u64,
    /// The last step that can be shown: that was finished, or of other inputs than scenes shown.
    latest: u64,
    pub(super) inputs: Inputs,
    pub(super) spacing: Spacing,
}

/// Source of the motion.
enum Mover {
    /// The forces and collisions of a scene. A step cannot be reversed: it is taken again from a moment before it.
    Scene(Box<Scenery>),
    /// An input that knows all of its frames.
    Played(Box<Played>),
}

/// How steps are taken again.
#[derive(Clone, Copy)]
pub(super) struct Replay<'a> {
    /// The bound on the pairs of each.
    pub(super) bound: PairBound,
    pub(super) activity: &'a Activity,
    pub(super) stop: &'a AtomicBool,
}

/// A step that was present, to come back to it.
pub(super) enum MotionPlace {
    Scene(Box<Moment>),
    /// The boxes of the step and of the one before: to generate them again may take seconds.
    Played(u64, [Vec<Aabb>; 2]),
}

impl Motion {
    /// Places the objects of a scene, or shows the first frame of other inputs. Moments take at most `room` bytes, a quarter
    /// of which is left to copies of structures. `None` once `goes_on`, which is called again and again, returns false.
    pub(super) fn new(
        case: &Case,
        room: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, InputError> {
        let (mut boxes, mut watch) = (Vec::new(), |_| goes_on());
        let mover = match case.scene() {
            Some(scene) => World::place(scene, &mut Placing::new(&mut watch)).ok().map(|world| {
                world.boxes(&mut boxes);
                Mover::Scene(Box::new(Scenery::new(world, room / 4 * 3)))
            }),
            None => Played::new(case, room, &mut boxes, &mut watch)?
                .map(|played| Mover::Played(Box::new(played))),
        };
        Ok(mover.map(|mover| Self {
            mover,
            boxes,
            box_kind: BoxKind::default(),
            epoch: 0,
            latest: 0,
            inputs: Inputs::new(DriveKeys::NONE),
            spacing: Spacing::default(),
        }))
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
        let (kind, epoch) = (self.box_kind, self.epoch + 1);
        let inputs = std::mem::replace(&mut self.inputs, Inputs::new(DriveKeys::NONE));
        *self = Self { epoch, inputs, ..new };
        self.set_box_kind(kind);
        Ok(true)
    }

    /// Computes the boxes of bodies in another way, of the present ones too.
    pub(super) fn set_box_kind(&mut self, kind: BoxKind) {
        self.box_kind = kind;
        if let Mover::Scene(scenery) = &mut self.mover
            && scenery.world.bodies().is_some_and(|bodies| bodies.box_kind() != kind)
        {
            scenery.world.set_box_kind(kind);
            scenery.world.boxes(&mut self.boxes);
            self.inputs.forget_pairs();
        }
    }

    /// Forgets inputs and structures of another motion.
    pub(super) fn begin(&mut self) {
        self.inputs.begin_motion();
        self.spacing.forget();
    }

    /// Stores a moment of the present step.
    pub(super) fn keep_moment(&mut self) {
        if let Mover::Scene(scenery) = &mut self.mover {
            scenery.keep_moment();
            let first = *scenery.kept(self.latest).start();
            self.inputs.forget_before(first);
        }
        self.spacing.stored(self.steps());
    }

    /// Moves the objects by one step, under the clock. Returns the nanoseconds of the motion; `None` if `stop` ended the
    /// step: the objects are back where they were.
    ///
    /// # Errors
    ///
    /// A message of one line. The objects of a scene have moved then, prescribed boxes have not.
    pub(super) fn advance(
        &mut self,
        input: Input,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> Result<Option<u64>, String> {
        match &mut self.mover {
            Mover::Scene(scenery) => {
                scenery.keep_present(&mut self.boxes);
                let start = clock.now_ns();
                if !scenery.advance(input, &mut self.boxes, stop) {
                    scenery.undo_step(&mut self.boxes);
                    return Ok(None);
                }
                let motion_ns = clock.now_ns() - start;
                let step = scenery.world.steps();
                check_boxes(&self.boxes).map_err(|bad| format!("step {step}: {bad}"))?;
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

    fn scenery(&self) -> Option<&Scenery> {
        match &self.mover {
            Mover::Scene(scenery) => Some(scenery),
            Mover::Played(_) => None,
        }
    }

    fn scenery_mut(&mut self) -> Option<&mut Scenery> {
        match &mut self.mover {
            Mover::Scene(scenery) => Some(scenery),
            Mover::Played(_) => None,
        }
    }

    /// Responds to the pairs of a step, and counts its collisions, to the end.
    pub(super) fn respond(&mut self, pairs: &[Pair]) {
        let never = AtomicBool::new(false);
        self.respond_unless(pairs, &never);
        self.count_hits(pairs, &never);
    }

    /// Responds to the pairs of a step, unless `stop` is set: `None` then, and the step is to be undone. Prescribed boxes do
    /// not respond.
    pub(super) fn respond_unless(&mut self, pairs: &[Pair], stop: &AtomicBool) -> Option<Response> {
        self.scenery_mut()?.world.respond_unless(pairs, stop)
    }

    /// Counts the real collisions of a step for the colours and the contacts. Returns whether that was done before `stop` was
    /// set: if not, the step is to be undone.
    pub(super) fn count_hits(&mut self, pairs: &[Pair], stop: &AtomicBool) -> bool {
        self.scenery_mut().is_none_or(|scenery| scenery.count_hits(pairs, stop))
    }

    /// The pairs of bodies in contact before the present step, which was just taken, and after it: sorted.
    pub(crate) fn contacts(&self) -> [&[Pair]; 2] {
        self.scenery().map_or([&[]; 2], Scenery::contacts)
    }

    /// A step is finished. It can be shown again, by the steps from the last moment if it `is_ordinary`.
    pub(super) fn finish_step(&mut self, is_ordinary: bool) {
        self.latest = self.steps().max(self.latest);
        if !is_ordinary {
            self.spacing.change();
        }
    }

    /// Goes to another step. Returns whether it is kept; `None` if the way to it was stopped, and all is as it was. The steps
    /// after it stay kept until the next one is begun.
    ///
    /// # Errors
    ///
    /// A message of one line, if its frame cannot be read, or steps before it have too many pairs; nothing changes then.
    pub(super) fn go_to(&mut self, step: u64, replay: Replay<'_>) -> Result<Option<bool>, String> {
        let present = self.steps();
        if self.spacing.has_changed() && present == self.latest {
            self.keep_moment();
        }
        let is_done = match &mut self.mover {
            Mover::Scene(scenery) => {
                if !scenery.kept(self.latest).contains(&step) {
                    return Ok(Some(false));
                }
                step == present || scenery.go_to(step, &self.inputs, &mut self.boxes, replay)?
            }
            Mover::Played(played) => {
                let Ok(frame) = u32::try_from(step) else { return Ok(Some(false)) };
                if played.source.frames().is_some_and(|frames| frame >= frames) {
                    return Ok(Some(false));
                }
                let shown = played.go_to(frame, &mut self.boxes, replay.stop);
                shown.map_err(|error| error.to_string())?
            }
        };
        if is_done {
            self.latest = self.latest.max(step);
            self.epoch += 1;
        }
        Ok(is_done.then_some(true))
    }

    /// The first step that had other pairs when it was first taken, among those that were taken again since the last moment.
    pub(crate) fn differs_from(&self) -> Option<u64> {
        self.scenery()?.differs_from
    }

    /// Takes a step back that is not finished.
    pub(super) fn undo_step(&mut self) {
        match &mut self.mover {
            Mover::Scene(scenery) => scenery.undo_step(&mut self.boxes),
            Mover::Played(played) => played.undo(&mut self.boxes),
        }
    }

    /// Takes a kept step again, to show it to a structure. Returns whether that was done before it was stopped. The caller
    /// [comes back](Self::come_back) afterwards.
    ///
    /// # Errors
    ///
    /// As [`go_to`](Self::go_to).
    pub(super) fn visit(&mut self, step: u64, replay: Replay<'_>) -> Result<bool, String> {
        let present = self.steps();
        match &mut self.mover {
            _ if step == present => Ok(true),
            Mover::Scene(scenery) => scenery.visit(step, &self.inputs, &mut self.boxes, replay),
            // The next frame is read or generated faster than any other.
            Mover::Played(played) => match step == present + 1 {
                true => played.advance(&mut self.boxes, replay.stop),
                false => played.go_to(step as u32, &mut self.boxes, replay.stop),
            }
            .map_err(|error| error.to_string()),
        }
    }

    /// Where the motion is, to [come back](Self::come_back) after steps are visited.
    pub(super) fn place(&self) -> MotionPlace {
        match &self.mover {
            Mover::Scene(scenery) => MotionPlace::Scene(Box::new(scenery.place(&self.boxes))),
            Mover::Played(played) => {
                MotionPlace::Played(self.steps(), [self.boxes.clone(), played.before.to_vec()])
            }
        }
    }

    /// Shows the step that was present, at once.
    pub(super) fn come_back(&mut self, place: MotionPlace) {
        let step = self.steps();
        match (&mut self.mover, place) {
            (Mover::Scene(scenery), MotionPlace::Scene(place)) => {
                // The boxes of a step that was taken again are those that structures have searched.
                let is_there = step == place.world.steps();
                let boxes = scenery.come_back(*place);
                if !is_there {
                    self.boxes = boxes;
                }
            }
            (Mover::Played(played), MotionPlace::Played(place, [boxes, before]))
                if step != place =>
            {
                self.boxes = boxes;
                played.come_back(place as u32, before);
            }
            _ => {}
        }
    }

    /// Forgets the steps of a scene after the present one.
    pub(super) fn forget_later(&mut self) {
        let step = self.steps();
        if let Mover::Scene(scenery) = &mut self.mover {
            scenery.moments.forget_from(step + 1);
            self.inputs.forget_after(step);
            self.spacing.forget();
            self.latest = step;
        }
    }

    /// Bytes of the moments.
    pub(super) fn kept_bytes(&self) -> usize {
        match &self.mover {
            Mover::Scene(scenery) => scenery.moments.heap_bytes(),
            Mover::Played(played) => played.source.kept_bytes(),
        }
    }

    /// The steps that can be shown.
    pub fn kept(&self) -> RangeInclusive<u64> {
        let latest = self.latest.max(self.steps());
        match &self.mover {
            Mover::Scene(scenery) => scenery.kept(latest),
            Mover::Played(played) => {
                0..=played.source.frames().map_or(latest, |frames| frames.saturating_sub(1).into())
            }
        }
    }

    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        let Some(scenery) = self.scenery_mut() else { return Ok(()) };
        scenery.world.edit(edit)?;
        self.spacing.change();
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Option<String> {
        let undone = self.scenery_mut()?.world.undo();
        self.spacing.change();
        undone
    }
}
