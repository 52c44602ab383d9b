//! A case in motion: the one step that every measurement, check and recording repeats.

use super::error::RunError;
use super::pair_bound::PairBound;
use super::prescribed::Prescribed;
use super::worlds::ManyWorlds;
use crate::input::InputError;
use crate::process::Clock;
use broadphase::{Aabb, BroadPhase, Frame, Layer, Pair, check_boxes};
use sim::{Hold, Response, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// A case in motion.
pub struct Playback<'a> {
    input: String,
    source: Moving,
    boxes: Vec<Aabb>,
    time_step: f32,
    next_frame: u32,
    /// The most pairs of all searches of a frame together.
    bound: PairBound,
    /// Ends a step of the world when it is set.
    stop: Option<&'a AtomicBool>,
}

pub(crate) enum Moving {
    World(Box<World>),
    Prescribed(Box<Prescribed>),
    Worlds(Box<ManyWorlds>),
}

/// A frame, searched and responded to.
pub struct Step<'a, P> {
    /// What the search returned.
    pub found: P,
    /// The response of a world; `None` for traces and generated boxes.
    pub response: Option<Response>,
    /// Nanoseconds of moving the objects and filling their boxes.
    pub motion_ns: u64,
    /// Nanoseconds of the response.
    pub response_ns: u64,
    /// The playback after the response.
    pub playback: &'a Playback<'a>,
}

/// Why a step ended before the response: the input failed, or the search ended the playback with a
/// result.
pub(crate) enum Halt<T> {
    Failed(RunError),
    Ended(T),
}

impl<T> Halt<T> {
    /// The result with which the search ended the playback.
    pub(crate) fn result(self) -> Result<T, RunError> {
        match self {
            Halt::Failed(error) => Err(error),
            Halt::Ended(result) => Ok(result),
        }
    }
}

impl<T> From<InputError> for Halt<T> {
    fn from(error: InputError) -> Self {
        Halt::Failed(error.into())
    }
}

impl<T> From<RunError> for Halt<T> {
    fn from(error: RunError) -> Self {
        Halt::Failed(error)
    }
}

/// A clock for steps that are not measured.
pub(crate) struct Untimed;

impl Clock for Untimed {
    fn now_ns(&self) -> u64 {
        0
    }
}

impl<'a> Playback<'a> {
    pub(crate) fn new(input: String, source: Moving, time_step: f32, memory: u64) -> Self {
        let has_bodies = matches!(&source, Moving::World(world) if world.bodies().is_some());
        let bound = PairBound::within(memory, 1 + usize::from(has_bodies));
        Self { input, source, boxes: Vec::new(), time_step, next_frame: 0, bound, stop: None }
    }

    /// Ends a step of the world soon once `stop` is set. The playback cannot go on then.
    pub(crate) fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Bounds the pairs of a frame so that they fit into memory where each takes what a search needs of it
    /// ([`PairBound::within`]) `holders` times: in the search, and in what follows it.
    pub(crate) fn bound(&mut self, holders: usize) {
        self.bound = self.bound.held_by(holders);
    }

    /// Plays one frame: moves the objects, checks their boxes, calls `search`, and responds to the
    /// pairs that it returns, sorted and complete. The frame that `search` is given ends a search of more pairs than can be held
    /// ([`Frame::is_stopped`]). All searches of the frame count together.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance), where it is stopped, more pairs than can be held, and the error of `search`. There is no
    /// response then.
    pub fn step<P: AsRef<[Pair]>, E: From<RunError>>(
        &mut self,
        search: impl FnOnce(&Frame<'_>) -> Result<P, E>,
    ) -> Result<Step<'_, P>, E> {
        self.clocked_step(&Untimed, search)
    }

