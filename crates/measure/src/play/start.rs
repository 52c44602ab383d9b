//! Starting a case.

use super::error::RunError;
use super::observer::Observer;
use super::playback::{Moving, Playback};
use super::prescribed::Prescribed;
use super::worlds::ManyWorlds;
use crate::input::{Case, CaseContent, InputError};
use crate::process::available_memory;
use sim::atlas::{Cell, TIME_STEP};
use sim::{GeneratedBoxes, GeneratedSpec, Placing, PlacingEnded, TraceReader, World};
use std::sync::atomic::{AtomicBool, Ordering};

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
            CaseContent::Scene(scene) => match World::place(scene, &mut placing) {
                Ok(mut world) => {
                    world.set_box_kind(self.box_kind);
                    (Moving::World(Box::new(world)), scene.dt)
                }
                Err(PlacingEnded) => return Ok(None),
            },
            CaseContent::Worlds { first, worlds } => {
                (Moving::Worlds(Box::new(ManyWorlds::new(first, *worlds))), TIME_STEP)
            }
            _ => match self.place_prescribed(&mut placing)? {
                Some(prescribed) => {
                    let time_step = prescribed.time_step();
                    (Moving::Prescribed(Box::new(prescribed)), time_step)
                }
                None => return Ok(None),
            },
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
        let prescribed = prescribed.map(|boxes| boxes.random_access(memory, self.n));
        Ok(match &self.content {
            CaseContent::Trace(file) => prescribed.map(|boxes| boxes.watching(file)),
            _ => prescribed,
        })
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
            CaseContent::Pairs(_) => return Err(InputError::NoBoxes(self.input.clone())),
            CaseContent::Trace(file) => {
                let reader = TraceReader::open(file.path())?;
                file.check(&self.input)?;
                return Ok(Some(Prescribed::of_trace(self.input.clone(), reader)));
            }
            CaseContent::Generated(spec) => match GeneratedBoxes::place(spec, placing) {
                Ok(boxes) => boxes,
                Err(PlacingEnded) => return Ok(None),
            },
            // It has at most a few hundred thousand objects.
            CaseContent::Cell(cell) => cell.start(),
        };
        let input = self.input.clone();
        Ok(Some(Prescribed::generated(input, generator, TIME_STEP)))
    }
}
