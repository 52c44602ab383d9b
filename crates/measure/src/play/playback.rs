//! A case in motion: its start, and the one step that every measurement, check and recording repeats.

use super::error::RunError;
use super::memory::PairBound;
use super::observer::Observer;
use super::prescribed::Prescribed;
use super::worlds::ManyWorlds;
use crate::input::{Case, CaseContent, InputError};
use crate::process::{Clock, available_memory, clocked};
use crate::rows::Outcome;
use broadphase::{Aabb, BroadPhase, Frame, Pair, check_boxes};
use sim::atlas::{Cell, TIME_STEP};
use sim::{GeneratedBoxes, GeneratedSpec, Hold, Placing, Response, TraceReader, World};
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

enum Moving {
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

/// Why a step ended before the response: the input failed, or its search ended the cell.
pub(crate) enum Halt {
    Failed(RunError),
    Ended(Outcome),
}

impl From<RunError> for Halt {
    /// A frame of more pairs than can be held ends the cell alone.
    fn from(error: RunError) -> Self {
        match error {
            RunError::Input(InputError::TooManyPairs { reason, .. }) => {
                Self::Ended(Outcome::Skipped(reason))
            }
            error => Self::Failed(error),
        }
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
    fn new(input: String, source: Moving, time_step: f32, memory: u64) -> Self {
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
    /// Where the trace cannot be read or has no more frames, a box is not finite, it is stopped, more pairs than can be held,
    /// and the error of `search`. There is no response then.
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
        let (moved, motion_ns) = clocked(clock, || self.move_objects());
        moved.map_err(RunError::from)?;
        self.check_unstopped()?;
        self.check().map_err(RunError::from)?;
        let found = self.bound.search(&self.frame(), search).map_err(|error| {
            let reason = format!("frame {}: {error}", self.number());
            RunError::from(InputError::TooManyPairs { input: self.input.clone(), reason })
        })??;
        let (response, response_ns) = clocked(clock, || self.respond(found.as_ref()));
        self.check_unstopped()?;
        Ok(Step { found, response, motion_ns, response_ns, playback: self })
    }

    /// Moves to the next frame, the first time to frame 0. A world takes a step, generated boxes move, a trace is read.
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
            let text = format!("{}, frame {}: {bad_box}", self.input, self.number());
            InputError::Unplayable(text)
        })
    }

    /// The number of the present frame.
    fn number(&self) -> u32 {
        self.next_frame.saturating_sub(1)
    }

    /// The present frame. Its layers are the same in every frame; there are none where every pair is admitted, as in a trace.
    pub(crate) fn frame(&self) -> Frame<'_> {
        let layers = match &self.source {
            Moving::World(world) => world.layers(),
            Moving::Prescribed(prescribed) => prescribed.layers(),
            Moving::Worlds(worlds) => &worlds.layers,
        };
        Frame::new(&self.boxes).time_step(self.time_step).layered(layers)
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
        Some(format!("frame {}: {waiting}", self.number()))
    }

    /// The world, unless boxes are recorded or generated.
    pub fn world(&self) -> Option<&World> {
        match &self.source {
            Moving::World(world) => Some(world),
            Moving::Prescribed(_) | Moving::Worlds(_) => None,
        }
    }
}