    /// [`step`](Self::step), with motion and response under a stopwatch.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn clocked_step<P: AsRef<[Pair]>, E: From<RunError>>(
        &mut self,
        clock: &dyn Clock,
        search: impl FnOnce(&Frame<'_>) -> Result<P, E>,
    ) -> Result<Step<'_, P>, E> {
        let start = clock.now_ns();
        self.move_objects().map_err(RunError::from)?;
        let motion_ns = clock.now_ns() - start;
        self.check_unstopped()?;
        self.check().map_err(RunError::from)?;
        let found = self.bound.search(&self.frame(), search).map_err(|error| {
            let (input, frame) = (self.input.clone(), self.next_frame.saturating_sub(1));
            RunError::from(InputError::TooManyPairs { input, frame, error })
        })??;
        let start = clock.now_ns();
        let response = self.respond(found.as_ref());
        let response_ns = clock.now_ns() - start;
        self.check_unstopped()?;
        Ok(Step { found, response, motion_ns, response_ns, playback: self })
    }

    /// Moves to the next frame, the first time to frame 0, and checks its boxes. A world takes a
    /// step, generated boxes move, a trace is read.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read or has no more frames, or a box is not finite.
    pub fn advance(&mut self) -> Result<(), InputError> {
        self.move_objects()?;
        self.check()
    }

    fn move_objects(&mut self) -> Result<(), InputError> {
        match &mut self.source {
            Moving::World(world) => {
                match self.stop {
                    Some(stop) if !world.step_unless(Hold::None, stop) => return Ok(()),
                    Some(_) => {}
                    None => world.step(Hold::None),
                }
                world.boxes(&mut self.boxes);
            }
            Moving::Prescribed(prescribed) => prescribed.next_frame(&mut self.boxes)?,
            Moving::Worlds(worlds) => worlds.next_frame(&mut self.boxes),
        }
        self.next_frame += 1;
        Ok(())
    }

    /// Refuses boxes that algorithms do not accept: forces can accelerate a world's spheres until
    /// their positions overflow.
    fn check(&self) -> Result<(), InputError> {
        check_boxes(&self.boxes).map_err(|bad_box| {
            let (input, frame) = (self.input.clone(), self.next_frame.saturating_sub(1));
            InputError::BadBox { input, frame, bad_box }
        })
    }

    /// The present frame.
    pub fn frame(&self) -> Frame<'_> {
        Frame::new(&self.boxes).time_step(self.time_step).layered(self.layers())
    }

    /// The objects' layers, the same in every frame; empty where every pair is admitted, as in a
    /// trace.
    pub fn layers(&self) -> &[Layer] {
        match &self.source {
            Moving::World(world) => world.layers(),
            Moving::Prescribed(prescribed) => prescribed.layers(),
            Moving::Worlds(worlds) => &worlds.layers,
        }
    }

    fn respond(&mut self, pairs: &[Pair]) -> Option<Response> {
        match &mut self.source {
            Moving::World(world) => match self.stop {
                Some(stop) => world.respond_unless(pairs, stop),
                None => Some(world.respond(pairs)),
            },
            Moving::Prescribed(_) | Moving::Worlds(_) => None,
        }
    }

    /// The world may be half-moved once the flag is set, and must not be used then.
    fn check_unstopped(&self) -> Result<(), RunError> {
        let is_stopped =
            self.world().is_some() && self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped { Err(RunError::Stopped) } else { Ok(()) }
    }

    /// The objects that waited in the present frame, as a text of one line; `None` if none did.
    pub(crate) fn waiting(&self) -> Option<String> {
        let waiting = self.world().map(World::waiting).filter(|waiting| !waiting.is_empty())?;
        Some(format!("frame {}: {waiting}", self.next_frame.saturating_sub(1)))
    }

    /// The world, unless boxes are recorded or generated.
    pub fn world(&self) -> Option<&World> {
        match &self.source {
            Moving::World(world) => Some(world),
            Moving::Prescribed(_) | Moving::Worlds(_) => None,
        }
    }
}

/// Replaces `pairs` by those of the frame, sorted.
pub fn find_sorted(algorithm: &mut dyn BroadPhase, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
    pairs.clear();
    algorithm.pairs(frame, pairs);
    pairs.sort_unstable();
}
