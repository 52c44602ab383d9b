//! A case in motion: its start, and the steps that every measurement, check and recording repeats.

use super::error::{Problem, RunError};
use super::memory::PairBound;
use super::prescribed::Prescribed;
use crate::input::{Case, CaseContent, InputError};
use crate::process::{Clock, clocked};
use crate::rows::Outcome;
use broadphase::{Aabb, BroadPhase, Frame, Pair, check_boxes};
use sim::atlas::Cell;
use sim::{GeneratedBoxes, GeneratedSpec, Hold, Placing, Response, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// A case in motion. In each frame it [moves](Self::advance), is [searched](Self::search), and [responds](Self::respond).
pub(crate) struct Playback<'a> {
    input: String,
    source: Moving,
    boxes: Vec<Aabb>,
    time_step: f32,
    next_frame: u32,
    /// The most pairs of all searches of a frame together.
    bound: PairBound,
    /// Ends a step of the world when it is set.
    stop: &'a AtomicBool,
}

enum Moving {
    World(Box<World>),
    Prescribed(Box<Prescribed>),
}

/// Why a repetition ends before its last frame.
pub(crate) enum Halt {
    /// The measurement cannot go on.
    Failed(RunError),
    /// A fault of the algorithm in this frame.
    Faulty(u32, Problem),
    /// Another end of the cell.
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

impl Playback<'_> {
    /// Bounds the pairs of a frame so that they fit into memory where each takes what a search needs of it
    /// ([`PairBound::within`]) `holders` times: in the search, and in what follows it.
    pub(crate) fn bound(&mut self, holders: usize) {
        self.bound = self.bound.held_by(holders);
    }

    /// Moves to the next frame, the first time to frame 0. A world takes a step, generated boxes move, a trace is read.
    /// Returns the nanoseconds of that.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read or has no more frames, a box is not finite, and where it is stopped.
    pub(crate) fn advance(&mut self, clock: &dyn Clock) -> Result<u64, RunError> {
        let Self { source, boxes, stop, .. } = self;
        let (moved, ns) = clocked(clock, || match source {
            Moving::World(world) => {
                let is_whole = world.step_unless(Hold::None, stop);
                world.boxes(boxes);
                if is_whole { Ok(()) } else { Err(RunError::Stopped) }
            }
            Moving::Prescribed(prescribed) => Ok(prescribed.next_frame(boxes)?),
        });
        moved?;
        self.next_frame += 1;
        // Forces can accelerate a world's spheres until their positions overflow.
        check_boxes(&self.boxes).map_err(|bad_box| {
            let text = format!("{}, frame {}: {bad_box}", self.input, self.number());
            InputError::Unplayable(text)
        })?;
        Ok(ns)
    }