impl Case {
    /// Plays the case from its start. Every playback of a case that is given the same pairs shows
    /// the same boxes. The pairs of a frame may take what memory there is now.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read, or its file has changed since the case was made.
    pub fn start(&self) -> Result<Playback<'static>, InputError> {
        let playback = self.start_followed(available_memory(), &mut |_| true)?;
        Ok(playback.unwrap_or_else(|| unreachable!("only its observer ends the placing")))
    }

    /// [`start_followed`](Self::start_followed), unless `stop` is set while the objects are placed. `observer`
    /// follows that. Later, `stop` ends a step of the world.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start), and where it is stopped.
    pub(crate) fn start_observed<'a>(
        &self,
        memory: u64,
        observer: &mut dyn Observer,
        stop: &'a AtomicBool,
    ) -> Result<Playback<'a>, RunError> {
        let mut goes_on = |placed| {
            observer.objects_placed(placed, self.n);
            !stop.load(Ordering::Relaxed)
        };
        let playback = self.start_followed(memory, &mut goes_on)?.ok_or(RunError::Stopped)?;
        Ok(playback.stopped_by(stop))
    }

    /// [`start`](Self::start), where the pairs of a frame may take `memory` bytes. `goes_on` is called again and again with
    /// the number of objects that have a place. `None` where it ends the placing.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    pub fn start_followed(
        &self,
        memory: u64,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<Playback<'static>>, InputError> {
        let mut placing = Placing::new(goes_on);
        let (source, time_step) = match &self.content {
            CaseContent::Scene(scene) => {
                let Ok(mut world) = World::place(scene, &mut placing) else { return Ok(None) };
                world.set_box_kind(self.box_kind);
                (Moving::World(Box::new(world)), scene.dt)
            }
            CaseContent::Worlds { first, worlds } => {
                (Moving::Worlds(Box::new(ManyWorlds::new(first, *worlds))), TIME_STEP)
            }
            _ => {
                let Some(prescribed) = self.place_prescribed(&mut placing)? else {
                    return Ok(None);
                };
                let time_step = prescribed.time_step();
                (Moving::Prescribed(Box::new(prescribed)), time_step)
            }
        };
        Ok(Some(Playback::new(self.input.clone(), source, time_step, memory)))
    }

    /// The boxes of a trace, or generated ones, of which any frame can be shown; `None` for a scene, whose motion depends
    /// on its pairs. Some states of generated boxes are kept, within `memory` bytes. A trace ends with an error once its
    /// file changes. `goes_on` is called again and again with the number of objects that have a place. `None` also where
    /// it ends the placing.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read, or its file has changed since the case was made.
    pub fn prescribed(
        &self,
        memory: u64,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<Prescribed>, InputError> {
        let prescribed = self.place_prescribed(&mut Placing::new(goes_on))?;
        Ok(prescribed.map(|boxes| boxes.random_access(memory, self.n)))
    }

    /// Generated boxes at their start, drawn with a seed `later` than that of the case: others with the same properties.
    /// `None` for other inputs.
    pub(super) fn generator(&self, later: u64) -> Option<GeneratedBoxes> {
        match &self.content {
            CaseContent::Generated(spec) => {
                let spec = GeneratedSpec { seed: spec.seed.wrapping_add(later), ..*spec };
                Some(GeneratedBoxes::new(&spec))
            }
            CaseContent::Cell(cell) => {
                let cell = Cell { seed: cell.seed.wrapping_add(later), ..**cell };
                Some(cell.start())
            }
            _ => None,
        }
    }

    /// A trace or generated boxes at their start; `None` for a scene and many worlds, and where `placing` is ended.
    fn place_prescribed(
        &self,
        placing: &mut Placing<'_>,
    ) -> Result<Option<Prescribed>, InputError> {
        let generator = match &self.content {
            CaseContent::Scene(_) | CaseContent::Worlds { .. } => return Ok(None),
            CaseContent::Pairs(_) => {
                let why = "has no boxes: `harness bodies` measures random pairs";
                return Err(InputError::Unplayable(format!("{} {why}", self.input)));
            }
            CaseContent::Trace(file) => {
                // The reader would give another reason for a changed file.
                file.check(&self.input)?;
                let reader = TraceReader::open(file.path())?;
                return Ok(Some(Prescribed::of_trace(&self.input, reader, file)));
            }
            CaseContent::Generated(spec) => GeneratedBoxes::place(spec, placing).ok(),
            // It has at most a few hundred thousand objects.
            CaseContent::Cell(cell) => Some(cell.start()),
        };
        Ok(generator.map(|generator| Prescribed::generated(&self.input, generator)))
    }
}

/// Replaces `pairs` by those of the frame, sorted.
pub fn find_sorted(algorithm: &mut dyn BroadPhase, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
    pairs.clear();
    algorithm.pairs(frame, pairs);
    pairs.sort_unstable();
}