    /// Searches the present frame. The frame that `search` is given ends a search once it is stopped or has more pairs than
    /// can be held ([`Frame::is_stopped`]). All searches of the frame count together.
    ///
    /// # Errors
    ///
    /// More pairs than can be held.
    pub(crate) fn search<T>(&self, search: impl FnOnce(&Frame<'_>) -> T) -> Result<T, RunError> {
        let layers = match &self.source {
            Moving::World(world) => world.layers(),
            Moving::Prescribed(prescribed) => prescribed.layers(),
        };
        let frame = Frame::new(&self.boxes).time_step(self.time_step).layered(layers);
        self.bound.search(&frame.stopped_by(self.stop), search).map_err(|error| {
            let reason = format!("frame {}: {error}", self.number());
            InputError::TooManyPairs { input: self.input.clone(), reason }.into()
        })
    }

    /// Responds to the pairs of the present frame, sorted and complete: a world does. Also returns the nanoseconds.
    ///
    /// # Errors
    ///
    /// Where it is stopped.
    pub(crate) fn respond(
        &mut self,
        clock: &dyn Clock,
        pairs: &[Pair],
    ) -> Result<(Option<Response>, u64), RunError> {
        let stop = self.stop;
        let (response, ns) = clocked(clock, || match &mut self.source {
            Moving::World(world) => world.respond_unless(pairs, stop),
            Moving::Prescribed(_) => None,
        });
        // The world may be half-moved once the flag is set, and must not be used then.
        let is_stopped = self.world().is_some() && stop.load(Ordering::Relaxed);
        if is_stopped { Err(RunError::Stopped) } else { Ok((response, ns)) }
    }

    /// The number of the present frame.
    fn number(&self) -> u32 {
        self.next_frame.saturating_sub(1)
    }

    /// Simulated seconds from frame to frame.
    pub(crate) fn time_step(&self) -> f32 {
        self.time_step
    }

    /// The objects that waited in the present frame, as a text of one line; `None` if none did.
    pub(crate) fn waiting(&self) -> Option<String> {
        let waiting = self.world().map(World::waiting).filter(|waiting| !waiting.is_empty())?;
        Some(format!("frame {}: {waiting}", self.number()))
    }

    /// The world, unless boxes are recorded or generated.
    pub(crate) fn world(&self) -> Option<&World> {
        match &self.source {
            Moving::World(world) => Some(world),
            Moving::Prescribed(_) => None,
        }
    }
}

impl Case {
    /// Plays the case from its start. Every playback of a case that is given the same pairs shows the same boxes. The pairs of
    /// a frame may take `memory` bytes. `goes_on` is called again and again with the number of objects that have a place.
    /// `None` where it ends the placing. Later, `stop` ends a step of the world.
    ///
    /// # Errors
    ///
    /// Where the trace cannot be read, or its file has changed since the case was made.
    pub(crate) fn start<'a>(
        &self,
        memory: u64,
        stop: &'a AtomicBool,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<Playback<'a>>, InputError> {
        let mut placing = Placing::new(goes_on);
        let (source, time_step) = if let CaseContent::Scene(scene) = &self.content {
            let Ok(mut world) = World::place(scene, &mut placing) else { return Ok(None) };
            world.set_box_kind(self.box_kind);
            (Moving::World(Box::new(world)), scene.dt)
        } else {
            let Some(prescribed) = self.place_prescribed(&mut placing)? else { return Ok(None) };
            let time_step = prescribed.time_step();
            (Moving::Prescribed(Box::new(prescribed)), time_step)
        };
        let has_bodies = matches!(&source, Moving::World(world) if world.bodies().is_some());
        let bound = PairBound::within(memory, 1 + usize::from(has_bodies));
        let (input, boxes) = (self.input.clone(), Vec::new());
        Ok(Some(Playback { input, source, boxes, time_step, next_frame: 0, bound, stop }))
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
    fn generator(&self, later: u64) -> Option<GeneratedBoxes> {
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

    /// A trace or generated boxes at their start; `None` for a scene, and where `placing` is ended.
    fn place_prescribed(
        &self,
        placing: &mut Placing<'_>,
    ) -> Result<Option<Prescribed>, InputError> {
        let worlds = match &self.content {
            CaseContent::Scene(_) => return Ok(None),
            CaseContent::Pairs(_) => {
                let why = "has no boxes: `harness bodies` measures random pairs";
                return Err(InputError::Unplayable(format!("{} {why}", self.input)));
            }
            CaseContent::Trace(file) => {
                // The reader would give another reason for a changed file.
                file.check(&self.input)?;
                return Ok(Some(Prescribed::of_trace(&self.input, file.trace()?, file)));
            }
            CaseContent::Generated(spec) => {
                let Ok(boxes) = GeneratedBoxes::place(spec, placing) else { return Ok(None) };
                vec![boxes]
            }
            // It has at most a few hundred thousand objects.
            CaseContent::Cell(cell) => vec![cell.start()],
            CaseContent::Worlds { first, worlds } => {
                (0..*worlds).filter_map(|world| first.generator(world.into())).collect()
            }
        };
        Ok(Some(Prescribed::generated(&self.input, worlds)))
    }
}

/// Replaces `pairs` by those of the frame, sorted.
pub fn find_sorted(algorithm: &mut dyn BroadPhase, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
    pairs.clear();
    algorithm.pairs(frame, pairs);
    pairs.sort_unstable();
}
